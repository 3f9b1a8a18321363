//! Gauss-Lobatto points: the ends of [-1, 1] and the zeros of P_q', by Newton's method from the Chebyshev-Lobatto
//! points. With the weights 2 / (q (q + 1) P_q(t)^2) they integrate polynomials of degree 2q - 1 exactly.

use super::line::Line;
use crate::basis::legendre::legendre_with_derivative;
use std::f64::consts::PI;

/// Newton steps: the estimate has two digits, each step doubles them.
const STEPS: usize = 8;

/// The q + 1 points and weights of degree q, ascending; q is at least 1.
pub fn lobatto(q: usize) -> Line {
    let degree = (q * (q + 1)) as f64;
    let inner = |k: usize| {
        let mut t = -(PI * k as f64 / q as f64).cos();
        for _ in 0..STEPS {
            let (P, dP) = legendre_with_derivative(q, t);
            t -= dP * (1.0 - t * t) / (2.0 * t * dP - degree * P); // (1 - t^2) P'' = 2 t P' - q (q + 1) P
        }
        t
    };
    let points: Vec<f64> = (0..=q)
        .map(|k| match k {
            0 => -1.0,
            k if k == q => 1.0,
            k if 2 * k == q => 0.0,
            k => inner(k),
        })
        .collect();
    let weight = |t: &f64| {
        let P = if t.abs() == 1.0 { 1.0 } else { legendre_with_derivative(q, *t).0 };
        2.0 / (degree * P * P)
    };
    let weights = points.iter().map(weight).collect();
    Line { points, weights }
}
