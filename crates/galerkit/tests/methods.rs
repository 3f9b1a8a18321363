//! The family through the facade: every method and scalar, what automatic choice picks and how it changes its mind, and
//! what is refused.

mod real_matrices;

use crate::systems::{matrix, real, residual};
use galerkit::family::method_properties;
use galerkit::linalg::gallery::{Stencil, poisson2d};
use galerkit::linalg::sparse::Csr;
use galerkit::prelude::*;
use galerkit::{Error, Preconditioning, Rhs};

fn every_method<S: Scalar>(rtol: f64) {
    let A = poisson2d(8, Stencil::Points5).unwrap().map_values(S::from_f64);
    let b: Vec<S> = Rhs::Random { seed: 2 }.entries(A.rows()).unwrap();
    for method in Krylov::ALL {
        for preconditioner in [Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Ssor { omega: 1.0 }] {
            let solver = Solver::new().rtol(rtol).method(method).preconditioner(preconditioner);
            let solution = solver.solve(&A, &b).unwrap();
            let way = format!("{} {method} {preconditioner}", S::KIND.name());
            assert!(solution.report.converged, "{way}: {}", solution.report);
            let found = residual(&A, &b, &solution.x);
            assert!(found <= 1.01 * rtol + 8.0 * S::eps(), "{way}: {found}");
            let report = solution.report;
            let counted = if S::KIND == S::Single::KIND { method.in_single() } else { method };
            assert_eq!((report.method, report.vectors), (method.into(), counted.vectors()), "{way}");
            assert_eq!(report.products, method_properties(method).products * report.iterations, "{way}");
            assert!(report.bytes_moved.is_some() && report.iteration_bytes.is_some(), "{way}");
        }
    }
}

#[test]
fn every_method_solves_with_every_scalar() {
    every_method::<f64>(1e-9);
    every_method::<f32>(1e-4);
    every_method::<c64>(1e-9);
    every_method::<c32>(1e-4);
}

#[test]
fn names_are_read_back_and_others_refused() {
    let methods = Krylov::ALL.map(Method::from).into_iter();
    for method in methods.chain([Method::Lu, Method::Cholesky, Method::Dense]) {
        assert_eq!(method.to_string().parse::<Method>().unwrap(), method);
        let name = method.to_string();
        let stem = name.split(':').next().unwrap();
        assert!(Method::names().contains(stem) && stem.parse::<Method>().unwrap() == method, "{name}");
    }
    let message = |name: &str| name.parse::<Choice<Method>>().unwrap_err().to_string();
    assert!(message("cgs").contains("auto, cg") && message("cgs").contains("lu, cholesky, dense"));
    assert!(message("gmres:0").contains("1 to 200") && message("lu:3").contains("lu:3"));
}

#[test]
fn the_choice_follows_what_can_be_seen() {
    let picked = |A: &Csr<f64>| {
        let b = vec![1.0; A.rows()];
        let report = Solver::new().solve(A, &b).unwrap().report;
        (report.tried[0].name(), report.method_reason.clone(), report.converged)
    };
    let (method, reason, converged) = picked(&real("gallery:poisson2d?n=10"));
    assert!(method == "cholesky" && converged, "{method}: {reason}");
    assert!(reason.starts_with("symmetric with a positive diagonal, and elimination takes "), "{reason}");
    let (method, reason, converged) = picked(&real("gallery:poisson3d?n=20"));
    assert_eq!((method.as_str(), reason.as_str(), converged), ("cg", "symmetric with a positive diagonal", true));
    let (method, reason, converged) = picked(&matrix(3, &[(0, 0, 2.0), (1, 1, -3.0), (2, 2, 1.0)]));
    assert_eq!((method.as_str(), converged), ("lu", true));
    assert!(reason.contains("row 2"), "{reason}");
    let (method, reason, converged) = picked(&real("gallery:toeplitz?n=50"));
    assert_eq!((method.as_str(), reason.as_str(), converged), ("dense", "not symmetric, and small", true));
    let (method, reason, converged) = picked(&real("gallery:convection_diffusion2d?n=20"));
    assert!(method == "lu" && reason.starts_with("not symmetric, and elimination takes "), "{reason}");
    assert!(!reason.contains("at most"), "its pattern is symmetric, so factors are counted exactly: {reason}");
    assert!(converged);
}

