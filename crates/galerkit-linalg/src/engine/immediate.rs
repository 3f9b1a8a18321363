//! The engine that executes every verb at once, on a backend.

use super::nested::End;
use super::number::{Cellular, Test};
use super::{Engine, Nested, Stored};
use crate::backend::Backend;
use crate::krylov::{Monitor, Outcome, Run, Stop};
use crate::linear::Linear;
use crate::scalar::Scalar;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// Runs verbs as they are spoken.
pub struct Immediate<S: Scalar, B: Backend<S>> {
    backend: B,
    lower: B::Lower,
    broken: Option<Outcome>,
    frozen: Rc<Cell<bool>>,
    iteration: usize,
    /// Loops around what is being run.
    depth: usize,
    nested: Nested<S>,
}

/// A loaded map, in one of two precisions.
pub enum Precise<H, L> {
    /// As it is.
    High(H),
    /// In single precision.
    Low(L),
}

impl<S: Scalar, B: Backend<S>> Immediate<S, B> {
    /// An engine over a backend.
    pub fn new(backend: B) -> Self {
        let nested = Nested { count: S::zero(), ended: S::zero() };
        let lower = backend.lower();
        Self { backend, lower, broken: None, frozen: Rc::default(), iteration: 0, depth: 0, nested }
    }

    /// Whether verbs take effect: not after a failed test, until the loop has ended.
    fn live(&self) -> bool {
        self.broken.is_none()
    }

    fn iterate_inside(&mut self, stop: &Stop, start: S, mut body: impl FnMut(&mut Self) -> S) {
        let around = std::mem::take(&mut self.iteration);
        let end = End::new(start.parts().0, stop.rtol, stop.atol, stop.limit);
        let mut verdict = end.verdict(start.parts().0, 0);
        while verdict.is_none() {
            let watched = body(self);
            verdict = match self.broken {
                Some(_) => Some(-1.0),
                None => end.verdict(watched.parts().0, self.iteration + 1),
            };
            self.iteration += usize::from(self.broken.is_none());
        }
        self.broken = None;
        self.frozen.set(false);
        let count = S::from_f64(std::mem::replace(&mut self.iteration, around) as f64);
        self.nested = Nested { count, ended: S::from_f64(verdict.unwrap_or_default()) };
    }
}

impl<S: Scalar, B: Backend<S>> Engine for Immediate<S, B> {
    type Scalar = S;
    type Vector = Stored<S>;
    type Num = S;
    type Reg = Cellular<S>;
    type Map = Precise<B::Map, <B::Lower as Backend<S::Low>>::Map>;

    fn load(&mut self, map: Arc<Linear<S>>) -> Self::Map {
        Precise::High(self.backend.load(map))
    }
    fn load_lower(&mut self, map: Arc<Linear<S::Low>>) -> Self::Map {
        Precise::Low(self.lower.load(map))
    }
    fn upload(&mut self, host: &[S]) -> Stored<S> {
        Stored::High(host.to_vec())
    }
    fn upload_like(&mut self, host: &[S], like: &Stored<S>) -> Stored<S> {
        let mut x = like.zeros();
        Stored::convert(&Stored::High(host.to_vec()), &mut x);
        x
    }
    fn download(&mut self, x: &Stored<S>) -> Vec<S> {
        x.entries()
    }
    fn length(&self, x: &Stored<S>) -> usize {
        x.len()
    }
    fn zeros_like(&mut self, x: &Stored<S>) -> Stored<S> {
        x.zeros()
    }
    fn lower_like(&mut self, x: &Stored<S>) -> Stored<S> {
        x.low_zeros()
    }

