//! What an inner solve keeps count of, in which unit it works, and when it puts an end to the outer loop.

use super::{System, problem};
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::krylov::{Inner, Krylov, Outcome, Solve, Stop, inner_stop, richardson, vpgcr};
use galerkit_linalg::map::InSingle;
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Matrix;
use galerkit_testkit::bits;

/// What the inner solve does.
#[derive(Clone, Copy)]
enum Does {
    /// Jacobi sweeps, stopped by a relative and an absolute tolerance.
    Sweeps(f64, f64),
    /// Multiplies by a number.
    Multiplies(f64),
}

#[derive(Clone, Copy)]
struct Options {
    outer: Krylov,
    does: Does,
    lowered: bool,
    listed: usize,
    guarded: bool,
    gives_up: bool,
    budget: Option<usize>,
    unit: Option<f64>,
}

const USUAL: Options = Options {
    outer: Krylov::Vpgcr { restart: 10 },
    does: Does::Sweeps(0.1, 0.0),
    lowered: false,
    listed: 0,
    guarded: false,
    gives_up: false,
    budget: None,
    unit: None,
};

#[derive(Debug, PartialEq)]
struct Counted {
    outcome: Outcome,
    outer: usize,
    solves: usize,
    iterations: usize,
    discarded: usize,
    latest: Vec<usize>,
    x: Vec<(u64, u64)>,
}

fn run<E: Engine<Scalar = f64>>(e: &mut E, system: &System<f64>, options: Options) -> Counted {
    let A = e.load(Box::new(Matrix::Csr(system.A.clone())));
    let D = e.load(Box::new(jacobi(&system.A).unwrap()));
    let low = system.A.map_values(f64::to_single);
    let low_A = e.load(Box::new(InSingle(Box::new(Matrix::Csr(low.clone())))));
    let low_D = e.load(Box::new(InSingle(Box::new(jacobi(&low).unwrap()))));
    let b = e.upload(&system.b);
    let mut x = e.zeros_like(&b);
    let (inner_A, inner_D) = if options.lowered { (&low_A, &low_D) } else { (&A, &D) };
    let solve: Solve<'_, E> = Box::new(move |e, r, z| match options.does {
        Does::Sweeps(rtol, atol) => richardson(e, inner_A, inner_D, r, z, &Stop { atol, ..inner_stop(rtol, 1000) }),
        Does::Multiplies(factor) => {
            let factor = e.number(factor);
            e.copy(r, z);
            e.scale(factor, z);
            let norm = e.number(0.0);
            e.iterate(&inner_stop(0.1, 0), norm, |_| norm)
        }
    });
    let precision = if options.lowered { Precision::Single } else { Precision::Full };
    let mut M = Inner::new(e, &b, precision, solve).listing(e, options.listed);
    M = if options.guarded { M.guarded() } else { M };
    M = if options.gives_up { M.giving_up() } else { M };
    M = options.budget.into_iter().fold(M, Inner::within);
    M = options.unit.into_iter().fold(M, Inner::in_units_of);
    let stop = Stop { rtol: 1e-10, limit: 60, replacement: 0, ..Stop::default() };
    let run = match options.outer {
        Krylov::Vpgcr { restart } => vpgcr(e, (restart, M.failures()), &A, &M, &b, &mut x, &stop),
        other => other.run(e, &A, &M, &b, &mut x, &stop),
    };
    Counted {
        outcome: run.outcome,
        outer: run.iterations,
        solves: M.solves(e),
        iterations: M.iterations(e),
        discarded: M.discarded(e),
        latest: M.latest(e),
        x: bits(&e.download(&x)),
    }
}

/// On both engines over both backends; what the fast one found.
#[track_caller]
fn counted(system: &System<f64>, options: Options) -> Counted {
    let plain = run(&mut Immediate::new(Reference), system, options);
    assert_eq!(plain, run(&mut Recorded::new(Reference), system, options));
    let fast = run(&mut Immediate::new(Cpu), system, options);
    assert_eq!(fast, run(&mut Recorded::new(Cpu), system, options));
    fast
}

