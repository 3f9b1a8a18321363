//! An observer that asks for x: it sees the iterates, and the solve takes the steps that it takes unobserved.

use galerkit::linalg::krylov::Outcome;
use galerkit::prelude::*;
use std::sync::{Arc, Mutex};

use crate::systems::{matrix, real, residual};

type Seen<S> = Arc<Mutex<Vec<(usize, f64, Vec<S>)>>>;

/// Asks for x after every so many iterations and keeps what it is shown.
fn watched<S: Scalar>(solver: &Solver, every: usize) -> (Solver, Seen<S>) {
    let seen: Seen<S> = Arc::default();
    let shown = seen.clone();
    let observer = move |progress: &Progress<'_>| match progress.x::<S>() {
        Some(x) => {
            shown.lock().unwrap().push((progress.iteration, progress.residual_norm, x.to_vec()));
            Go::On
        }
        None if progress.iteration.is_multiple_of(every) => Go::Show,
        None => Go::On,
    };
    (solver.clone().observer(observer), seen)
}

/// The devices of this machine, the first GPU if it has one.
fn devices() -> Vec<Device> {
    let gpu = Device::Cuda(0).require().is_ok().then_some(Device::Cuda(0));
    if gpu.is_none() {
        galerkit_testkit::skip("there is no GPU");
    }
    [Device::Cpu, Device::Reference].into_iter().chain(gpu).collect()
}

/// Looks after every so many iterations.
fn looks<S: Scalar>(A: &Csr<S>, solver: &Solver, every: usize, what: &str) {
    let b = vec![S::one(); A.rows()];
    let norm = (A.rows() as f64).sqrt();
    for device in devices() {
        let solver = solver.clone().device(device);
        let plain = solver.solve(A, &b).unwrap();
        let (watched, seen) = watched::<S>(&solver, every);
        let solution = watched.solve(A, &b).unwrap();
        let what = format!("{what} on {device}");
        assert!(solution.report.converged, "{what}: {}", solution.report);
        assert_eq!(solution.report.iterations, plain.report.iterations, "{what}");
        assert_eq!(solution.report.history, plain.report.history, "{what}");
        assert_eq!(solution.x, plain.x, "{what}");
        let seen = seen.lock().unwrap();
        // A GPU may have launched a short solve to its end before it is asked.
        assert!(!seen.is_empty() || device == Device::Cuda(0), "{what}");
        for (iteration, told, x) in seen.iter() {
            if device != Device::Cuda(0) {
                assert_eq!(iteration % every, 0, "{what}");
            }
            assert!((told / norm - plain.report.history[*iteration]).abs() <= 1e-12, "{what}");
            let (found, told) = (residual(A, &b, x), told / norm);
            assert!((found - told).abs() <= 1e-6 * told.max(1.0), "{what}, iteration {iteration}: {found} {told}");
        }
    }
}

#[test]
fn x_is_shown_in_the_order_of_the_input_and_no_step_changes() {
    let A = real("gallery:poisson2d?n=40");
    let solver = Solver::new().rtol(1e-10);
    for method in [Krylov::Cg, Krylov::FlexibleCg, Krylov::Minres, Krylov::Bicgstab, Krylov::Gcr { restart: 10 }] {
        for ordering in [Ordering::Natural, Ordering::Rcm, Ordering::Colours] {
            looks(&A, &solver.clone().method(method).ordering(ordering), 3, &format!("{method}, {ordering}"));
        }
    }
    looks(&A, &solver.clone().method(Krylov::Cg).preconditioner(Preconditioner::Ic0 { shift: 0.0 }), 3, "ic0");
    looks(&A, &solver.method(Krylov::Cg).precision(Precision::Hybrid), 1, "hybrid");
}

