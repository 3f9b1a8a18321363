//! Kuhn's triangulation: a cube is the union of the six simplices 0 <= x_a <= x_b <= x_c <= 1, all with the diagonal
//! from the first corner to the last. Cells of a grid, which all have the same axes, are cut alike on both sides of a
//! face.

use crate::error::{Error, Result};
use crate::mesh::{Block, Mesh, Shape, UNTAGGED};
use std::collections::HashMap;

/// Corners of a hexahedron in each of its six tetrahedra, positively oriented.
pub(crate) const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// Triangles for quadrilaterals, six tetrahedra for each hexahedron of a mesh that is a grid; tags and names stay.
///
/// # Errors
/// If the mesh has other cells, or curved ones.
pub fn to_simplices(mesh: &Mesh) -> Result<Mesh> {
    let dim = mesh.dim();
    let mut simplices = Mesh { points: mesh.points.clone(), ..Mesh::default() };
    for (number, block) in mesh.blocks.iter().enumerate().filter(|(_, block)| block.shape.dim() == dim) {
        let (shape, pieces): (_, Vec<&[usize]>) = match (block.shape, block.order) {
            (Shape::Quadrilateral, 1) => (Shape::Triangle, TRIANGLES.iter().map(|p| &p[..]).collect()),
            (Shape::Hexahedron, 1) => (Shape::Tetrahedron, TETRAHEDRA.iter().map(|p| &p[..]).collect()),
            _ => return Err(not_a_grid(number)),
        };
        let mut cut = Block { shape, order: 1, nodes: Vec::new(), tags: Vec::new() };
        for (cell, &tag) in block.cells().zip(&block.tags) {
            cut.nodes.extend(pieces.iter().flat_map(|piece| piece.iter().map(|&corner| cell[corner])));
            cut.tags.extend(std::iter::repeat_n(tag, pieces.len()));
        }
        simplices.blocks.push(cut);
    }
    let tags = corner_triples(mesh);
    simplices.tag_boundary(|cut, facet| tags.get(&triple(&cut.facet_nodes(facet))).copied().unwrap_or(UNTAGGED))?;
    simplices.names = mesh.names.clone();
    Ok(simplices)
}

fn not_a_grid(block: usize) -> Error {
    let problem = "only straight quadrilaterals and hexahedra of a grid are cut into simplices";
    Error::InvalidMesh { place: format!("block {block}"), problem: problem.into() }
}

fn triple(corners: &[u32]) -> [u32; 3] {
    let mut triple = [u32::MAX; 3];
    triple.iter_mut().zip(corners).for_each(|(place, corner)| *place = *corner);
    triple.sort_unstable();
    triple
}

/// Tags of boundary facets by three of their corners: the triangles into which a quadrilateral may be cut.
fn corner_triples(mesh: &Mesh) -> HashMap<[u32; 3], i32> {
    let mut tags = HashMap::new();
    for block in mesh.blocks_of(mesh.dim() - 1) {
        for (cell, &tag) in block.cells().zip(&block.tags) {
            let left_out = |out: usize| cell.iter().enumerate().filter(move |(i, _)| *i != out).map(|(_, &node)| node);
            let last = if cell.len() == 4 { 0 } else { 3 };
            tags.extend((last..4).map(|out| (triple(&left_out(out).collect::<Vec<_>>()), tag)));
        }
    }
    tags
}
