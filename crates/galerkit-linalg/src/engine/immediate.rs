//! The engine that executes every verb at once, on a backend.

use super::number::Cellular;
use super::{Engine, Resident, Stored};
use crate::backend::{Backend, Placed};
use crate::map::{InSingle, LinearMap, into_known};
use crate::program::{End, Monitor, Nested, Outcome, Precision, Run, Stop, Test};
use crate::scalar::Scalar;
use std::cell::Cell;
use std::rc::Rc;

/// Runs verbs as they are spoken.
pub struct Immediate<S: Scalar, B: Backend<S>> {
    backend: B,
    single: B::Single,
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
        let single = backend.in_single();
        Self { backend, single, broken: None, frozen: Rc::default(), iteration: 0, depth: 0, nested }
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
    type Map = Precise<B::Map, <B::Single as Backend<S::Single>>::Map>;
    type Entry = S;

    fn load(&mut self, map: Box<dyn LinearMap<S>>) -> Resident<Self> {
        let elementwise = map.is_elementwise();
        match into_known::<S, InSingle<S>>(map) {
            Ok(single) => {
                let Placed { map, values } = self.single.load(single.0);
                Resident { map: Precise::Low(map), values: Stored::Low(values), elementwise }
            }
            Err(map) => {
                let Placed { map, values } = self.backend.load(map);
                Resident { map: Precise::High(map), values: Stored::High(values), elementwise }
            }
        }
    }
    fn zeros(&mut self, length: usize, precision: Precision) -> Stored<S> {
        Stored::zeros(length, precision)
    }
    fn upload_in(&mut self, host: &[S], precision: Precision) -> Stored<S> {
        let mut x = Stored::zeros(host.len(), precision);
        x.write(host);
        x
    }
    fn write(&mut self, x: &mut Stored<S>, host: &[S]) {
        x.write(host);
    }
    fn download(&mut self, x: &Stored<S>) -> Vec<S> {
        x.entries()
    }
    fn length(&self, x: &Stored<S>) -> usize {
        x.len()
    }
    fn precision(&self, x: &Stored<S>) -> Precision {
        x.precision()
    }

    fn apply_map(&mut self, A: &Resident<Self>, x: &Stored<S>, y: &mut Stored<S>) {
        match &A.map {
            _ if !self.live() => (),
            Precise::High(map) => self.backend.apply(map, A.values.full(), x.full(), y.high_mut()),
            Precise::Low(map) => self.single.apply(map, A.values.single(), x.single(), y.low_mut()),
        }
    }
    fn residual_map(&mut self, A: &Resident<Self>, b: &Stored<S>, x: &Stored<S>, r: &mut Stored<S>) {
        match &A.map {
            _ if !self.live() => (),
            Precise::High(map) => self.backend.residual(map, A.values.full(), b.full(), x.full(), r.high_mut()),
            Precise::Low(map) => self.single.residual(map, A.values.single(), b.single(), x.single(), r.low_mut()),
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
            Stored::High(y) => self.backend.axpby(a, x.full(), b, y),
            Stored::Low(y) => self.single.axpby(a.to_single(), x.single(), b.to_single(), y),
        }
    }
    fn axpy(&mut self, a: S, x: &Stored<S>, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.axpy(a, &x.widened(), y),
            Stored::Low(y) => self.single.axpy(a.to_single(), x.single(), y),
        }
    }
    fn xpby(&mut self, x: &Stored<S>, b: S, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.xpby(x.full(), b, y),
            Stored::Low(y) => self.single.xpby(x.single(), b.to_single(), y),
        }
    }
    fn scale(&mut self, a: S, y: &mut Stored<S>) {
        match y {
            _ if !self.live() => (),
            Stored::High(y) => self.backend.scale(a, y),
            Stored::Low(y) => self.single.scale(a.to_single(), y),
        }
    }
    fn dot(&mut self, x: &Stored<S>, y: &Stored<S>) -> S {
        match y {
            _ if !self.live() => S::zero(),
            Stored::High(y) => self.backend.dot(&x.widened(), y),
            Stored::Low(y) => S::widen(self.single.dot(x.single(), y)),
        }
    }
    fn norm_inf(&mut self, x: &Stored<S>) -> S {
        match x {
            _ if !self.live() => S::zero(),
            Stored::High(x) => self.backend.norm_inf(x),
            Stored::Low(x) => S::widen(self.single.norm_inf(x)),
        }
    }
    fn pointwise<const U: usize, const R: usize>(
        &mut self,
        update: [&mut Stored<S>; U],
        read: [&Stored<S>; R],
        f: impl Fn([S; U], [S; R]) -> [S; U] + Sync,
    ) {
        if !self.live() {
            return;
        }
        // Vectors in single precision are widened for the closure, and rounded when it has changed them.
        let mut wide: [Vec<S>; U] = std::array::from_fn(|k| match &*update[k] {
            Stored::High(_) => Vec::new(),
            single => single.entries(),
        });
        let read = read.map(Stored::widened);
        let mut own = update;
        let mut spare = wide.iter_mut();
        let slices = own.each_mut().map(|y| match (&mut **y, spare.next()) {
            (Stored::High(y), _) => &mut y[..],
            (Stored::Low(_), wide) => wide.map_or(&mut [][..], |wide| &mut wide[..]),
        });
        self.backend.pointwise(slices, read.each_ref().map(|x| &x[..]), &f);
        for (y, wide) in own.into_iter().zip(wide) {
            if y.precision() == Precision::Single {
                y.write(&wide);
            }
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
    fn cyclic(&mut self, period: usize, mut body: impl FnMut(&mut Self, usize)) {
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
