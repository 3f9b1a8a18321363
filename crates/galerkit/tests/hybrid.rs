//! Inner solves and hybrid precision through the facade: answers as good as in double precision, what happens where
//! single precision does not do, and what is refused.

use crate::systems::{matrix, real, residual};
use galerkit::linalg::ScalarKind;
use galerkit::linalg::gallery::{Stencil, poisson2d};
use galerkit::prelude::*;
use galerkit::{Error, InnerMethod, Rhs};
use galerkit_testkit::data_file;

/// Hybrid to 1e-10, by the true residual; the report must tell of inner solves in single precision.
#[track_caller]
fn solves_hybrid<S: Scalar>(A: &Csr<S>, method: Krylov, preconditioner: impl Into<Choice<Preconditioning>>) -> Report {
    let b: Vec<S> = Rhs::Random { seed: 4 }.entries(A.rows()).unwrap();
    let solver = Solver::new().method(method).preconditioner(preconditioner).rtol(1e-10).precision(Precision::Hybrid);
    let Solution { x, report } = solver.solve(A, &b).unwrap();
    assert!(report.converged && residual(A, &b, &x) <= 1.01e-10, "{method}: {report}");
    let inner = report.inner.clone().unwrap_or_else(|| panic!("{method}: {:?}", report.tried));
    let low = if S::KIND.is_complex() { "c32" } else { "f32" };
    assert_eq!((inner.precision.name(), inner.discarded), (low, 0), "{method}");
    assert_eq!(report.precision.to_string(), format!("{}+{low}", S::KIND.name()));
    assert_eq!((inner.solves, report.tried.len()), (report.iterations, 1), "{method}");
    assert_eq!(inner.per_solve.iter().sum::<usize>(), inner.iterations, "{method}: {:?}", inner.per_solve);
    let fraction = inner.bytes_fraction().unwrap();
    assert!((0.5..0.75).contains(&fraction), "{method}: {fraction}");
    assert!(report.to_string().contains("inner solves"), "{report}");
    report
}

#[test]
fn symmetric_systems_of_the_gallery() {
    for A in [real("gallery:poisson2d?n=30"), real("gallery:tetra?n=6")] {
        for method in [Krylov::Cg, Krylov::FlexibleCg, Krylov::PipelinedCg, Krylov::Minres] {
            let report = solves_hybrid(&A, method, Choice::Auto);
            let inner = report.inner.unwrap();
            assert_eq!(
                (report.method, inner.method),
                (Krylov::Vpgcr { restart: 8 }.into(), InnerMethod::Krylov(method))
            );
            assert!(report.iterations <= 5, "{method}: {} outer iterations", report.iterations);
        }
    }
}

/// Map kinds, sweeps and polynomials are built in double precision and rounded.
#[test]
fn every_preconditioner_inside() {
    let A = real("gallery:poisson2d?n=30");
    let factors = ["ilu0", "ilu:1", "ic0", "ilu0-blocks:3", "ilu0-sweeps:3"];
    for name in ["none", "jacobi", "block-jacobi:3", "ssor:1.3", "chebyshev:3"].into_iter().chain(factors) {
        let preconditioner: Preconditioner = name.parse().unwrap();
        let b = vec![1.0; A.rows()];
        let double = Solver::new().method(Krylov::Cg).preconditioner(preconditioner).rtol(1e-10);
        let iterations = double.solve(&A, &b).unwrap().report.iterations;
        let hybrid = double.precision(Precision::Hybrid).solve(&A, &b).unwrap().report;
        let inner = hybrid.inner.as_ref().unwrap();
        assert!(
            hybrid.converged && inner.preconditioner.to_string() == name && inner.discarded == 0,
            "{name}: {hybrid}"
        );
        assert!(inner.iterations <= 3 * iterations, "{name}: {} and {iterations}", inner.iterations);
    }
}

#[test]
fn general_systems_real_and_complex() {
    let A = real("gallery:convection_diffusion2d?n=25");
    for method in [Krylov::Bicgstab, Krylov::Gcr { restart: 20 }, Krylov::Orthodir { restart: 30 }] {
        let _ = solves_hybrid(&A, method, Preconditioner::Ilu { fill: 0 });
    }
    let turned = A.map_values(|value| c64::new(0.6, 0.8) * value);
    let _ = solves_hybrid(&turned, Krylov::Bicgstab, Choice::Auto);
    let mut hermitian = poisson2d(15, Stencil::Points5).unwrap().map_values(|value| c64::new(value, 0.0));
    for i in 0..hermitian.rows() {
        for k in hermitian.range(i) {
            let j = hermitian.col()[k] as usize;
            hermitian.val_mut()[k] *= c64::new(0.6, 0.8 * (i as f64 - j as f64).signum());
            if i == j {
                hermitian.val_mut()[k] = c64::new(4.0, 0.0);
            }
        }
    }
    let _ = solves_hybrid(&hermitian, Krylov::Cg, Preconditioner::Ssor { omega: 1.0 });
}

