//! The functions of degree p at the points of a rule: one row a point, one column a function.

use super::dense::Dense;
use super::hierarchical::{derivatives, values};

/// Values and derivatives at points.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Values.
    pub values: Dense,
    /// Derivatives.
    pub derivatives: Dense,
}

impl Table {
    /// The functions of degree p at points.
    pub fn new(p: usize, points: &[f64]) -> Self {
        let tabulate = |function: fn(usize, f64) -> Vec<f64>| {
            let val = points.iter().flat_map(|&t| function(p, t)).collect();
            Dense { rows: points.len(), cols: p + 1, val }
        };
        Self { values: tabulate(values), derivatives: tabulate(derivatives) }
    }
}
