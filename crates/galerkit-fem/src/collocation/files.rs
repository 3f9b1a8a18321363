//! Concentrations for ParaView: the mesh of collocation with values at nodes and D of elements.

use super::space::Collocation;
use crate::error::Result;
use crate::io::{Field, write_vtu};
use crate::mesh::{Block, Mesh, Shape};
use std::path::Path;

/// Writes coefficients as VTU.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, space: &Collocation, a: &[f64]) -> Result<()> {
    let field = |name: &str, values: Vec<f64>| Field { name: name.into(), components: 1, values };
    let c = field("c", space.nodal().into_iter().map(|k| a[k]).collect());
    let cells = space.y().map_or(1, |y| y.elements());
    let diffusion = (0..space.elements()).map(|k| space.diffusion([k / cells, k % cells])).collect();
    write_vtu(path, &mesh(space), &[c], &[field("D", diffusion)])
}

fn mesh(space: &Collocation) -> Mesh {
    let [along, across] = space.nodes();
    let height = |j: usize| space.y().map_or(0.0, |y| y.nodes()[j]);
    let points = (0..along * across).map(|k| [space.x().nodes()[k / across], height(k % across), 0.0]).collect();
    let node = |i: usize, j: usize| (i * across + j) as u32;
    let (shape, nodes) = match space.y() {
        None => (Shape::Line, (0..along - 1).flat_map(|i| [node(i, 0), node(i + 1, 0)]).collect::<Vec<_>>()),
        Some(_) => {
            let around = |i, j| [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            let of_column = |i| (0..across - 1).flat_map(move |j| around(i, j));
            (Shape::Quadrilateral, (0..along - 1).flat_map(of_column).collect())
        }
    };
    let tags = vec![1; space.elements()];
    Mesh { points, blocks: vec![Block { shape, order: 1, nodes, tags }], names: Default::default() }
}