    fn apply_map(&mut self, A: &Self::Map, x: &Stored<S>, y: &mut Stored<S>) {
        match A {
            _ if !self.live() => (),
            Precise::High(A) => self.backend.apply(A, x.high(), y.high_mut()),
            Precise::Low(A) => self.lower.apply(A, x.low(), y.low_mut()),
        }
    }
    fn residual_map(&mut self, A: &Self::Map, b: &Stored<S>, x: &Stored<S>, r: &mut Stored<S>) {
        match A {
            _ if !self.live() => (),
            Precise::High(A) => self.backend.residual(A, b.high(), x.high(), r.high_mut()),
            Precise::Low(A) => self.lower.residual(A, b.low(), x.low(), r.low_mut()),
        }
    }
    fn copy(&mut self, x: &Stored<S>, y: &mut Stored<S>) {
        if self.live() {
            Stored::convert(x, y);
        }
    }
    fn axpby(&mut self, a: S, x: &Stored<S>, b: S, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.axpby(a, x.high(), b, y),
            Stored::Low(y) => self.lower.axpby(a.lower(), x.low(), b.lower(), y),
        }
    }
    fn axpy(&mut self, a: S, x: &Stored<S>, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.axpy(a, &x.widened(), y),
            Stored::Low(y) => self.lower.axpy(a.lower(), x.low(), y),
        }
    }
    fn xpby(&mut self, x: &Stored<S>, b: S, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.xpby(x.high(), b, y),
            Stored::Low(y) => self.lower.xpby(x.low(), b.lower(), y),
        }
    }
    fn scale(&mut self, a: S, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.scale(a, y),
            Stored::Low(y) => self.lower.scale(a.lower(), y),
        }
    }
    fn dot(&mut self, x: &Stored<S>, y: &Stored<S>) -> S {
        match y {
            _ if !self.live() => S::zero(),
            Stored::High(y) => self.backend.dot(&x.widened(), y),
            Stored::Low(y) => S::raise(self.lower.dot(x.low(), y)),
        }
    }
    fn largest(&mut self, x: &Stored<S>) -> S {
        match x {
            _ if !self.live() => S::zero(),
            Stored::High(x) => self.backend.largest(x),
            Stored::Low(x) => S::raise(self.lower.largest(x)),
        }
    }

    fn value(&mut self, number: S) -> f64 {
        number.parts().0
    }
    fn number(&mut self, value: f64) -> S {
        S::from_f64(value)
    }
    fn carry(&mut self, start: S) -> Cellular<S> {
        Cellular { value: Rc::new(Cell::new(start)), frozen: self.frozen.clone() }
    }
    fn require(&mut self, test: Test<S>, otherwise: Outcome) {
        if self.live() && !test.holds() {
            self.broken = Some(otherwise);
            self.frozen.set(true);
        }
    }
    fn every(&mut self, period: usize, body: impl FnOnce(&mut Self)) {
        if period > 0 && (self.iteration + 1).is_multiple_of(period) {
            body(self);
        }
    }
    fn turns(&mut self, period: usize, mut body: impl FnMut(&mut Self, usize)) {
        body(self, self.iteration % period);
    }
    fn unless(&mut self, test: Test<S>, body: impl FnOnce(&mut Self)) {
        if self.live() && !test.holds() {
            body(self);
        }
    }
    fn nested(&mut self) -> Nested<S> {
        self.nested
    }
    fn iterate(&mut self, stop: &Stop, start: S, mut body: impl FnMut(&mut Self) -> S) -> Run {
        if self.depth > 0 {
            if self.live() {
                self.iterate_inside(stop, start, body);
            }
            return Run::inside();
        }
        self.depth = 1;
        let mut monitor = Monitor::new(stop, start.parts().0);
        let before = self.broken.take();
        let mut verdict = before.or_else(|| monitor.verdict());
        self.iteration = 0;
        while verdict.is_none() {
            let watched = body(self);
            verdict = match self.broken {
                Some(outcome) => Some(outcome),
                None => monitor.observe(watched.parts().0),
            };
            self.iteration += 1;
        }
        self.broken = None;
        self.frozen.set(false);
        self.depth = 0;
        let run = monitor.finish(verdict);
        self.nested = Nested::of(&run).map(S::from_f64);
        run
    }
}
