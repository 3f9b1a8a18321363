//! CSR: rows for teams of lanes, or the same work for every block when rows are very uneven. Kernels: `csr.cu`,
//! `csr_balanced.cu`.

use super::layout::{CARRIES, RUN, Source};
use super::merge::{self, MERGE, TILE};
use super::{Interface, Layout, Tuning};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Csr;

/// Rounds of the longest row beyond which teams wait for it.
const ROUNDS: f64 = 32.0;

/// Whether rows are so uneven that teams would wait for the longest.
pub(crate) fn is_uneven(longest: usize, nnz: usize, rows: usize) -> bool {
    longest as f64 > ROUNDS * (nnz as f64 / rows.max(1) as f64).max(4.0)
}

/// The text for teams of so many lanes.
pub(super) fn source<S: Scalar>(lanes: usize, tuning: &Tuning) -> Result<String> {
    Ok(Source::new()
        .number("LANES", lanes)
        .columns(false)
        .number("UNROLL", tuning.unroll_for::<S>()?)
        .text(&[RUN, include_str!("../../kernels/csr.cu")]))
}

pub(super) fn layout<'a, S: Scalar>(A: &'a Csr<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let mean = A.nnz() as f64 / A.rows().max(1) as f64;
    let uneven = || is_uneven(A.longest_row(), A.nnz(), A.rows());
    if tuning.balanced.unwrap_or_else(uneven) {
        return balanced(A, tuning);
    }
    let lanes = tuning.lanes_for(mean)?;
    Ok(Layout::new(Interface::Rows, source::<S>(lanes, tuning)?, (A.rows(), A.cols()))
        .number(A.rows())
        .array("the row starts of CSR", A.start())
        .array("the columns of CSR", A.col())
        .values("the values of CSR", A.val())
        .shared_by(lanes))
}

fn balanced<'a, S: Scalar>(A: &'a Csr<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let source = Source::new().number("TILE", TILE).columns(false).number("UNROLL", tuning.unroll_for::<S>()?).text(&[
        RUN,
        CARRIES,
        MERGE,
        include_str!("../../kernels/csr_balanced.cu"),
    ]);
    let layout = Layout::new(Interface::Split, source, (A.rows(), A.cols()));
    let lanes = merge::lanes(A.rows() + A.nnz(), A.rows());
    Ok(merge::with_rows(layout, A.start(), A.col(), A.val()).shared_by(lanes))
}
