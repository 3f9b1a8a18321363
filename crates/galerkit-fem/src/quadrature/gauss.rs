//! Gauss-Legendre rules: n points integrate polynomials of degree 2n - 1 exactly. The points are the zeros of P_n, by
//! Newton's method from Tricomi's estimate; the weights are 2 / ((1 - t^2) P_n'(t)^2).

use super::line::Line;
use crate::basis::legendre::legendre_with_derivative;
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Newton steps: the estimate has three digits, each step doubles them.
const STEPS: usize = 6;

/// Rules that are computed once.
const KNOWN: usize = 64;

/// The Gauss rule with n points on [-1, 1].
pub fn gauss(n: usize) -> Line {
    static RULES: [OnceLock<Line>; KNOWN] = [const { OnceLock::new() }; KNOWN];
    RULES.get(n).map_or_else(|| zeros(n), |rule| rule.get_or_init(|| zeros(n)).clone())
}

fn zeros(n: usize) -> Line {
    let (mut points, mut weights) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n.div_ceil(2) {
        let mut t = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..STEPS {
            let (P, dP) = legendre_with_derivative(n, t);
            t -= P / dP;
        }
        if 2 * i + 1 == n {
            t = 0.0;
        }
        let (_, dP) = legendre_with_derivative(n, t);
        let w = 2.0 / ((1.0 - t * t) * dP * dP);
        (points[i], points[n - 1 - i]) = (-t, t);
        (weights[i], weights[n - 1 - i]) = (w, w);
    }
    Line { points, weights }
}
