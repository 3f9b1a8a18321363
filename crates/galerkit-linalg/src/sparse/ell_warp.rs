//! ELL-WARP: rows sorted by length, longest first, and cut into groups of W that one warp works on; each group is as
//! wide as its longest row, so padding is at most (W-1) M slots whatever the matrix (M: longest row). K2 shares rows
//! longer than a threshold T among lanes. The r forms renumber columns, x and y in the sorted order, the s forms then
//! sort each row by the new columns. Wong, Kuhl, Darve, "A new sparse matrix vector multiplication GPU algorithm
//! designed for finite element problems", 2015; corrected as the spec says.
//!
//! ```text
//! [ 1 -2  0  0 ]    W = 2         order  2 0 1 3     (row at each sorted position)     . is padding
//! [ 0  3  1  0 ]                  len    3 2 2 2     (by sorted position)
//! [ 2  0 -5  1 ]    K1            warp_offset 0 6 10    max_rows 3 2
//! [ 0  2  0  4 ]                  val  2 1 | -5 -2 | 1 . || 3 2 | 1 4
//!                                 col  0 0 |  2  1 | 3 . || 1 1 | 2 3
//!                   K1r           col  1 1 |  0  2 | 3 . || 2 2 | 0 3      (val as K1)
//!                   K1rs          val -5 1 |  2 -2 | 1 . || 1 2 | 3 4
//!                                 col  0 1 |  1  2 | 3 . || 0 2 | 2 3
//!                   K2, T = 2     warp_offset 0 4 6 10  max_rows 2 1 2     row_start 0 1 2   reduction 2 2 1
//!                                 val  2 -5 | 1 . || 1 -2 || 3 2 | 1 4
//! ```

mod convert;
mod layout;

pub(super) use layout::Layout;

use crate::scalar::Scalar;
use crate::sparse::{Permutation, Variant};

/// A sparse matrix for one warp a group of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct EllWarp<S> {
    cols: usize,
    nnz: usize,
    variant: Variant,
    threshold: usize,
    order: Permutation,
    layout: Box<Layout>, // boxed: the largest format decides the size of `Matrix`
    len: Vec<u32>,
    col: Vec<u32>,
    val: Vec<S>,
}

impl<S: Scalar> EllWarp<S> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.len.len()
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries, without padding.
    pub fn nnz(&self) -> usize {
        self.nnz
    }
    /// Which of the six.
    pub fn variant(&self) -> Variant {
        self.variant
    }
    /// Lanes of a warp, W.
    pub fn warp(&self) -> usize {
        self.layout.warp
    }
    /// Most entries one lane should process, T; without meaning for K1 and its kin.
    pub fn threshold(&self) -> usize {
        self.threshold
    }
    /// Number of warps.
    pub fn warps(&self) -> usize {
        self.layout.max_rows.len()
    }
    /// P: the original row at each sorted position. K1 and K2 write y through it.
    pub fn row_order(&self) -> &Permutation {
        &self.order
    }
    /// The order in which x and y must be given, for the r forms; none when they keep the original numbering.
    pub fn order(&self) -> Option<&Permutation> {
        self.variant.renumbers().then_some(&self.order)
    }
    /// First slot of each warp; one more than there are warps.
    pub fn warp_offset(&self) -> &[u64] {
        &self.layout.warp_offset
    }
    /// Entries of the busiest lane of each warp.
    pub fn max_rows(&self) -> &[u32] {
        &self.layout.max_rows
    }
    /// First row of each warp, as a sorted position; in K1 every W-th.
    pub fn row_start(&self) -> &[u32] {
        &self.layout.row_start
    }
    /// Lanes that share a row, t, of each warp; in K1 always 1.
    pub fn reduction(&self) -> &[u32] {
        &self.layout.reduction
    }
    /// Entries of the row at each sorted position.
    pub fn len(&self) -> &[u32] {
        &self.len
    }
    /// Column of each slot, in the numbering of x.
    pub fn col(&self) -> &[u32] {
        &self.col
    }
    /// Moves the values out; everything else stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    /// Value of each slot.
    pub fn val(&self) -> &[S] {
        &self.val
    }
    /// Value/column pairs, padding included.
    pub fn slots(&self) -> usize {
        self.col.len()
    }
    /// Bytes of the arrays that a product reads.
    pub fn bytes(&self) -> usize {
        let warps = size_of_val(self.warp_offset()) + size_of_val(self.max_rows());
        let split = if self.variant.splits() { 8 * self.warps() } else { 0 };
        let order = if self.variant.renumbers() { 0 } else { 4 * self.rows() };
        warps + split + order + size_of_val(&self.len[..]) + size_of_val(&self.col[..]) + self.slots() * size_of::<S>()
    }
}
