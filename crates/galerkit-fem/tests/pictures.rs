//! What pictures show: colours where they belong, the nearer before the farther, cuts with the area they must have.

use crate::scenes::quarter_ring;
use galerkit_fem::form::Field;
use galerkit_fem::mesh::generate::{ball, brick, cylinder, rectangle, to_simplices};
use galerkit_fem::mesh::{Block, Geometry, Mesh, Shape};
use galerkit_fem::picture::mesh_body::{MeshBody, Shown};
use galerkit_fem::picture::triangle::Triangle;
use galerkit_fem::picture::{ColourMap, Image, Picture, Plane, Scene, View, cut, legend, skin};
use galerkit_fem::{Forest, Problem, Space, domain};
use std::sync::Arc;

const WHITE: [u8; 3] = [255; 3];

/// The first stretch of a row that is not white.
fn shown_in_row(image: &Image, row: usize) -> std::ops::Range<usize> {
    let first = (0..image.width()).find(|&x| image.pixel(x, row) != WHITE).expect("something is drawn");
    let end = (first..image.width()).find(|&x| image.pixel(x, row) == WHITE).unwrap_or(image.width());
    first..end
}

fn as_bytes(colour: [f32; 3]) -> [u8; 3] {
    colour.map(|x| (255.0 * x + 0.5) as u8)
}

#[track_caller]
fn assert_near(found: [u8; 3], expected: [u8; 3], tolerance: u8) {
    let differs = (0..3).any(|d| found[d].abs_diff(expected[d]) > tolerance);
    assert!(!differs, "found {found:?}, expected {expected:?}");
}

/// That the field is x on a unit square, in this colour map.
fn assert_shows_x(image: &Image, map: &ColourMap) {
    for row in [image.height() / 3, image.height() / 2] {
        let shown = shown_in_row(image, row);
        for part in [0.1, 0.25, 0.5, 0.9] {
            let x = shown.start + (part * shown.len() as f64) as usize;
            let t = (x as f32 + 0.5 - shown.start as f32) / shown.len() as f32;
            assert_near(image.pixel(x, row), as_bytes(map.at(t)), 4);
        }
    }
}

#[test]
fn a_linear_field_has_the_colours_of_the_map() {
    let squares = rectangle([0.0, 0.0], [1.0, 1.0], [3, 2]).unwrap();
    for mesh in [to_simplices(&squares).unwrap(), squares] {
        let x: Vec<f64> = mesh.points.iter().map(|point| point[0]).collect();
        for map in [ColourMap::sequential(), ColourMap::diverging()] {
            let scene = Scene::of_points(&mesh, &x).unwrap();
            let picture = Picture::of(&scene).size(300, 200).edges(0.0).colours(map.clone());
            assert_shows_x(&picture.render().unwrap(), &map);
        }
        let geometry = |block: usize| Geometry::new(mesh.blocks[block].shape, 1).unwrap();
        let function = |block: usize, cell: usize, xi: [f64; 3]| {
            let nodes = mesh.blocks[block].cells().nth(cell).unwrap();
            geometry(block).at(xi).map(&mesh.points, nodes).point[0]
        };
        let scene = Scene::of_function(&mesh, 3, function).unwrap();
        let image = Picture::of(&scene).size(300, 200).edges(0.0).render().unwrap();
        assert_shows_x(&image, &ColourMap::sequential());
    }
}

#[test]
fn a_solution_of_high_degree_is_shown_on_a_forest_with_hanging_nodes() {
    let mut forest = Forest::new(&domain::square(2)).unwrap();
    forest.refine(&[1]).unwrap();
    let degrees: Vec<usize> = (0..forest.cells().len()).map(|e| 1 + e % 4).collect();
    let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
    let solution = Problem::poisson(space, 0.0).dirichlet(1, Field::of(|point| point[0])).solve().unwrap();
    let scene = Scene::of_solution(&solution);
    let image = Picture::of(&scene).size(300, 200).edges(0.0).render().unwrap();
    assert_shows_x(&image, &ColourMap::sequential());
}

