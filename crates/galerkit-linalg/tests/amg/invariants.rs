//! What must hold for every matrix: aggregates cover, P reproduces the near-null vector, matrices keep their symmetry,
//! the cycle is Hermitian.

use super::named;
use galerkit_linalg::backend::Reference;
use galerkit_linalg::c64;
use galerkit_linalg::engine::{Engine, Immediate, Operator};
use galerkit_linalg::multigrid::amg::nodes::{Nodes, block_norms, filter_blocks, kept_blocks};
use galerkit_linalg::multigrid::amg::{Built, Levels, NONE, norms::norms, pmis::dependence, strength::strength};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Format, Matrix, Symmetry, symmetry};
use galerkit_testkit::amg::{elasticity, line, problem};
use galerkit_testkit::bits;
use galerkit_testkit::problems::{inner, product, scattered};

const PROBLEMS: [&str; 5] = ["p2 64", "p3 16", "jump2", "lsc_F_2", "1138_bus"];

#[test]
fn rows_with_edges_are_in_one_aggregate_near_a_first_root() {
    for A in PROBLEMS.into_iter().filter_map(problem) {
        let levels = Levels::new(&A, true, &named("amg,coarse=100"), &[]).expect("levels");
        let (aggregates, graph) = (&levels.levels[0].aggregates, strength(&A, &norms(&A), 0.25));
        let mut used = vec![false; aggregates.count];
        aggregates.of.iter().filter(|number| **number != NONE).for_each(|&number| used[number as usize] = true);
        assert!(used.iter().all(|used| *used));
        let mut distance = vec![u32::MAX; A.rows()];
        for &root in &aggregates.first {
            assert_eq!(distance[root as usize], u32::MAX, "two first roots are at least three edges apart");
            let mut front = vec![root];
            for far in 0..3 {
                front.iter().for_each(|&i| distance[i as usize] = distance[i as usize].min(far));
                front = front.iter().flat_map(|&i| graph.neighbours(i as usize)).copied().collect();
                front.retain(|&i| distance[i as usize] > far + 1);
            }
        }
        for i in (0..A.rows()).filter(|&i| !graph.neighbours(i).is_empty()) {
            assert!(aggregates.of[i] != NONE && distance[i] <= 2, "row {i}");
        }
    }
}

#[test]
fn coarse_matrices_equal_their_mirror_image_and_keep_constants() {
    for A in PROBLEMS.into_iter().filter_map(problem) {
        let levels = Levels::new(&A, true, &named("amg,coarse=100"), &[]).expect("levels");
        for coarse in levels.levels.iter().filter_map(|level| level.A.as_ref()).chain(&levels.A) {
            assert_eq!(symmetry(coarse), Symmetry::Symmetric);
        }
        let P = &levels.levels[0].P;
        let sum = |i: usize| A.row(i).map(|(_, a)| a).sum::<f64>();
        for i in (0..A.rows()).filter(|&i| sum(i) == 0.0 && P.row_length(i) > 0) {
            let ones: f64 = P.row(i).map(|(_, p)| p).sum();
            let near_isolated = A.row(i).any(|(j, _)| levels.levels[0].aggregates.of[j] == NONE);
            assert!(near_isolated || (ones - 1.0).abs() < 1e-12, "row {i}: {ones}");
        }
    }
}

/// From strong points alone, each entry by the formula; rows that sum to zero have weights that sum to 1.
#[test]
fn direct_interpolation_is_its_formula() {
    for A in ["p2 24", "an 128", "lsc_F_2"].into_iter().filter_map(problem) {
        let levels = Levels::new(&A, true, &named("amg:classical,interpolation=direct,levels=2"), &[]).expect("levels");
        let (number, P) = (&levels.levels[0].aggregates.of, &levels.levels[0].P);
        let depends = dependence(&A, 0.25);
        for i in 0..A.rows() {
            if number[i] != NONE {
                assert_eq!(P.row(i).collect::<Vec<_>>(), [(number[i] as usize, 1.0)]);
                continue;
            }
            let own = A.get(i, i).expect("a diagonal");
            let beside = |sign: f64| A.row(i).filter(|(j, a)| *j != i && a * sign > 0.0).map(|(_, a)| a).sum::<f64>();
            let points: Vec<usize> =
                depends.neighbours(i).iter().map(|&j| j as usize).filter(|&j| number[j] != NONE).collect();
            let sum: f64 = points.iter().map(|&j| A.get(i, j).expect("strong")).sum();
            assert_eq!(P.row_length(i), points.len());
            for (j, (column, w)) in points.iter().zip(P.row(i)) {
                let expected = -(beside(-1.0) / sum) * A.get(i, *j).expect("strong") / (own + beside(1.0));
                assert!(column == number[*j] as usize && (w - expected).abs() <= 1e-14, "row {i}: {w}, {expected}");
            }
            let zero = A.row(i).map(|(_, a)| a).sum::<f64>().abs() < 1e-14 * own;
            assert!(
                !zero || points.is_empty() || (P.row(i).map(|(_, w)| w).sum::<f64>() - 1.0).abs() < 1e-13,
                "row {i}"
            );
        }
    }
}

