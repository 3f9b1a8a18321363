//! Row-length statistics, and what they say about padding: the slots of each format without building it, the bound of
//! K1 (nnz <= slots <= nnz + (W-1) M for every matrix), and what sorting the rows gains. Spec: sections 1, 2 and 5.

use crate::parallel;
use crate::sparse::ell_warp::Layout;
use crate::sparse::pattern::{Pattern, by_blocks, lengths};
use crate::sparse::row_order::longest_first;
use crate::sparse::{Format, sell};

/// How the lengths of the rows of a matrix are distributed.
#[derive(Clone, Debug, PartialEq)]
pub struct RowLengths {
    /// Number of rows.
    pub rows: usize,
    /// Stored entries of all rows.
    pub entries: u64,
    /// Length of the shortest row; 0 without rows.
    pub min: usize,
    /// Length of the longest row; 0 without rows.
    pub max: usize,
    /// Mean length; 0 without rows.
    pub mean: f64,
    /// Mean squared distance from the mean; 0 without rows.
    pub variance: f64,
    /// `histogram[l]` rows have exactly l entries; `max + 1` long.
    pub histogram: Vec<u64>,
}

impl RowLengths {
    /// Counts the rows of a matrix.
    pub fn of(A: &dyn Pattern) -> Self {
        let histogram = by_blocks(A, 1, &|lengths| count(lengths)).into_iter().reduce(sum).unwrap_or_else(|| vec![0]);
        let count = A.rows().max(1) as f64;
        let mean = A.nnz() as f64 / count;
        let squares = histogram.iter().enumerate().map(|(l, &rows)| rows as f64 * (l as f64 - mean).powi(2));
        Self {
            rows: A.rows(),
            entries: A.nnz() as u64,
            min: histogram.iter().position(|&rows| rows > 0).unwrap_or(0),
            max: histogram.len() - 1,
            mean,
            variance: squares.sum::<f64>() / count,
            histogram,
        }
    }

    /// How many rows have more than `width` entries.
    pub fn rows_above(&self, width: usize) -> u64 {
        self.histogram.iter().skip(width.saturating_add(1)).sum()
    }
    /// How many entries lie beyond the first `width` of their row.
    pub fn entries_above(&self, width: usize) -> u64 {
        self.histogram.iter().enumerate().skip(width).map(|(l, &rows)| rows * (l - width) as u64).sum()
    }
    /// Slots of ELL: rows times the longest.
    pub fn ell_slots(&self) -> u64 {
        self.rows as u64 * self.max as u64
    }
    /// The most slots K1 can need: nnz + (W-1) M.
    pub fn k1_bound(&self, warp: usize) -> u64 {
        self.entries + (warp.max(1) as u64 - 1) * self.max as u64
    }
    /// The default width of HYB: the smallest K such that fewer than max(4096, rows/3) rows have more than K entries.
    pub fn hyb_width(&self) -> usize {
        let mut above = self.rows as u64;
        for (width, &rows) in self.histogram.iter().enumerate() {
            above -= rows;
            if above < 4096 || 3 * above < self.rows as u64 {
                return width;
            }
        }
        self.max
    }
}

/// How many of these rows have each length, up to the longest.
fn count(lengths: &[u32]) -> Vec<u64> {
    let mut histogram = vec![0; lengths.iter().max().map_or(0, |&longest| longest as usize) + 1];
    lengths.chunk_by(|a, b| a == b).for_each(|run| histogram[run[0] as usize] += run.len() as u64);
    histogram
}

/// The histogram of all rows of two.
fn sum(one: Vec<u64>, other: Vec<u64>) -> Vec<u64> {
    let (mut longer, shorter) = if one.len() > other.len() { (one, other) } else { (other, one) };
    longer.iter_mut().zip(shorter).for_each(|(sum, rows)| *sum += rows);
    longer
}

