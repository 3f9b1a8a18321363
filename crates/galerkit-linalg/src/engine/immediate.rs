//! The engine that executes every verb at once, on a backend.

use super::Engine;
use super::number::{Cellular, Test};
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
    broken: Option<Outcome>,
    frozen: Rc<Cell<bool>>,
    iteration: usize,
    scalar: std::marker::PhantomData<S>,
}

impl<S: Scalar, B: Backend<S>> Immediate<S, B> {
    /// An engine over a backend.
    pub fn new(backend: B) -> Self {
        Self { backend, broken: None, frozen: Rc::default(), iteration: 0, scalar: std::marker::PhantomData }
    }

    /// Whether verbs take effect: not after a failed test, until the loop has ended.
    fn live(&self) -> bool {
        self.broken.is_none()
    }
}

impl<S: Scalar, B: Backend<S>> Engine for Immediate<S, B> {
    type Scalar = S;
    type Vector = Vec<S>;
    type Num = S;
    type Reg = Cellular<S>;
    type Map = B::Map;

    fn load(&mut self, map: Arc<Linear<S>>) -> B::Map {
        self.backend.load(map)
    }
    fn upload(&mut self, host: &[S]) -> Vec<S> {
        host.to_vec()
    }
    fn download(&mut self, x: &Vec<S>) -> Vec<S> {
        x.clone()
    }
    fn zeros_like(&mut self, x: &Vec<S>) -> Vec<S> {
        vec![S::zero(); x.len()]
    }

    fn apply_map(&mut self, A: &B::Map, x: &Vec<S>, y: &mut Vec<S>) {
        if self.live() {
            self.backend.apply(A, x, y);
        }
    }
    fn residual_map(&mut self, A: &B::Map, b: &Vec<S>, x: &Vec<S>, r: &mut Vec<S>) {
        if self.live() {
            self.backend.residual(A, b, x, r);
        }
    }
    fn copy(&mut self, x: &Vec<S>, y: &mut Vec<S>) {
        if self.live() {
            self.backend.copy(x, y);
        }
    }
    fn axpby(&mut self, a: S, x: &Vec<S>, b: S, y: &mut Vec<S>) {
        if self.live() {
            self.backend.axpby(a, x, b, y);
        }
    }
    fn axpy(&mut self, a: S, x: &Vec<S>, y: &mut Vec<S>) {
        if self.live() {
            self.backend.axpy(a, x, y);
        }
    }
    fn xpby(&mut self, x: &Vec<S>, b: S, y: &mut Vec<S>) {
        if self.live() {
            self.backend.xpby(x, b, y);
        }
    }
    fn scale(&mut self, a: S, y: &mut Vec<S>) {
        if self.live() {
            self.backend.scale(a, y);
        }
    }
    fn dot(&mut self, x: &Vec<S>, y: &Vec<S>) -> S {
        if self.live() { self.backend.dot(x, y) } else { S::zero() }
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
    fn iterate(&mut self, stop: &Stop, start: S, mut body: impl FnMut(&mut Self) -> S) -> Run {
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
        monitor.finish(verdict)
    }
}
