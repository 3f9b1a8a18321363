//! A preconditioner that is another one in every step: FGMRES and GCR bear it, GMRES does not.

use super::{Problem, general};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate, Operator, Recorded, Resident};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{Diagonal, c64};
use galerkit_testkit::{bits, problems};
use std::cell::Cell;

/// Diagonal maps in turn, one for each call.
struct Changing<E: Engine> {
    maps: Vec<Resident<E>>,
    calls: Cell<usize>,
}

impl<E: Engine> Operator<E> for Changing<E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        self.maps[self.calls.get() % self.maps.len()].apply(e, x, y);
        self.calls.set(self.calls.get() + 1);
    }
}

fn diagonal(n: usize, step: usize) -> Diagonal<c64> {
    Diagonal::new((0..n).map(|i| c64::new(0.1 + ((i * 7 + step * 5) % 11) as f64 / 20.0, 0.05 * step as f64)).collect())
}

fn solve<E: Engine<Scalar = c64>>(e: &mut E, problem: &Problem<c64>, method: Krylov) -> (Vec<c64>, Vec<f64>, Outcome) {
    let n = problem.b.len();
    let A = e.load(Box::new(Matrix::Csr(problem.A.clone())));
    let maps = (0..4).map(|step| e.load(Box::new(diagonal(n, step)))).collect();
    let M = Changing::<E> { maps, calls: Cell::new(0) };
    let (b, mut x) = (e.upload(&problem.b), e.upload(&problem.x));
    let run = method.run(e, &A, &M, &b, &mut x, &Stop { rtol: 1e-9, limit: 60, ..Stop::default() });
    (e.download(&x), run.history, run.outcome)
}

/// Cycles of 8 calls of M: a recording engine meets the same maps as an immediate one.
#[test]
fn changing_preconditioner() {
    let problem = Problem::new(general::<c64>(30), problems::scattered(30, 1));
    for (method, bears_it) in [
        (Krylov::Gcr { restart: 8 }, true),
        (Krylov::Fgmres { restart: 8 }, true),
        (Krylov::Gmres { restart: 60 }, false),
    ] {
        let (x, history, outcome) = solve(&mut Immediate::new(Cpu), &problem, method);
        let truth = problems::norm(&problem.residual(&x));
        let last = history[history.len() - 1];
        assert_eq!((truth - last).abs() <= 1e-12 * history[0], bears_it, "{method}: claims {last:e}, has {truth:e}");
        if bears_it {
            assert_eq!(outcome, Outcome::Converged, "{method}");
            assert!(history.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{method}: the residual grew");
            let recorded = solve(&mut Recorded::new(Cpu), &problem, method);
            assert_eq!((bits(&x), bits(&history)), (bits(&recorded.0), bits(&recorded.1)), "{method}");
        }
    }
}
