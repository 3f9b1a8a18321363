//! Mitchell and Schaeffer 2003: an inward current with one gate and a leak. r is the gate, 1 at rest; times in
//! milliseconds.

use super::Cell;
use galerkit_linalg::engine::Entry;

/// f = r phi² (1 - phi)/tau_in - phi/tau_out, g = (1 - r)/tau_open below the gate's potential, -r/tau_close above.
#[derive(Clone, Debug, PartialEq)]
pub struct MitchellSchaeffer {
    /// Of the inward current.
    pub tau_in: f64,
    /// Of the leak.
    pub tau_out: f64,
    /// Of the gate's opening.
    pub tau_open: f64,
    /// Of its closing.
    pub tau_close: f64,
    /// Potential at which the gate turns.
    pub gate: f64,
}

impl Default for MitchellSchaeffer {
    fn default() -> Self {
        Self { tau_in: 0.3, tau_out: 6.0, tau_open: 120.0, tau_close: 150.0, gate: 0.13 }
    }
}

impl Cell for MitchellSchaeffer {
    fn rates<N: Entry>(&self, phi: N, r: N) -> [N; 2] {
        let [inward, leak] = [self.tau_in, self.tau_out].map(|tau| N::constant(1.0 / tau));
        let [opening, closing] = [self.tau_open, self.tau_close].map(|tau| N::constant(1.0 / tau));
        let [one, gate] = [1.0, self.gate].map(N::constant);
        let g = N::select(phi.less(gate), opening * (one - r), -(closing * r));
        [inward * r * phi * phi * (one - phi) - leak * phi, g]
    }
    fn slopes<N: Entry>(&self, phi: N, r: N) -> [[N; 2]; 2] {
        let [inward, leak] = [self.tau_in, self.tau_out].map(|tau| N::constant(1.0 / tau));
        let [opening, closing] = [self.tau_open, self.tau_close].map(|tau| N::constant(-1.0 / tau));
        let [zero, one, two, three, gate] = [0.0, 1.0, 2.0, 3.0, self.gate].map(N::constant);
        let f_phi = inward * r * phi * (two - three * phi) - leak;
        [[f_phi, inward * phi * phi * (one - phi)], [zero, N::select(phi.less(gate), opening, closing)]]
    }
    fn rest(&self) -> [f64; 2] {
        [0.0, 1.0]
    }
    fn orbit(&self) -> [[f64; 2]; 2] {
        [[0.5, 0.5], [0.5, -0.5]]
    }
}
