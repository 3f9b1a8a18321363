//! Conjugate gradients against spec 02: iteration counts (section 2) and invariants (section 7). Every solve runs on
//! the immediate and the recorded engine and must give the same bits (see `System` in the testkit).

use galerkit_linalg::krylov::{Outcome, Stop, Watch};
use galerkit_linalg::precond::Preconditioner;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{System, distance, problems, strategies, tol};
use proptest::prelude::*;

const EVERY: [Preconditioner; 5] = [
    Preconditioner::None,
    Preconditioner::Jacobi,
    Preconditioner::BlockJacobi { block: 5 },
    Preconditioner::Ssor { omega: 1.0 },
    Preconditioner::Ssor { omega: 1.5 },
];

fn iterations(A: &Csr<f64>, preconditioner: Preconditioner, stop: &Stop) -> usize {
    let solved = System::new(A, preconditioner, problems::rhs_of_ones(A)).solve(stop);
    assert_eq!(solved.verified.run.outcome, Outcome::Converged);
    assert_eq!(solved.verified.run.history.len(), solved.verified.run.iterations + 1);
    solved.verified.run.iterations
}

/// The table of section 2, give or take one, with either norm watched (which may cost two more).
#[test]
fn iteration_counts() {
    let table = [
        (problems::laplacian(32, 2), [62, 62, 35, 24]),
        (problems::laplacian(64, 2), [122, 122, 64, 41]),
        (problems::laplacian(20, 3), [51, 51, 27, 19]),
    ];
    let ssor = |omega| Preconditioner::Ssor { omega };
    let columns = [Preconditioner::None, Preconditioner::Jacobi, ssor(1.0), ssor(1.5)];
    for (A, expected) in table {
        for (preconditioner, expected) in columns.into_iter().zip(expected) {
            let residual = iterations(&A, preconditioner, &Stop::default());
            assert!(
                residual.abs_diff(expected) <= 1,
                "{} rows, {preconditioner}: {residual}, not {expected}",
                A.rows()
            );
            let watch = Stop { watch: Watch::Preconditioned, ..Stop::default() };
            let delta = iterations(&A, preconditioner, &watch);
            assert!(delta.abs_diff(residual) <= 2, "{} rows, {preconditioner}: {delta} and {residual}", A.rows());
        }
    }
}

#[test]
fn iteration_count_does_not_depend_on_exact_residuals() {
    let A = problems::laplacian(64, 2);
    for exact in [0, 1, 10, 50] {
        let stop = Stop { rtol: 1e-12, replacement: exact, ..Stop::default() };
        assert_eq!(iterations(&A, Preconditioner::None, &stop), 147, "exact residual every {exact} iterations");
    }
}

/// Iterates x_1, x_2, ... of the method, each from a solve of its own that is cut off there.
fn iterates(A: &Csr<f64>, preconditioner: Preconditioner, b: &[f64], count: usize) -> Vec<Vec<f64>> {
    let system = System::new(A, preconditioner, b.to_vec());
    let cut = |limit| system.solve(&Stop { rtol: 0.0, limit, ..Stop::default() });
    (0..=count)
        .map(|limit| {
            let solved = cut(limit);
            assert_eq!((solved.verified.run.outcome, solved.verified.run.iterations), (Outcome::IterationLimit, limit));
            solved.x
        })
        .collect()
}

fn minus(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().zip(y).map(|(x, y)| x - y).collect()
}

/// A-norm of the error against the Chebyshev bound with kappa = cot^2(pi / (2 (n + 1))).
#[test]
fn error_falls_as_the_condition_number_promises() {
    let n = 32;
    let A = problems::laplacian(n, 2);
    let kappa = (std::f64::consts::PI / (2.0 * (n as f64 + 1.0))).tan().powi(-2);
    assert!((kappa - 440.688_560).abs() < 1e-6);
    let b = problems::rhs_of_ones(&A);
    let ones = vec![1.0; n * n];
    let error = |x: &[f64]| {
        let e = minus(x, &ones);
        problems::inner(&e, &problems::product(&A, &e)).sqrt()
    };
    let errors: Vec<f64> = iterates(&A, Preconditioner::None, &b, 60).iter().map(|x| error(x)).collect();
    let rate = (kappa.sqrt() - 1.0) / (kappa.sqrt() + 1.0);
    for (m, pair) in errors.windows(2).enumerate() {
        assert!(pair[1] < pair[0], "step {m}: the A-norm of the error grew from {} to {}", pair[0], pair[1]);
        let bound = 2.0 * rate.powi(m as i32 + 1) * errors[0];
        assert!(pair[1] <= bound, "step {}: {} exceeds the bound {bound}", m + 1, pair[1]);
    }
}

