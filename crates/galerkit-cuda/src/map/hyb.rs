//! HYB: the ELL part as ELL, the overflow as compressed rows of the long rows only, in the order of its triples.
//! Kernel: `hyb.cu`.

use super::layout::{CARRIES, RUN, Source};
use super::merge::{self, MERGE, TILE};
use super::{Interface, Layout, Tuning, ell};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Hyb;

pub(super) fn layout<'a, S: Scalar>(A: &'a Hyb<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let source = Source::new().number("TILE", TILE).columns(false).number("UNROLL", tuning.unroll_for::<S>()?).text(&[
        RUN,
        CARRIES,
        MERGE,
        include_str!("../../kernels/hyb.cu"),
    ]);
    let (long_row, start) = long_rows(A.coo().row());
    let mut is_long = vec![0u32; A.rows().div_ceil(32)];
    long_row.iter().for_each(|&i| is_long[i as usize / 32] |= 1 << (i % 32));
    let lanes = merge::lanes(long_row.len() + A.coo().nnz(), A.rows());
    let layout = Layout::new(Interface::Split, source, (A.rows(), A.cols()))
        .number(A.rows())
        .number(A.width())
        .array("the columns of HYB's ELL part", ell::marked_columns(A.ell()))
        .values("the values of HYB's ELL part", A.ell().val())
        .array("which rows of HYB are long", is_long)
        .array("the long rows of HYB", long_row);
    Ok(merge::with_rows(layout, start, A.coo().col(), A.coo().val()).shared_by(lanes))
}

/// The rows that occur in an ascending list, and where each begins.
fn long_rows(row: &[u32]) -> (Vec<u32>, Vec<u64>) {
    let (mut rows, mut start) = (Vec::new(), Vec::new());
    for (k, &i) in row.iter().enumerate() {
        if rows.last() != Some(&i) {
            rows.push(i);
            start.push(k as u64);
        }
    }
    start.push(row.len() as u64);
    (rows, start)
}
