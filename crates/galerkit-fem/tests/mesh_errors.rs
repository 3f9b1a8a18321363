//! Files that are cut short, damaged or of an unknown kind: an error with its place and what to change, never a panic.

use galerkit_fem::io::{Contents, Format, GmshFormat, parse, read, write_gmsh, write_vtu};
use galerkit_fem::mesh::generate::{brick, to_simplices};
use std::path::Path;

fn parsed(text: impl AsRef<[u8]>) -> galerkit_fem::Result<Contents> {
    parse(text.as_ref().to_vec(), Path::new("a file"))
}

#[track_caller]
fn assert_says(text: impl AsRef<[u8]>, parts: &[&str]) {
    let error = parsed(text).expect_err("this must not read").to_string();
    for part in parts.iter().chain(&["a file"]) {
        assert!(error.contains(part), "\"{part}\" is missing in: {error}");
    }
}

const GMSH_2: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n\
                      $Elements\n1\n1 2 2 5 6 1 2 3\n$EndElements\n";
const GMSH_41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n9 0 0 0 1 1 0 1 4 0\n$EndEntities\n\
                       $Nodes\n1 3 1 3\n2 9 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n\
                       $Elements\n1 1 1 1\n2 9 2 1\n1 1 2 3\n$EndElements\n";
const VTK: &str = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n\
                   POINTS 3 float\n0 0 0 1 0 0 0 1 0\n\
                   CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n5\nCELL_DATA 1\nSCALARS tag int\nLOOKUP_TABLE default\n8\n";
const MEDIT: &str = "MeshVersionFormatted 2\nDimension 2\nVertices\n3\n0 0 0\n1 0 0\n0 1 0\n\
                     Corners\n1\n1\nTriangles\n1\n1 2 3 9\nEnd\n";
const VTU: &str = "<?xml version='1.0'?>\n<VTKFile type='UnstructuredGrid' version='0.1' byte_order='LittleEndian'>\n\
                   <!-- a > b -->\n\
                   <UnstructuredGrid>\n<Piece NumberOfPoints='3' NumberOfCells='1'>\n<Points>\n\
                   <DataArray type='Float64' NumberOfComponents='3' format='ascii'>0 0 0 1 0 0 0 1 0</DataArray>\n\
                   </Points>\n<Cells>\n\
                   <DataArray type='Int32' Name='connectivity' format='ascii'>0 1 2</DataArray>\n\
                   <DataArray type='Int32' Name='offsets' format='ascii'>3</DataArray>\n\
                   <DataArray type='UInt8' Name='types' format='ascii'>5</DataArray>\n\
                   </Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

