//! Perfectly matched layers: coordinates continued into the complex plane, r~ = r + i s(r) with s = (sigma L / 3) ((r -
//! R) / L)^3, so that outgoing waves die out. Radial layers in polar coordinates, Cartesian ones axis by axis. A wave
//! that comes back through a layer has been weakened by exp(-2 k sigma L / 3).

use crate::error::{Error, Result};
use crate::forest::geometry::Point;
use galerkit_linalg::c64;

/// Where a layer begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Begin {
    /// Beyond a circle or sphere.
    Radial {
        /// Its centre.
        centre: Point,
        /// R.
        radius: f64,
    },
    /// Beyond the sides of a box; infinite where there is no layer.
    Box {
        /// Its lower corner.
        low: Point,
        /// Its upper corner.
        high: Point,
    },
}

/// A layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Where it begins.
    pub begin: Begin,
    /// L.
    pub thickness: f64,
    /// sigma.
    pub strength: f64,
    /// The region of its cells; none if it is wherever the depth is above 0.
    pub region: Option<i32>,
}

impl Layer {
    /// A layer; an error if it absorbs nothing.
    ///
    /// # Errors
    /// If thickness or strength are not positive.
    pub fn new(begin: Begin, thickness: f64, strength: f64) -> Result<Self> {
        for (what, value) in [("the thickness of the layer", thickness), ("the strength of the layer", strength)] {
            if !(value > 0.0 && value.is_finite()) {
                let needed = "positive and finite";
                return Err(Error::InvalidCoefficient { what, value, point: [0.0; 3], needed });
            }
        }
        Ok(Self { begin, thickness, strength, region: None })
    }
    /// The same in the cells of one region alone: a circle may pass through others, as that around a car through its
    /// cabin.
    pub fn within(self, region: i32) -> Self {
        Self { region: Some(region), ..self }
    }
    /// Whether cells of a region are part of it.
    pub fn covers(&self, region: i32) -> bool {
        self.region.is_none_or(|own| own == region)
    }

    /// s and s' at a depth.
    fn stretch(&self, depth: f64) -> (f64, f64) {
        let t = (depth / self.thickness).max(0.0);
        (self.strength * self.thickness / 3.0 * t.powi(3), self.strength * t * t)
    }

    /// By how much a wave that comes back through it has been weakened.
    pub fn reflection(&self, k: f64) -> f64 {
        (-2.0 * k * self.strength * self.thickness / 3.0).exp()
    }

    /// The tensor of the stiffness and the factor of the mass at a point, for coefficients 1.
    pub fn metric(&self, dim: usize, x: &Point) -> ([[c64; 3]; 3], c64) {
        match self.begin {
            Begin::Radial { centre, radius } => self.radial(dim, centre, radius, x),
            Begin::Box { low, high } => self.cartesian(dim, low, high, x),
        }
    }

    /// In polar coordinates: along r (r~/r)^(d-1) / r~', around (r~/r)^(d-3) r~', mass (r~/r)^(d-1) r~'.
    fn radial(&self, dim: usize, centre: Point, radius: f64, x: &Point) -> ([[c64; 3]; 3], c64) {
        let away: Point = std::array::from_fn(|i| if i < dim { x[i] - centre[i] } else { 0.0 });
        let r = away.iter().map(|a| a * a).sum::<f64>().sqrt();
        let (s, slope) = self.stretch(r - radius);
        let (ratio, slope) = (c64::new(1.0, s / r), c64::new(1.0, slope));
        let (along, around) = (ratio.powi(dim as i32 - 1) / slope, ratio.powi(dim as i32 - 3) * slope);
        let entry = |i: usize, j: usize| {
            let outward = if r > 0.0 { away[i] * away[j] / (r * r) } else { 0.0 };
            along * outward + around * (f64::from(i == j) - outward)
        };
        let tensor = std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)));
        (tensor, ratio.powi(dim as i32 - 1) * slope)
    }

    /// diag(s_y s_z / s_x, ...) and s_x s_y s_z.
    fn cartesian(&self, dim: usize, low: Point, high: Point, x: &Point) -> ([[c64; 3]; 3], c64) {
        let one = c64::new(1.0, 0.0);
        let factor = |i: usize| match i < dim {
            true => c64::new(1.0, self.stretch((x[i] - high[i]).max(low[i] - x[i])).1),
            false => one,
        };
        let s: [c64; 3] = std::array::from_fn(factor);
        let all: c64 = s.iter().product();
        let entry = |i: usize, j: usize| if i == j { all / (s[i] * s[i]) } else { c64::new(0.0, 0.0) };
        (std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))), all)
    }
}
