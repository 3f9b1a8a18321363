//! The coarse matrix R (A P), with its structural pattern: entries that are zero by chance stay, so that other values
//! need no symbolic work. Of a matrix that equals its mirror image the upper triangle is computed, and mirrored:
//! symmetry to the bit.

use super::restrict::Class;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::sparse::build;
use crate::sparse::pieces::Pieces;

/// R (A P), and A P for whoever computes it again with other values.
pub(super) fn galerkin<S: Scalar>(class: Class, R: &Csr<S>, A: &Csr<S>, P: &Csr<S>) -> Result<(Csr<S>, Pieces<S>)> {
    let AP = A.multiply_in_pieces(P)?;
    let coarse = match class {
        Class::General => R.multiply_pieces(&AP)?,
        Class::Hermitian | Class::Symmetric => mirrored(&R.multiply_pieces_upper(&AP)?, class),
    };
    Ok((coarse, AP))
}

/// The whole of a matrix whose upper triangle this is; the diagonal of a Hermitian one is made real.
pub(super) fn mirrored<S: Scalar>(upper: &Csr<S>, class: Class) -> Csr<S> {
    let lower = if class == Class::Hermitian { upper.conjugate_transpose() } else { upper.transpose() };
    build::append_rows(upper.cols(), upper.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            for (j, a) in lower.row(i).filter(|(j, _)| *j < i).chain(upper.row(i)) {
                made.col.push(j as u32);
                made.val.push(if j == i && class == Class::Hermitian { S::from_real(a.re()) } else { a });
            }
            made.lengths.push((made.col.len() - before) as u32);
        }
    })
}

/// The upper triangle of a matrix, its diagonal included.
pub(super) fn upper<S: Scalar>(A: &Csr<S>) -> Csr<S> {
    build::append_rows(A.cols(), A.start(), &|rows, made| {
        for i in rows {
            let before = made.col.len();
            for (j, a) in A.row(i).filter(|(j, _)| *j >= i) {
                made.col.push(j as u32);
                made.val.push(a);
            }
            made.lengths.push((made.col.len() - before) as u32);
        }
    })
}

/// Dead columns of T, which are among these, have zeros in their rows and columns of the coarse matrix; 1 on the
/// diagonal keeps them where they are.
pub(super) fn rest<S: Scalar>(coarse: &mut Csr<S>, rows: impl IntoIterator<Item = usize>) {
    for i in rows {
        let range = coarse.range(i);
        let at = range.start + coarse.col()[range].partition_point(|&j| (j as usize) < i);
        if at < coarse.nnz() && coarse.col()[at] as usize == i && coarse.val()[at] == S::zero() {
            coarse.val_mut()[at] = S::one();
        }
    }
}
