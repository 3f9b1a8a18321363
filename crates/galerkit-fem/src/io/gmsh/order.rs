//! The order in which Gmsh lists the nodes of a cell: other edges and faces than VTK, and smaller cells nested inside
//! of each other.

use crate::mesh::Shape;
use crate::mesh::lattice::{Numbering, lattice, numbered, permutation};

const GMSH: Numbering = Numbering { edges, faces, nested: true };

fn edges(shape: Shape) -> &'static [[usize; 2]] {
    match shape {
        Shape::Vertex => &[],
        Shape::Line => &[[0, 1]],
        Shape::Triangle => &[[0, 1], [1, 2], [2, 0]],
        Shape::Quadrilateral => &[[0, 1], [1, 2], [2, 3], [3, 0]],
        Shape::Tetrahedron => &[[0, 1], [1, 2], [2, 0], [3, 0], [3, 2], [3, 1]],
        Shape::Hexahedron => {
            &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]]
        }
        Shape::Prism => &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 4], [2, 5], [3, 4], [3, 5], [4, 5]],
        Shape::Pyramid => &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 4], [2, 3], [2, 4], [3, 4]],
    }
}

fn faces(shape: Shape) -> &'static [&'static [usize]] {
    match shape {
        Shape::Vertex | Shape::Line => &[],
        Shape::Triangle => &[&[0, 1, 2]],
        Shape::Quadrilateral => &[&[0, 1, 2, 3]],
        Shape::Tetrahedron => &[&[0, 2, 1], &[0, 1, 3], &[0, 3, 2], &[3, 1, 2]],
        Shape::Hexahedron => {
            &[&[0, 3, 2, 1], &[0, 1, 5, 4], &[0, 4, 7, 3], &[1, 2, 6, 5], &[2, 3, 7, 6], &[4, 5, 6, 7]]
        }
        Shape::Prism => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[0, 3, 5, 2], &[1, 2, 5, 4]],
        Shape::Pyramid => &[&[0, 1, 4], &[3, 0, 4], &[1, 2, 4], &[2, 3, 4], &[0, 3, 2, 1]],
    }
}

/// Nodes of cells as Gmsh lists them, in the order of this crate.
pub(super) fn to_ours(shape: Shape, order: usize, nodes: Vec<u32>) -> Vec<u32> {
    reordered(nodes, &permutation(&lattice(shape, order), &numbered(shape, order, GMSH)))
}

/// The opposite.
pub(super) fn to_gmsh(shape: Shape, order: usize, nodes: Vec<u32>) -> Vec<u32> {
    reordered(nodes, &permutation(&numbered(shape, order, GMSH), &lattice(shape, order)))
}

fn reordered(nodes: Vec<u32>, from: &[usize]) -> Vec<u32> {
    if from.iter().enumerate().all(|(i, j)| i == *j) {
        return nodes;
    }
    nodes.chunks_exact(from.len()).flat_map(|cell| from.iter().map(|&place| cell[place])).collect()
}
