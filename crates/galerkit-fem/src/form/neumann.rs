//! Neumann data: l(v) = int_G g v, with g = (kappa grad u) . n the flux into the domain.

use super::field::{Field, Site};
use super::source::finite;
use crate::error::Result;
use std::fmt;
use std::sync::Arc;

/// A vector that depends on the point.
pub type VectorFunction = Arc<dyn Fn(&[f64; 3]) -> [f64; 3] + Send + Sync>;

/// The flux through the boundary.
#[derive(Clone)]
pub enum Flux {
    /// A function of the point.
    Normal(Field),
    /// The vector kappa grad u, of which the normal component is taken.
    Vector(VectorFunction),
}

/// int_G g v on the pieces of the boundary with a tag.
#[derive(Clone, Debug)]
pub struct Neumann {
    /// The tag.
    pub tag: i32,
    /// g.
    pub flux: Flux,
}

impl Neumann {
    /// With g given as it is.
    pub fn new(tag: i32, flux: impl Into<Field>) -> Self {
        Self { tag, flux: Flux::Normal(flux.into()) }
    }
    /// With the vector kappa grad u given.
    pub fn vector(tag: i32, flux: impl Fn(&[f64; 3]) -> [f64; 3] + Send + Sync + 'static) -> Self {
        Self { tag, flux: Flux::Vector(Arc::new(flux)) }
    }
    /// g at a point with this outer normal.
    pub fn at(&self, site: &Site, normal: &[f64; 3]) -> Result<f64> {
        let g = match &self.flux {
            Flux::Normal(field) => field.at(site),
            Flux::Vector(function) => function(&site.point).iter().zip(normal).map(|(flux, n)| flux * n).sum(),
        };
        finite("the flux", g, site)
    }
}

impl fmt::Debug for Flux {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Normal(field) => write!(f, "{field:?}"),
            Self::Vector(_) => write!(f, "a function"),
        }
    }
}
