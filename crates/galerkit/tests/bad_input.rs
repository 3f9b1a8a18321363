//! Input that cannot be used: each with a clear error, and a system that is what it was. What needs a GPU runs on the
//! emulated one, in processes of their own in which one allocation fails, and says "skipped" elsewhere.

use crate::systems::{matrix, real, residual};
use galerkit::Error;
use galerkit::prelude::*;
use galerkit_cuda::launch::Gpu;
use galerkit_testkit::problems::scattered;
use std::process::Command;

fn said<T>(result: galerkit::Result<T>) -> String {
    result.err().expect("it must be refused").to_string()
}

#[track_caller]
fn contains(said: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(said.contains(part), "{part} is missing: {said}"));
}

/// Wrong lengths and numbers that are none, everywhere a system takes a vector.
#[test]
fn vectors_that_do_not_fit() {
    let A = real("gallery:poisson2d?n=6");
    let (n, b) = (A.rows(), scattered::<f64>(A.rows(), 3));
    let mut system = Solver::new().method(Krylov::Cg).prepare(&A).unwrap();
    let before = system.solve(&b).unwrap().x;
    let nan = [&b[..4], &[f64::NAN], &b[5..]].concat();
    let short = format!("has length {}, but {n} is needed", n - 1);
    contains(&said(system.solve(&b[1..])), &["the right-hand side", &short]);
    contains(&said(system.solve(&nan)), &["the right-hand side", "NaN", "5"]);
    contains(&said(system.solve_from(&b, &b[1..])), &["the start", &short]);
    contains(&said(system.solve_from(&b, &nan)), &["the start", "NaN"]);
    contains(&said(system.write_rhs(&b[1..])), &["the right-hand side", &short]);
    contains(&said(system.write_rhs(&nan)), &["the right-hand side", "NaN"]);
    contains(&said(system.update(&A.val()[1..])), &["the new values", "is needed"]);
    let mut values = A.val().to_vec();
    values[0] = f64::INFINITY;
    contains(&said(system.update(&values)), &["the new values", "inf", "row 1, column 1"]);
    assert_eq!(system.solve(&b).unwrap().x, before, "nothing has changed");
}

/// Complex numbers where a system is real.
#[test]
fn numbers_of_the_wrong_kind() {
    let complex = galerkit::load("gallery:shifted_laplace2d?n=4").unwrap();
    contains(&said(complex.into_real()), &["is complex", "is real"]);
}

#[test]
fn a_pattern_that_changed() {
    let A = matrix(3, &[(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0), (2, 2, 5.0)]);
    let moved = matrix(3, &[(0, 0, 4.0), (0, 1, 1.0), (1, 1, 3.0), (1, 2, 1.0), (2, 2, 5.0)]);
    let more = matrix(3, &[(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0), (2, 1, 2.0), (2, 2, 5.0)]);
    let larger = real("gallery:poisson2d?n=2");
    let mut system = Solver::new().method(Krylov::Gmres { restart: 3 }).prepare(&A).unwrap();
    let before = system.solve(&[1.0, 2.0, 3.0]).unwrap().x;
    contains(&said(system.update_matrix(&moved)), &["row 2 has other entries", "prepare it anew"]);
    contains(&said(system.update_matrix(&more)), &["row 3 has other entries", "2 where there were 1"]);
    contains(&said(system.update_matrix(&larger)), &["the new matrix (its rows)", "has length 4, but 3 is needed"]);
    assert_eq!(system.solve(&[1.0, 2.0, 3.0]).unwrap().x, before, "nothing has changed");
    system.update_matrix(&A.map_values(|a| 2.0 * a)).unwrap();
    let halved: Vec<f64> = system.solve(&[1.0, 2.0, 3.0]).unwrap().x.iter().map(|x| 2.0 * x).collect();
    assert_eq!(halved, before);
}

/// Names the preconditioner for a process that is started with an allocation that fails.
const PRECONDITIONER: &str = "GALERKIT_REFUSED";

