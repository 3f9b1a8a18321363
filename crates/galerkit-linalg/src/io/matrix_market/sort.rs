//! From triples in the order of the file to compressed rows, in two passes that both run in parallel without sharing.
//!
//! Rows are cut into buckets of 2^shift rows. Each block of the file is sorted by bucket on its own; then each bucket
//! collects its parts of all blocks, in order, straight into its own stretch of the final arrays by counting rows.
//! Entries of a row keep the order of the file, so duplicates are summed in that order whatever the number of threads.

use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::by_column::sort_by_column;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One entry, indices from 0.
#[derive(Clone, Copy)]
pub(super) struct Entry<S> {
    pub(super) row: u32,
    pub(super) col: u32,
    pub(super) val: S,
}

/// Entries of one block by bucket: those of bucket b are `entries[start[b]..start[b + 1]]`.
pub(super) struct Sorted<S> {
    entries: Vec<Entry<S>>,
    start: Vec<u32>,
}

/// The cut of the rows.
pub(super) struct Buckets {
    shift: u32,
    count: usize,
}

impl Buckets {
    /// Enough buckets that one fits a cache, when there are as many entries as it says.
    pub(super) fn new(rows: usize, entries: usize) -> Self {
        let wanted = (entries >> 14).clamp(1, 512);
        let mut shift = 0;
        while rows >> shift > wanted {
            shift += 1;
        }
        Self { shift, count: rows.div_ceil(1 << shift) }
    }

    /// Sorts one block by bucket, keeping the order inside each.
    pub(super) fn sort<S: Scalar>(&self, mut entries: Vec<Entry<S>>) -> Sorted<S> {
        let bucket = |entry: &Entry<S>| (entry.row >> self.shift) as usize;
        if entries.is_sorted_by_key(|entry| entry.row) {
            entries.shrink_to_fit();
            let start = (0..=self.count).map(|b| entries.partition_point(|entry| bucket(entry) < b) as u32).collect();
            return Sorted { entries, start };
        }
        let mut start = vec![0u32; self.count + 1];
        entries.iter().for_each(|entry| start[bucket(entry) + 1] += 1);
        (0..self.count).for_each(|b| start[b + 1] += start[b]);
        let mut next = start.clone();
        let mut sorted = vec![Entry { row: 0, col: 0, val: S::zero() }; entries.len()];
        for entry in &entries {
            let slot = &mut next[bucket(entry)];
            sorted[*slot as usize] = *entry;
            *slot += 1;
        }
        Sorted { entries: sorted, start }
    }

    /// Joins all blocks; also says how many duplicates were summed.
    pub(super) fn into_csr<S: Scalar>(self, rows: usize, cols: usize, blocks: &[Sorted<S>]) -> (Csr<S>, usize) {
        let nnz = blocks.iter().map(|block| block.entries.len()).sum();
        let mut start = vec![0u64; rows + 1];
        let (mut col, mut val) = (vec![0u32; nnz], vec![S::zero(); nnz]);
        let stretches = self.stretches(&mut start[1..], &mut col, &mut val, blocks);
        let merged: Vec<AtomicUsize> = stretches.iter().map(|_| AtomicUsize::new(0)).collect();
        parallel::each_piece(stretches, &|stretch: Stretch<'_, S>| {
            merged[stretch.bucket].store(stretch.fill(blocks), Ordering::Relaxed);
        });
        let merged: Vec<usize> = merged.into_iter().map(AtomicUsize::into_inner).collect();
        let duplicates = merged.iter().sum();
        if duplicates > 0 {
            self.close_gaps(&merged, &mut start, &mut col, &mut val);
        }
        (Csr::from_parts_trusted(cols, start, col, val), duplicates)
    }

    /// What each bucket may write: its ends of rows, its columns and its values.
    fn stretches<'a, S: Scalar>(
        &self,
        ends: &'a mut [u64],
        mut col: &'a mut [u32],
        mut val: &'a mut [S],
        blocks: &[Sorted<S>],
    ) -> Vec<Stretch<'a, S>> {
        let mut offset = 0;
        let mut stretches = Vec::with_capacity(self.count);
        for (bucket, ends) in ends.chunks_mut(1 << self.shift).enumerate() {
            let length = blocks.iter().map(|block| block.of(bucket).len()).sum();
            let (own_col, own_val);
            (own_col, col) = col.split_at_mut(length);
            (own_val, val) = val.split_at_mut(length);
            let first_row = bucket << self.shift;
            stretches.push(Stretch { bucket, first_row, offset, ends, col: own_col, val: own_val });
            offset += length as u64;
        }
        stretches
    }

    /// Each bucket has merged its duplicates at its own front; moves the buckets together.
    fn close_gaps<S: Scalar>(&self, merged: &[usize], start: &mut [u64], col: &mut Vec<u32>, val: &mut Vec<S>) {
        let (mut to, mut before) = (0, 0);
        for (ends, &gap) in start[1..].chunks_mut(1 << self.shift).zip(merged) {
            let last = ends[ends.len() - 1] as usize;
            let from = to + before;
            col.copy_within(from..last, to);
            val.copy_within(from..last, to);
            ends.iter_mut().for_each(|end| *end -= before as u64);
            to += last - from;
            before += gap;
        }
        col.truncate(to);
        val.truncate(to);
    }
}

