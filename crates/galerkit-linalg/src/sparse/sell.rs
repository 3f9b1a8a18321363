//! Sliced ELL, SELL-C-sigma: slices of C rows, each padded to its own longest row; rows are first sorted by length
//! inside windows of sigma rows, and y is written through that order (columns are not renumbered, x stays as it is).
//! Entry e of lane l of slice s sits at `slice_start[s] + e * C + l`; padding is value 0 in column 0.
//! Kreutzer, Hager, Wellein, Fehske, Bishop, "A unified sparse matrix data format ...", SIAM J. Sci. Comput. 36, 2014.
//!
//! ```text
//! [ 1 -2  0  0 ]    C = 2, sigma = 4             order  2 0 1 3     (row at each position)
//! [ 0  3  1  0 ]    slice_start  0 6 10          len    3 2 2 2     (by position)
//! [ 2  0 -5  1 ]    val  2 1 | -5 -2 | 1 . || 3 2 | 1 4
//! [ 0  2  0  4 ]    col  0 0 |  2  1 | 3 . || 1 1 | 2 3
//! ```

use crate::error::Result;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::row_order::{longest_first, row_lengths};
use crate::sparse::{Csr, Format, Permutation, index, slots};
use std::ops::Range;

/// Rows that one thread takes at a time.
const ROWS: usize = 1 << 12;

/// A sparse matrix in slices of equal height, each with its own width.
#[derive(Clone, Debug, PartialEq)]
pub struct Sell<S> {
    rows: usize,
    cols: usize,
    nnz: usize,
    height: usize,
    sigma: usize,
    order: Option<Permutation>,
    slice_start: Vec<u64>,
    len: Vec<u32>,
    col: Vec<u32>,
    val: Vec<S>,
}

/// Slices of `height` rows whose lengths are given by position: where each begins. Saturates instead of wrapping.
pub(super) fn slice_starts(len: impl Iterator<Item = u32>, rows: usize, height: usize) -> Vec<u64> {
    let mut width = vec![0u64; rows.div_ceil(height)];
    for (p, l) in len.enumerate() {
        let slice = &mut width[p / height];
        *slice = (*slice).max(l as u64);
    }
    let mut end = 0u64;
    let ends = width.iter().map(|&w| {
        end = end.saturating_add(w.saturating_mul(height as u64));
        end
    });
    std::iter::once(0).chain(ends).collect()
}

/// Writes the rows of all slices, whose starts are given, to their slots.
fn fill<S: Scalar>(
    A: &Csr<S>,
    row_at: &(dyn Fn(usize) -> usize + Sync),
    (starts, height): (&[u64], usize),
    (mut col, mut val): (&mut [u32], &mut [S]),
) {
    let (slices, together) = (starts.len() - 1, (ROWS / height).max(1));
    let mut pieces = Vec::with_capacity(slices.div_ceil(together));
    for first in (0..slices).step_by(together) {
        let end = slices.min(first + together);
        let count = (starts[end] - starts[first]) as usize;
        let (own_col, own_val);
        (own_col, col) = col.split_at_mut(count);
        (own_val, val) = val.split_at_mut(count);
        pieces.push((first..end, own_col, own_val));
    }
    parallel::each_piece(pieces, &|(slices, col, val): (Range<usize>, &mut [u32], &mut [S])| {
        let begin = starts[slices.start];
        for s in slices {
            for p in s * height..((s + 1) * height).min(A.rows()) {
                let slot = (starts[s] - begin) as usize + p % height;
                for (e, (j, a)) in A.row(row_at(p)).enumerate() {
                    (col[slot + e * height], val[slot + e * height]) = (j as u32, a);
                }
            }
        }
    });
}

