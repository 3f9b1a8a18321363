//! Powers of two change exponents and nothing else, down to where squares underflow.

use super::{Method, System, Way, problem};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::c64;
use galerkit_linalg::engine::{Engine, Identity, Recorded};
use galerkit_linalg::krylov::{Outcome, Stop, verified, vpgcr};
use galerkit_linalg::sparse::Matrix;
use galerkit_testkit::{bits, problems};

const WAYS: [(Method, bool); 4] =
    [(Method::Increments, false), (Method::Increments, true), (Method::Residual, false), (Method::Residual, true)];

fn ways() -> impl Iterator<Item = Way> {
    WAYS.into_iter().map(|(method, hybrid)| Way { hybrid, ..Way::new(method, 1e-1) })
}

fn scaled(system: &System<f64>, matrix: f64, rhs: f64) -> System<f64> {
    System { A: system.A.map_values(|value| value * matrix), b: system.b.iter().map(|value| value * rhs).collect() }
}

#[test]
fn a_common_power_of_two_changes_no_bit() {
    let system = problem(250, 0.6);
    for way in ways() {
        let found = system.solve(way);
        for exponent in [-60, 20] {
            let factor = f64::powi(2.0, exponent);
            let other = scaled(&system, factor, factor).solve(way);
            assert_eq!(found.counts(), other.counts(), "{way:?}");
            assert_eq!(bits(&found.x), bits(&other.x), "{way:?}");
        }
    }
}

/// With b about 1e-60, and about 1e-130, every residual lies far below the least number of single precision.
#[test]
fn residuals_far_below_single_precision_are_scaled_before_they_are_rounded() {
    let system = problem(250, 0.6);
    for way in ways() {
        let found = system.solve(way);
        for exponent in [-200, -432] {
            let factor = f64::powi(2.0, exponent);
            let other = scaled(&system, 1.0, factor).solve(way);
            assert_eq!(found.counts(), other.counts(), "{way:?}, 2^{exponent}");
            let back: Vec<f64> = other.x.iter().map(|value| value / factor).collect();
            assert_eq!(bits(&found.x), bits(&back), "{way:?}, 2^{exponent}");
        }
    }
}

/// Here the square of the norm underflows: VPGCR sees nothing to do, and the driver that looks says so.
#[test]
fn norms_that_underflow_are_never_called_converged() {
    let system = scaled(&problem(50, 0.4), 1.0, 1e-300);
    let e = &mut Recorded::<f64, _>::new(Cpu);
    let A = e.load(Box::new(Matrix::Csr(system.A.clone())));
    let b = e.upload(&system.b);
    let mut x = e.zeros_like(&b);
    let none = e.number(0.0);
    let failures = e.carry(none);
    let stop = Stop { rtol: 1e-12, replacement: 0, ..Stop::default() };
    let found = verified(
        e,
        &|e, A, M, b, x, stop| vpgcr(e, (20, &failures), A, M, b, x, stop),
        &A,
        &Identity,
        &b,
        &mut x,
        &stop,
    );
    assert_eq!(found.run.outcome, Outcome::Breakdown);
}

/// The complex problem is the real one turned: A = (0.6 + 0.8 i) T, b = (0.6 + 0.8 i) T 1.
#[test]
fn complex_systems_in_both_precisions() {
    let real = problem(250, 0.6);
    let turn = c64::new(0.6, 0.8);
    let system =
        System { A: real.A.map_values(|value| turn * value), b: real.b.iter().map(|&value| turn * value).collect() };
    for way in ways() {
        let (found, plain) = (system.solve(way), real.solve(way));
        assert_eq!(found.counts(), plain.counts(), "{way:?}: a turn changes no count");
        let ones = vec![c64::new(1.0, 0.0); 250];
        let off: Vec<c64> = found.x.iter().zip(ones).map(|(x, one)| x - one).collect();
        assert!(problems::norm(&off) <= 1e-10, "{way:?}");
    }
}
