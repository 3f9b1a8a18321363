//! A system in double precision that is solved in single precision: rounded and prepared once, as any other system.

use super::new_values::{other_values, with_values};
use super::refill::keeps;
use super::{DEVICES, solver, told};
use galerkit::prelude::*;
use galerkit_testkit::problems::{hermitian, scattered};

fn single([method, preconditioner, ordering]: [&str; 3]) -> Solver {
    solver([method, preconditioner, "auto", ordering]).precision(Precision::Single).rtol(1e-4)
}

/// It was rounded, ordered, converted, loaded and compiled by every solve.
#[test]
fn a_rounded_system_was_prepared_by_every_solve() {
    let A: Csr<f64> = hermitian(8);
    for device in DEVICES {
        for way in [["cg", "jacobi", "rcm"], ["gmres:10", "ilu0", "natural"], ["auto", "jacobi", "auto"]] {
            let solver = single(way).device(device);
            let mut system = solver.prepare(&A).unwrap();
            let mut after = |seed: u64| {
                let b = scattered(A.rows(), seed);
                let found = system.solve(&b).unwrap();
                assert_eq!(told(&found), told(&solver.solve(&A, &b).unwrap()), "{way:?}, {device}, seed {seed}");
                system.counters()
            };
            let first = after(1);
            assert!(first.programs > 0 && first.maps > 0 && first.vectors > 0, "{way:?}, {device}: {first:?}");
            assert_eq!([2, 3, 4].map(after), [first; 3], "{way:?}, {device}");
            system.reset();
            assert_eq!(system.counters().programs, 0, "{way:?}, {device}");
        }
    }
}

#[test]
fn new_values_are_rounded_in_place() {
    let A: Csr<f64> = hermitian(8);
    for device in DEVICES {
        for preconditioner in ["none", "jacobi", "ssor:1.3", "ilu0", "block-jacobi:4", "chebyshev:3"] {
            let solver = single(["cg", preconditioner, "rcm"]).device(device);
            keeps(&solver, &A, &format!("rounded, {preconditioner} {device}"));
        }
    }
}

#[test]
fn rounded_systems_are_made_anew_on_a_gpu() {
    if let Err(error) = galerkit_cuda::launch::Gpu::open(0) {
        return galerkit_testkit::skip(&error.to_string());
    }
    let A: Csr<f64> = hermitian(8);
    for preconditioner in ["jacobi", "chebyshev:2"] {
        let solver = single(["cg", preconditioner, "rcm"]).device(Device::Cuda(0)).autotuning(Autotuning::Modelled);
        keeps(&solver, &A, &format!("rounded, {preconditioner} on a GPU"));
    }
}

/// Values that are computed come from the host here: the engine of the closure is one of double precision.
#[test]
fn computed_values_are_rounded() {
    let A: Csr<f64> = hermitian(8);
    let (b, solver) = (scattered::<f64>(A.rows(), 3), single(["cg", "jacobi", "auto"]));
    let mut system = solver.prepare(&A).unwrap();
    let _ = system.solve(&b).unwrap();
    let values = other_values(&A, 1);
    system.update_with(|e, entries| galerkit::linalg::engine::Engine::write(e, entries, &values)).unwrap();
    let fresh = solver.solve(&with_values(&A, &values), &b).unwrap();
    assert_eq!(told(&system.solve(&b).unwrap()), told(&fresh));
}

/// An entry beyond single precision: what a fresh solve says; and good values make it good again.
#[test]
fn values_beyond_single_precision_are_what_they_are_for_a_fresh_solve() {
    let A: Csr<f64> = hermitian(5);
    let (b, solver) = (scattered::<f64>(A.rows(), 3), single(["cg", "jacobi", "auto"]));
    let mut system = solver.prepare(&A).unwrap();
    let before = system.solve(&b).unwrap();
    let mut values = A.val().to_vec();
    values[0] = 1e300;
    system.update(&values).unwrap();
    let said = [system.solve(&b), solver.solve(&with_values(&A, &values), &b)].map(|it| it.unwrap_err().to_string());
    assert!(said[0] == said[1] && said[0].contains("overflows"), "{said:?}");
    system.update(A.val()).unwrap();
    assert_eq!(told(&system.solve(&b).unwrap()), told(&before), "good again");
}

/// The start was not heeded.
#[test]
fn a_rounded_system_starts_where_it_is_told() {
    let A: Csr<f64> = hermitian(8);
    let b = scattered::<f64>(A.rows(), 3);
    let mut system = single(["cg", "jacobi", "auto"]).prepare(&A).unwrap();
    let cold = system.solve(&b).unwrap();
    let warm = system.solve_from(&b, &cold.x).unwrap().report;
    assert!(cold.report.iterations > 1 && warm.converged && warm.iterations == 0, "{warm}");
}
