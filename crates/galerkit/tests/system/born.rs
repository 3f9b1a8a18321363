//! Problems whose rows are made where they are needed: the answers of the rows, bit for bit, and on a GPU without rows
//! on the host.

use super::new_values::other_values;
use super::{DEVICES, solver, told};
use galerkit::prelude::*;
use galerkit::stages::Stage;
use galerkit_testkit::problems::scattered;

fn real(name: &str) -> GridMatrix<f64> {
    match galerkit::problem(name).unwrap() {
        Some(AnyProblem::F64(A)) => A,
        other => panic!("{name} is {other:?}"),
    }
}
fn complex(name: &str) -> GridMatrix<c64> {
    match galerkit::problem(name).unwrap() {
        Some(AnyProblem::C64(A)) => A,
        other => panic!("{name} is {other:?}"),
    }
}

/// Decisions and their reasons.
fn decided(report: &Report) -> [String; 7] {
    [
        report.method.to_string(),
        report.method_reason.clone(),
        report.format.to_string(),
        report.format_reason.clone(),
        report.preconditioner.to_string(),
        report.preconditioner_reason.clone(),
        report.ordering_reason.clone(),
    ]
}

/// Solves with the rows and with the problem on the GPU, which sets up both, and compares everything; whether rows came
/// to the host.
#[track_caller]
fn same<S: Scalar>(way: [&str; 4], A: &GridMatrix<S>) -> bool {
    let solver = solver(way).device(Device::Cuda(0)).autotuning(Autotuning::Modelled).device_setup_from(0);
    let rows = A.to_csr().unwrap();
    let b = scattered::<S>(rows.rows(), 5);
    let mut system = solver.prepare_problem(A.clone()).unwrap();
    assert!(!system.is_on_host());
    let (uploaded, born) = (solver.solve(&rows, &b).unwrap(), system.solve(&b).unwrap());
    assert_eq!(told(&uploaded), told(&born), "{way:?}");
    assert_eq!(decided(&uploaded.report), decided(&born.report), "{way:?}");
    let (one, other) = (uploaded.report.backward_error, born.report.backward_error);
    assert!((one - other).abs() <= 1e-9 * one, "{way:?}: {one} and {other}");
    assert!(born.report.setup_stages.of(Stage::Generation) > 0.0);
    assert_eq!(uploaded.report.setup_stages.of(Stage::Generation), 0.0);
    assert_eq!((born.report.rows, born.report.nnz), (rows.rows(), rows.nnz()));
    system.is_on_host()
}

#[test]
fn the_rows_of_a_problem_never_come_to_the_host() {
    if galerkit_cuda::testing::gpu().is_none() {
        return;
    }
    let cube = real("gallery:poisson3d?n=9&stencil=27");
    assert!(!same(["cg", "jacobi", "auto", "auto"], &cube));
    assert!(!same(["cg", "auto", "auto", "auto"], &real("gallery:poisson2d?n=33")));
    assert!(!same(["cg", "none", "csr", "natural"], &real("gallery:poisson3d?n=7&stencil=7")));
    assert!(!same(["bicgstab", "jacobi", "auto", "auto"], &real("gallery:convection_diffusion3d?n=8")));
    assert!(!same(["gmres:9", "none", "auto", "natural"], &real("gallery:toeplitz?n=400")));
    assert!(!same(["gmres:9", "auto", "auto", "auto"], &complex("gallery:shifted_laplace2d?n=20")));
    assert!(!same(["cg", "auto", "auto", "auto"], &cube.map_values(|value| value as f32)));
    assert!(!same(["cg", "jacobi", "k2:32:16", "natural"], &real("gallery:poisson3d?n=5")));
    assert!(!same(["cg", "jacobi", "k1:32", "natural"], &real("gallery:poisson3d?n=5")));
}

/// What needs rows on the host gets them there.
#[test]
fn what_needs_rows_makes_them_on_the_host_beside_a_gpu() {
    if galerkit_cuda::testing::gpu().is_none() {
        return;
    }
    let square = real("gallery:poisson2d?n=17");
    assert!(same(["cg", "ilu0", "auto", "natural"], &square));
    assert!(same(["cg", "jacobi", "auto", "rcm"], &square));
    assert!(same(["cg", "jacobi", "hyb", "natural"], &square));
    let solver = solver(["cg", "jacobi", "auto", "auto"]).device(Device::Cuda(0)).device_setup_from(0);
    let rows = square.to_csr().unwrap();
    let (b, values) = (scattered::<f64>(rows.rows(), 3), other_values(&rows, 1));
    let mut system = solver.prepare_problem(square).unwrap();
    system.solve(&b).unwrap();
    assert!(!system.is_on_host());
    system.update(&values).unwrap();
    let expected = solver.autotuning(Autotuning::Modelled).solve(&rows.with_values(&values), &b).unwrap();
    assert_eq!(told(&system.solve(&b).unwrap()), told(&expected));
}

