//! The facade: every scalar, format, ordering and device gives the same answer, and reports tell the truth.

use galerkit::linalg::gallery::{Stencil, poisson2d, poisson3d};
use galerkit::prelude::*;
use galerkit::{Error, Rhs};

/// The 2D Laplacian with a phase in its off-diagonal entries where the scalar is complex: still Hermitian.
fn hermitian<S: Scalar>(n: usize) -> Csr<S> {
    let real = poisson2d(n, Stencil::Points5).unwrap();
    let mut A = real.map_values(S::from_f64);
    for i in 0..A.rows() {
        for k in A.range(i) {
            let turn = match (A.col()[k] as usize).cmp(&i) {
                std::cmp::Ordering::Less => S::from_parts(0.6, 0.8),
                std::cmp::Ordering::Equal => S::one(),
                std::cmp::Ordering::Greater => S::from_parts(0.6, -0.8),
            };
            A.val_mut()[k] *= turn;
        }
    }
    A
}

/// ||b - A x|| / ||b||, computed here.
fn residual<S: Scalar>(A: &Csr<S>, b: &[S], x: &[S]) -> f64 {
    let square = |value: S| value.modulus_squared().parts().0;
    let row = |i: usize| b[i] - A.row(i).map(|(j, a)| a * x[j]).sum::<S>();
    let above: f64 = (0..A.rows()).map(|i| square(row(i))).sum();
    (above / b.iter().map(|&v| square(v)).sum::<f64>()).sqrt()
}

fn every_way<S: Scalar>(rtol: f64) {
    let A = hermitian::<S>(9);
    let b: Vec<S> = Rhs::Random { seed: 3 }.entries(A.rows()).unwrap();
    for device in [Device::Cpu, Device::Reference] {
        let given = [Ordering::Natural, Ordering::Rcm, Ordering::Colours].map(Choice::Given);
        for ordering in given.into_iter().chain([Choice::Auto]) {
            for format in Format::all().into_iter().map(Choice::Given).chain([Choice::Auto]) {
                let solver = Solver::new().rtol(rtol).method(Method::CG).device(device);
                let solution = solver.ordering(ordering).format(format).solve(&A, &b).unwrap();
                let way = format!("{} {device} {ordering} {format}", S::KIND.name());
                assert!(solution.report.converged, "{way}: {}", solution.report);
                let found = residual(&A, &b, &solution.x);
                assert!(found <= 1.01 * rtol + 8.0 * S::eps(), "{way}: {found}");
            }
        }
    }
    for method in [Method::Lu, Method::Cholesky, Method::Dense] {
        let solution = Solver::new().rtol(rtol).method(method).solve(&A, &b).unwrap();
        assert!(solution.report.converged, "{method}");
        assert!(residual(&A, &b, &solution.x) <= rtol, "{method}");
    }
}

/// Red and black: another preconditioner, the same answer in the order of the input; two colours are said to be two.
#[test]
fn colours_come_back_in_the_order_of_the_input() {
    let A = poisson2d(30, Stencil::Points5).unwrap();
    let b: Vec<f64> = Rhs::Random { seed: 5 }.entries(A.rows()).unwrap();
    for name in ["ssor:1", "ilu0", "ic0", "parilu0:3", "parilu0:2:2"] {
        let solver = Solver::new().method(Method::CG).preconditioner(name.parse::<Preconditioner>().unwrap());
        let solve = |ordering| solver.clone().ordering(ordering).rtol(1e-10).solve(&A, &b).unwrap();
        let (natural, coloured) = (solve(Ordering::Natural), solve(Ordering::Colours));
        assert!(coloured.report.converged && residual(&A, &b, &coloured.x) <= 1.01e-10, "{name}");
        assert_eq!(coloured.report.ordering, Ordering::Colours);
        assert_eq!(coloured.report.ordering_reason, "asked for: 2 colours");
        assert!(coloured.report.iterations > natural.report.iterations, "{name}: weaker by colours");
        let distance = coloured.x.iter().zip(&natural.x).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(distance < 1e-6, "{name}: {distance}");
    }
    assert_eq!("colours".parse::<Choice<Ordering>>().unwrap().to_string(), "colours");
}

