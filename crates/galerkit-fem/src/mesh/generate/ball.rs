//! The ball around the origin: a cube of n³ hexahedra in its middle and six caps of n³ each. Nodes of the surface lie
//! on the sphere; between cube and sphere they are blended linearly.

use super::grid::name_boundary;
use super::onion::{Onion, direction};
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::Mesh;

/// Half an edge of the middle cube, for radius 1.
const CUBE: f64 = 0.4;

/// 7 n³ hexahedra with geometry of degree 1 to 4. Boundary: 1 surface.
///
/// # Errors
/// If a parameter is out of range.
pub fn ball(radius: f64, n: usize, order: usize) -> Result<Mesh> {
    require_counts(&[3 * n; 3], order, "ball")?;
    require(radius > 0.0 && radius.is_finite(), "ball", "its radius must be positive")?;
    let m = (n * order) as i32;
    let position = |[a, b, c, layer]: [i32; 4]| {
        let (u, t) = ([a, b, c].map(|x| f64::from(x) / f64::from(m)), f64::from(layer) / f64::from(m));
        let outward = if layer > 0 { direction(u) } else { [0.0; 3] };
        [0, 1, 2].map(|d| radius * ((1.0 - t) * CUBE * u[d] + t * outward[d]))
    };
    let mut onion = Onion::new(order);
    onion.add([n; 3], |[i, j, l]| [2 * i - m, 2 * j - m, 2 * l - m, 0], position);
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
        let on_cap = |[i, j, l]: [i32; 3]| {
            let mut key = [sign * m, sign * m, sign * m, l];
            key[(axis + 1) % 3] = 2 * i - m;
            key[(axis + 2) % 3] = 2 * j - m;
            key
        };
        onion.add([n; 3], on_cap, position);
    }
    let mut mesh = onion.finish()?;
    mesh.tag_boundary(|_, _| 1)?;
    name_boundary(&mut mesh, &["surface"]);
    Ok(mesh)
}
