//! The routines of a prepared method: what comes before it, the method itself, and the true residual. Recorded once; a solve for
//! another right-hand side runs them again.

use super::inner_solve::{Counted, PreparedInner};
use super::machine::Engine as Recorded;
use crate::error::Result;
use crate::report::InnerReport;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Operator, Resident, Routine};
use galerkit_linalg::krylov::{Krylov, Stop, vpgcr};
use galerkit_linalg::precond::Prepared;
use galerkit_linalg::program::{Precision, Vector};

/// What a method was compiled to.
pub(super) struct Compiled {
    /// Counts of inner solves begin anew.
    pub(super) begin: Routine,
    /// The same, and x = 0.
    pub(super) from_zero: Routine,
    /// The method, from the x of the moment.
    pub(super) solve: Routine,
    /// r = b - A x; its scalar is ||r||.
    pub(super) examine: Routine,
    /// ||b||
    pub(super) rhs_norm: Routine,
    pub(super) r: Held<Vector>,
    counted: Option<Counted>,
    recorded: Recordable,
}

/// What of the criteria is part of the recorded program.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Recordable {
    exact: usize,
    limit: usize,
    /// The unit and the tolerance of inner solves that aim at the outer one.
    aim: Option<(f64, f64)>,
}

impl Recordable {
    fn of(stop: &Stop, aims: bool) -> Self {
        let aim = if aims { super::inner_solve::aim(stop) } else { None };
        Self { exact: stop.exact, limit: stop.limit, aim }
    }
}

impl Compiled {
    /// Whether it can be run with these criteria.
    pub(super) fn serves(&self, stop: &Stop) -> bool {
        let aims = self.counted.as_ref().is_some_and(|counted| counted.aims);
        self.recorded == Recordable::of(stop, aims)
    }

    /// What the inner solves have done since the last beginning.
    pub(super) fn inner_report<S: Scalar>(&self, e: &mut Recorded<S>) -> Option<InnerReport> {
        let body = self.solve.loops().next()?.0;
        self.counted.as_ref().map(|counted| counted.report(e, body))
    }
}

/// What a method is preconditioned by: M, which may be one map that is loaded, or an inner solve in its place.
pub(super) struct Preconditioned<'a, S: Scalar> {
    pub(super) M: &'a Prepared<S>,
    pub(super) map: Option<&'a Resident<Recorded<S>>>,
    pub(super) inner_solve: Option<&'a PreparedInner<S>>,
}

/// Loads what the method is preconditioned by and records everything.
pub(super) fn compile<S: Scalar>(
    e: &mut Recorded<S>,
    method: Krylov,
    A: &Resident<Recorded<S>>,
    Preconditioned { M, map, inner_solve }: Preconditioned<'_, S>,
    (b, x): (&Held<Vector>, &mut Held<Vector>),
    stop: &Stop,
) -> Result<Compiled> {
    let mut r = e.zeros_like(b);
    let aims = inner_solve.is_some_and(PreparedInner::aims);
    let (begin, from_zero, solve, counted) = match inner_solve {
        Some(inner_solve) => {
            let mut made = None;
            inner_solve.with(e, (method, stop), A, b, &mut |e, inner, counted| {
                let begin = e.compile(|e| {
                    inner.reset(e);
                    Vec::new()
                });
                let from_zero = e.compile(|e| {
                    inner.reset(e);
                    clear(e, x);
                    Vec::new()
                });
                let solve = e.compile(|e| {
                    let _ = match method {
                        Krylov::Vpgcr { restart } => vpgcr(e, (restart, inner.failures()), A, inner, b, x, stop),
                        other => other.run(e, A, inner, b, x, stop),
                    };
                    Vec::new()
                });
                made = Some((begin, from_zero, solve, Some(counted)));
            });
            made.expect("it was called")
        }
        None => {
            let loaded = if map.is_none() { Some(M.clone().load(e, A, Precision::Full)) } else { None };
            let M: &dyn Operator<Recorded<S>> = match (map, &loaded) {
                (Some(map), _) => map,
                (None, Some(loaded)) => &**loaded,
                (None, None) => unreachable!("one of the two is there"),
            };
            let begin = e.compile(|_| Vec::new());
            let from_zero = e.compile(|e| {
                clear(e, x);
                Vec::new()
            });
            let solve = e.compile(|e| {
                let _ = method.run(e, A, M, b, x, stop); // a routine tells when it runs
                Vec::new()
            });
            (begin, from_zero, solve, None)
        }
    };
    let examine = e.compile(|e| {
        e.residual(A, b, x, &mut r);
        vec![e.norm(&r)]
    });
    let rhs_norm = e.compile(|e| vec![e.norm(b)]);
    Ok(Compiled { begin, from_zero, solve, examine, rhs_norm, r, counted, recorded: Recordable::of(stop, aims) })
}

/// x = 0
fn clear<S: Scalar>(e: &mut Recorded<S>, x: &mut Held<Vector>) {
    let zero = e.zeros_like(x);
    e.copy(&zero, x);
}
