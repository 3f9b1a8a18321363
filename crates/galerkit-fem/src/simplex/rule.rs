//! Quadrature on simplices: Gauss points of the cube, collapsed (Duffy). n points in each direction are exact to the
//! degree 2n - d.

use super::lagrange::Barycentric;
use crate::quadrature::{Patch, gauss};

/// A point of a rule, with its weight and the functions of a space there.
pub struct Sample {
    /// Barycentric coordinates.
    pub lambda: Barycentric,
    /// Its weight on the reference simplex.
    pub weight: f64,
    /// Values and derivatives by barycentric coordinates, for each order of corners.
    pub functions: Vec<Vec<(f64, Barycentric)>>,
}

/// Points with weights; the weights sum to the volume 1/d! of the reference simplex.
pub fn rule(dim: usize, n: usize) -> Vec<(Barycentric, f64)> {
    let line = gauss(n).on(0.0, 1.0);
    let collapse = |([a, b, c], weight): ([f64; 3], f64)| match dim {
        1 => ([1.0 - a, a, 0.0, 0.0], weight),
        2 => {
            let y = b * (1.0 - a);
            ([1.0 - a - y, a, y, 0.0], weight * (1.0 - a))
        }
        _ => {
            let (y, z) = (b * (1.0 - a), c * (1.0 - a) * (1.0 - b));
            ([1.0 - a - y - z, a, y, z], weight * (1.0 - a) * (1.0 - a) * (1.0 - b))
        }
    };
    let cube = Patch { axes: vec![line; dim] };
    cube.points().map(collapse).collect()
}
