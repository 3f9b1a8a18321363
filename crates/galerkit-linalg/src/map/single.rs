//! A map in single precision inside an engine of any precision: its vectors, and the vector of its values, are in
//! single precision.

use super::LinearMap;
use crate::scalar::{Precision, Scalar};

/// A map for vectors in single precision. Engines look for it and run what is in it.
#[derive(Clone, Debug)]
pub struct InSingle<S: Scalar>(
    /// The map itself.
    pub Box<dyn LinearMap<S::Single>>,
);

impl<S: Scalar> LinearMap<S> for InSingle<S> {
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
    /// What an engine without single precision would do: round, multiply, widen.
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        let low = |x: &[S]| x.iter().map(|value| value.to_single()).collect::<Vec<_>>();
        let mut product = low(y);
        self.0.apply(&low(values), &low(x), &mut product);
        y.iter_mut().zip(product).for_each(|(y, value)| *y = S::widen(value));
    }
    fn take_values(&mut self) -> Vec<S> {
        self.0.take_values().into_iter().map(S::widen).collect()
    }
    fn is_finite(&self) -> bool {
        self.0.is_finite()
    }
    fn is_elementwise(&self) -> bool {
        self.0.is_elementwise()
    }
    fn traffic(&self) -> usize {
        self.0.traffic()
    }
}

/// A map for an engine, in the precision of its scalar or in single precision: then its numbers are rounded.
///
/// # Panics
/// If the map has no form in single precision, which every map of the library has.
pub fn in_precision<S: Scalar>(map: impl LinearMap<S>, precision: Precision) -> Box<dyn LinearMap<S>> {
    match precision {
        Precision::Full => Box::new(map),
        Precision::Single => Box::new(InSingle::<S>(map.to_single().expect("the map has a form in single precision"))),
    }
}
