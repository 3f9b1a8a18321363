//! Data that vary in space: a constant, a number for each region, or a function of the point.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Where an integrand is evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// The point.
    pub point: [f64; 3],
    /// The region of the cell.
    pub region: i32,
}

/// A number that depends on the point.
pub type ScalarFunction = Arc<dyn Fn(&[f64; 3]) -> f64 + Send + Sync>;

/// Scalar data.
#[derive(Clone)]
pub enum Field {
    /// The same everywhere.
    Constant(f64),
    /// A number for each region; 0 elsewhere.
    ByRegion(BTreeMap<i32, f64>),
    /// A function of the point.
    Function(ScalarFunction),
}

impl Field {
    /// A function of the point.
    pub fn of(function: impl Fn(&[f64; 3]) -> f64 + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(function))
    }
    /// Its value.
    pub fn at(&self, site: &Site) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::ByRegion(values) => values.get(&site.region).copied().unwrap_or(0.0),
            Self::Function(function) => function(&site.point),
        }
    }
    /// Whether it is constant in each cell.
    pub fn is_constant_in_cells(&self) -> bool {
        !matches!(self, Self::Function(_))
    }
}

impl From<f64> for Field {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "{value}"),
            Self::ByRegion(values) => write!(f, "{values:?}"),
            Self::Function(_) => write!(f, "a function"),
        }
    }
}
