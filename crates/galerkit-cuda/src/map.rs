//! Linear maps on the GPU: the arrays of each format in device memory and the CUDA text that multiplies with them.
//! A [`Layout`] holds the arrays as kernels want them, still on the host; uploading it makes a [`Map`].
//!
//! | format | text | interface |
//! |---|---|---|
//! | CSR | `csr.cu`; `csr_balanced.cu` for very uneven rows | rows; split |
//! | SELL, K1, K1r, K1rs | `sell.cu`; `sell_short.cu` for short rows of one length; `diagonals.cu` for few diagonals | rows |
//! | K2, K2r, K2rs | `ell_warp.cu` | rows |
//! | ELL, ELL-R | `ell.cu` | rows |
//! | BSR | `bsr.cu` | rows |
//! | COO, HYB | `coo.cu`, `hyb.cu` | split |
//! | a diagonal | `diagonal.cu` | entry |
//! | SSOR, incomplete factors | `triangular.cu` after `ssor.cu`, `ilu.cu` or `ic.cu` | 2 passes |

mod aligned;
pub mod block_diagonal;
mod bsr;
mod columns;
pub(crate) mod converted;
mod coo;
pub(crate) mod csr;
mod diagonal;
pub(crate) mod diagonals;
mod ell;
mod hyb;
mod interface;
mod layout;
mod loaded;
pub(crate) mod made;
mod matrix;
#[cfg(test)]
mod matrix_tests;
mod merge;
mod open;
pub(crate) mod short;
mod sliced;
pub mod triangular;
mod tuning;

pub use interface::{Interface, MAX_BLOCKS};
pub use layout::Layout;
pub use loaded::Map;
pub use tuning::Tuning;

use crate::convert::{DiagonalOnDevice, OnDevice};
use crate::error::Result;
use crate::factor::{Computed, Rounded};
use crate::launch::Gpu;
use galerkit_linalg::map::{Diagonal, LinearMap};
use galerkit_linalg::precond::{BlockDiagonal, Factors, Ssor};
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

impl Map {
    /// Brings a linear map onto the GPU. What `tuning` leaves open follows the rules named there.
    pub fn load<S: Scalar>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>, tuning: &Tuning) -> Result<Map> {
        load(gpu, map, tuning)
    }
}

per_scalar! {
    fn load<S>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>, tuning: &Tuning) -> Result<Map> = load_known;
}

fn load_known<S: Scalar>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>, tuning: &Tuning) -> Result<Map> {
    if let Some(A) = map.known::<Matrix<S>>() {
        Layout::of_matrix(A, tuning)?.upload(gpu)
    } else if let Some(d) = map.known::<Diagonal<S>>() {
        Layout::of_diagonal(d.values()).upload(gpu)
    } else if let Some(B) = map.known::<BlockDiagonal<S>>() {
        block_diagonal::load(gpu, B)
    } else if let Some(M) = map.known::<Ssor<S>>() {
        triangular::load_ssor(gpu, M, tuning)
    } else if let Some(M) = map.known::<Factors<S>>() {
        triangular::load_factors(gpu, M, tuning)
    } else if let Some(M) = map.known::<Computed<S>>() {
        triangular::load_computed(gpu, M, tuning)
    } else if let Some(M) = map.known::<Rounded<S>>() {
        triangular::load_rounded(gpu, M, tuning)
    } else if let Some(A) = map.known::<OnDevice<S>>() {
        A.load(gpu, tuning)
    } else if let Some(d) = map.known::<DiagonalOnDevice<S>>() {
        d.load(gpu)
    } else {
        open::load(gpu, map)
    }
}
