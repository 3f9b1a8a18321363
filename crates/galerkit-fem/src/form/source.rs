//! Source: l(v) = int f v.

use super::field::{Field, Site};
use crate::error::{Error, Result};

/// int f v.
#[derive(Clone, Debug)]
pub struct Source {
    /// f.
    pub density: Field,
}

impl Source {
    /// With a right-hand side.
    pub fn new(density: impl Into<Field>) -> Self {
        Self { density: density.into() }
    }
    /// f at a point.
    pub fn at(&self, site: &Site) -> Result<f64> {
        finite("the source", self.density.at(site), site)
    }
}

/// The value, or an error where it is none.
pub(super) fn finite(what: &'static str, value: f64, site: &Site) -> Result<f64> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(Error::InvalidCoefficient { what, value, point: site.point, needed: "finite" })
}
