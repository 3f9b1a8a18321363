//! The costs of a matching: c_ij = log max_k |a_ik| - log |a_ij|, not negative; infinite for a stored zero.

use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A cost for each stored entry, and the largest modulus of each row.
pub(super) struct Costs {
    each: Vec<f64>,
    largest: Vec<f64>,
}

impl Costs {
    /// Those of a matrix whose entries are finite.
    pub(super) fn of<S: Scalar>(A: &Csr<S>) -> Self {
        let modulus: Vec<f64> = A.val().iter().map(|&a| modulus(a)).collect();
        let largest: Vec<f64> =
            (0..A.rows()).map(|i| modulus[A.range(i)].iter().fold(0.0, |most: f64, &a| most.max(a))).collect();
        let mut each = modulus;
        for (i, largest) in largest.iter().enumerate() {
            each[A.range(i)].iter_mut().for_each(|a| *a = if *a > 0.0 { largest.ln() - a.ln() } else { f64::INFINITY });
        }
        Self { each, largest }
    }

    /// The cost of each stored entry.
    pub(super) fn each(&self) -> &[f64] {
        &self.each
    }
    /// The largest modulus of each row.
    pub(super) fn largest(&self) -> &[f64] {
        &self.largest
    }
}

fn modulus<S: Scalar>(a: S) -> f64 {
    let (re, im) = a.parts();
    re.hypot(im)
}
