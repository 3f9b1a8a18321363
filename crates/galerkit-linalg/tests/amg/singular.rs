//! Singular systems: every kernel is skipped at its pivot, and a right-hand side outside of the range is never
//! "converged".

use super::{Solved, assert_near, solve};
use galerkit_linalg::Error;
use galerkit_linalg::gallery::{Stencil, poisson2d};
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::amg::{residual, rhs};
use galerkit_testkit::problems::from_triples;

/// A square of n x n points without boundary values: rows sum to zero.
fn neumann(n: usize) -> Csr<f64> {
    let A = poisson2d(n, Stencil::Points5).expect("a problem");
    let beside = |i: usize| A.row(i).filter(move |(j, _)| *j != i);
    let row =
        |i: usize| beside(i).map(move |(j, a)| (i, j, a)).chain([(i, i, -beside(i).map(|(_, a)| a).sum::<f64>())]);
    from_triples(A.rows(), A.rows(), &(0..A.rows()).flat_map(row).collect::<Vec<_>>())
}

/// Several copies of a matrix beside each other.
fn copies(A: &Csr<f64>, count: usize) -> Csr<f64> {
    let n = A.rows();
    let copy = |k: usize| (0..n).flat_map(move |i| A.row(i).map(move |(j, a)| (k * n + i, k * n + j, a)));
    from_triples(count * n, count * n, &(0..count).flat_map(copy).collect::<Vec<_>>())
}

/// The hash, with the mean of each part taken out.
fn balanced(parts: usize, rows: usize) -> Vec<f64> {
    let mut b = rhs::<f64>(parts * rows);
    for part in b.chunks_mut(rows) {
        let mean = part.iter().sum::<f64>() / rows as f64;
        part.iter_mut().for_each(|b| *b -= mean);
    }
    b
}

fn has_note(solved: &Solved<f64>, words: &str) -> bool {
    solved.summary.notes.iter().any(|note| note.contains(words))
}

#[test]
fn kernels_of_dimension_one_and_two() {
    let A = neumann(128);
    for (parts, expected, skipped) in [(1, 11, "1 pivot"), (2, 13, "2 pivots")] {
        let (A, b) = (copies(&A, parts), balanced(parts, A.rows()));
        let solved = solve(&A, &b, "amg", true).expect("levels");
        assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "{parts}");
        assert_near(solved.iterations, expected, "squares without a boundary value");
        assert!(has_note(&solved, skipped), "{:?}", solved.summary.notes);
    }
}

#[test]
fn a_right_hand_side_outside_of_the_range_is_never_solved() {
    let A = neumann(32);
    let mut b = balanced(1, A.rows());
    b.iter_mut().for_each(|b| *b += 0.1);
    for name in ["amg,coarse=100", "amg,coarse=100,cycle=W", "amg:classical,coarse=100", "amg:pairs,coarse=100"] {
        let solved = solve(&A, &b, name, true).expect("levels");
        assert!(!solved.converged, "{name}");
        assert!(residual(&A, &solved.x, &b) > 1e-3, "{name}");
    }
}

#[test]
fn aggregates_span_no_two_components() {
    let A = copies(&poisson2d(24, Stencil::Points5).expect("a problem"), 3);
    let solved = solve(&A, &rhs::<f64>(A.rows()), "amg,coarse=100", true).expect("levels");
    assert!(solved.converged);
    let aggregates = solved.summary.levels[0].aggregates.expect("more than one level");
    let one = solve(&poisson2d(24, Stencil::Points5).expect("a problem"), &rhs::<f64>(576), "amg,coarse=100", true);
    let alone = one.expect("levels").summary.levels[0].aggregates.expect("more than one level");
    assert!(aggregates.abs_diff(3 * alone) <= 9, "{aggregates} and {alone}: hashes are others in the copies");
}

#[test]
fn what_no_memory_holds_is_refused_before_it_is_allocated() {
    assert!(matches!(poisson2d(70_000, Stencil::Points5), Err(Error::IndexOverflow { .. })), "4.9e9 rows");
    assert!(matches!(poisson2d(60_000, Stencil::Points5), Err(Error::OutOfMemory { .. })), "18e9 entries");
    // a column times a row: 1.4e10 entries from 2.4e5
    let n = 120_000;
    let column = from_triples(n, n, &(0..n).map(|i| (i, 0, 1.0)).collect::<Vec<_>>());
    let row = from_triples(n, n, &(0..n).map(|j| (0, j, 1.0)).collect::<Vec<_>>());
    let refused = column.multiply(&row).expect_err("too large");
    assert!(matches!(refused, Error::OutOfMemory { .. }) && refused.to_string().contains("product"), "{refused}");
}
