//! How far a matrix is symmetric: fronts need a pattern that is, nearly, and symmetric values save them half of the work.

use super::groups::Groups;
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
    A.has_symmetric_pattern() || unpaired_if_few(A).is_some()
}

/// Entries without a partner, by row and column, if they are few.
fn unpaired_if_few<S: Scalar>(A: &Csr<S>) -> Option<Vec<(usize, usize)>> {
    let columns = |i: usize| &A.col()[A.range(i)];
    let is_alone = |i: usize, j: usize| columns(j).binary_search(&(i as u32)).is_err();
    let of_row = |i: usize| A.row(i).filter(|&(j, _)| is_alone(i, j)).map(|(j, _)| (i, j)).collect::<Vec<_>>();
    let unpaired = parallel::values(A.rows(), &of_row).concat();
    (unpaired.len() as f64 <= MISSING * A.nnz() as f64).then_some(unpaired)
}

/// The lower triangle of A + A^T by columns, which is its upper one by rows, with one row and column for each group;
/// none where fronts are not worth it.
pub fn lower_triangle<S: Scalar>(A: &Csr<S>) -> Option<(Groups, SymbolicSparseColMat<usize>)> {
    let (groups, mut missing) = match A.has_symmetric_pattern() {
        true => (Groups::if_few(A), Vec::new()),
        false => (Groups::single(A.rows()), unpaired_if_few(A)?),
    };
    missing.retain(|(i, j)| i > j);
    missing.sort_unstable_by_key(|&(i, j)| (j, i));
    let numbers = groups.numbers();
    let of_column = |group: usize| {
        let j = groups.rows(group)[0];
        let added = missing.partition_point(|entry| entry.1 < j)..missing.partition_point(|entry| entry.1 <= j);
        let mut rows = vec![group];
        rows.extend(A.row(j).filter_map(|(i, _)| numbers[i]).filter(|&other| other > group));
        rows.extend(missing[added].iter().map(|entry| entry.0));
        rows.sort_unstable();
        rows
    };
    let columns = parallel::values(groups.count(), &of_column);
    let mut start = vec![0];
    columns.iter().zip(0..).for_each(|(rows, j): (_, usize)| start.push(start[j] + rows.len()));
    let (count, rows) = (groups.count(), parallel::concatenated(columns));
    Some((groups, SymbolicSparseColMat::new_checked(count, count, start, None, rows)))
}

/// Whether A = A^T but for rounding, complex matrices too: what is seen at entry (i, j) is at (j, i).
pub fn is_symmetric<S: Scalar>(A: &Csr<S>) -> bool {
    let size = |a: S| a.parts().0.abs() + a.parts().1.abs();
    let largest = |i: usize| A.row(i).fold(0.0f64, |most, (_, a)| most.max(size(a)));
    let largest: Vec<f64> = parallel::values(A.rows(), &largest);
    let has_partners = A.has_symmetric_pattern();
    let has_other = |i: usize| {
        let apart = |j: usize, a: S| size(A.get(j, i).map_or(a, |b| a - b));
        let mut asked = A.row(i).filter(|&(j, _)| j > i || !has_partners); // a pair is looked at once
        asked.any(|(j, a)| apart(j, a) > ROUNDING * largest[i].min(largest[j]))
    };
    A.rows() == A.cols() && !parallel::any(A.rows(), &has_other)
}