#[test]
fn finite_termination() {
    let A = problems::laplacian::<f64>(50, 1);
    let random = System::new(&A, Preconditioner::None, problems::scattered(50, 1)).solve(&Stop::default());
    assert_eq!(random.verified.run.outcome, Outcome::Converged);
    assert!(random.verified.run.iterations <= 50, "{} steps", random.verified.run.iterations);
    let half: Vec<f64> = problems::scattered(25, 2);
    let symmetric = half.iter().chain(half.iter().rev()).copied().collect();
    let solved = System::new(&A, Preconditioner::None, symmetric).solve(&Stop::default());
    assert_eq!((solved.verified.run.outcome, solved.verified.run.iterations), (Outcome::Converged, 25));
}

/// PCG with Jacobi on S A S and S b makes the steps it makes on A and b; scaling by powers of two, bit for bit.
#[test]
fn jacobi_makes_cg_invariant_under_scaling() {
    let A = problems::laplacian::<f64>(16, 2);
    let b = problems::scattered::<f64>(256, 3);
    let stop = Stop { watch: Watch::Preconditioned, ..Stop::default() };
    let powers: Vec<f64> = (0..256).map(|i| f64::powi(2.0, (i * 7 % 11) - 5)).collect();
    let others: Vec<f64> = (0..256).map(|i| 0.1 + (i * 7 % 11) as f64).collect();
    let solve = |scale: &[f64], preconditioner| {
        let mut scaled = A.clone();
        let rows = A.to_coo();
        for (k, value) in scaled.val_mut().iter_mut().enumerate() {
            *value *= scale[rows.row()[k] as usize] * scale[rows.col()[k] as usize];
        }
        let b = b.iter().zip(scale).map(|(b, s)| b * s).collect();
        System::new(&scaled, preconditioner, b).solve(&stop).verified.run
    };
    let plain = solve(&[1.0; 256], Preconditioner::Jacobi);
    assert_eq!(plain.history, solve(&powers, Preconditioner::Jacobi).history);
    assert_eq!(plain.iterations, solve(&others, Preconditioner::Jacobi).iterations);
    assert!(solve(&powers, Preconditioner::None).iterations > 2 * plain.iterations);
}

/// Residuals are M-orthogonal, directions A-orthogonal, the energy falls.
#[test]
fn orthogonality_and_energy() {
    let A = problems::laplacian::<f64>(12, 2);
    let b = problems::scattered::<f64>(144, 4);
    for preconditioner in EVERY {
        let x = iterates(&A, preconditioner, &b, 9); // before rounding takes over with SSOR
        let residuals: Vec<Vec<f64>> = x.iter().map(|x| minus(&b, &problems::product(&A, x))).collect();
        let steps: Vec<Vec<f64>> = x.windows(2).map(|pair| minus(&pair[1], &pair[0])).collect();
        let energy = |x: &[f64]| problems::inner(x, &problems::product(&A, x)) / 2.0 - problems::inner(&b, x);
        for pair in x.windows(2) {
            assert!(energy(&pair[1]) < energy(&pair[0]), "{preconditioner}: the energy grew");
        }
        let apply = |r: &[f64]| preconditioned(&A, preconditioner, r);
        orthogonal(&residuals, apply, &format!("{preconditioner}, residuals"));
        orthogonal(&steps, |d| problems::product(&A, d), &format!("{preconditioner}, directions"));
    }
}

/// M^-1 r, taken from the first step of CG: x_1 = alpha M^-1 r.
fn preconditioned(A: &Csr<f64>, preconditioner: Preconditioner, r: &[f64]) -> Vec<f64> {
    iterates(A, preconditioner, r, 1).swap_remove(1)
}