/// Longer than what a GPU launches ahead, as a persistent kernel and as graphs.
#[test]
fn a_long_solve_on_a_gpu_shows_x_too() {
    let Some(gpu) = devices().into_iter().find(|device| matches!(device, Device::Cuda(_))) else { return };
    for name in ["gallery:poisson1d?n=5000", "gallery:poisson2d?n=800"] {
        let A = real(name);
        let b = vec![1.0; A.rows()];
        let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::None).device(gpu);
        let solver = solver.autotuning(Autotuning::Modelled).ordering(Ordering::Rcm).rtol(1e-8);
        let plain = solver.solve(&A, &b).unwrap();
        let (watched, seen) = watched::<f64>(&solver, 100);
        let solution = watched.solve(&A, &b).unwrap();
        assert!(solution.report.converged, "{name}: {}", solution.report);
        assert_eq!((solution.x, solution.report.history), (plain.x, plain.report.history.clone()), "{name}");
        let seen = seen.lock().unwrap();
        println!("{name}: shown after {:?}", seen.iter().map(|(iteration, ..)| *iteration).collect::<Vec<_>>());
        assert!(!seen.is_empty(), "{name}: {} iterations", solution.report.iterations);
        for (iteration, _, x) in seen.iter() {
            let (found, told) = (residual(&A, &b, x), plain.report.history[*iteration]);
            assert!((found - told).abs() <= 1e-6 * told.max(1.0), "{name}, iteration {iteration}: {found} {told}");
        }
    }
}

/// Methods that put x together at the end of a cycle show that of the last one; their steps stay, too.
#[test]
fn gmres_takes_the_same_steps() {
    let A = real("gallery:convection_diffusion2d?n=30");
    let b = vec![1.0; A.rows()];
    for device in devices() {
        let solver = Solver::new().method(Krylov::Gmres { restart: 10 }).device(device);
        let plain = solver.solve(&A, &b).unwrap();
        let (watched, seen) = watched::<f64>(&solver, 4);
        let solution = watched.solve(&A, &b).unwrap();
        assert_eq!((solution.x, solution.report.history), (plain.x, plain.report.history), "{device}");
        assert!(!seen.lock().unwrap().is_empty() || device == Device::Cuda(0));
    }
}

#[test]
fn tiny_and_rounded_systems_show_x_as_the_user_knows_it() {
    let A = real("gallery:poisson2d?n=20");
    let tiny = vec![1e-200; A.rows()];
    let (solver, seen) = watched::<f64>(&Solver::new().method(Krylov::Cg), 20);
    let solution = solver.solve(&A, &tiny).unwrap();
    let close = |x: &[f64], y: &[f64], most: f64| x.iter().zip(y).all(|(x, y)| (x - y).abs() <= most * y.abs());
    let last = seen.lock().unwrap().pop().unwrap();
    assert!(close(&last.2, &solution.x, 0.5) && last.1 < 1e-200);
    let (solver, seen) = watched::<f64>(&Solver::new().method(Krylov::Cg).precision(Precision::Single), 10);
    let solution = solver.solve(&A, &vec![1.0; A.rows()]).unwrap();
    assert!(close(&seen.lock().unwrap().last().unwrap().2, &solution.x, 0.5));
}

#[test]
fn who_has_seen_enough_may_stop_and_another_scalar_sees_nothing() {
    let A = matrix(3, &[(0, 0, 2.0), (1, 1, 3.0), (2, 2, 4.0)]);
    let b = [1.0, 1.0, 1.0];
    let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::None).device(Device::Cpu);
    let stopping = solver.clone().observer(|progress| if progress.x::<f64>().is_some() { Go::Stop } else { Go::Show });
    let report = stopping.solve(&A, &b).unwrap().report;
    assert_eq!((report.outcome, report.iterations), (Outcome::Interrupted, 1));
    let blind = solver.observer(|progress| if progress.x::<f32>().is_some() { Go::Stop } else { Go::Show });
    assert!(blind.solve(&A, &b).unwrap().report.converged);
}

/// A prepared system that was watched once is not watched for ever, and what it was prepared with stays.
#[test]
fn a_prepared_system_is_watched_solve_by_solve() {
    let A = real("gallery:poisson2d?n=20");
    let b = vec![1.0; A.rows()];
    let (solver, seen) = watched::<f64>(&Solver::new().method(Krylov::Cg), 5);
    let mut system = solver.prepare(&A).unwrap();
    let first = system.solve(&b).unwrap();
    let shown = seen.lock().unwrap().len();
    let programs = system.counters().programs;
    assert_eq!(system.solve(&b).unwrap().x, first.x);
    assert_eq!(seen.lock().unwrap().len(), 2 * shown);
    assert_eq!(system.counters().programs, programs);
}
