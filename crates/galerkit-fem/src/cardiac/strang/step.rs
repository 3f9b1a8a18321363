//! One step in the engine's verbs: diffusion, then the rest of its reaction with the beginning of the next, and who has
//! crossed a level. A potential that has left every bound becomes NaN, which no later step undoes: one look at the end
//! of many steps finds it.

use crate::cardiac::cell::Cell;
use crate::cardiac::crossings::Crossings;
use crate::cardiac::increment::{Increments, Tolerance};
use galerkit_linalg::engine::{Engine, Entry, Register, Resident};

/// Potential and recovery.
pub struct State<E: Engine> {
    /// Potential at the end of a step.
    pub phi: E::Vector,
    /// Recovery there.
    pub r: E::Vector,
    /// Potential half a reaction later.
    pub q: E::Vector,
    /// Recovery there.
    pub s: E::Vector,
    /// Current into phi, 1 a millisecond.
    pub current: E::Vector,
}

/// How a step diffuses.
#[derive(Clone, Copy, PartialEq)]
pub enum Diffusion {
    /// Of second order.
    CrankNicolson,
    /// Two steps of half the length: what follows a jump.
    BackwardEuler,
}

/// What a step applies, and its vectors.
pub struct Step<E: Engine, C> {
    /// What cells do.
    pub cell: C,
    /// Its length in ms.
    pub dt: f64,
    /// S A S.
    pub A: Resident<E>,
    /// -S K.
    pub flux: Resident<E>,
    /// The diagonal of S.
    pub scaling: E::Vector,
    /// When an increment is good enough.
    pub tolerance: Tolerance,
    /// The right-hand side.
    pub b: E::Vector,
    /// What is solved for.
    pub increments: Increments<E>,
    /// Of CG, so far.
    pub iterations: E::Reg,
}

impl<E: Engine<Scalar = f64>, C: Cell> Step<E, C> {
    /// Half a step of the reaction: where diffusion begins.
    pub fn begin(&self, e: &mut E, state: &mut State<E>) {
        let State { phi, r, q, s, current } = state;
        let (cell, half) = (&self.cell, 0.5 * self.dt);
        e.pointwise([q, s], [phi, r, current], |_, [phi, r, current]| cell.advance([phi, r], current, half));
    }

    /// A step that begins at a time; phi further from 1/2 than `reach` becomes NaN.
    #[rustfmt::skip]
    pub fn take(&mut self, e: &mut E, state: &mut State<E>, crossings: &mut Crossings<E>, [time, reach]: [E::Num; 2], how: Diffusion) {
        match how {
            Diffusion::CrankNicolson => self.diffuse(e, &mut state.q),
            Diffusion::BackwardEuler => (0..2).for_each(|_| self.diffuse_half(e, &mut state.q)),
        }
        let State { phi, r, q, s, current } = state;
        let (mut end, cell, half) = (e.zeros_like(phi), &self.cell, 0.5 * self.dt);
        e.pointwise([&mut end, r, q, s], [current], |[_, _, q, s], [current]| {
            let [phi, r] = cell.advance([q, s], current, half);                 // the end of this step
            let [middle, nothing] = [0.5, f64::NAN].map(E::Entry::constant);
            let phi = E::Entry::select((phi - middle).abs().at_most(E::Entry::scalar(reach)), phi, nothing);
            let [q, s] = cell.advance([phi, r], current, half);                 // the beginning of the next
            [phi, r, q, s]
        });
        let length = e.number(self.dt);
        crossings.note(e, phi, &end, time, length);
        e.copy(&end, phi);
    }

    /// q = q + S x, S A S x = -S K q.
    #[rustfmt::skip]
    fn diffuse(&mut self, e: &mut E, q: &mut E::Vector) {
        e.apply_map(&self.flux, q, &mut self.b);                                // b = -S K q
        self.increments.solve(e, &self.A, &self.b, &self.tolerance);
        self.count(e);
        e.pointwise([q], [&self.scaling, &self.increments.x], |[q], [s, x]| [q + s * x]);
        self.increments.push(e, &self.b);
    }

    /// q = q + S x/2: backward Euler for dt/2, whose matrix is 2 A.
    #[rustfmt::skip]
    fn diffuse_half(&mut self, e: &mut E, q: &mut E::Vector) {
        self.increments.forget(e);
        e.apply_map(&self.flux, q, &mut self.b);                                // b = -S K q
        self.increments.solve(e, &self.A, &self.b, &self.tolerance);
        self.count(e);
        e.pointwise([q], [&self.scaling, &self.increments.x], |[q], [s, x]| [q + E::Entry::constant(0.5) * s * x]);
        self.increments.forget(e);
    }

    fn count(&self, e: &mut E) {
        let told = e.nested();
        self.iterations.set(self.iterations.get() + told.count);
    }
}
