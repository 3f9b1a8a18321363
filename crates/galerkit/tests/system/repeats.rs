//! Solved again and again: the bits of a solver that solves once, and nothing new is made.

use super::{DEVICES, solver, told};
use crate::systems::{real, residual};
use galerkit::linalg::engine::Counters;
use galerkit::prelude::*;
use galerkit_testkit::bits;
use galerkit_testkit::problems::scattered;

/// Prepared, the second and the third solve are what a solver does alone, although another b was in between.
#[track_caller]
fn repeats<S: Scalar>(solver: &Solver, A: &Csr<S>, way: &str) {
    let (b, other) = (scattered::<S>(A.rows(), 3), scattered::<S>(A.rows(), 8));
    for device in DEVICES {
        let solver = solver.clone().device(device);
        let (alone, alone_other) = (solver.solve(A, &b).unwrap(), solver.solve(A, &other).unwrap());
        assert!(alone.report.converged && residual(A, &b, &alone.x) <= 1.01e-9, "{way}, {device}: {}", alone.report);
        let mut system = solver.prepare(A).unwrap();
        for k in 1..=3 {
            let again = system.solve(&b).unwrap();
            assert_eq!(told(&again), told(&alone), "{way}, {device}, solve {k}");
            assert_eq!(again.report.converged, alone.report.converged, "{way}, {device}, solve {k}");
        }
        assert_eq!(told(&system.solve(&other).unwrap()), told(&alone_other), "{way}, {device}, another b");
        assert_eq!(told(&system.solve(&b).unwrap()), told(&alone), "{way}, {device}, after another b");
    }
}

#[test]
fn methods_for_symmetric_systems_repeat() {
    let A = real("gallery:poisson2d?n=9");
    for method in ["cg", "fcg", "pipecg", "minres", "auto", "lu", "cholesky", "vpgcr"] {
        repeats(&solver([method, "auto", "auto", "auto"]), &A, method);
    }
}

#[test]
fn methods_for_general_systems_repeat() {
    let A = real("gallery:convection_diffusion2d?n=9");
    for method in ["bicgstab", "idr:4", "gcr:8", "gmres:10", "cbgmres:10", "orthodir:8", "auto", "lu", "vpgcr"] {
        repeats(&solver([method, "auto", "auto", "auto"]), &A, method);
    }
    repeats(&solver(["fgmres:10", "inner:bicgstab", "auto", "auto"]), &A, "an inner solve");
}

#[test]
fn hybrid_precision_repeats() {
    let (A, general) = (real("gallery:poisson2d?n=9"), real("gallery:convection_diffusion2d?n=9"));
    repeats(&solver(["cg", "auto", "auto", "auto"]).precision(Precision::Hybrid), &A, "hybrid cg");
    repeats(&solver(["bicgstab", "ilu0", "auto", "auto"]).precision(Precision::Hybrid), &general, "hybrid bicgstab");
}

#[test]
fn preconditioners_and_orderings_repeat() {
    let A = real("gallery:poisson2d?n=9");
    for preconditioner in ["none", "jacobi", "ssor", "ilu0", "ic0", "chebyshev:3", "block-jacobi"] {
        for ordering in ["natural", "rcm"] {
            let way = format!("{preconditioner} {ordering}");
            repeats(&solver(["cg", preconditioner, "auto", ordering]), &A, &way);
        }
    }
}

#[test]
fn formats_repeat() {
    let A = real("gallery:poisson2d?n=9");
    for format in ["csr", "sell:8:256", "hyb", "k2rs:32:4", "bsr:2", "coo"] {
        for ordering in ["natural", "rcm"] {
            repeats(&solver(["cg", "jacobi", format, ordering]), &A, &format!("{format} {ordering}"));
        }
    }
}

#[test]
fn what_repeats_makes_nothing_new() {
    let A = real("gallery:poisson2d?n=9");
    for device in DEVICES {
        for method in ["cg", "gmres:10", "vpgcr"] {
            let mut system = solver([method, "auto", "auto", "auto"]).device(device).prepare(&A).unwrap();
            let mut after = |seed: u64| {
                let _ = system.solve(&scattered(A.rows(), seed)).unwrap();
                system.counters()
            };
            // An inner solve that aims at the outer tolerance has ||b|| in its program, so one b for all.
            let second = [after(5), after(5)][1];
            let later = [after(5), after(5), after(5)];
            assert_eq!(later, [second; 3], "{method}, {device}");
            assert!(second.vectors > 0 && second.codes > 0 && second.maps > 0, "{method}, {device}: {second:?}");
        }
    }
}

/// Other right-hand sides, where no part of b is in the program.
#[test]
fn other_right_hand_sides_make_nothing_new() {
    let A = real("gallery:poisson2d?n=9");
    for device in DEVICES {
        for method in ["cg", "gmres:10"] {
            let mut system = solver([method, "auto", "auto", "auto"]).device(device).prepare(&A).unwrap();
            let mut after = |seed: u64| {
                let _ = system.solve(&scattered(A.rows(), seed)).unwrap();
                system.counters()
            };
            let first: Counters = after(1);
            assert_eq!([2, 3, 4, 5].map(after), [first; 4], "{method}, {device}");
        }
    }
}

#[test]
fn a_start_is_where_a_solve_starts() {
    let A = real("gallery:poisson2d?n=9");
    let b: Vec<f64> = scattered(A.rows(), 3);
    for device in DEVICES {
        for (method, ordering) in [("cg", "natural"), ("cg", "rcm"), ("gmres:10", "rcm"), ("vpgcr", "natural")] {
            let mut system = solver([method, "auto", "auto", ordering]).device(device).prepare(&A).unwrap();
            let cold = system.solve(&b).unwrap();
            let warm = system.solve_from(&b, &cold.x).unwrap();
            assert_eq!((warm.report.iterations, bits(&warm.x)), (0, bits(&cold.x)), "{method} {ordering} {device}");
            let near: Vec<f64> = cold.x.iter().map(|x| x * (1.0 + 1e-5)).collect();
            let nearer = system.solve_from(&b, &near).unwrap().report;
            assert!(nearer.converged && nearer.iterations < cold.report.iterations, "{method} {ordering} {device}");
            assert_eq!(told(&system.solve(&b).unwrap()), told(&cold), "{method} {ordering} {device}: from 0 again");
        }
    }
    let mut system = Solver::new().prepare(&A).unwrap();
    let error = system.solve_from(&b, &[0.0; 3]).unwrap_err().to_string();
    assert!(error.contains("the start has length 3"), "{error}");
}
