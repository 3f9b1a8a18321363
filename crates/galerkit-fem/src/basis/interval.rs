//! Matrices of the functions on [-1, 1]. An interval of length h has the stiffness (2/h) K and the mass (h/2) M.

use super::MAX_DEGREE;
use super::dense::Dense;
use super::table::Table;
use crate::quadrature::gauss;
use std::sync::OnceLock;

/// Entries below this are rounding; the least entry that is not, at the highest degree, is above 1e-4.
const ROUNDING: f64 = 1e-14;

/// Integrals of products of functions and derivatives.
#[derive(Clone, Debug)]
pub struct Interval {
    /// M_ij = int phi_i phi_j.
    pub mass: Dense,
    /// K_ij = int phi_i' phi_j'.
    pub stiffness: Dense,
    /// G_ij = int phi_i' phi_j.
    pub mixed: Dense,
}

impl Interval {
    /// The matrices of degree p, by a Gauss rule that is exact.
    fn new(p: usize) -> Self {
        let rule = gauss(p + 1);
        let table = Table::new(p, &rule.points);
        let product = |left: &Dense, right: &Dense| {
            let term = |q: usize, i: usize, j: usize| rule.weights[q] * left[(q, i)] * right[(q, j)];
            let entry = |i: usize, j: usize| (0..rule.len()).map(|q| term(q, i, j)).sum::<f64>();
            // Most entries are 0 but for rounding: then products of these matrices are sparse.
            Dense::new(p + 1, p + 1, |i, j| Some(entry(i, j)).filter(|sum| sum.abs() > ROUNDING).unwrap_or(0.0))
        };
        Self {
            mass: product(&table.values, &table.values),
            stiffness: product(&table.derivatives, &table.derivatives),
            mixed: product(&table.derivatives, &table.values),
        }
    }
    /// The matrices of degree p, computed once; p is at most twice the highest degree of a cell.
    pub fn of(p: usize) -> &'static Self {
        static KNOWN: [OnceLock<Interval>; 2 * MAX_DEGREE + 1] = [const { OnceLock::new() }; 2 * MAX_DEGREE + 1];
        KNOWN[p].get_or_init(|| Self::new(p))
    }
}
