//! BSR: lanes across the entries that a row has in its blocks. Kernel: `bsr.cu`.

use super::layout::{RUN, Source};
use super::{Interface, Layout, Tuning};
use crate::error::{Error, Result};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Bsr;

/// Largest order of a block.
const LARGEST: usize = 65535;
/// Most slots in flight without a wish: each needs more registers than in other formats.
const UNROLL: usize = 3;

pub(super) fn layout<'a, S: Scalar>(A: &'a Bsr<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let block = A.block();
    if block > LARGEST || A.cols() > u32::MAX as usize - block {
        let reason = format!("its rows are counted by 32 bits: use a block of at most {LARGEST} and fewer columns");
        return Err(Error::Unsupported { what: format!("bsr:{block}"), reason });
    }
    let lanes = tuning.lanes_for(A.slots() as f64 / A.rows().max(1) as f64)?;
    let most = tuning.unroll.unwrap_or(UNROLL);
    let unroll = tuning.unroll_for::<S>()?.min(most);
    let source = Source::new()
        .number("BLOCK", block)
        .number("LANES", lanes)
        .flag("FULL", A.is_full())
        .columns(false)
        .number("UNROLL", unroll)
        .text(&[RUN, include_str!("../../kernels/bsr.cu")]);
    let layout = Layout::new(Interface::Rows, source, (A.rows(), A.cols()))
        .number(A.rows())
        .array("the row starts of BSR", A.block_start())
        .array("the columns of BSR", A.block_col());
    let layout = if A.is_full() { layout.number(0) } else { layout.array("the fill bits of BSR", A.stored()) };
    Ok(layout.values("the values of BSR", A.val()).shared_by(lanes))
}
