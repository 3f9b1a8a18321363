//! No eigenvalue of L^-1 A is above the bound that Chebyshev's polynomial is made for, whatever A; and what came of a
//! bound that was an estimate.

use super::{iterations, real_matrix};
use galerkit_linalg::gallery::{Random, Stencil, poisson3d};
use galerkit_linalg::precond::Chebyshev;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::problems::{from_triples, hermitian, inner, norm, scattered};

/// The Rayleigh quotient (v, A v) / (v, L v) after so many steps of the power iteration with L^-1 A: for Hermitian A it
/// is never above the largest eigenvalue, as |L^-1 A v| / |v| may be.
fn largest_eigenvalue<S: Scalar>(A: &Csr<S>, weights: &[S], steps: usize) -> f64 {
    let mut v = scattered::<S>(A.rows(), 5);
    let product =
        |v: &[S]| -> Vec<S> { (0..A.rows()).map(|i| A.row(i).fold(S::zero(), |sum, (j, a)| sum + a * v[j])).collect() };
    for _ in 0..steps {
        let scale = S::from_f64(1.0 / norm(&v));
        v = product(&v).into_iter().zip(weights).map(|(Av, &weight)| weight * Av * scale).collect();
    }
    let Lv: Vec<S> = v.iter().zip(weights).map(|(&v, &weight)| v / weight).collect();
    inner(&v, &product(&v)) / inner(&v, &Lv)
}

fn bounded<S: Scalar>(A: &Csr<S>, steps: usize, way: &str) -> f64 {
    let M = Chebyshev::from_csr(A, 2).unwrap();
    let found = largest_eigenvalue(A, M.inverse(), steps);
    assert!(found <= M.bounds().1 * (1.0 + 64.0 * S::eps()), "{way}: an eigenvalue of {found} above {:?}", M.bounds());
    found
}

/// 15 power steps times 1.1 gave 1.256 where the largest eigenvalue of D^-1 A is 1.379: with degree 1 CG broke down.
#[test]
fn chebyshev_had_a_bound_below_the_largest_eigenvalue_of_27_points() {
    let A = poisson3d(32, Stencil::Points27).unwrap();
    let inverse: Vec<f64> = A.diagonal().iter().map(|d| 1.0 / d).collect();
    let largest = largest_eigenvalue(&A, &inverse, 400);
    assert!((largest - 1.379).abs() < 2e-3, "{largest}");
    bounded(&A, 200, "27 points");
    let counts = ["chebyshev:1", "chebyshev:2", "chebyshev:4"].map(|name| iterations(&A, name));
    assert!(counts.is_sorted_by(|a, b| a > b) && counts[0] < 30, "{counts:?}");
}

/// G^H G + a small diagonal, G sparse and random, with rows that are scaled by up to 10^6.
fn random<S: Scalar>(n: usize, seed: u64) -> Csr<S> {
    let mut random = Random::new(seed);
    let mut part = || 2.0 * random.unit() - 1.0;
    let mut G = vec![vec![S::zero(); n]; n];
    for row in &mut G {
        let scale = 10f64.powf(3.0 * part());
        for value in row {
            if part() > 0.3 {
                *value = S::from_parts(scale * part(), if S::KIND.is_complex() { scale * part() } else { 0.0 });
            }
        }
    }
    let entry = |i: usize, j: usize| {
        let shift = if i == j { S::from_f64(1e-3) } else { S::zero() };
        (0..n).fold(shift, |sum, k| sum + G[i][k] * G[j][k].conj())
    };
    let (mut start, mut col, mut val) = (vec![0], Vec::new(), Vec::new());
    for i in 0..n {
        for j in (0..n).filter(|&j| i == j || entry(i, j) != S::zero()) {
            col.push(j as u32);
            val.push(entry(i, j));
        }
        start.push(col.len() as u64);
    }
    Csr::new(n, n, start, col, val).unwrap()
}

#[test]
fn no_eigenvalue_of_a_random_matrix_is_above_the_bound() {
    for seed in 0..200 {
        let n = 1 + seed as usize % 13;
        bounded(&random::<f64>(n, seed), 300, &format!("f64, {n} rows, seed {seed}"));
        bounded(&random::<c64>(n, seed), 300, &format!("c64, {n} rows, seed {seed}"));
    }
}

/// The bound is not far off either: 1 is reached by a Laplacian, and a long row widens nobody else's.
#[test]
fn the_bound_is_close() {
    assert!(bounded(&hermitian::<f64>(12), 500, "a Laplacian") > 0.9);
    let mut entries: Vec<_> = (0..100).map(|i| (i, i, 10.0)).collect();
    entries.extend((1..100).flat_map(|i| [(0, i, 1.0), (i, 0, 1.0)]));
    let A = from_triples::<f64>(100, 100, &entries);
    assert!(bounded(&A, 500, "an arrow") > 0.9); // Gershgorin's bound of D^-1 A is 10.9, the eigenvalue 1.995
    for name in ["1138_bus", "bcsstk09", "mhd3200b"] {
        let Some(A) = real_matrix(name) else { continue };
        assert!(bounded(&A, 300, name) > 0.75, "{name}");
    }
}
