//! Generated meshes: counts, volumes and areas against exact values, with the order in h that the geometry promises.

use galerkit_fem::Mesh;
use galerkit_fem::mesh::Block;
use galerkit_fem::mesh::Shape::{Hexahedron, Line, Quadrilateral, Tetrahedron, Triangle};
use galerkit_fem::mesh::generate::{
    ball, brick, cylinder, fichera, kuhn_box, l_prism, l_shape, rectangle, thick_shell, to_simplices,
};
use std::f64::consts::PI;

fn volume(mesh: &Mesh, dim: usize) -> f64 {
    mesh.volumes(dim).unwrap().iter().sum()
}

/// Area of the boundary with a name.
fn area(mesh: &Mesh, name: &str) -> f64 {
    let dim = mesh.dim() - 1;
    let tag = mesh.tag_named(dim, name).unwrap_or_else(|| panic!("no boundary is called {name}"));
    let tags = mesh.blocks_of(dim).flat_map(|block| &block.tags);
    mesh.volumes(dim).unwrap().iter().zip(tags).filter(|(_, found)| **found == tag).map(|(area, _)| area).sum()
}

fn assert_sound(mesh: &Mesh) {
    let findings = mesh.check().unwrap();
    assert!(findings.inverted.is_empty() && findings.degenerate.is_empty() && findings.duplicates.is_empty());
    assert_eq!((findings.unused_points, findings.components.len()), (0, 1));
    let boundary = mesh.boundary().unwrap();
    assert_eq!((boundary.strays, boundary.interfaces.len()), (0, 0));
    assert!(boundary.facets.iter().all(|facet| facet.tag > 0), "every facet has a tag");
}

#[track_caller]
fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12 * expected.abs(), "{found}, not {expected}");
}

#[test]
fn grids_have_their_counts_volumes_and_sides() {
    let mesh = brick([0.0, -1.0, 2.0], [2.0, 2.0, 3.0], [2, 3, 4]).unwrap();
    assert_eq!((mesh.points.len(), mesh.count(Hexahedron, 1), mesh.count(Quadrilateral, 1)), (60, 24, 52));
    for (name, expected) in
        [("left", 3.0), ("right", 3.0), ("front", 2.0), ("back", 2.0), ("bottom", 6.0), ("top", 6.0)]
    {
        assert_near(area(&mesh, name), expected);
    }
    let flat = rectangle([0.0, 0.0], [2.0, 1.0], [4, 3]).unwrap();
    assert_eq!((flat.count(Quadrilateral, 1), flat.count(Line, 1)), (12, 14));
    assert_near(area(&flat, "top"), 2.0);
    let tetrahedra = to_simplices(&mesh).unwrap();
    assert_eq!((tetrahedra.count(Tetrahedron, 1), tetrahedra.count(Triangle, 1)), (144, 104));
    assert_near(area(&tetrahedra, "top"), 6.0);
    let triangles = to_simplices(&flat).unwrap();
    assert_eq!((triangles.count(Triangle, 1), triangles.count(Line, 1)), (24, 14));
    for (mesh, expected) in [(mesh, 6.0), (flat, 2.0), (tetrahedra, 6.0), (triangles, 2.0)] {
        assert_near(volume(&mesh, mesh.dim()), expected);
        assert_sound(&mesh);
    }
}

#[test]
fn corners_are_where_the_specification_has_them() {
    for n in 1..=2 {
        let (flat, prism, corner) = (l_shape(n).unwrap(), l_prism(n).unwrap(), fichera(n).unwrap());
        assert_eq!(flat.count(Quadrilateral, 1), 3 * n * n);
        assert_eq!((prism.count(Hexahedron, 1), corner.count(Hexahedron, 1)), (3 * n * n * n, 7 * n * n * n));
        assert_near(volume(&flat, 2), 3.0);
        assert_near(volume(&prism, 3), 3.0);
        assert_near(volume(&corner, 3), 7.0);
        for (mesh, expected) in [(&flat, 2.0), (&prism, 2.0), (&corner, 3.0)] {
            assert_near(area(mesh, "reentrant"), expected);
            assert_sound(mesh);
            assert_sound(&to_simplices(mesh).unwrap());
        }
        assert!(flat.points.iter().all(|x| !(x[0] > 0.0 && x[1] < 0.0)), "[0,1] x [-1,0] is left out");
        assert!(corner.points.iter().all(|x| x.iter().any(|x| *x <= 0.0)), "[0,1]³ is left out");
    }
    assert_eq!((fichera(1).unwrap().points.len(), l_shape(1).unwrap().points.len()), (26, 8));
}

