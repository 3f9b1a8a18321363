//! Grids and stencils that problems share.

use super::grid::Point;
use crate::scalar::Scalar;

/// n points along each of the first `dimension` axes.
pub(super) fn cube(dimension: usize, n: usize) -> [usize; 3] {
    [0, 1, 2].map(|d| if d < dimension { n } else { 1 })
}

/// The stencil of a diagonal and one value for each direction: `low` behind, `high` ahead along each axis.
pub(super) fn star<S: Scalar>(diagonal: S, axes: &[(S, S)]) -> Vec<Point<S>> {
    let mut stencil = vec![([0; 3], diagonal)];
    for (d, &(low, high)) in axes.iter().enumerate() {
        let mut offset = [0; 3];
        offset[d] = -1;
        stencil.push((offset, low));
        offset[d] = 1;
        stencil.push((offset, high));
    }
    stencil
}

/// The stencil of a box of 3 points along each of the first `dimension` axes: a diagonal, and -1 everywhere else.
pub(super) fn full_box(dimension: usize) -> Vec<Point<f64>> {
    let points = 3usize.pow(dimension as u32);
    let reach = |p: usize, d: usize| if d < dimension { (p / 3usize.pow(d as u32) % 3) as i64 - 1 } else { 0 };
    let value = |offset| if offset == [0; 3] { points as f64 - 1.0 } else { -1.0 };
    (0..points).map(|p| [reach(p, 0), reach(p, 1), reach(p, 2)]).map(|offset| (offset, value(offset))).collect()
}
