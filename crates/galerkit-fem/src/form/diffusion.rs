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

/// Symmetric and positive definite; a third row of zeros is allowed in the plane, where it is not used.
fn check(K: &[[f64; 3]; 3], site: &Site) -> Result<()> {
    let refuse = |what, value: f64, needed| Err(Error::InvalidCoefficient { what, value, point: site.point, needed });
    let scale = K.iter().flatten().fold(0.0f64, |most, k| most.max(k.abs()));
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        if (K[i][j] - K[j][i]).abs() > 1e-12 * scale {
            return refuse("an entry of the coefficient of diffusion", K[i][j], "symmetric");
        }
    }
    let wrong = minors(K).into_iter().flatten().find(|(_, minor)| !(minor.is_finite() && *minor > 0.0));
    wrong.map_or(Ok(()), |(what, minor)| refuse(what, minor, "positive and finite"))
}

/// What must be positive, by name: a scalar, or the diagonal and the leading minors of a matrix.
fn minors(K: &[[f64; 3]; 3]) -> [Option<(&'static str, f64)>; 5] {
    let (second, third) = (K[0][0] * K[1][1] - K[0][1] * K[1][0], crate::forest::geometry::determinant(K));
    let is_scalar = *K == [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { K[0][0] } else { 0.0 }));
    if is_scalar || K[0][0].is_nan() && K[0][1] == 0.0 {
        return [Some(("the coefficient of diffusion", K[0][0])), None, None, None, None];
    }
    let in_space = |name, minor| (K[2] != [0.0; 3]).then_some((name, minor));
    [
        Some(("the entry xx of the coefficient of diffusion", K[0][0])),
        Some(("the entry yy of the coefficient of diffusion", K[1][1])),
        in_space("the entry zz of the coefficient of diffusion", K[2][2]),
        Some(("xx yy - xy^2 of the coefficient of diffusion", second)),
        in_space("the determinant of the coefficient of diffusion", third),
    ]
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
