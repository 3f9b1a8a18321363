//! Algebraic multigrid that is set up on the GPU: what it does when values change, and what it says where it cannot.

use galerkit::cuda::testing;
use galerkit::linalg::engine::Engine;
use galerkit::linalg::gallery::anisotropic2d;
use galerkit::prelude::*;

const SIDE: usize = 24;

fn poisson() -> Csr<f64> {
    galerkit::load(&format!("gallery:poisson2d?n={SIDE}")).unwrap().into_real().unwrap()
}

fn rhs(rows: usize) -> Vec<f64> {
    (0..rows).map(|i| (i as f64 * 1.7).sin()).collect()
}

/// On the first GPU, which sets up itself.
fn solver(name: &str) -> Solver {
    let solver = Solver::new().device(Device::Cuda(0)).autotuning(Autotuning::Modelled).device_setup_from(0);
    solver.method(Krylov::Cg).preconditioner(name.parse::<Preconditioner>().unwrap())
}

/// The checksum of the first aggregates.
fn checksum(report: &Report) -> String {
    report.multigrid.as_ref().unwrap().levels[0].checksum.clone().unwrap()
}

/// Aggregates stay while values change, until a solve takes more than 1.5 times the first count and 2.
fn check_rule(solver: &Solver) {
    let (A, thin) = (poisson(), anisotropic2d(SIDE, 1e-3).unwrap());
    let b = rhs(A.rows());
    let fresh = solver.solve(&thin, &b).unwrap().report;
    let mut system = solver.prepare(&A).unwrap();
    let first = system.solve(&b).unwrap();
    let own = checksum(&first.report);
    assert_ne!(own, checksum(&fresh));

    system.update(&A.val().iter().map(|a| 2.0 * a).collect::<Vec<_>>()).unwrap();
    assert_eq!(system.solve(&b).unwrap().report.iterations, first.report.iterations);
    system.update(A.val()).unwrap();
    let again = system.solve(&b).unwrap();
    assert_eq!((again.x, checksum(&again.report)), (first.x, own.clone()), "a refill is the set-up, bit for bit");

    system.update(thin.val()).unwrap();
    let slow = system.solve(&b).unwrap().report;
    assert!(slow.converged && slow.iterations as f64 > 1.5 * first.report.iterations as f64 + 2.0, "{slow}");
    assert_eq!(checksum(&slow), own, "aggregates stay");
    system.update(thin.val()).unwrap();
    let rebuilt = system.solve(&b).unwrap().report;
    assert_eq!((checksum(&rebuilt), rebuilt.iterations), (checksum(&fresh), fresh.iterations), "they were made anew");
}

#[test]
fn aggregates_stay_until_a_solve_is_slow() {
    for name in ["amg,coarse=20,reuse=aggregates", "amg,coarse=20,reuse=aggregates,precision=f32"] {
        check_rule(&solver(name).device(Device::Cpu));
    }
}

#[test]
fn hierarchies_are_refilled_anew_on_a_gpu() {
    if testing::gpu().is_none() {
        return;
    }
    for name in ["amg,coarse=20,reuse=aggregates", "amg,coarse=20,reuse=aggregates,precision=f32"] {
        let solver = solver(name);
        let report = solver.solve(&poisson(), &rhs(SIDE * SIDE)).unwrap().report;
        assert!(report.preconditioner_reason.contains("set up on the GPU"), "{}", report.preconditioner_reason);
        check_rule(&solver);
    }
}

/// Entries that are computed on the GPU are refilled from there.
#[test]
fn computed_entries_refill_hierarchies_anew_on_a_gpu() {
    if testing::gpu().is_none() {
        return;
    }
    let (A, solver) = (poisson(), solver("amg,coarse=20,reuse=aggregates"));
    let b = rhs(A.rows());
    let [mut computed, mut given] = [(); 2].map(|()| solver.prepare(&A).unwrap());
    let [first, _] = [&mut computed, &mut given].map(|system| system.solve(&b).unwrap());
    computed.update_with(|e, entries| e.pointwise([entries], [], |[a], []| [a + a])).unwrap();
    given.update(&A.val().iter().map(|a| 2.0 * a).collect::<Vec<_>>()).unwrap();
    let [one, other] = [&mut computed, &mut given].map(|system| system.solve(&b).unwrap());
    assert!(one.x == other.x, "{} and {}", one.report, other.report);
    assert_eq!(checksum(&one.report), checksum(&first.report));
}

/// An error of the set-up on the GPU was dropped, and the host set up without a word.
#[test]
fn what_a_gpu_cannot_set_up_is_said_anew_on_a_gpu() {
    if testing::gpu().is_none() {
        return;
    }
    let A = poisson().map_values(|a| c64::new(a, 0.0));
    let b: Vec<c64> = rhs(A.rows()).into_iter().map(|b| c64::new(b, 0.0)).collect();
    let report = solver("amg,coarse=20").solve(&A, &b).unwrap().report;
    let reason = &report.preconditioner_reason;
    assert!(report.converged, "{report}");
    assert!(reason.contains("set up by the host, because the GPU could not") && reason.contains("real"), "{reason}");
}
