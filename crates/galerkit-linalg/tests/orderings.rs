//! Structural operations on compressed rows: tiny matrices by hand, integer properties with exact equality, and
//! orderings of shuffled grids.

use galerkit_linalg::gallery::{Order, Random, Stencil, convection_diffusion2d, poisson2d, tetra};
use galerkit_linalg::sparse::{
    Coo, Csr, Levels, Permutation, Symmetry, Verdict, bandwidth, definiteness_hints, locality, reordering_pays,
    reverse_cuthill_mckee, symmetry,
};
use galerkit_linalg::{Error, Scalar, c64};
use proptest::prelude::*;

type Triples = Vec<(usize, usize, f64)>;

fn matrix<S: Scalar>(rows: usize, cols: usize, triples: &[(usize, usize, S)]) -> Csr<S> {
    Coo::from_triples(rows, cols, triples).unwrap().to_csr().0
}

fn dense<S: Scalar>(A: &Csr<S>) -> Vec<Vec<S>> {
    let mut full = vec![vec![S::zero(); A.cols()]; A.rows()];
    for (i, row) in full.iter_mut().enumerate() {
        A.row(i).for_each(|(j, v)| row[j] = v);
    }
    full
}

fn shuffle<S: Scalar>(A: &Csr<S>, seed: u64) -> Csr<S> {
    let order = Permutation::from_old(Random::new(seed).shuffled(A.rows())).unwrap();
    A.permute_symmetric(&order).unwrap()
}

/// [ 1 2 0 ]
/// [ 0 3 4 ]
/// [ 5 0 6 ]
fn small() -> Csr<f64> {
    matrix(3, 3, &[(0, 0, 1.0), (0, 1, 2.0), (1, 1, 3.0), (1, 2, 4.0), (2, 0, 5.0), (2, 2, 6.0)])
}

#[test]
fn permutations_by_hand() {
    let order = Permutation::from_old(vec![2, 0, 1]).unwrap(); // new row 0 is old row 2
    let both = small().permute_symmetric(&order).unwrap();
    assert_eq!(dense(&both), [[6.0, 5.0, 0.0], [0.0, 1.0, 2.0], [4.0, 0.0, 3.0]]);
    assert_eq!(both.col(), [0, 1, 1, 2, 0, 2]);
    let rows = small().permute_rows(&order).unwrap();
    assert_eq!(dense(&rows), [[5.0, 0.0, 6.0], [1.0, 2.0, 0.0], [0.0, 3.0, 4.0]]);
    let wide = matrix(1, 2, &[(0, 1, 1.0)]);
    assert!(matches!(wide.permute_symmetric(&Permutation::identity(1)), Err(Error::NotSquare { .. })));
    assert!(matches!(small().permute_rows(&Permutation::identity(2)), Err(Error::DimensionMismatch { .. })));
}

#[test]
fn transposes_by_hand() {
    let A = matrix(2, 3, &[(0, 0, c64::new(1.0, 2.0)), (0, 2, c64::new(3.0, 0.0)), (1, 0, c64::new(0.0, -1.0))]);
    let T = A.transpose();
    assert_eq!((T.rows(), T.cols()), (3, 2));
    assert_eq!((T.start(), T.col()), (&[0u64, 2, 2, 3][..], &[0u32, 1, 0][..]));
    assert_eq!(T.val(), [c64::new(1.0, 2.0), c64::new(0.0, -1.0), c64::new(3.0, 0.0)]);
    assert_eq!(A.conjugate_transpose().val(), [c64::new(1.0, -2.0), c64::new(0.0, 1.0), c64::new(3.0, 0.0)]);
}