#[test]
fn real_matrices() {
    let solve = |name: &str, method: Krylov, preconditioner: Preconditioner| {
        let Some(file) = data_file(name) else { return };
        let A = galerkit::load(&file.to_string_lossy()).unwrap().matrix;
        match A {
            AnyMatrix::C64(A) => drop(solves_hybrid(&A, method, preconditioner)),
            other => drop(solves_hybrid(&other.into_real().unwrap(), method, preconditioner)),
        }
    };
    let (jacobi, ilu0) = (Preconditioner::Jacobi, Preconditioner::Ilu { fill: 0 });
    solve("suitesparse/bcsstk16.mtx.gz", Krylov::Cg, Preconditioner::Ic0 { shift: 0.0 });
    solve("suitesparse/nos5.mtx.gz", Krylov::Cg, jacobi);
    solve("fem_systems/fasp_FE.mtx.gz", Krylov::Cg, jacobi);
    solve("fem_systems/fasp_FE.mtx.gz", Krylov::Minres, jacobi);
    solve("suitesparse/jpwh_991.mtx.gz", Krylov::Bicgstab, jacobi);
    solve("suitesparse/watt_1.mtx.gz", Krylov::Bicgstab, ilu0);
    solve("suitesparse/cage10.mtx.gz", Krylov::Bicgstab, jacobi);
    solve("complex/helmholtz_2D_dg.mtx.gz", Krylov::Bicgstab, ilu0);
}

/// Every flexible method around every inner one, in both precisions.
#[test]
fn inner_methods_in_outer_methods() {
    let A = real("gallery:poisson2d?n=12");
    let b: Vec<f64> = Rhs::Random { seed: 9 }.entries(A.rows()).unwrap();
    for outer in ["fcg", "gcr:5", "fgmres:6", "vpgcr:5"] {
        for inner in [
            "jacobi",
            "increments",
            "richardson,precond=ssor:1.2",
            "cg",
            "fcg",
            "pipecg",
            "minres",
            "bicgstab",
            "idr:2",
            "gmres:6",
            "cbgmres:6",
            "fgmres:4",
        ] {
            for precision in [Precision::Double, Precision::Hybrid] {
                let way = format!("{outer} {inner} {precision}");
                let solver = Solver::new().method(outer.parse::<Krylov>().unwrap()).rtol(1e-10).precision(precision);
                let solver =
                    solver.preconditioner(format!("inner:{inner}").parse::<Choice<Preconditioning>>().unwrap());
                let Solution { x, report } = solver.solve(&A, &b).unwrap();
                assert!(report.converged && residual(&A, &b, &x) <= 1.01e-10, "{way}: {report}");
                let told = report.inner.as_ref().unwrap_or_else(|| panic!("{way}: {:?}", report.tried));
                assert!(told.iterations >= told.solves && told.solves >= report.iterations, "{way}: {told:?}");
                assert_eq!(told.precision.name(), if precision == Precision::Hybrid { "f32" } else { "f64" });
                assert!(report.iterations < 40, "{way}: {} outer iterations", report.iterations);
                assert_eq!(report.method.to_string(), outer, "{way}");
            }
        }
    }
}

/// Methods whose count decides about x, and one with vectors of its own, as the inner method of hybrid precision.
#[test]
fn long_recurrences_and_shadow_spaces_in_single_precision() {
    let A = real("gallery:convection_diffusion2d?n=20");
    let compressed = Krylov::CompressedGmres { restart: 20 };
    for method in [Krylov::Gmres { restart: 20 }, compressed, Krylov::Fgmres { restart: 7 }, Krylov::Idr { s: 4 }] {
        let report = solves_hybrid(&A, method, Choice::Auto);
        let told = report.inner.as_ref().unwrap_or_else(|| panic!("{method}: {:?}", report.tried));
        assert!(told.method == InnerMethod::Krylov(method) && told.discarded == 0, "{told:?}");
    }
}

#[test]
fn vpgcr_sweeps_by_itself() {
    let A = real("gallery:toeplitz?n=400&gamma=0.4");
    let report = Solver::new().method(Krylov::Vpgcr { restart: 10 }).solve(&A, &vec![1.0; 400]).unwrap().report;
    let inner = report.inner.as_ref().unwrap();
    assert_eq!((report.converged, &report.preconditioner), (true, &InnerSolve::default().into()), "{report}");
    assert_eq!((inner.limit, inner.discarded, inner.preconditioner), (5000, 0, Preconditioner::Jacobi));
    assert_eq!(inner.per_solve.len(), inner.solves);
    let zero = matrix(2, &[(0, 1, 1.0), (1, 0, 1.0), (0, 0, 2.0)]);
    let error = Solver::new().method(Krylov::Vpgcr { restart: 10 }).solve(&zero, &[1.0, 1.0]).unwrap_err();
    assert!(error.to_string().contains("row 2 has a zero"), "{error}");
}

