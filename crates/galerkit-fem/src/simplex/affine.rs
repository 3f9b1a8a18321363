//! The map of a straight simplex, x = sum_a lambda_a x_a: its volume factor |J| and the gradients of the barycentric
//! coordinates.

use super::lagrange::Barycentric;
use crate::forest::geometry::{Point, inverted};

/// A triangle in the plane or a tetrahedron in space.
#[derive(Clone, Debug)]
pub struct Affine {
    /// The corners.
    pub corners: Vec<Point>,
    /// |J|: d! times the volume.
    pub volume: f64,
    /// grad lambda_a.
    pub gradients: [Point; 4],
}

impl Affine {
    /// The simplex with given corners; none if it has no volume.
    pub fn new(corners: Vec<Point>) -> Option<Self> {
        let dim = corners.len() - 1;
        let mut J = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        for i in 0..dim {
            (0..dim).for_each(|a| J[i][a] = corners[a + 1][i] - corners[0][i]);
        }
        let size = J.iter().take(dim).flatten().fold(0.0f64, |most, j| most.max(j.abs()));
        let (volume, inverse) = inverted(&J).filter(|(volume, _)| volume.abs() > 1e-14 * size.powi(dim as i32))?;
        let mut gradients = [[0.0; 3]; 4];
        for a in 0..dim {
            gradients[a + 1][..dim].copy_from_slice(&inverse[a][..dim]);
            (0..dim).for_each(|i| gradients[0][i] -= inverse[a][i]);
        }
        Some(Self { corners, volume: volume.abs(), gradients })
    }
    /// The point with given barycentric coordinates.
    pub fn at(&self, lambda: &Barycentric) -> Point {
        [0, 1, 2].map(|i| self.corners.iter().zip(lambda).map(|(corner, l)| l * corner[i]).sum())
    }
    /// The gradient of a function with given derivatives by the barycentric coordinates.
    pub fn gradient(&self, slopes: &Barycentric) -> Point {
        [0, 1, 2].map(|i| self.gradients.iter().zip(slopes).map(|(g, s)| g[i] * s).sum())
    }
    /// The barycentric coordinates of a point.
    pub fn inverse(&self, x: &Point) -> Barycentric {
        std::array::from_fn(|a| {
            let value = |x: &Point| (0..3).map(|i| self.gradients[a][i] * (x[i] - self.corners[0][i])).sum::<f64>();
            if a < self.corners.len() { value(x) + f64::from(a == 0) } else { 0.0 }
        })
    }
    /// Outer unit normal of the facet opposite to corner a, and its measure times (d - 1)!.
    pub fn facet(&self, a: usize) -> (Point, f64) {
        let length = self.gradients[a].iter().map(|g| g * g).sum::<f64>().sqrt();
        (self.gradients[a].map(|g| -g / length), self.volume * length)
    }
}