#[test]
fn products_and_sums_by_hand() {
    let A = matrix(2, 2, &[(0, 0, 1.0), (0, 1, 1.0), (1, 1, 2.0)]);
    let B = matrix(2, 3, &[(0, 0, 1.0), (0, 2, 4.0), (1, 0, -1.0), (1, 1, 3.0)]);
    let C = A.multiply(&B).unwrap();
    assert_eq!(dense(&C), [[0.0, 3.0, 4.0], [-2.0, 6.0, 0.0]]);
    assert_eq!(C.start(), [0, 3, 5], "what cancels stays stored");
    let sum = Csr::combine(2.0, &small(), -1.0, &Csr::identity(3)).unwrap();
    assert_eq!(dense(&sum), [[1.0, 4.0, 0.0], [0.0, 5.0, 8.0], [10.0, 0.0, 11.0]]);
    assert!(matches!(B.multiply(&B), Err(Error::DimensionMismatch { .. })));
    assert!(matches!(Csr::combine(1.0, &A, 1.0, &B), Err(Error::DimensionMismatch { .. })));
    let empty = matrix::<f64>(0, 0, &[]);
    assert_eq!(empty.multiply(&empty).unwrap(), empty);
    assert_eq!(matrix::<f64>(2, 0, &[]).multiply(&matrix(0, 3, &[])).unwrap(), matrix(2, 3, &[]));
}

/// Rows enough for several threads, whose answers lie in the rows of others.
#[test]
fn symmetry_of_many_rows() {
    let A = poisson2d(150, Stencil::Points9).unwrap();
    assert_eq!(symmetry(&A), Symmetry::Symmetric);
    let changed = |k: usize, value: f64| {
        let mut changed = A.clone();
        changed.val_mut()[k] = value;
        symmetry(&changed)
    };
    let (first, last) = (1, A.nnz() - 2);
    assert_eq!([first, last, A.nnz() / 2 + 1].map(|k| changed(k, 0.125)), [Symmetry::Pattern; 3]);
    let without = |k: usize| {
        let row = A.start().partition_point(|&start| start <= k as u64) - 1;
        let start = A.start().iter().enumerate().map(|(i, &start)| start - u64::from(i > row)).collect();
        let (mut col, mut val) = (A.col().to_vec(), A.val().to_vec());
        col.remove(k);
        val.remove(k);
        Csr::new(A.rows(), A.cols(), start, col, val).unwrap()
    };
    assert_eq!([first, last, A.nnz() / 2 + 1].map(|k| symmetry(&without(k))), [Symmetry::None; 3]);
    // A stored zero without mirror image changes nothing.
    let mirror = (0..A.nnz()).find(|&k| A.col()[k] == 0 && k > 0).unwrap();
    let mut zero = without(mirror);
    zero.val_mut()[1] = 0.0;
    assert_eq!(symmetry(&zero), Symmetry::Symmetric);
}

#[test]
fn symmetry_is_exact() {
    let classify = |triples: &[(usize, usize, f64)]| symmetry(&matrix(3, 3, triples));
    assert_eq!(classify(&[]), Symmetry::Symmetric);
    assert_eq!(classify(&[(0, 1, 2.0), (1, 0, 2.0), (2, 2, 1.0)]), Symmetry::Symmetric);
    assert_eq!(classify(&[(0, 1, 2.0), (1, 0, -2.0)]), Symmetry::Skew);
    assert_eq!(classify(&[(0, 1, 2.0), (1, 0, -2.0), (2, 2, 1.0)]), Symmetry::Pattern);
    assert_eq!(classify(&[(0, 1, 2.0), (1, 0, 2.0 + 1e-15)]), Symmetry::Pattern);
    assert_eq!(classify(&[(0, 1, 2.0)]), Symmetry::None);
    assert_eq!(classify(&[(2, 0, 2.0)]), Symmetry::None);
    assert_eq!(classify(&[(0, 0, 1.0), (2, 0, 0.0)]), Symmetry::Symmetric, "a stored zero equals one that is not");
    assert_eq!(classify(&[(0, 0, f64::NAN)]), Symmetry::Pattern, "NaN equals nothing");
    assert_eq!(symmetry(&matrix(1, 2, &[(0, 0, 1.0)])), Symmetry::None);
    let complex = |a, b| symmetry(&matrix(2, 2, &[(0, 1, a), (1, 0, b)]));
    let z = c64::new(1.0, 2.0);
    assert_eq!(complex(z, z), Symmetry::Symmetric);
    assert_eq!(complex(z, z.conj()), Symmetry::Hermitian);
    assert_eq!(complex(z, -z), Symmetry::Skew);
    assert_eq!(complex(c64::new(3.0, 0.0), c64::new(3.0, 0.0)), Symmetry::Hermitian);
    assert!(Symmetry::Symmetric.is_self_adjoint::<f64>() && !Symmetry::Symmetric.is_self_adjoint::<c64>());
}

