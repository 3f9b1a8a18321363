//! Scattering of the plane wave exp(i k x) (in space exp(i k z)) by a circle or sphere of radius a around the origin,
//! in series: soft (u_inc + u = 0 on it) or hard (its normal derivative).
//!
//! exp(ikx) = sum e_m i^m J_m(kr) cos(m theta), exp(ikz) = sum (2 l + 1) i^l j_l(kr) P_l(cos theta).

use super::bessel::{bessel_j, derivative, hankel, legendre, spherical_derivative, spherical_hankel, spherical_j};
use crate::forest::geometry::Point;
use galerkit_linalg::c64;

/// What the obstacle does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The pressure vanishes.
    Soft,
    /// The normal velocity vanishes.
    Hard,
}

/// Terms that are summed: those beyond ka + a few cube roots are below rounding.
fn terms(ka: f64) -> usize {
    (ka + 8.0 * ka.cbrt() + 14.0).ceil() as usize
}

/// The scattered field at a point outside of the obstacle.
pub fn scattered(dim: usize, obstacle: Obstacle, k: c64, a: f64, x: &Point) -> c64 {
    if dim == 2 { cylinder(obstacle, k, a, x) } else { sphere(obstacle, k, a, x) }
}

fn cylinder(obstacle: Obstacle, k: c64, a: f64, x: &Point) -> c64 {
    let n = terms((k * a).norm());
    let (r, angle) = (x[0].hypot(x[1]), x[1].atan2(x[0]));
    let (j, h, away) = (bessel_j(n + 1, k * a), hankel(n + 1, k * a), hankel(n + 1, k * r));
    let term = |m: usize| {
        let ratio = match obstacle {
            Obstacle::Soft => j[m] / h[m],
            Obstacle::Hard => derivative(&j, m, k * a) / derivative(&h, m, k * a),
        };
        let weight = if m == 0 { 1.0 } else { 2.0 };
        -power_of_i(m) * ratio * away[m] * (weight * (m as f64 * angle).cos())
    };
    (0..=n).map(term).sum()
}

fn sphere(obstacle: Obstacle, k: c64, a: f64, x: &Point) -> c64 {
    let n = terms((k * a).norm());
    let r = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (j, h, away) = (spherical_j(n + 1, k * a), spherical_hankel(n + 1, k * a), spherical_hankel(n + 1, k * r));
    let p = legendre(n, x[2] / r);
    let term = |l: usize| {
        let ratio = match obstacle {
            Obstacle::Soft => j[l] / h[l],
            Obstacle::Hard => spherical_derivative(&j, l, k * a) / spherical_derivative(&h, l, k * a),
        };
        -power_of_i(l) * ratio * away[l] * ((2 * l + 1) as f64 * p[l].0)
    };
    (0..=n).map(term).sum()
}

fn power_of_i(m: usize) -> c64 {
    [c64::new(1.0, 0.0), c64::new(0.0, 1.0), c64::new(-1.0, 0.0), c64::new(0.0, -1.0)][m % 4]
}
