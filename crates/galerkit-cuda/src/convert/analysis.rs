//! What the row lengths alone decide: the order of the rows, the warps and where their slots begin.

use super::DeviceCsr;
use super::kernels::Kernels;
use super::sort::{Pairs, shifts};
use crate::error::Result;
use crate::launch::Buffer;

/// Arrays of a conversion that are known before any entry is looked at.
pub(super) struct Analysis {
    /// Row at each sorted position, and the sorted position of each row.
    pub order: Buffer,
    pub position: Buffer,
    /// Entries of the row at each sorted position.
    pub length: Buffer,
    /// Warp of the row at each sorted position.
    pub warp_of: Buffer,
    /// First row, as a sorted position, lanes a row and first slot of each warp.
    pub row_start: Buffer,
    pub reduction: Buffer,
    pub offset: Buffer,
    pub warps: usize,
    pub slots: usize,
    pub longest: usize,
    pub seconds: f64,
}

impl Analysis {
    pub(super) fn new<S>(kernels: &Kernels, A: &DeviceCsr<S>, warp: usize, threshold: usize) -> Result<Self> {
        let (gpu, rows) = (kernels.gpu(), A.rows);
        let room = |entries: usize, bytes: usize| Buffer::new(gpu, "analysing the rows on the GPU", entries * bytes);
        let words = |sizes: &[usize], buffers: &[&Buffer]| -> Vec<u64> {
            sizes.iter().map(|&size| size as u64).chain(buffers.iter().map(|buffer| buffer.address())).collect()
        };

        let most = Buffer::zeroed(gpu, "analysing the rows on the GPU", 4)?;
        let found = gpu.time(|| kernels.launch("longest_row", rows, &words(&[rows], &[&A.start, &most])))?;
        let longest = most.download::<u32>(1)?[0] as usize;

        let (order, position, length) = (room(rows, 4)?, room(rows, 4)?, room(rows, 4)?);
        let groups = rows.div_ceil(warp);
        let (first_warp, warp_of) = (room(groups + 1, 8)?, room(rows, 4)?);
        let mut pairs = Pairs::new(kernels, rows)?;
        let lengths = words(&[rows, warp, threshold], &[&length, &first_warp]);
        let sorted = gpu.time(|| {
            kernels.launch("row_keys", rows, &words(&[rows, longest], &[&A.start, pairs.key(), pairs.item()]));
            pairs.sort(kernels, shifts(0, longest as u64));
            let placed = [&A.start, pairs.item(), &order, &position, &length];
            kernels.launch("place_rows", rows, &words(&[rows], &placed));
            kernels.launch("count_warps", groups, &[&lengths[..], &[0; 4]].concat()); // writes counts only
            kernels.scan(&first_warp, groups);
        })?;
        let warps = kernels.scan_total()?;

        let (row_start, reduction, offset) = (room(warps, 4)?, room(warps, 4)?, room(warps + 1, 8)?);
        let layout = [&lengths[..], &words(&[], &[&row_start, &reduction, &offset, &warp_of])].concat();
        let laid = gpu.time(|| {
            kernels.launch("lay_warps", groups, &layout);
            kernels.scan(&offset, warps);
        })?;
        let slots = kernels.scan_total()?;
        let seconds = (found + sorted + laid).as_secs_f64();
        Ok(Self { order, position, length, warp_of, row_start, reduction, offset, warps, slots, longest, seconds })
    }
}
