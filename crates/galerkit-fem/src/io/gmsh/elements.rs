//! Gmsh's numbers for shapes and orders. Prisms end at 2: Gmsh has no fixed order of nodes for higher ones.

use crate::error::Result;
use crate::io::scan::Scanner;
use crate::mesh::Shape;

const KNOWN: [(i64, Shape, usize); 25] = [
    (15, Shape::Vertex, 1),
    (1, Shape::Line, 1),
    (8, Shape::Line, 2),
    (26, Shape::Line, 3),
    (27, Shape::Line, 4),
    (2, Shape::Triangle, 1),
    (9, Shape::Triangle, 2),
    (21, Shape::Triangle, 3),
    (23, Shape::Triangle, 4),
    (3, Shape::Quadrilateral, 1),
    (10, Shape::Quadrilateral, 2),
    (36, Shape::Quadrilateral, 3),
    (37, Shape::Quadrilateral, 4),
    (4, Shape::Tetrahedron, 1),
    (11, Shape::Tetrahedron, 2),
    (29, Shape::Tetrahedron, 3),
    (30, Shape::Tetrahedron, 4),
    (5, Shape::Hexahedron, 1),
    (12, Shape::Hexahedron, 2),
    (92, Shape::Hexahedron, 3),
    (93, Shape::Hexahedron, 4),
    (6, Shape::Prism, 1),
    (13, Shape::Prism, 2),
    (7, Shape::Pyramid, 1),
    (14, Shape::Pyramid, 2),
];

/// Elements without the nodes inside of their faces.
const INCOMPLETE: [i64; 6] = [16, 17, 18, 19, 20, 22];

/// The shape and order of a type.
pub(super) fn shape_of(scanner: &Scanner, number: i64) -> Result<(Shape, usize)> {
    let known = KNOWN.iter().find(|(known, ..)| *known == number).map(|&(_, shape, order)| (shape, order));
    known.ok_or_else(|| {
        scanner.error(if INCOMPLETE.contains(&number) {
            format!("elements of type {number} lack nodes inside of faces: set Mesh.SecondOrderIncomplete = 0 and mesh again")
        } else {
            format!("elements of type {number} are not known: shapes of order 1 to 4 are, prisms and pyramids to 2")
        })
    })
}

/// The type of a shape and order.
pub(super) fn number_of(shape: Shape, order: usize) -> Option<i64> {
    KNOWN.iter().find(|(_, s, o)| (*s, *o) == (shape, order)).map(|(number, ..)| *number)
}
