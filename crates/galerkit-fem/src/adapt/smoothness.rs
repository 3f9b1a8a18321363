//! How smooth a function is on a cell. Coefficients of degree j in the energy, those of the gradient's Legendre
//! expansion, fall like exp(-s j) where it is analytic, like a power of j where it is singular (Mavriplis; Houston and
//! Suli). In the energy, because there powers fall slowest: r^(2/3) at a corner cannot be told from a smooth function
//! by three coefficients in L2.

use crate::basis::interval::Interval;
use crate::basis::tensor::Tensor;

/// From this rate of decay on, raising the degree pays.
pub const SMOOTH: f64 = 1.0;

/// The rate s of a function given by local coefficients of degree p; infinite if nothing is left to fall.
pub fn decay(dim: usize, p: usize, local: &[f64]) -> f64 {
    rate(&(1..=p).map(|j| shell(dim, p, j, local)).collect::<Vec<_>>())
}

/// The energy norm, in reference coordinates, of the terms whose highest index is j; N_0 and N_1 have the index 1.
fn shell(dim: usize, p: usize, j: usize, local: &[f64]) -> f64 {
    let highest = |i: usize| (0..dim as u32).map(|a| (i / (p + 1).pow(a) % (p + 1)).max(1)).max().expect("an axis");
    let of_shell = local.iter().enumerate().map(|(i, &c)| if highest(i) == j { c } else { 0.0 }).collect();
    let u = Tensor::cube(dim, p + 1, of_shell);
    let Interval { mass, stiffness, .. } = Interval::of(p);
    let along = |derived: usize| u.along_each((0..dim).map(|a| if a == derived { stiffness } else { mass }));
    let square: f64 = (0..dim).map(|a| along(a).val.iter().zip(&u.val).map(|(Ku, u)| Ku * u).sum::<f64>()).sum();
    square.max(0.0).sqrt()
}

/// -s is the slope of the line through (j, ln size_j) for the upper half of the degrees, where decay shows its law.
/// Sizes of rounding are left out, and those below a later one: what is odd or even on the cell lacks every second
/// coefficient.
fn rate(sizes: &[f64]) -> f64 {
    let most = sizes.iter().fold(0.0f64, |most, size| most.max(*size));
    let is_seen = |j: &usize| sizes[*j] > 1e-13 * most && sizes[*j..].iter().all(|later| *later <= sizes[*j]);
    let mut points: Vec<(f64, f64)> = (0..sizes.len()).filter(is_seen).map(|j| (j as f64, sizes[j].ln())).collect();
    let lower = points.iter().filter(|point| 2.0 * (point.0 + 1.0) < sizes.len() as f64).count();
    points.drain(..lower.min(points.len().saturating_sub(2)));
    if points.len() < 2 {
        return f64::INFINITY;
    }
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let covariance: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let variance: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    -covariance / variance
}
