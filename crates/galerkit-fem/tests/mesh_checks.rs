//! Checks, repair, boundary and statistics on meshes small enough to know the answers.

use galerkit_fem::Mesh;
use galerkit_fem::mesh::Shape::{self, Hexahedron, Line, Prism, Pyramid, Quadrilateral, Tetrahedron, Triangle};
use galerkit_fem::mesh::generate::{brick, fichera, l_shape, rectangle, to_simplices};
use galerkit_fem::mesh::lattice::mirrored;
use galerkit_fem::mesh::{Block, Geometry};

fn block(shape: Shape, nodes: &[u32], tag: i32) -> Block {
    Block { shape, order: 1, nodes: nodes.to_vec(), tags: vec![tag; nodes.len() / shape.corners()] }
}

/// Two tetrahedra on both sides of the triangle 0 1 2.
fn two_tetrahedra() -> Mesh {
    let points = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    Mesh { points, blocks: vec![block(Tetrahedron, &[0, 1, 2, 3, 0, 2, 1, 4], 1)], ..Mesh::default() }
}

#[test]
fn inverted_cells_of_every_shape_and_order_are_turned_round() {
    for shape in [Triangle, Quadrilateral, Tetrahedron, Hexahedron, Prism, Pyramid] {
        for order in 1..=shape.max_order() {
            let points = Geometry::new(shape, order).unwrap().nodes();
            let right: Vec<u32> = (0..points.len() as u32).collect();
            let wrong = mirrored(shape, order).into_iter().map(|node| node as u32).collect();
            let blocks = vec![Block { shape, order, nodes: wrong, tags: vec![1] }];
            let mut mesh = Mesh { points, blocks, ..Mesh::default() };
            assert_eq!(mesh.repair().unwrap().inverted.len(), 1, "{shape:?} of order {order}");
            assert_eq!(mesh.blocks[0].nodes, right, "{shape:?} of order {order}");
            assert!(mesh.check().unwrap().inverted.is_empty());
        }
    }
}

#[test]
fn degenerate_cells_are_refused_by_number() {
    let mut mesh = two_tetrahedra();
    mesh.points[4] = [0.3, 0.3, 0.0]; // in the plane of the other three
    let error = mesh.repair().unwrap_err().to_string();
    assert!(error.contains("block 0 cell 1") && error.contains("degenerate"), "{error}");
    let mut bow = rectangle([0.0; 2], [1.0; 2], [1, 1]).unwrap();
    bow.blocks[0].nodes.swap(2, 3); // crosses itself
    let error = bow.repair().unwrap_err().to_string();
    assert!(error.contains("block 0 cell 0"), "{error}");
}

#[test]
fn arrays_that_contradict_each_other_are_refused() {
    let check = |change: fn(&mut Mesh)| {
        let mut mesh = two_tetrahedra();
        change(&mut mesh);
        mesh.check().unwrap_err().to_string()
    };
    assert!(check(|mesh| mesh.blocks[0].nodes[6] = 5).contains("block 0, cell 1"));
    assert!(check(|mesh| mesh.blocks[0].nodes.truncate(7)).contains("2 cells of 4 nodes, but 7"));
    assert!(check(|mesh| mesh.points[3][1] = f64::NAN).contains("point 3"));
    assert!(check(|mesh| mesh.blocks.clear()).contains("there are none"));
}

#[test]
fn unused_points_duplicates_and_components_are_counted() {
    let mut mesh = two_tetrahedra();
    mesh.points.extend([[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0], [5.0, 0.0, 1.0], [9.0, 9.0, 9.0]]);
    mesh.blocks.push(block(Tetrahedron, &[5, 6, 7, 8, 2, 0, 1, 3], 2));
    let findings = mesh.check().unwrap();
    assert_eq!((findings.unused_points, findings.components), (1, vec![3, 1]));
    let twice: Vec<_> = findings.duplicates.iter().map(|id| (id.block, id.cell)).collect();
    assert_eq!(twice, [(1, 1)]);
}

