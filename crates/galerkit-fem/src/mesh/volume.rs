//! Lengths, areas and volumes of cells: the integral of sqrt(det Jᵀ J) by Gauss rules, collapsed onto simplices and
//! pyramids.

use super::{Geometry, Mesh, Shape};
use crate::error::Result;
use galerkit_linalg::parallel;

impl Mesh {
    /// The volume, area or length of each cell of a dimension, block after block.
    ///
    /// # Errors
    /// If the degree of a block's geometry is unknown.
    pub fn volumes(&self, dim: usize) -> Result<Vec<f64>> {
        let mut volumes = Vec::new();
        for block in self.blocks_of(dim) {
            let geometry = Geometry::new(block.shape, block.order)?;
            let rule = rule(block.shape, (3 * block.order).div_ceil(2) + 1); // det J has degree 3 k - 1 along an axis
            let rule: Vec<_> = rule.into_iter().map(|(xi, weight)| (geometry.at(xi), weight)).collect();
            let volume =
                |cell: &[u32]| rule.iter().map(|(at, w)| w * at.map(&self.points, cell).measure()).sum::<f64>();
            let each = block.shape.nodes(block.order);
            volumes.extend(parallel::values(block.nodes.len() / each, &|k| volume(&block.nodes[k * each..][..each])));
        }
        Ok(volumes)
    }
}

/// Points and weights in a reference cell, n points along each axis.
pub(crate) fn rule(shape: Shape, n: usize) -> Vec<([f64; 3], f64)> {
    let line = gauss(n);
    let along = |d: usize| if d < shape.dim() { line.clone() } else { vec![(0.0, 1.0)] };
    let mut rule = Vec::new();
    for &(x, a) in &along(0) {
        for &(y, b) in &along(1) {
            for &(z, c) in &along(2) {
                let (point, factor) = collapsed(shape, [x, y, z]);
                rule.push((point, a * b * c * factor));
            }
        }
    }
    rule
}

/// A point of [-1,1]^d carried to a reference cell, and how volumes change there.
fn collapsed(shape: Shape, [x, y, z]: [f64; 3]) -> ([f64; 3], f64) {
    let [r, s, t] = [x, y, z].map(|x| 0.5 * (1.0 + x));
    match shape {
        Shape::Triangle => ([r, s * (1.0 - r), 0.0], (1.0 - r) / 4.0),
        Shape::Prism => ([r, s * (1.0 - r), z], (1.0 - r) / 4.0),
        Shape::Tetrahedron => {
            let left = 1.0 - r;
            ([r, s * left, t * left * (1.0 - s)], left * left * (1.0 - s) / 8.0)
        }
        Shape::Pyramid => ([x * (1.0 - t), y * (1.0 - t), t], (1.0 - t) * (1.0 - t) / 2.0),
        _ => ([x, y, z], 1.0),
    }
}

/// Gauss-Legendre on [-1,1]: zeros of P_n by Newton's method, weights 2 / ((1 - x²) P_n'(x)²).
fn gauss(n: usize) -> Vec<(f64, f64)> {
    let legendre = |x: f64| {
        let (mut p, mut before) = (1.0, 0.0);
        for j in 1..=n {
            let j = j as f64;
            (p, before) = (((2.0 * j - 1.0) * x * p - (j - 1.0) * before) / j, p);
        }
        (p, n as f64 * (x * p - before) / (x * x - 1.0))
    };
    let zero = |i: usize| {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
        for _ in 0..20 {
            let (p, slope) = legendre(x);
            x -= p / slope;
        }
        let (_, slope) = legendre(x);
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..n).map(zero).collect()
}
