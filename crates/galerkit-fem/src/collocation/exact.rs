//! A solution that is known: c = exp((rho - lambda) t) phi(x) cos(pi (y - y_0) / H) in two layers of equal width w.
//!
//! ```text
//! phi = cos(k1 (x - a)) at the left, a multiple of cos(k2 (b - x)) at the right, k_i^2 = lambda / D_i - (pi / H)^2, which may be negative
//! D1 k1 tan(k1 w) + D2 k2 tan(k2 w) = 0
//! ```
//!
//! The left side grows from pole to pole. On an interval lambda lies between the first two poles, because 0 is the
//! constant's; on a rectangle below the first.

use super::layers::invalid;
use super::space::Collocation;
use crate::error::Result;
use std::f64::consts::PI;

/// An eigenfunction of two layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigenfunction {
    lambda: f64,
    diffusion: [f64; 2],
    /// pi / H, and where y begins; 0 on an interval.
    across: [f64; 2],
    ends: [f64; 2],
}

impl Eigenfunction {
    /// The one of the lowest frequency that is no constant along any axis.
    ///
    /// # Errors
    /// If there are not two layers of equal width.
    pub fn of(space: &Collocation) -> Result<Self> {
        let (line, ends) = (space.x(), space.x().ends());
        let (d, half) = (line.diffusion(), line.elements() / 2);
        let is_middle = (line.nodes()[half] - 0.5 * (ends[0] + ends[1])).abs() < 1e-9 * (ends[1] - ends[0]);
        let are_two =
            is_middle && half > 0 && d[..half].iter().all(|x| *x == d[0]) && d[half..].iter().all(|x| *x == d[half]);
        if !are_two || space.tissue().is_some() {
            let expected = "the eigenfunction that is known has two layers of equal width";
            return Err(invalid("layers", format!("{} elements", line.elements()), expected));
        }
        let across = space.y().map_or([0.0; 2], |y| [PI / (y.ends()[1] - y.ends()[0]), y.ends()[0]]);
        let mut found = Self { lambda: 0.0, diffusion: [d[0], d[half]], across, ends };
        found.lambda = found.eigenvalue();
        Ok(found)
    }

    /// lambda
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    fn width(&self) -> f64 {
        0.5 * (self.ends[1] - self.ends[0])
    }
    /// k^2 of a layer.
    fn square(&self, d: f64, lambda: f64) -> f64 {
        lambda / d - self.across[0] * self.across[0]
    }

    fn eigenvalue(&self) -> f64 {
        let quarter = 0.5 * PI / self.width();
        let pole = |d: f64, m: f64| d * (self.across[0].powi(2) + (m * quarter).powi(2));
        let mut poles: Vec<f64> = self.diffusion.iter().flat_map(|&d| [pole(d, 1.0), pole(d, 3.0)]).collect();
        poles.sort_by(f64::total_cmp);
        poles.dedup();
        let [mut low, mut high] = if self.across[0] > 0.0 { [0.0, poles[0]] } else { [poles[0], poles[1]] };
        let w = self.width();
        let side = |d: f64, lambda: f64| {
            let square = self.square(d, lambda);
            let k = square.abs().sqrt();
            if square >= 0.0 { d * k * (k * w).tan() } else { -d * k * (k * w).tanh() }
        };
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            let sum: f64 = self.diffusion.iter().map(|&d| side(d, middle)).sum();
            if sum > 0.0 { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    }

    /// phi and its derivative, from the right where layers meet.
    pub fn phi(&self, x: f64) -> [f64; 2] {
        let wave = |d: f64, x: f64| {
            let square = self.square(d, self.lambda);
            let k = square.abs().sqrt();
            if square >= 0.0 { [(k * x).cos(), -k * (k * x).sin()] } else { [(k * x).cosh(), k * (k * x).sinh()] }
        };
        let ([a, b], w, [left, right]) = (self.ends, self.width(), self.diffusion);
        if x - a < w * (1.0 - 1e-12) {
            return wave(left, x - a);
        }
        let (scale, [value, slope]) = (wave(left, w)[0] / wave(right, w)[0], wave(right, b - x));
        [scale * value, -scale * slope]
    }

    /// c, c_x, c_y and c_xy at the start.
    pub fn start(&self, [x, y]: [f64; 2]) -> [f64; 4] {
        let [phi, slope] = self.phi(x);
        let (sin, cos) = (self.across[0] * (y - self.across[1])).sin_cos();
        [phi * cos, slope * cos, -self.across[0] * phi * sin, -self.across[0] * slope * sin]
    }

    /// The largest error of coefficients at nodes.
    pub fn error(&self, space: &Collocation, a: &[f64], rho: f64, time: f64) -> f64 {
        let (growth, [_, across]) = (((rho - self.lambda) * time).exp(), space.nodes());
        let height = |j: usize| space.y().map_or(0.0, |y| y.nodes()[j]);
        let exact = |k: usize| growth * self.start([space.x().nodes()[k / across], height(k % across)])[0];
        space.nodal().into_iter().enumerate().map(|(k, unknown)| (a[unknown] - exact(k)).abs()).fold(0.0, f64::max)
    }
}
