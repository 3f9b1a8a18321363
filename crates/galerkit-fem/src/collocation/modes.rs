//! Eigenfunctions across the layers: C2y v = mu C0y v. D depends on x alone, so in them the equations fall apart into
//! one interval for each mode, with mu D c in place of D c_yy: no matrix of the rectangle is needed, and none is solved
//! with.
//!
//! On a mesh of n equal elements they are known (Bialecki, Fairweather, Bennett 1992): U_i = alpha cos(i theta), q_i =
//! beta sin(i theta), theta = k pi / n. About the middle of an element such a function has an even part E and an odd
//! part O; E'' = mu E and O'' = mu O at a Gauss point are two equations for alpha and beta, a quadratic one for mu: two
//! modes for each k but the first and the last. Modes are orthonormal in the sum over Gauss points, which C0y^-1 is
//! then made of: (C0y V)^-1 = (C0y V)^T W.

use super::bands::Bands;
use super::hermite::GAUSS;
use super::line::Line;
use super::space::Collocation;
use rayon::prelude::*;
use std::f64::consts::PI;

/// All modes of a mesh along y.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    mu: Vec<f64>,
    /// Coefficients of each mode, one after the other.
    V: Vec<f64>,
    /// Weights that take values at Gauss points to the share of each mode.
    dual: Vec<f64>,
    C0: Bands,
}

/// alpha and beta h of a mode, and its mu h^2.
type Wave = ([f64; 2], f64);

impl Modes {
    /// Whether a space has them: elements along y must be equal, and D must be no map.
    pub fn suit(space: &Collocation) -> bool {
        space.tissue().is_none() && space.y().is_none_or(Line::is_uniform)
    }

    /// The modes across the layers of a space, if they suit.
    pub fn of(space: &Collocation) -> Option<Self> {
        if !Self::suit(space) {
            return None;
        }
        let C0 = space.C0()[1].clone();
        let Some(y) = space.y() else { return Some(Self { mu: vec![0.0], V: vec![1.0], dual: vec![1.0], C0 }) };
        let (n, h, weights) = (y.elements(), y.length(0), y.weights());
        let waves = (0..=n).flat_map(|k| waves(k, n).into_iter().map(move |wave| (k, wave)));
        let mut modes = Self { mu: Vec::new(), V: Vec::new(), dual: Vec::new(), C0 };
        for (k, (wave, square)) in waves {
            let v = coefficients(y, k, wave);
            let at = modes.C0.product(&v);
            let length = at.iter().zip(&weights).map(|(v, w)| w * v * v).sum::<f64>().sqrt();
            modes.mu.push(square / (h * h));
            modes.V.extend(v.iter().map(|v| v / length));
            modes.dual.extend(at.iter().zip(&weights).map(|(v, w)| w * v / length));
        }
        Some(modes)
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.mu.len()
    }
    /// mu of each, none above 0.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }
    /// Coefficients of a mode.
    pub fn mode(&self, m: usize) -> &[f64] {
        &self.V[m * self.count()..][..self.count()]
    }

    /// Shares of modes from coefficients, both with x slow.
    pub fn shares(&self, a: &[f64]) -> Vec<f64> {
        let n = self.count();
        let mut shares = vec![0.0; a.len()];
        shares.par_chunks_mut(n).zip(a.par_chunks(n)).for_each(|(shares, row)| {
            let at = self.C0.product(row);
            let dot = |dual: &[f64]| dual.iter().zip(&at).map(|(d, c)| d * c).sum();
            shares.iter_mut().zip(self.dual.chunks_exact(n)).for_each(|(share, dual)| *share = dot(dual));
        });
        shares
    }
    /// Coefficients from shares of modes.
    pub fn coefficients(&self, shares: &[f64]) -> Vec<f64> {
        let n = self.count();
        let mut a = vec![0.0; shares.len()];
        a.par_chunks_mut(n).zip(shares.par_chunks(n)).for_each(|(row, shares)| {
            for (share, v) in shares.iter().zip(self.V.chunks_exact(n)) {
                row.iter_mut().zip(v).for_each(|(a, v)| *a += share * v);
            }
        });
        a
    }
}

/// U_i = alpha cos(i theta), q_i = beta sin(i theta)
fn coefficients(y: &Line, k: usize, [alpha, beta]: [f64; 2]) -> Vec<f64> {
    let (n, h) = (y.elements(), y.length(0));
    let mut v = vec![0.0; y.unknowns()];
    for i in 0..=n {
        let (sin, cos) = (PI * ((i * k) % (2 * n)) as f64 / n as f64).sin_cos();
        v[y.value(i)] = alpha * cos;
        y.slope(i).into_iter().for_each(|j| v[j] = beta / h * sin);
    }
    v
}

/// The modes of a frequency: E'' = mu E and O'' = mu O at a Gauss point, with
///
/// ```text
/// E = alpha c - beta s (t - t^2)        O = alpha s (1 - 6 t^2 + 4 t^3) + beta c (t - 3 t^2 + 2 t^3)        c, s = cos, sin(theta / 2)
/// ```
fn waves(k: usize, n: usize) -> Vec<Wave> {
    let t = GAUSS[0];
    let (s, c) = (0.5 * PI * k as f64 / n as f64).sin_cos();
    let (p, r, q) = (t - t * t, 1.0 - 6.0 * t * t + 4.0 * t * t * t, t - 3.0 * t * t + 2.0 * t * t * t);
    let (r2, q2) = (24.0 * t - 12.0, 12.0 * t - 6.0);
    if k == 0 {
        return vec![([1.0, 0.0], 0.0)];
    }
    if k == n {
        return vec![([1.0, 0.0], r2 / r)];
    }
    // a x^2 + b x + d = 0 for x = mu h^2, all three above 0; the small root without cancellation
    let (a, b, d) = (c * c * q + s * s * p * r, -c * c * q2 + s * s * (2.0 * r - p * r2), -2.0 * s * s * r2);
    let sum = -0.5 * (b + (b * b - 4.0 * a * d).sqrt());
    [d / sum, sum / a].map(|x| ([(2.0 + x * p) * s, x * c], x)).to_vec()
}