/// The slots a format would need, in one pass over the rows (for BSR over the entries) and without building it.
/// Parameters out of range count as the nearest that are legal, numbers above `u64` as its maximum.
pub fn predicted_slots(A: &dyn Pattern, format: Format) -> u64 {
    match format {
        Format::Coo | Format::Csr => A.nnz() as u64,
        Format::Ell | Format::EllR => RowLengths::of(A).ell_slots(),
        Format::Bsr { block } => {
            let block = block.max(1);
            blocks(A, block).saturating_mul(block as u64).saturating_mul(block as u64)
        }
        Format::Sell { height, sigma: 0 | 1 } => plain_slots(A, height.max(1)),
        Format::Sell { height, sigma } => {
            let len = lengths(A);
            let order = longest_first(&len, sigma);
            let starts = sell::slice_starts(order.iter().map(|&i| len[i as usize]), A.rows(), height.max(1));
            starts[starts.len() - 1]
        }
        Format::Hyb { width } => {
            let lengths = RowLengths::of(A);
            let width = width.unwrap_or_else(|| lengths.hyb_width());
            (width as u64).saturating_mul(lengths.rows as u64).saturating_add(lengths.entries_above(width))
        }
        Format::EllWarp { variant, warp, threshold } => {
            let mut len = lengths(A);
            len.sort_unstable_by(|a, b| b.cmp(a));
            let warp = warp.clamp(1, 1024).next_power_of_two();
            Layout::new(&len, warp, variant.splits().then_some(threshold.max(1))).slots()
        }
    }
}

/// Slots of slices of so many rows in their own order.
fn plain_slots(A: &dyn Pattern, height: usize) -> u64 {
    if height == 1 {
        return A.nnz() as u64;
    }
    let widest = |slice: &[u32]| slice.iter().copied().max().unwrap_or(0) as u64;
    let slots = |lengths: &[u32]| {
        let widths = lengths.chunks(height).map(widest);
        widths.fold(0u64, |sum, width| sum.saturating_add(width.saturating_mul(height as u64)))
    };
    by_blocks(A, height, &slots).into_iter().fold(0, u64::saturating_add)
}

/// Slots of slices of 1, 2, 4, ... up to `most` rows in their own order, `most` a power of two; one pass for all.
pub fn slots_by_height(A: &dyn Pattern, most: usize) -> Vec<(usize, u64)> {
    let heights: Vec<usize> = (0..=most.trailing_zeros()).map(|power| 1 << power).collect();
    let slots = |lengths: &[u32]| {
        let mut widths = lengths.to_vec();
        let slots = heights.iter().map(|&height| {
            if height > 1 {
                widths = widths.chunks(2).map(|pair| pair[0].max(pair[pair.len() - 1])).collect();
            }
            widths.iter().map(|&width| width as u64).sum::<u64>() * height as u64
        });
        slots.collect::<Vec<u64>>()
    };
    let blocks = by_blocks(A, most, &slots);
    let all = |k: usize| blocks.iter().map(|slots| slots[k]).sum();
    heights.iter().enumerate().map(|(k, &height)| (height, all(k))).collect()
}

/// Blocks that hold at least one entry.
fn blocks(A: &dyn Pattern, block: usize) -> u64 {
    let in_row = |block_row: usize| {
        let first = block_row * block;
        let (mut found, mut room) = (Vec::new(), Vec::new());
        for i in first..A.rows().min(first.saturating_add(block)) {
            found.extend(A.columns(i, &mut room).iter().map(|&j| j as usize / block));
        }
        found.sort_unstable();
        found.dedup();
        found.len() as u64
    };
    parallel::values(A.rows().div_ceil(block), &in_row).iter().sum()
}

/// What sorting the rows saves, in percent of the slots of the unsorted sliced form: 100 (S_u - S) / S_u, with slices
/// and warps of the same height. Published as "padding difference".
pub fn sorting_gain(A: &dyn Pattern, warp: usize) -> f64 {
    let slots = |sigma| predicted_slots(A, Format::Sell { height: warp, sigma }) as f64;
    let unsorted = slots(1);
    if unsorted == 0.0 { 0.0 } else { 100.0 * (unsorted - slots(A.rows().max(1))) / unsorted }
}

/// How many products pay for a conversion: ceil(t_convert / (t_csr - t_format)); none if the format is not faster.
pub fn products_until_paid(convert_seconds: f64, csr_seconds: f64, format_seconds: f64) -> Option<u64> {
    let gain = csr_seconds - format_seconds;
    (gain > 0.0).then(|| (convert_seconds / gain).ceil() as u64)
}
