//! The order of nodes against that of VTK, as its PointIndexFromIJK and BarycentricIndex give it (VTK 9.7).

use galerkit_fem::mesh::Shape::{self, Hexahedron, Line, Prism, Pyramid, Quadrilateral, Tetrahedron, Triangle, Vertex};
use galerkit_fem::mesh::facets::{facet_nodes, facet_shape, facets};
use galerkit_fem::mesh::lattice::{lattice, mirrored};

const SHAPES: [Shape; 8] = [Vertex, Line, Triangle, Quadrilateral, Tetrahedron, Hexahedron, Prism, Pyramid];

fn written(shape: Shape, k: usize, skip: usize) -> String {
    let digits = |[i, j, l]: &[usize; 3]| format!("{i}{j}{l}");
    lattice(shape, k).iter().skip(skip).map(digits).collect::<Vec<_>>().join(" ")
}

#[test]
fn nodes_stand_where_vtk_has_them() {
    assert_eq!(written(Quadrilateral, 3, 4), "100 200 310 320 130 230 010 020 110 210 120 220");
    assert_eq!(written(Triangle, 4, 3), "100 200 300 310 220 130 030 020 010 110 210 120");
    let edges = "100 200 300 310 220 130 030 020 010 001 002 003 301 202 103 031 022 013";
    let faces = "101 201 102 121 112 211 011 012 021 110 120 210 111";
    assert_eq!(written(Tetrahedron, 4, 4), format!("{edges} {faces}"));
    let edges = "100 210 120 010 102 212 122 012 001 201 221 021";
    assert_eq!(written(Hexahedron, 2, 8), format!("{edges} 011 211 101 121 110 112 111"));
    let x_faces = "011 021 012 022 311 321 312 322";
    assert!(written(Hexahedron, 3, 8).contains(x_faces));
    let edges = "100 200 210 120 020 010 103 203 213 123 023 013 001 002 301 302 031 032";
    let faces = "110 113 101 201 102 202 211 121 212 122 021 011 022 012 111 112";
    assert_eq!(written(Prism, 3, 6), format!("{edges} {faces}"));
}

#[test]
fn every_shape_lists_each_node_once() {
    for shape in SHAPES {
        for k in 1..=shape.max_order() {
            let mut nodes = lattice(shape, k);
            assert_eq!(nodes.len(), shape.nodes(k), "{shape:?} of degree {k}");
            nodes.sort_unstable();
            nodes.dedup();
            assert_eq!(nodes.len(), shape.nodes(k), "{shape:?} of degree {k} has a node twice");
        }
    }
}

#[test]
fn mirroring_twice_changes_nothing() {
    for shape in SHAPES {
        for k in 1..=shape.max_order() {
            let once = mirrored(shape, k);
            assert!((0..once.len()).all(|node| once[once[node]] == node));
            assert_eq!(once.iter().enumerate().all(|(node, &other)| node == other), shape.dim() < 2);
        }
    }
}

#[test]
fn facets_have_the_nodes_that_lie_on_them() {
    for shape in SHAPES.into_iter().filter(|shape| shape.dim() > 0) {
        for k in 1..=shape.max_order() {
            for (side, corners) in facets(shape).iter().enumerate() {
                let nodes = facet_nodes(shape, k, side);
                assert_eq!(nodes.len(), facet_shape(corners.len()).nodes(k));
                assert_eq!(nodes[..corners.len()], **corners, "corners come first");
            }
        }
    }
}
