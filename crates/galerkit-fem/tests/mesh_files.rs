//! Every mesh of the data folder reads, with the counts its README states, and is sound after repair.

use galerkit_fem::form::Field;
use galerkit_fem::io::{read, read_contents};
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::Shape::{self, Hexahedron, Line, Quadrilateral, Tetrahedron, Triangle, Vertex};
use galerkit_fem::norm::{self, Norms};
use galerkit_fem::problem::Interior;
use galerkit_fem::simplex::{Functions, SimplexSpace};
use galerkit_fem::{Forest, Problem, Space};
use galerkit_testkit::{data_dir, data_file, skip};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

/// A row of a README: the file, its points, its cells by shape and order.
type Row = (PathBuf, usize, Vec<(Shape, usize, usize)>);

/// Names of meshio and of Gmsh.
fn shape_of(name: &str) -> (Shape, usize) {
    match name {
        "vertex" | "Point" => (Vertex, 1),
        "line" | "Line 2" => (Line, 1),
        "line3" => (Line, 2),
        "triangle" | "Triangle 3" => (Triangle, 1),
        "triangle6" => (Triangle, 2),
        "quad" => (Quadrilateral, 1),
        "quad16" => (Quadrilateral, 3),
        "tetra" | "Tetrahedron 4" => (Tetrahedron, 1),
        "tetra10" => (Tetrahedron, 2),
        "hexahedron" => (Hexahedron, 1),
        "hexahedron64" => (Hexahedron, 3),
        other => panic!("the README names cells \"{other}\""),
    }
}

fn rows() -> Vec<Row> {
    let Some(data) = data_dir() else {
        skip("the folder of data files is not here; set GALERKIT_DATA");
        return Vec::new();
    };
    let mut rows = Vec::new();
    for folder in ["meshes_acoustics", "meshes_gmsh", "meshes_heart", "meshes_shapes", "meshes_vtk"] {
        let text = fs::read_to_string(data.join(folder).join("README.md")).expect("each folder has a README");
        for line in text.lines().filter(|line| line.contains(".gz |")) {
            let columns: Vec<_> = line.split('|').map(str::trim).collect();
            let cells = columns[3].split(", ").map(|part| {
                let (name, count) = part.rsplit_once(' ').expect("a name and a count");
                let (shape, order) = shape_of(name);
                (shape, order, count.parse().expect("a count"))
            });
            rows.push((data.join(folder).join(columns[1]), columns[2].parse().expect("a count"), cells.collect()));
        }
    }
    assert_eq!(rows.len(), 53, "all meshes of the folder are in its READMEs");
    rows
}

#[test]
fn every_mesh_reads_with_the_counts_of_its_readme() {
    for (path, points, cells) in rows() {
        let mesh = read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mesh.points.len(), points, "points of {}", path.display());
        let total: usize = mesh.blocks.iter().map(|block| block.len()).sum();
        assert_eq!(total, cells.iter().map(|(.., count)| count).sum::<usize>(), "cells of {}", path.display());
        for (shape, order, count) in cells {
            assert_eq!(mesh.count(shape, order), count, "{shape:?} of order {order} in {}", path.display());
        }
    }
}

/// Files with inverted cells, and how many: the README of the data folder names the solids, the plane ones were
/// counted.
const INVERTED: [(&str, usize); 7] = [
    ("bracket.vtu.gz", 206_208),
    ("citroen_2d.msh.gz", 5184),
    ("cylinder_stokes.msh.gz", 128),
    ("elbow2.mesh.gz", 8161),
    ("grid3da_v41.msh.gz", 200),
    ("helmholtz_apartment.vtk.gz", 524),
    ("horn.msh.gz", 5239),
];

