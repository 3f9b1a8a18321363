//! Building compressed rows in parallel: first the length of every row, then every row into its own place.
//! Rows are handed out in blocks of about equal entries; the result does not depend on the number of threads.

use crate::error::Result;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::pieces::{Made, Pieces};
use crate::sparse::{Csr, memory};
use std::ops::Range;

/// Entries a block of rows holds at most, unless a single row is longer.
const BLOCK_ENTRIES: u64 = 1 << 16;
/// Rows whose lengths are found together.
const LENGTHS: usize = 1 << 13;
/// Rows a block holds at most.
const BLOCK_ROWS: usize = 1 << 14;

/// Row starts from row lengths. `scratch` makes working space, a few times for each thread.
pub(crate) fn row_starts<Scratch>(
    rows: usize,
    scratch: impl Fn() -> Scratch + Sync + Send,
    length: impl Fn(&mut Scratch, usize) -> usize + Sync + Send,
) -> Vec<u64> {
    let mut start = vec![0u64; rows + 1];
    parallel::each_chunk(&mut start[1..], LENGTHS, &|first, slots| {
        let mut scratch = scratch();
        slots.iter_mut().zip(first..).for_each(|(slot, i)| *slot = length(&mut scratch, i) as u64);
    });
    let mut sum = 0;
    for slot in &mut start[1..] {
        sum += *slot;
        *slot = sum;
    }
    start
}

/// Builds a matrix of known row starts: `fill(scratch, i, col, val)` writes row i, columns strictly ascending.
pub(crate) fn fill_rows<S: Scalar, Scratch>(
    cols: usize,
    start: Vec<u64>,
    scratch: impl Fn() -> Scratch + Sync + Send,
    fill: impl Fn(&mut Scratch, usize, &mut [u32], &mut [S]) + Sync + Send,
) -> Csr<S> {
    let nnz = start[start.len() - 1] as usize;
    let (mut col, mut val): (Vec<u32>, Vec<S>) = (vec![0; nnz], bytemuck::zeroed_vec(nnz));
    let (mut col_rest, mut val_rest) = (&mut col[..], &mut val[..]);
    let mut pieces = Vec::new();
    for rows in blocks(&start) {
        let size = (start[rows.end] - start[rows.start]) as usize;
        let (col_piece, val_piece);
        (col_piece, col_rest) = col_rest.split_at_mut(size);
        (val_piece, val_rest) = val_rest.split_at_mut(size);
        pieces.push((rows, col_piece, val_piece));
    }
    parallel::each_piece(pieces, &|(rows, col, val): (Range<usize>, &mut [u32], &mut [S])| {
        let (first, mut scratch) = (start[rows.start], scratch());
        for i in rows {
            let place = (start[i] - first) as usize..(start[i + 1] - first) as usize;
            fill(&mut scratch, i, &mut col[place.clone()], &mut val[place]);
        }
    });
    Csr::from_parts_trusted(cols, start, col, val)
}

/// Writes some rows: which, the place of the next entry of each, columns, values.
type FillRange<'a, S> = dyn Fn(Range<usize>, &mut [usize], &mut [u32], &mut [S]) + Sync + 'a;

/// Builds a matrix of known row starts, so many rows at a time in any order: `fill(rows, next, col, val)` has a place
/// for the next entry of each row, which it moves on.
pub(crate) fn fill_ranges<S: Scalar>(cols: usize, start: Vec<u64>, rows: usize, fill: &FillRange<'_, S>) -> Csr<S> {
    let nnz = start[start.len() - 1] as usize;
    let (mut col, mut val): (Vec<u32>, Vec<S>) = (vec![0; nnz], bytemuck::zeroed_vec(nnz));
    let (mut col_rest, mut val_rest, mut pieces) = (&mut col[..], &mut val[..], Vec::new());
    for first in (0..start.len() - 1).step_by(rows) {
        let range = first..(first + rows).min(start.len() - 1);
        let size = (start[range.end] - start[range.start]) as usize;
        let (col_piece, val_piece);
        (col_piece, col_rest) = col_rest.split_at_mut(size);
        (val_piece, val_rest) = val_rest.split_at_mut(size);
        pieces.push((range, col_piece, val_piece));
    }
    parallel::each_piece(pieces, &|(range, col, val): (Range<usize>, &mut [u32], &mut [S])| {
        let mut next: Vec<usize> = start[range.clone()].iter().map(|s| (s - start[range.start]) as usize).collect();
        fill(range, &mut next, col, val);
    });
    Csr::from_parts_trusted(cols, start, col, val)
}

/// Builds a matrix whose row lengths are not known before: `append(rows, made)` writes some rows one behind the other.
/// They are handed out in blocks of about equal work, of which `work` has the partial sums, as row starts are of
/// entries.
pub(crate) fn append_rows<S: Scalar>(
    cols: usize,
    work: &[u64],
    append: &(dyn Fn(Range<usize>, &mut Made<S>) + Sync),
) -> Csr<S> {
    append_pieces(cols, work, append).joined()
}

/// The same, left in pieces.
pub(crate) fn append_pieces<S: Scalar>(
    cols: usize,
    work: &[u64],
    append: &(dyn Fn(Range<usize>, &mut Made<S>) + Sync),
) -> Pieces<S> {
    let blocks = blocks(work);
    let made = parallel::values(blocks.len(), &|k| {
        let rows = blocks[k].clone();
        let entries = (work[rows.end] - work[rows.start]) as usize; // room for about as many, so that nothing is moved as it grows
        let (lengths, col) = (Vec::with_capacity(rows.len()), Vec::with_capacity(entries));
        let mut made = Made { lengths, col, val: Vec::with_capacity(entries) };
        append(rows, &mut made);
        made
    });
    Pieces::new(cols, work.len() - 1, made)
}

