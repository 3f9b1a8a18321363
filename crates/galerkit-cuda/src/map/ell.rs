//! ELL and ELL-R, column by column or, to show what coalescing gains, row by row. ELL's padding is marked by its
//! column, ELL-R reads row lengths. Kernel: `ell.cu`.

use super::columns::PAD;
use super::layout::{RUN, Source};
use super::{Interface, Layout, Tuning};
use crate::error::Result;
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::{Ell, EllR};
use std::borrow::Cow;

pub(super) fn layout<'a, S: Scalar>(A: &'a Ell<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let col = marked_columns(A);
    Ok(strides(A, tuning, false)?
        .number(0)
        .array("the columns of ELL", arranged(A, tuning, col.into()))
        .values("the values of ELL", arranged(A, tuning, A.val().into())))
}

pub(super) fn layout_with_lengths<'a, S: Scalar>(A: &'a EllR<S>, tuning: &Tuning) -> Result<Layout<'a>> {
    let ell = A.ell();
    Ok(strides(ell, tuning, true)?
        .array("the row lengths of ELL-R", A.len())
        .array_unread("the columns of ELL-R", arranged(ell, tuning, A.col().into()))
        .values_unread("the values of ELL-R", arranged(ell, tuning, A.val().into()))
        .reads(A.nnz() * (4 + size_of::<S>())))
}

/// The text and the sizes.
fn strides<'a, S: Scalar>(A: &Ell<S>, tuning: &Tuning, lengths: bool) -> Result<Layout<'a>> {
    let source = Source::new()
        .flag("LENGTHS", lengths)
        .columns(false)
        .number("UNROLL", tuning.unroll_for::<S>()?)
        .text(&[RUN, include_str!("../../kernels/ell.cu")]);
    let (row_stride, entry_stride) = if tuning.row_major { (A.width(), 1) } else { (1, A.rows()) };
    Ok(Layout::new(Interface::Rows, source, (A.rows(), A.cols()))
        .number(A.rows())
        .number(A.width())
        .number(row_stride)
        .number(entry_stride))
}

/// The columns with padding marked, stored column by column.
pub(super) fn marked_columns<S: Scalar>(A: &Ell<S>) -> Vec<u32> {
    let mut col = A.col().to_vec();
    let rows = A.rows().max(1);
    parallel::each_chunk(&mut col, rows, &|first, col| {
        for (j, &len) in col.iter_mut().zip(A.len()) {
            if first / rows >= len as usize {
                *j = PAD;
            }
        }
    });
    col
}

/// An array stored column by column, as it is or row by row.
fn arranged<'a, S: Scalar, T: Copy>(A: &Ell<S>, tuning: &Tuning, array: Cow<'a, [T]>) -> Cow<'a, [T]> {
    if !tuning.row_major {
        return array;
    }
    (0..A.rows()).flat_map(|i| (0..A.width()).map(move |e| (i, e))).map(|(i, e)| array[e * A.rows() + i]).collect()
}
