//! Whether an exact solution is one of the problem: -div(kappa grad u) is compared with f at points of the domain.

use galerkit::fem::expression::Coefficient;
use galerkit::fem::{Expression, Mesh};

/// Cells that are looked at, and points in each.
const CELLS: usize = 200;
const POINTS: usize = 4;
/// Differences below this part of what is added are rounding, or constants typed with few digits.
const ROUNDING: f64 = 1e-6;

/// A point at which they differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disagreement {
    pub point: [f64; 3],
    /// -div(kappa grad u).
    pub follows: f64,
    /// f.
    pub stated: f64,
}

/// The first point found; none if there is none, or nothing finite to compare.
pub fn disagreement(exact: &Expression, kappa: &Coefficient, rhs: &Expression, mesh: &Mesh) -> Option<Disagreement> {
    let at = |point: [f64; 3]| {
        let ((follows, size), stated) = (kappa.minus_divergence(exact, &point), rhs.at(&point));
        let differ = (follows - stated).abs() > ROUNDING * (size + stated.abs()); // false for NaN
        differ.then_some(Disagreement { point, follows, stated })
    };
    points(mesh).find_map(at)
}

/// Points inside of cells: means of their corners with uneven weights.
fn points(mesh: &Mesh) -> impl Iterator<Item = [f64; 3]> + '_ {
    let cells = mesh.blocks_of(mesh.dim()).flat_map(|block| {
        let (corners, step) = (block.shape.corners(), block.len().div_ceil(CELLS).max(1));
        block.cells().step_by(step).map(move |nodes| &nodes[..corners])
    });
    let weight = |corner: usize, k: usize| (1 + (7 * corner + 5 * k + k * k) % 11) as f64;
    cells.flat_map(move |corners| {
        (0..POINTS).map(move |k| {
            let sum: f64 = (0..corners.len()).map(|corner| weight(corner, k)).sum();
            let along = |d: usize| {
                let terms = corners.iter().enumerate().map(|(c, &node)| weight(c, k) * mesh.points[node as usize][d]);
                terms.sum::<f64>() / sum
            };
            [along(0), along(1), along(2)]
        })
    })
}
