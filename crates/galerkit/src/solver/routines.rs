//! The routines of a prepared method: what comes before it, the method itself, and the true residual. Recorded once; a
//! solve for another right-hand side runs them again.

use super::inner_solve::{Counted, PreparedInner};
use super::machine::Engine as Recorded;
use crate::report::InnerReport;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Operator, Resident, Routine};
use galerkit_linalg::krylov::{Inner, Krylov, Stop, run_any, vpgcr_any};
use galerkit_linalg::precond::{Prepared, load_any};
use galerkit_linalg::program::{Precision, Vector};

/// What a method was compiled to.
pub(super) struct Routines {
    /// Counts of inner solves begin anew; its scalar is ||b||.
    pub(super) begin: Routine,
    /// The method, from the x of the moment, and the true residual behind it; its scalar is ||b - A x||.
    pub(super) solve: Routine,
    /// What begins, x = 0 and the same method, in one; its scalars are ||b|| and ||b - A x||.
    pub(super) solve_from_zero: Routine,
    /// r = b - A x; its scalar is ||r||.
    pub(super) examine: Routine,
    pub(super) r: Held<Vector>,
    counted: Option<Counted>,
    recorded: Recordable,
}

/// What of the criteria is part of the recorded program.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Recordable {
    replacement: usize,
    limit: usize,
    /// The unit and the tolerance of inner solves that aim at the outer one.
    aim: Option<(f64, f64)>,
}

impl Recordable {
    fn of(stop: &Stop, aims: bool) -> Self {
        let aim = if aims { super::inner_solve::aim(stop) } else { None };
        Self { replacement: stop.replacement, limit: stop.limit, aim }
    }
}

impl Routines {
    /// Whether what is recorded depends on the tolerance of a solve, and so on ||b||.
    pub(super) fn aims(&self) -> bool {
        self.counted.as_ref().is_some_and(|counted| counted.aims)
    }

    /// Whether it can be run with these criteria.
    pub(super) fn serves(&self, stop: &Stop) -> bool {
        self.recorded == Recordable::of(stop, self.aims())
    }

    /// What the inner solves have done since the last beginning.
    pub(super) fn inner_report<S: Scalar>(&self, e: &mut Recorded<S>) -> Option<InnerReport> {
        let body = self.solve.loops().next()?.0;
        self.counted.as_ref().map(|counted| counted.report(e, body))
    }
}

/// What a method is preconditioned by: M, which may be loaded already, or an inner solve in its place.
pub(super) struct Preconditioned<'a, S: Scalar> {
    pub(super) M: &'a Prepared<S>,
    pub(super) loaded: Option<&'a dyn Operator<Recorded<S>>>,
    pub(super) inner_solve: Option<&'a PreparedInner<S>>,
}

/// Loads what the method is preconditioned by and records everything.
pub(super) fn compile<S: Scalar>(
    e: &mut Recorded<S>,
    method: Krylov,
    A: &Resident<Recorded<S>>,
    Preconditioned { M, loaded, inner_solve }: Preconditioned<'_, S>,
    (b, x): (&Held<Vector>, &mut Held<Vector>),
    stop: &Stop,
) -> Routines {
    let recorded = Recordable::of(stop, inner_solve.is_some_and(PreparedInner::aims));
    let r = e.zeros_like(b);
    let mut system = Recording { method, A, b, x, r, stop, recorded };
    match inner_solve {
        Some(inner_solve) => {
            let mut made = None;
            inner_solve.with(e, (method, stop), A, b, &mut |e, inner, counted| {
                made = Some(system.compile(e, inner, Some((inner, counted))));
            });
            made.expect("it was called")
        }
        None => match loaded {
            Some(loaded) => system.compile(e, loaded, None),
            None => {
                let loaded = load_any(M.clone(), e, A, Precision::Full);
                system.compile(e, &*loaded, None)
            }
        },
    }
}

/// A system whose routines are being recorded.
struct Recording<'a, S: Scalar> {
    method: Krylov,
    A: &'a Resident<Recorded<S>>,
    b: &'a Held<Vector>,
    x: &'a mut Held<Vector>,
    r: Held<Vector>,
    stop: &'a Stop,
    recorded: Recordable,
}

impl<S: Scalar> Recording<'_, S> {
    /// Records the routines for a preconditioner, which may be an inner solve.
    fn compile(
        &mut self,
        e: &mut Recorded<S>,
        M: &dyn Operator<Recorded<S>>,
        inner: Option<(&Inner<'_, Recorded<S>>, Counted)>,
    ) -> Routines {
        let Self { method, A, b, stop, .. } = *self;
        let reset = |e: &mut Recorded<S>| inner.iter().for_each(|(inner, _)| inner.reset(e));
        let begin = e.compile(|e| {
            reset(e);
            vec![e.norm(b)]
        });
        let mut solve = e.compile(|e| {
            // A routine tells when it runs, not when it is recorded.
            let _ = match (method, &inner) {
                (Krylov::Vpgcr { restart }, Some((inner, _))) => {
                    vpgcr_any(e, (restart, inner.failures()), A, M, b, self.x, stop)
                }
                _ => run_any(method, e, A, M, b, self.x, stop),
            };
            e.residual(A, b, self.x, &mut self.r); // r = b - A x
            vec![e.norm(&self.r)]
        });
        let from_zero = |e: &mut Recorded<S>| {
            reset(e);
            let zero = e.zeros_like(self.x);
            e.copy(&zero, self.x); // x = 0
            vec![e.norm(b)]
        };
        let solve_from_zero = e.compile_before(from_zero, &mut solve);
        let examine = e.compile(|e| {
            e.residual(A, b, self.x, &mut self.r);
            vec![e.norm(&self.r)]
        });
        let (r, counted) = (self.r.clone(), inner.map(|(_, counted)| counted));
        Routines { begin, solve, solve_from_zero, examine, r, counted, recorded: self.recorded }
    }
}