/// A preconditioner, a limit, a format or an ordering are about iterations.
#[test]
fn who_speaks_of_iterations_gets_them() {
    let A = real("gallery:convection_diffusion2d?n=10");
    let solver = Solver::new();
    let ways = [
        solver.clone().preconditioner(Preconditioner::Ilu { fill: 0 }),
        solver.clone().max_iterations(500),
        solver.clone().format(Format::Csr),
        solver.clone().ordering(Ordering::Natural),
        solver.clone().precision(Precision::Hybrid),
    ];
    for way in ways {
        let report = way.solve(&A, &vec![1.0; A.rows()]).unwrap().report;
        assert!(report.converged && report.is_iterative(), "{report}");
    }
    let report = solver.rtol(1e-9).threads(1).solve(&A, &vec![1.0; A.rows()]).unwrap().report;
    assert!(report.converged && !report.is_iterative(), "{report}");
}

/// The discrete biharmonic operator: CG gains a digit in thousands of iterations, which its rate tells before the limit
/// is reached.
#[test]
fn iterations_that_crawl_are_left_for_elimination() {
    let A = real("gallery:poisson2d?n=150");
    let A = A.multiply(&A).unwrap();
    let report = Solver::new().solve(&A, &vec![1.0; A.rows()]).unwrap().report;
    let tried: Vec<_> = report.tried.iter().map(|it| (it.name(), it.outcome_name(), it.iterations < 8000)).collect();
    assert_eq!(tried, [("cg".into(), "stagnated", true), ("cholesky".into(), "converged", true)]);
}

/// Blocks [[1, 2], [-2, 1]] scaled by 1, 2, ... along the diagonal: regular, not dominant, with eigenvalues 1 +- 2i.
fn rotations(blocks: usize) -> Csr<f64> {
    let block = |k: usize| {
        let scale = 1.0 + (k % 5) as f64;
        let (i, j) = (2 * k, 2 * k + 1);
        [(i, i, scale), (i, j, 2.0 * scale), (j, i, -2.0 * scale), (j, j, scale)]
    };
    matrix(2 * blocks, &(0..blocks).flat_map(block).collect::<Vec<_>>())
}

#[test]
fn iterations_without_dominance_are_those_of_gmres() {
    let A = rotations(10_001);
    let report = Solver::new().preconditioner(Preconditioner::Jacobi).solve(&A, &vec![1.0; A.rows()]).unwrap().report;
    assert_eq!((report.method, report.converged), (Krylov::Gmres { restart: 30 }.into(), true), "{report}");
    assert!(report.method_reason.contains("only 0 % of its rows"), "{}", report.method_reason);
}

#[test]
fn a_saddle_point_goes_to_a_method_for_indefinite_matrices_and_reports_both() {
    // [[I, B], [B', eps I]] with eps small: a positive diagonal, and as many negative eigenvalues as positive ones.
    let n = 40;
    let mut entries = Vec::new();
    for i in 0..n {
        entries.extend([(i, i, 1.0), (n + i, n + i, 0.01), (i, n + i, 2.0), (n + i, i, 2.0)]);
        if i + 1 < n {
            entries.extend([(i, n + i + 1, 1.0), (n + i + 1, i, 1.0)]);
        }
    }
    let A = matrix(2 * n, &entries);
    let b: Vec<f64> = Rhs::Random { seed: 5 }.entries(2 * n).unwrap();
    let iterating = Solver::new().preconditioner(Preconditioner::Jacobi);
    let found = [("cg", "not_positive_definite", "lu"), ("cholesky", "failed", "lu")];
    for (solver, (first, outcome, second)) in [iterating, Solver::new()].into_iter().zip(found) {
        let solution = solver.solve(&A, &b).unwrap();
        let report = &solution.report;
        let tried: Vec<_> = report.tried.iter().map(|it| (it.name(), it.outcome_name())).collect();
        assert_eq!(tried, [(first.into(), outcome), (second.into(), "converged")]);
        assert!(report.converged && residual(&A, &b, &solution.x) <= 1.01e-8);
        let said = format!("{first} {} after", outcome.replace('_', " "));
        assert!(report.to_string().contains(&said), "{report}");
        assert_eq!(report.failures().len(), 1);
    }
}

