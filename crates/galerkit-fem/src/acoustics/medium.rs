//! What sound travels through: -div(grad u / rho) - k^2 u / (rho c^2) = f, with density and wave speed relative to
//! those that k refers to, and an absorbing layer. Real and imaginary parts of stiffness and mass are forms of their
//! own, so that assembly stays real.

use super::layer::Layer;
use crate::error::{Error, Result};
use crate::form::{Field, Form, Integrand, Site};
use galerkit_linalg::c64;
use std::sync::Arc;

/// Density, wave speed and layer.
#[derive(Clone, Debug)]
pub struct Medium {
    /// 2 or 3.
    pub dim: usize,
    /// c, relative to the speed that k refers to.
    pub speed: Field,
    /// rho, relative.
    pub density: Field,
    /// The absorbing layer.
    pub layer: Option<Layer>,
}

/// A part of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Re of the stiffness.
    Stiffness,
    /// Im of the stiffness: in layers.
    StiffnessLoss,
    /// Re of the mass.
    Mass,
    /// Im of the mass: in layers.
    MassLoss,
}

/// A part as a form.
#[derive(Clone, Debug)]
pub struct PartForm {
    /// The medium.
    pub medium: Arc<Medium>,
    /// Which part.
    pub part: Part,
}

impl Medium {
    /// The same everywhere.
    pub fn uniform(dim: usize) -> Self {
        Self { dim, speed: 1.0.into(), density: 1.0.into(), layer: None }
    }

    /// 1 / rho and 1 / c at a point.
    ///
    /// # Errors
    /// Where one of them is not positive.
    pub fn at(&self, site: &Site) -> Result<(f64, f64)> {
        let (speed, density) = (self.speed.at(site), self.density.at(site));
        for (what, value) in [("the wave speed", speed), ("the density", density)] {
            if !(value > 0.0 && value.is_finite()) {
                let needed = "positive and finite";
                return Err(Error::InvalidCoefficient { what, value, point: site.point, needed });
            }
        }
        Ok((1.0 / density, 1.0 / speed))
    }

    /// Whether density and wave speed are the same everywhere.
    pub fn is_uniform(&self) -> bool {
        matches!((&self.speed, &self.density), (Field::Constant(_), Field::Constant(_)))
    }

    /// Whether a factor is the same everywhere in a cell.
    fn is_constant_in_cells(&self) -> bool {
        self.layer.is_none() && self.speed.is_constant_in_cells() && self.density.is_constant_in_cells()
    }

    /// The parts there are.
    pub fn parts(&self) -> Vec<Part> {
        match self.layer {
            None => vec![Part::Stiffness, Part::Mass],
            Some(_) => vec![Part::Stiffness, Part::StiffnessLoss, Part::Mass, Part::MassLoss],
        }
    }
}

impl Form for PartForm {
    fn at(&self, site: &Site) -> Result<Integrand> {
        let (lightness, slowness) = self.medium.at(site)?;
        let identity = std::array::from_fn(|i| std::array::from_fn(|j| c64::new(f64::from(i == j), 0.0)));
        let free = (identity, c64::new(1.0, 0.0));
        let layer = self.medium.layer.filter(|layer| layer.covers(site.region));
        let (tensor, mass) = layer.map_or(free, |layer| layer.metric(self.medium.dim, &site.point));
        let part = |value: c64, is_loss: bool| if is_loss { value.im } else { value.re };
        let of = |is_loss: bool| tensor.map(|row| row.map(|d| lightness * part(d, is_loss)));
        let reaction = |is_loss: bool| lightness * slowness * slowness * part(mass, is_loss);
        Ok(match self.part {
            Part::Stiffness => Integrand { diffusion: of(false), reaction: 0.0 },
            Part::StiffnessLoss => Integrand { diffusion: of(true), reaction: 0.0 },
            Part::Mass => Integrand { diffusion: [[0.0; 3]; 3], reaction: reaction(false) },
            Part::MassLoss => Integrand { diffusion: [[0.0; 3]; 3], reaction: reaction(true) },
        })
    }
    fn is_constant_in_cells(&self) -> bool {
        self.medium.is_constant_in_cells()
    }
}
