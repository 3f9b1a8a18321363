//! Prepared systems: solved again and again with the same bits and nothing new, with other values, in place, from other threads.
#![allow(non_snake_case)]

#[path = "system/computed.rs"]
mod computed;
#[path = "systems/many.rs"]
mod many;
#[path = "system/refill.rs"]
mod refill;
#[path = "system/rounded.rs"]
mod rounded;
mod systems;

use galerkit::Error;
use galerkit::linalg::engine::Counters;
use galerkit::prelude::*;
use galerkit_testkit::bits;
use galerkit_testkit::problems::{hermitian, scattered};
use systems::{matrix, real, residual};

const DEVICES: [Device; 2] = [Device::Cpu, Device::Reference];

/// The bits of x, the iterations, and the bits of the history: what must not depend on how often a system was solved.
type Told = (Vec<(u64, u64)>, usize, Vec<u64>);

fn told<S: Scalar>(solution: &Solution<S>) -> Told {
    let history = solution.report.history.iter().map(|norm| norm.to_bits()).collect();
    (bits(&solution.x), solution.report.iterations, history)
}

/// A solver from names as the command line has them; an empty one is left as it is.
fn solver([method, preconditioner, format, ordering]: [&str; 4]) -> Solver {
    let made = Solver::new().method(method.parse::<Choice<Method>>().unwrap()).rtol(1e-9);
    let made = made.preconditioner(preconditioner.parse::<Choice<Preconditioning>>().unwrap());
    let (format, ordering): (Choice<Format>, Choice<Ordering>) = (format.parse().unwrap(), ordering.parse().unwrap());
    made.format(format).ordering(ordering)
}

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

/// Values that keep the matrix symmetric and positive definite, and are no multiple of those before.
fn other_values<S: Scalar>(A: &Csr<S>, turn: usize) -> Vec<S> {
    let entry = |i: usize, (j, value): (usize, S)| {
        let bend = 1.0 + 0.01 * ((i + j + turn) % 7) as f64;
        if i == j { value * S::from_f64(bend + 0.1 * turn as f64) } else { value * S::from_f64(0.9 / bend) }
    };
    (0..A.rows()).flat_map(|i| A.row(i).map(move |one| entry(i, one)).collect::<Vec<_>>()).collect()
}

fn with_values<S: Scalar>(A: &Csr<S>, values: &[S]) -> Csr<S> {
    let mut changed = A.clone();
    changed.val_mut().copy_from_slice(values);
    changed
}

/// Solve, update, solve, update, solve: each is what a fresh solve of the matrix of the moment gives.
#[track_caller]
fn follows<S: Scalar>(solver: &Solver, A: &Csr<S>, way: &str) {
    let b = scattered::<S>(A.rows(), 3);
    let mut system = solver.prepare(A).unwrap();
    let _ = system.solve(&b).unwrap();
    for turn in 1..=2 {
        let values = other_values(A, turn);
        system.update(&values).unwrap();
        let fresh = solver.solve(&with_values(A, &values), &b).unwrap();
        assert!(fresh.report.converged, "{way}: {}", fresh.report);
        let updated = system.solve(&b).unwrap();
        assert_eq!(told(&updated), told(&fresh), "{way}, update {turn}");
        let (one, other) = (updated.report.backward_error, fresh.report.backward_error);
        assert_eq!(one.to_bits(), other.to_bits(), "{way}, update {turn}: the backward error");
        assert_eq!(system.matrix().unwrap().val(), values, "{way}, update {turn}");
    }
}

/// Every format in both orders on both devices.
fn follows_in_every_format<S: Scalar>() {
    let A: Csr<S> = hermitian(7);
    let scalar = S::KIND.name();
    for format in Format::all() {
        for ordering in [Ordering::Natural, Ordering::Rcm] {
            for preconditioner in [Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Ilu { fill: 0 }] {
                for device in DEVICES {
                    let solver = Solver::new().method(Krylov::Cg).preconditioner(preconditioner).device(device);
                    let solver = solver.format(Choice::Given(format)).ordering(ordering);
                    let way = format!("{scalar} {format} {ordering} {preconditioner} {device}");
                    follows(&solver, &A, &way);
                }
            }
        }
    }
}