#[test]
fn the_same_triangle_reads_from_every_format() {
    let files = [(GMSH_2, Format::Gmsh, 5), (GMSH_41, Format::Gmsh, 4), (VTK, Format::VtkLegacy, 8)];
    for (text, format, tag) in files.into_iter().chain([(MEDIT, Format::Medit, 9), (VTU, Format::Vtu, 0)]) {
        assert_eq!(Format::of(text.as_bytes()), Some(format));
        let mesh = parsed(text).unwrap().mesh;
        assert_eq!(mesh.points, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        assert_eq!((mesh.blocks.len(), &mesh.blocks[0].nodes[..], mesh.blocks[0].tags[0]), (1, &[0, 1, 2][..], tag));
    }
}

#[test]
fn where_there_are_no_groups_entities_are_tags() {
    let text = GMSH_2.replace("1 2 2 5 6 1 2 3", "1 2 2 0 6 1 2 3");
    assert_eq!(parsed(text).unwrap().mesh.blocks[0].tags, [6]);
    let text = GMSH_41.replace("9 0 0 0 1 1 0 1 4 0", "9 0 0 0 1 1 0 0 0");
    assert_eq!(parsed(text).unwrap().mesh.blocks[0].tags, [9]);
}

#[test]
fn numbers_of_nodes_may_have_gaps_and_any_order() {
    let nodes = GMSH_2.replace("\n1 0 0 0\n2 1 0 0\n3 0 1 0", "\n900000000000 0 0 0\n2000 1 0 0\n7 0 1 0");
    let mesh = parsed(nodes.replace("5 6 1 2 3", "5 6 7 900000000000 2000")).unwrap().mesh;
    assert_eq!(mesh.blocks[0].nodes, [2, 0, 1]);
    assert_says(nodes, &["node 1 of this element"]);
}

#[test]
fn mistakes_in_gmsh_files_are_named_with_their_line() {
    assert_says(GMSH_2.replace("2.2 0", "3.0 0"), &["line 2", "version \"3.0\"", "2.2 or 4.1"]);
    assert_says(GMSH_2.replace("$Nodes\n3", "$Nodes\n4"), &["line 9", "a whole number", "$EndNodes"]);
    assert_says(GMSH_2.replace("$Nodes\n3", "$Nodes\n2"), &["line 8", "expected $EndNodes", "counts"]);
    assert_says(GMSH_2.replace("$Nodes\n3", "$Nodes\n3000000000000"), &["nodes are announced"]);
    assert_says(GMSH_2.replace("3 0 1 0", "2 0 1 0"), &["line 8", "node 2 is defined twice"]);
    assert_says(GMSH_2.replace("1 2 3\n$EndE", "1 2 4\n$EndE"), &["line 12", "node 4", "not among the 3 nodes"]);
    assert_says(
        GMSH_2.replace("1 2 2 5 6 1 2 3", "1 16 2 5 6 1 2 3"),
        &["line 12", "type 16", "SecondOrderIncomplete"],
    );
    assert_says(GMSH_2.replace("1 2 2 5 6 1 2 3", "1 99 2 5 6 1 2 3"), &["type 99", "not known"]);
    assert_says(GMSH_41.replace("1 3 1 3", "1 4 1 4"), &["hold 3 nodes, 4 are announced"]);
    assert_says(GMSH_41.replace("2 9 2 1\n", "7 9 2 1\n"), &["dimension 7"]);
    assert_says("$MeshFormat\n2.2 1 8\nabcd\n$EndMeshFormat\n", &["line 3", "must be 1"]);
    assert_says("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", &["no cells"]);
    assert_says("$NOD\n1\n1 0 0 0\n", &["version 1"]);
}

#[test]
fn mistakes_in_vtk_files_are_named() {
    assert_says(VTK.replace("ASCII", "HEX"), &["line 3", "ASCII or BINARY"]);
    assert_says(VTK.replace("UNSTRUCTURED_GRID", "POLYDATA"), &["line 4", "POLYDATA"]);
    assert_says(VTK.replace("POINTS 3", "POINTS 4"), &["line 7", "a number", "CELLS"]);
    assert_says(VTK.replace("3 0 1 2", "3 0 1 7"), &["cell 0", "node 7", "3 points"]);
    assert_says(VTK.replace("CELL_TYPES 1\n5", "CELL_TYPES 1\n10"), &["cell 0", "tetrahedron", "3 nodes"]);
    assert_says(VTK.replace("CELL_TYPES 1\n5", "CELL_TYPES 1\n99"), &["type 99", "not known"]);
    assert_says(
        VTU.replace("NumberOfCells='1'", "NumberOfCells='2'"),
        &["line 5", "2 cells are announced, 1 are there"],
    );
    assert_says(VTU.replace("'UnstructuredGrid' v", "'PolyData' v"), &["PolyData", ".vtu"]);
    assert_says(VTU.replace("byte_order", "compressor='vtkLZ4DataCompressor' byte_order"), &["LZ4", "zlib"]);
    assert_says(VTU.replace(">0 1 2<", ">0 1 x<"), &["line 10", "connectivity", "\"x\""]);
    assert_says(VTU.replace("'ascii'>3<", "'appended' offset='77'/><"), &["offsets", "cut short"]);
    assert_says(
        VTU.replace("'Int32' Name='offsets' format='ascii'>3<", "'Int32' Name='offsets' format='binary'>BA*A<"),
        &["base64"],
    );
}

#[test]
fn mistakes_in_medit_files_are_named() {
    assert_says(MEDIT.replace("1 2 3 9", "1 2 4 9"), &["line 13", "vertex 4", "1 to 3"]);
    assert_says(MEDIT.replace("Dimension 2", "Dimension 5"), &["line 2", "5"]);
    assert_says(MEDIT.replace("Vertices\n3", "Vertices\n2"), &["line 7", "keyword", "count"]);
}

#[test]
fn files_of_other_kinds_are_told_what_is_read() {
    assert_says("MFEM mesh v1.0\n", &["MFEM", "Gmsh"]);
    assert_says([1, 0, 0, 0, 3, 0, 0, 0], &["meshb"]);
    assert_says("", &["empty"]);
    assert_says("solid cube\n", &["no known format", ".vtu"]);
    assert_says([0x1f, 0x8b, 8, 0, 1, 2, 3], &["gzip", "fetch the file again"]);
    let missing = read(Path::new("no/such/file.msh")).unwrap_err().to_string();
    assert!(missing.contains("no/such/file.msh"), "{missing}");
}

/// A small mesh in every format that is written, and the texts above.
fn samples() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh");
    let mesh = to_simplices(&brick([0.0; 3], [1.0; 3], [1; 3]).unwrap()).unwrap();
    let mut samples: Vec<_> = [GMSH_2, GMSH_41, VTK, MEDIT, VTU].map(|text| text.as_bytes().to_vec()).into();
    for format in [GmshFormat::V22Binary, GmshFormat::V41Ascii, GmshFormat::V41Binary] {
        write_gmsh(&path, &mesh, format).unwrap();
        samples.push(std::fs::read(&path).unwrap());
    }
    write_vtu(&path, &mesh, &[], &[]).unwrap();
    samples.push(std::fs::read(&path).unwrap());
    samples
}

#[test]
fn a_file_cut_anywhere_is_refused_or_complete() {
    for sample in samples() {
        let whole = parsed(&sample).unwrap().mesh;
        for end in 0..sample.len() {
            if let Ok(found) = parsed(&sample[..end]) {
                let last_word = sample.len() - end < 6; // a digit of the last tag, Medit's End, spaces
                let is_legacy = Format::of(&sample) == Some(Format::VtkLegacy); // its fields are last and optional
                assert!(last_word || is_legacy, "cut at {end} of {}", sample.len());
                assert!(
                    found.mesh.points == whole.points && found.mesh.blocks[0].nodes == whole.blocks[0].nodes,
                    "cut at {end} of {}",
                    sample.len()
                );
            }
        }
    }
}

#[test]
fn damaged_files_do_not_panic() {
    for sample in samples() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..2000 {
            let mut damaged = sample.clone();
            for _ in 0..=random(3) {
                let place = random(damaged.len());
                damaged[place] = random(256) as u8;
            }
            if let Ok(found) = parsed(damaged) {
                let _ = found.mesh.check();
            }
        }
    }
}
