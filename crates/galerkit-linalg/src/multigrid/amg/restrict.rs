//! Restriction R: the adjoint of the prolongator that A^H has with the same T. For a Hermitian matrix that is P^H, for
//! a complex symmetric one P^T. P^H for general matrices would fail: with strong convection the errors that A^H hardly
//! sees are others than those of A.

use super::filter::{filter, kept};
use super::smooth::{Step, smooth};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// What is known of a matrix and its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A = A^H, or the method demands it.
    Hermitian,
    /// A = A^T, not real.
    Symmetric,
    /// Neither.
    General,
}

/// Which entries of A^H smooth.
#[derive(Clone, Debug)]
pub enum Stay {
    /// Those of at least this part of a row's largest.
    Fraction(f64),
    /// These.
    Entries(Vec<bool>),
}

/// R of a level whose prolongator is P, made from T and the near-null vector b; and the entries of A^H that smoothed,
/// where A^H is not A in another guise.
pub fn restrict<S: Scalar>(
    class: Class,
    A: &Csr<S>,
    (P, T): (&Csr<S>, &Csr<S>),
    b: Option<&[S]>,
    stay: Stay,
) -> (Csr<S>, Vec<bool>) {
    match class {
        Class::Hermitian => (P.conjugate_transpose(), Vec::new()),
        Class::Symmetric if b.is_none() => (P.transpose(), Vec::new()),
        Class::Symmetric | Class::General => {
            let adjoint = A.conjugate_transpose();
            let entries = match stay {
                Stay::Fraction(fraction) => kept(&adjoint, b, fraction),
                Stay::Entries(entries) => entries,
            };
            let filtered = filter(&adjoint, &adjoint.diagonal(), b, entries);
            let P = smooth(&adjoint, &filtered, T, Step::default()).0;
            (P.conjugate_transpose(), filtered.kept)
        }
    }
}
