//! Sparse products: one kernel for each format, each computing a block of consecutive rows in the order of storage.
//! Formats that sort their rows leave a vector in sorted order, which [`PreparedMatrix::scatter`] undoes.

mod bsr;
mod coo;
mod csr;
mod ell;
mod ell_warp;
mod lanes;
mod sell;
#[cfg(target_arch = "x86_64")]
mod sell_avx512;

use super::partition::BLOCK;
use super::simd::{self, Gather};
use crate::scalar::Scalar;
use crate::sparse::{Csr, Matrix};

/// What a kernel needs beside the matrix itself.
pub struct PreparedMatrix<S> {
    scatter: Option<Scatter>,
    beside: Beside<S>,
}

/// For formats that sort their rows: where each row of y stands in the order of storage.
struct Scatter {
    position: Vec<u32>,
    /// No row leaves its block, so that each block can be put in order by itself while it is in cache.
    within_blocks: bool,
}

enum Beside<S> {
    Nothing,
    Sell(sell::PreparedSell),
    /// Triples that are not sorted by row are compressed first.
    Compressed(Csr<S>),
}

impl<S: Scalar> PreparedMatrix<S> {
    /// Prepares a matrix.
    pub fn new(A: &Matrix<S>) -> Self {
        let beside = match A {
            Matrix::Sell(A) => Beside::Sell(sell::PreparedSell::new(A)),
            Matrix::Coo(A) if !A.row().is_sorted() => Beside::Compressed(A.to_csr().0),
            _ => Beside::Nothing,
        };
        let (sorted, within_blocks) = match A {
            Matrix::Sell(A) => (A.row_order(), BLOCK.is_multiple_of(A.sigma())),
            Matrix::EllWarp(A) if A.order().is_none() => (Some(A.row_order()), false),
            _ => (None, false),
        };
        let scatter = sorted.map(|order| Scatter { position: order.new_position().to_vec(), within_blocks });
        Self { scatter, beside }
    }

    /// Where each row of y stands in the order of storage, for formats that sort rows across blocks.
    pub fn scatter(&self) -> Option<&[u32]> {
        self.scatter.as_ref().filter(|scatter| !scatter.within_blocks).map(|scatter| &scatter.position[..])
    }

    /// Slots stored before row i, in the order of storage: what the partition balances.
    pub fn work(&self, A: &Matrix<S>, i: usize) -> u64 {
        match A {
            Matrix::Coo(_) if matches!(self.beside, Beside::Compressed(_)) => i as u64,
            Matrix::Coo(A) => A.row().partition_point(|&row| (row as usize) < i) as u64,
            Matrix::Csr(A) => A.start()[i],
            Matrix::Bsr(A) => A.block_start()[i.div_ceil(A.block())] * (A.block() * A.block()) as u64,
            Matrix::Ell(A) => (i * A.width()) as u64,
            Matrix::EllR(A) => (i * A.width()) as u64,
            Matrix::Sell(A) => A.slice_start()[i.div_ceil(A.height())],
            Matrix::Hyb(A) => {
                let rest = A.coo().row().partition_point(|&row| (row as usize) < i);
                (i * A.width() + rest) as u64
            }
            Matrix::EllWarp(A) => A.warp_offset()[A.row_start().partition_point(|&row| (row as usize) < i)],
        }
    }

    /// Rows `first..` of A x, as many as y is long, at most a block; in the order of storage if rows leave their blocks.
    pub fn block_product(&self, A: &Matrix<S>, first: usize, x: &[S], y: &mut [S]) {
        match &self.scatter {
            Some(scatter) if scatter.within_blocks => {
                let mut sorted = [S::zero(); BLOCK];
                self.storage_product(A, first, x, &mut sorted[..y.len()]);
                let position = &scatter.position[first..first + y.len()];
                y.iter_mut().zip(position).for_each(|(y, &p)| *y = sorted[p as usize - first]);
            }
            _ => self.storage_product(A, first, x, y),
        }
    }

    /// Rows `first..` of A x in the order of storage.
    #[allow(unsafe_code)]
    fn storage_product(&self, A: &Matrix<S>, first: usize, x: &[S], y: &mut [S]) {
        assert_eq!(x.len(), A.cols(), "x must be as long as A is wide");
        let dense = x;
        // SAFETY: x is as long as A is wide, and all kernels below ask only for columns of A.
        let x = unsafe { Gather::new(x) };
        match (A, &self.beside) {
            (_, Beside::Compressed(A)) | (Matrix::Csr(A), _) => simd::run(csr::CsrRows { A, first, x, y }),
            (Matrix::Coo(A), _) => {
                y.fill(S::zero());
                simd::run(coo::CooRows { A, first, x, y });
            }
            (Matrix::Bsr(A), _) => simd::run(bsr::BsrRows { A, first, x: dense, y }),
            (Matrix::Ell(A), _) => simd::run(ell::EllRows { A, first, x, y }),
            (Matrix::EllR(A), _) => simd::run(ell::EllRows { A: A.ell(), first, x, y }),
            (Matrix::Hyb(A), _) => {
                simd::run(ell::EllRows { A: A.ell(), first, x, y });
                simd::run(coo::CooRows { A: A.coo(), first, x, y });
            }
            (Matrix::Sell(A), Beside::Sell(prepared)) => prepared.block_product(A, first, x, y),
            (Matrix::EllWarp(A), _) => simd::run(ell_warp::EllWarpRows { A, first, x, y }),
            (Matrix::Sell(_), _) => unreachable!("a sliced matrix is always prepared"),
        }
    }
}