#[test]
fn definiteness_hints_by_hand() {
    let A = matrix(2, 2, &[(0, 0, 5.0), (0, 1, -2.0), (1, 0, -2.0), (1, 1, 2.0)]);
    let hints = definiteness_hints(&A).unwrap();
    assert!(hints.positive_diagonal && !hints.prove_positive_definite());
    assert_eq!((hints.dominant_rows, hints.strictly_dominant_rows), (2, 1));
    assert_eq!((hints.gershgorin_low, hints.gershgorin_high), (0.0, 7.0));
    assert!(!definiteness_hints(&matrix(2, 2, &[(0, 0, 1.0)])).unwrap().positive_diagonal);
    assert!(definiteness_hints(&Csr::<f64>::identity(4)).unwrap().prove_positive_definite());
    assert!(definiteness_hints(&matrix(1, 2, &[(0, 0, 1.0)])).is_err());
}

#[test]
fn rcm_of_small_graphs() {
    // The path 3 - 0 - 4 - 1 - 2, only half of it stored.
    let path = matrix(5, 5, &[(3, 0, 1.0), (0, 4, 1.0), (1, 4, 1.0), (2, 1, 1.0)]);
    let order = reverse_cuthill_mckee(&path).unwrap();
    assert_eq!(bandwidth(&path.permute_symmetric(&order).unwrap()), 1);
    assert!([[3, 0, 4, 1, 2], [2, 1, 4, 0, 3]].contains(&order.old().try_into().unwrap()));
    // Two pairs and an isolated vertex without any entry.
    let pairs = matrix(5, 5, &[(0, 4, 1.0), (4, 0, 1.0), (1, 3, 1.0), (3, 1, 1.0)]);
    let order = reverse_cuthill_mckee(&pairs).unwrap();
    assert_eq!(bandwidth(&pairs.permute_symmetric(&order).unwrap()), 1);
    assert!(reverse_cuthill_mckee(&matrix::<f64>(0, 0, &[])).unwrap().is_empty());
    assert!(matches!(reverse_cuthill_mckee(&matrix(1, 2, &[(0, 0, 1.0)])), Err(Error::NotSquare { .. })));
}

#[test]
fn rcm_brings_a_shuffled_grid_back() {
    for stencil in [Stencil::Points5, Stencil::Points9] {
        let natural = poisson2d(40, stencil).unwrap(); // bandwidth 40 or 41
        let shuffled = shuffle(&natural, 5);
        assert!(bandwidth(&shuffled) > 1000);
        let order = reverse_cuthill_mckee(&shuffled).unwrap();
        let back = shuffled.permute_symmetric(&order).unwrap();
        assert!(bandwidth(&back) <= 2 * bandwidth(&natural), "bandwidth {}", bandwidth(&back));
        assert_eq!(symmetry(&back), Symmetry::Symmetric);
        let vector: Vec<f64> = (0..1600).map(f64::from).collect();
        assert_eq!(order.scatter(&order.gather(&vector).unwrap()).unwrap(), vector);
    }
    // The levels of the five-point grid from a corner are its diagonals, at most 40 vertices each.
    let five = shuffle(&poisson2d(40, Stencil::Points5).unwrap(), 6);
    let order = reverse_cuthill_mckee(&five).unwrap();
    assert!(bandwidth(&five.permute_symmetric(&order).unwrap()) <= 41);
}

#[test]
fn rcm_ignores_the_direction_of_couplings() {
    let A = shuffle(&poisson2d(20, Stencil::Points5).unwrap(), 3);
    let lower: Triples =
        (0..400).flat_map(|i| A.row(i).filter(move |&(j, _)| j <= i).map(move |(j, v)| (i, j, v))).collect();
    let half = matrix(400, 400, &lower);
    assert_eq!(reverse_cuthill_mckee(&half).unwrap(), reverse_cuthill_mckee(&A).unwrap());
}

