//! Algebraic multigrid: the worked example by hand, levels and checksums that must be reproduced exactly, iterations,
//! invariants, edge cases.

mod complex;
mod edges;
mod example;
mod invariants;
mod iterations;
mod levels;
mod singular;
mod table;

use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{AnyEngine, Engine, Held, Operator, Recorded};
use galerkit_linalg::krylov::{Outcome, Stop, cg, fgmres, flexible_cg, verified};
use galerkit_linalg::multigrid::amg::{Amg, Built, Summary};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_linalg::{Result, Scalar};

type Op<'a, S> = &'a dyn Operator<AnyEngine<S>>;

/// What came of a solve.
struct Solved<S> {
    x: Vec<S>,
    iterations: usize,
    converged: bool,
    summary: Summary,
}

fn named(name: &str) -> Amg {
    name.parse().expect("a name")
}

/// Whether CG solves, flexible CG where the cycle varies; else FGMRES(50).
fn solve<S: Scalar>(A: &Csr<S>, b: &[S], name: &str, is_definite: bool) -> Result<Solved<S>> {
    solve_near(A, b, name, is_definite, &[])
}

fn solve_near<S: Scalar>(
    A: &Csr<S>,
    b: &[S],
    name: &str,
    is_definite: bool,
    near_null: &[Vec<S>],
) -> Result<Solved<S>> {
    Ok(solve_built(A, b, Built::new(A, is_definite, &named(name), near_null)?, is_definite))
}

/// The same with a hierarchy that is there.
fn solve_built<S: Scalar>(A: &Csr<S>, b: &[S], built: Built<S>, is_definite: bool) -> Solved<S> {
    let amg = *built.settings();
    let (summary, precision) = (built.summary(), built.precision());
    let mut e = Recorded::new(Cpu);
    let A = e.load(Box::new(Matrix::Csr(A.clone())));
    let M = built.hierarchy(&|_| Format::Csr).load_whole(&mut e, &A, precision);
    let (b, mut x) = (e.upload(b), e.zeros(b.len(), Precision::Full));
    let stop = Stop { rtol: 1e-8, limit: 300, ..Stop::default() };
    let result = match (is_definite, amg.varies()) {
        (true, false) => verified(&mut e, &cg, &A, &M, &b, &mut x, &stop),
        (true, true) => verified(&mut e, &flexible_cg, &A, &M, &b, &mut x, &stop),
        (false, _) => {
            let method =
                |e: &mut AnyEngine<S>, A: Op<S>, M: Op<S>, b: &Held<Vector>, x: &mut Held<Vector>, stop: &Stop| {
                    fgmres(e, 50, A, M, b, x, stop)
                };
            verified(&mut e, &method, &A, &M, &b, &mut x, &stop)
        }
    };
    let converged = result.run.outcome == Outcome::Converged;
    Solved { x: e.download(&x), iterations: result.run.iterations, converged, summary }
}

/// Within one of what is expected.
fn assert_near(found: usize, expected: usize, what: &str) {
    assert!(found.abs_diff(expected) <= 1, "{what}: {found} iterations, {expected} expected");
}
