//! A point of a simplex: where it lies, and what the map of the cell does there.

use super::lagrange::Barycentric;
use crate::forest::geometry::{Jacobian, Point, inverted};

/// A point of a cell.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Where it is.
    pub point: Point,
    /// |J|: for straight cells d! times the volume.
    pub volume: f64,
    /// grad lambda_a.
    pub gradients: [Point; 4],
}

impl Placed {
    /// From dx_i / dlambda_a for a = 1, ..., d in the columns of J, which in the plane is completed by a one. None
    /// where the map is not invertible.
    pub fn new(dim: usize, point: Point, J: &Jacobian) -> Option<Self> {
        let size = J.iter().take(dim).flatten().fold(0.0f64, |most, j| most.max(j.abs()));
        let (volume, inverse) = inverted(J).filter(|(volume, _)| volume.abs() > 1e-14 * size.powi(dim as i32))?;
        let mut gradients = [[0.0; 3]; 4];
        for a in 0..dim {
            gradients[a + 1][..dim].copy_from_slice(&inverse[a][..dim]);
            (0..dim).for_each(|i| gradients[0][i] -= inverse[a][i]);
        }
        Some(Self { point, volume: volume.abs(), gradients })
    }
    /// The gradient of a function with given derivatives by the barycentric coordinates.
    pub fn gradient(&self, slopes: &Barycentric) -> Point {
        [0, 1, 2].map(|i| self.gradients.iter().zip(slopes).map(|(g, s)| g[i] * s).sum())
    }
    /// Outer unit normal of the facet opposite to corner a, on which the point lies, and its measure times (d - 1)!.
    pub fn facet(&self, a: usize) -> (Point, f64) {
        let length = self.gradients[a].iter().map(|g| g * g).sum::<f64>().sqrt();
        (self.gradients[a].map(|g| -g / length), self.volume * length)
    }
}