/// Run alone, by the test below: solve; after an error solve again, after a failure of the device after a reset; and
/// count the memory.
#[test]
fn refused_once() {
    let Some(preconditioner) = std::env::var(PRECONDITIONER).ok() else { return };
    let A = real("gallery:poisson2d?n=6");
    let b = scattered::<f64>(A.rows(), 3);
    let named: Choice<Preconditioning> = preconditioner.parse().unwrap();
    let solver = Solver::new().method(Krylov::Cg).preconditioner(named).ordering(Ordering::Natural);
    let solver = if preconditioner == "ilu0" { solver.triangular(TriangularSolve::Exact) } else { solver };
    let expected = solver.clone().device(Device::Cpu).solve(&A, &b).unwrap().report.iterations;
    let gpu = Gpu::open(0).unwrap();
    let before = gpu.free_memory().unwrap().0;
    let mut system = solver.device(Device::Cuda(0)).prepare(&A).unwrap();
    let mut solution = system.solve(&b);
    if let Err(error) = &solution {
        println!("refused: {error}");
        solution = system.solve(&b);
    }
    if let Err(error) = &solution {
        println!("failed: {error}");
        assert!(matches!(error, Error::DeviceFailed(_)));
        assert!(matches!(system.solve(&b), Err(Error::DeviceFailed(_))), "until it is reset");
        system.reset();
        solution = system.solve(&b);
    }
    let Solution { x, report } = solution.unwrap();
    assert!(residual(&A, &b, &x) <= 1e-5);
    assert!(report.converged && report.iterations.abs_diff(expected) <= 1, "{report}");
    drop(system);
    println!("kept: {} bytes", before - gpu.free_memory().unwrap().0);
}

#[test]
fn memory_that_runs_out_leaves_nothing_behind() {
    let emulated = Gpu::open(0).is_ok_and(|gpu| gpu.properties().name.starts_with("emulated"));
    if !emulated {
        return galerkit_testkit::skip("no emulated GPU");
    }
    /// As many as a preparation and some solves make.
    const ALLOCATIONS: usize = 52;
    for preconditioner in ["jacobi", "ilu0"] {
        let (mut refused, mut failed) = (0, 0);
        for allocation in 1..=ALLOCATIONS {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "bad_input::refused_once", "--nocapture"]).env(PRECONDITIONER, preconditioner);
            let output = command.env("GALERKIT_EMULATOR_REFUSES", allocation.to_string()).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && said.contains("kept: 0 bytes"), "allocation {allocation}: {said}");
            if let Some(error) = said.lines().find_map(|line| line.split_once("refused: ")) {
                let memory = ["of GPU memory", "cuMemHostAlloc"].iter().any(|word| error.1.contains(word));
                assert!(memory, "{}", error.1);
                refused += 1;
            }
            if let Some(error) = said.lines().find_map(|line| line.split_once("failed: ")) {
                contains(error.1, &["has failed", "reset the system"]);
                failed += 1;
            }
        }
        assert!(
            refused > 10 && failed > 2,
            "{preconditioner}: {refused} of {ALLOCATIONS} refused, {failed} in a solve"
        );
    }
}

/// Right-hand sides are scaled where squares would overflow; the x that came back from that was never looked at.
#[test]
fn an_x_that_its_numbers_do_not_hold_has_not_converged() {
    let scaled = |factor: f64| real("gallery:poisson2d?n=12").map_values(|a| a * factor);
    for (factor, b, outcome) in [(1e-240, 1e80, "non_finite"), (1e300, 1e-20, "stagnated"), (1.0, 5e-324, "stagnated")]
    {
        let (A, b) = (scaled(factor), vec![b; 144]);
        for solver in [Solver::new(), Solver::new().method(Krylov::Cg)] {
            let Solution { x, report } = solver.rtol(1e-8).solve(&A, &b).unwrap();
            assert!(!report.converged && x.len() == 144, "{factor:e}: {report}");
            assert!(report.true_residual > 1e-8 && report.advice.is_some());
        }
        let transposed = Solver::new().method(Method::Lu).prepare(&A).unwrap().solve_transposed(&b).unwrap();
        assert_eq!(transposed.report.outcome.name(), outcome, "{factor:e}");
    }
    let good = Solver::new().solve(&scaled(1e-100), &vec![1e80; 144]).unwrap();
    assert!(good.report.converged && good.x.iter().all(|x| x.is_finite()));
}
