//! COO, sorted by row on the way if it is not (the order inside a row is kept). Kernel: `coo.cu`.

use super::layout::{CARRIES, RUN, Source};
use super::merge::{self, TILE};
use super::{Interface, Layout, Tuning};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::Coo;

pub(super) fn layout<'a, S: Scalar>(A: &'a Coo<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let source = Source::new().number("TILE", TILE).columns(false).number("UNROLL", tuning.unroll_for::<S>()?).text(&[
        RUN,
        CARRIES,
        include_str!("../../kernels/coo.cu"),
    ]);
    let empty = empty_rows(A);
    let layout = Layout::new(Interface::Split, source, (A.rows(), A.cols())).number(A.nnz()).number(empty.len());
    let layout = if A.row().is_sorted() {
        layout
            .array("the rows of COO", A.row())
            .array("the columns of COO", A.col())
            .values("the values of COO", A.val())
    } else {
        let mut sorted: Vec<usize> = (0..A.nnz()).collect();
        sorted.sort_by_key(|&k| A.row()[k]); // stable
        let pick = |from: &[u32]| sorted.iter().map(|&k| from[k]).collect::<Vec<_>>();
        let val: Vec<S> = sorted.iter().map(|&k| A.val()[k]).collect();
        layout
            .array("the rows of COO", pick(A.row()))
            .array("the columns of COO", pick(A.col()))
            .values("the values of COO", val)
    };
    let layout = layout.array("the empty rows of COO", empty);
    Ok(merge::with_carries::<S>(layout).shared_by(merge::lanes(A.nnz(), A.rows())))
}

/// Rows without an entry, which no entry would write.
fn empty_rows<S: Scalar>(A: &Coo<S>) -> Vec<u32> {
    let mut occupied = vec![false; A.rows()];
    A.row().iter().for_each(|&i| occupied[i as usize] = true);
    (0..A.rows() as u32).filter(|&i| !occupied[i as usize]).collect()
}