#[test]
fn every_mesh_is_sound_once_its_inverted_cells_are_turned_round() {
    for (path, ..) in rows() {
        let mut mesh = read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let inverted = mesh.repair().unwrap_or_else(|error| panic!("{name}: {error}")).inverted.len();
        if name.starts_with("pulse_") || name.starts_with("aneurysm") {
            let cells: usize = mesh.blocks_of(3).map(|block| block.len()).sum();
            let share = inverted as f64 / cells as f64; // vertices are sorted, so that about half are inverted
            assert!((0.4..0.6).contains(&share), "{name}: {share} are inverted");
        } else {
            let known = INVERTED.iter().find(|(file, _)| *file == name).map_or(0, |(_, count)| *count);
            assert_eq!(inverted, known, "{name}");
        }
        let after = mesh.check().unwrap();
        assert!(after.inverted.is_empty() && after.degenerate.is_empty(), "{name}");
        mesh.boundary().unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn ascii_and_binary_files_of_one_mesh_agree() {
    for [text, binary] in [
        ["piece.asc.v22", "piece.bin.v22"],
        ["piece.asc.v41", "piece.bin.v41"],
        ["gmsh-3d-ascii-64", "gmsh-3d-binary-64"],
    ] {
        let file = |name: &str| data_file(&format!("meshes_gmsh/{name}.msh.gz"));
        let (Some(text), Some(binary)) = (file(text), file(binary)) else { return };
        let (a, b) = (read(&text).unwrap(), read(&binary).unwrap());
        assert_eq!((&a.blocks, &a.names), (&b.blocks, &b.names), "{}", text.display());
        let distance = a.points.iter().flatten().zip(b.points.iter().flatten()).map(|(x, y)| (x - y).abs());
        assert!(distance.fold(0.0, f64::max) < 1e-13, "text has 16 digits");
    }
}

#[test]
fn names_and_tags_arrive() {
    let Some(path) = data_file("meshes_heart/ldrb_demo.msh.gz") else { return };
    let mesh = read(&path).unwrap();
    assert_eq!(mesh.tag_named(2, "BASE"), Some(5));
    assert_eq!(mesh.tags(3).keys().collect::<Vec<_>>(), [&6]);
    assert_eq!(mesh.tags(2).keys().collect::<Vec<_>>(), [&3, &4, &5]);
    let boundary = mesh.boundary().unwrap();
    assert_eq!((boundary.facets.len(), boundary.strays), (776, 0), "the file lists its whole boundary");
    assert!(boundary.facets.iter().all(|facet| (3..=5).contains(&facet.tag)));
}

#[test]
fn fibres_and_materials_arrive() {
    let Some(path) = data_file("meshes_heart/heart_short_axis_0.vtu.gz") else { return };
    let contents = read_contents(&path).unwrap();
    let fields = contents.point_data.iter().chain(&contents.cell_data);
    let fibre = fields.into_iter().find(|field| field.name == "fibre").expect("a field of fibres");
    assert_eq!(fibre.components, 3);
    let Some(path) = data_file("meshes_heart/ldrb_biv_ellipsoid.vtu.gz") else { return };
    assert_eq!(read(&path).unwrap().tags(3).into_iter().collect::<Vec<_>>(), [(31, 16592)]);
}

/// The order of nodes of 64-node hexahedra and of 10-node tetrahedra is right where Jacobians are positive and volumes
/// known.
#[test]
fn curved_cells_of_gmsh_have_their_nodes_in_place() {
    let Some(path) = data_file("meshes_shapes/periodic-torus-sector.msh.gz") else { return };
    let mesh = read(&path).unwrap();
    assert!(mesh.check().unwrap().inverted.is_empty());
    let boundary = mesh.boundary().unwrap();
    for facet in boundary.facets.iter().filter(|facet| facet.tag != 0) {
        let mut nodes = mesh.facet_nodes(*facet);
        nodes.sort_unstable();
        let listed = mesh.blocks_of(2).flat_map(|block| block.cells()).any(|cell| {
            let mut cell = cell.to_vec();
            cell.sort_unstable();
            cell == nodes
        });
        assert!(listed, "the 16 nodes of a listed quadrilateral are those of the hexahedron's side");
    }
    let Some(path) = data_file("meshes_gmsh/quadratic_sphere_tet.msh.gz") else { return };
    let ball = read(&path).unwrap();
    let volume: f64 = ball.volumes(3).unwrap().iter().sum();
    let exact = std::f64::consts::PI / 6.0;
    assert!((volume / exact - 1.0).abs() < 1e-3, "the ball of radius 1/2 has {exact}, the mesh {volume}");
}

/// -Laplace u = f with Dirichlet data of u, whose error must vanish where the space holds u: linear where cells are
/// curved.
#[test]
fn poisson_on_real_meshes_has_its_manufactured_solution() {
    for (name, degree, is_straight) in [
        ("meshes_shapes/star.msh.gz", 2, true),
        ("meshes_shapes/fichera.msh.gz", 3, true),
        ("meshes_shapes/unit_ball.mesh.gz", 2, true),
        ("meshes_shapes/periodic-torus-sector.msh.gz", 3, false),
        ("meshes_gmsh/homology.asc.v22.msh.gz", 1, false),
        ("meshes_gmsh/gmsh-3d-binary-64.msh.gz", 3, true),
        ("meshes_gmsh/quadratic_sphere_tet.msh.gz", 2, false),
        ("meshes_acoustics/horn.msh.gz", 2, false),
        ("meshes_acoustics/helmholtz_apartment.vtk.gz", 2, true),
        ("meshes_vtk/bridge3d.vtk.gz", 2, true),
        ("meshes_heart/chaste_UCSD_heart_decimated.msh.gz", 4, true),
        ("meshes_heart/heart_short_axis_0.vtu.gz", 2, true),
    ] {
        let Some(path) = data_file(name) else { continue };
        let mut mesh = read(&path).unwrap();
        mesh.repair().unwrap();
        let reach = mesh.points.iter().flatten().fold(0.0f64, |most, x| most.max(x.abs()));
        mesh.points.iter_mut().flatten().for_each(|x| *x /= reach);
        let Norms { l2, energy } = manufactured(&mesh, degree, if is_straight { 1.0 } else { 0.0 });
        assert!(l2.max(energy) < 1e-9, "{name}: {l2:e} in L2, {energy:e} in the energy");
    }
}

/// The errors for u = 1 + x - 2y + z + c (x^2 + x y).
fn manufactured(mesh: &Mesh, degree: usize, c: f64) -> Norms {
    let u = move |x: &[f64; 3]| 1.0 + x[0] - 2.0 * x[1] + x[2] + c * x[0] * (x[0] + x[1]);
    let up = if mesh.dim() == 3 { 1.0 } else { 0.0 };
    let gradient = move |x: &[f64; 3]| [1.0 + c * (2.0 * x[0] + x[1]), c * x[0] - 2.0, up];
    let mut tags: Vec<i32> = mesh.boundary().unwrap().facets.iter().map(|facet| facet.tag).collect();
    tags.sort_unstable();
    tags.dedup();
    if mesh.count(Hexahedron, 1) + mesh.count(Hexahedron, 3) + mesh.count(Quadrilateral, 1) == 0 || is_surface(mesh) {
        let space = SimplexSpace::with_functions(mesh, degree, Functions::Hierarchical, &tags).unwrap();
        let problem = stated(Problem::poisson(Arc::new(space), -2.0 * c), &tags, u);
        return problem.errors(&problem.solve().unwrap(), &(u, gradient)).unwrap();
    }
    let forest = Forest::new(mesh).unwrap();
    let degrees = vec![degree; forest.cells().len()];
    let problem = stated(Problem::poisson(Arc::new(Space::new(forest, &degrees, &tags).unwrap()), -2.0 * c), &tags, u);
    let solution = problem.solve_with(Interior::Condensed).unwrap();
    norm::errors(&solution, problem.forms(), &(u, gradient), problem.integration()).unwrap()
}

/// Whether quadrilaterals, if there are any, are only listed on the boundary of tetrahedra.
fn is_surface(mesh: &Mesh) -> bool {
    mesh.count(Tetrahedron, 1) + mesh.count(Tetrahedron, 2) > 0
}

fn stated<V>(
    problem: Problem<V>,
    tags: &[i32],
    u: impl Fn(&[f64; 3]) -> f64 + Send + Sync + Copy + 'static,
) -> Problem<V> {
    tags.iter().fold(problem, |problem, &tag| problem.dirichlet(tag, Field::of(u)))
}
