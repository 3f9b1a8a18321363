//! Aliev and Panfilov 1996, with the parameters of Göktepe and Kuhl 2009: phi from 0 (-80 mV) to 1 (+20 mV), time in
//! units of 12.9 ms.

use super::Cell;
use galerkit_linalg::engine::Entry;

/// Milliseconds of the model's unit of time.
pub const UNIT: f64 = 12.9;

/// f = c phi (phi - alpha)(1 - phi) - r phi, g = (gamma + mu1 r/(mu2 + phi)) (-r - c phi (phi - b - 1)).
#[derive(Clone, Debug, PartialEq)]
pub struct AlievPanfilov {
    /// Threshold of excitation.
    pub alpha: f64,
    /// Shape of recovery.
    pub b: f64,
    /// Strength of the reaction.
    pub c: f64,
    /// Slowest rate of recovery.
    pub gamma: f64,
    /// Growth of that rate with r.
    pub mu1: f64,
    /// Potential at which it has halved.
    pub mu2: f64,
}

impl Default for AlievPanfilov {
    fn default() -> Self {
        Self { alpha: 0.01, b: 0.15, c: 8.0, gamma: 0.002, mu1: 0.2, mu2: 0.3 }
    }
}

impl Cell for AlievPanfilov {
    fn rates<N: Entry>(&self, phi: N, r: N) -> [N; 2] {
        let [alpha, b, c, gamma] = [self.alpha, self.b, self.c, self.gamma].map(N::constant);
        let [mu1, mu2, one, unit] = [self.mu1, self.mu2, 1.0, 1.0 / UNIT].map(N::constant);
        let f = c * phi * (phi - alpha) * (one - phi) - r * phi;
        let g = (gamma + mu1 / (mu2 + phi) * r) * (-r - c * phi * (phi - b - one));
        [unit * f, unit * g]
    }
    fn slopes<N: Entry>(&self, phi: N, r: N) -> [[N; 2]; 2] {
        let [alpha, b, c, gamma] = [self.alpha, self.b, self.c, self.gamma].map(N::constant);
        let [mu1, mu2, one, unit] = [self.mu1, self.mu2, 1.0, 1.0 / UNIT].map(N::constant);
        let [two, three] = [2.0, 3.0].map(N::constant);
        let growth = mu1 / (mu2 + phi); // whatever r is: divided once for all of Newton's iterations
        let e = gamma + growth * r;
        let s = -r - c * phi * (phi - b - one);
        let f_phi = c * (two * (one + alpha) * phi - three * phi * phi - alpha) - r;
        let g_phi = -(growth * r * s / (mu2 + phi)) - e * c * (two * phi - b - one);
        let g_r = growth * s - e;
        [[unit * f_phi, -(unit * phi)], [unit * g_phi, unit * g_r]]
    }
    fn rest(&self) -> [f64; 2] {
        [0.0, 0.0]
    }
    /// The backward Euler step of r is a quadratic equation, growth r^2 + B r = C, of whose roots one is r_before for
    /// short steps. Without a root the step is too long; NaN says so. One iteration takes rounding away.
    #[rustfmt::skip]
    fn recovered<N: Entry>(&self, phi: N, r_before: N, per_step: N) -> (N, usize) {
        let [b, c, gamma, mu1, mu2] = [self.b, self.c, self.gamma, self.mu1, self.mu2].map(N::constant);
        let [one, two, four, unit] = [1.0, 2.0, 4.0, UNIT].map(N::constant);
        let growth = mu1 / (mu2 + phi);
        let (per_step, s) = (unit * per_step, c * phi * (phi - b - one));
        let (B, C) = (per_step + gamma + growth * s, per_step * r_before - gamma * s);
        (two * C / (B + (B * B + four * growth * C).sqrt()), 1)
    }
    fn orbit(&self) -> [[f64; 2]; 2] {
        [[0.5, 0.5], [1.0, 1.0]]
    }
}
