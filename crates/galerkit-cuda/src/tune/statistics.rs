//! What the model knows of a matrix: the slots that formats would need, how unevenly teams of lanes would work, whether
//! 16-bit columns fit, and how scattered x is read. Passes over the rows, and over samples of the entries.

use galerkit_linalg::ScalarKind;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::statistics::{predicted_slots, slots_by_height};
use galerkit_linalg::sparse::{Format, Pattern, RowLengths, Variant, pattern_locality};

/// Slices and groups as high as a warp.
const WARP: usize = 32;
/// Sliced ELL with fewer slots an entry is not worth sorting for.
const PADDING_WORTH_SORTING: f64 = 1.02;
/// Blocks of BSR fuller than this are looked at.
const FULL: f64 = 0.9;
/// Windows of rows, or rows of blocks, that are looked at.
const SAMPLES: usize = 256;
/// Most entries that those windows may have together, about.
const SAMPLED_ENTRIES: usize = 1 << 21;
/// A vector up to this size stays in the L2 cache of any GPU that kernels are made for.
const CACHED: usize = 16 << 20;
/// The largest distance between the columns of a step that 16 bits hold; one more marks padding.
const NARROW: u32 = 0xfffe;

/// Facts about a matrix from which times are predicted.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Stored entries.
    pub entries: usize,
    /// Bytes of a value.
    pub scalar: usize,
    /// Entries of the longest row.
    pub longest: usize,
    /// The formats that were looked at, with the slots each would need.
    pub slots: Vec<(Format, u64)>,
    /// Numbers of lanes a row that were looked at, each with the rounds of a warp (which takes as long as the longest
    /// of its rows) over those it would need if its rows were equal.
    pub teams: Vec<(usize, f64)>,
    /// Width of HYB's ELL part and the entries beyond it.
    pub hyb: (usize, u64),
    /// The largest window of rows, of 32, 256 and 4096, inside which the columns of every step are near enough for 16
    /// bits in every sample; 0 if none, `usize::MAX` if all columns are.
    pub narrow_window: usize,
    /// Bytes of x that a product fetches from memory if x does not fit a cache; 0 if it surely does.
    pub scattered: f64,
}

impl Statistics {
    /// Of a matrix with such entries; formats that cannot pay for it are left out.
    pub fn of(A: &dyn Pattern, scalar: ScalarKind) -> Self {
        Self::look(A, scalar.bytes(), false)
    }

    /// With every format that keeps the numbering.
    pub fn thorough(A: &dyn Pattern, scalar: ScalarKind) -> Self {
        Self::look(A, scalar.bytes(), true)
    }

    fn look(A: &dyn Pattern, scalar: usize, thorough: bool) -> Self {
        let lengths = RowLengths::of(A);
        let width = lengths.hyb_width();
        let by_height = slots_by_height(A, WARP);
        let plain = by_height[by_height.len() - 1].1;
        let formats = formats(A, &lengths, plain, thorough);
        let mean = lengths.mean.max(1.0);
        let sensible = |lanes: &usize| thorough || (0.25..=16.0).contains(&(mean / *lanes as f64));
        let lanes: Vec<usize> = [1, 2, 4, 8, 16, 32].into_iter().filter(sensible).collect();
        Self {
            rows: A.rows(),
            cols: A.cols(),
            entries: A.nnz(),
            scalar,
            longest: lengths.max,
            slots: parallel::values(formats.len(), &|k| (formats[k], slots(A, formats[k], plain))),
            teams: lanes.into_iter().map(|lanes| (lanes, waiting(A.nnz(), &by_height, lanes))).collect(),
            hyb: (width, lengths.entries_above(width)),
            narrow_window: narrow_window(A),
            scattered: if A.cols() * scalar > CACHED { 64.0 * pattern_locality(A, scalar).lines_touched } else { 0.0 },
        }
    }

    /// Slots of a format that was looked at.
    pub fn slots_of(&self, format: Format) -> Option<u64> {
        self.slots.iter().find(|(known, _)| *known == format).map(|(_, slots)| *slots)
    }

    /// Whether 16-bit columns will fit, as far as the samples tell: rows that stand side by side in the format must lie
    /// in one window.
    pub fn fits_narrow(&self, format: Format) -> bool {
        self.narrow_window
            >= match format {
                Format::Sell { sigma, .. } => sigma.max(WARP).min(self.rows),
                Format::EllWarp { .. } => self.rows,
                _ => return false,
            }
    }
}

/// The formats to look at.
fn formats(A: &dyn Pattern, lengths: &RowLengths, plain: u64, thorough: bool) -> Vec<Format> {
    let sell = |sigma| Format::Sell { height: WARP, sigma };
    let warp = |variant, threshold| Format::EllWarp { variant, warp: WARP, threshold };
    let mut formats = vec![Format::Csr, sell(1)];
    if thorough || plain as f64 > PADDING_WORTH_SORTING * A.nnz() as f64 {
        formats.extend([sell(256), sell(4096), warp(Variant::K1, 16), warp(Variant::K2, 16), warp(Variant::K2, 64)]);
    }
    if thorough || lengths.max as f64 > 4.0 * lengths.mean {
        let overflow = lengths.entries_above(lengths.hyb_width());
        let ell = lengths.hyb_width() as u64 * lengths.rows as u64;
        formats.extend((ell + overflow <= 3 * lengths.entries).then_some(Format::Hyb { width: None }));
    }
    formats.extend((2..=8).filter(|&block| sampled_fill(A, block) > FULL).map(|block| Format::Bsr { block }));
    formats
}

