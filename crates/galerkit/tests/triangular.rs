//! How triangles are solved with, through the facade: by name and by choice the same, what is refused, what the report says.
#![allow(non_snake_case)]

mod systems;

use galerkit::prelude::*;
use galerkit::{Error, Rhs};
use galerkit_testkit::bits;
use galerkit_testkit::problems::hermitian;
use systems::{matrix, real, residual};

fn solver(method: Krylov, name: &str) -> Solver {
    Solver::new().method(method).preconditioner(name.parse::<Choice<Preconditioning>>().unwrap()).rtol(1e-10)
}

/// The same preconditioner by two names: the same bits.
#[test]
fn sweeps_by_choice_are_those_by_name() {
    let A = real("gallery:convection_diffusion2d?n=20");
    let b: Vec<f64> = Rhs::Random { seed: 3 }.entries(A.rows()).unwrap();
    for (plain, named) in [("ilu0", "ilu0-sweeps:2"), ("parilu0:3", "parilu0:3:2")] {
        let chosen = solver(Krylov::Bicgstab, plain).triangular(TriangularSolve::Sweeps(2)).solve(&A, &b).unwrap();
        let named = solver(Krylov::Bicgstab, named).solve(&A, &b).unwrap();
        assert!(chosen.report.converged && residual(&A, &b, &chosen.x) <= 1.01e-10, "{plain}: {}", chosen.report);
        assert_eq!(bits(&chosen.x), bits(&named.x), "{plain}");
        assert_eq!(
            (chosen.report.triangular, named.report.triangular),
            (Some(TriangularSolve::Sweeps(2)), Some(TriangularSolve::Sweeps(2)))
        );
        assert_eq!(chosen.report.triangular_reason, "asked for");
        assert!(named.report.triangular_reason.ends_with("says so"), "{}", named.report.triangular_reason);
        assert_eq!(chosen.report.method_name(), format!("bicgstab + {plain} (sweeps:2)"));
    }
    let named = solver(Krylov::Bicgstab, "ilu0-sweeps:2").triangular(TriangularSolve::Sweeps(2)).solve(&A, &b);
    assert_eq!(named.unwrap().report.method_name(), "bicgstab + ilu0-sweeps:2");
}

/// Incomplete Cholesky and fill can be swept too; enough sweeps are as good as exact solves, few take more iterations.
#[test]
fn every_factorisation_can_be_swept() {
    let A = hermitian::<c64>(20);
    let b: Vec<c64> = Rhs::Random { seed: 3 }.entries(A.rows()).unwrap();
    for name in ["ilu0", "ilu:1", "ic0", "ic0:0.01", "ilu0-blocks:3", "parilu0:3"] {
        let solve = |way: TriangularSolve| {
            let Solution { x, report } = solver(Krylov::Cg, name).triangular(way).solve(&A, &b).unwrap();
            assert!(report.converged && residual(&A, &b, &x) <= 1.01e-10, "{name} {way}: {report}");
            assert_eq!(report.triangular, Some(way));
            report.iterations
        };
        let [exact, one, many] =
            [TriangularSolve::Exact, TriangularSolve::Sweeps(1), TriangularSolve::Sweeps(80)].map(solve);
        assert!(one > exact && many.abs_diff(exact) <= 1, "{name}: {exact} exactly, {one} and {many} by sweeps");
    }
}

#[test]
fn inner_solves_and_hybrid_precision_sweep_as_well() {
    let A = real("gallery:poisson2d?n=25");
    let b = vec![1.0; A.rows()];
    let way = TriangularSolve::Sweeps(2);
    let inner = solver(Krylov::FlexibleCg, "inner:cg,precond=ic0").triangular(way).solve(&A, &b).unwrap().report;
    assert!(inner.converged && inner.triangular == Some(TriangularSolve::Sweeps(2)), "{inner}");
    let hybrid = solver(Krylov::Cg, "ilu0").triangular(way).precision(Precision::Hybrid);
    let named = solver(Krylov::Cg, "ilu0-sweeps:2").precision(Precision::Hybrid);
    let [hybrid, named] = [hybrid, named].map(|solver| solver.solve(&A, &b).unwrap().report);
    let counts = |report: &Report| report.inner.as_ref().map(|inner| (inner.solves, inner.iterations));
    assert!(hybrid.converged && counts(&hybrid).is_some() && counts(&hybrid) == counts(&named), "{hybrid}");
}

