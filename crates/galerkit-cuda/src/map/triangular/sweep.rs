//! One triangle, level by level in slices: the arrays of the kernel's `struct Sweep`, on the host.

use super::narrow::{self, Narrow, Shape};
use super::slice::{HEIGHT, NONE};
use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use crate::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::Triangular;
use galerkit_linalg::sparse::{Csr, Levels};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are sorted by length together: as many as keep their neighbours in cache.
const WINDOW: usize = 1024;

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
    /// What one block reads beside, if it is for one.
    pub(super) narrow: Option<Narrow>,
}

impl<S: Scalar> Sweep<S> {
    /// The forward and the backward one; for one block if told so, or if that is faster.
    pub(super) fn both(M: &dyn Triangular<S>, one_block: Option<bool>) -> (Self, Self) {
        let (lower, upper) = (Levels::lower(M.lower()), Levels::upper(M.upper()));
        let pays = narrow::pays([(M.lower(), &lower), (M.upper(), &upper)].map(|(T, levels)| Shape::of(T, levels)));
        let is_narrow = one_block.unwrap_or(pays) && narrow::fits::<S>([&lower, &upper]);
        let new = |T, levels| Self::new(T, levels, M.scale(), is_narrow);
        (new(M.lower(), &lower), new(M.upper(), &upper))
    }

    pub(super) fn new(T: &Csr<S>, levels: &Levels, scale: &[S], is_narrow: bool) -> Self {
        let mut row = levels.order().to_vec();
        for level in levels.ranges() {
            for window in row[level].chunks_mut(WINDOW) {
                window.sort_by_key(|&i| Reverse(T.row_length(i as usize)));
            }
        }
        let position = inverse(&row);
        let scale = row.iter().map(|&i| scale[i as usize]).collect();
        let (col, val) = (Vec::with_capacity(T.nnz()), Vec::with_capacity(T.nnz()));
        let narrow = is_narrow.then(Narrow::default);
        let mut sweep = Self { start: vec![0], first: vec![0], row, col, val, scale, widest: 0, narrow };
        for level in levels.ranges() {
            let slices: Vec<Range<usize>> = cut(&sweep.row[level.clone()], T).collect();
            sweep.widest = sweep.widest.max(slices.len());
            let before = sweep.slices();
            for slice in slices {
                sweep.push_slice(T, level.start + slice.start..level.start + slice.end, &position);
                sweep.push_narrow(before, level.len());
            }
        }
        sweep
    }

    /// Appends the rows at these positions, entry by entry; for one block padded to whole warps and pairs of entries.
    fn push_slice(&mut self, T: &Csr<S>, slice: Range<usize>, position: &[u32]) {
        let rows = &self.row[slice.clone()];
        let longest = rows.iter().map(|&i| T.row_length(i as usize)).max().unwrap_or(0);
        let width = if self.narrow.is_some() { longest.next_multiple_of(2) } else { longest };
        let padding = self.stride(rows.len()) - rows.len();
        for e in 0..width {
            for range in rows.iter().map(|&i| T.range(i as usize)).chain(std::iter::repeat_n(0..0, padding)) {
                let k = Some(range.start + e).filter(|&k| k < range.end);
                self.col.push(k.map_or(NONE, |k| position[T.col()[k] as usize]));
                self.val.push(k.map_or(S::zero(), |k| T.val()[k]));
            }
        }
        self.first.push(slice.end as u32);
        self.start.push(self.col.len() as u64);
    }

    /// The last slice as one block reads it, of a level with so many slices before it and so many rows.
    fn push_narrow(&mut self, before: usize, rows: usize) {
        if let (Some(narrow), [.., begin, end], [.., start, _]) = (&mut self.narrow, &self.first[..], &self.start[..]) {
            narrow.push::<S>(*begin as usize..*end as usize, &self.col[*start as usize..], (before, rows));
        }
    }

    /// Slots from one entry of a row to the next, in a slice of so many rows.
    pub(super) fn stride(&self, rows: usize) -> usize {
        if self.narrow.is_some() { HEIGHT } else { rows }
    }

    /// The slot of every entry of T, in its order.
    pub(super) fn slots(&self, T: &Csr<S>) -> Vec<u64> {
        let mut slot_of = vec![0; T.nnz()];
        for s in 0..self.slices() {
            let rows = &self.row[self.first[s] as usize..self.first[s + 1] as usize];
            for (l, range) in rows.iter().map(|&i| T.range(i as usize)).enumerate() {
                let first = self.start[s] + l as u64;
                range.enumerate().for_each(|(e, k)| slot_of[k] = first + (e * self.stride(rows.len())) as u64);
            }
        }
        slot_of
    }

    pub(super) fn slices(&self) -> usize {
        self.first.len() - 1
    }
    pub(super) fn bytes(&self) -> usize {
        let shape = size_of_val(&self.start[..]) + size_of_val(&self.first[..]) + size_of_val(&self.row[..]);
        let entries = size_of_val(&self.col[..]) + size_of_val(&self.val[..]) + size_of_val(&self.scale[..]);
        shape + entries + self.narrow.as_ref().map_or(0, Narrow::bytes)
    }
    /// Where another sweep has the row that this one has at each position.
    pub(super) fn positions_in(&self, other: &Self) -> Vec<u32> {
        let position = inverse(&other.row);
        self.row.iter().map(|&i| position[i as usize]).collect()
    }

    /// Appends the members of the kernel's `struct Sweep`; its values are at two addresses.
    pub(super) fn upload(&self, gpu: &Arc<Gpu>, map: &mut Map, [val, scale]: [u64; 2]) -> Result<()> {
        let pending = size_of_val(&self.scale[..]);
        let (place, near) = self.narrow.as_ref().map_or((&[][..], &[][..]), |narrow| (&narrow.place, &narrow.near));
        let buffers = [
            Buffer::from_slice(gpu, "the slices of a triangle", &self.start)?,
            Buffer::from_slice(gpu, "the slices of a triangle", &self.first)?,
            Buffer::from_slice(gpu, "the rows of a triangle", &self.row)?,
            Buffer::from_slice(gpu, "the columns of a triangle", &self.col)?,
            Buffer::from_slice(gpu, "the slices of a triangle", place)?,
            Buffer::from_slice(gpu, "the columns of a triangle", near)?,
            Buffer::filled(gpu, "the vectors of a triangle", pending, 0xff)?, // all ones in every word
        ];
        let [start, first, row, col, place, near, out] = buffers.each_ref().map(Buffer::address);
        map.words.extend([self.slices() as u64, start, first, row, col, place, near, val, scale, out]);
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
