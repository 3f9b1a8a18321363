//! Compressed rows: the common ground of all formats. Columns ascend in each row, no duplicates.
//!
//! ```text
//! [ 1 -2  0  0 ]    start  0     2     4        7     9
//! [ 0  3  1  0 ]    col    0  1  1  2  0  2  3  1  3
//! [ 2  0 -5  1 ]    val    1 -2  3  1  2 -5  1  2  4
//! [ 0  2  0  4 ]
//! ```

use crate::error::{Error, Result, check_length};
use crate::parallel;
use crate::scalar::{Scalar, per_scalar, sum_of_squares};
use crate::sparse::by_column::sort_by_column;
use crate::sparse::index;

/// Numbers that one thread copies at a time.
const COPIED: usize = 1 << 18;
/// Entries of a row that are searched one by one.
const SHORT: usize = 64;

/// A sparse matrix in compressed rows.
#[derive(Debug, PartialEq)]
pub struct Csr<S> {
    cols: usize,
    start: Vec<u64>,
    col: Vec<u32>,
    val: Vec<S>,
}

/// Copies on threads.
impl<S: Scalar> Clone for Csr<S> {
    fn clone(&self) -> Self {
        self.with_values(&self.val)
    }
}

per_scalar! {
    fn diagonal<S>(A: &Csr<S>) -> Vec<S> = Csr::find_diagonal;
    fn require_finite<S>(A: &Csr<S>) -> Result<()> = Csr::check_finite;
    fn checked<S>(rows: usize, cols: usize, start: Vec<u64>, col: Vec<u32>, val: Vec<S>) -> Result<Csr<S>> = Csr::check;
}

impl<S: Scalar> Csr<S> {
    /// Takes the arrays after checking every rule: `start` begins at 0, never falls and ends at nnz; columns ascend
    /// strictly in each row and are below `cols`.
    pub fn new(rows: usize, cols: usize, start: Vec<u64>, col: Vec<u32>, val: Vec<S>) -> Result<Self> {
        checked(rows, cols, start, col, val)
    }

    fn check(rows: usize, cols: usize, start: Vec<u64>, col: Vec<u32>, val: Vec<S>) -> Result<Self> {
        index::check_shape(rows, cols)?;
        check_length("the array of row starts", rows + 1, start.len())?;
        check_length("the column array", val.len(), col.len())?;
        let bad = |place: String, problem: String| Err(Error::InvalidStructure { place, problem });
        if start[0] != 0 {
            return bad("row start 0".into(), format!("is {}, must be 0", start[0]));
        }
        if start[rows] != val.len() as u64 {
            return bad(format!("row start {rows}"), format!("is {}, must be nnz = {}", start[rows], val.len()));
        }
        for i in 0..rows {
            if start[i] > start[i + 1] {
                return bad(format!("row {}", i + 1), format!("starts fall from {} to {}", start[i], start[i + 1]));
            }
        }
        let row = |i: usize| &col[start[i] as usize..start[i + 1] as usize];
        let descends = |i: usize| row(i).windows(2).any(|w| w[0] >= w[1]);
        let exceeds = |i: usize| row(i).last().is_some_and(|&j| j as usize >= cols);
        let is_bad = |i: usize| descends(i) || exceeds(i);
        if !parallel::any(rows, &is_bad) {
            return Ok(Self { cols, start, col, val });
        }
        let i = (0..rows).find(|&i| is_bad(i)).unwrap_or(0);
        let problem =
            if descends(i) { "columns do not ascend strictly".into() } else { format!("a column is not below {cols}") };
        bad(format!("row {}", i + 1), problem)
    }

    /// Builds from rows of (column, value) pairs in any order; duplicates are summed in the order they come.
    /// Columns must be below `cols`. Also returns how many entries were merged away.
    pub(crate) fn from_unsorted_rows(cols: usize, start: &[u64], mut entries: Vec<(u32, S)>) -> (Self, usize) {
        let before = entries.len();
        let mut compact = vec![0u64; start.len()];
        let (mut col, mut val) = (Vec::with_capacity(before), Vec::with_capacity(before));
        for i in 0..start.len() - 1 {
            let row = &mut entries[start[i] as usize..start[i + 1] as usize];
            if row.windows(2).any(|w| w[0].0 > w[1].0) {
                sort_by_column(row);
            }
            let first = col.len();
            for &(j, v) in row.iter() {
                if col.len() > first && col[col.len() - 1] == j {
                    let last = val.len() - 1;
                    val[last] += v;
                } else {
                    col.push(j);
                    val.push(v);
                }
            }
            compact[i + 1] = col.len() as u64;
        }
        let merged = before - col.len();
        (Self { cols, start: compact, col, val }, merged)
    }

    /// Takes arrays that a conversion of this crate has built; the rules of [`Csr::new`] are checked in debug builds.
    pub(crate) fn from_parts_trusted(cols: usize, start: Vec<u64>, col: Vec<u32>, val: Vec<S>) -> Self {
        debug_assert!(Self::new(start.len() - 1, cols, start.clone(), col.clone(), val.clone()).is_ok());
        Self { cols, start, col, val }
    }

    /// Collects rows whose entries come with ascending columns; `nnz` is how many there will be in all.
    pub(crate) fn collect_rows<R>(cols: usize, nnz: usize, rows: impl Iterator<Item = R>) -> Self
    where
        R: Iterator<Item = (usize, S)>,
    {
        let (mut start, mut col, mut val) = (vec![0], Vec::with_capacity(nnz), Vec::with_capacity(nnz));
        for row in rows {
            for (j, a) in row {
                col.push(j as u32);
                val.push(a);
            }
            start.push(col.len() as u64);
        }
        Self::from_parts_trusted(cols, start, col, val)
    }

