//! y_i = d_i x_i. The d_i are its values.

use super::LinearMap;
use crate::scalar::Scalar;

/// A diagonal matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagonal<S> {
    rows: usize,
    values: Vec<S>,
}

impl<S: Scalar> Diagonal<S> {
    /// With these entries.
    pub fn new(values: Vec<S>) -> Self {
        Self { rows: values.len(), values }
    }
    /// One whose entries an engine has taken.
    pub fn taken(rows: usize) -> Self {
        Self { rows, values: Vec::new() }
    }
    /// The entries; none once an engine has taken them.
    pub fn values(&self) -> &[S] {
        &self.values
    }
}

impl<S: Scalar> LinearMap<S> for Diagonal<S> {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn bytes(&self) -> usize {
        self.rows * size_of::<S>()
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        for i in 0..y.len() {
            y[i] = values[i] * x[i];
        }
    }
    fn take_values(&mut self) -> Vec<S> {
        std::mem::take(&mut self.values)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(Diagonal::new(self.values.iter().map(|value| value.to_single()).collect())))
    }
    fn is_finite(&self) -> bool {
        self.values.iter().all(|value| value.finite())
    }
    fn is_elementwise(&self) -> bool {
        true
    }
}
