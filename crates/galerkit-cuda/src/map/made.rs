//! Maps from arrays that were made on the GPU: the same words, in the same order, as [`sliced`], [`diagonals`] and
//! [`csr`] make from arrays of the host.

use super::layout::RUN;
use super::{Interface, Layout, Map, Tuning, diagonals, short, sliced};
use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::map::{Gather, Grid, Tile};
use std::sync::Arc;

/// Rows of a slice.
const LANES: usize = 32;

/// Slices of 32 rows.
pub(crate) struct Slices {
    pub shape: (usize, usize),
    /// Where each begins; none where all have one width.
    pub start: Option<Buffer>,
    pub width: Option<usize>,
    /// Columns, or, with bases, 16-bit distances from them.
    pub col: Buffer,
    pub base: Option<Buffer>,
    pub val: Buffer,
    pub order: Option<Buffer>,
}

/// The map of slices.
pub(crate) fn slices<S: Scalar>(gpu: &Arc<Gpu>, slices: Slices, tuning: &Tuning) -> Result<Map> {
    let Slices { shape, start, width, col, base, val, order } = slices;
    let source = sliced::source::<S>(("HEIGHT", LANES), base.is_some(), order.is_some(), tuning)?;
    let source = match width {
        Some(width) => short::source::<S>(source, width),
        None => source.text(&[RUN, sliced::SELL]),
    };
    let layout = Layout::new(Interface::Rows, source, shape).holding().number(shape.0);
    let layout = start.into_iter().fold(layout, Layout::made).made(col);
    let layout = or_zero(layout, base).made_values(val);
    or_zero(layout, order).upload(gpu)
}

/// A matrix on few diagonals.
pub(crate) struct Diagonals {
    pub shape: (usize, usize),
    /// Column less row, ascending.
    pub offset: Vec<i64>,
    pub val: Buffer,
    /// Which slots are filled; none where all are that could be.
    pub present: Option<Buffer>,
}

/// The map of diagonals.
pub(crate) fn diagonals<S: Scalar>(gpu: &Arc<Gpu>, made: Diagonals) -> Result<Map> {
    let Diagonals { shape, offset, val, present } = made;
    let source = diagonals::source::<S>(offset.len(), present.is_none());
    let layout = Layout::new(Interface::Rows, source, shape).holding().number(shape.0).number(shape.1);
    let layout = or_zero(layout, present).made_values(val);
    offset.into_iter().fold(layout, |layout, offset| layout.number(offset as usize)).upload(gpu)
}

/// Compressed rows, for teams of lanes.
pub(crate) fn rows<S: Scalar>(
    gpu: &Arc<Gpu>,
    shape: (usize, usize),
    [start, col, val]: [Buffer; 3],
    tuning: &Tuning,
) -> Result<Map> {
    let lanes = tuning.lanes_for(col.bytes() as f64 / 4.0 / shape.0.max(1) as f64)?;
    let source = super::csr::source::<S>(lanes, tuning)?;
    let layout = Layout::new(Interface::Rows, source, shape).number(shape.0).made(start).made(col).made_values(val);
    layout.shared_by(lanes).upload(gpu)
}

/// A diagonal.
pub(crate) fn diagonal(gpu: &Arc<Gpu>, length: usize, values: Buffer) -> Result<Map> {
    let source = super::diagonal::source();
    Layout::new(Interface::Entry, source, (length, length)).made_values(values).upload(gpu)
}

/// A gather by an index that was made there, of so many slots from so many entries.
pub(crate) fn gather(gpu: &Arc<Gpu>, shape: (usize, usize), index: Buffer) -> Result<Map> {
    Layout::new(Interface::Rows, Gather::source().into(), shape).number(shape.0).made(index).upload(gpu)
}

/// A gather in tiles without segments.
pub(crate) fn tiled_gather(gpu: &Arc<Gpu>, shape: (usize, usize), tiles: Buffer, local: Buffer) -> Result<Map> {
    let count = tiles.bytes() / size_of::<Tile>();
    let layout = Layout::new(Interface::Rows, Gather::tiled_source(), shape).number(count).made(tiles).number(0);
    let map = layout.made(local).upload(gpu)?;
    Ok(Map { grid: Grid::Fitting, ..map })
}

/// With an array as the next word; 0 where there is none.
fn or_zero<'a>(layout: Layout<'a>, buffer: Option<Buffer>) -> Layout<'a> {
    match buffer {
        Some(buffer) => layout.made(buffer),
        None => layout.number(0),
    }
}
