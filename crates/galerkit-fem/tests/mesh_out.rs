//! What is written is read back the same, here and by meshio.

use galerkit_fem::Mesh;
use galerkit_fem::io::{Field, GmshFormat};
use galerkit_fem::io::{read, read_contents, write, write_gmsh, write_pvd, write_subdivided, write_vtu};
use galerkit_fem::mesh::Shape::{Hexahedron, Prism, Pyramid, Tetrahedron};
use galerkit_fem::mesh::generate::{ball, brick, fichera, rectangle, to_simplices};
use galerkit_fem::mesh::{Block, Geometry, Shape};
use galerkit_testkit::skip;
use std::path::{Path, PathBuf};
use std::process::Command;

const FORMATS: [GmshFormat; 4] =
    [GmshFormat::V22Ascii, GmshFormat::V22Binary, GmshFormat::V41Ascii, GmshFormat::V41Binary];

/// One cell, with its own reference nodes, slightly bent.
fn single(shape: Shape, order: usize) -> Mesh {
    let bent = |[x, y, z]: [f64; 3]| [x + 0.1 * y * y, y - 0.05 * x * z, z + 0.1 * x];
    let points: Vec<_> = Geometry::new(shape, order).unwrap().nodes().into_iter().map(bent).collect();
    let nodes = (0..points.len() as u32).collect();
    Mesh { points, blocks: vec![Block { shape, order, nodes, tags: vec![7] }], ..Mesh::default() }
}

/// Meshes of every shape and order, with and without tags and names.
fn gallery() -> Vec<Mesh> {
    let mut meshes = vec![
        fichera(2).unwrap(),
        rectangle([0.0, 0.0], [1.0, 2.0], [3, 2]).unwrap(),
        to_simplices(&brick([0.0; 3], [1.0; 3], [2; 3]).unwrap()).unwrap(),
    ];
    meshes.extend((2..=4).map(|order| ball(1.0, 1, order).unwrap()));
    meshes.extend((1..=4).map(|order| single(Tetrahedron, order)));
    meshes.extend([single(Prism, 1), single(Prism, 2), single(Pyramid, 1), single(Hexahedron, 4)]);
    meshes
}

/// The same cells with the same tags, whatever the order of blocks and cells.
fn assert_same(found: &Mesh, expected: &Mesh, format: &str) {
    assert_eq!(found.points, expected.points, "{format}");
    let cells = |mesh: &Mesh| {
        let of_block = |block: &Block| {
            let cells = block.cells().zip(&block.tags);
            cells.map(|(cell, tag)| (block.shape, block.order, cell.to_vec(), *tag)).collect::<Vec<_>>()
        };
        let mut cells: Vec<_> = mesh.blocks.iter().flat_map(of_block).collect();
        cells.sort();
        cells
    };
    assert_eq!(cells(found), cells(expected), "{format}");
}

#[test]
fn gmsh_files_are_read_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for mesh in gallery() {
        for format in FORMATS {
            let path = folder.path().join("mesh.msh");
            write_gmsh(&path, &mesh, format).unwrap();
            let found = read(&path).unwrap();
            assert_same(&found, &mesh, &format!("{format:?}"));
            assert_eq!(found.names, mesh.names);
        }
    }
}

#[test]
fn the_ending_of_a_name_chooses_the_format() {
    let (folder, mesh) = (tempfile::tempdir().unwrap(), fichera(1).unwrap());
    for name in ["mesh.vtu", "mesh.msh"] {
        write(&folder.path().join(name), &mesh).unwrap();
        assert_same(&read(&folder.path().join(name)).unwrap(), &mesh, name);
    }
    let error = write(&folder.path().join("mesh.stl"), &mesh).unwrap_err().to_string();
    assert!(error.contains("mesh.stl") && error.contains(".vtu or .msh"), "{error}");
}

