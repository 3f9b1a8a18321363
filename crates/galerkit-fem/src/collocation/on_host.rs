//! Solves that only the host can do, as maps: a step on a GPU brings it the right-hand side and fetches the answer. The
//! source has its triangular solves there; elimination is there, too. What they solve with is shared, so that a new
//! step only replaces it.

use galerkit_direct::Factor;
use galerkit_linalg::LinearMap;
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::Factors;
use std::sync::{Arc, RwLock};

/// What the host solves with.
#[derive(Debug)]
pub enum Host {
    /// Nothing yet.
    None,
    /// All factors.
    Eliminated(Factor<f64>),
    /// Incomplete factors.
    Incomplete(Factors<f64>),
}

/// A map whose product is a solve on the host.
#[derive(Clone, Debug)]
pub struct OnHost {
    rows: usize,
    with: Arc<RwLock<Host>>,
}

impl OnHost {
    /// For so many unknowns; nothing to solve with yet.
    pub fn new(rows: usize) -> Self {
        Self { rows, with: Arc::new(RwLock::new(Host::None)) }
    }
    /// Solves with this from now on, here and wherever the map was loaded.
    pub fn replace(&self, with: Host) {
        *self.with.write().unwrap_or_else(std::sync::PoisonError::into_inner) = with;
    }
}

impl LinearMap<f64> for OnHost {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn name(&self) -> &'static str {
        "a solve on the host"
    }
    fn bytes(&self) -> usize {
        match &*self.with.read().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Host::Incomplete(factors) => factors.bytes(),
            Host::None | Host::Eliminated(_) => 0,
        }
    }
    fn apply(&self, _values: &[f64], x: &[f64], y: &mut [f64]) {
        match &*self.with.read().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Host::None => y.fill(f64::NAN),
            Host::Eliminated(factor) => match factor.solve(x) {
                Ok(solution) => y.copy_from_slice(&solution),
                Err(_) => y.fill(f64::NAN),
            },
            Host::Incomplete(factors) => factors.solve(x, y),
        }
    }
}