#[test]
fn new_values_f32() {
    follows_in_every_format::<f32>();
}
#[test]
fn new_values_f64() {
    follows_in_every_format::<f64>();
}
#[test]
fn new_values_c32() {
    follows_in_every_format::<c32>();
}
#[test]
fn new_values_c64() {
    follows_in_every_format::<c64>();
}

/// Diagonals with an imaginary part: a quotient of complex numbers must be the same wherever it is taken.
#[test]
fn new_values_with_complex_diagonals() {
    let A = real("gallery:convection_diffusion2d?n=7").map_values(|value| c64::new(0.6, 0.8) * value);
    for ordering in [Ordering::Natural, Ordering::Rcm] {
        for device in DEVICES {
            let solver = Solver::new().method(Krylov::Bicgstab).preconditioner(Preconditioner::Jacobi);
            follows(&solver.device(device).ordering(ordering), &A, &format!("c64 {ordering} {device}"));
        }
    }
}

/// Whatever was decided or prepared, new values are heeded by it.
#[test]
fn new_values_for_every_way() {
    let A = real("gallery:poisson2d?n=7");
    for method in ["auto", "lu", "cholesky", "minres", "gmres:10", "vpgcr"] {
        follows(&solver([method, "auto", "auto", "auto"]), &A, method);
    }
    for preconditioner in ["ssor", "chebyshev:3", "block-jacobi", "ic0"] {
        follows(&solver(["cg", preconditioner, "auto", "rcm"]), &A, preconditioner);
    }
    follows(&solver(["fgmres:10", "inner:cg", "auto", "auto"]), &A, "an inner solve");
    follows(&solver(["cg", "auto", "auto", "auto"]).precision(Precision::Hybrid), &A, "hybrid");
}

/// New values before the first solve.
#[test]
fn new_values_before_any_solve() {
    let A = real("gallery:poisson2d?n=7");
    let (b, values) = (scattered::<f64>(A.rows(), 3), other_values(&A, 1));
    let solver = Solver::new().method(Krylov::Cg);
    let mut system = solver.prepare_owned(A.clone()).unwrap();
    system.update(&values).unwrap();
    assert_eq!(told(&system.solve(&b).unwrap()), told(&solver.solve(&with_values(&A, &values), &b).unwrap()));
}

#[test]
fn values_that_are_refused_change_nothing() {
    let A = real("gallery:poisson2d?n=7");
    let b: Vec<f64> = scattered(A.rows(), 3);
    for preconditioner in ["none", "jacobi", "ilu0"] {
        let mut system = solver(["cg", preconditioner, "auto", "rcm"]).prepare(&A).unwrap();
        let before = system.solve(&b).unwrap();
        let error = system.update(&A.val()[1..]).unwrap_err().to_string();
        let count = format!("has length {}, but {} is needed", A.nnz() - 1, A.nnz());
        assert!(error.contains("the new values") && error.contains(&count), "{error}");
        let mut values = A.val().to_vec();
        values[A.range(4).start + 1] = f64::NAN;
        let error = system.update(&values).unwrap_err().to_string();
        let column = A.col()[A.range(4).start + 1] + 1;
        assert!(error.contains(&format!("the new values contains NaN at row 5, column {column}")), "{error}");
        assert_eq!(system.matrix().unwrap(), A, "{preconditioner}");
        assert_eq!(told(&system.solve(&b).unwrap()), told(&before), "{preconditioner}");
    }
}