/// The reference and the CPU, each format: the same answer.
#[test]
fn devices_and_formats() {
    let A = real("gallery:tetra?n=5");
    let b = vec![1.0; A.rows()];
    for device in [Device::Cpu, Device::Reference] {
        for format in Format::all() {
            let solver = Solver::new().method(Krylov::Cg).precision(Precision::Hybrid).rtol(1e-11).device(device);
            let solution = solver.format(Choice::Given(format)).solve(&A, &b).unwrap();
            let (report, inner) = (&solution.report, solution.report.inner.as_ref());
            assert!(report.converged && inner.is_some_and(|inner| inner.discarded == 0), "{device} {format}: {report}");
            assert!(residual(&A, &b, &solution.x) <= 1.01e-11, "{device} {format}");
        }
    }
}

/// A diagonal from 1e-30 to 1e30 with couplings: products of its entries leave the range of single precision.
fn spread() -> Csr<f64> {
    let n = 64;
    let size = |i: usize| 10f64.powi((i * 60 / (n - 1)) as i32 - 30);
    let mut entries: Vec<(usize, usize, f64)> = (0..n).map(|i| (i, i, size(i))).collect();
    for i in 1..n {
        let coupling = 0.3 * (size(i) * size(i - 1)).sqrt();
        entries.extend([(i, i - 1, coupling), (i - 1, i, coupling)]);
    }
    matrix(n, &entries)
}

#[track_caller]
fn falls_back(report: &Report) {
    let tried: Vec<String> = report.tried.iter().map(|attempt| attempt.name()).collect();
    assert_eq!(tried, ["hybrid vpgcr:8", "cg"], "{report}");
    assert!(report.precision == ScalarKind::F64.into() && report.inner.is_none(), "{report}");
    let reason = &report.precision_reason;
    assert!(reason.contains("hybrid precision was first and stagnated after 3 iterations, 3 of 3 inner"), "{reason}");
    assert!(report.to_string().contains("hybrid vpgcr:8 stagnated"), "{report}");
}

/// Double precision does not solve this one either, and does not claim to.
#[test]
fn numbers_of_every_size_go_on_in_double_precision_and_the_report_says_so() {
    let A = spread();
    let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::None).precision(Precision::Hybrid);
    let report = solver.solve(&A, &[1.0; 64]).unwrap().report;
    falls_back(&report);
    assert!(!report.converged);
}

/// The square of a 1D Laplacian: its condition, about 3e8, is beyond single precision, and well within double.
#[test]
fn ill_conditioned_systems_converge_all_the_same() {
    let n = 200;
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push((i, i, if i == 0 || i == n - 1 { 5.0 } else { 6.0 }));
        entries.extend((i + 1 < n).then(|| [(i, i + 1, -4.0), (i + 1, i, -4.0)]).into_iter().flatten());
        entries.extend((i + 2 < n).then(|| [(i, i + 2, 1.0), (i + 2, i, 1.0)]).into_iter().flatten());
    }
    let (A, b) = (matrix(n, &entries), vec![1.0; n]);
    for preconditioner in [Preconditioner::Jacobi, Preconditioner::Ic0 { shift: 0.0 }] {
        let solver = Solver::new().method(Krylov::Cg).preconditioner(preconditioner).rtol(2e-6);
        let Solution { x, report } = solver.precision(Precision::Hybrid).solve(&A, &b).unwrap();
        falls_back(&report);
        assert!(report.converged && residual(&A, &b, &x) <= 2.1e-6, "{report}");
    }
}

#[test]
fn entries_beyond_single_precision() {
    let A = matrix(2, &[(0, 0, 1e39), (1, 1, 1.0)]);
    let hybrid = |A: &Csr<f64>, method: Krylov| {
        Solver::new().method(method).precision(Precision::Hybrid).solve(A, &[1.0, 1.0]).map(|solution| solution.report)
    };
    let error = hybrid(&A, Krylov::Cg).unwrap_err();
    assert!(matches!(error, Error::BeyondSingle { row: 0, col: 0, overflows: true, .. }), "{error}");
    assert!(error.to_string().contains("choose double precision"));
    let error = hybrid(&matrix(2, &[(0, 0, 1.0), (1, 1, 1e-50)]), Krylov::Cg).unwrap_err();
    assert!(matches!(error, Error::BeyondSingle { row: 1, overflows: false, .. }), "{error}");
    let error = hybrid(&matrix(2, &[(0, 0, 1.0), (1, 1, 1e-41)]), Krylov::Cg).unwrap_err();
    assert!(matches!(error, Error::PreconditionerBeyondSingle { .. }), "{error}");
    let report = Solver::new().method(Krylov::Cg).precision(Choice::Auto).solve(&A, &[1.0, 1.0]).unwrap().report;
    assert!(
        report.converged && report.precision == ScalarKind::F64.into() && report.precision_reason.contains("cache"),
        "{report}"
    );
}

