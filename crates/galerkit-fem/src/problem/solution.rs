//! u_h: coefficients of all functions of a space, and what can be computed from them.

use crate::assemble::moments::Tables;
use crate::basis::hierarchical::{derivatives, values};
use crate::forest::geometry::inverted;
use crate::quadrature::Patch;
use crate::space::Space;
use std::sync::Arc;

/// A function of a space.
#[derive(Clone, Debug)]
pub struct Solution {
    space: Arc<Space>,
    masters: usize,
    all: Vec<f64>,
}

impl Solution {
    /// The function with given coefficients of all functions that do not hang.
    pub fn new(space: Arc<Space>, masters: Vec<f64>) -> Self {
        let (count, all) = (masters.len(), space.complete(masters));
        Self { space, masters: count, all }
    }
    /// Its space.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }
    /// Coefficients of the unknowns.
    pub fn unknowns(&self) -> &[f64] {
        &self.all[..self.space.unknowns()]
    }
    /// Coefficients of all functions that do not hang.
    pub fn masters(&self) -> &[f64] {
        &self.all[..self.masters]
    }
    /// Coefficients of cell e's local functions.
    pub fn local(&self, e: usize) -> Vec<f64> {
        self.space.local(e, &self.all)
    }
    /// u_h and its gradient at reference coordinates of cell e.
    pub fn in_cell(&self, e: usize, t: &[f64; 3]) -> (f64, [f64; 3]) {
        let (dim, p) = (self.space.dim(), self.space.degree(e));
        let lines: Vec<_> = (0..dim).map(|a| (values(p, t[a]), derivatives(p, t[a]))).collect();
        let (mut value, mut slopes) = (0.0, [0.0; 3]);
        for (local, c) in self.local(e).into_iter().enumerate() {
            let index = |a: usize| local / (p + 1).pow((dim - 1 - a) as u32) % (p + 1);
            let product = |derived: usize| -> f64 {
                (0..dim).map(|a| if a == derived { lines[a].1[index(a)] } else { lines[a].0[index(a)] }).product()
            };
            value += c * product(dim);
            (0..dim).for_each(|a| slopes[a] += c * product(a));
        }
        let (_, J) = self.space.forest().map(e).at(t);
        let (_, inverse) = inverted(&J).expect("a cell with volume");
        let gradient = [0, 1, 2].map(|i| (0..dim).map(|a| inverse[a][i] * slopes[a]).sum());
        (value, gradient)
    }
    /// u_h at the points of a patch in cell e.
    pub fn on_patch(&self, e: usize, patch: &Patch) -> Vec<f64> {
        Tables::new(self.space.degree(e), patch).evaluate(&self.local(e), None)
    }
    /// u_h at a point; none outside of the domain.
    pub fn at(&self, point: &[f64; 3]) -> Option<f64> {
        let (e, t) = self.space.forest().locate(point)?;
        Some(self.in_cell(e, &t).0)
    }
    /// grad u_h at a point; none outside of the domain.
    pub fn gradient(&self, point: &[f64; 3]) -> Option<[f64; 3]> {
        let (e, t) = self.space.forest().locate(point)?;
        Some(self.in_cell(e, &t).1)
    }
}
