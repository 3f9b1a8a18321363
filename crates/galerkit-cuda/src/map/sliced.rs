//! SELL and the ELL-WARP family. K1, K1r and K1rs are slices of W rows of a sorted matrix and use the text of SELL; K2
//! and its kin share rows among lanes. Kernels: `sell.cu`, `sell_short.cu`, `diagonals.cu`, `ell_warp.cu`.

use super::aligned::align;
use super::columns::{Columns, Groups};
use super::layout::{RUN, Source};
use super::{Interface, Layout, Tuning, diagonals, short};
use crate::error::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{EllWarp, Sell};
use std::borrow::Cow;

/// `kernels/sell.cu`
pub(super) const SELL: &str = include_str!("../../kernels/sell.cu");

pub(super) fn sell_layout<'a, S: Scalar>(A: &'a Sell<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let groups = Groups { lanes: A.height(), start: A.slice_start(), split: None, len: A.len(), col: A.col() };
    let order = A.row_order().map(|order| order.old());
    one_lane_a_row((A.rows(), A.cols()), groups, A.val(), order, tuning)
}

pub(super) fn ell_warp_layout<'a, S: Scalar>(A: &'a EllWarp<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let split = A.variant().splits().then(|| (A.row_start(), A.reduction()));
    let groups = Groups { lanes: A.warp(), start: A.warp_offset(), split, len: A.len(), col: A.col() };
    let order = (!A.variant().renumbers()).then(|| A.row_order().old());
    if split.is_none() {
        return one_lane_a_row((A.rows(), A.cols()), groups, A.val(), order, tuning);
    }
    if A.warp() > 32 {
        let name = A.variant().name();
        let reason = format!("its lanes exchange sums inside a warp, which has 32 threads: use {name}:32");
        return Err(Error::Unsupported { what: format!("{name}:{}", A.warp()), reason });
    }
    let columns = groups.columns(tuning.narrow);
    let source = source::<S>(("WARP", A.warp()), columns.is_narrow(), order.is_some(), tuning)?
        .text(&[RUN, include_str!("../../kernels/ell_warp.cu")]);
    let threads = A.warps() * A.warp();
    let layout = Layout::new(Interface::Rows, source, (A.rows(), A.cols()))
        .number(A.rows())
        .number(A.warps())
        .array("the warp offsets of K2", A.warp_offset())
        .array("the first rows of K2", A.row_start())
        .array("the reductions of K2", A.reduction())
        .shared_by(threads.div_ceil(A.rows().max(1)).max(1));
    Ok(with_order(with_columns(layout, columns).values("the values of K2", A.val()), order))
}

/// Sliced ELL: position p is lane p mod height of slice p div height.
fn one_lane_a_row<'a, S: Scalar>(
    shape: (usize, usize),
    groups: Groups<'a>,
    val: &'a [S],
    order: Option<&'a [u32]>,
    tuning: &Tuning,
) -> Result<Layout<'a>> {
    if u32::try_from(groups.lanes).is_err() {
        let what = format!("a slice of {} rows", groups.lanes);
        return Err(Error::Unsupported { what, reason: "take at most 4294967295, and best 32: sell:32".into() });
    }
    let is_free = tuning.narrow.is_none() && tuning.unroll.is_none(); // whoever names these wants columns
    if is_free
        && order.is_none()
        && let Some(layout) = diagonals::layout(shape, &groups, val)
    {
        return Ok(layout);
    }
    let mut columns = groups.columns(tuning.narrow);
    let mut values = Cow::Borrowed(val);
    let wanted = tuning.narrow.unwrap_or(groups.lanes >= 4);
    if let (Columns::Wide(_), true) = (&columns, wanted)
        && let Some(aligned) = align(&groups, val, order)
    {
        columns = Columns::Narrow { base: aligned.base, distance: aligned.distance };
        values = Cow::Owned(aligned.val);
    }
    let source = source::<S>(("HEIGHT", groups.lanes), columns.is_narrow(), order.is_some(), tuning)?;
    let width = short::width(groups.start, groups.lanes).filter(|_| tuning.unroll.is_none());
    if let Some(width) = width {
        let (columns, values) = short::widen((groups.start, groups.lanes), width, columns, values);
        let source = short::source::<S>(source, width);
        let layout = Layout::new(Interface::Rows, source, shape).holding().number(shape.0);
        return Ok(with_order(with_columns(layout, columns).values("the values of the slices", values), order));
    }
    let source = source.text(&[RUN, SELL]);
    let layout =
        Layout::new(Interface::Rows, source, shape).holding().number(shape.0).array("the slice starts", groups.start);
    Ok(with_order(with_columns(layout, columns).values("the values of the slices", values), order))
}

pub(super) fn source<S: Scalar>(
    (lanes_name, lanes): (&str, usize),
    is_narrow: bool,
    is_ordered: bool,
    tuning: &Tuning,
) -> Result<Source> {
    let unroll = if lanes_name == "HEIGHT" { tuning.unroll_for_slices::<S>()? } else { tuning.unroll_for::<S>()? };
    Ok(Source::new().number(lanes_name, lanes).flag("ORDERED", is_ordered).columns(is_narrow).number("UNROLL", unroll))
}

/// The words `col` and `base`.
fn with_columns<'a>(layout: Layout<'a>, columns: Columns) -> Layout<'a> {
    match columns {
        Columns::Wide(col) => layout.array("the columns of the slices", col).number(0),
        Columns::Narrow { base, distance } => {
            layout.array("the column distances of the slices", distance).array("the column bases of the slices", base)
        }
    }
}

/// The word `order`.
fn with_order<'a>(layout: Layout<'a>, order: Option<&'a [u32]>) -> Layout<'a> {
    match order {
        Some(order) => layout.array("the row order of the slices", order),
        None => layout.number(0),
    }
}