#[test]
fn what_cannot_be_inside_or_outside_is_refused_with_what_can() {
    let A = real("gallery:poisson2d?n=5");
    let b = vec![1.0; A.rows()];
    let said = |method: Method, preconditioner: Choice<Preconditioning>, precision: Precision| {
        let solver = Solver::new().method(method).preconditioner(preconditioner).precision(precision);
        solver.solve(&A, &b).map(|solution| solution.report).unwrap_err().to_string()
    };
    let inner = InnerSolve::new(InnerMethod::Krylov(Krylov::Cg)).into();
    for (method, instead) in
        [("cg", "fcg"), ("pipecg", "fcg"), ("gmres:20", "fgmres:20"), ("cbgmres:9", "fgmres:9"), ("bicgstab", "vpgcr")]
    {
        let text = said(method.parse().unwrap(), inner, Precision::Double);
        assert!(text.contains(&format!("choose the method {instead}")), "{text}");
    }
    let text = "inner:vpgcr:4".parse::<Choice<Preconditioning>>().unwrap_err().to_string();
    assert!(text.contains("inner solve of its own: choose gcr:M"), "{text}");
    assert!(said(Method::Lu, Choice::Auto, Precision::Hybrid).contains("choose double precision"));
    let general = real("gallery:convection_diffusion2d?n=5");
    let error =
        Solver::new().method(Krylov::Vpgcr { restart: 5 }).preconditioner(inner).solve(&general, &b).unwrap_err();
    assert!(matches!(error, Error::NotSelfAdjoint { .. }), "{error}");
    let low = A.map_values(|value| value as f32);
    let error = Solver::new().method(Krylov::Cg).precision(Precision::Hybrid).solve(&low, &[1.0; 25]).unwrap_err();
    assert!(matches!(error, Error::NotDouble), "{error}");
}

#[test]
fn a_method_left_to_the_program_suits_what_else_was_asked_for() {
    let general = real("gallery:convection_diffusion2d?n=20");
    let b = vec![1.0; general.rows()];
    let report = Solver::new().precision(Precision::Hybrid).solve(&general, &b).unwrap().report;
    assert!(
        report.converged
            && report.inner.as_ref().is_some_and(|inner| inner.method == InnerMethod::Krylov(Krylov::Bicgstab)),
        "{report}"
    );
    let inner: Choice<Preconditioning> = "inner:bicgstab".parse().unwrap();
    let report = Solver::new().preconditioner(inner).solve(&general, &b).unwrap().report;
    assert_eq!((report.converged, report.method), (true, Krylov::Vpgcr { restart: 30 }.into()), "{report}");
    let A = real("gallery:poisson2d?n=20");
    let report = Solver::new().preconditioner(inner).solve(&A, &b).unwrap().report;
    assert_eq!((report.converged, report.method), (true, Krylov::FlexibleCg.into()), "{report}");
}

#[test]
fn single_precision_advises_hybrid_where_it_is_at_its_end() {
    let A = real("gallery:poisson2d?n=30");
    let b = vec![1.0; A.rows()];
    let single = Solver::new().method(Krylov::Cg).precision(Precision::Single);
    let report = single.clone().solve(&A, &b).unwrap().report;
    assert_eq!((report.converged, report.precision, report.rtol), (true, ScalarKind::F32.into(), 1e-4));
    let report = single.rtol(1e-10).solve(&A, &b).unwrap().report;
    assert!(!report.converged && report.advice.as_ref().unwrap().contains("hybrid precision"), "{report}");
    let low = A.map_values(|value| value as f32);
    let report = Solver::new().method(Krylov::Cg).rtol(1e-10).solve(&low, &vec![1.0; low.rows()]).unwrap().report;
    assert!(report.advice.unwrap().contains("hybrid precision"));
}

#[test]
fn hybrid_and_double_precision_share_the_limit() {
    let A = real("gallery:poisson2d?n=60");
    let b = vec![1.0; A.rows()];
    let solver = Solver::new().method(Krylov::Cg).precision(Precision::Hybrid).rtol(1e-12).max_iterations(60);
    let report = solver.solve(&A, &b).unwrap().report;
    assert_eq!((report.outcome.name(), report.tried.len()), ("iteration_limit", 2), "{report}");
    assert!(report.iterations < 60, "{report}");
}