/// Errors at n and 2 n fall with at least this order, less what coarse meshes need.
fn assert_order(order: usize, what: &str, error: impl Fn(usize) -> f64) {
    let (coarse, fine) = (error(2), error(4));
    let observed = (coarse / fine).log2();
    let expected = (order + 1) as f64 - 0.25;
    assert!(fine < 1e-12 || observed > expected, "{what}: order {observed}, errors {coarse:e} and {fine:e}");
}

#[test]
fn curved_bodies_approach_their_volumes_and_areas_with_the_order_of_their_geometry() {
    for order in 1..=4 {
        let body = |n: usize| ball(1.5, n, order).unwrap();
        assert_order(order, "ball", |n| (volume(&body(n), 3) - 4.5 * PI).abs());
        assert_order(order, "sphere", |n| (area(&body(n), "surface") - 9.0 * PI).abs());
        let body = |n: usize| thick_shell(0.5, 1.0, n, n, order).unwrap();
        assert_order(order, "shell", |n| (volume(&body(n), 3) - 3.5 * PI / 3.0).abs());
        assert_order(order, "inner sphere", |n| (area(&body(n), "inner") - PI).abs());
        let body = |n: usize| cylinder(2.0, 3.0, n, n, order).unwrap();
        assert_order(order, "cylinder", |n| (volume(&body(n), 3) - 12.0 * PI).abs());
        assert_order(order, "its side", |n| (area(&body(n), "side") - 12.0 * PI).abs());
        assert_order(order, "its top", |n| (area(&body(n), "top") - 4.0 * PI).abs());
    }
}

#[test]
fn curved_bodies_are_sound_and_their_nodes_lie_on_the_surface() {
    for order in 1..=4 {
        let (ball, shell) = (ball(1.0, 1, order).unwrap(), thick_shell(1.0, 2.0, 1, 2, order).unwrap());
        let cylinder = cylinder(1.0, 2.0, 1, 2, order).unwrap();
        let counts = [&ball, &shell, &cylinder].map(|mesh| mesh.count(Hexahedron, order));
        assert_eq!(counts, [7, 12, 10]);
        [&ball, &shell, &cylinder].into_iter().for_each(assert_sound);
        for block in ball.blocks_of(2) {
            for &node in &block.nodes {
                let x = ball.points[node as usize];
                assert!((x.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
    }
}

/// Written down or looked for: the same tetrahedra and the same boundary, tag by tag, facing the same way, under other
/// numbers.
#[test]
fn a_box_of_tetrahedra_is_a_brick_cut_up() {
    let (low, high, n) = ([0.0, -1.0, 2.0], [3.0, 1.0, 2.5], [3, 2, 4]);
    let (direct, cut) = (kuhn_box(low, high, n).unwrap(), to_simplices(&brick(low, high, n).unwrap()).unwrap());
    assert_sound(&direct);
    assert_eq!(direct.names, cut.names);
    let cells = |mesh: &Mesh, dim: usize| {
        let place = |node: &u32| mesh.points[*node as usize].map(f64::to_bits);
        let of_block = |block: &Block| {
            let placed = |(cell, tag): (&[u32], &i32)| (*tag, cell.iter().map(place).collect::<Vec<_>>());
            block.cells().zip(&block.tags).map(placed).collect::<Vec<_>>()
        };
        let mut all: Vec<_> = mesh.blocks_of(dim).flat_map(of_block).collect();
        all.sort_unstable();
        all
    };
    for dim in [2, 3] {
        assert!(cells(&direct, dim) == cells(&cut, dim), "of dimension {dim}");
    }
    assert_eq!((direct.points.len(), cells(&direct, 3).len()), (60, 144));
}

#[test]
fn generators_refuse_what_makes_no_mesh() {
    for error in [
        kuhn_box([0.0; 3], [1.0; 3], [1, 0, 1]).unwrap_err(),
        kuhn_box([0.0; 3], [1.0, 0.0, 1.0], [1; 3]).unwrap_err(),
        brick([0.0; 3], [1.0; 3], [1, 0, 1]).unwrap_err(),
        brick([0.0; 3], [1.0, 0.0, 1.0], [1; 3]).unwrap_err(),
        rectangle([0.0; 2], [f64::NAN, 1.0], [1, 1]).unwrap_err(),
        ball(-1.0, 1, 1).unwrap_err(),
        ball(1.0, 1, 5).unwrap_err(),
        thick_shell(1.0, 1.0, 1, 1, 1).unwrap_err(),
        cylinder(1.0, f64::INFINITY, 1, 1, 1).unwrap_err(),
        fichera(0).unwrap_err(),
    ] {
        assert!(error.to_string().contains("generator of a"), "{error}");
    }
}