#[test]
fn on_the_cpu_exact_is_the_choice() {
    let A = real("gallery:poisson2d?n=25");
    let b = vec![1.0; A.rows()];
    for device in [Device::Cpu, Device::Reference] {
        let auto = solver(Krylov::Cg, "ilu0").device(device).solve(&A, &b).unwrap();
        let exact = solver(Krylov::Cg, "ilu0").triangular(TriangularSolve::Exact).device(device).solve(&A, &b).unwrap();
        assert_eq!(bits(&auto.x), bits(&exact.x));
        assert_eq!((auto.report.triangular, auto.report.tried.len()), (Some(TriangularSolve::Exact), 1));
        assert!(auto.report.triangular_reason.contains("on the CPU"), "{}", auto.report.triangular_reason);
        assert_eq!(exact.report.triangular_reason, "asked for");
    }
    let jacobi = solver(Krylov::Cg, "jacobi").triangular(TriangularSolve::Exact).solve(&A, &b).unwrap().report;
    assert_eq!((jacobi.triangular, jacobi.method_name().as_str()), (None, "cg + jacobi"));
    let ssor = solver(Krylov::Cg, "ssor:1.2").solve(&A, &b).unwrap().report;
    assert_eq!(
        (ssor.triangular, ssor.triangular_reason.as_str()),
        (Some(TriangularSolve::Exact), "ssor:1.2 has no other way")
    );
    let lu = Solver::new().method(Method::Lu).solve(&A, &b).unwrap().report;
    assert_eq!(lu.triangular, None);
}

#[test]
fn contradictions_are_refused() {
    let A = real("gallery:poisson2d?n=5");
    let b = vec![1.0; A.rows()];
    let refused = |name: &str, way| solver(Krylov::Cg, name).triangular(way).solve(&A, &b).unwrap_err();
    let said = refused("ilu0-sweeps:3", TriangularSolve::Exact);
    assert!(matches!(said, Error::SweepsByName { .. }), "{said}");
    assert!(said.to_string().contains("exact contradicts"), "{said}");
    let said = refused("jacobi", TriangularSolve::Sweeps(2));
    assert!(matches!(said, Error::NoFactors { .. }) && said.to_string().contains("choose ilu0"), "{said}");
}

/// What has no factors is refused however they would be solved with.
#[test]
fn a_zero_pivot_is_refused_by_sweeps_as_well() {
    let A = matrix(2, &[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0)]);
    for way in [Choice::Auto, TriangularSolve::Exact.into(), TriangularSolve::Sweeps(2).into()] {
        let refused = solver(Krylov::Bicgstab, "ilu0").triangular(way).solve(&A, &[1.0, 1.0]).unwrap_err();
        assert!(matches!(refused, Error::Linalg(galerkit::linalg::Error::ZeroPivot { row: 1 })), "{way}: {refused}");
    }
}

/// On a GPU something is picked, it solves, and the same is picked when times come from the disk.
#[test]
fn a_gpu_picks_and_says_why() {
    if let Err(error) = Device::Cuda(0).require() {
        return galerkit_testkit::skip(&error.to_string());
    }
    for (name, method) in
        [("gallery:poisson2d?n=160", Krylov::Cg), ("gallery:convection_diffusion3d?n=30", Krylov::Bicgstab)]
    {
        let A = real(name);
        let b = vec![1.0; A.rows()];
        for preconditioner in ["ilu0", "ilu:1", "parilu0:3"] {
            let solver = solver(method, preconditioner).device(Device::Cuda(0));
            let [first, second] = [(); 2].map(|()| solver.solve(&A, &b).unwrap());
            assert!(first.report.converged && residual(&A, &b, &first.x) <= 1.01e-10, "{name}: {}", first.report);
            let reason = &second.report.triangular_reason;
            assert!(reason.starts_with("expected for an iteration's worth") && reason.contains("exact"), "{reason}");
            assert_eq!(first.report.triangular, second.report.triangular, "{reason}");
            let fewest = solver.clone().triangular(TriangularSolve::Exact).ordering(Ordering::Natural);
            let fewest = fewest.solve(&A, &b).unwrap().report.iterations;
            assert!(first.report.iterations <= 4 * fewest, "{name} {preconditioner}: {}", first.report);
        }
    }
}
