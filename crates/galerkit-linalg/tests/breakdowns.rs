//! A method that breaks down on its way is started again from the true residual, a few times, and not if it breaks down
//! at once.

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Identity, Immediate, Recorded};
use galerkit_linalg::krylov::{Outcome, Run, Stop, Verified, cg, verified};
use galerkit_linalg::sparse::Matrix;
use galerkit_testkit::problems;
use std::cell::Cell;

/// CG that says it has broken down after so many iterations, in so many of its starts.
fn solve<E: Engine<Scalar = f64>>(e: &mut E, steps: usize, breakdowns: usize, limit: usize) -> Verified {
    let A = problems::laplacian::<f64>(12, 2);
    let rows = A.rows();
    let A = e.load(Box::new(Matrix::Csr(A)));
    let (b, starts) = (e.upload(&vec![1.0; rows]), Cell::new(0));
    let mut x = e.zeros_like(&b);
    let stop = Stop { limit, ..Stop::default() };
    verified(
        e,
        &|e, A, M, b, x, stop| {
            starts.set(starts.get() + 1);
            if starts.get() > breakdowns {
                return cg(e, A, M, b, x, stop);
            }
            let run = cg(e, A, M, b, x, &Stop { limit: steps.min(stop.limit), ..stop.clone() });
            Run { outcome: Outcome::Breakdown, ..run }
        },
        &A,
        &Identity,
        &b,
        &mut x,
        &stop,
    )
}

fn on<B: Backend<f64> + Clone>(backend: B, steps: usize, breakdowns: usize, limit: usize) -> Verified {
    let found = solve(&mut Immediate::new(backend.clone()), steps, breakdowns, limit);
    let recorded = solve(&mut Recorded::new(backend), steps, breakdowns, limit);
    assert_eq!(found.run.history, recorded.run.history);
    assert_eq!(found.restarts, recorded.restarts);
    found
}

#[test]
fn a_method_that_breaks_down_on_its_way_starts_again() {
    for breakdowns in 1..=5 {
        let found = on(Reference, 4, breakdowns, 1000);
        assert_eq!((found.run.outcome, found.restarts), (Outcome::Converged, breakdowns));
        assert_eq!(found.run.history.len(), found.run.iterations + 1);
        assert!(found.true_residual <= 1e-8 * found.start);
    }
}

#[test]
fn one_that_always_does_is_believed() {
    let found = on(Cpu, 2, usize::MAX, 1000);
    assert_eq!((found.run.outcome, found.restarts, found.run.iterations), (Outcome::Breakdown, 5, 12));
    let at_once = on(Cpu, 0, usize::MAX, 1000);
    assert_eq!((at_once.run.outcome, at_once.restarts, at_once.run.iterations), (Outcome::Breakdown, 0, 0));
    let limited = on(Cpu, 4, usize::MAX, 10);
    assert_eq!((limited.run.outcome, limited.run.iterations), (Outcome::Breakdown, 10));
}
