//! Sparse formats: one file each, every one with a drawing of its storage for one small matrix.
//! All of them convert from and to [`Csr`], the common ground; [`Format`] names one with its parameters.
//!
//! | format | for | slots |
//! |---|---|---|
//! | [`Coo`] | collecting entries | nnz |
//! | [`Csr`] | everything; the common ground | nnz |
//! | [`Bsr`] | several unknowns per node | blocks times b^2 |
//! | [`Ell`], [`EllR`] | rows of equal length | rows times the longest |
//! | [`Sell`] | most matrices on SIMD machines | C times the sum of the slices' widths |
//! | [`Hyb`] | a few very long rows | ELL part and overflow |
//! | [`EllWarp`] | finite elements on a GPU; K2 for long rows | at most nnz + (W-1) times the longest (K1) |

pub(crate) mod accumulator;
mod any;
mod bsr;
pub(crate) mod build;
pub(crate) mod by_column;
mod colouring;
mod coo;
mod csr;
mod ell;
mod ell_r;
mod ell_warp;
mod format;
mod graph;
mod hyb;
pub mod index;
mod levels;
mod locality;
mod matching;
pub mod memory;
mod mirror;
mod pattern;
mod permutation;
mod permute;
pub(crate) mod pieces;
mod product;
mod rcm;
mod row_order;
mod sell;
mod slots;
mod spmv;
pub mod statistics;
mod symmetry;
mod transpose;

pub use any::AnyCsr;
pub use bsr::Bsr;
pub use colouring::{Colouring, colouring};
pub use coo::Coo;
pub use csr::Csr;
pub use ell::Ell;
pub use ell_r::EllR;
pub use ell_warp::EllWarp;
pub use format::{Format, Variant};
pub use hyb::Hyb;
pub use levels::Levels;
pub use locality::{Advice, Locality, Verdict, locality, locality_in, may_gain, pattern_locality, reordering_pays};
pub use matching::{Matching, matching};
pub use pattern::Pattern;
pub use permutation::Permutation;
pub use rcm::{bandwidth, reverse_cuthill_mckee};
pub use sell::Sell;
pub use spmv::spmv;
pub use statistics::RowLengths;
pub use symmetry::{DefinitenessHints, Symmetry, definiteness_hints, symmetry};

use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};

/// A matrix stored in one of the formats.
#[derive(Clone, Debug, PartialEq)]
pub enum Matrix<S: Scalar> {
    /// Triples.
    Coo(Coo<S>),
    /// Compressed rows.
    Csr(Csr<S>),
    /// Dense blocks in compressed rows.
    Bsr(Bsr<S>),
    /// Rows padded to the longest.
    Ell(Ell<S>),
    /// ELL read by row lengths.
    EllR(EllR<S>),
    /// Slices, each with its own width.
    Sell(Sell<S>),
    /// ELL and the overflow of long rows.
    Hyb(Hyb<S>),
    /// Rows sorted by length, in groups of a warp.
    EllWarp(EllWarp<S>),
}

/// The same expression for whichever format is stored.
macro_rules! each {
    ($matrix:expr, $A:ident => $value:expr) => {
        match $matrix {
            Matrix::Coo($A) => $value,
            Matrix::Csr($A) => $value,
            Matrix::Bsr($A) => $value,
            Matrix::Ell($A) => $value,
            Matrix::EllR($A) => $value,
            Matrix::Sell($A) => $value,
            Matrix::Hyb($A) => $value,
            Matrix::EllWarp($A) => $value,
        }
    };
}

per_scalar! {
    fn from_csr<S>(A: &Csr<S>, format: Format) -> Result<Matrix<S>> = Matrix::stored;
    fn to_csr<S>(A: &Matrix<S>) -> Csr<S> = Matrix::in_rows;
}

impl<S: Scalar> Matrix<S> {
    /// Stores a matrix in the given format.
    pub fn from_csr(A: &Csr<S>, format: Format) -> Result<Self> {
        from_csr(A, format)
    }

    fn stored(A: &Csr<S>, format: Format) -> Result<Self> {
        Ok(match format {
            Format::Coo => Matrix::Coo(A.to_coo()),
            Format::Csr => Matrix::Csr(A.clone()),
            Format::Bsr { block } => Matrix::Bsr(Bsr::from_csr(A, block)?),
            Format::Ell => Matrix::Ell(Ell::from_csr(A)?),
            Format::EllR => Matrix::EllR(EllR::from_csr(A)?),
            Format::Sell { height, sigma } => Matrix::Sell(Sell::from_csr(A, height, sigma)?),
            Format::Hyb { width } => Matrix::Hyb(Hyb::from_csr(A, width)?),
            Format::EllWarp { variant, warp, threshold } => {
                Matrix::EllWarp(EllWarp::from_csr(A, variant, warp, threshold)?)
            }
        })
    }

