//! Geometric meshes: cells that touch given points are cut again and again, so that cells shrink by 1/2 from layer to layer. Layer 0 are the
//! cells at a point; degrees that grow with the layer, p_k = p_0 + ceil(mu k), give exponential convergence.

use super::geometry::Point;
use super::leaves::Forest;
use crate::error::Result;

/// Cuts the cells at the points `layers` times; the layer of each cell.
pub fn grade(forest: &mut Forest, points: &[Point], layers: usize) -> Result<Vec<usize>> {
    for _ in 0..layers {
        let at = at_points(forest, points);
        let cells: Vec<usize> = (0..at.len()).filter(|&e| at[e]).collect();
        forest.refine(&cells)?;
    }
    let finest = forest.cells().iter().map(|cell| cell.level).max().unwrap_or(0) as usize;
    let at = at_points(forest, points);
    let layer = |(cell, at): (&super::Cell, &bool)| if *at { 0 } else { finest + 1 - cell.level as usize };
    Ok(forest.cells().iter().zip(&at).map(layer).collect())
}

fn at_points(forest: &Forest, points: &[Point]) -> Vec<bool> {
    (0..forest.cells().len()).map(|e| points.iter().any(|point| forest.touches(e, point))).collect()
}

/// The degrees of a geometric mesh: p_0 + ceil(mu k) in layer k.
pub fn slope(lowest: usize, mu: f64, layers: &[usize]) -> Vec<usize> {
    layers.iter().map(|&k| lowest + (mu * k as f64).ceil() as usize).collect()
}