/// A zero on the diagonal: what a fresh solve says, and a good update makes good again.
#[test]
fn a_diagonal_that_vanishes_is_what_it_is_for_a_fresh_solve() {
    let A = matrix(3, &[(0, 0, 4.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 3.0), (1, 2, 1.0), (2, 1, 1.0), (2, 2, 5.0)]);
    let mut values = A.val().to_vec();
    values[A.range(1).start + 1] = 0.0;
    let (b, holed) = ([1.0, 2.0, 3.0], with_values(&A, &values));
    let said = |result: galerkit::Result<Solution<f64>>| match result {
        Ok(solution) => format!("{:?} {:?}", told(&solution), solution.report.outcome),
        Err(error) => error.to_string(),
    };
    for method in ["cg", "bicgstab", "minres", "gmres:5", "auto"] {
        for preconditioner in ["jacobi", "auto"] {
            let solver = solver([method, preconditioner, "auto", "auto"]);
            let mut system = solver.prepare(&A).unwrap();
            let before = told(&system.solve(&b).unwrap());
            system.update(&values).unwrap();
            let fresh = said(solver.solve(&holed, &b));
            assert_eq!(said(system.solve(&b)), fresh, "{method} {preconditioner}");
            system.update(A.val()).unwrap();
            let again = system.solve(&b).unwrap();
            assert!(again.report.converged, "{method} {preconditioner}: {}", again.report);
            // What was left open is decided for the values of the moment, and stays while a diagonal does not forbid it.
            if preconditioner == "jacobi" {
                assert_eq!(told(&again), before, "{method}: good again");
            }
        }
    }
}

/// Fails unless a solve in place is the other one. ||b|| is summed where it is in place, so what is relative to it may differ in the
/// last bits; x and the iterations may not.
#[track_caller]
fn same_in_place(system: &mut System<'_, f64>, report: &Report, alone: &Solution<f64>, way: &str) {
    assert_eq!(bits(&system.solution().unwrap()), bits(&alone.x), "{way}");
    assert_eq!(report.history.len(), alone.report.history.len(), "{way}");
    assert_eq!((report.iterations, report.converged), (alone.report.iterations, alone.report.converged), "{way}");
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 4.0 * f64::EPSILON * b.abs();
    assert!(report.history.iter().zip(&alone.report.history).all(close), "{way}: {:?}", report.history);
}

#[test]
fn in_place_is_the_same_solve() {
    let A = real("gallery:poisson2d?n=9");
    let (b, other) = (scattered::<f64>(A.rows(), 3), scattered::<f64>(A.rows(), 8));
    for device in DEVICES {
        for ordering in ["natural", "rcm"] {
            let solver = solver(["cg", "jacobi", "auto", ordering]).device(device);
            let mut system = solver.prepare(&A).unwrap();
            for b in [&b, &other, &b] {
                let alone = solver.solve(&A, b).unwrap();
                system.write_rhs(b).unwrap();
                let report = system.solve_in_place(Start::Zero).unwrap();
                same_in_place(&mut system, &report, &alone, &format!("{device} {ordering}"));
                let last = system.solve_in_place(Start::Last).unwrap();
                assert_eq!((last.converged, last.iterations), (true, 0), "{device} {ordering}");
                assert_eq!(bits(&system.solution().unwrap()), bits(&alone.x), "{device} {ordering}");
            }
        }
    }
}

/// b whose squares overflow or vanish: in place as anywhere, in the same steps; the last answer is a start for b of any size.
#[test]
fn tiny_and_huge_right_hand_sides_in_place() {
    let A = real("gallery:poisson2d?n=9");
    let solver = solver(["cg", "jacobi", "auto", "rcm"]);
    let b: Vec<f64> = scattered(A.rows(), 3);
    let times = |x: &[f64], power: i32| -> Vec<f64> {
        x.iter().map(|x| x * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)).collect()
    };
    let usual = solver.solve(&A, &b).unwrap();
    let mut system = solver.prepare(&A).unwrap();
    for power in [0, -900, 900, -300, 0, 1000] {
        let b = times(&b, power);
        system.write_rhs(&b).unwrap();
        let report = system.solve_in_place(Start::Zero).unwrap();
        assert!(report.converged && report.iterations == usual.report.iterations, "2^{power}: {report}");
        let alone = solver.solve(&A, &b).unwrap().report.rhs_norm;
        assert!((report.rhs_norm - alone).abs() <= 1e-14 * alone, "2^{power}: {} {alone}", report.rhs_norm);
        assert_eq!(bits(&system.solution().unwrap()), bits(&times(&usual.x, power)), "2^{power}");
        system.write_rhs(&times(&b, -power)).unwrap(); // x is another multiple of two in memory now
        assert_eq!(bits(&system.solution().unwrap()), bits(&times(&usual.x, power)), "2^{power}: the last answer");
        let _ = system.solve(&b).unwrap();
        assert_eq!(bits(&system.solution().unwrap()), bits(&times(&usual.x, power)), "2^{power}: solved");
    }
}

