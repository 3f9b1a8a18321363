//! The columns of sliced formats as kernels want them: padding marked by a column of all ones, so that no row lengths
//! are read; and, where they fit, as 16-bit distances from a 32-bit base for each step (a step: the slots that the
//! lanes of a group read at once, entry e of every lane). After a bandwidth-reducing ordering they nearly always fit.

use galerkit_linalg::parallel;
use std::sync::atomic::{AtomicBool, Ordering};

/// Marks padding among 32-bit columns.
pub(super) const PAD: u32 = u32::MAX;
/// Marks padding among 16-bit distances.
pub(super) const NARROW_PAD: u16 = u16::MAX;

/// Rows in groups of equal height, as SELL and the ELL-WARP family store them.
pub(super) struct Groups<'a> {
    /// Lanes of a group.
    pub lanes: usize,
    /// First slot of each group; one more than there are groups.
    pub start: &'a [u64],
    /// First row of each group and lanes that share a row, for K2; otherwise one row a lane.
    pub split: Option<(&'a [u32], &'a [u32])>,
    /// Entries of the row at each position.
    pub len: &'a [u32],
    /// Column of each slot.
    pub col: &'a [u32],
}

/// Columns for the device.
pub(super) enum Columns {
    /// The column itself, or `PAD`.
    Wide(Vec<u32>),
    /// The base of each step and the distances from it, or `NARROW_PAD`.
    Narrow { base: Vec<u32>, distance: Vec<u16> },
}

impl Columns {
    pub(super) fn is_narrow(&self) -> bool {
        matches!(self, Columns::Narrow { .. })
    }
}

/// Steps that one task works on.
const CHUNK: usize = 4096;

impl Groups<'_> {
    /// Calls `visit(step, columns)` for so many steps from `first` on: a column for each lane, none for padding.
    fn visit(&self, first: usize, steps: usize, mut visit: impl FnMut(usize, &mut dyn Iterator<Item = Option<u32>>)) {
        let slot = (first * self.lanes) as u64;
        let mut group = self.start.partition_point(|&start| start <= slot).saturating_sub(1);
        for step in 0..steps {
            let slot = (first + step) * self.lanes;
            while self.start[group + 1] <= slot as u64 {
                group += 1;
            }
            let e = (slot - self.start[group] as usize) / self.lanes;
            let (row, t) = match self.split {
                Some((row_start, reduction)) => (row_start[group] as usize, reduction[group] as usize),
                None => (group * self.lanes, 1),
            };
            let stored = |lane: usize| self.len.get(row + lane / t).is_some_and(|&len| e * t + lane % t < len as usize);
            let columns = &self.col[slot..slot + self.lanes];
            visit(step, &mut columns.iter().enumerate().map(|(lane, &j)| stored(lane).then_some(j)));
        }
    }

    /// Narrow columns if they fit and are wanted or, without a wish, smaller.
    pub(super) fn columns(&self, narrow: Option<bool>) -> Columns {
        match narrow.unwrap_or(self.lanes >= 4).then(|| self.narrow()).flatten() {
            Some((base, distance)) => Columns::Narrow { base, distance },
            None => Columns::Wide(self.wide()),
        }
    }

    fn wide(&self) -> Vec<u32> {
        let mut col = vec![PAD; self.col.len()];
        parallel::each_chunk(&mut col, CHUNK * self.lanes, &|first, col| {
            self.visit(first / self.lanes, col.len() / self.lanes, |step, columns| {
                for (out, j) in col[step * self.lanes..].iter_mut().zip(columns) {
                    *out = j.unwrap_or(PAD);
                }
            });
        });
        col
    }

    /// None when the columns of a step lie too far apart.
    fn narrow(&self) -> Option<(Vec<u32>, Vec<u16>)> {
        let mut base = vec![0u32; self.col.len() / self.lanes];
        let mut distance = vec![NARROW_PAD; self.col.len()];
        let fits = AtomicBool::new(true);
        let tasks = base.chunks_mut(CHUNK).zip(distance.chunks_mut(CHUNK * self.lanes)).enumerate();
        parallel::each_piece(tasks.collect(), &|(chunk, (base, distance)): (usize, (&mut [u32], &mut [u16]))| {
            if !fits.load(Ordering::Relaxed) {
                return;
            }
            let mut step_columns = Vec::with_capacity(self.lanes);
            self.visit(chunk * CHUNK, base.len(), |step, columns| {
                step_columns.clear();
                step_columns.extend(columns);
                let first = step_columns.iter().flatten().min().copied().unwrap_or(0);
                base[step] = first;
                for (out, j) in distance[step * self.lanes..].iter_mut().zip(&step_columns) {
                    let Some(j) = j else { continue };
                    match u16::try_from(j - first) {
                        Ok(near) if near != NARROW_PAD => *out = near,
                        _ => fits.store(false, Ordering::Relaxed),
                    }
                }
            });
        });
        fits.into_inner().then_some((base, distance))
    }
}