#[test]
fn problems_are_solved_like_their_rows_on_the_cpu() {
    for device in DEVICES {
        for (way, name) in [
            (["cg", "auto", "auto", "auto"], "gallery:poisson3d?n=6"),
            (["auto", "auto", "auto", "auto"], "gallery:poisson2d?n=12"),
            (["gmres:7", "ilu0", "auto", "rcm"], "gallery:convection_diffusion2d?n=11"),
            (["lu", "auto", "auto", "auto"], "gallery:toeplitz?n=50"),
        ] {
            let (A, solver) = (real(name), solver(way).device(device));
            let rows = A.to_csr().unwrap();
            let b = scattered::<f64>(rows.rows(), 4);
            let (one, other) = (solver.solve(&rows, &b).unwrap(), solver.solve_problem(&A, &b).unwrap());
            assert_eq!(told(&one), told(&other), "{way:?}");
            assert_eq!(decided(&one.report), decided(&other.report), "{way:?}");
            assert!(other.report.setup_stages.of(Stage::Generation) > 0.0, "{}", other.report.setup_stages);
        }
    }
}

#[test]
fn a_problem_in_single_precision_and_with_new_values() {
    let A = real("gallery:poisson2d?n=9");
    let rows = A.to_csr().unwrap();
    let (b, values) = (scattered::<f64>(81, 1), other_values(&rows, 2));
    let solver = solver(["cg", "auto", "auto", "auto"]).precision(Precision::Single).rtol(1e-4);
    let mut system = solver.prepare_problem(A).unwrap();
    assert_eq!(told(&solver.solve(&rows, &b).unwrap()), told(&system.solve(&b).unwrap()));
    system.update(&values).unwrap();
    assert_eq!(told(&solver.solve(&rows.with_values(&values), &b).unwrap()), told(&system.solve(&b).unwrap()));
    assert_eq!(system.matrix().unwrap(), rows.with_values(&values));
}

#[test]
fn values_of_a_problem_can_be_computed_in_place() {
    use galerkit::linalg::engine::Engine;
    let A = real("gallery:poisson2d?n=9");
    let (rows, b) = (A.to_csr().unwrap(), scattered::<f64>(81, 1));
    let solver = solver(["cg", "jacobi", "auto", "auto"]);
    let mut system = solver.prepare_problem(A).unwrap();
    system.write_rhs(&b).unwrap();
    system
        .update_with(|e, entries| {
            let three = e.number(3.0);
            e.scale(three, entries);
        })
        .unwrap();
    assert!(system.solve_in_place(Start::Zero).unwrap().converged);
    let tripled = rows.map_values(|value| 3.0 * value);
    assert_eq!(system.matrix().unwrap(), tripled);
    assert_eq!(told(&system.solve(&b).unwrap()), told(&solver.solve(&tripled, &b).unwrap()));
}

/// What is wrong with a problem is said in the words that its rows would have.
#[test]
fn what_is_wrong_with_a_problem_is_said_like_of_its_rows() {
    let line = |values: [f64; 3]| {
        let stencil = [[-1, 0, 0], [0, 0, 0], [1, 0, 0]].into_iter().zip(values).collect();
        GridMatrix::new([5, 1, 1], stencil).unwrap()
    };
    let cg = solver(["cg", "auto", "auto", "auto"]);
    let refused = |A: &GridMatrix<f64>, solver: &Solver, b: &[f64]| {
        let error = |solved: galerkit::Result<Solution<f64>>| solved.expect_err("was solved").to_string();
        let (one, other) = (error(solver.solve(&A.to_csr().unwrap(), b)), error(solver.solve_problem(A, b)));
        assert_eq!(one, other);
        other
    };
    assert!(refused(&line([-1.0, f64::NAN, -1.0]), &cg, &[1.0; 5]).contains("row 1"));
    assert!(refused(&line([-1.0, 2.0, -3.0]), &cg, &[1.0; 5]).contains("symmetric"));
    assert!(refused(&line([-1.0, -2.0, -1.0]), &cg, &[1.0; 5]).contains("row 1"));
    assert!(refused(&line([-1.0, 2.0, -1.0]), &cg, &[1.0; 4]).contains('4'));
    let jacobi = solver(["gmres:4", "jacobi", "auto", "auto"]);
    assert!(refused(&line([-1.0, 0.0, -1.0]), &jacobi, &[1.0; 5]).contains("row 1"));
    let empty = GridMatrix::new([3, 1, 1], vec![([5, 0, 0], 1.0)]).unwrap();
    assert!(refused(&empty, &solver(["auto"; 4]), &[1.0; 3]).contains("row 1"));
}