#[test]
fn listed_cells_tag_the_boundary_and_interfaces() {
    let mut mesh = two_tetrahedra();
    mesh.blocks.push(block(Triangle, &[2, 1, 0], 7)); // between the two
    mesh.blocks.push(block(Triangle, &[3, 1, 2], 8)); // a side of the first
    mesh.blocks.push(block(Triangle, &[1, 3, 4], 9)); // no facet
    let boundary = mesh.boundary().unwrap();
    assert_eq!((boundary.facets.len(), boundary.strays), (6, 1));
    assert_eq!(boundary.interfaces.iter().map(|facet| (facet.cell, facet.tag)).collect::<Vec<_>>(), [(0, 7)]);
    let tags: Vec<_> = boundary.facets.iter().filter(|facet| facet.tag != 0).map(|f| (f.cell, f.side, f.tag)).collect();
    assert_eq!(tags, [(0, 0, 8)]);
}

#[test]
fn a_facet_of_three_cells_is_refused() {
    let mut mesh = two_tetrahedra();
    mesh.points.push([0.1, 0.1, 2.0]);
    mesh.blocks.push(block(Tetrahedron, &[0, 1, 2, 5], 1));
    let error = mesh.boundary().unwrap_err().to_string();
    assert!(error.contains("3 cells share this facet"), "{error}");
}

/// sum over the boundary of (x, n) dS = d times the volume: sides are complete and their normals point outward.
#[test]
fn normals_of_the_boundary_point_outward() {
    let corner = fichera(1).unwrap();
    let mut meshes = vec![corner.clone(), to_simplices(&corner).unwrap(), l_shape(2).unwrap()];
    for shape in [Prism, Pyramid] {
        let points = Geometry::new(shape, 1).unwrap().nodes();
        let nodes: Vec<u32> = (0..points.len() as u32).collect();
        meshes.push(Mesh { points, blocks: vec![block(shape, &nodes, 1)], ..Mesh::default() });
    }
    for mesh in meshes {
        let dim = mesh.dim();
        let mut flux = 0.0;
        for block in mesh.blocks_on(&mesh.boundary().unwrap().facets) {
            let geometry = Geometry::new(block.shape, 1).unwrap();
            let at = geometry.at(geometry.centre());
            let reference = match block.shape {
                Line => 2.0,
                Triangle => 0.5,
                _ => 4.0,
            };
            for cell in block.cells() {
                let mapped = at.map(&mesh.points, cell);
                let normal = mapped.normal().unwrap();
                flux += reference * (0..3).map(|d| normal[d] * mapped.point[d]).sum::<f64>();
            }
        }
        let volume: f64 = mesh.volumes(dim).unwrap().iter().sum();
        assert!((flux - dim as f64 * volume).abs() < 1e-12, "{flux}, not {dim} x {volume}");
    }
}

#[test]
fn statistics_of_known_cells() {
    let quality = brick([0.0; 3], [1.0, 1.0, 2.0], [1; 3]).unwrap().quality().unwrap().unwrap();
    assert_eq!((quality.total_volume, quality.edge_ratio.max), (quality.volume.min, 2.0));
    assert!((quality.total_volume - 2.0).abs() < 1e-12);
    assert!((quality.angle.unwrap().min - 90.0).abs() < 1e-12);
    assert!((quality.scaled_jacobian.unwrap().min - 1.0).abs() < 1e-12);
    let quality = two_tetrahedra().quality().unwrap().unwrap();
    let expected = (1.0_f64 / 3.0).sqrt().acos().to_degrees(); // between x + y + z = 1 and a coordinate plane
    assert!((quality.angle.unwrap().min - expected).abs() < 1e-10, "{:?}", quality.angle);
    assert!((quality.edge_ratio.max - 2.0_f64.sqrt()).abs() < 1e-12);
    assert_eq!(quality.scaled_jacobian, None);
}

#[test]
fn tags_are_found_by_name_and_by_number() {
    let mesh = brick([0.0; 3], [1.0; 3], [1; 3]).unwrap();
    assert_eq!((mesh.tag_named(2, "top"), mesh.tag_named(2, "6"), mesh.tag_named(2, "roof")), (Some(6), Some(6), None));
    assert_eq!(mesh.tags(2).len(), 6);
}
