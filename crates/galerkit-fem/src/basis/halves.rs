//! Traces of the functions of an interval on its halves: phi_i((t -+ 1)/2) = sum_j S_ij phi_j(t), row i the big
//! function, column j the small one. Columns 0 and 1 are values at the ends of the half; bubbles are orthonormal in int
//! u' v', which gives the rest.

use super::MAX_DEGREE;
use super::dense::Dense;
use super::hierarchical::{derivatives, values};
use crate::quadrature::gauss;
use std::sync::OnceLock;

/// The matrices S^L and S^R of the highest degree; a lower degree uses their first rows and columns.
pub fn halves() -> &'static [Dense; 2] {
    static KNOWN: OnceLock<[Dense; 2]> = OnceLock::new();
    KNOWN.get_or_init(|| [half(-1.0), half(1.0)])
}

/// Traces on the half whose outer end is `end`, for coordinates (t + end)/2.
fn half(end: f64) -> Dense {
    let (p, rule) = (MAX_DEGREE, gauss(MAX_DEGREE + 1));
    let within = |t: f64| 0.5 * (t + end);
    let ends = [values(p, within(-1.0)), values(p, within(1.0))];
    let mut S = Dense::new(p + 1, p + 1, |i, j| if j < 2 { ends[j][i] } else { 0.0 });
    for (&t, &w) in rule.points.iter().zip(&rule.weights) {
        let (big, small) = (derivatives(p, within(t)), derivatives(p, t));
        for i in 0..=p {
            (2..=i).for_each(|j| S[(i, j)] += w * 0.5 * big[i] * small[j]);
        }
    }
    S
}