impl<S: Scalar> Sell<S> {
    /// Cuts into slices of `height` rows after sorting windows of `sigma` rows by length; `sigma` = 1 sorts nothing.
    pub fn from_csr(A: &Csr<S>, height: usize, sigma: usize) -> Result<Self> {
        Format::Sell { height, sigma }.check()?;
        let rows = A.rows();
        let row_length = row_lengths(A);
        let order = (sigma > 1).then(|| Permutation::from_old(longest_first(&row_length, sigma))).transpose()?;
        let row_at = |p: usize| order.as_ref().map_or(p, |order| order.old()[p] as usize);

        let lanes = index::slots("the number of SELL lanes", rows.div_ceil(height), height)?;
        let mut len = slots::zeroed("the length array of SELL", lanes)?;
        (0..rows).for_each(|p| len[p] = row_length[row_at(p)]);
        let slice_start = slice_starts(len[..rows].iter().copied(), rows, height);
        let count = usize::try_from(slice_start[slice_start.len() - 1]).unwrap_or(usize::MAX);
        let count = index::slots("the number of SELL slots", count, 1)?;

        let mut col = slots::zeroed("the column array of SELL", count)?;
        let mut val = slots::zeroed("the value array of SELL", count)?;
        fill(A, &row_at, (&slice_start, height), (&mut col, &mut val));
        Ok(Self { rows, cols: A.cols(), nnz: A.nnz(), height, sigma, order, slice_start, len, col, val })
    }

    /// The same in single precision: what is stored where stays.
    pub fn to_single(&self) -> Sell<S::Single> {
        let &Self { rows, cols, nnz, height, sigma, .. } = self;
        let (order, slice_start, len) = (self.order.clone(), self.slice_start.clone(), self.len.clone());
        // Copied on threads, because memory that is new to the process is slow to write first.
        let col = parallel::collect(self.col.len(), &|k| self.col[k]);
        let val = parallel::collect(self.val.len(), &|k| self.val[k].to_single());
        Sell { rows, cols, nnz, height, sigma, order, slice_start, len, col, val }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries, without padding.
    pub fn nnz(&self) -> usize {
        self.nnz
    }
    /// Rows of a slice, C.
    pub fn height(&self) -> usize {
        self.height
    }
    /// Rows of a sorting window.
    pub fn sigma(&self) -> usize {
        self.sigma
    }
    /// Number of slices; the last may have lanes without a row.
    pub fn slices(&self) -> usize {
        self.slice_start.len() - 1
    }
    /// Entries the rows of slice `s` are padded to.
    pub fn width(&self, s: usize) -> usize {
        (self.slice_start[s + 1] - self.slice_start[s]) as usize / self.height
    }
    /// The row stored at each position, where y is written; none when nothing was sorted.
    pub fn row_order(&self) -> Option<&Permutation> {
        self.order.as_ref()
    }
    /// The row stored at position `p`.
    pub fn row_at(&self, p: usize) -> usize {
        self.order.as_ref().map_or(p, |order| order.old()[p] as usize)
    }
    /// First slot of each slice; one more than there are slices.
    pub fn slice_start(&self) -> &[u64] {
        &self.slice_start
    }
    /// Entries of the row at each position, slices times height long: 0 for lanes beyond the last row.
    pub fn len(&self) -> &[u32] {
        &self.len
    }
    /// Column of each slot.
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
    /// Value/column pairs, padding included: height times the sum of the widths.
    pub fn slots(&self) -> usize {
        self.col.len()
    }
    /// Bytes of the arrays; of a permutation only the half that a product reads.
    pub fn bytes(&self) -> usize {
        let order = self.order.as_ref().map_or(0, |order| size_of_val(order.old()));
        let arrays = size_of_val(&self.col[..]) + self.slots() * size_of::<S>();
        order + size_of_val(&self.slice_start[..]) + size_of_val(&self.len[..]) + arrays
    }
    /// Slot of entry `e` of the row at position `p`.
    pub fn slot(&self, p: usize, e: usize) -> usize {
        self.slice_start[p / self.height] as usize + e * self.height + p % self.height
    }

    /// The same matrix in compressed rows.
    pub fn to_csr(&self) -> Csr<S> {
        let row = |p: usize| (0..self.len[p] as usize).map(move |e| self.slot(p, e));
        let entry = |slot: usize| (self.col[slot] as usize, self.val[slot]);
        let rows = (0..self.rows).map(|i| row(self.position_of(i)).map(entry));
        Csr::collect_rows(self.cols, self.nnz, rows)
    }

    fn position_of(&self, i: usize) -> usize {
        self.order.as_ref().map_or(i, |order| order.new_position()[i] as usize)
    }

    /// The slot of every entry of the CSR pattern this matrix was built from.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        slots::slot_of(&self.to_csr(), pattern, |i, e| self.slot(self.position_of(i), e))
    }
    /// New values for the same pattern, through the map of [`slot_of`](Self::slot_of).
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        slots::scatter(&mut self.val, slot_of, values)
    }
}
