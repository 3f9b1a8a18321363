//! What the gallery builds.

use crate::scalar::c64;
use crate::sparse::Csr;

/// A finished model problem, real or complex.
#[derive(Clone, Debug, PartialEq)]
pub enum Built {
    /// A real matrix.
    Real(Csr<f64>),
    /// A complex matrix.
    Complex(Csr<c64>),
}
