//! Triangles of many narrow levels, which one block solves faster than all of them together: which these are, and what
//! it reads beside the slices (kernels/narrow.cu).

use super::slice::{HEIGHT, NONE};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, Levels};
use std::ops::Range;

/// Rows that a block keeps in shared memory, the last ones: as many in single precision, so that a copy in it is stored
/// alike.
fn ring<S: Scalar>() -> usize {
    if S::KIND.is_complex() { 1024 } else { 2048 }
}
/// Marks a slice that needs older rows.
const HAS_FAR: u32 = 1 << 31;

/// What the time of a sweep depends on. The model's numbers are from an H200: 0.3 us a level or 0.05 us a slice by one
/// block, whichever is more; by all of them each level waits for its rows to come through L2, for each entry a little
/// longer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    levels: usize,
    rows: usize,
    entries: usize,
}

impl Shape {
    pub(super) fn of<S: Scalar>(T: &Csr<S>, levels: &Levels) -> Self {
        Self { levels: levels.ranges().count(), rows: T.rows(), entries: T.nnz() }
    }
    fn by_one(self) -> f64 {
        let slices = self.levels + self.rows / HEIGHT;
        (0.3 * self.levels as f64).max(0.05 * slices as f64)
    }
    fn by_all(self) -> f64 {
        self.levels as f64 * (0.6 + 0.25 * self.entries as f64 / self.rows.max(1) as f64)
    }
}

/// Whether one block is faster.
pub(super) fn pays(sweeps: [Shape; 2]) -> bool {
    let [one, all] = [Shape::by_one, Shape::by_all].map(|time| sweeps.into_iter().map(time).sum::<f64>());
    one <= all
}

/// Whether shared memory has room for two levels and more.
pub(super) fn fits<S: Scalar>(sweeps: [&Levels; 2]) -> bool {
    sweeps.iter().flat_map(|levels| levels.ranges()).all(|level| level.len() <= ring::<S>() / 2)
}

/// What one block reads beside the arrays of a sweep.
#[derive(Default)]
pub(super) struct Narrow {
    /// Of each slice: its first position; rows, pairs of entries and [`HAS_FAR`]; slices of the levels before; its
    /// first slot, in 64.
    pub(super) place: Vec<[u32; 4]>,
    /// Of two entries: where their rows are in shared memory.
    pub(super) near: Vec<u32>,
}

impl Narrow {
    /// Appends the slice at these positions with its columns, of a level with so many slices before it and so many
    /// rows.
    ///
    /// While a level is computed its rows replace those that are [`ring`] older, in any order: those are not looked
    /// for.
    pub(super) fn push<S: Scalar>(&mut self, slice: Range<usize>, col: &[u32], (before, rows): (usize, usize)) {
        let (ring, zero) = (ring::<S>(), ring::<S>() as u32);
        let start = self.near.len() / HEIGHT;
        let mut far = 0;
        let mut place = |lane: usize, col: u32| match col {
            NONE => zero,
            near if slice.start + lane - near as usize <= ring - rows => near % ring as u32,
            _ => {
                far = HAS_FAR;
                zero
            }
        };
        for pair in col.chunks(2 * HEIGHT) {
            let (one, other) = pair.split_at(HEIGHT);
            self.near.extend((0..HEIGHT).map(|lane| place(lane, one[lane]) | place(lane, other[lane]) << 16));
        }
        let pairs = (col.len() / (2 * HEIGHT)) as u32;
        self.place.push([slice.start as u32, slice.len() as u32 | pairs << 8 | far, before as u32, start as u32]);
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.place[..]) + size_of_val(&self.near[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_narrow_levels_are_for_one_block() {
        let shape = |levels, rows, entries| Shape { levels, rows, entries };
        assert!(pays([shape(1277, 102_400, 768_000); 2]) && pays([shape(999, 250_000, 500_000); 2]));
        assert!(!pays([shape(190, 262_144, 786_432); 2]) && !pays([shape(2, 100_000, 400_000); 2]));
    }

    #[test]
    fn a_row_finds_what_it_needs_in_the_ring_or_is_marked() {
        const ZERO: u32 = 2048;
        let mut narrow = Narrow::default();
        let mut col = [NONE; 2 * HEIGHT];
        (col[0], col[HEIGHT + 1]) = (2500, 2101);
        narrow.push::<f64>(4000..4002, &col, (7, 100));
        assert_eq!(narrow.place[0], [4000, 2 | 1 << 8, 7, 0]);
        assert_eq!(narrow.near[..3], [452 | ZERO << 16, ZERO | 53 << 16, ZERO | ZERO << 16]);
        col[HEIGHT + 1] = 2052; // 1949 back, where a row of its own level may be already
        narrow.push::<f32>(4000..4002, &col, (7, 100));
        assert_eq!((narrow.place[1], narrow.near[HEIGHT + 1]), ([4000, 2 | 1 << 8 | HAS_FAR, 7, 1], ZERO | ZERO << 16));
    }
}