#[test]
fn reordering_is_chosen_where_it_pays() {
    let natural = tetra(52, Order::Natural, 1).unwrap(); // 140608 unknowns: x is just larger than the cache
    let shuffled = tetra(52, Order::Random, 1).unwrap();
    let stays = reordering_pays(&natural);
    assert_eq!(stays.verdict, Verdict::AlreadyLocal);
    assert!(stays.permutation.is_none() && stays.after.is_none());
    let moves = reordering_pays(&shuffled);
    assert_eq!(moves.verdict, Verdict::Pays, "{moves}");
    assert!(moves.expected_speedup() > 2.0 && moves.before.scatter() > 20.0, "{moves}");
    let permuted = shuffled.permute_symmetric(moves.permutation.as_ref().unwrap()).unwrap();
    assert_eq!(Some(locality(&permuted)), moves.after, "the estimate through the permutation is that of the result");
    assert!(locality(&permuted).scatter() < 5.0);
    assert_eq!(reordering_pays(&small()).verdict, Verdict::FitsCache);
    assert_eq!(reordering_pays(&matrix(1, 2, &[(0, 0, 1.0)])).verdict, Verdict::NotSquare);
    assert_eq!(locality(&Csr::<f64>::identity(64)).scatter(), 1.0);
    assert_eq!(locality(&matrix::<f64>(0, 0, &[])).scatter(), 1.0);
}

#[test]
fn large_operations_cross_block_boundaries() {
    let A = convection_diffusion2d(150, 0.5, [1.0, -2.0]).unwrap(); // 111900 entries: several blocks
    let order = Permutation::from_old(Random::new(9).shuffled(A.rows())).unwrap();
    let there = A.permute_symmetric(&order).unwrap();
    assert_eq!(there.permute_symmetric(&order.inverse()).unwrap(), A);
    assert_eq!(A.permute_rows(&order).unwrap().permute_rows(&order.inverse()).unwrap(), A);
    assert_eq!(A.transpose().transpose(), A);
    assert_eq!(A.multiply(&Csr::identity(A.cols())).unwrap(), A);
    assert_eq!(Csr::combine(2.0, &A, -1.0, &A).unwrap(), A);
    assert_eq!(symmetry(&A), Symmetry::Pattern);
}

fn entries(rows: usize, cols: usize) -> impl Strategy<Value = Triples> {
    let entry = (0..rows, 0..cols, -8i8..=8).prop_map(|(i, j, v)| (i, j, v as f64));
    proptest::collection::vec(entry, 0..40)
}

fn three() -> impl Strategy<Value = (Csr<f64>, Csr<f64>, Csr<f64>)> {
    (1usize..9, 1usize..9, 1usize..9).prop_flat_map(|(m, k, n)| {
        (entries(m, k), entries(k, n), entries(k, n))
            .prop_map(move |(a, b, c)| (matrix(m, k, &a), matrix(k, n, &b), matrix(k, n, &c)))
    })
}

fn square_with_order() -> impl Strategy<Value = (Csr<f64>, Permutation)> {
    (1usize..12).prop_flat_map(|n| {
        let order = Just((0..n as u32).collect::<Vec<u32>>()).prop_shuffle();
        (entries(n, n), order).prop_map(move |(a, order)| (matrix(n, n, &a), Permutation::from_old(order).unwrap()))
    })
}

/// The least vertex that each vertex is joined to, by passing it on until nothing changes.
fn components(A: &Csr<f64>) -> Vec<usize> {
    let mut least: Vec<usize> = (0..A.rows()).collect();
    for _ in 0..A.rows() {
        for i in 0..A.rows() {
            for (j, _) in A.row(i) {
                let joint = least[i].min(least[j]);
                (least[i], least[j]) = (joint, joint);
            }
        }
    }
    least
}

