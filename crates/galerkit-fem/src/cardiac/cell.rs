//! What one cell does by itself: rates of its potential phi and its recovery r, as closures over entries. The same text
//! runs on every engine.

mod aliev_panfilov;
mod mitchell_schaeffer;
mod model;

pub use aliev_panfilov::{AlievPanfilov, UNIT};
pub use mitchell_schaeffer::MitchellSchaeffer;
pub use model::{Kind, Model};

use galerkit_linalg::engine::Entry;

/// A cell of two variables; time in milliseconds.
pub trait Cell: Clone + Send + Sync {
    /// phi_t and r_t.
    fn rates<N: Entry>(&self, phi: N, r: N) -> [N; 2];
    /// The derivatives of phi_t by phi and r, then those of r_t.
    fn slopes<N: Entry>(&self, phi: N, r: N) -> [[N; 2]; 2];
    /// phi and r of a cell at rest.
    fn rest(&self) -> [f64; 2];
    /// The loop of an action potential: middle and half extent of phi, then of r, whose sign makes it turn left.
    fn orbit(&self) -> [[f64; 2]; 2];

    /// Where Newton's method for the r of (r - r_before) per_step = r_t begins, and how many iterations are enough.
    fn recovered<N: Entry>(&self, _phi: N, r_before: N, _per_step: N) -> (N, usize) {
        (r_before, 7)
    }

    /// A step of the midpoint rule, second order, with a current into phi. Its error in the speed of fronts is half of
    /// Heun's.
    fn advance<N: Entry>(&self, [phi, r]: [N; 2], current: N, dt: f64) -> [N; 2] {
        let [dt, half] = [dt, 0.5 * dt].map(N::constant);
        let [f, g] = self.rates(phi, r);
        let [f, g] = self.rates(phi + half * (f + current), r + half * g);
        [phi + dt * (f + current), r + dt * g]
    }
}
