//! Factorisations of matched matrices through the facade: where a pivot is zero otherwise, by name, in the norm of the
//! given system.

use crate::systems::{matrix, real, residual};
use galerkit::linalg::gallery::Random;
use galerkit::linalg::sparse::{Csr, Permutation};
use galerkit::prelude::*;
use galerkit::{AnyMatrix, Error, Rhs};
use galerkit_testkit::data_file;
use std::sync::{Arc, Mutex};

const BICGSTAB: Krylov = Krylov::Bicgstab;

fn solver(method: Krylov, name: &str) -> Solver {
    Solver::new().method(method).preconditioner(name.parse::<Choice<Preconditioning>>().unwrap()).rtol(1e-10)
}

/// Rows of a grid in any order: hardly an entry on the diagonal.
fn mixed(name: &str) -> Csr<f64> {
    let A = real(name);
    let order = Permutation::from_old(Random::new(7).shuffled(A.rows())).unwrap();
    A.permute_rows(&order).unwrap()
}

/// The same, each row times a factor of its own.
fn shuffled(name: &str) -> Csr<f64> {
    let mut A = mixed(name);
    for i in 0..A.rows() {
        let factor = 10f64.powi((i % 7) as i32 - 3);
        for k in A.range(i) {
            A.val_mut()[k] *= factor;
        }
    }
    A
}

/// What was refused is solved, to the residual that was asked for, and the report says by what and why.
#[test]
fn a_zero_pivot_is_matched_away() {
    let A = shuffled("gallery:convection_diffusion2d?n=24");
    let b: Vec<f64> = Rhs::Random { seed: 2 }.entries(A.rows()).unwrap();
    for (method, name) in [(BICGSTAB, "ilu0"), (BICGSTAB, "ilu:1"), (Krylov::Gmres { restart: 30 }, "parilu0:5")] {
        let Solution { x, report } = solver(method, name).solve(&A, &b).unwrap();
        assert!(report.converged && residual(&A, &b, &x) <= 1.01e-10, "{name}: {report}");
        assert_eq!(report.preconditioner.to_string(), format!("{name}:matched"));
        let reason = &report.preconditioner_reason;
        assert!(reason.contains("maximum-product matching") && reason.contains("zero or missing pivot"), "{reason}");
        let asked = solver(method, &format!("{name}:matched")).solve(&A, &b).unwrap();
        assert_eq!((asked.x, asked.report.iterations), (x, report.iterations), "{name}");
        assert_eq!(asked.report.preconditioner_reason, "asked for");
        assert_eq!(report.history.len(), report.iterations + 1);
    }
}

fn in_this_scalar<S: Scalar>(unit: S, rtol: f64) {
    let A = mixed("gallery:convection_diffusion2d?n=16").map_values(|a| S::from_f64(a) * unit);
    let b = vec![S::one(); A.rows()];
    let Solution { x, report } = solver(BICGSTAB, "ilu0").rtol(rtol).solve(&A, &b).unwrap();
    assert!(report.converged && residual(&A, &b, &x) <= 1.01 * rtol, "{}: {report}", S::KIND.name());
    assert_eq!(report.preconditioner.to_string(), "ilu0:matched");
}

#[test]
fn every_scalar_is_matched() {
    in_this_scalar(1f32, 1e-4);
    in_this_scalar(c32::new(0.6, 0.8), 1e-4);
    in_this_scalar(c64::new(0.6, 0.8), 1e-10);
}

/// The same counts, give or take two, on every device.
#[test]
fn on_a_gpu_as_on_the_cpu() {
    if let Err(error) = Device::Cuda(0).require() {
        return galerkit_testkit::skip(&error.to_string());
    }
    let A = shuffled("gallery:convection_diffusion2d?n=20");
    let b: Vec<f64> = Rhs::Random { seed: 2 }.entries(A.rows()).unwrap();
    let [here, there] = [Device::Cpu, Device::Cuda(0)].map(|device| {
        let Solution { x, report } = solver(BICGSTAB, "ilu0").device(device).solve(&A, &b).unwrap();
        assert!(report.converged && residual(&A, &b, &x) <= 1.01e-10, "{report}");
        assert_eq!((report.device, report.preconditioner.to_string().as_str()), (device, "ilu0:matched"));
        report.iterations
    });
    assert!(here.abs_diff(there) <= 2, "{here} on the CPU, {there} on the GPU");
}