proptest! {
    #[test]
    fn product_and_sum_equal_dense((A, B, C) in three()) {
        let (a, b, c) = (dense(&A), dense(&B), dense(&C));
        let product = dense(&A.multiply(&B).unwrap());
        let sum = dense(&Csr::combine(3.0, &B, -2.0, &C).unwrap());
        for j in 0..B.cols() {
            for i in 0..A.rows() {
                prop_assert_eq!(product[i][j], (0..B.rows()).map(|k| a[i][k] * b[k][j]).sum::<f64>());
            }
            for i in 0..B.rows() {
                prop_assert_eq!(sum[i][j], 3.0 * b[i][j] - 2.0 * c[i][j]);
            }
        }
    }

    #[test]
    fn transposed_identities((A, B, C) in three()) {
        let (At, Bt, Ct) = (A.transpose(), B.transpose(), C.transpose());
        prop_assert_eq!(At.transpose(), A.clone());
        prop_assert_eq!(A.multiply(&B).unwrap().transpose(), Bt.multiply(&At).unwrap());
        let sum = Csr::combine(1.0, &B, 1.0, &C).unwrap();
        prop_assert_eq!(sum.transpose(), Csr::combine(1.0, &Bt, 1.0, &Ct).unwrap());
        let split = Csr::combine(1.0, &A.multiply(&B).unwrap(), 1.0, &A.multiply(&C).unwrap()).unwrap();
        prop_assert_eq!(A.multiply(&sum).unwrap(), split);
    }

    #[test]
    fn permutations_equal_dense((A, order) in square_with_order()) {
        let (full, old) = (dense(&A), order.old());
        let (both, rows) = (dense(&A.permute_symmetric(&order).unwrap()), dense(&A.permute_rows(&order).unwrap()));
        for s in 0..A.rows() {
            for t in 0..A.rows() {
                prop_assert_eq!(both[s][t], full[old[s] as usize][old[t] as usize]);
                prop_assert_eq!(rows[s][t], full[old[s] as usize][t]);
            }
        }
    }

    #[test]
    fn symmetry_equals_dense((A, _) in square_with_order()) {
        let full = dense(&A);
        let n = A.rows();
        let holds = |relation: &dyn Fn(f64, f64) -> bool| {
            (0..n).all(|i| (0..n).all(|j| relation(full[i][j], full[j][i])))
        };
        let pattern = (0..n).all(|i| A.row(i).all(|(j, _)| A.get(j, i).is_some()));
        let expected = match () {
            () if holds(&|a, b| a == b) => Symmetry::Symmetric,
            () if holds(&|a, b| a == -b) => Symmetry::Skew,
            () if pattern => Symmetry::Pattern,
            () => Symmetry::None,
        };
        prop_assert_eq!(symmetry(&A), expected);
        let T = A.transpose();
        prop_assert_eq!(symmetry(&Csr::combine(1.0, &A, 1.0, &T).unwrap()), Symmetry::Symmetric);
        let skew = symmetry(&Csr::combine(1.0, &A, -1.0, &T).unwrap());
        prop_assert!(skew == Symmetry::Skew || A.val().iter().all(|v| *v == 0.0) || symmetry(&A) == Symmetry::Symmetric);
    }

    #[test]
    fn rcm_is_a_permutation_with_components_in_one_piece((A, order) in square_with_order()) {
        let B = A.permute_symmetric(&order).unwrap();
        let numbering = reverse_cuthill_mckee(&B).unwrap();
        let back = B.permute_symmetric(&numbering).unwrap();
        prop_assert_eq!(back.permute_symmetric(&numbering.inverse()).unwrap(), B);
        let component = components(&back);
        let seams = component.windows(2).filter(|w| w[0] != w[1]).count();
        let mut distinct = component;
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert_eq!(seams + 1, distinct.len());
    }
}

#[test]
fn levels_by_hand() {
    let L = matrix(4, 4, &[(2, 0, 1.0), (2, 1, 2.0), (3, 2, 3.0)]);
    let lower = Levels::lower(&L);
    assert_eq!((lower.count(), lower.order()), (3, &[0, 1, 2, 3][..]));
    assert_eq!(lower.ranges().collect::<Vec<_>>(), [0..2, 2..3, 3..4]);
    let upper = Levels::upper(&L.transpose()); // rows 0 and 1 need row 2, row 2 needs row 3
    assert_eq!((upper.count(), upper.order()), (3, &[3, 2, 0, 1][..]));
    assert_eq!([upper.of(0), upper.of(3)], [2, 0]);
    assert_eq!(Levels::lower(&L.transpose()).count(), 1); // nothing below the diagonal
    assert_eq!(Levels::upper(&matrix::<f64>(0, 0, &[])).count(), 0);
    // The front of a wave runs over a grid: one level for each sum of coordinates.
    assert_eq!(Levels::lower(&poisson2d(6, Stencil::Points5).unwrap()).count(), 11);
}
