//! The displacement of a body: how far it goes, its energy and errors, the body as it is deformed.

use super::cells::{At, contracted, derivatives};
use super::solid::Solid;
use crate::error::{Error, Result};
use crate::form::Site;
use crate::mesh::Mesh;
use crate::mesh::geometry::dot;
use galerkit_linalg::parallel;

/// u_h, by its values at the nodes.
#[derive(Clone)]
pub struct Displacement {
    solid: Solid,
    u: Vec<[f64; 3]>,
}

impl Displacement {
    pub(super) fn new(solid: Solid, u: Vec<[f64; 3]>) -> Self {
        Self { solid, u }
    }
    /// The body.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }
    /// u at each point of the mesh.
    pub fn values(&self) -> &[[f64; 3]] {
        &self.u
    }
    /// |u| at each point of the mesh.
    pub fn lengths(&self) -> Vec<f64> {
        self.u.iter().map(|u| dot(*u, *u).sqrt()).collect()
    }
    /// The node that goes farthest.
    pub fn farthest(&self) -> usize {
        let lengths = self.lengths();
        (0..lengths.len()).fold(0, |most, node| if lengths[node] > lengths[most] { node } else { most })
    }
    /// The node nearest to a point.
    pub fn nearest(&self, x: &[f64; 3]) -> usize {
        let points = &self.solid.mesh.points;
        let square = |node: usize| (0..3).map(|d| (points[node][d] - x[d]).powi(2)).sum::<f64>();
        let used = (0..points.len()).filter(|&node| !self.solid.cells.around(node).is_empty());
        used.min_by(|&a, &b| square(a).total_cmp(&square(b))).unwrap_or(0)
    }

    /// The energy of deformation, int sigma : eps / 2.
    ///
    /// # Errors
    /// If the material is none.
    pub fn energy(&self) -> Result<f64> {
        let Solid { mesh, cells, material, .. } = &self.solid;
        self.sum(&|e, sum| {
            let (nodes, region) = (cells.nodes(mesh, e), cells.region(mesh, e));
            cells.visit(mesh, e, At::Products, &mut |_, at| {
                let grad = derivatives(nodes, at.gradients, &self.u);
                let law = material.at(&Site { point: at.x, region })?;
                *sum += 0.5 * at.weight * contracted(&law.stress(&grad), &grad);
                Ok(())
            })
        })
    }

    /// The norm of u - u_h in L2.
    ///
    /// # Errors
    /// If a cell is folded.
    pub fn l2_error(&self, exact: &(dyn Fn(&[f64; 3]) -> [f64; 3] + Sync)) -> Result<f64> {
        let Solid { mesh, cells, .. } = &self.solid;
        let square = self.sum(&|e, sum| {
            let nodes = cells.nodes(mesh, e);
            cells.visit(mesh, e, At::Data, &mut |_, at| {
                let mut miss = exact(&at.x);
                for (&node, value) in nodes.iter().zip(at.values) {
                    (0..3).for_each(|d| miss[d] -= value * self.u[node as usize][d]);
                }
                *sum += at.weight * dot(miss, miss);
                Ok(())
            })
        })?;
        Ok(square.sqrt())
    }

    /// The sum over cells, in their order.
    fn sum(&self, add: &(dyn Fn(usize, &mut f64) -> Result<()> + Sync)) -> Result<f64> {
        let of_cell = |e: usize| {
            let mut sum = 0.0;
            add(e, &mut sum)?;
            Ok::<_, Error>(sum)
        };
        Ok(parallel::try_values(self.solid.cells.count(), &of_cell)?.into_iter().sum())
    }

    /// The body with every point moved by a multiple of u.
    pub fn deformed(&self, scale: f64) -> Mesh {
        let mesh = &self.solid.mesh;
        let moved = |(x, u): (&[f64; 3], &[f64; 3])| std::array::from_fn(|d| x[d] + scale * u[d]);
        Mesh { points: mesh.points.iter().zip(&self.u).map(moved).collect(), ..(**mesh).clone() }
    }

    /// The multiple of u that moves the farthest point by a tenth of the size of the body; 1 where nothing moves.
    pub fn visible_scale(&self) -> f64 {
        let points = &self.solid.mesh.points;
        let end = |d: usize, pick: fn(f64, f64) -> f64| points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
        let size = (0..3).map(|d| end(d, f64::max) - end(d, f64::min)).fold(0.0, f64::max);
        let most = self.lengths().into_iter().fold(0.0, f64::max);
        let scale = 0.1 * size / most;
        if scale.is_finite() && scale > 0.0 { scale } else { 1.0 }
    }
}