#[test]
fn a_solid_solution_shows_its_cut() {
    let forest = Forest::new(&domain::cube(2)).unwrap();
    let space = Arc::new(Space::new(forest, &[2; 8], &[1]).unwrap());
    let solution = Problem::poisson(space, 0.0).dirichlet(1, Field::of(|point| point[0])).solve().unwrap();
    let scene = Scene::of_solution(&solution);
    let above = View::from([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
    let picture = Picture::of(&scene).size(300, 200).edges(0.0).view(above).cut(Plane::across(2, 0.4));
    assert_shows_x(&picture.render().unwrap(), &ColourMap::sequential()); // a cut is not shaded
}

#[test]
fn edges_of_cells_are_dark_and_can_be_left_out() {
    let mesh = rectangle([0.0, 0.0], [2.0, 1.0], [2, 1]).unwrap();
    let scene = Scene::of_mesh(&mesh).unwrap();
    let brightness = |image: &Image| image.pixel(200, 100).iter().map(|&x| u32::from(x)).sum::<u32>();
    let with = Picture::of(&scene).size(400, 200).edges(4.0).render().unwrap();
    let without = Picture::of(&scene).size(400, 200).edges(0.0).render().unwrap();
    assert!(brightness(&with) < 250 && brightness(&without) > 500);
    assert_eq!(with.pixel(130, 100), without.pixel(130, 100), "nothing but edges changes");
}

/// Two squares above each other, of regions 1 and 2; the upper one is smaller.
fn two_floors() -> Mesh {
    let square = |half: f64, z: f64| [[-half, -half, z], [half, -half, z], [half, half, z], [-half, half, z]];
    let points = [square(2.0, 0.0), square(1.0, 1.0)].concat();
    let block = Block { shape: Shape::Quadrilateral, order: 1, nodes: (0..8).collect(), tags: vec![1, 2] };
    Mesh { points, blocks: vec![block], ..Mesh::default() }
}

#[test]
fn the_nearer_hides_the_farther() {
    let mesh = two_floors();
    let scene = Scene::of_tags(&mesh).unwrap();
    let from = |z: f64| {
        let view = View::from([0.0, 0.0, z], [0.0, 1.0, 0.0]);
        Picture::of(&scene).size(200, 200).edges(0.0).view(view).render().unwrap()
    };
    let (above, below) = (from(1.0), from(-1.0));
    assert_ne!(above.pixel(100, 100), above.pixel(30, 100), "the small square before the large one");
    assert_eq!(below.pixel(100, 100), below.pixel(30, 100), "the large square alone");
    assert_eq!(above.pixel(30, 100), below.pixel(30, 100));
    assert_eq!(above.pixel(2, 2), WHITE);
}

fn area(triangles: &[Triangle]) -> f64 {
    let of_triangle = |triangle: &Triangle| {
        let [a, b, c] = triangle.corners.map(|corner| corner.point.map(f64::from));
        let (u, v) = ([0, 1, 2].map(|d| b[d] - a[d]), [0, 1, 2].map(|d| c[d] - a[d]));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        0.5 * n.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    triangles.iter().map(of_triangle).sum()
}

/// The areas of the face that a plane leaves and of the surface behind it.
fn areas(mesh: &Mesh, plane: Plane) -> [f64; 2] {
    let body = MeshBody::new(mesh, Shown::Nothing).unwrap();
    let face = cut::cut_faces(&body, &plane, &|_, _| None).unwrap();
    [area(&face), area(&skin::skin(&body, Some(&plane), &|_, _| None).unwrap())]
}

#[test]
fn cuts_have_the_area_they_must_have() {
    let cubes = brick([0.0; 3], [1.0; 3], [3; 3]).unwrap();
    for mesh in [to_simplices(&cubes).unwrap(), cubes] {
        let [face, rest] = areas(&mesh, Plane::across(2, 0.4));
        assert!((face - 1.0).abs() < 1e-6 && (rest - 2.6).abs() < 1e-6, "{face} {rest}");
        let [face, rest] = areas(&mesh, Plane::new([0.5; 3], [1.0; 3])); // a regular hexagon
        assert!((face - 0.75 * 3f64.sqrt()).abs() < 1e-6 && (rest - 3.0).abs() < 1e-6, "{face} {rest}");
        assert_eq!(areas(&mesh, Plane::across(0, -1.0)), [0.0, 0.0]);
        let [face, rest] = areas(&mesh, Plane::across(0, 2.0));
        assert!(face == 0.0 && (rest - 6.0).abs() < 1e-6, "{rest}");
    }
    let pi = std::f64::consts::PI;
    let [face, rest] = areas(&ball(1.0, 2, 4).unwrap(), Plane::across(1, 0.0));
    assert!((face / pi - 1.0).abs() < 5e-3 && (rest / (2.0 * pi) - 1.0).abs() < 5e-3, "{face} {rest}");
    let [face, _] = areas(&cylinder(1.0, 2.0, 2, 3, 3).unwrap(), Plane::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]));
    assert!((face / pi - 1.0).abs() < 5e-3, "{face}");
}

/// One reference cell.
fn single(shape: Shape) -> Mesh {
    let points = Geometry::new(shape, 1).unwrap().nodes();
    let nodes = (0..points.len() as u32).collect();
    Mesh { points, blocks: vec![Block { shape, order: 1, nodes, tags: vec![1] }], ..Mesh::default() }
}

#[test]
fn every_solid_shape_can_be_cut() {
    // Half a triangle's height is a quarter of its area; the pyramid's base has area 4, the tetrahedron's a half.
    let cases = [(Shape::Tetrahedron, 0.125), (Shape::Pyramid, 1.0), (Shape::Prism, 0.5), (Shape::Hexahedron, 4.0)];
    for (shape, expected) in cases {
        let [face, _] = areas(&single(shape), Plane::across(2, 0.5));
        assert!((face - expected).abs() < 1e-6, "{shape:?}: {face}");
    }
}

#[test]
fn what_was_taken_away_is_always_before_the_plane() {
    let mesh = brick([-1.0; 3], [1.0; 3], [2; 3]).unwrap();
    let z: Vec<f64> = mesh.points.iter().map(|point| point[2]).collect();
    let scene = Scene::of_points(&mesh, &z).unwrap();
    for (from, at) in [(1.0, 0.5), (-1.0, -0.5)] {
        let view = View::from([0.0, 0.0, from], [0.0, 1.0, 0.0]);
        let picture = Picture::of(&scene).size(200, 200).view(view).edges(0.0).range(-1.0, 1.0);
        let image = picture.cut(Plane::across(2, at)).render().unwrap();
        let row = shown_in_row(&image, 100);
        let expected = as_bytes(ColourMap::sequential().at(0.5 + 0.5 * at as f32));
        assert_near(image.pixel((row.start + row.end) / 2, 90), expected, 3);
    }
}

/// Lightness of Oklab and its other two coordinates, from sRGB.
fn oklab(colour: [f32; 3]) -> [f64; 3] {
    let linear = colour.map(|x| {
        let x = f64::from(x);
        if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    });
    let mix = |row: [f64; 3]| row.iter().zip(linear).map(|(a, b)| a * b).sum::<f64>().cbrt();
    let l = mix([0.4122214708, 0.5363325363, 0.0514459929]);
    let m = mix([0.2119034982, 0.6806995451, 0.1073969566]);
    let s = mix([0.0883024619, 0.2817188376, 0.6299787005]);
    [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ]
}

#[test]
fn colour_maps_go_in_even_steps_and_the_sequential_ones_grow_lighter() {
    let colours = |map: &ColourMap| (0..=32).map(|k| oklab(map.at(k as f32 / 32.0))).collect::<Vec<_>>();
    for map in [ColourMap::sequential(), ColourMap::heat(), ColourMap::grey(), ColourMap::diverging()] {
        let colours = colours(&map);
        let step = |pair: &[[f64; 3]]| (0..3).map(|d| (pair[0][d] - pair[1][d]).powi(2)).sum::<f64>().sqrt();
        let steps: Vec<f64> = colours.windows(2).map(step).collect();
        let (least, most) = (steps.iter().copied().fold(9.0, f64::min), steps.iter().copied().fold(0.0, f64::max));
        assert!(least > 0.0 && most < 1.6 * least, "{least} {most}");
    }
    for map in [ColourMap::sequential(), ColourMap::heat(), ColourMap::grey()] {
        assert!(colours(&map).windows(2).all(|pair| pair[0][0] < pair[1][0]));
    }
    let diverging = colours(&ColourMap::diverging());
    assert!(diverging[16][0] > 0.9 && diverging[0][0] < 0.5 && diverging[32][0] < 0.5);
    assert_eq!(ColourMap::heat().at(-3.0), ColourMap::heat().at(0.0));
    assert_eq!(ColourMap::heat().at(f32::NAN), [0.6; 3]);
}

#[test]
fn ticks_are_round_numbers() {
    let labels = |low, high| legend::ticks([low, high]).into_iter().map(|(_, label)| label).collect::<Vec<_>>();
    assert_eq!(labels(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(labels(-1.3, 1.3), ["-1", "0", "1"]);
    assert_eq!(labels(0.0, 2e-6), ["0", "5e-7", "1.0e-6", "1.5e-6", "2.0e-6"]);
    assert_eq!(labels(99.0, 101.0), ["99.0", "99.5", "100.0", "100.5", "101.0"]);
    assert!(labels(1.0, 1.0).is_empty() && labels(f64::NAN, 1.0).is_empty());
}

#[test]
fn pictures_are_the_same_on_any_number_of_threads() {
    let mesh = ball(1.0, 2, 2).unwrap();
    let x: Vec<f64> = mesh.points.iter().map(|point| point[0]).collect();
    let scene = Scene::of_points(&mesh, &x).unwrap();
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Picture::of(&scene).size(200, 150).cut(Plane::across(0, 0.3)).render().unwrap())
    };
    assert_eq!(draw(1).to_bytes(), draw(3).to_bytes());
}

#[test]
fn odd_input_is_drawn_or_refused() {
    let mesh = rectangle([0.0, 0.0], [1.0, 1.0], [2, 2]).unwrap();
    let mut values = vec![3.0; mesh.points.len()];
    let draw = |values: &[f64]| {
        let scene = Scene::of_points(&mesh, values).unwrap();
        Picture::of(&scene).size(0, 40).title("Any title: 1 + (x_2)^2 = é").render().unwrap()
    };
    assert_eq!((draw(&values).width(), draw(&values).height()), (16, 40));
    values[4] = f64::NAN;
    draw(&values);
    assert!(Scene::of_points(&mesh, &[1.0]).is_err());
    let line = Mesh { blocks: vec![mesh.blocks[1].clone()], ..mesh.clone() };
    let refused = Scene::of_mesh(&line).err().expect("lines are not drawn").to_string();
    assert!(refused.contains("surfaces and solids"), "{refused}");
    let ring = quarter_ring(3);
    let scene = Scene::of_mesh(&ring).unwrap();
    let image = Picture::of(&scene).size(200, 200).render().unwrap();
    assert_eq!(image.pixel(12, 188), WHITE, "the hole of a curved cell");
    assert_ne!(image.pixel(100, 80), WHITE);
}
