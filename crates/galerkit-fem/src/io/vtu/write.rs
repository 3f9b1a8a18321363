//! VTU out: appended raw data, packed with zlib, lengths of 8 bytes. Cells to order 2 have VTK's classic types, those
//! of order 3 and 4 are Lagrange cells (VTK and ParaView draw them curved, meshio reads them; hexahedra with the two
//! last edges in the order that VTK had before version 9); functions of high degree are shown by [`write_subdivided`].

use crate::error::{Error, Result};
use crate::io::contents::Field;
use crate::io::vtk_cells::vtk_type;
use crate::mesh::{Block, Mesh, Shape};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use galerkit_linalg::io::atomic_write;
use galerkit_linalg::parallel;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are packed together.
const BLOCK: usize = 1 << 18;

/// Writes a mesh with fields on its points and cells; tags of cells become the cell field `tag`.
///
/// # Errors
/// If a field has the wrong length, VTK has no such cells, or the file cannot be written.
pub fn write_vtu(path: &Path, mesh: &Mesh, point_data: &[Field], cell_data: &[Field]) -> Result<()> {
    let cells = mesh.blocks.iter().map(crate::mesh::Block::len).sum();
    check_lengths(point_data, mesh.points.len())?;
    check_lengths(cell_data, cells)?;
    let types = types(mesh)?;
    let mut file = Appended::default();
    let mut text = opening(mesh, cells);
    text += "<Points>\n";
    text += &file.array("Points", "Float64", 3, mesh.points.iter().flatten().flat_map(|x| x.to_le_bytes()).collect());
    text += "</Points>\n<Cells>\n";
    let nodes: Vec<Cow<'_, [u32]>> = mesh.blocks.iter().map(in_old_order).collect();
    let nodes = nodes.iter().flat_map(|of_block| of_block.iter());
    text += &file.array("connectivity", "Int64", 1, nodes.flat_map(|node| i64::from(*node).to_le_bytes()).collect());
    text += &file.array("offsets", "Int64", 1, ends(mesh));
    text += &file.array("types", "UInt8", 1, types);
    text += "</Cells>\n<PointData>\n";
    point_data.iter().for_each(|field| text += &file.field(field));
    text += "</PointData>\n<CellData>\n";
    let tags = mesh.blocks.iter().flat_map(|block| &block.tags);
    text += &file.array("tag", "Int32", 1, tags.flat_map(|tag| tag.to_le_bytes()).collect());
    cell_data.iter().for_each(|field| text += &file.field(field));
    text += "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
    Ok(atomic_write(path, |to| {
        to.write_all(text.as_bytes())?;
        to.write_all(&file.bytes)?;
        to.write_all(b"\n</AppendedData>\n</VTKFile>\n")
    })?)
}

/// Writes the body with each cell cut n times along each edge, and functions on it: each is given a block, a cell and a
/// point of the reference cell, and fills in its components.
///
/// # Errors
/// If a geometry is not known, or the file cannot be written.
pub fn write_subdivided(path: &Path, mesh: &Mesh, n: usize, functions: &[CellFunction<'_>]) -> Result<()> {
    let empty = |(name, components, _): &CellFunction<'_>| Field {
        name: (*name).to_owned(),
        components: *components,
        values: Vec::new(),
    };
    let mut fields: Vec<Field> = functions.iter().map(empty).collect();
    let pieces = mesh.subdivided(n, |block, cell, xi| {
        for (field, (_, components, function)) in fields.iter_mut().zip(functions) {
            let start = field.values.len();
            field.values.resize(start + components, 0.0);
            function(block, cell, xi, &mut field.values[start..]);
        }
    })?;
    write_vtu(path, &pieces, &fields, &[])
}

/// A name, a number of components, and what fills them in for a block, a cell and a reference point.
pub type CellFunction<'a> = (&'a str, usize, &'a dyn Fn(usize, usize, [f64; 3], &mut [f64]));

fn check_lengths(fields: &[Field], count: usize) -> Result<()> {
    let Some(field) = fields.iter().find(|field| field.values.len() != field.components * count) else { return Ok(()) };
    let problem = format!("it has {} numbers, {} x {count} are needed", field.values.len(), field.components);
    Err(Error::InvalidMesh { place: format!("the field {}", field.name), problem })
}

fn types(mesh: &Mesh) -> Result<Vec<u8>> {
    let mut types = Vec::new();
    for (number, block) in mesh.blocks.iter().enumerate() {
        let kind = vtk_type(block.shape, block.order).ok_or_else(|| {
            let problem = format!("VTK has no {} of order {}", block.shape.name(), block.order);
            Error::InvalidMesh { place: format!("block {number}"), problem }
        })?;
        types.resize(types.len() + block.len(), kind);
    }
    Ok(types)
}

/// Where the nodes of each cell end.
fn ends(mesh: &Mesh) -> Vec<u8> {
    let sizes = mesh.blocks.iter().flat_map(|block| std::iter::repeat_n(block.shape.nodes(block.order), block.len()));
    let mut end = 0;
    sizes
        .flat_map(|size| {
            end += size as i64;
            end.to_le_bytes()
        })
        .collect()
}

/// The nodes of a block as files before version 2.1 list them: Lagrange hexahedra had their last two edges the other
/// way round. VTK turns them back by the version.
fn in_old_order(block: &Block) -> Cow<'_, [u32]> {
    if block.shape != Shape::Hexahedron || block.order < 3 {
        return Cow::Borrowed(&block.nodes);
    }
    let (edge, first) = (block.order - 1, 8 + 10 * (block.order - 1));
    let mut nodes = block.nodes.clone();
    for cell in nodes.chunks_exact_mut(block.shape.nodes(block.order)) {
        cell[first..first + 2 * edge].rotate_left(edge);
    }
    Cow::Owned(nodes)
}

/// Version 1.0: readers other than VTK, meshio among them, know no later one.
fn opening(mesh: &Mesh, cells: usize) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cells}\">\n",
        mesh.points.len()
    )
}

/// The bytes behind the underscore.
#[derive(Default)]
struct Appended {
    bytes: Vec<u8>,
}

impl Appended {
    fn field(&mut self, field: &Field) -> String {
        let bytes = field.values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.array(&escaped(&field.name), "Float64", field.components, bytes)
    }

    /// Adds an array and returns the element that refers to it.
    fn array(&mut self, name: &str, kind: &str, components: usize, bytes: Vec<u8>) -> String {
        let offset = self.bytes.len();
        let block = |k: usize| &bytes[k * BLOCK..bytes.len().min((k + 1) * BLOCK)];
        let packed =
            parallel::values(bytes.len().div_ceil(BLOCK), &|k| packed(block(k)).expect("memory can be written"));
        let lengths = [packed.len(), BLOCK, bytes.len() % BLOCK].into_iter().chain(packed.iter().map(Vec::len));
        self.bytes.extend(lengths.flat_map(|length| (length as u64).to_le_bytes()));
        packed.iter().for_each(|block| self.bytes.extend_from_slice(block));
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" \
             offset=\"{offset}\"/>\n"
        )
    }
}

fn packed(block: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(block)?;
    encoder.finish()
}

fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
