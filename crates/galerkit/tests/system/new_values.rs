//! New values: each solve is what a fresh one of the matrix of the moment gives, whatever was decided or prepared
//! before.

use super::{DEVICES, solver, told};
use crate::systems::{matrix, real};
use galerkit::prelude::*;
use galerkit_testkit::problems::{hermitian, scattered};

/// Values that keep the matrix symmetric and positive definite, and are no multiple of those before.
pub fn other_values<S: Scalar>(A: &Csr<S>, turn: usize) -> Vec<S> {
    let entry = |i: usize, (j, value): (usize, S)| {
        let bend = 1.0 + 0.01 * ((i + j + turn) % 7) as f64;
        if i == j { value * S::from_f64(bend + 0.1 * turn as f64) } else { value * S::from_f64(0.9 / bend) }
    };
    (0..A.rows()).flat_map(|i| A.row(i).map(move |one| entry(i, one)).collect::<Vec<_>>()).collect()
}

pub fn with_values<S: Scalar>(A: &Csr<S>, values: &[S]) -> Csr<S> {
    let mut changed = A.clone();
    changed.val_mut().copy_from_slice(values);
    changed
}

/// Solve, update, solve, update, solve: each is what a fresh solve of the matrix of the moment gives.
#[track_caller]
pub fn follows<S: Scalar>(solver: &Solver, A: &Csr<S>, way: &str) {
    let b = scattered::<S>(A.rows(), 3);
    let mut system = solver.prepare(A).unwrap();
    let _ = system.solve(&b).unwrap();
    for turn in 1..=2 {
        let values = other_values(A, turn);
        system.update(&values).unwrap();
        let fresh = solver.solve(&with_values(A, &values), &b).unwrap();
        assert!(fresh.report.converged, "{way}: {}", fresh.report);
        let updated = system.solve(&b).unwrap();
        assert_eq!(told(&updated), told(&fresh), "{way}, update {turn}");
        let (one, other) = (updated.report.backward_error, fresh.report.backward_error);
        assert_eq!(one.to_bits(), other.to_bits(), "{way}, update {turn}: the backward error");
        assert_eq!(system.matrix().unwrap().val(), values, "{way}, update {turn}");
    }
}

/// Every format in both orders on both devices.
fn follows_in_every_format<S: Scalar>() {
    let A: Csr<S> = hermitian(7);
    let scalar = S::KIND.name();
    for format in Format::all() {
        for ordering in [Ordering::Natural, Ordering::Rcm] {
            for preconditioner in [Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Ilu { fill: 0 }] {
                for device in DEVICES {
                    let solver = Solver::new().method(Krylov::Cg).preconditioner(preconditioner).device(device);
                    let solver = solver.format(Choice::Given(format)).ordering(ordering);
                    let way = format!("{scalar} {format} {ordering} {preconditioner} {device}");
                    follows(&solver, &A, &way);
                }
            }
        }
    }
}

#[test]
fn new_values_f32() {
    follows_in_every_format::<f32>();
}
#[test]
fn new_values_f64() {
    follows_in_every_format::<f64>();
}
#[test]
fn new_values_c32() {
    follows_in_every_format::<c32>();
}
#[test]
fn new_values_c64() {
    follows_in_every_format::<c64>();
}

/// Diagonals with an imaginary part: a quotient of complex numbers must be the same wherever it is taken.
#[test]
fn new_values_with_complex_diagonals() {
    let A = real("gallery:convection_diffusion2d?n=7").map_values(|value| c64::new(0.6, 0.8) * value);
    for ordering in [Ordering::Natural, Ordering::Rcm] {
        for device in DEVICES {
            let solver = Solver::new().method(Krylov::Bicgstab).preconditioner(Preconditioner::Jacobi);
            follows(&solver.device(device).ordering(ordering), &A, &format!("c64 {ordering} {device}"));
        }
    }
}