    /// The identity matrix of order `n`.
    pub fn identity(n: usize) -> Self {
        Self::from_parts_trusted(n, (0..=n as u64).collect(), (0..n as u32).collect(), vec![S::one(); n])
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.start.len() - 1
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }
    /// Stored entries, explicit zeros included.
    pub fn nnz(&self) -> usize {
        self.col.len()
    }
    /// Where each row starts; one more than there are rows.
    pub fn start(&self) -> &[u64] {
        &self.start
    }
    /// Column of each entry.
    pub fn col(&self) -> &[u32] {
        &self.col
    }
    /// Moves the values out; everything else stays.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        std::mem::take(&mut self.val)
    }
    /// Value of each entry.
    pub fn val(&self) -> &[S] {
        &self.val
    }
    /// Values, to be changed in place; the pattern stays.
    pub fn val_mut(&mut self) -> &mut [S] {
        &mut self.val
    }
    /// Row starts, columns, and values to be changed.
    pub(crate) fn parts_mut(&mut self) -> (&[u64], &[u32], &mut [S]) {
        (&self.start, &self.col, &mut self.val)
    }
    /// Where the entries of row `i` are stored.
    pub fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }
    /// Entries of row `i`.
    pub fn row_length(&self, i: usize) -> usize {
        (self.start[i + 1] - self.start[i]) as usize
    }
    /// Length of the longest row; 0 without rows.
    pub fn longest_row(&self) -> usize {
        (0..self.rows()).map(|i| self.row_length(i)).max().unwrap_or(0)
    }
    /// Columns and values of row `i`.
    pub fn row(&self, i: usize) -> impl DoubleEndedIterator<Item = (usize, S)> + '_ {
        let range = self.range(i);
        self.col[range.clone()].iter().map(|&j| j as usize).zip(self.val[range].iter().copied())
    }
    /// The stored entry (i, j), or none.
    pub fn get(&self, i: usize, j: usize) -> Option<S> {
        let range = self.range(i);
        let row = &self.col[range.clone()];
        row.binary_search(&(j as u32)).ok().map(|k| self.val[range.start + k])
    }
    /// The diagonal; zero where none is stored.
    pub fn diagonal(&self) -> Vec<S> {
        diagonal(self)
    }
    fn find_diagonal(&self) -> Vec<S> {
        let entry = |i: usize| {
            let range = self.range(i);
            let row = &self.col[range.clone()];
            let is_below = |j: &u32| (*j as usize) < i;
            // Counting has no branches, and reads short rows as they come.
            let below = match row.len() {
                0..=SHORT => row.iter().filter(|j| is_below(j)).count(),
                _ => row.partition_point(is_below),
            };
            if row.get(below).is_some_and(|&j| j as usize == i) { self.val[range.start + below] } else { S::zero() }
        };
        parallel::collect(self.rows().min(self.cols), &entry)
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.start[..]) + size_of_val(&self.col[..]) + self.nnz() * size_of::<S>()
    }
    /// Errors unless square; `operation` is named in the message.
    pub fn require_square(&self, operation: &'static str) -> Result<()> {
        let (rows, cols) = (self.rows(), self.cols);
        if rows == cols { Ok(()) } else { Err(Error::NotSquare { rows, cols, operation }) }
    }
    /// Errors at the first NaN or infinite entry.
    pub fn require_finite(&self) -> Result<()> {
        require_finite(self)
    }
    fn check_finite(&self) -> Result<()> {
        if sum_of_squares(&self.val).is_finite() {
            return Ok(());
        }
        let Some(k) = self.val.iter().position(|v| !v.finite()) else { return Ok(()) };
        let i = self.start.partition_point(|&s| s <= k as u64) - 1;
        let place = format!("row {}, column {}", i + 1, self.col[k] as u64 + 1);
        Err(Error::NonFinite { what: "the matrix", value: self.val[k].to_string(), place })
    }
    /// Takes other values for the same pattern, as many as there are.
    pub fn set_values(&mut self, values: &[S]) {
        copy(values, &mut self.val);
    }
    /// The same pattern with other values, as many as there are. Copied on threads, because memory that is new to the
    /// process is slow to write first.
    pub fn with_values(&self, values: &[S]) -> Self {
        let mut made = Csr {
            cols: self.cols,
            start: self.start.clone(),
            col: vec![0; self.nnz()],
            val: bytemuck::zeroed_vec(self.nnz()),
        };
        copy(&self.col, &mut made.col);
        copy(values, &mut made.val);
        made
    }
    /// The same matrix with each value mapped, for example to another precision.
    pub fn map_values<T: Scalar>(&self, map: impl Fn(S) -> T + Sync) -> Csr<T> {
        let mut pattern = (vec![0; self.start.len()], vec![0; self.col.len()]);
        copy(&self.start, &mut pattern.0);
        copy(&self.col, &mut pattern.1);
        let mut val = bytemuck::zeroed_vec(self.val.len());
        parallel::each_chunk(&mut val, COPIED, &|first, val: &mut [T]| {
            val.iter_mut().zip(&self.val[first..]).for_each(|(to, &from)| *to = map(from));
        });
        Csr { cols: self.cols, start: pattern.0, col: pattern.1, val }
    }
}
/// Copies on threads.
fn copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) {
    assert_eq!(from.len(), to.len(), "values of the same pattern");
    parallel::each_chunk(to, COPIED, &|first, to| to.copy_from_slice(&from[first..first + to.len()]));
}
