//! Stresses at nodes: what each cell has there, averaged by the volumes of the cells.

use super::cells::{At, derivatives};
use super::displacement::Displacement;
use crate::error::{Error, Result};
use crate::form::elasticity::von_mises;
use crate::form::{Site, Tensor};
use galerkit_linalg::parallel;

impl Displacement {
    /// sigma at each point of the mesh; zero where no cell is.
    ///
    /// # Errors
    /// If the material is none there.
    pub fn stresses(&self) -> Result<Vec<Tensor>> {
        let solid = self.solid();
        let volumes = solid.mesh().volumes(3)?;
        let of_cells = parallel::try_values(volumes.len(), &|e| self.in_cell(e))?;
        let of_node = |node: usize| {
            let (mut sum, mut volume) = ([[0.0; 3]; 3], 0.0);
            for &e in solid.cells.around(node) {
                let nodes = solid.cells.nodes(&solid.mesh, e as usize);
                let own = nodes.iter().position(|&other| other as usize == node).unwrap_or(0);
                let stress = of_cells[e as usize][own];
                if stress.iter().flatten().all(|s| s.is_finite()) {
                    volume += volumes[e as usize];
                    (0..9).for_each(|k| sum[k / 3][k % 3] += volumes[e as usize] * stress[k / 3][k % 3]);
                }
            }
            if volume > 0.0 { sum.map(|row| row.map(|s| s / volume)) } else { sum }
        };
        Ok(parallel::values(solid.mesh().points.len(), &of_node))
    }

    /// Von Mises' stress at each point of the mesh.
    ///
    /// # Errors
    /// As [`stresses`](Self::stresses).
    pub fn von_mises(&self) -> Result<Vec<f64>> {
        Ok(self.stresses()?.iter().map(von_mises).collect())
    }

    /// sigma at the nodes of a cell; at the apex of a pyramid there is none.
    fn in_cell(&self, e: usize) -> Result<Vec<Tensor>> {
        let solid = self.solid();
        let (nodes, region) = (solid.cells.nodes(&solid.mesh, e), solid.cells.region(&solid.mesh, e));
        let mut stresses = vec![[[f64::NAN; 3]; 3]; nodes.len()];
        solid.cells.visit(&solid.mesh, e, At::Nodes, &mut |k, at| {
            let law = solid.material.at(&Site { point: at.x, region })?;
            stresses[k] = law.stress(&derivatives(nodes, at.gradients, self.values()));
            Ok::<_, Error>(())
        })?;
        Ok(stresses)
    }
}
