//! Tentative prolongation T: every row takes the value of the near-null vector b in the column of its aggregate; rows
//! without an aggregate are empty. So T times ones is b, wherever there are aggregates.

use super::aggregate::{Aggregates, NONE};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// T for a near-null vector; without one it is of ones.
pub fn tentative<S: Scalar>(aggregates: &Aggregates, b: Option<&[S]>) -> Csr<S> {
    let rows = aggregates.of.len();
    let (mut start, mut col, mut val) = (Vec::with_capacity(rows + 1), Vec::new(), Vec::new());
    start.push(0);
    for (i, &number) in aggregates.of.iter().enumerate() {
        if number != NONE {
            col.push(number);
            val.push(b.map_or(S::one(), |b| b[i]));
        }
        start.push(col.len() as u64);
    }
    Csr::from_parts_trusted(aggregates.count, start, col, val)
}