#[test]
fn the_last_solves_are_listed_in_their_order() {
    let system = problem(100, 0.4);
    let all = counted(&system, Options { listed: 30, ..USUAL });
    assert_eq!((all.outcome, all.latest.len()), (Outcome::Converged, all.solves));
    assert!(all.solves > 3 && all.latest.iter().sum::<usize>() == all.iterations, "{all:?}");
    let some = counted(&system, Options { listed: 3, ..USUAL });
    assert_eq!(some.latest, all.latest[all.solves - 3..]);
    assert_eq!(counted(&system, USUAL).latest, Vec::<usize>::new());
}

#[test]
fn no_solve_begins_after_the_budget() {
    let system = problem(100, 0.4);
    let free = counted(&system, Options { listed: 30, ..USUAL });
    let budget = free.latest[0] + 1;
    let bound = counted(&system, Options { budget: Some(budget), ..USUAL });
    assert_eq!((bound.outcome, bound.solves, bound.outer), (Outcome::IterationLimit, 2, 2));
    assert_eq!(bound.iterations, free.latest[..2].iter().sum());
    let ample = counted(&system, Options { budget: Some(free.iterations), ..USUAL });
    assert_eq!(ample.outcome, Outcome::Converged);
}

/// z = -r makes the residual larger: each is discarded, and VPGCR would go on as GCR.
#[test]
fn solves_that_are_of_no_use_end_the_loop_if_asked() {
    let system = problem(100, 0.4);
    let useless = Options { does: Does::Multiplies(-1.0), ..USUAL };
    let patient = counted(&system, useless);
    assert_eq!((patient.outcome, patient.discarded), (Outcome::Converged, patient.solves));
    let found = counted(&system, Options { gives_up: true, ..useless });
    assert_eq!((found.outcome, found.outer, found.discarded), (Outcome::Stagnated, 3, 3));
    let good = counted(&system, Options { gives_up: true, ..USUAL });
    assert_eq!((good.outcome, good.discarded), (Outcome::Converged, 0));
}

#[test]
fn what_is_not_finite_is_replaced_for_methods_that_do_not_look() {
    let A = galerkit_testkit::problems::hermitian::<f64>(6);
    let system = System { b: galerkit_testkit::problems::rhs_of_ones(&A), A };
    for outer in [Krylov::FlexibleCg, Krylov::Gcr { restart: 4 }, Krylov::Fgmres { restart: 4 }] {
        let spoilt = Options { outer, does: Does::Multiplies(f64::NAN), guarded: true, ..USUAL };
        let plain = Options { does: Does::Multiplies(1.0), ..spoilt };
        let (found, as_it_is) = (counted(&system, spoilt), counted(&system, plain));
        assert_eq!((found.outcome, found.discarded), (Outcome::Converged, found.solves), "{outer}");
        assert_eq!((found.x, as_it_is.discarded), (as_it_is.x, 0), "{outer}: M is the identity either way");
    }
}

/// The outer tolerance is 1e-10 ||b||: in units of 1e-5 ||b|| it is 1e-5, below which the last solve does not go.
#[test]
fn the_last_solve_does_no_more_than_is_asked() {
    let system = problem(300, 0.8);
    let norm = galerkit_testkit::problems::norm(&system.b);
    let unit = (1e-5 * norm).log2().round().exp2();
    let atol = 0.7e-10 * norm / unit;
    let solve = |unit, atol| {
        counted(&system, Options { lowered: true, listed: 20, unit, does: Does::Sweeps(1e-4, atol), ..USUAL })
    };
    let (whole, aimed) = (solve(None, 0.0), solve(Some(unit), atol));
    assert_eq!((whole.outcome, aimed.outcome), (Outcome::Converged, Outcome::Converged));
    assert_eq!((whole.solves, aimed.solves), (3, 3), "1e-4, 1e-8, and what is left");
    assert!(3 * whole.latest[2] > 2 * whole.latest[0], "{:?}", whole.latest);
    assert!(3 * aimed.latest[2] < 2 * aimed.latest[0], "{:?}", aimed.latest);
}