/// Chooses some of the entries of each row, of which there are as many as `start` says: `choose(i, col)` writes those
/// of row i to the front of the room for all, and says how many. Returns where rows begin, which has gaps behind some
/// rows, their lengths, and columns.
pub(crate) fn choose_columns(
    start: &[u64],
    choose: &(dyn Fn(usize, &mut [u32]) -> usize + Sync),
) -> (Vec<u64>, Vec<u32>, Vec<u32>) {
    let rows = start.len() - 1;
    let mut chosen: (Vec<u64>, Vec<u32>, Vec<u32>) =
        (vec![0; rows], vec![0; rows], bytemuck::zeroed_vec(start[rows] as usize));
    let (mut begins, mut lengths, mut col) = (&mut chosen.0[..], &mut chosen.1[..], &mut chosen.2[..]);
    let mut pieces = Vec::new();
    for block in blocks(start) {
        let (begin, length, columns);
        (begin, begins) = begins.split_at_mut(block.len());
        (length, lengths) = lengths.split_at_mut(block.len());
        (columns, col) = col.split_at_mut((start[block.end] - start[block.start]) as usize);
        pieces.push((block, begin, length, columns));
    }
    parallel::each_piece(pieces, &|(block, begin, length, mut col): (
        Range<usize>,
        &mut [u64],
        &mut [u32],
        &mut [u32],
    )| {
        let mut at = start[block.start];
        for ((i, begin), length) in block.zip(begin).zip(length) {
            let count = choose(i, col);
            (*begin, *length) = (at, count as u32);
            at += count as u64;
            col = &mut std::mem::take(&mut col)[count..];
        }
    });
    chosen
}

/// Writes the values of a matrix anew; `fill` is called with some rows at a time.
pub(crate) fn refill_rows<S: Scalar>(
    A: &mut Csr<S>,
    fill: &(dyn Fn(&mut dyn Iterator<Item = RowToFill<'_, S>>) + Sync),
) {
    let (start, columns, mut rest) = A.parts_mut();
    let mut pieces = Vec::new();
    for rows in blocks(start) {
        let piece;
        (piece, rest) = rest.split_at_mut((start[rows.end] - start[rows.start]) as usize);
        pieces.push((rows, piece));
    }
    parallel::each_piece(pieces, &|(rows, mut rest): (Range<usize>, &mut [S])| {
        fill(&mut rows.map(|i| {
            let range = start[i] as usize..start[i + 1] as usize;
            let (val, behind) = std::mem::take(&mut rest).split_at_mut(range.len());
            rest = behind;
            RowToFill { i, col: &columns[range], val }
        }));
    });
}

/// A row whose values are to be written.
pub(crate) struct RowToFill<'a, S> {
    /// Its number.
    pub(crate) i: usize,
    /// Its columns.
    pub(crate) col: &'a [u32],
    /// Its values.
    pub(crate) val: &'a mut [S],
}

/// A flag for each entry of A: `fill(i, flags)` writes those of row i, which are false before.
pub(crate) fn flags<S: Scalar>(A: &Csr<S>, fill: &(dyn Fn(usize, &mut [bool]) + Sync)) -> Vec<bool> {
    let mut flags = vec![false; A.nnz()];
    let (mut rest, mut pieces) = (&mut flags[..], Vec::new());
    for rows in blocks(A.start()) {
        let piece;
        (piece, rest) = rest.split_at_mut((A.start()[rows.end] - A.start()[rows.start]) as usize);
        pieces.push((rows, piece));
    }
    parallel::each_piece(pieces, &|(rows, mut rest): (Range<usize>, &mut [bool])| {
        for i in rows {
            let (row, behind) = std::mem::take(&mut rest).split_at_mut(A.row_length(i));
            rest = behind;
            fill(i, row);
        }
    });
    flags
}

/// Columns alone, for known row starts: `fill(i, col)` writes those of row i.
pub(crate) fn fill_columns(start: &[u64], fill: &(dyn Fn(usize, &mut [u32]) + Sync)) -> Vec<u32> {
    let mut col = vec![0u32; start[start.len() - 1] as usize];
    let (mut rest, mut pieces) = (&mut col[..], Vec::new());
    for rows in blocks(start) {
        let piece;
        (piece, rest) = rest.split_at_mut((start[rows.end] - start[rows.start]) as usize);
        pieces.push((rows, piece));
    }
    parallel::each_piece(pieces, &|(rows, col): (Range<usize>, &mut [u32])| {
        let first = start[rows.start];
        for i in rows {
            fill(i, &mut col[(start[i] - first) as usize..(start[i + 1] - first) as usize]);
        }
    });
    col
}

/// Cuts the rows into blocks of about equal entries.
fn blocks(start: &[u64]) -> Vec<Range<usize>> {
    let rows = start.len() - 1;
    let mut blocks = Vec::new();
    let mut first = 0;
    while first < rows {
        let window = &start[first + 1..rows.min(first + BLOCK_ROWS) + 1];
        let fitting = window.partition_point(|&s| s - start[first] <= BLOCK_ENTRIES);
        let end = first + fitting.max(1);
        blocks.push(first..end);
        first = end;
    }
    blocks
}

/// Errors when a CSR matrix of this size cannot be held.
pub(crate) fn check_memory<S: Scalar>(what: &'static str, rows: u128, nnz: u128) -> Result<()> {
    memory::check(what, (rows + 1) * 8 + nnz * (4 + size_of::<S>() as u128))
}
