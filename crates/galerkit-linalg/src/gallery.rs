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

mod arguments;
mod built;
mod catalogue;
mod check;
mod convection_diffusion;
mod grid;
mod poisson;
mod random_spd;
mod recipe;
mod shifted_laplace;
mod stencils;
mod tetra;
mod toeplitz;
mod williams;

pub use crate::random::Random;
pub use arguments::Parameter;
pub use built::{Built, OnGrid};
pub use catalogue::{Problem, list};
pub use convection_diffusion::{convection_diffusion2d, convection_diffusion3d};
pub use grid::{GridMatrix, Point};
pub use poisson::{Stencil, anisotropic2d, anisotropic3d, poisson1d, poisson2d, poisson3d};
pub use random_spd::random_spd;
pub use recipe::{Recipe, parse};
pub use shifted_laplace::{shifted_laplace2d, shifted_laplace3d};
pub use tetra::{Order, tetra};
pub use toeplitz::toeplitz;
pub use williams::{williams, williams_names};

use crate::error::Result;

/// Builds the problem a URI names.
pub fn build(uri: &str) -> Result<Built> {
    parse(uri)?.build()
}
