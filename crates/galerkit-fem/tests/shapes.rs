//! Counts of points by shape and order, as in the handbooks of Gmsh and VTK.

use galerkit_fem::mesh::Shape::{Hexahedron, Prism, Pyramid, Quadrilateral, Tetrahedron, Triangle};

#[test]
fn cells_have_as_many_points_as_their_order_asks() {
    let counts =
        |k: usize| [Triangle, Quadrilateral, Tetrahedron, Hexahedron, Prism, Pyramid].map(|shape| shape.nodes(k));
    assert_eq!(counts(1), [3, 4, 4, 8, 6, 5]);
    assert_eq!(counts(2), [6, 9, 10, 27, 18, 14]);
    assert_eq!(counts(3), [10, 16, 20, 64, 40, 30]);
}
