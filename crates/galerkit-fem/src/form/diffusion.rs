//! Diffusion: a(u, v) = int (kappa grad u) . grad v, with kappa positive, or a symmetric positive definite matrix.

use super::field::{Field, Site};
use super::integrand::{Form, Integrand};
use crate::error::{Error, Result};
use std::fmt;
use std::sync::Arc;

/// A matrix that depends on the point.
pub type TensorFunction = Arc<dyn Fn(&[f64; 3]) -> [[f64; 3]; 3] + Send + Sync>;

/// The coefficient of diffusion.
#[derive(Clone)]
pub enum Kappa {
    /// A scalar.
    Scalar(Field),
    /// A matrix, the same everywhere; in the plane its first two rows and columns count.
    Tensor([[f64; 3]; 3]),
    /// A matrix that depends on the point.
    TensorField(TensorFunction),
}

/// int (kappa grad u) . grad v.
#[derive(Clone, Debug)]
pub struct Diffusion {
    /// kappa.
    pub kappa: Kappa,
}

impl Diffusion {
    /// With a scalar coefficient.
    pub fn new(kappa: impl Into<Field>) -> Self {
        Self { kappa: Kappa::Scalar(kappa.into()) }
    }
}

impl Form for Diffusion {
    fn at(&self, site: &Site) -> Result<Integrand> {
        let diffusion = match &self.kappa {
            Kappa::Scalar(field) => {
                let k = field.at(site);
                [[k, 0.0, 0.0], [0.0, k, 0.0], [0.0, 0.0, k]]
            }
            Kappa::Tensor(K) => *K,
            Kappa::TensorField(function) => function(&site.point),
        };
        check(&diffusion, site)?;
        Ok(Integrand { diffusion, reaction: 0.0 })
    }
    fn is_constant_in_cells(&self) -> bool {
        match &self.kappa {
            Kappa::Scalar(field) => field.is_constant_in_cells(),
            Kappa::Tensor(_) => true,
            Kappa::TensorField(_) => false,
        }
    }
}

/// Symmetric, and leading minors positive; a third row of zeros is allowed in the plane, where it is not used.
fn check(K: &[[f64; 3]; 3], site: &Site) -> Result<()> {
    let refuse = |value: f64, needed| {
        Err(Error::InvalidCoefficient { what: "the coefficient of diffusion", value, point: site.point, needed })
    };
    let scale = K.iter().flatten().fold(0.0f64, |most, k| most.max(k.abs()));
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        if (K[i][j] - K[j][i]).abs() > 1e-12 * scale {
            return refuse(K[i][j], "symmetric");
        }
    }
    let second = K[0][0] * K[1][1] - K[0][1] * K[1][0];
    let third = crate::forest::geometry::determinant(K);
    let is_plane = K[2] == [0.0; 3];
    for minor in [K[0][0], second, if is_plane { second } else { third }] {
        if !(minor.is_finite() && minor > 0.0) {
            return refuse(if K[0][0] > 0.0 { minor } else { K[0][0] }, "positive and finite");
        }
    }
    Ok(())
}

impl fmt::Debug for Kappa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scalar(field) => write!(f, "{field:?}"),
            Self::Tensor(K) => write!(f, "{K:?}"),
            Self::TensorField(_) => write!(f, "a function"),
        }
    }
}
