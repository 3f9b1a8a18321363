//! Linear maps on the GPU: the arrays of each format in device memory and the CUDA text that multiplies with them.
//! A [`Layout`] holds the arrays as kernels want them, still on the host; uploading it makes a [`Map`].
//!
//! | format | text | protocol |
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
mod csr;
mod diagonal;
mod diagonals;
mod ell;
#[cfg(test)]
mod emulate;
mod hyb;
mod layout;
mod merge;
mod open;
mod short;
mod sliced;
pub mod triangular;
mod tuning;

pub use layout::Layout;
pub use tuning::Tuning;

use crate::error::Result;
use crate::factor::Computed;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{Diagonal, Grid, LinearMap};
use galerkit_linalg::precond::{BlockDiagonal, Factors, Ssor};
use galerkit_linalg::program::Role;
use galerkit_linalg::sparse::Matrix;
use std::sync::Arc;

/// The most blocks that a launch with a [`Protocol::Split`] map may have: its carries have room for so many.
pub const MAX_BLOCKS: usize = 4096;

/// Which functions the text of a map offers to generated kernels. `Map` is its struct, all members 8 bytes wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// `template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row)`: calls `row(i)(sum)` once
    /// for every row i, from whichever thread has the sum. `row(i)` loads what else the row needs and may be called before the sum
    /// is there. Called by all threads of the launch. Can head a group.
    Rows,
    /// `__device__ Scalar entry(const Map &A, Offset i)`: what entry i of x is multiplied by.
    Entry,
    /// `template <class Write, class Add> __device__ void product(const Map &A, const Scalar *x, Write write, Add add)`:
    /// as `Rows`, but the sum of a row may come in parts: `write(i, sum)` once for every row, then, from
    /// `template <class Add> __device__ void finish(const Map &A, Add add)`, which the last block to arrive calls with
    /// all its threads, `add(i, rest)`, at most once a row. At most [`MAX_BLOCKS`] blocks.
    Split,
    /// `template <int PASS> __device__ void apply(const Map &A, const Scalar *x, Scalar *y)`: y = A x in so many
    /// launches, one for each PASS from 0, each with no more blocks than fit the GPU at once, so that blocks may wait
    /// for blocks of a lower number.
    Passes(usize),
    /// None: the map has no kernel source, and its products are computed by the host.
    Host,
}

/// A linear map in device memory.
pub struct Map {
    /// How products with it are called.
    pub protocol: Protocol,
    /// CUDA text that defines `struct Map` and the functions of the protocol; it is put into a namespace of its own.
    /// It must not depend on the size of the matrix, or every matrix would be compiled for.
    pub source: String,
    /// The members of `struct Map`.
    pub words: Vec<u64>,
    /// Rows and columns.
    pub shape: (usize, usize),
    /// Bytes that one product must read of the map itself.
    pub bytes: usize,
    /// Threads a row, for launch shapes: 1 unless several lanes share a row.
    pub lanes: usize,
    /// How many blocks its kernels are launched with.
    pub grid: Grid,
    /// The arrays that the words point to.
    pub buffers: Vec<Buffer>,
    /// The values, which words point to as well, until an executor makes a vector of them.
    pub values: Option<Buffer>,
}

impl Map {
    /// Brings a linear map onto the GPU. What `tuning` leaves open follows the rules named there.
    pub fn load<S: Scalar>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>, tuning: &Tuning) -> Result<Map> {
        if let Some(A) = map.known::<Matrix<S>>() {
            Layout::of_matrix(A, tuning)?.upload(gpu)
        } else if let Some(d) = map.known::<Diagonal<S>>() {
            Layout::of_diagonal(d.values()).upload(gpu)
        } else if let Some(B) = map.known::<BlockDiagonal<S>>() {
            block_diagonal::load(gpu, B)
        } else if let Some(M) = map.known::<Ssor<S>>() {
            triangular::load_ssor(gpu, M)
        } else if let Some(M) = map.known::<Factors<S>>() {
            triangular::load_factors(gpu, M)
        } else if let Some(M) = map.known::<Computed<S>>() {
            triangular::load_computed(gpu, M)
        } else {
            open::load(gpu, map)
        }
    }

    /// How products with this map fuse.
    pub fn role(&self) -> Role {
        match self.protocol {
            Protocol::Rows => Role::Head,
            Protocol::Entry => Role::Elementwise,
            Protocol::Split | Protocol::Passes(_) | Protocol::Host => Role::Alone,
        }
    }
}
