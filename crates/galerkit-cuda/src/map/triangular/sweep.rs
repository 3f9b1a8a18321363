//! One triangle, level by level in slices: the arrays of the kernel's `struct Sweep`, on the host.

use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use crate::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::Triangular;
use galerkit_linalg::sparse::{Csr, Levels};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Rows of a slice: a warp.
pub(super) const HEIGHT: usize = 32;
/// Rows that are sorted by length together: as many as keep their neighbours in cache.
const WINDOW: usize = 1024;
/// Column of padding.
pub(super) const NONE: u32 = u32::MAX;

/// One triangle as the kernel reads it.
pub(super) struct Sweep<S> {
    /// First slot of each slice; one more than there are slices.
    pub(super) start: Vec<u64>,
    /// First position of each slice; one more than there are slices.
    pub(super) first: Vec<u32>,
    /// The row at each position.
    pub(super) row: Vec<u32>,
    /// Position of the row that an entry needs; [`NONE`] is padding.
    pub(super) col: Vec<u32>,
    pub(super) val: Vec<S>,
    /// The number of each row, by position.
    pub(super) scale: Vec<S>,
    /// Slices of the widest level.
    pub(super) widest: usize,
}

impl<S: Scalar> Sweep<S> {
    /// The forward and the backward one.
    pub(super) fn both(M: &dyn Triangular<S>) -> (Self, Self) {
        let forward = Self::new(M.lower(), &Levels::lower(M.lower()), M.scale());
        (forward, Self::new(M.upper(), &Levels::upper(M.upper()), M.scale()))
    }

    pub(super) fn new(T: &Csr<S>, levels: &Levels, scale: &[S]) -> Self {
        let mut row = levels.order().to_vec();
        for level in levels.ranges() {
            for window in row[level].chunks_mut(WINDOW) {
                window.sort_by_key(|&i| Reverse(T.row_length(i as usize)));
            }
        }
        let position = inverse(&row);
        let scale = row.iter().map(|&i| scale[i as usize]).collect();
        let (col, val) = (Vec::with_capacity(T.nnz()), Vec::with_capacity(T.nnz()));
        let mut sweep = Self { start: vec![0], first: vec![0], row, col, val, scale, widest: 0 };
        for level in levels.ranges() {
            let slices: Vec<Range<usize>> = cut(&sweep.row[level.clone()], T).collect();
            sweep.widest = sweep.widest.max(slices.len());
            for slice in slices {
                sweep.push_slice(T, level.start + slice.start..level.start + slice.end, &position);
            }
        }
        sweep
    }

    /// Appends the rows at these positions, entry by entry.
    fn push_slice(&mut self, T: &Csr<S>, slice: Range<usize>, position: &[u32]) {
        let rows = &self.row[slice.clone()];
        let width = rows.iter().map(|&i| T.row_length(i as usize)).max().unwrap_or(0);
        for e in 0..width {
            for range in rows.iter().map(|&i| T.range(i as usize)) {
                let k = Some(range.start + e).filter(|&k| k < range.end);
                self.col.push(k.map_or(NONE, |k| position[T.col()[k] as usize]));
                self.val.push(k.map_or(S::zero(), |k| T.val()[k]));
            }
        }
        self.first.push(slice.end as u32);
        self.start.push(self.col.len() as u64);
    }

    /// The slot of every entry of T, in its order.
    pub(super) fn slots(&self, T: &Csr<S>) -> Vec<u64> {
        let mut slot_of = vec![0; T.nnz()];
        for s in 0..self.slices() {
            let rows = &self.row[self.first[s] as usize..self.first[s + 1] as usize];
            for (l, range) in rows.iter().map(|&i| T.range(i as usize)).enumerate() {
                let first = self.start[s] + l as u64;
                range.enumerate().for_each(|(e, k)| slot_of[k] = first + (e * rows.len()) as u64);
            }
        }
        slot_of
    }

    pub(super) fn slices(&self) -> usize {
        self.first.len() - 1
    }
    pub(super) fn bytes(&self) -> usize {
        let shape = size_of_val(&self.start[..]) + size_of_val(&self.first[..]) + size_of_val(&self.row[..]);
        shape + size_of_val(&self.col[..]) + size_of_val(&self.val[..]) + size_of_val(&self.scale[..])
    }
    /// Where another sweep has the row that this one has at each position.
    pub(super) fn positions_in(&self, other: &Self) -> Vec<u32> {
        let position = inverse(&other.row);
        self.row.iter().map(|&i| position[i as usize]).collect()
    }

    /// Appends the members of the kernel's `struct Sweep`; its values are at two addresses.
    pub(super) fn upload(&self, gpu: &Arc<Gpu>, map: &mut Map, [val, scale]: [u64; 2]) -> Result<()> {
        let pending = size_of_val(&self.scale[..]);
        let buffers = [
            Buffer::from_slice(gpu, "the slices of a triangle", &self.start)?,
            Buffer::from_slice(gpu, "the slices of a triangle", &self.first)?,
            Buffer::from_slice(gpu, "the rows of a triangle", &self.row)?,
            Buffer::from_slice(gpu, "the columns of a triangle", &self.col)?,
            Buffer::filled(gpu, "the vectors of a triangle", pending, 0xff)?, // all ones in every word
        ];
        let [start, first, row, col, out] = buffers.each_ref().map(Buffer::address);
        map.words.extend([self.slices() as u64, start, first, row, col, val, scale, out]);
        map.buffers.extend(buffers);
        Ok(())
    }
}

/// Cuts the rows of a level into slices: at most [`HEIGHT`] rows, none below half of the longest by more than 4.
fn cut<'a, S: Scalar>(rows: &'a [u32], T: &'a Csr<S>) -> impl Iterator<Item = Range<usize>> + 'a {
    let length = |at: usize| T.row_length(rows[at] as usize);
    let mut begin = 0;
    std::iter::from_fn(move || {
        let end = (begin..rows.len().min(begin + HEIGHT))
            .take_while(|&at| length(at) <= length(begin) && 2 * length(at) + 8 >= length(begin))
            .last()?
            + 1;
        Some(std::mem::replace(&mut begin, end)..end)
    })
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(p, &i)| position[i as usize] = p as u32);
    position
}