#[test]
fn vtu_files_are_read_back_the_same_with_their_fields() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.vtu");
    for mesh in gallery() {
        let cells: usize = mesh.blocks.iter().map(Block::len).sum();
        let values = mesh.points.iter().flatten().map(|x| x * x).collect();
        let vectors = [Field { name: "a \"vector\" < 1 & more".into(), components: 3, values }];
        let numbers = [Field { name: "number".into(), components: 1, values: (0..cells).map(|i| i as f64).collect() }];
        write_vtu(&path, &mesh, &vectors, &numbers).unwrap();
        let found = read_contents(&path).unwrap();
        assert_same(&found.mesh, &mesh, "VTU");
        assert_eq!(found.point_data, vectors);
        assert_eq!(found.cell_data.len(), 2, "the field and the tags");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn a_large_array_is_packed_in_several_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, mesh) = (folder.path().join("mesh.vtu"), brick([0.0; 3], [1.0; 3], [32; 3]).unwrap());
    write_vtu(&path, &mesh, &[], &[]).unwrap();
    assert_same(&read(&path).unwrap(), &mesh, "VTU");
}

#[test]
fn functions_on_cut_cells_are_exact_at_the_new_points() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("function.vtu");
    for mesh in gallery() {
        let geometry = |block: usize| Geometry::new(mesh.blocks[block].shape, mesh.blocks[block].order).unwrap();
        let function = |block: usize, cell: usize, xi: [f64; 3], value: &mut [f64]| {
            let nodes = mesh.blocks[block].cells().nth(cell).unwrap();
            let x = geometry(block).at(xi).map(&mesh.points, nodes).point;
            value[0] = x[0] + 2.0 * x[1] * x[2];
        };
        write_subdivided(&path, &mesh, 3, &[("u", 1, &function)]).unwrap();
        let found = read_contents(&path).unwrap();
        for (x, u) in found.mesh.points.iter().zip(&found.point_data[0].values) {
            assert!((x[0] + 2.0 * x[1] * x[2] - u).abs() < 1e-12);
        }
        let body: usize = mesh.blocks_of(mesh.dim()).map(Block::len).sum();
        let whole = mesh.blocks.iter().any(|block| block.shape == Pyramid);
        let pieces = if whole { 1 } else { 3_usize.pow(mesh.dim() as u32) };
        assert_eq!(found.mesh.blocks.iter().map(Block::len).sum::<usize>(), pieces * body);
        assert!(found.mesh.check().unwrap().inverted.is_empty());
        if mesh.blocks[0].order == 1 && !whole {
            let volume = |mesh: &Mesh| mesh.volumes(mesh.dim()).unwrap().iter().sum::<f64>();
            assert!((volume(&found.mesh) - volume(&mesh)).abs() < 1e-2 * volume(&mesh), "pieces fill the cells");
        }
    }
}

