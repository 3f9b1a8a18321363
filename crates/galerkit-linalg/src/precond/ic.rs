//! Incomplete Cholesky A ~ L L^H, row by row on a given pattern, for Hermitian A (Saad, Iterative methods, 2nd ed.,
//! section 10.3.1; Meijerink and van der Vorst 1977):
//!
//! ```text
//! l_ik = (a_ik - sum_{j<k} l_ij conj(l_kj)) / l_kk      l_ii = sqrt(a_ii - sum_{j<i} |l_ij|^2)
//! ```
//!
//! It exists for M-matrices; for others a pivot may turn negative, and a shifted diagonal helps (Manteuffel 1980).

use super::row::SpreadRow;
use super::{Factorisation, Factors, Pattern};
use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::Float;
use rayon::prelude::*;

/// IC(0): incomplete Cholesky on the lower pattern of A.
pub fn ic0<S: Scalar>(A: &Csr<S>) -> Result<Factors<S>> {
    Pattern::of(A, 0)?.ic(A, 0.0)
}

/// Computes the numbers of factors whose lower pattern is there.
pub(super) fn fill<S: Scalar>(A: &Csr<S>, factors: &mut Factors<S>) -> Result<()> {
    check_length("the matrix (its rows)", factors.rows(), A.rows())?;
    Factorisation::Ic.require(A)?;
    let Factors { lower, upper, inverse, shift, .. } = factors;
    let shifted = S::from_f64(1.0 + *shift);
    let mut row = SpreadRow::new(A.rows());
    for i in 0..A.rows() {
        row.begin(i);
        row.allow(&lower.col()[lower.range(i)]);
        row.allow(&[i as u32]);
        A.row(i).filter(|e| e.0 <= i).try_for_each(|(j, a)| row.set(j, if j == i { a * shifted } else { a }))?;
        let mut pivot = row.get(i);
        for k in lower.col()[lower.range(i)].iter().map(|&k| k as usize) {
            let known = lower.row(k).filter(|e| row.has(e.0));
            let sum = known.fold(S::zero(), |sum, (j, l)| sum + row.get(j) * l.conj());
            let l = (row.get(k) - sum) * inverse[k];
            row.put(k, l);
            pivot -= S::from_real(l.modulus_squared());
        }
        row.store(lower, i);
        inverse[i] = inverse_root(pivot, i)?;
    }
    *upper = lower.conjugate_transpose();
    Ok(())
}

pub(super) fn inverse_root<S: Scalar>(pivot: S, row: usize) -> Result<S> {
    let inverse = S::from_real(pivot.re().sqrt().recip()); // NaN below zero
    if pivot.finite() && pivot.parts().0 > 0.0 && inverse.finite() {
        return Ok(inverse);
    }
    Err(Error::NotPositivePivot { row, value: pivot.to_string() })
}

/// Refuses entries that differ from their mirror image by more than rounding may explain: half of the digits.
pub(super) fn require_hermitian<S: Scalar>(A: &Csr<S>) -> Result<()> {
    let tolerance = S::eps().sqrt();
    let differs = |i: usize, (j, a): (usize, S)| {
        let mirrored = if i == j { a } else { A.get(j, i).unwrap_or(S::zero()) };
        let (difference, size) = ((a - mirrored.conj()).modulus().parts().0, a.modulus().parts().0);
        (difference > tolerance * size).then_some((i, j))
    };
    let rows = (0..A.rows()).into_par_iter().with_min_len(1024);
    match rows.find_map_first(|i| A.row(i).find_map(|entry| differs(i, entry))) {
        Some((row, col)) => Err(Error::NotHermitian { row, col, operation: "incomplete Cholesky" }),
        None => Ok(()),
    }
}
