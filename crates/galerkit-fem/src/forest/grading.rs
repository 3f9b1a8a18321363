//! Geometric meshes: cells that touch given points or edges are cut again and again, so that cells shrink by 1/2 from
//! layer to layer. Layer 0 are the cells at the target; degrees that grow with the layer, p_k = p_0 + ceil(mu k), give
//! exponential convergence at points.

use super::geometry::Point;
use super::leaves::Forest;
use crate::error::Result;

/// Relative distance of a corner to a segment that counts as rounding.
const NEAR: f64 = 1e-9;

/// What a mesh is graded towards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A point: cells that contain it are at it.
    Point(Point),
    /// The segment between two points: cells with a corner on it are at it.
    Segment(Point, Point),
}

impl Target {
    fn touches(&self, forest: &Forest, e: usize) -> bool {
        match self {
            Self::Point(point) => forest.touches(e, point),
            Self::Segment(from, to) => {
                let ends = |c: usize| [0, 1, 2].map(|a| a < forest.dim() && c >> a & 1 == 1);
                (0..1 << forest.dim()).any(|c| is_between(&forest.map(e).corner(ends(c)), from, to))
            }
        }
    }
}

/// Whether x lies on a segment, but for rounding.
fn is_between(x: &Point, from: &Point, to: &Point) -> bool {
    let minus = |a: &Point, b: &Point| [0, 1, 2].map(|i| a[i] - b[i]);
    let dot = |a: Point, b: Point| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
    let (way, offset) = (minus(to, from), minus(x, from));
    let length = dot(way, way);
    let along = (dot(way, offset) / length).clamp(0.0, 1.0);
    let miss = minus(&offset, &way.map(|d| along * d));
    dot(miss, miss) <= NEAR * NEAR * length
}

/// Cuts the cells at the targets `layers` times; the layer of each cell.
pub fn grade(forest: &mut Forest, targets: &[Target], layers: usize) -> Result<Vec<usize>> {
    for _ in 0..layers {
        let at = at_targets(forest, targets);
        let cells: Vec<usize> = (0..at.len()).filter(|&e| at[e]).collect();
        forest.refine(&cells)?;
    }
    let finest = forest.cells().iter().map(|cell| cell.level).max().unwrap_or(0) as usize;
    let at = at_targets(forest, targets);
    let layer = |(cell, at): (&super::Cell, &bool)| if *at { 0 } else { finest + 1 - cell.level as usize };
    Ok(forest.cells().iter().zip(&at).map(layer).collect())
}

fn at_targets(forest: &Forest, targets: &[Target]) -> Vec<bool> {
    (0..forest.cells().len()).map(|e| targets.iter().any(|target| target.touches(forest, e))).collect()
}

/// The degrees of a geometric mesh: p_0 + ceil(mu k) in layer k.
pub fn slope(lowest: usize, mu: f64, layers: &[usize]) -> Vec<usize> {
    layers.iter().map(|&k| lowest + (mu * k as f64).ceil() as usize).collect()
}
