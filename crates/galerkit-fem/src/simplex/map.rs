//! The map of a simplex: straight, x = sum_a lambda_a x_a, or isoparametric, x = sum_a N_a(lambda) x_a with the
//! Lagrange functions of its geometry.

use super::lagrange::Barycentric;
use super::placed::Placed;
use crate::error::{Error, Result};
use crate::forest::geometry::{Jacobian, Point};
use crate::mesh::geometry::Geometry;

/// Newton's steps towards the coordinates of a point of a curved cell.
const STEPS: usize = 20;

/// The map of a cell, by its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a> {
    /// The cell's number.
    pub cell: usize,
    /// Its dimension.
    pub dim: usize,
    /// The points of the mesh.
    pub points: &'a [Point],
    /// Its nodes, corners first.
    pub nodes: &'a [u32],
    /// Its geometry, unless it is straight.
    pub geometry: Option<&'a Geometry>,
}

impl Map<'_> {
    /// The point with given barycentric coordinates.
    ///
    /// # Errors
    /// If the cell is degenerate or folds there.
    pub fn at(&self, lambda: &Barycentric) -> Result<Placed> {
        let placed = match self.geometry {
            None => self.straight(lambda),
            Some(geometry) => self.curved(geometry, lambda),
        };
        let problem = || if self.geometry.is_some() { "it is folded or has no volume" } else { "it has no volume" };
        placed.ok_or_else(|| Error::InvalidMesh { place: format!("cell {}", self.cell), problem: problem().into() })
    }

    /// The centre.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn centre(&self) -> Result<Placed> {
        self.at(&self.middle())
    }

    fn middle(&self) -> Barycentric {
        std::array::from_fn(|a| if a <= self.dim { 1.0 / (self.dim as f64 + 1.0) } else { 0.0 })
    }

    fn straight(&self, lambda: &Barycentric) -> Option<Placed> {
        let corner = |a: usize| &self.points[self.nodes[a] as usize];
        let point = [0, 1, 2].map(|i| (0..=self.dim).map(|a| lambda[a] * corner(a)[i]).sum());
        Placed::new(self.dim, point, &self.jacobian(|i, a| corner(a + 1)[i] - corner(0)[i]))
    }

    fn curved(&self, geometry: &Geometry, lambda: &Barycentric) -> Option<Placed> {
        let mapped = geometry.at([lambda[1], lambda[2], lambda[3]]).map(self.points, self.nodes);
        Placed::new(self.dim, mapped.point, &self.jacobian(|i, a| mapped.columns[a][i]))
    }

    /// J by its entries dx_i / dlambda_(a + 1), in the plane completed by a one.
    fn jacobian(&self, entry: impl Fn(usize, usize) -> f64) -> Jacobian {
        let at = |i: usize, a: usize| if i.max(a) < self.dim { entry(i, a) } else { f64::from(i == a) };
        std::array::from_fn(|i| std::array::from_fn(|a| at(i, a)))
    }

    /// The barycentric coordinates of a point; none where they are not found, far outside of a curved cell.
    pub fn inverse(&self, x: &Point) -> Option<Barycentric> {
        let step = |lambda: &Barycentric| {
            let at = self.at(lambda).ok()?;
            let miss = [0, 1, 2].map(|i| x[i] - at.point[i]);
            Some(at.gradients.map(|g| (0..3).map(|i| g[i] * miss[i]).sum::<f64>()))
        };
        let mut lambda = self.middle();
        for _ in 0..STEPS {
            let change = step(&lambda)?;
            (0..4).for_each(|a| lambda[a] += change[a]);
            let size = change.iter().fold(0.0f64, |most, c| most.max(c.abs()));
            if self.geometry.is_none() || size < 1e-13 {
                return Some(lambda);
            }
        }
        None
    }
}
