//! Linear elasticity: a(u, v) = int sigma(u) : eps(v) with eps(u) = (grad u + grad u^T)/2 and Hooke's law sigma =
//! lambda tr(eps) I + 2 mu eps, lambda = E nu / ((1 + nu)(1 - 2 nu)), mu = E / (2 (1 + nu)).

use super::field::{Field, Site};
use crate::error::{Error, Result};

/// A matrix of three rows: a stress, or the derivatives of a displacement, a row for each component.
pub type Tensor = [[f64; 3]; 3];

/// int sigma(u) : eps(v), by Young's modulus and Poisson's ratio.
#[derive(Clone, Debug)]
pub struct Elasticity {
    /// E.
    pub young: Field,
    /// nu.
    pub poisson: Field,
}

/// The law at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// lambda.
    pub lambda: f64,
    /// mu.
    pub mu: f64,
}

impl Elasticity {
    /// With E and nu.
    pub fn new(young: impl Into<Field>, poisson: impl Into<Field>) -> Self {
        Self { young: young.into(), poisson: poisson.into() }
    }

    /// lambda and mu at a point.
    ///
    /// # Errors
    /// If E is not positive, or nu not between -1 and 0.5.
    pub fn at(&self, site: &Site) -> Result<Lame> {
        let (E, nu) = (self.young.at(site), self.poisson.at(site));
        let refuse = |what, value, needed| Err(Error::InvalidCoefficient { what, value, point: site.point, needed });
        if !(E > 0.0 && E.is_finite()) {
            return refuse("Young's modulus", E, "positive and finite");
        }
        if !(nu > -1.0 && nu < 0.5) {
            return refuse("Poisson's ratio", nu, "above -1 and below 0.5: at 0.5 nothing can be compressed");
        }
        Ok(Lame { lambda: E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), mu: E / (2.0 * (1.0 + nu)) })
    }
}

impl Lame {
    /// sigma for these derivatives of u.
    pub fn stress(&self, grad: &Tensor) -> Tensor {
        let trace = grad[0][0] + grad[1][1] + grad[2][2];
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let pressed = if i == j { self.lambda * trace } else { 0.0 };
                pressed + self.mu * (grad[i][j] + grad[j][i]) // lambda tr(eps) I + 2 mu eps
            })
        })
    }

    /// sigma(phi e_j) : eps(psi e_i) for all i and j, by the gradients of psi and phi: the blocks of a matrix, whose
    /// mirror image has the same bits.
    pub fn block(&self, psi: &[f64; 3], phi: &[f64; 3]) -> Tensor {
        let dot = psi[0] * phi[0] + psi[1] * phi[1] + psi[2] * phi[2];
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let same = if i == j { dot } else { 0.0 };
                self.lambda * (psi[i] * phi[j]) + self.mu * (psi[j] * phi[i] + same)
            })
        })
    }
}

/// Von Mises' stress: sqrt(3/2) times the norm of the deviator.
pub fn von_mises(stress: &Tensor) -> f64 {
    let s = |i: usize, j: usize| stress[i][j];
    let along = (s(0, 0) - s(1, 1)).powi(2) + (s(1, 1) - s(2, 2)).powi(2) + (s(2, 2) - s(0, 0)).powi(2);
    let across = s(0, 1).powi(2) + s(1, 2).powi(2) + s(2, 0).powi(2);
    (0.5 * along + 3.0 * across).sqrt()
}
