//! Factors that a GPU has computed, as a map in single precision: they are rounded there when they are loaded, with the
//! bits of the host, and the host sees no number of them.

use crate::error::Result;
use crate::launch::Buffer;
use galerkit_linalg::Scalar;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::Factors;
use std::fmt;
use std::sync::Arc;

/// Where the numbers come from; in which precision they are there, only it knows.
pub(super) trait Wide<S: Scalar>: Send + Sync {
    /// Fills the values of a map whose slots hold these numbers of the factors, in stream order.
    fn fill(&self, numbers: &[u32], values: &Buffer) -> Result<()>;
    /// Whether none of them overflows.
    fn fits(&self) -> Result<bool>;
    /// All of them, on the host.
    fn bring(&self) -> Result<Factors<S>>;
}

/// The factors of a matrix in a higher precision, on a GPU.
#[derive(Clone)]
pub struct Rounded<S: Scalar> {
    pattern: Factors<S>,
    wide: Arc<dyn Wide<S>>,
}

impl<S: Scalar> Rounded<S> {
    /// On a pattern without numbers.
    pub(super) fn new(pattern: Factors<S>, wide: Arc<dyn Wide<S>>) -> Self {
        Self { pattern, wide }
    }

    /// Pattern, kind and shift; without the numbers.
    pub fn pattern(&self) -> &Factors<S> {
        &self.pattern
    }

    /// The factors on the host.
    pub fn bring(&self) -> Result<Factors<S>> {
        self.wide.bring()
    }

    /// Fills the values of a map whose slots hold these numbers of the factors, in stream order.
    pub(crate) fn fill(&self, numbers: &[u32], values: &Buffer) -> Result<()> {
        self.wide.fill(numbers, values)
    }

    /// The factors on the host, or their pattern where the GPU has failed, which others will say.
    fn brought(&self) -> Factors<S> {
        self.bring().unwrap_or_else(|_| self.pattern.clone())
    }
}

impl<S: Scalar> fmt::Debug for Rounded<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rounded").field("rows", &self.pattern.rows()).finish_non_exhaustive()
    }
}

impl<S: Scalar> LinearMap<S> for Rounded<S> {
    fn shape(&self) -> (usize, usize) {
        LinearMap::shape(&self.pattern)
    }
    fn bytes(&self) -> usize {
        self.pattern.bytes()
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.pattern.apply(values, x, y);
    }
    fn take_values(&mut self) -> Vec<S> {
        self.brought().take_values()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        self.brought().to_single()
    }
    fn is_finite(&self) -> bool {
        self.wide.fits().unwrap_or(false)
    }
    fn traffic(&self) -> usize {
        self.pattern.traffic()
    }
}
