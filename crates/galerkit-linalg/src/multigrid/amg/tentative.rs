//! Tentative prolongation T: every row takes the value of the near-null vector b in the column of its aggregate; rows
//! without an aggregate are empty. So T times ones is b, wherever there are aggregates. Where b is zero on a whole
//! aggregate its column is dead: zero in T, and 1 on the diagonal of the coarse matrix, so that it never moves.

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

/// Columns of T that are zero, ascending: none where the vector is of ones.
pub(super) fn dead<S: Scalar>(aggregates: &Aggregates, b: Option<&[S]>) -> Vec<usize> {
    let Some(b) = b else { return Vec::new() };
    let mut is_dead = vec![true; aggregates.count];
    for (&number, value) in aggregates.of.iter().zip(b).filter(|(number, _)| **number != NONE) {
        is_dead[number as usize] &= *value == S::zero();
    }
    (0..aggregates.count).filter(|&column| is_dead[column]).collect()
}