/// The slots of a format; those of BSR from samples, those of slices in the order of the rows as they are known.
fn slots(A: &dyn Pattern, format: Format, plain: u64) -> u64 {
    match format {
        Format::Sell { height: WARP, sigma: 1 } => plain,
        Format::Bsr { block } => (A.nnz() as f64 / sampled_fill(A, block).max(1e-9)) as u64,
        _ => predicted_slots(A, format),
    }
}

/// Some of so many windows, evenly spread.
fn samples(windows: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = windows.min(most);
    (0..count).map(move |k| k * windows / count)
}

/// The part of the slots of BSR's blocks that hold an entry, over some rows of blocks.
fn sampled_fill(A: &dyn Pattern, block: usize) -> f64 {
    if !A.rows().is_multiple_of(block) || !A.cols().is_multiple_of(block) {
        return 0.0;
    }
    let (mut entries, mut blocks) = (0, 0);
    let (mut columns, mut room): (Vec<u32>, Vec<u32>) = Default::default();
    for row in samples(A.rows() / block, SAMPLES) {
        columns.clear();
        for i in row * block..(row + 1) * block {
            columns.extend(A.columns(i, &mut room).iter().map(|&j| j / block as u32));
        }
        entries += columns.len();
        columns.sort_unstable();
        columns.dedup();
        blocks += columns.len();
    }
    entries as f64 / (blocks * block * block).max(1) as f64
}

/// How much longer warps take because their rows, as many as teams of lanes, are uneven.
fn waiting(nnz: usize, by_height: &[(usize, u64)], lanes: usize) -> f64 {
    let together = by_height.iter().find(|(height, _)| *height == WARP / lanes).map_or(0, |(_, slots)| *slots);
    (together as f64 / nnz.max(1) as f64).max(1.0)
}

/// The largest window in which 16-bit columns fit.
fn narrow_window(A: &dyn Pattern) -> usize {
    if A.cols() <= NARROW as usize {
        return usize::MAX;
    }
    let mean = A.nnz() / A.rows().max(1) + 1;
    let fits = |window: &usize| {
        let most = (SAMPLED_ENTRIES / (window * mean)).clamp(4, SAMPLES);
        let (mut low, mut high, mut room) = (Vec::new(), Vec::new(), Vec::new());
        samples(A.rows().div_ceil(*window), most).all(|k| {
            low.clear();
            high.clear();
            (k * window..A.rows().min((k + 1) * window))
                .all(|i| steps_fit(A.columns(i, &mut room), &mut low, &mut high))
        })
    };
    [4096, 256, WARP].into_iter().find(fits).unwrap_or(0)
}

/// Takes the columns of one more row; whether entry e of all rows so far lies within reach of each other, for every e.
fn steps_fit(row: &[u32], low: &mut Vec<u32>, high: &mut Vec<u32>) -> bool {
    row.iter().enumerate().all(|(e, &j)| {
        if e == low.len() {
            low.push(j);
            high.push(j);
        }
        low[e] = low[e].min(j);
        high[e] = high[e].max(j);
        high[e] - low[e] <= NARROW
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::ScalarKind::F64;
    use galerkit_testkit::problems::{from_triples, laplacian};

    #[test]
    fn regular_rows_are_not_sorted_and_full_blocks_are_found() {
        let A = laplacian::<f64>(64, 2);
        let formats: Vec<Format> = Statistics::of(&A, F64).slots.iter().map(|(format, _)| *format).collect();
        assert!(formats.contains(&Format::Sell { height: 32, sigma: 1 }));
        assert!(!formats.iter().any(|format| matches!(format, Format::Bsr { .. } | Format::Hyb { .. })));
        assert!(Statistics::thorough(&A, F64).slots.len() > formats.len());
        // Blocks of 3 on the diagonal and its neighbours, in 30 rows of blocks.
        let mut triples = Vec::new();
        for row in 0..30usize {
            for column in row.saturating_sub(1)..(row + 2).min(30) {
                triples.extend((0..9).map(|k| (3 * row + k / 3, 3 * column + k % 3, 1.0)));
            }
        }
        let B = from_triples::<f64>(90, 90, &triples);
        let statistics = Statistics::of(&B, F64);
        assert_eq!(statistics.slots_of(Format::Bsr { block: 3 }), Some(B.nnz() as u64));
        assert_eq!(statistics.slots_of(Format::Bsr { block: 2 }), None);
        assert_eq!(statistics.narrow_window, usize::MAX);
    }

    #[test]
    fn distances_of_more_than_16_bits_are_seen() {
        let (n, far) = (100_000, 70_000);
        let local: Vec<_> = (0..n).map(|i| (i, i, 1.0)).collect();
        assert_eq!(narrow_window(&from_triples::<f64>(n, n, &local)), 4096);
        let scattered: Vec<_> = (0..n).map(|i| (i, if i % 2 == 0 { 0 } else { far }, 1.0)).collect();
        let statistics = Statistics::of(&from_triples::<f64>(n, n, &scattered), F64);
        assert_eq!(statistics.narrow_window, 0);
        assert!(!statistics.fits_narrow(Format::Sell { height: 32, sigma: 1 }));
    }

    #[test]
    fn teams_wait_for_their_longest_row() {
        let triples: Vec<_> = (0..32).map(|j| (0, j, 1.0)).chain((1..32).map(|i| (i, i, 1.0))).collect();
        let A = from_triples::<f64>(32, 32, &triples);
        let by_height = slots_by_height(&A, WARP);
        assert_eq!(waiting(A.nnz(), &by_height, 1), 32.0 * 32.0 / 63.0);
        assert_eq!(waiting(A.nnz(), &by_height, 32), 1.0);
    }
}
