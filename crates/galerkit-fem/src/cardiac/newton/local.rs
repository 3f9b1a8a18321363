//! The problem of one element: its r for a given phi at the centroid, by Newton's method, and what its reaction adds to
//! residual and tangent.

use crate::cardiac::cell::Cell;
use galerkit_linalg::engine::Entry;

/// The last update of r, relative to 1 + |r|, that counts as converged.
const TOLERANCE: f64 = 1e-13;

/// phi at the centroid now and before, r before, the current, and one over the step.
#[derive(Clone, Copy)]
pub struct Given<N> {
    /// Now.
    pub phi: N,
    /// At the end of the last step.
    pub phi_before: N,
    /// Recovery at the end of the last step.
    pub r_before: N,
    /// Into phi.
    pub current: N,
    /// One over the step.
    pub per_step: N,
}

/// r; the rate phi_t - f that the residual integrates; and its derivative by phi.
#[rustfmt::skip]
pub fn solve<N: Entry, C: Cell>(cell: &C, given: Given<N>) -> [N; 3] {
    let Given { phi, phi_before, r_before, current, per_step } = given;
    let (mut r, iterations) = cell.recovered(phi, r_before, per_step);
    let mut update = N::constant(0.0);
    for _ in 0..iterations {
        let ([_, g], [_, [_, g_r]]) = (cell.rates(phi, r), cell.slopes(phi, r));
        update = (per_step * (r - r_before) - g) / (per_step - g_r);             // R_r / K_r
        r = r - update;
    }
    let ([f, _], [[f_phi, f_r], [g_phi, g_r]]) = (cell.rates(phi, r), cell.slopes(phi, r));
    let dr = g_phi / (per_step - g_r);                                           // dr/dphi = g_phi / K_r
    let rate = per_step * (phi - phi_before) - f - current;
    let tangent = per_step - f_phi - f_r * dr;
    let allowed = N::constant(TOLERANCE) * (N::constant(1.0) + r.abs());
    [r, N::select(update.abs().at_most(allowed), rate, N::constant(f64::NAN)), tangent]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cardiac::cell::{AlievPanfilov, UNIT};

    /// Newton's method from r before, until it stands still, comes to the root that is known.
    #[test]
    fn the_known_root_is_that_of_newtons_method() {
        let cell = AlievPanfilov::default();
        for (phi, r_before, dt) in [
            (0.0, 0.0, 0.25),
            (0.02, 0.1, 0.25),
            (0.4, 0.05, 3.2),
            (0.7, 0.9, 1.0),
            (1.0, 2.0, 12.0),
            (-0.05, 0.3, 0.25),
        ] {
            let per_step = 1.0 / dt;
            let mut r: f64 = r_before;
            for _ in 0..50 {
                let ([_, g], [_, [_, g_r]]) = (cell.rates(phi, r), cell.slopes(phi, r));
                r -= (per_step * (r - r_before) - g) / (per_step - g_r);
            }
            let [known, rate, _] = solve(&cell, Given { phi, phi_before: 0.3, r_before, current: 0.1, per_step });
            assert!((known - r).abs() <= 4.0 * f64::EPSILON * (1.0 + r.abs()), "phi = {phi}: {known} {r}");
            assert!(rate.is_finite(), "phi = {phi}");
        }
        // Where there is no root: the rate says that the step is too long.
        let given = Given { phi: 0.575, phi_before: 0.5, r_before: -2.0, current: 0.0, per_step: 0.2 / UNIT };
        assert!(solve(&cell, given)[1].is_nan());
    }

    /// The tangent, r being solved for again, is the derivative of the rate: 1e-6 relative against central differences.
    #[test]
    fn the_tangent_is_the_derivative_of_the_rate() {
        let (cell, h) = (AlievPanfilov::default(), 1e-5);
        for (phi, r_before) in [(0.02, 0.1), (0.4, 0.05), (0.7, 0.9), (1.0, 2.0)] {
            let at = |phi: f64| solve(&cell, Given { phi, phi_before: 0.3, r_before, current: 0.1, per_step: 2.0 });
            let [_, up, _] = at(phi + h);
            let [_, down, _] = at(phi - h);
            let ([_, _, tangent], difference) = (at(phi), (up - down) / (2.0 * h));
            assert!((tangent / difference - 1.0).abs() < 1e-6, "phi = {phi}: {tangent} {difference}");
        }
    }
}
