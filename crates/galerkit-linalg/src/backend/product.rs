//! Products with a map on one of the backends, to be repeated, and a yardstick: for those who time them, compiled where
//! loops are.

use super::{Backend, Cpu, Reference};
use crate::map::LinearMap;
use crate::scalar::{Scalar, per_scalar};

/// y = A x for slices x and y.
pub type Product<S> = Box<dyn Fn(&[S], &mut [S])>;

per_scalar! {
    /// Products on the current thread pool.
    pub fn cpu_product<S>(map: Box<dyn LinearMap<S>>) -> Product<S> = on_cpu;
    /// Products by the reference loops.
    pub fn reference_product<S>(map: Box<dyn LinearMap<S>>) -> Product<S> = on_reference;
}

/// a = b + s c on slices of one length: STREAM's triad.
pub fn triad_step(a: &mut [f64], b: &[f64], c: &[f64], s: f64) {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = *b + s * *c;
    }
}

fn on_cpu<S: Scalar>(map: Box<dyn LinearMap<S>>) -> Product<S> {
    on(Cpu, map)
}

fn on_reference<S: Scalar>(map: Box<dyn LinearMap<S>>) -> Product<S> {
    on(Reference, map)
}

fn on<S: Scalar, B: Backend<S>>(backend: B, map: Box<dyn LinearMap<S>>) -> Product<S> {
    let placed = backend.load(map);
    Box::new(move |x, y| backend.apply(&placed.map, &placed.values, x, y))
}
