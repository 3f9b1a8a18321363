//! The sides of a cell: its faces in space, its edges in the plane, its ends on a line. Corners are listed so that the
//! normal of a facet points out of a cell with positive orientation.

use super::Shape;
use super::lattice::{corners, lattice, on_face, permutation};

/// The corners of each side.
pub fn facets(shape: Shape) -> &'static [&'static [usize]] {
    match shape {
        Shape::Vertex => &[],
        Shape::Line => &[&[0], &[1]],
        Shape::Triangle => &[&[0, 1], &[1, 2], &[2, 0]],
        Shape::Quadrilateral => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
        Shape::Tetrahedron => &[&[1, 2, 3], &[0, 3, 2], &[0, 1, 3], &[0, 2, 1]],
        Shape::Hexahedron => {
            &[&[0, 4, 7, 3], &[1, 2, 6, 5], &[0, 1, 5, 4], &[2, 3, 7, 6], &[0, 3, 2, 1], &[4, 5, 6, 7]]
        }
        Shape::Prism => &[&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]],
        Shape::Pyramid => &[&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4]],
    }
}

/// The shape of a side of a cell of this dimension, by its corners.
pub fn facet_shape(corners: usize) -> Shape {
    match corners {
        1 => Shape::Vertex,
        2 => Shape::Line,
        3 => Shape::Triangle,
        _ => Shape::Quadrilateral,
    }
}

/// Which nodes of a cell of degree k lie on a side, in the order of the nodes of a cell of the side's shape.
pub fn facet_nodes(shape: Shape, k: usize, side: usize) -> Vec<usize> {
    let facet = facets(shape)[side];
    let positions = lattice(facet_shape(facet.len()), k);
    let on_side: Vec<_> = positions.into_iter().map(|position| on_face(corners(shape), facet, k, position)).collect();
    permutation(&on_side, &lattice(shape, k))
}
