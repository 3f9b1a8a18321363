//! Maps of the ELL-WARP family from arrays that are on the GPU already: the same words, in the same order, as `sliced`
//! makes from a matrix on the host.

use super::layout::{RUN, Source};
use super::{Interface, Map, Tuning};
use crate::error::{Error, Result};
use crate::launch::Buffer;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::Grid;
use galerkit_linalg::sparse::Variant;

/// What a conversion on the GPU has made.
pub(crate) struct Arrays {
    pub shape: (usize, usize),
    pub variant: Variant,
    pub warp: usize,
    pub warps: usize,
    pub warp_offset: Buffer,
    pub row_start: Buffer,
    pub reduction: Buffer,
    /// Columns, or, with bases, 16-bit distances from them.
    pub col: Buffer,
    pub base: Option<Buffer>,
    pub val: Buffer,
    pub order: Buffer,
}

/// K2 and its kin exchange sums inside a hardware warp.
pub(crate) fn check_warp(variant: Variant, warp: usize) -> Result<()> {
    if !variant.splits() || warp <= 32 {
        return Ok(());
    }
    let name = variant.name();
    let reason = format!("its lanes exchange sums inside a warp, which has 32 threads: use {name}:32");
    Err(Error::Unsupported { what: format!("{name}:{warp}"), reason })
}

/// The map; the row order is its last buffer.
pub(crate) fn map<S: Scalar>(arrays: Arrays) -> Result<Map> {
    let Arrays { shape, variant, warp, warps, warp_offset, row_start, reduction, col, base, val, order } = arrays;
    let (splits, ordered) = (variant.splits(), !variant.renumbers());
    let (name, text) = match splits {
        true => ("WARP", include_str!("../../kernels/ell_warp.cu")),
        false => ("HEIGHT", include_str!("../../kernels/sell.cu")),
    };
    let tuning = Tuning::default();
    let unroll = if splits { tuning.unroll_for::<S>()? } else { tuning.unroll_for_slices::<S>()? };
    let source = Source::new()
        .number(name, warp)
        .flag("ORDERED", ordered)
        .columns(base.is_some())
        .number("UNROLL", unroll)
        .text(&[RUN, text]);
    let address = |buffer: &Buffer| buffer.address();
    let order_word = if ordered { order.address() } else { 0 };
    let slots = [address(&col), base.as_ref().map_or(0, address), address(&val), order_word];
    let rows = shape.0;
    let head = match splits {
        true => vec![rows as u64, warps as u64, address(&warp_offset), address(&row_start), address(&reduction)],
        false => vec![rows as u64, address(&warp_offset)],
    };
    let mut buffers = vec![warp_offset];
    buffers.extend(if splits { vec![row_start, reduction] } else { Vec::new() });
    buffers.push(col);
    buffers.extend(base);
    let bytes =
        val.bytes() + buffers.iter().map(Buffer::bytes).sum::<usize>() + if ordered { order.bytes() } else { 0 };
    buffers.push(order); // the r forms do not read it, but whoever permutes x and y does
    let lanes = if splits { (warps * warp).div_ceil(rows.max(1)).max(1) } else { 1 };
    Ok(Map {
        interface: Interface::Rows,
        source,
        words: [head, slots.to_vec()].concat(),
        shape,
        bytes,
        lanes,
        holds: !splits,
        grid: Grid::Rows,
        buffers,
        values: Some(val),
    })
}

/// The values of such a map.
pub(crate) fn val(map: &Map) -> &Buffer {
    map.values.as_ref().expect("no executor has taken them")
}
/// The row order of such a map.
pub(crate) fn order(map: &Map) -> &Buffer {
    &map.buffers[map.buffers.len() - 1]
}
