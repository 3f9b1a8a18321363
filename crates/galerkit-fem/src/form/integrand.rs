//! What a bilinear form of second order is at a point: a(u, v) = int (K grad u) . grad v + c u v.

use super::field::Site;
use crate::error::Result;

/// K and c at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Integrand {
    /// K.
    pub diffusion: [[f64; 3]; 3],
    /// c.
    pub reaction: f64,
}

impl Integrand {
    /// The sum of two forms.
    pub fn plus(mut self, other: &Self) -> Self {
        for (mine, theirs) in self.diffusion.iter_mut().flatten().zip(other.diffusion.iter().flatten()) {
            *mine += theirs;
        }
        self.reaction += other.reaction;
        self
    }
    /// (K grad v) . grad v + c v^2, over the first axes.
    pub fn energy_density(&self, dim: usize, v: f64, gradient: &[f64; 3]) -> f64 {
        let flux = |i: usize| (0..dim).map(|j| self.diffusion[i][j] * gradient[j]).sum::<f64>();
        (0..dim).map(|i| gradient[i] * flux(i)).sum::<f64>() + self.reaction * v * v
    }
}

/// A symmetric bilinear form, by its integrand.
pub trait Form: Send + Sync {
    /// The integrand at a point; an error where a coefficient is not allowed.
    fn at(&self, site: &Site) -> Result<Integrand>;
    /// Whether it is the same everywhere in a cell.
    fn is_constant_in_cells(&self) -> bool;
}