#[test]
fn a_series_names_its_files_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("series.pvd");
    write_pvd(&path, &[(0.0, "u_0.vtu".into()), (0.1, "u_1.vtu".into())]).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(r#"<DataSet timestep="0.0" part="0" file="u_0.vtu"/>"#), "{text}");
    assert!(text.contains(r#"<DataSet timestep="0.1" part="0" file="u_1.vtu"/>"#), "{text}");
}

#[test]
fn what_a_format_cannot_hold_is_refused_and_the_old_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.vtu");
    std::fs::write(&path, "old").unwrap();
    let mesh = fichera(1).unwrap();
    let short = Field { name: "u".into(), components: 1, values: vec![1.0] };
    let error = write_vtu(&path, &mesh, &[short], &[]).unwrap_err().to_string();
    assert!(error.contains("the field u") && error.contains("1 x 26"), "{error}");
    let error = write_gmsh(&path, &single(Prism, 3), GmshFormat::V41Ascii).unwrap_err().to_string();
    assert!(error.contains("prism of order 3"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
}

#[test]
fn curved_cells_of_orders_3_and_4_are_written_in_the_version_that_all_readers_know() {
    let folder = tempfile::tempdir().unwrap();
    for order in 1..=4 {
        let (path, mesh) = (folder.path().join("curved.vtu"), ball(1.0, 1, order).unwrap());
        write_vtu(&path, &mesh, &[], &[]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert!(String::from_utf8_lossy(&bytes[..200]).contains("type=\"UnstructuredGrid\" version=\"1.0\""));
        assert_same(&read(&path).unwrap(), &mesh, &format!("order {order}"));
    }
}

/// The first Python that has meshio: `GALERKIT_PYTHON`, `target/python`, python3.
fn python_with_meshio() -> Option<PathBuf> {
    let local = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python3");
    let named = std::env::var_os("GALERKIT_PYTHON").map(PathBuf::from);
    let has_meshio = |python: &PathBuf| {
        Command::new(python).args(["-c", "import meshio"]).output().is_ok_and(|output| output.status.success())
    };
    let found = named.into_iter().chain([local, "python3".into()]).find(has_meshio);
    if found.is_none() {
        skip("no Python has meshio: pip install meshio into target/python, or set GALERKIT_PYTHON");
    }
    found
}

/// Points, cells by type, the sum of all coordinates and the sum of a field.
const SUMMARY: &str = "
import meshio, sys
for name in sys.argv[1:]:
    m = meshio.read(name)
    cells = sorted((c.type, len(c.data)) for c in m.cells)
    counts = {}
    for kind, n in cells: counts[kind] = counts.get(kind, 0) + n
    u = m.point_data['u'].sum() if 'u' in m.point_data else 0.0
    print('read:', len(m.points), *[f'{k}:{n}' for k, n in sorted(counts.items())], f'{m.points.sum():.9f}', f'{u:.9f}')
";

#[test]
fn meshio_reads_what_is_written() {
    let Some(python) = python_with_meshio() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (corner, ball) = (fichera(1).unwrap(), ball(1.0, 1, 2).unwrap());
    let u = |mesh: &Mesh| Field { name: "u".into(), components: 1, values: mesh.points.iter().map(|x| x[0]).collect() };
    let file = |name: &str| folder.path().join(name);
    write_vtu(&file("corner.vtu"), &corner, &[u(&corner)], &[]).unwrap();
    write_vtu(&file("ball.vtu"), &ball, &[u(&ball)], &[]).unwrap();
    let one = |_: usize, _: usize, _: [f64; 3], value: &mut [f64]| value[0] = 1.0;
    write_subdivided(&file("cut.vtu"), &ball, 2, &[("u", 1, &one)]).unwrap();
    for (i, format) in FORMATS.into_iter().enumerate() {
        write_gmsh(&file(&format!("corner{i}.msh")), &corner, format).unwrap();
    }
    write_vtu(&file("curved.vtu"), &galerkit_fem::mesh::generate::ball(1.0, 1, 3).unwrap(), &[], &[]).unwrap();
    let names =
        ["corner.vtu", "ball.vtu", "cut.vtu", "curved.vtu", "corner0.msh", "corner1.msh", "corner2.msh", "corner3.msh"];
    let output = Command::new(python).args(["-c", SUMMARY]).args(names.map(file)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("read: ")).collect(); // it prints warnings too
    assert!(lines.len() == names.len(), "meshio says: {text} {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(lines[0], "26 hexahedron:7 quad:24 -3.000000000 -1.000000000");
    assert!(lines[1].starts_with("79 hexahedron27:7 quad9:6 "), "{}", lines[1]);
    assert!(lines[2].starts_with("189 hexahedron:56 ") && lines[2].ends_with(" 189.000000000"), "{}", lines[2]);
    assert!(lines[3].contains("VTK_LAGRANGE_HEXAHEDRON:7"), "{}", lines[3]);
    assert!(lines[4..].iter().all(|line| *line == "26 hexahedron:7 quad:24 -3.000000000 0.000000000"), "{text}");
}