#[test]
fn a_singular_system_is_solved_if_it_can_be_and_named_if_not() {
    // Symmetric with a positive diagonal; rows 1 and 2 are equal.
    let A = matrix(3, &[(0, 0, 1.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 2, 1.0)]);
    let report = Solver::new().solve(&A, &[1.0, 1.0, 1.0]).unwrap().report;
    let names: Vec<String> = report.tried.iter().map(|attempt| attempt.name()).collect();
    assert!(report.converged && names == ["cholesky", "lu", "lu"], "{names:?}");
    assert!(report.tried[1].true_residual.is_nan() && report.method_reason.contains("singular"), "{report}");
    assert_eq!(report.null_space, Some(1));
    // Without a solution: least squares, with a residual that is not claimed.
    let Solution { x, report }: Solution<f64> = Solver::new().solve(&A, &[1.0, -1.0, 1.0]).unwrap();
    assert!(!report.converged && report.null_space == Some(1), "{report}");
    assert!(report.advice.unwrap().contains("no x brings the relative residual below 8.2e-1"));
    assert!(x[0].abs() < 1e-12 && x[1].abs() < 1e-12 && (x[2] - 1.0).abs() < 1e-12, "{x:?}");
    // Where iterations were first there is an answer, with a residual that is not claimed.
    let report = Solver::new().max_iterations(100).solve(&A, &[1.0, -1.0, 1.0]).unwrap().report;
    assert!(!report.converged && report.advice.unwrap().contains("singular"), "{:?}", report.tried);
}

/// A pure Neumann problem: solvable exactly where the entries of b sum to zero.
#[test]
fn rows_that_sum_to_zero_are_named() {
    let n = 300;
    let row = |i: usize| [(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0), (i + 1, i, -1.0)];
    let A = matrix(n, &(0..n - 1).flat_map(row).collect::<Vec<_>>());
    let b: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let report = Solver::new().solve(&A, &b).unwrap().report;
    assert!(report.converged && report.method == Method::CG, "{report}");
    assert!(report.method_reason.contains("its rows sum to zero, so it is singular"), "{}", report.method_reason);
    assert_eq!(report.null_space, Some(1));
    let refused = Solver::new().solve(&A, &vec![1.0; n]).unwrap_err().to_string();
    assert!(refused.contains("singular") && refused.contains("its mean"), "{refused}");
    // A method that was asked for runs, and what it could not find is said.
    let report = Solver::new().method(Krylov::Minres).solve(&A, &vec![1.0; n]).unwrap().report;
    assert!(!report.converged && report.advice.unwrap().contains("its mean"));
}

/// Two Neumann problems beside each other: b must balance over each.
#[test]
fn parts_of_a_neumann_problem_balance_each() {
    let row = |i: usize| [(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0), (i + 1, i, -1.0)];
    let A = matrix(80, &(0..39).chain(40..79).flat_map(row).collect::<Vec<_>>());
    let b: Vec<f64> = (0..80).map(|i| if i < 40 { 1.0 } else { -1.0 }).collect();
    let refused = Solver::new().solve(&A, &b).unwrap_err().to_string();
    assert!(refused.contains("2 parts") && refused.contains("over each part"), "{refused}");
    let b: Vec<f64> = (0..80).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let report = Solver::new().solve(&A, &b).unwrap().report;
    assert!(report.converged && report.null_space == Some(2), "{report}");
}

