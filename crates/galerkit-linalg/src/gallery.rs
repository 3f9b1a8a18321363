//! Model problems by name: `gallery:poisson3d?n=64&stencil=27`, or directly: `poisson3d(64, Stencil::Points27)`.
//! Every matrix is built straight into compressed rows in O(nnz), in parallel, and is the same to the last bit on every
//! machine and with any number of threads. Grids are numbered x fastest; boundary values are zero and eliminated.
//!
//! ```
//! use galerkit_linalg::gallery::{self, Built};
//! let Built::Real(A) = gallery::build("gallery:poisson1d?n=3")? else { unreachable!() };
//! assert_eq!(A.val(), [2.0, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0]);
//! # Ok::<(), galerkit_linalg::Error>(())
//! ```

mod catalogue;
mod convection_diffusion;
mod grid;
mod poisson;
mod random_spd;
mod recipe;
mod shifted_laplace;
mod tetra;
mod toeplitz;
mod williams;

pub use crate::random::Random;
pub use catalogue::{Parameter, Problem, list};
pub use convection_diffusion::{convection_diffusion2d, convection_diffusion3d};
pub use poisson::{Stencil, anisotropic2d, anisotropic3d, poisson1d, poisson2d, poisson3d};
pub use random_spd::random_spd;
pub use recipe::{Recipe, parse};
pub use shifted_laplace::{shifted_laplace2d, shifted_laplace3d};
pub use tetra::{Order, tetra};
pub use toeplitz::toeplitz;
pub use williams::{williams, williams_names};

use crate::error::{Error, Result};
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

/// Builds the problem a URI names.
pub fn build(uri: &str) -> Result<Built> {
    parse(uri)?.build()
}

/// A size parameter that must be at least 1.
fn check_positive(name: &'static str, value: usize) -> Result<()> {
    if value >= 1 {
        return Ok(());
    }
    Err(Error::InvalidParameter { name, value: value.to_string(), expected: "an integer of at least 1" })
}

/// A real parameter that must satisfy a condition; `holds` is evaluated by the caller.
fn check_real(name: &'static str, value: f64, holds: bool, expected: &'static str) -> Result<()> {
    if holds && value.is_finite() {
        return Ok(());
    }
    Err(Error::InvalidParameter { name, value: value.to_string(), expected })
}
