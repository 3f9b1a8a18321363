//! Waves in closed form: what discretisations are held against, and what scatters. Time factor e^(-i omega t), outgoing
//! e^(+ikr).

use super::bessel::{derivative, free_space, hankel, legendre, spherical_derivative, spherical_hankel};
use crate::forest::geometry::Point;
use galerkit_linalg::c64;
use std::f64::consts::PI;

/// The gradient of a complex function.
pub type Gradient = [c64; 3];

const I: c64 = c64::new(0.0, 1.0);

/// A solution of -Laplace u - k^2 u = 0 in the whole space but, for sources and multipoles, a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wave {
    /// exp(i k d.x), with |d| = 1.
    Plane {
        /// d.
        direction: Point,
    },
    /// (i/4) H_0(k |x - x0|) in the plane, exp(i k r) / (4 pi r) in space.
    Source {
        /// x0.
        place: Point,
    },
    /// H_m(k r) / H_m(k a) cos(m theta) in the plane, h_l(k r) / h_l(k a) P_l(cos theta) in space, theta from the axis
    /// of z.
    Multipole {
        /// m, or l.
        order: usize,
        /// a, the radius at which its amplitude is 1.
        radius: f64,
    },
    /// (a e^(i kx x) + b e^(-i kx x)) cos(m pi y), kx^2 = k^2 - m^2 pi^2: the mode m of a duct of height 1 with rigid
    /// walls, where u_x = cos(m pi y) at x = 0 and u_x = i k u at the other end.
    Duct {
        /// m.
        mode: usize,
        /// Where that end is.
        length: f64,
    },
}

impl Wave {
    /// u(x) and its gradient in a dimension, for wavenumber k.
    pub fn at(&self, dim: usize, k: c64, x: &Point) -> (c64, Gradient) {
        match *self {
            Self::Plane { direction } => {
                let phase: f64 = (0..3).map(|i| direction[i] * x[i]).sum();
                let u = (I * k * phase).exp();
                (u, direction.map(|d| I * k * d * u))
            }
            Self::Source { place } => {
                let away: Point = std::array::from_fn(|i| x[i] - place[i]);
                let r = length(&away);
                let (u, slope) = free_space(dim, k, r);
                (u, away.map(|a| slope * (a / r)))
            }
            Self::Multipole { order, radius } if dim == 2 => cylindrical(order, k, radius, x),
            Self::Multipole { order, radius } => spherical(order, k, radius, x),
            Self::Duct { mode, length } => duct(mode, length, k, x),
        }
    }

    /// The point where it is singular, if there is one.
    pub fn singularity(&self) -> Option<Point> {
        match *self {
            Self::Plane { .. } | Self::Duct { .. } => None,
            Self::Source { place } => Some(place),
            Self::Multipole { .. } => Some([0.0; 3]),
        }
    }
}

fn length(x: &Point) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// f(x) cos(m pi y): i kx (a - b) = 1 and (kx - k) a e^(i kx L) = (kx + k) b e^(-i kx L), or a straight line where the
/// mode is cut off.
fn duct(m: usize, length: f64, k: c64, x: &Point) -> (c64, Gradient) {
    let across = m as f64 * PI;
    let kx = (k * k - across * across).sqrt();
    let (f, slope) = if kx.norm() < 1e-6 * across {
        (1.0 / (I * k) - length + x[0], c64::new(1.0, 0.0))
    } else {
        let b_over_a = (kx - k) / (kx + k) * (I * kx * (2.0 * length)).exp();
        let a = 1.0 / (I * kx * (1.0 - b_over_a));
        let (forth, back) = (a * (I * kx * x[0]).exp(), a * b_over_a * (-I * kx * x[0]).exp());
        (forth + back, I * kx * (forth - back))
    };
    let (c, s) = ((across * x[1]).cos(), across * (across * x[1]).sin());
    (f * c, [slope * c, -f * s, c64::new(0.0, 0.0)])
}

/// f(r) cos(m theta).
fn cylindrical(m: usize, k: c64, a: f64, x: &Point) -> (c64, Gradient) {
    let (r, angle, order) = (x[0].hypot(x[1]), x[1].atan2(x[0]), m as f64);
    let (h, at_a) = (hankel(m.max(1), k * r), hankel(m.max(1), k * a)[m]);
    let (f, slope) = (h[m] / at_a, derivative(&h, m, k * r) * k / at_a);
    let (along, around) = (slope * (order * angle).cos(), -f * (order / r * (order * angle).sin()));
    let (c, s) = (x[0] / r, x[1] / r);
    (f * (order * angle).cos(), [along * c - around * s, along * s + around * c, c64::new(0.0, 0.0)])
}

/// f(r) P_l(z / r).
fn spherical(l: usize, k: c64, a: f64, x: &Point) -> (c64, Gradient) {
    let (r, order) = (length(x), l.max(1));
    let (h, at_a) = (spherical_hankel(order, k * r), spherical_hankel(order, k * a)[l]);
    let (f, slope) = (h[l] / at_a, spherical_derivative(&h, l, k * r) * k / at_a);
    let cosine = x[2] / r;
    let (p, dp) = legendre(order, cosine)[l];
    let gradient = |i: usize| {
        let outward = x[i] / r;
        let turned = (f64::from(i == 2) - cosine * outward) / r; // grad cos theta
        slope * (p * outward) + f * (dp * turned)
    };
    (f * p, std::array::from_fn(gradient))
}