impl<S> Sorted<S> {
    fn of(&self, bucket: usize) -> &[Entry<S>] {
        &self.entries[self.start[bucket] as usize..self.start[bucket + 1] as usize]
    }
}

/// The stretch of the final arrays that belongs to one bucket.
struct Stretch<'a, S> {
    bucket: usize,
    first_row: usize,
    offset: u64,
    ends: &'a mut [u64],
    col: &'a mut [u32],
    val: &'a mut [S],
}

impl<S: Scalar> Stretch<'_, S> {
    /// Places all entries of the bucket; says how many duplicates were summed.
    fn fill(mut self, blocks: &[Sorted<S>]) -> usize {
        let ends = self.copy_in_order(blocks).unwrap_or_else(|| self.scatter(blocks));
        self.ends.iter_mut().zip(&ends).for_each(|(end, &local)| *end = self.offset + local as u64);
        if self.ascending(&ends) { 0 } else { self.sort_and_merge(&ends) }
    }

    /// For files that list row after row: the entries are in place already. Returns the ends of the rows.
    fn copy_in_order(&mut self, blocks: &[Sorted<S>]) -> Option<Vec<usize>> {
        let mut ends = vec![0; self.ends.len()];
        let (mut k, mut previous) = (0, 0);
        for part in blocks.iter().map(|block| block.of(self.bucket)) {
            let (col, val) = (&mut self.col[k..k + part.len()], &mut self.val[k..k + part.len()]);
            for ((entry, col), val) in part.iter().zip(col).zip(val) {
                if entry.row < previous {
                    return None;
                }
                previous = entry.row;
                (*col, *val) = (entry.col, entry.val);
                k += 1;
                ends[entry.row as usize - self.first_row] = k;
            }
        }
        (1..ends.len()).for_each(|i| ends[i] = ends[i].max(ends[i - 1])); // rows without entries
        Some(ends)
    }

    /// For any other order: counts the rows first. Returns the ends of the rows.
    fn scatter(&mut self, blocks: &[Sorted<S>]) -> Vec<usize> {
        let mut next = self.row_starts(blocks);
        for entry in blocks.iter().flat_map(|block| block.of(self.bucket)) {
            let slot = &mut next[entry.row as usize - self.first_row];
            self.col[*slot] = entry.col;
            self.val[*slot] = entry.val;
            *slot += 1;
        }
        next
    }

    fn row_starts(&self, blocks: &[Sorted<S>]) -> Vec<usize> {
        let mut next = vec![0; self.ends.len() + 1];
        for entry in blocks.iter().flat_map(|block| block.of(self.bucket)) {
            next[entry.row as usize - self.first_row + 1] += 1;
        }
        (0..self.ends.len()).for_each(|i| next[i + 1] += next[i]);
        next.pop();
        next
    }

    /// Whether columns ascend strictly in every row.
    fn ascending(&self, ends: &[usize]) -> bool {
        let mut begin = 0;
        ends.iter().all(|&end| self.col[std::mem::replace(&mut begin, end)..end].is_sorted_by(|a, b| a < b))
    }

    fn sort_and_merge(&mut self, ends: &[usize]) -> usize {
        let (mut begin, mut kept) = (0, 0);
        let mut row = Vec::new();
        for (i, &end) in ends.iter().enumerate() {
            row.clear();
            row.extend(self.col[begin..end].iter().copied().zip(self.val[begin..end].iter().copied()));
            sort_by_column(&mut row); // duplicates keep the order of the file
            let first = kept;
            for &(j, value) in &row {
                if kept > first && self.col[kept - 1] == j {
                    self.val[kept - 1] += value;
                } else {
                    (self.col[kept], self.val[kept]) = (j, value);
                    kept += 1;
                }
            }
            self.ends[i] = self.offset + kept as u64;
            begin = end;
        }
        self.col.len() - kept
    }
}