    /// The same matrix in compressed rows and the original numbering, explicit zeros included. Triples are sorted and
    /// duplicates summed.
    pub fn to_csr(&self) -> Csr<S> {
        to_csr(self)
    }

    fn in_rows(&self) -> Csr<S> {
        match self {
            Matrix::Coo(A) => A.to_csr().0,
            Matrix::Csr(A) => A.clone(),
            Matrix::Bsr(A) => A.to_csr(),
            Matrix::Ell(A) => A.to_csr(),
            Matrix::EllR(A) => A.to_csr(),
            Matrix::Sell(A) => A.to_csr(),
            Matrix::Hyb(A) => A.to_csr(),
            Matrix::EllWarp(A) => A.to_csr(),
        }
    }

    /// Format and parameters; a HYB width that was left to the rule is named.
    pub fn format(&self) -> Format {
        match self {
            Matrix::Coo(_) => Format::Coo,
            Matrix::Csr(_) => Format::Csr,
            Matrix::Bsr(A) => Format::Bsr { block: A.block() },
            Matrix::Ell(_) => Format::Ell,
            Matrix::EllR(_) => Format::EllR,
            Matrix::Sell(A) => Format::Sell { height: A.height(), sigma: A.sigma() },
            Matrix::Hyb(A) => Format::Hyb { width: Some(A.width()) },
            Matrix::EllWarp(A) => Format::EllWarp { variant: A.variant(), warp: A.warp(), threshold: A.threshold() },
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        each!(self, A => A.rows())
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        each!(self, A => A.cols())
    }
    /// Stored entries, without padding.
    pub fn nnz(&self) -> usize {
        each!(self, A => A.nnz())
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        each!(self, A => A.bytes())
    }
    /// Stored values, padding included.
    pub fn slots(&self) -> usize {
        match self {
            Matrix::Coo(A) => A.nnz(),
            Matrix::Csr(A) => A.nnz(),
            Matrix::Bsr(A) => A.slots(),
            Matrix::Ell(A) => A.slots(),
            Matrix::EllR(A) => A.slots(),
            Matrix::Sell(A) => A.slots(),
            Matrix::Hyb(A) => A.slots(),
            Matrix::EllWarp(A) => A.slots(),
        }
    }
    /// The order in which the product expects x and leaves y, `x'[s] = x[old(s)]`; none for the original numbering.
    pub fn order(&self) -> Option<&Permutation> {
        match self {
            Matrix::EllWarp(A) => A.order(),
            _ => None,
        }
    }

    /// All values, in the order of slots, padding included.
    pub fn into_values(mut self) -> Vec<S> {
        self.take_val()
    }
    /// Moves the values out, in the order of slots: the pattern stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        each!(self, A => A.take_val())
    }

    /// The slot of every entry of the CSR pattern this matrix was built from: computed once, used by every
    /// [`refill`](Self::refill).
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        match self {
            Matrix::Coo(A) => A.slot_of(pattern),
            Matrix::Csr(A) => slots::slot_of(A, pattern, |i, e| A.range(i).start + e),
            Matrix::Bsr(A) => A.slot_of(pattern),
            Matrix::Ell(A) => A.slot_of(pattern),
            Matrix::EllR(A) => A.slot_of(pattern),
            Matrix::Sell(A) => A.slot_of(pattern),
            Matrix::Hyb(A) => A.slot_of(pattern),
            Matrix::EllWarp(A) => A.slot_of(pattern),
        }
    }
    /// New values for the same pattern, `val[slot_of[k]] = values[k]`; padding stays zero.
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        match self {
            Matrix::Coo(A) => slots::scatter(A.val_mut(), slot_of, values),
            Matrix::Csr(A) => slots::scatter(A.val_mut(), slot_of, values),
            Matrix::Bsr(A) => A.refill(slot_of, values),
            Matrix::Ell(A) => A.refill(slot_of, values),
            Matrix::EllR(A) => A.refill(slot_of, values),
            Matrix::Sell(A) => A.refill(slot_of, values),
            Matrix::Hyb(A) => A.refill(slot_of, values),
            Matrix::EllWarp(A) => A.refill(slot_of, values),
        }
    }
}