fn orthogonal(vectors: &[Vec<f64>], weight: impl Fn(&[f64]) -> Vec<f64>, what: &str) {
    let pairs: Vec<(&Vec<f64>, Vec<f64>)> = vectors.iter().map(|v| (v, weight(v))).collect();
    let length = |(v, w): &(&Vec<f64>, Vec<f64>)| problems::inner(v, w).sqrt();
    for (k, later) in pairs.iter().enumerate() {
        for (distance, earlier) in pairs[..k].iter().rev().take(5).enumerate() {
            let cosine = problems::inner(later.0, &earlier.1) / (length(later) * length(earlier));
            assert!(cosine.abs() <= 1e-8, "{what} {k} and {}: {cosine:e}", k - 1 - distance);
        }
    }
}

/// All scalars and preconditioners reach the solution; Hermitian where there are complex numbers.
fn solves_for<S: Scalar>(rtol: f64) {
    let A = problems::hermitian::<S>(14);
    let exact = problems::scattered::<S>(A.rows(), 5);
    let b = problems::product(&A, &exact);
    let mut counts = Vec::new();
    for preconditioner in EVERY {
        let solved = System::new(&A, preconditioner, b.clone()).solve(&Stop { rtol, ..Stop::default() });
        let result = &solved.verified;
        assert_eq!(result.run.outcome, Outcome::Converged, "{preconditioner}, {}", S::KIND.name());
        assert!(result.true_residual <= rtol * result.start);
        let condition = 65.0; // (8 + 1/8) / (1/8), so the error is at most that times the residual
        assert!(distance(&solved.x, &exact) <= condition * rtol, "{preconditioner}, {}", S::KIND.name());
        counts.push(result.run.iterations);
    }
    assert!(counts[3] < counts[0] && counts[4] < counts[0], "SSOR does not help: {counts:?}");
}

#[test]
fn every_scalar_and_preconditioner() {
    solves_for::<f32>(1e-5);
    solves_for::<f64>(1e-12);
    solves_for::<c32>(1e-5);
    solves_for::<c64>(1e-12);
}

/// A complex Hermitian matrix that is only a real one seen through a unitary diagonal makes the same steps.
#[test]
fn hermitian_counts_equal_real_counts() {
    let real = iterations(&problems::hermitian::<f64>(14), Preconditioner::Ssor { omega: 1.5 }, &Stop::default());
    let A = problems::hermitian::<f64>(14).map_values(|a| c64::new(a, 0.0));
    let turn = |i: usize| c64::from_polar(1.0, i as f64);
    let rows = A.to_coo();
    let mut turned = A.clone();
    for (k, value) in turned.val_mut().iter_mut().enumerate() {
        let (i, j) = (rows.row()[k] as usize, rows.col()[k] as usize);
        *value = if i == j { *value } else { *value * turn(i) * turn(j).conj() };
    }
    let b = problems::rhs_of_ones(&A).iter().enumerate().map(|(i, b)| b * turn(i)).collect();
    let solved = System::new(&turned, Preconditioner::Ssor { omega: 1.5 }, b).solve(&Stop::default());
    assert!(solved.verified.run.iterations.abs_diff(real) <= 1);
    let expected: Vec<c64> = (0..A.rows()).map(turn).collect();
    assert!(distance(&solved.x, &expected) <= 1e-6);
}

/// A start that is not zero is used, and the tolerance is relative to its residual.
#[test]
fn starts_from_the_given_x() {
    let A = problems::laplacian::<f64>(16, 2);
    let mut system = System::new(&A, Preconditioner::Jacobi, problems::rhs_of_ones(&A));
    system.x = vec![1.0; 256];
    system.x[7] += 1e-3;
    let solved = system.solve(&Stop::default());
    assert_eq!(solved.verified.run.outcome, Outcome::Converged);
    let start = 1e-3 * 19f64.sqrt(); // the column of A has one 4 and three -1: row 7 is on the grid's edge
    assert!((solved.verified.start - start).abs() <= 1e-12);
    assert!(solved.verified.true_residual <= 1e-8 * start);
}

proptest! {
    #![proptest_config(strategies::config(64))]
    #[test]
    fn diagonally_dominant_systems_converge(A in strategies::positive_definite::<c64>(20), seed in 0u64..1000) {
        let exact = problems::scattered::<c64>(A.rows(), seed);
        let b = problems::product(&A, &exact);
        for preconditioner in EVERY {
            let solved = System::new(&A, preconditioner, b.clone()).solve(&Stop { rtol: 1e-11, ..Stop::default() });
            prop_assert_eq!(solved.verified.run.outcome, Outcome::Converged);
            prop_assert!(distance(&solved.x, &exact) <= 1e-8 + tol::<c64>());
        }
    }
}
