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
use crate::backend::Placed;
use crate::scalar::{Scalar, ScalarKind};
use crate::sparse::{Csr, Matrix, Sell};
use std::sync::OnceLock;
use std::time::Instant;

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
    /// Triples that are not sorted by row are compressed first: their values are then in that order.
    Compressed(Csr<S>),
}

impl<S: Scalar> PreparedMatrix<S> {
    /// Prepares a matrix, and takes its values.
    pub fn new(A: &mut Matrix<S>) -> Placed<Self, S> {
        let mut beside = match &*A {
            Matrix::Sell(A) => {
                let by_gathers = S::KIND == ScalarKind::F64 && A.height() == 8 && gathers_are_faster();
                Beside::Sell(sell::PreparedSell::new(A, by_gathers))
            }
            Matrix::Coo(A) if !A.row().is_sorted() => Beside::Compressed(A.to_csr().0),
            _ => Beside::Nothing,
        };
        let (sorted, within_blocks) = match &*A {
            Matrix::Sell(A) => (A.row_order(), BLOCK.is_multiple_of(A.sigma())),
            Matrix::EllWarp(A) if A.order().is_none() => (Some(A.row_order()), false),
            _ => (None, false),
        };
        let scatter = sorted.map(|order| Scatter { position: order.new_position().to_vec(), within_blocks });
        let values = match &mut beside {
            Beside::Compressed(A) => A.take_val(),
            _ => A.take_val(),
        };
        Placed { map: Self { scatter, beside }, values }
    }

    /// Where each row of y stands in the order of storage, for formats that sort rows across blocks.
    pub fn scatter(&self) -> Option<&[u32]> {
        self.scatter.as_ref().filter(|scatter| !scatter.within_blocks).map(|scatter| &scatter.position[..])
    }

    /// How many values there are.
    fn slots(&self, A: &Matrix<S>) -> usize {
        if let Beside::Compressed(A) = &self.beside { A.nnz() } else { A.slots() }
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

    /// Rows `first..` of A x, as many as y is long, at most a block; in the order of storage if rows leave their
    /// blocks.
    pub fn block_product(&self, (A, val): (&Matrix<S>, &[S]), first: usize, x: &[S], y: &mut [S]) {
        match &self.scatter {
            Some(scatter) if scatter.within_blocks => {
                let mut sorted = [S::zero(); BLOCK];
                self.storage_product((A, val), first, x, &mut sorted[..y.len()]);
                let position = &scatter.position[first..first + y.len()];
                y.iter_mut().zip(position).for_each(|(y, &p)| *y = sorted[p as usize - first]);
            }
            _ => self.storage_product((A, val), first, x, y),
        }
    }

    /// Rows `first..` of A x in the order of storage.
    #[allow(unsafe_code)]
    fn storage_product(&self, (A, val): (&Matrix<S>, &[S]), first: usize, x: &[S], y: &mut [S]) {
        assert_eq!(x.len(), A.cols(), "x must be as long as A is wide");
        assert_eq!(val.len(), self.slots(A), "there must be a value for each slot");
        let dense = x;
        // SAFETY: x is as long as A is wide, and all kernels below ask only for columns of A.
        let x = unsafe { Gather::new(x) };
        match (A, &self.beside) {
            (_, Beside::Compressed(A)) | (Matrix::Csr(A), _) => simd::run(csr::CsrRows { A, val, first, x, y }),
            (Matrix::Coo(A), _) => {
                y.fill(S::zero());
                simd::run(coo::CooRows { A, val, first, x, y });
            }
            (Matrix::Bsr(A), _) => simd::run(bsr::BsrRows { A, val, first, x: dense, y }),
            (Matrix::Ell(A), _) => simd::run(ell::EllRows { A, val, first, x, y }),
            (Matrix::EllR(A), _) => simd::run(ell::EllRows { A: A.ell(), val, first, x, y }),
            (Matrix::Hyb(A), _) => {
                let (ell, rest) = val.split_at(A.ell().slots());
                simd::run(ell::EllRows { A: A.ell(), val: ell, first, x, y });
                simd::run(coo::CooRows { A: A.coo(), val: rest, first, x, y });
            }
            (Matrix::Sell(A), Beside::Sell(prepared)) => prepared.block_product((A, val), first, x, y),
            (Matrix::EllWarp(A), _) => simd::run(ell_warp::EllWarpRows { A, val, first, x, y }),
            (Matrix::Sell(_), _) => unreachable!("a sliced matrix is always prepared"),
        }
    }
}

/// Whether gathers of sliced ELL by instruction are faster than loads one by one on this machine. On Intel's from
/// Skylake to Ice Lake microcode against Downfall (2023) makes them several times as slow: 23 ms for what takes 14
/// without (27 points on 100^3, two cores of a Cascade Lake). A small product in cache finds out, once; its bits are
/// the same.
fn gathers_are_faster() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| has_gathers() && seconds_of_small_product(true) <= seconds_of_small_product(false))
}

fn has_gathers() -> bool {
    #[cfg(target_arch = "x86_64")]
    return sell_avx512::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// The least of several times.
fn seconds_of_small_product(by_gathers: bool) -> f64 {
    const ROWS: usize = 256;
    const ENTRIES: usize = 32;
    let row = |i: usize| (i..i + ENTRIES).map(|j| (2 * j, 1.0)); // no two columns follow each other
    let A: Csr<f64> = Csr::collect_rows(2 * (ROWS + ENTRIES), ROWS * ENTRIES, (0..ROWS).map(row));
    let (x, mut y) = (vec![1.0; A.cols()], vec![0.0; ROWS]);
    let Ok(A) = Sell::from_csr(&A, 8, 1) else { return 0.0 };
    let prepared = PreparedMatrix { scatter: None, beside: Beside::Sell(sell::PreparedSell::new(&A, by_gathers)) };
    let (val, A) = (A.val().to_vec(), Matrix::Sell(A));
    let once = |_| {
        let began = Instant::now();
        prepared.block_product((&A, &val), 0, &x, &mut y);
        began.elapsed().as_secs_f64()
    };
    (0..9).map(once).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathers_are_timed_once() {
        assert!(seconds_of_small_product(false) > 0.0 && seconds_of_small_product(true) > 0.0);
        assert_eq!(gathers_are_faster(), gathers_are_faster());
        assert!(has_gathers() || !gathers_are_faster());
    }
}