/// On a GPU factors are made there: the iterations of the CPU give or take one, in every ordering, and its refusals.
#[test]
fn factors_from_the_gpu() {
    let device = Device::Cuda(0);
    if let Err(error) = device.require() {
        return galerkit_testkit::skip(&error.to_string());
    }
    let A = hermitian::<c64>(30);
    let b: Vec<c64> = Rhs::Random { seed: 7 }.entries(A.rows()).unwrap();
    for name in ["ssor:1", "ilu0", "ilu:1", "ic0", "ilu0-blocks:3", "ilu0-sweeps:3", "parilu0:3", "parilu0:2:2"] {
        let given = [Ordering::Natural, Ordering::Rcm, Ordering::Colours].map(Choice::Given);
        for ordering in given.into_iter().chain([Choice::Auto]) {
            let solver = Solver::new().method(Method::CG).preconditioner(name.parse::<Preconditioner>().unwrap());
            let found = solver.clone().ordering(ordering).device(device).solve(&A, &b).unwrap();
            let (taken, way) = (found.report.ordering, found.report.triangular.unwrap());
            let there = solver.ordering(taken).triangular(way).solve(&A, &b).unwrap().report.iterations;
            let way = format!("{name} {ordering}: {}", found.report);
            assert!(found.report.converged && found.report.iterations.abs_diff(there) <= 1, "{way}");
            assert!(residual(&A, &b, &found.x) <= 1.01e-8, "{way}");
        }
    }
    let entries = [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 4.0)];
    let singular = Coo::from_triples(2, 2, &entries).unwrap().to_csr().0;
    let solver = Solver::new().method(Krylov::Bicgstab).preconditioner(Preconditioner::Ilu { fill: 0 });
    let refused = solver.device(device).solve(&singular, &[1.0, 1.0]).unwrap_err();
    assert!(matches!(refused, Error::Linalg(galerkit::linalg::Error::ZeroPivot { row: 1 })), "{refused}");
}

#[test]
fn real_numbers_every_way() {
    every_way::<f64>(1e-10);
    every_way::<f32>(1e-4);
}

#[test]
fn complex_numbers_every_way() {
    every_way::<c64>(1e-10);
    every_way::<c32>(1e-4);
}

#[test]
fn a_report_that_did_not_converge_becomes_an_error_that_carries_it() {
    let A = poisson2d(10, Stencil::Points5).unwrap();
    let report = Solver::new().max_iterations(2).solve(&A, &vec![1.0; 100]).unwrap().report;
    assert_eq!((report.converged, report.iterations, report.history.len()), (false, 2, 3));
    assert!(report.true_residual > 1e-8);
    let Err(Error::NotConverged(inside)) = report.converged_or_err() else { panic!("it did not converge") };
    assert_eq!(inside.iterations, 2);
    let report = Solver::new().solve(&A, &vec![1.0; 100]).unwrap().report.converged_or_err().unwrap();
    assert_eq!(report.method, Method::Cholesky);
}

#[test]
fn observers_see_every_iteration_and_can_stop() {
    let A = poisson2d(10, Stencil::Points5).unwrap();
    let solver =
        Solver::new().method(Krylov::Cg).observer(|progress| if progress.iteration < 4 { Go::On } else { Go::Stop });
    let report = solver.solve(&A, &vec![1.0; 100]).unwrap().report;
    assert_eq!((report.outcome.name(), report.iterations), ("interrupted", 4));
}

#[test]
fn an_empty_system_is_solved_by_nothing() {
    let A = Csr::<f64>::identity(0);
    let given = [Method::CG, Method::Lu, Method::Cholesky, Method::Dense].map(Choice::Given);
    for method in given.into_iter().chain([Choice::Auto]) {
        let solution = Solver::new().method(method).solve(&A, &[]).unwrap();
        assert!(solution.report.converged && solution.x.is_empty(), "{method}");
    }
}

