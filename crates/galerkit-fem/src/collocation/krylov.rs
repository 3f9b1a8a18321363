//! Solves by BiCGSTAB with ILU(0) inside of a step, as operators: nested loops that end by ||r|| <= rtol ||b|| without
//! the host.
//!
//! The source's listing starts from x = b, compares ||s|| with 1e-25 and calls a half step that hits the solution
//! incomplete. Here the start is what the caller has, the residual is scaled by 1 / ||b|| so that an absolute tolerance
//! is the relative one, breakdowns end the step with a name, and the true residual is computed at the end.

use galerkit_linalg::engine::{
    AnyEngine, Engine, Number, Operator, Register, Resident, SlotRegister,
    Test::{Nonzero, Positive},
};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop, run_any};

/// The engine that steps run on.
pub type StepEngine = AnyEngine<f64>;
/// Its vectors.
pub type StepVector = <StepEngine as Engine>::Vector;

/// Iterations of a loop that is not expected to need them.
const LIMIT: usize = 1000;

/// What solves have taken, added up over a step.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Iterations.
    pub iterations: SlotRegister,
    /// The largest true residual, relative to the right-hand side.
    pub residual: SlotRegister,
}

impl Effort {
    /// Nothing yet.
    pub fn new(e: &mut StepEngine) -> Self {
        let none = e.number(0.0);
        Self { iterations: e.carry(none), residual: e.carry(none) }
    }
    /// Begins again.
    pub fn reset(&self, e: &mut StepEngine) {
        let none = e.number(0.0);
        self.iterations.set(none);
        self.residual.set(none);
    }
}

/// A^-1 by an iteration.
pub struct Iterated<'a> {
    /// The matrix.
    pub A: &'a Resident<StepEngine>,
    /// Its incomplete factors.
    pub M: &'a Resident<StepEngine>,
    /// Relative tolerance.
    pub rtol: f64,
    /// Where effort is added up.
    pub effort: Effort,
}

impl Iterated<'_> {
    /// Solves A x = b from x.
    pub fn solve(&self, e: &mut StepEngine, b: &StepVector, x: &mut StepVector) {
        let [mut r, mut d] = e.vectors_like(b);
        let one = e.number(1.0);
        let size = e.norm(b);
        let inverse = one.over(size);
        e.residual(self.A, b, x, &mut r);
        e.scale(inverse, &mut r); // (b - A x) / ||b||
        let stop = Stop { rtol: 0.0, atol: self.rtol, limit: LIMIT, replacement: 0, ..Stop::default() };
        let _ = e.nest(|e| run_any(Krylov::Bicgstab, e, self.A, self.M, &r, &mut d, &stop));
        let nested = e.nested();
        e.require(Nonzero(nested.ended), Outcome::IterationLimit);
        e.require(Positive(nested.ended), Outcome::Breakdown);
        e.axpy(size, &d, x); // x + ||b|| d
        self.effort.iterations.set(self.effort.iterations.get() + nested.count);
        e.residual(self.A, b, x, &mut r);
        let (found, most, half) = (e.norm(&r) * inverse, self.effort.residual.get(), e.number(0.5));
        self.effort.residual.set(half * (found + most + (found - most).abs())); // the larger one
    }
}

/// From zero.
impl Operator<StepEngine> for Iterated<'_> {
    fn is_solve(&self) -> bool {
        true
    }
    fn apply(&self, e: &mut StepEngine, b: &StepVector, x: &mut StepVector) {
        let zero = e.zeros_like(b);
        e.copy(&zero, x);
        self.solve(e, b, x);
    }
}

/// S v = A^-1 A0 v, from v, which S v differs little from.
pub struct IteratedStage<'a> {
    /// Products with A0.
    pub A0: &'a Resident<StepEngine>,
    /// Solves with A.
    pub inverse: Iterated<'a>,
}

impl Operator<StepEngine> for IteratedStage<'_> {
    fn is_solve(&self) -> bool {
        true
    }
    fn apply(&self, e: &mut StepEngine, v: &StepVector, y: &mut StepVector) {
        let mut b = e.zeros_like(v);
        e.apply(self.A0, v, &mut b);
        e.copy(v, y);
        self.inverse.solve(e, &b, y);
    }
}
