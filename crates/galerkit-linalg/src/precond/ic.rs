//! Incomplete Cholesky A ~ L L^H, row by row on a given pattern, for Hermitian A (Saad, Iterative methods, 2nd ed.,
//! section 10.3.1; Meijerink and van der Vorst 1977):
//!
//! ```text
//! l_ik = (a_ik - sum_{j<k} l_ij conj(l_kj)) / l_kk      l_ii = sqrt(a_ii - sum_{j<i} |l_ij|^2)
//! ```
//!
//! It exists for M-matrices; for others a pivot may turn negative, and a shifted diagonal helps (Manteuffel 1980).

use super::row::SpreadRow;
use super::triangles::Triangles;
use super::{Factorisation, Factors, pivot};
use crate::error::{Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Computes the numbers of factors whose lower pattern is there.
pub(super) fn fill<S: Scalar>(A: &Csr<S>, factors: &mut Factors<S>) -> Result<()> {
    check_length("the matrix (its rows)", factors.rows(), A.rows())?;
    Factorisation::Ic.require(A)?;
    let Factors { triangles: Triangles { lower, upper, scale: inverse, .. }, shift, .. } = factors;
    let shifted = S::from_f64(1.0 + *shift);
    let mut row = SpreadRow::new(A.rows());
    for i in 0..A.rows() {
        row.begin(i);
        row.allow(&lower.col()[lower.range(i)]);
        row.allow(&[i as u32]);
        A.row(i).filter(|e| e.0 <= i).try_for_each(|(j, a)| row.set(j, if j == i { a * shifted } else { a }))?;
        let mut diagonal = row.get(i);
        for k in lower.col()[lower.range(i)].iter().map(|&k| k as usize) {
            let known = lower.row(k).filter(|e| row.has(e.0));
            let sum = known.fold(S::zero(), |sum, (j, l)| sum + row.get(j) * l.conj());
            let l = (row.get(k) - sum) * inverse[k];
            row.put(k, l);
            diagonal -= S::from_real(l.modulus_squared());
        }
        row.store(lower, i);
        inverse[i] = pivot::inverse_root(diagonal, i)?;
    }
    *upper = lower.conjugate_transpose();
    Ok(())
}
