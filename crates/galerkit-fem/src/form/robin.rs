//! Robin condition (kappa grad u) . n + alpha u = g: the term int_G alpha u v of the form; g is Neumann data.

use super::field::{Field, Site};
use crate::error::{Error, Result};

/// int_G alpha u v on the pieces of the boundary with a tag.
#[derive(Clone, Debug)]
pub struct Robin {
    /// The tag.
    pub tag: i32,
    /// alpha.
    pub exchange: Field,
}

impl Robin {
    /// With a coefficient.
    pub fn new(tag: i32, exchange: impl Into<Field>) -> Self {
        Self { tag, exchange: exchange.into() }
    }
    /// alpha at a point.
    pub fn at(&self, site: &Site) -> Result<f64> {
        let value = self.exchange.at(site);
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        let (what, needed) = ("the coefficient of the Robin condition", "finite and not negative");
        Err(Error::InvalidCoefficient { what, value, point: site.point, needed })
    }
}
