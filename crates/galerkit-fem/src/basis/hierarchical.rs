//! The hierarchical functions of [-1, 1]: N_0 = (1 - t)/2, N_1 = (1 + t)/2 and the bubbles
//! phi_j = (P_j - P_{j-2}) / sqrt(2 (2j - 1)), with phi_j' = sqrt((2j - 1)/2) P_{j-1}, for j = 2 to p.
//! They satisfy int phi_i' phi_j' = delta_ij, int N_a' phi_j' = 0, phi_j(+-1) = 0 and phi_j(-t) = (-1)^j phi_j(t).

use super::legendre::legendre;

/// N_0, N_1, phi_2, ..., phi_p at t.
pub fn values(p: usize, t: f64) -> Vec<f64> {
    let P = legendre(p, t);
    let bubble = |j: usize| (P[j] - P[j - 2]) / (2.0 * (2.0 * j as f64 - 1.0)).sqrt();
    [0.5 * (1.0 - t), 0.5 * (1.0 + t)].into_iter().chain((2..=p).map(bubble)).collect()
}

/// Their derivatives at t.
pub fn derivatives(p: usize, t: f64) -> Vec<f64> {
    let P = legendre(p, t);
    let bubble = |j: usize| (0.5 * (2.0 * j as f64 - 1.0)).sqrt() * P[j - 1];
    [-0.5, 0.5].into_iter().chain((2..=p).map(bubble)).collect()
}
