//! Integrals over the reference simplex. On a straight cell with coefficients that are constant there, its matrix is a
//! sum of them: grad lambda_a and |J| are the same at every point, so K_ij = |J| (sum_ab (grad lambda_a . D grad
//! lambda_b) S^ab_ij + c M_ij).

use super::lagrange::Barycentric;
use super::placed::Placed;
use super::rule::Sample;
use crate::basis::dense::Dense;
use crate::form::Integrand;

/// The integrals of products of functions and of their derivatives, for one order of corners.
#[derive(Clone, Debug)]
pub struct Integrals {
    functions: usize,
    dim: usize,
    /// M_ij, row after row.
    mass: Vec<f64>,
    /// S^ab_ij for a, b = 1, ..., d: derivatives along the edges from corner 0.
    slopes: Vec<Vec<f64>>,
}

impl Integrals {
    /// Of so many functions, for each order that they were sampled for.
    pub fn of(dim: usize, functions: usize, samples: &[Sample]) -> Vec<Self> {
        let zeros = vec![0.0; functions * functions];
        let empty = Self { functions, dim, mass: zeros.clone(), slopes: vec![zeros; dim * dim] };
        let mut all = vec![empty; samples.first().map_or(0, |sample| sample.functions.len())];
        for sample in samples {
            let orders = all.iter_mut().zip(&sample.functions);
            orders.for_each(|(integrals, functions)| integrals.add(sample.weight, functions));
        }
        all
    }

    fn add(&mut self, weight: f64, functions: &[(f64, Barycentric)]) {
        let along = |slopes: &Barycentric, a: usize| slopes[a + 1] - slopes[0];
        for (i, (u, du)) in functions.iter().enumerate() {
            for (j, (v, dv)) in functions.iter().enumerate() {
                let at = i * self.functions + j;
                self.mass[at] += weight * u * v;
                for ab in 0..self.dim * self.dim {
                    self.slopes[ab][at] += weight * along(du, ab / self.dim) * along(dv, ab % self.dim);
                }
            }
        }
    }

    /// The matrix of a cell that is mapped so, with these coefficients.
    pub fn matrix(&self, placed: &Placed, integrand: &Integrand) -> Dense {
        let mut K = Dense::zeros(self.functions, self.functions);
        for (ab, slopes) in self.slopes.iter().enumerate() {
            let [left, right] = [ab / self.dim, ab % self.dim].map(|a| &placed.gradients[a + 1]);
            let flux = integrand.diffusion.map(|row| row.iter().zip(right).map(|(d, g)| d * g).sum::<f64>());
            let factor = placed.volume * left.iter().zip(flux).map(|(g, f)| g * f).sum::<f64>();
            K.val.iter_mut().zip(slopes).for_each(|(k, s)| *k += factor * s);
        }
        let factor = placed.volume * integrand.reaction;
        K.val.iter_mut().zip(&self.mass).for_each(|(k, m)| *k += factor * m);
        K
    }
}