/// Whatever was decided or prepared, new values are heeded by it.
#[test]
fn new_values_for_every_way() {
    let A = real("gallery:poisson2d?n=7");
    for method in ["auto", "lu", "cholesky", "minres", "gmres:10", "vpgcr"] {
        follows(&solver([method, "auto", "auto", "auto"]), &A, method);
    }
    for preconditioner in ["ssor", "chebyshev:3", "block-jacobi", "ic0"] {
        follows(&solver(["cg", preconditioner, "auto", "rcm"]), &A, preconditioner);
    }
    follows(&solver(["fgmres:10", "inner:cg", "auto", "auto"]), &A, "an inner solve");
    follows(&solver(["cg", "auto", "auto", "auto"]).precision(Precision::Hybrid), &A, "hybrid");
}

/// New values before the first solve.
#[test]
fn new_values_before_any_solve() {
    let A = real("gallery:poisson2d?n=7");
    let (b, values) = (scattered::<f64>(A.rows(), 3), other_values(&A, 1));
    let solver = Solver::new().method(Krylov::Cg);
    let mut system = solver.prepare_owned(A.clone()).unwrap();
    system.update(&values).unwrap();
    assert_eq!(told(&system.solve(&b).unwrap()), told(&solver.solve(&with_values(&A, &values), &b).unwrap()));
}

#[test]
fn values_that_are_refused_change_nothing() {
    let A = real("gallery:poisson2d?n=7");
    let b: Vec<f64> = scattered(A.rows(), 3);
    for preconditioner in ["none", "jacobi", "ilu0"] {
        let mut system = solver(["cg", preconditioner, "auto", "rcm"]).prepare(&A).unwrap();
        let before = system.solve(&b).unwrap();
        let error = system.update(&A.val()[1..]).unwrap_err().to_string();
        let count = format!("has length {}, but {} is needed", A.nnz() - 1, A.nnz());
        assert!(error.contains("the new values") && error.contains(&count), "{error}");
        let mut values = A.val().to_vec();
        values[A.range(4).start + 1] = f64::NAN;
        let error = system.update(&values).unwrap_err().to_string();
        let column = A.col()[A.range(4).start + 1] + 1;
        assert!(error.contains(&format!("the new values contains NaN at row 5, column {column}")), "{error}");
        assert_eq!(system.matrix().unwrap(), A, "{preconditioner}");
        assert_eq!(told(&system.solve(&b).unwrap()), told(&before), "{preconditioner}");
    }
}

/// A zero on the diagonal: what a fresh solve says, and a good update makes good again.
#[test]
fn a_diagonal_that_vanishes_is_what_it_is_for_a_fresh_solve() {
    let A = matrix(3, &[(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0), (1, 2, 1.0), (2, 1, 1.0), (2, 2, 5.0)]);
    let mut values = A.val().to_vec();
    values[A.range(1).start + 1] = 0.0;
    let (b, holed) = ([1.0, 2.0, 3.0], with_values(&A, &values));
    let said = |result: galerkit::Result<Solution<f64>>| match result {
        Ok(solution) => format!("{:?} {:?}", told(&solution), solution.report.outcome),
        Err(error) => error.to_string(),
    };
    for method in ["cg", "bicgstab", "minres", "gmres:5", "auto"] {
        for preconditioner in ["jacobi", "auto"] {
            let solver = solver([method, preconditioner, "auto", "auto"]);
            let mut system = solver.prepare(&A).unwrap();
            let before = told(&system.solve(&b).unwrap());
            system.update(&values).unwrap();
            let fresh = said(solver.solve(&holed, &b));
            assert_eq!(said(system.solve(&b)), fresh, "{method} {preconditioner}");
            system.update(A.val()).unwrap();
            let again = system.solve(&b).unwrap();
            assert!(again.report.converged, "{method} {preconditioner}: {}", again.report);
            // What was left open is decided for the values of the moment, and stays while a diagonal does not forbid
            // it.
            if preconditioner == "jacobi" {
                assert_eq!(told(&again), before, "{method}: good again");
            }
        }
    }
}
