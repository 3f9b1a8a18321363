//! How far a matrix is symmetric: fronts need a pattern that is, nearly, and symmetric values save them half of the work.

use faer::sparse::SymbolicSparseColMat;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, parallel};

/// Entries without a partner across the diagonal, over all, up to which a pattern counts as symmetric: each becomes a
/// stored zero.
const MISSING: f64 = 0.3;

/// Difference of two entries across the diagonal that counts as rounding, relative to the largest of their rows.
const ROUNDING: f64 = 1e-15;

/// Whether fronts are worth it: nearly every entry has a partner across the diagonal.
pub fn is_nearly_symmetric<S: Scalar>(A: &Csr<S>) -> bool {
    unpaired(A).len() as f64 <= MISSING * A.nnz() as f64
}

/// Entries without a partner, by row and column.
fn unpaired<S: Scalar>(A: &Csr<S>) -> Vec<(usize, usize)> {
    let columns = |i: usize| &A.col()[A.start()[i] as usize..A.start()[i + 1] as usize];
    let is_alone = |i: usize, j: usize| columns(j).binary_search(&(i as u32)).is_err();
    let of_row = |i: usize| A.row(i).filter(|&(j, _)| is_alone(i, j)).map(|(j, _)| (i, j)).collect::<Vec<_>>();
    parallel::values(A.rows(), &of_row).concat()
}

/// The lower triangle of A + A^T by columns, which is its upper one by rows; none where fronts are not worth it.
pub fn lower_triangle<S: Scalar>(A: &Csr<S>) -> Option<SymbolicSparseColMat<usize>> {
    let mut missing = unpaired(A);
    if missing.len() as f64 > MISSING * A.nnz() as f64 {
        return None;
    }
    missing.retain(|(i, j)| i > j);
    missing.sort_unstable_by_key(|&(i, j)| (j, i));
    let (mut missing, mut start, mut rows) = (missing.into_iter().peekable(), vec![0], Vec::new());
    for j in 0..A.rows() {
        rows.push(j);
        rows.extend(A.row(j).map(|(i, _)| i).filter(|&i| i > j));
        while let Some((i, _)) = missing.next_if(|entry| entry.1 == j) {
            rows.push(i);
        }
        rows[start[j]..].sort_unstable();
        start.push(rows.len());
    }
    Some(SymbolicSparseColMat::new_checked(A.rows(), A.rows(), start, None, rows))
}

/// Whether A = A^T but for rounding, complex matrices too: what is seen at entry (i, j) is at (j, i).
pub fn is_symmetric<S: Scalar>(A: &Csr<S>) -> bool {
    let size = |a: S| a.parts().0.hypot(a.parts().1);
    let largest = |i: usize| A.row(i).fold(0.0f64, |most, (_, a)| most.max(size(a)));
    let largest: Vec<f64> = parallel::values(A.rows(), &largest);
    let has_other = |i: usize| {
        let apart = |j: usize, a: S| size(A.get(j, i).map_or(a, |b| a - b));
        A.row(i).any(|(j, a)| apart(j, a) > ROUNDING * largest[i].min(largest[j]))
    };
    A.rows() == A.cols() && !parallel::any(A.rows(), &has_other)
}
