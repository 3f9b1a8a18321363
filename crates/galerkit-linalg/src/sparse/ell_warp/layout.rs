//! Which rows a warp works on and where it stores them, from the sorted row lengths alone. K1 takes W rows a warp; K2
//! halves a group, giving each row twice the lanes, until no lane has more than T entries or one row has all lanes.
//! Spec: section 3, `emit`.

/// One entry for each warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sparse) struct Layout {
    pub(super) warp: usize,
    /// First slot of each warp; one more than there are warps.
    pub(super) warp_offset: Vec<u64>,
    /// Entries of the busiest lane.
    pub(super) max_rows: Vec<u32>,
    /// First row, as a sorted position.
    pub(super) row_start: Vec<u32>,
    /// Lanes that share a row.
    pub(super) reduction: Vec<u32>,
}

/// Where the entries of one row lie: entry e in lane `e mod t` of its t lanes, slot `e div t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSlots {
    first: usize,
    warp: usize,
    shift: u32, // t = 1 << shift
}

impl RowSlots {
    pub(super) fn slot(self, e: usize) -> usize {
        let lane = e & ((1 << self.shift) - 1);
        self.first + (e >> self.shift) * self.warp + lane
    }
}

impl Layout {
    /// Lays out rows of non-increasing lengths; no threshold means one lane a row, as in K1.
    pub(in crate::sparse) fn new(len: &[u32], warp: usize, threshold: Option<usize>) -> Self {
        let threshold = threshold.map_or(u32::MAX, |t| u32::try_from(t).unwrap_or(u32::MAX));
        let mut layout =
            Self { warp, warp_offset: vec![0], max_rows: Vec::new(), row_start: Vec::new(), reduction: Vec::new() };
        for first in (0..len.len()).step_by(warp) {
            layout.emit(len, first, 1, threshold);
        }
        layout
    }

    /// Stores the W / t rows from `first` as one warp, or as two halves with twice the lanes a row.
    fn emit(&mut self, len: &[u32], first: usize, t: usize, threshold: u32) {
        if first >= len.len() {
            return; // phantom rows only
        }
        let m = len[first].div_ceil(t as u32); // the first row is the longest
        if m <= threshold || t == self.warp {
            let end = self.warp_offset[self.warp_offset.len() - 1] + self.warp as u64 * m as u64;
            self.warp_offset.push(end);
            self.max_rows.push(m);
            self.row_start.push(first as u32);
            self.reduction.push(t as u32);
        } else {
            self.emit(len, first, 2 * t, threshold);
            self.emit(len, first + self.warp / t / 2, 2 * t, threshold);
        }
    }

    /// Slots of all warps.
    pub(in crate::sparse) fn slots(&self) -> u64 {
        self.warp_offset[self.warp_offset.len() - 1]
    }

    /// The slots of each sorted row, in order; `rows` of them exist.
    pub(super) fn rows(&self, rows: usize) -> impl Iterator<Item = RowSlots> + '_ {
        let warps = self.warp_offset.iter().zip(&self.reduction);
        let lanes = warps.flat_map(move |(&offset, &t)| {
            (0..self.warp).step_by(t as usize).map(move |lane| RowSlots {
                first: offset as usize + lane,
                warp: self.warp,
                shift: t.trailing_zeros(),
            })
        });
        lanes.take(rows)
    }
}
