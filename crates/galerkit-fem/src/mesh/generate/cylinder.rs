//! The cylinder around the axis of z, 0 < z < height: a square of n² quadrilaterals in its middle, four caps of n²
//! each, layer by layer. Nodes of the side lie on the circle; between square and circle they are blended linearly.

use super::grid::{middle, name_boundary};
use super::onion::{Onion, direction};
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::Mesh;

/// Half an edge of the middle square, for radius 1.
const SQUARE: f64 = 0.45;

/// 5 n² hexahedra in each of the layers, with geometry of degree 1 to 4. Boundary: 1 side, 2 bottom, 3 top.
///
/// # Errors
/// If a parameter is out of range.
pub fn cylinder(radius: f64, height: f64, n: usize, layers: usize, order: usize) -> Result<Mesh> {
    require_counts(&[3 * n, 3 * n, layers], order, "cylinder")?;
    let positive = radius > 0.0 && height > 0.0 && radius.is_finite() && height.is_finite();
    require(positive, "cylinder", "its radius and height must be positive")?;
    let (m, top) = ((n * order) as i32, f64::from((layers * order) as i32));
    let position = |[a, b, layer, z]: [i32; 4]| {
        let (u, t) = ([a, b].map(|x| f64::from(x) / f64::from(m)), f64::from(layer) / f64::from(m));
        let outward = if layer > 0 { direction(u) } else { [0.0; 2] };
        let [x, y] = [0, 1].map(|d| radius * ((1.0 - t) * SQUARE * u[d] + t * outward[d]));
        [x, y, height * f64::from(z) / top]
    };
    let mut onion = Onion::new(order);
    onion.add([n, n, layers], |[i, j, z]| [2 * i - m, 2 * j - m, 0, z], position);
    for (axis, sign) in [(0, -1), (0, 1), (1, -1), (1, 1)] {
        let on_cap = |[i, layer, z]: [i32; 3]| {
            let mut key = [sign * m, sign * m, layer, z];
            key[1 - axis] = 2 * i - m;
            key
        };
        onion.add([n, n, layers], on_cap, position);
    }
    let mut mesh = onion.finish()?;
    mesh.tag_boundary(|mesh, facet| {
        let z = middle(mesh, facet)[2] / height;
        let rim = 0.25 / layers as f64; // below the middle of any facet of the side
        if z < rim {
            2
        } else if z > 1.0 - rim {
            3
        } else {
            1
        }
    })?;
    name_boundary(&mut mesh, &["side", "bottom", "top"]);
    Ok(mesh)
}