/// D L D with L of a Neumann problem: its null vector is no constant.
#[test]
fn weighted_neumann_problems_have_a_null_space() {
    let d = |i: usize| 1.0 + 0.3 * (i % 5) as f64;
    let entry = |i: usize, j: usize, a: f64| (i, j, d(i) * a * d(j));
    let row = |i: usize| [entry(i, i, 1.0), entry(i + 1, i + 1, 1.0), entry(i, i + 1, -1.0), entry(i + 1, i, -1.0)];
    let A = matrix(400, &(0..399).flat_map(row).collect::<Vec<_>>());
    let b: Vec<f64> = (0..400).map(|i| if i % 2 == 0 { d(i) } else { -d(i) }).collect();
    let report = Solver::new().solve(&A, &b).unwrap().report;
    assert!(report.converged && report.null_space == Some(1), "{report}");
    let report = Solver::new().solve(&A, &vec![1.0; 400]).unwrap().report;
    assert!(!report.converged && report.null_space == Some(1), "{report}");
}

/// An unknown without an equation, and an equation without an unknown.
#[test]
fn empty_rows_are_no_obstacle_where_b_has_none_either() {
    let n = 250;
    let entries: Vec<_> = (0..n).filter(|&i| i != 7).flat_map(|i| [(i, i, 3.0), (i, (i + 1) % n, -1.0)]).collect();
    let A = matrix(n, &entries);
    let mut b = vec![1.0; n];
    let refused = Solver::new().solve(&A, &b).unwrap_err().to_string();
    assert!(refused.contains("row 8 has no entries"), "{refused}");
    b[7] = 0.0;
    let report = Solver::new().solve(&A, &b).unwrap().report;
    assert!(report.converged && report.null_space == Some(1) && report.tried.len() == 1, "{report}");
}

/// Entries whose products with each other and with b leave the range of double precision.
#[test]
fn matrices_out_of_range_are_scaled_and_x_comes_back() {
    for (size, rhs) in [(1e240, 1e-40), (1e-250, 1e30), (1e290, 1.0)] {
        let row = |i: usize| [(i, i, 2.5 * size), (i, (i + 1) % 300, -size), ((i + 1) % 300, i, -size)];
        let A = matrix(300, &(0..300).flat_map(row).collect::<Vec<_>>());
        let b: Vec<f64> = (0..300).map(|i| rhs * (1.0 + (i % 3) as f64)).collect();
        for method in [Method::CG, Krylov::Bicgstab.into(), Krylov::Minres.into(), Method::Lu, Method::Cholesky] {
            let Solution { x, report } = Solver::new().method(method).solve(&A, &b).unwrap();
            assert!(report.converged, "{method} {size:e}: {report}");
            let first = (2.5 * x[0] - x[1] - x[299]) * (size / rhs);
            assert!((first - 1.0).abs() < 1e-6, "{method} {size:e}: {first}");
        }
    }
}

/// New values are looked at again: out of range, and back.
#[test]
fn matrices_go_out_of_range_and_come_back() {
    let row = |i: usize| [(i, i, 2.5), (i, (i + 1) % 300, -1.0), ((i + 1) % 300, i, -1.0)];
    let A = matrix(300, &(0..300).flat_map(row).collect::<Vec<_>>());
    let b: Vec<f64> = (0..300).map(|i| 1.0 + (i % 3) as f64).collect();
    for method in [Method::CG, Method::Lu] {
        let mut system = Solver::new().method(method).prepare(&A).unwrap();
        let x = system.solve(&b).unwrap().x;
        for power in [700, -700, 0] {
            let size = 2f64.powi(power);
            system.update(&A.val().iter().map(|a| a * size).collect::<Vec<_>>()).unwrap();
            let again = system.solve(&b).unwrap();
            assert!(again.report.converged, "{method} 2^{power}: {}", again.report);
            let apart = again.x.iter().zip(&x).map(|(y, x)| (y * size - x).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-6, "{method} 2^{power}: {apart:e}");
        }
    }
}