#[test]
fn indefinite_matrices_go_to_another_method_by_themselves() {
    // Symmetric with a positive diagonal and the eigenvalues -1 and 3: only a factorisation or an iteration can tell.
    let A = Csr::<f64>::new(2, 2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![1.0, 2.0, 2.0, 1.0]).unwrap();
    for solver in [Solver::new(), Solver::new().max_iterations(100)] {
        let solution = solver.solve(&A, &[1.0, 0.0]).unwrap();
        assert_eq!((solution.report.method, solution.report.tried.len()), (Method::Lu, 2));
        assert!(solution.report.converged);
        assert!((solution.x[0] + 1.0 / 3.0).abs() < 1e-8 && (solution.x[1] - 2.0 / 3.0).abs() < 1e-8);
    }
}

#[test]
fn threads_are_checked_and_do_not_change_a_bit() {
    let A = poisson2d(40, Stencil::Points9).unwrap();
    let b: Vec<f64> = Rhs::Random { seed: 1 }.entries(A.rows()).unwrap();
    let solve = |threads| Solver::new().threads(threads).solve(&A, &b);
    assert!(matches!(solve(0), Err(Error::Threads { asked: 0, .. })));
    assert!(matches!(solve(1_000_000), Err(Error::Threads { .. })));
    let (one, three) = (solve(1).unwrap(), solve(3).unwrap());
    assert_eq!((one.report.threads, three.report.threads), (1, 3));
    assert_eq!(one.x, three.x);
    assert_eq!(one.report.history, three.report.history);
}

#[test]
fn bad_systems_are_refused_before_any_work() {
    let A = Csr::<f64>::identity(2);
    let solver = Solver::new();
    assert!(solver.solve(&A, &[1.0]).is_err());
    assert!(solver.solve(&A, &[1.0, f64::NAN]).is_err());
    assert!(solver.clone().rtol(-1.0).solve(&A, &[1.0, 1.0]).is_err());
    assert!(solver.clone().atol(f64::NAN).solve(&A, &[1.0, 1.0]).is_err());
    let wide = Csr::<f64>::new(1, 2, vec![0, 1], vec![0], vec![1.0]).unwrap();
    assert!(solver.solve(&wide, &[1.0]).is_err());
}

#[test]
fn reports_print_as_a_short_table() {
    let A = poisson2d(5, Stencil::Points5).unwrap();
    let text = Solver::new().method(Krylov::Cg).solve(&A, &[1.0; 25]).unwrap().report.to_string();
    for word in ["outcome         converged", "25 rows, 105 entries, f64", "cg + jacobi", "backward error"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(text.lines().count() <= 12);
}

/// x times a power of two, in two steps because one of them alone might not be a number of the scalar.
fn times_power<S: Scalar>(x: &[S], power: i32) -> Vec<S> {
    let half = power / 2;
    let (one, other) = (S::from_f64(2f64.powi(half)), S::from_f64(2f64.powi(power - half)));
    x.iter().map(|&value| value * one * other).collect()
}

/// x for b of this size, and the iterations it took.
fn solve_at<S: Scalar>(size: i32, method: Krylov) -> (Vec<S>, usize) {
    let A = poisson3d(5, Stencil::Points7).expect("a small grid").map_values(|a: f64| S::from_f64(a));
    let b = times_power(&vec![S::one(); A.rows()], size);
    let Solution { x, report } = Solver::new().method(method).solve(&A, &b).expect("a legal system");
    assert!(report.converged, "{method}, 2^{size}: {:?}", report.outcome);
    (times_power(&x, -size), report.iterations)
}

fn same_bits<S: Scalar>(size: i32) {
    for method in [Krylov::Cg, Krylov::Bicgstab, Krylov::Gcr { restart: 10 }, Krylov::Gmres { restart: 10 }] {
        assert_eq!(solve_at::<S>(0, method), solve_at::<S>(size, method), "{method}, 2^{size}");
    }
}

#[test]
fn tiny_and_huge_right_hand_sides_take_the_same_steps() {
    for size in [-100, -40, 40, 100] {
        same_bits::<f32>(size);
        same_bits::<c32>(size);
    }
    for size in [-900, -400, 400, 900] {
        same_bits::<f64>(size);
        same_bits::<c64>(size);
    }
}
