//! How triangles are solved with, through the facade: by name and by choice the same, what is refused, what the report
//! says.

use crate::systems::{matrix, real, residual};
use galerkit::prelude::*;
use galerkit::{Error, Rhs};
use galerkit_testkit::problems::hermitian;
use galerkit_testkit::{bits, data_file};

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
        assert_eq!(chosen.report.method_name(), format!("bicgstab + {plain}:swept:2"));
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
        let plain = solver(Krylov::Cg, "ilu0").device(device).solve(&A, &b).unwrap();
        let auto = solver(Krylov::Cg, "ilu0:auto").device(device).solve(&A, &b).unwrap();
        let exact = solver(Krylov::Cg, "ilu0").triangular(TriangularSolve::Exact).device(device).solve(&A, &b).unwrap();
        assert_eq!(bits(&auto.x), bits(&exact.x));
        assert_eq!(bits(&plain.x), bits(&exact.x));
        assert_eq!(plain.report.triangular_reason, "ilu0 says so, on every device");
        assert_eq!(auto.report.method_name(), "cg + ilu0");
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
        for preconditioner in ["ilu0:auto", "ilu:1:auto", "parilu0:3:auto"] {
            let solver = solver(method, preconditioner).device(Device::Cuda(0));
            let [first, second] = [(); 2].map(|()| solver.solve(&A, &b).unwrap());
            assert!(first.report.converged && residual(&A, &b, &first.x) <= 1.01e-10, "{name}: {}", first.report);
            let ran = first.report.preconditioner.to_string();
            let stem = preconditioner.trim_end_matches(":auto");
            assert!(ran.starts_with(stem) && !ran.contains("auto"), "the report names the variant that ran: {ran}");
            let reason = &second.report.triangular_reason;
            assert!(reason.starts_with("expected for an iteration's worth") && reason.contains("exact"), "{reason}");
            assert_eq!(first.report.triangular, second.report.triangular, "{reason}");
            let fewest = solver.clone().triangular(TriangularSolve::Exact).ordering(Ordering::Natural);
            let fewest = fewest.solve(&A, &b).unwrap().report.iterations;
            assert!(first.report.iterations <= 4 * fewest, "{name} {preconditioner}: {}", first.report);
        }
    }
}

/// `ilu0`, `ilu:FILL`, `ic0` and `ssor` are the same preconditioner on every device: the same counts, give or take two.
#[test]
fn a_plain_name_takes_the_same_iterations_on_every_device() {
    if let Err(error) = Device::Cuda(0).require() {
        return galerkit_testkit::skip(&error.to_string());
    }
    for (problem, method, names) in [
        ("gallery:poisson2d?n=40", Krylov::Cg, &["ilu0", "ilu:2", "ic0", "ssor:1.3"][..]),
        ("gallery:poisson3d?n=12", Krylov::Cg, &["ilu0", "ic0:0.01"]),
        ("gallery:anisotropic2d?n=40", Krylov::Cg, &["ilu:1", "ic0"]),
        ("gallery:convection_diffusion2d?n=30", Krylov::Bicgstab, &["ilu0", "ilu:1"]),
        ("gallery:convection_diffusion3d?n=10", Krylov::Gmres { restart: 30 }, &["ilu0", "ilu:2"]),
    ] {
        let A = real(problem);
        let b: Vec<f64> = Rhs::Random { seed: 11 }.entries(A.rows()).unwrap();
        for name in names {
            let [here, there] = [Device::Cpu, Device::Cuda(0)].map(|device| {
                let Solution { x, report } = solver(method, name).device(device).solve(&A, &b).unwrap();
                assert!(report.converged && residual(&A, &b, &x) <= 1.01e-10, "{problem} {name}: {report}");
                assert_eq!((report.preconditioner.to_string().as_str(), report.ordering), (*name, Ordering::Natural));
                assert_eq!(report.triangular, Some(TriangularSolve::Exact));
                report.iterations
            });
            assert!(here.abs_diff(there) <= 2, "{problem} {name}: {here} on the CPU, {there} on the GPU");
        }
    }
}

/// The same on matrices from elsewhere.
#[test]
fn real_matrices_take_the_same_iterations_on_every_device() {
    if let Err(error) = Device::Cuda(0).require() {
        return galerkit_testkit::skip(&error.to_string());
    }
    for (file, method, name) in [
        ("nos5", Krylov::Cg, "ic0"),
        ("gr_30_30", Krylov::Minres, "ilu0"),
        ("orsirr_1", Krylov::Bicgstab, "ilu0"),
        ("jpwh_991", Krylov::Gmres { restart: 30 }, "ilu:1"),
        ("watt_1", Krylov::Bicgstab, "ilu:2"),
    ] {
        let Some(path) = data_file(&format!("suitesparse/{file}.mtx.gz")) else { return };
        let A = galerkit::load(&path.to_string_lossy()).unwrap().into_real().unwrap();
        let b = vec![1.0; A.rows()];
        let [here, there] = [Device::Cpu, Device::Cuda(0)].map(|device| {
            let report = solver(method, name).rtol(1e-8).device(device).solve(&A, &b).unwrap().report;
            assert!(report.converged && report.preconditioner.to_string() == name, "{file}: {report}");
            report.iterations
        });
        assert!(here.abs_diff(there) <= 2, "{file} {name}: {here} on the CPU, {there} on the GPU");
    }
}

/// A variant is another preconditioner under a name of its own, which the report repeats; it is the same one on every
/// device, too.
#[test]
fn variants_are_named_and_run_anywhere() {
    let A = real("gallery:convection_diffusion2d?n=24");
    let b: Vec<f64> = Rhs::Random { seed: 3 }.entries(A.rows()).unwrap();
    let devices = [Device::Cpu, Device::Cuda(0)].into_iter().filter(|device| device.require().is_ok());
    let devices: Vec<Device> = devices.collect();
    for (name, ordering, way) in [
        ("ilu0:swept:3", Ordering::Natural, TriangularSolve::Sweeps(3)),
        ("ilu:1:swept:3", Ordering::Natural, TriangularSolve::Sweeps(3)),
        ("ilu0:coloured", Ordering::Colours, TriangularSolve::Exact),
        ("ssor:1:coloured", Ordering::Colours, TriangularSolve::Exact),
        ("parilu0:4:coloured", Ordering::Colours, TriangularSolve::Exact),
    ] {
        let counts: Vec<usize> = devices
            .iter()
            .map(|&device| {
                let Solution { x, report } = solver(Krylov::Bicgstab, name).device(device).solve(&A, &b).unwrap();
                assert!(report.converged && residual(&A, &b, &x) <= 1.01e-10, "{name}: {report}");
                assert_eq!((report.ordering, report.triangular), (ordering, Some(way)), "{name}");
                assert_eq!(report.method_name(), format!("bicgstab + {name}"));
                report.iterations
            })
            .collect();
        assert!(counts.iter().all(|count| count.abs_diff(counts[0]) <= 2), "{name}: {counts:?}");
    }
    let by_choice = solver(Krylov::Bicgstab, "ilu0").ordering(Ordering::Colours).solve(&A, &b).unwrap();
    let by_name = solver(Krylov::Bicgstab, "ilu0:coloured").solve(&A, &b).unwrap();
    assert_eq!(bits(&by_choice.x), bits(&by_name.x));
    assert_eq!(by_choice.report.method_name(), "bicgstab + ilu0:coloured");
    let refused = solver(Krylov::Bicgstab, "ilu0:coloured").ordering(Ordering::Rcm).solve(&A, &b).unwrap_err();
    assert!(matches!(refused, Error::ColouredByName { .. }), "{refused}");
}
