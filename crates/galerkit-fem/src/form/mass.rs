//! Mass: m(u, v) = int c u v.

use super::field::{Field, Site};
use super::integrand::{Form, Integrand};
use crate::error::{Error, Result};

/// int c u v.
#[derive(Clone, Debug)]
pub struct Mass {
    /// c.
    pub density: Field,
}

impl Mass {
    /// With a coefficient.
    pub fn new(density: impl Into<Field>) -> Self {
        Self { density: density.into() }
    }
}

impl Form for Mass {
    fn at(&self, site: &Site) -> Result<Integrand> {
        let reaction = self.density.at(site);
        if !reaction.is_finite() {
            let (what, needed) = ("the coefficient of the mass", "finite");
            return Err(Error::InvalidCoefficient { what, value: reaction, point: site.point, needed });
        }
        Ok(Integrand { reaction, ..Integrand::default() })
    }
    fn is_constant_in_cells(&self) -> bool {
        self.density.is_constant_in_cells()
    }
}