/// Dropped blocks go where they act alike on as many near-null vectors as a node has rows, also where these are no unit
/// vectors.
#[test]
fn a_filtered_matrix_of_nodes_acts_alike_on_near_null_vectors() {
    let (A, modes) = elasticity(12);
    let turned = |k: usize| {
        let value = |i: usize| modes[0][i] * (1.0 + k as f64) + modes[1][i] * (2.0 - (i as f64 * 0.3).sin() * k as f64);
        (0..A.rows()).map(value).collect::<Vec<f64>>()
    };
    for vectors in [modes[..2].to_vec(), vec![turned(0), turned(1)]] {
        let nodes = Nodes { block: 2, vectors };
        let kept = kept_blocks(&A, &block_norms(&A, 2), 2, 0.9);
        assert!(kept.iter().any(|kept| !kept));
        let (filtered, filter) = filter_blocks(&A, &nodes, &kept);
        assert!(filtered.nnz() < A.nnz() && filter.kept.iter().all(|kept| *kept));
        for b in &nodes.vectors {
            let (whole, left) = (product(&A, b), product(&filtered, b));
            let alike = |i: usize| (whole[i] - left[i]).abs() <= 1e-7; // of entries of 1e5
            let fell_back = |i: usize| A.get(i, i) == filtered.get(i, i);
            assert!((0..A.rows()).all(|i| alike(i) || fell_back(i)));
            assert!((0..A.rows()).filter(|&i| !fell_back(i)).count() > A.rows() / 2);
        }
    }
}

fn cycle(A: &Csr<f64>, name: &str, b: &[f64]) -> Vec<f64> {
    let mut e = Immediate::new(Reference);
    let built = Built::new(A, true, &named(name), &[]).expect("levels");
    let A = e.load(Box::new(Matrix::Csr(A.clone())));
    let M = built.hierarchy(&|_| Format::Csr).load_whole(&mut e, &A, Precision::Full);
    let (b, mut x) = (e.upload(b), e.zeros(b.len(), Precision::Full));
    M.apply(&mut e, &b, &mut x);
    e.download(&x)
}

#[test]
fn the_cycle_is_symmetric_and_positive() {
    let A = problem("p2 24").expect("a problem");
    let others = [
        "amg,coarse=20,smoother=jacobi",
        "amg,coarse=20,smoother=chebyshev",
        "amg:classical,coarse=20,interpolation=direct",
    ];
    let usual = ["amg,coarse=20", "amg,coarse=20,cycle=W", "amg,coarse=20,degree=3", "amg:classical,coarse=20"];
    for name in usual.into_iter().chain(others) {
        let [x, y] = [1, 2].map(|seed| scattered::<f64>(A.rows(), seed));
        let [Mx, My] = [&x, &y].map(|x| cycle(&A, name, x));
        let scale = (inner(&x, &Mx) * inner(&y, &My)).sqrt();
        assert!((inner(&x, &My) - inner(&y, &Mx)).abs() < 1e-13 * scale && inner(&x, &Mx) > 0.0, "{name}");
    }
}

#[test]
fn powers_of_two_change_nothing() {
    let A = problem("p2 64").expect("a problem");
    let plain = Levels::new(&A, true, &named("amg"), &[]).expect("levels");
    let four = Levels::new(&A.map_values(|a| 4.0 * a), true, &named("amg"), &[]).expect("levels");
    for (level, other) in plain.levels.iter().zip(&four.levels) {
        assert!(bits(level.P.val()) == bits(other.P.val()));
    }
    // S A S with powers of two, near-null vector b/S
    let scale = |i: usize| 2.0f64.powi(i as i32 % 5 - 2);
    let mut scaled = A.clone();
    let columns: Vec<(usize, usize)> = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, _)| (i, j))).collect();
    scaled.val_mut().iter_mut().zip(columns).for_each(|(a, (i, j))| *a *= scale(i) * scale(j));
    let near = vec![(0..A.rows()).map(|i| 1.0 / scale(i)).collect()];
    let other = Levels::new(&scaled, true, &named("amg"), &near).expect("levels");
    assert_eq!(line(&plain), line(&other));
}

#[test]
fn complex_matrices_keep_their_symmetry() {
    let A = problem("p2 24").expect("a problem");
    let turn = |i: usize| c64::from_polar(1.0, i as f64 * 0.7);
    let mut hermitian = A.map_values(|a| c64::new(a, 0.0));
    let places: Vec<(usize, usize)> = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, _)| (i, j))).collect();
    hermitian.val_mut().iter_mut().zip(places).filter(|(_, (i, j))| i != j).for_each(|(a, (i, j))| {
        *a *= if i < j { turn(i).conj() * turn(j) } else { (turn(j).conj() * turn(i)).conj() };
    });
    let near = vec![(0..A.rows()).map(|i| turn(i).conj()).collect()];
    let levels = Levels::new(&hermitian, true, &named("amg,coarse=20"), &near).expect("levels");
    assert_eq!(symmetry(levels.A.as_ref().expect("a coarse matrix")), Symmetry::Hermitian);
    let symmetric = A.map_values(|a| c64::new(a, 0.0) * c64::new(1.0, 0.3));
    let levels = Levels::new(&symmetric, false, &named("amg,coarse=20"), &[]).expect("levels");
    assert_eq!(symmetry(levels.A.as_ref().expect("a coarse matrix")), Symmetry::Symmetric);
}