/// New values reach a b that is in place.
#[test]
fn in_place_with_new_values() {
    let A = real("gallery:poisson2d?n=9");
    let (b, values) = (scattered::<f64>(A.rows(), 3), other_values(&A, 1));
    let solver = solver(["cg", "jacobi", "auto", "rcm"]);
    let mut system = solver.prepare(&A).unwrap();
    system.write_rhs(&b).unwrap();
    system.update(&values).unwrap();
    let report = system.solve_in_place(Start::Zero).unwrap();
    let fresh = solver.solve(&with_values(&A, &values), &b).unwrap();
    same_in_place(&mut system, &report, &fresh, "new values");
}

#[test]
fn nothing_in_place_is_said() {
    let A = real("gallery:poisson2d?n=5");
    let b = vec![1.0; A.rows()];
    let mut system = Solver::new().method(Krylov::Cg).prepare(&A).unwrap();
    assert!(matches!(system.solve_in_place(Start::Zero), Err(Error::NotIterative)));
    assert!(matches!(system.solution(), Err(Error::NotIterative)));
    assert!(system.write_rhs(&b[1..]).is_err());
    system.write_rhs(&b).unwrap();
    assert!(system.solve_in_place(Start::Zero).unwrap().converged);
    system.reset();
    assert!(matches!(system.solve_in_place(Start::Zero), Err(Error::NotIterative)));
    assert!(system.solve(&b).unwrap().report.converged);
    let mut eliminated = Solver::new().method(Method::Lu).prepare(&A).unwrap();
    assert!(matches!(eliminated.write_rhs(&b), Err(Error::NotIterative)));
}

/// One system goes to another thread and works there while a second one works here; then it comes back.
#[test]
fn systems_move_between_threads() {
    let (A, B) = (real("gallery:poisson2d?n=9"), real("gallery:convection_diffusion2d?n=9"));
    let b: Vec<f64> = scattered(A.rows(), 3);
    for device in DEVICES {
        let (cg, gmres) = (solver(["cg", "jacobi", "auto", "rcm"]), solver(["gmres:10", "ilu0", "auto", "auto"]));
        let (mut one, mut two) = (cg.device(device).prepare(&A).unwrap(), gmres.device(device).prepare(&B).unwrap());
        let expected = [told(&one.solve(&b).unwrap()), told(&two.solve(&b).unwrap())];
        let mut one = std::thread::scope(|scope| {
            let (b, expected) = (&b, &expected);
            let away = scope.spawn(move || {
                (0..20).for_each(|_| assert_eq!(told(&one.solve(b).unwrap()), expected[0]));
                one
            });
            (0..20).for_each(|_| assert_eq!(told(&two.solve(b).unwrap()), expected[1]));
            away.join().unwrap()
        });
        for _ in 0..3 {
            assert_eq!(told(&one.solve(&b).unwrap()), expected[0], "{device}: back");
            assert_eq!(told(&two.solve(&b).unwrap()), expected[1], "{device}: by turns");
        }
    }
}

/// Thousands of solves, with updates and solves in place among them, keep what exists constant.
#[test]
fn thousands_of_solves_keep_nothing() {
    let A = real("gallery:poisson2d?n=4");
    let mut system = solver(["cg", "jacobi", "csr", "natural"]).prepare(&A).unwrap();
    let mut step = |k: usize| {
        let b: Vec<f64> = scattered(A.rows(), (k % 17) as u64);
        if k.is_multiple_of(10) {
            system.update(&other_values(&A, k % 3)).unwrap();
        }
        if k.is_multiple_of(3) {
            system.write_rhs(&b).unwrap();
            assert!(system.solve_in_place(Start::Zero).unwrap().converged);
        } else {
            assert!(system.solve(&b).unwrap().report.converged);
        }
        let Counters { vectors, maps, codes, .. } = system.counters();
        [vectors, maps, codes]
    };
    let mut early = [0; 3];
    (0..20).for_each(|k| early = step(k));
    (20..3000).for_each(|k| assert_eq!(step(k), early, "solve {k}"));
}