/// Its directions are powers of A M: single precision leaves nothing of the eighth.
#[test]
fn orthodir_refuses_a_hierarchy_in_single_precision() {
    let A = galerkit::load("gallery:poisson2d?n=40").unwrap().into_real().unwrap();
    let solver = |precond: &str| {
        let precond = precond.parse::<Choice<Preconditioning>>().unwrap();
        Solver::new().method(Krylov::Orthodir { restart: 30 }).preconditioner(precond).solve(&A, &vec![1.0; A.rows()])
    };
    let refused = solver("amg,precision=f32").unwrap_err().to_string();
    assert!(refused.contains("precision=same") && refused.contains("gcr:30"), "{refused}");
    assert!(solver("amg").unwrap().report.converged);
}

#[test]
fn dense_elimination_of_what_does_not_fit_is_refused_with_the_memory() {
    let A = Csr::<f64>::identity(2_000_000);
    let refused = Solver::new().method(Method::Dense).solve(&A, &vec![1.0; A.rows()]).unwrap_err().to_string();
    assert!(refused.contains("GiB are free") && refused.contains("choose lu"), "{refused}");
}

#[test]
fn a_named_method_is_never_changed() {
    let A = matrix(2, &[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)]);
    let report = Solver::new().method(Krylov::Cg).solve(&A, &[1.0, -2.0]).unwrap().report;
    assert_eq!((report.outcome.name(), report.tried.len()), ("not_positive_definite", 1));
}

#[test]
fn conjugate_gradients_refuse_complex_matrices_that_are_not_hermitian() {
    let (one, i) = (c64::new(2.0, 0.0), c64::new(0.0, 1.0));
    let symmetric = matrix(2, &[(0, 0, one), (0, 1, i), (1, 0, i), (1, 1, one)]);
    let hermitian = matrix(2, &[(0, 0, one), (0, 1, i), (1, 0, -i), (1, 1, one)]);
    let b = [c64::new(1.0, 0.0), c64::new(0.0, 2.0)];
    for method in [Krylov::Cg, Krylov::FlexibleCg, Krylov::PipelinedCg, Krylov::Minres] {
        let error = Solver::new().method(method).solve(&symmetric, &b).unwrap_err();
        assert!(matches!(error, Error::NotSelfAdjoint { complex: true, .. }), "{method}: {error}");
        assert!(error.to_string().contains("gmres"), "{error}");
        assert!(Solver::new().method(method).solve(&hermitian, &b).unwrap().report.converged, "{method}");
    }
    let negative = matrix(1, &[(0, 0, -1.0)]);
    let error = Solver::new().method(Krylov::Cg).solve(&negative, &[1.0]).unwrap_err();
    assert!(matches!(error, Error::NotPositiveDefinite { row: 0, .. }) && error.to_string().contains("minres"));
    assert!(Solver::new().method(Krylov::Minres).solve(&negative, &[1.0]).unwrap().report.converged);
}

#[test]
fn a_preconditioner_that_was_not_named_suits_the_method() {
    let A = matrix(2, &[(0, 0, 2.0), (1, 1, -1.0)]);
    let solve = |method: Krylov| Solver::new().method(method).solve(&A, &[1.0, 1.0]).unwrap().report;
    let report = solve(Krylov::Minres);
    assert_eq!((report.preconditioner, report.converged), (Preconditioner::None.into(), true));
    assert!(report.preconditioner_reason.contains("not positive"), "{}", report.preconditioner_reason);
    let report = solve(Krylov::Gmres { restart: 5 });
    assert_eq!((report.preconditioner, report.converged), (Preconditioner::Jacobi.into(), true));
    let named = Solver::new().method(Krylov::Minres).preconditioner(Preconditioner::Jacobi);
    assert!(named.solve(&A, &[1.0, 1.0]).is_err(), "what was asked for is not replaced");
}
