//! What lies between two spheres around the origin: six caps. Nodes of every layer lie exactly on a sphere.

use super::grid::name_boundary;
use super::onion::{Onion, direction};
use super::parameter::{require, require_counts};
use crate::error::Result;
use crate::mesh::Mesh;

/// 6 n² hexahedra in each of the layers, with geometry of degree 1 to 4. Boundary: 1 inner, 2 outer.
///
/// # Errors
/// If a parameter is out of range.
pub fn thick_shell(inner: f64, outer: f64, n: usize, layers: usize, order: usize) -> Result<Mesh> {
    require_counts(&[3 * n, 2 * n, layers], order, "thick shell")?;
    let ordered = 0.0 < inner && inner < outer && outer.is_finite();
    require(ordered, "thick shell", "its radii must be positive, the first below the second")?;
    let (m, top) = ((n * order) as i32, f64::from((layers * order) as i32));
    let position = |[a, b, c, layer]: [i32; 4]| {
        let radius = inner + (outer - inner) * f64::from(layer) / top;
        direction([a, b, c].map(|x| f64::from(x) / f64::from(m))).map(|x| radius * x)
    };
    let mut onion = Onion::new(order);
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, -1), (axis, 1)]) {
        let on_cap = |[i, j, l]: [i32; 3]| {
            let mut key = [sign * m, sign * m, sign * m, l];
            key[(axis + 1) % 3] = 2 * i - m;
            key[(axis + 2) % 3] = 2 * j - m;
            key
        };
        onion.add([n, n, layers], on_cap, position);
    }
    let mut mesh = onion.finish()?;
    let between = 0.5 * (inner + outer);
    mesh.tag_boundary(|mesh, facet| {
        let node = mesh.points[mesh.facet_nodes(facet)[0] as usize];
        if node.iter().map(|x| x * x).sum::<f64>().sqrt() < between { 1 } else { 2 }
    })?;
    name_boundary(&mut mesh, &["inner", "outer"]);
    Ok(mesh)
}
