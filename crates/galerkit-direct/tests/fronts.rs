//! LU by fronts, where patterns are symmetric; what it cannot do is done with interchanges of all rows.

use galerkit_direct::{Transposition, sparse_lu};
use galerkit_linalg::gallery::{Stencil, poisson2d, poisson3d};
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::{distance, problems};

/// A pattern with other values, not symmetric and far from definite: the diagonal is as small as the rest.
fn scattered<S: Scalar>(pattern: &Csr<f64>) -> Csr<S> {
    let mut random = Random::new(7);
    let values: Vec<S> = (0..pattern.nnz()).map(|_| S::from_parts(random.unit() - 0.5, random.unit() - 0.5)).collect();
    pattern.map_values(|_| S::zero()).with_values(&values)
}

fn answers_are_right<S: Scalar>(A: &Csr<S>) {
    let factor = sparse_lu(A).unwrap();
    let x = problems::scattered::<S>(A.rows(), 3);
    for transposition in [Transposition::None, Transposition::Transposed, Transposition::Adjoint] {
        let b = problems::product(&transposition.of(A), &x);
        let found = factor.solve_with(transposition, &b).unwrap();
        assert!(distance(&found, &x) <= 1e-8, "{transposition:?}: {:e}", distance(&found, &x));
    }
}

#[test]
fn grids_with_any_values_in_the_plane_and_in_space() {
    let [plane, space] = [poisson2d(25, Stencil::Points9).unwrap(), poisson3d(9, Stencil::Points27).unwrap()];
    answers_are_right(&plane.map_values(|a| c64::new(a - 0.4, 0.01)));
    answers_are_right(&space.map_values(|a| if a > 0.0 { a - 3.1 } else { a }));
    answers_are_right::<f64>(&scattered(&plane));
    answers_are_right::<c64>(&scattered(&space));
}

/// A_ij = A_ji, where half of each front is enough; but for a rounding it is none.
#[test]
fn symmetric_values_that_are_not_definite() {
    fn mirrored<S: Scalar>(pattern: &Csr<f64>, off: f64) -> Csr<S> {
        let A = scattered::<S>(pattern);
        let mirrored =
            |(i, j, a): (usize, usize, S)| (i, j, if i < j { A.get(j, i).unwrap() * S::from_f64(off) } else { a });
        let triples = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a))).map(mirrored);
        Coo::from_triples(A.rows(), A.rows(), &triples.collect::<Vec<_>>()).unwrap().to_csr().0
    }
    let [plane, space] = [poisson2d(30, Stencil::Points9).unwrap(), poisson3d(10, Stencil::Points27).unwrap()];
    for off in [1.0, 1.0 + f64::EPSILON, 1.0 + 1e-7] {
        answers_are_right::<f64>(&mirrored(&plane, off));
        answers_are_right::<c64>(&mirrored(&space, off));
    }
    answers_are_right::<c64>(&mirrored(&poisson3d(20, Stencil::Points27).unwrap(), 1.0)); // groups of subtrees
}

/// Some entries have no partner across the diagonal: it is a zero.
#[test]
fn a_pattern_that_is_nearly_symmetric() {
    let A = poisson2d(20, Stencil::Points5).unwrap();
    let kept = (0..A.rows())
        .flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a)))
        .filter(|(i, j, _)| j + 20 != *i || i % 2 == 0);
    answers_are_right(&Coo::from_triples(400, 400, &kept.collect::<Vec<_>>()).unwrap().to_csr().0);
}

/// Two unknowns of each pair hold each other: no interchange within a front finds a pivot for the first one where they
/// are apart.
#[test]
fn what_needs_interchanges_between_fronts_gets_them() {
    let pairs = (0..200).flat_map(|i: usize| {
        let partner = (i + 100) % 200;
        [(i, partner, 1.0), (i, i, 0.0), (i, (i + 1) % 200, 1e-30), ((i + 1) % 200, i, 1e-30)]
    });
    answers_are_right(&Coo::from_triples(200, 200, &pairs.collect::<Vec<_>>()).unwrap().to_csr().0);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let A = poisson3d(18, Stencil::Points27).unwrap().map_values(|a| c64::new(a, 0.2)); // enough for groups of subtrees
    let b = problems::scattered::<c64>(A.rows(), 3);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| sparse_lu(&A).unwrap().solve(&b).unwrap())
    };
    assert_eq!(on(1), on(3));
}
