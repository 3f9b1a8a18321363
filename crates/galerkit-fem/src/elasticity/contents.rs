//! A deformed body as a file: the mesh as it was, with fields at its points.

use super::displacement::Displacement;
use crate::error::Result;
use crate::form::Tensor;
use crate::form::elasticity::von_mises;
use crate::io::{Contents, Field};

impl Displacement {
    /// The body with displacement, stress (xx, yy, zz, xy, yz, zx) and von Mises' stress at its points.
    ///
    /// # Errors
    /// If the material is none somewhere.
    pub fn contents(&self) -> Result<Contents> {
        let stresses = self.stresses()?;
        let components = |s: &Tensor| [s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[2][0]];
        let field = |name: &str, components, values| Field { name: name.into(), components, values };
        let mut mesh = self.solid().mesh().clone();
        mesh.blocks.retain(|block| block.shape.dim() == 3);
        let point_data = vec![
            field("displacement", 3, self.values().iter().flatten().copied().collect()),
            field("stress", 6, stresses.iter().flat_map(components).collect()),
            field("von Mises", 1, stresses.iter().map(von_mises).collect()),
        ];
        Ok(Contents { mesh, point_data, cell_data: Vec::new() })
    }
}