/// Solve after solve, from a start and with new values: what was matched serves until values change.
#[test]
fn a_system_is_matched_once() {
    let A = shuffled("gallery:convection_diffusion2d?n=16");
    let b: Vec<f64> = Rhs::Random { seed: 4 }.entries(A.rows()).unwrap();
    let mut system = solver(BICGSTAB, "ilu0").prepare(&A).unwrap();
    let first = system.solve(&b).unwrap();
    let again = system.solve(&b).unwrap();
    assert_eq!((first.x.clone(), first.report.iterations), (again.x, again.report.iterations));
    let near = system.solve_from(&b, &first.x).unwrap();
    assert!(near.report.converged && near.report.iterations <= 1, "{}", near.report);
    let values: Vec<f64> = A.val().iter().map(|value| -3.0 * value).collect();
    system.update(&values).unwrap();
    let third = system.solve(&b).unwrap();
    assert!(third.report.converged && residual(&A.with_values(&values), &b, &third.x) <= 1.01e-10);
    assert_eq!(third.report.preconditioner.to_string(), "ilu0:matched");
}

#[test]
fn an_observer_sees_x_of_the_given_system() {
    let A = shuffled("gallery:convection_diffusion2d?n=16");
    let b = vec![1.0; A.rows()];
    let seen = Arc::new(Mutex::new(Vec::new()));
    let shown = seen.clone();
    let watched = solver(BICGSTAB, "ilu0").observer(move |progress| match progress.x::<f64>() {
        Some(x) => {
            *shown.lock().unwrap() = x.to_vec();
            Go::On
        }
        None => Go::Show,
    });
    let solution = watched.solve(&A, &b).unwrap();
    let seen = seen.lock().unwrap();
    let (largest, distance) = solution.x.iter().zip(&*seen).fold((0.0f64, 0.0f64), |(largest, distance), (x, seen)| {
        (largest.max(x.abs()), distance.max((x - seen).abs()))
    });
    assert!(distance <= 1e-3 * largest, "{distance} of {largest}");
}

#[test]
fn what_cannot_be_matched_is_refused() {
    let A = real("gallery:poisson2d?n=5");
    let b = vec![1.0; A.rows()];
    let said = solver(Krylov::Cg, "ilu0:matched").solve(&A, &b).unwrap_err();
    assert!(matches!(said, Error::MatchedForHermitian { .. }), "{said}");
    let dependent = matrix(3, &[(0, 1, 1.0), (1, 1, 2.0), (2, 0, 1.0), (2, 2, 1.0)]);
    let said = solver(BICGSTAB, "ilu0").solve(&dependent, &[1.0; 3]).unwrap_err().to_string();
    assert!(said.contains("only 2 of 3 rows"), "{said}");
}

/// Factors that overflow leave no x, and no residual of zero either: the norm of nothing but NaN was 0.
#[test]
fn factors_that_overflow_do_not_converge() {
    let Some(file) = data_file("complex/mhd1280a.mtx.gz") else { return };
    let AnyMatrix::C64(A) = galerkit::load(&file.to_string_lossy()).unwrap().matrix else { panic!("it is complex") };
    let b = vec![c64::new(1.0, 0.0); A.rows()];
    for method in [Krylov::Gmres { restart: 30 }, BICGSTAB] {
        let Solution { x, report } = solver(method, "ilu0").solve(&A, &b).unwrap();
        assert_eq!(
            (report.converged, report.outcome.name(), report.true_residual),
            (false, "non_finite", 1.0),
            "{method}"
        );
        assert!(x.iter().all(|value| value.re == 0.0 && value.im == 0.0), "{method}");
    }
}

/// Matrices whose diagonal has zeros: chemical engineering and a circuit.
#[test]
fn real_matrices_with_zeros_on_the_diagonal() {
    for (file, most) in [("irregular/west0497.mtx.gz", 60), ("irregular/adder_dcop_05.mtx.gz", 300)] {
        let Some(file) = data_file(file) else { return };
        let A = galerkit::load(&file.to_string_lossy()).unwrap().into_real().unwrap();
        let b = vec![1.0; A.rows()];
        let Solution { x, report } = solver(BICGSTAB, "ilu0").rtol(1e-8).solve(&A, &b).unwrap();
        assert!(report.converged && residual(&A, &b, &x) <= 1.01e-8, "{}: {report}", file.display());
        assert!(report.iterations <= most, "{}: {}", file.display(), report.iterations);
    }
}
