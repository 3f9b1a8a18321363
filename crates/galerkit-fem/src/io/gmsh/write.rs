//! Gmsh out, versions 2.2 and 4.1, ascii and binary. Each tag of a dimension becomes a physical group and, in 4.1, a geometric entity of
//! the same number.

use super::elements::number_of;
use super::order::to_gmsh;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use galerkit_linalg::io::atomic_write;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Versions and encodings that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GmshFormat {
    /// 2.2 as text.
    V22Ascii,
    /// 2.2, binary.
    V22Binary,
    /// 4.1 as text.
    V41Ascii,
    /// 4.1, binary.
    V41Binary,
}

impl GmshFormat {
    fn binary(self) -> bool {
        matches!(self, Self::V22Binary | Self::V41Binary)
    }
    fn is_41(self) -> bool {
        matches!(self, Self::V41Ascii | Self::V41Binary)
    }
}

/// Cells that one block of a file holds: Gmsh's type, nodes of a cell, all nodes in Gmsh's order.
struct Group {
    dim: usize,
    tag: i32,
    kind: i64,
    stride: usize,
    nodes: Vec<u32>,
}

/// Writes a mesh.
///
/// # Errors
/// If Gmsh has no such elements, or the file cannot be written.
pub fn write_gmsh(path: &Path, mesh: &Mesh, format: GmshFormat) -> Result<()> {
    let groups = groups(mesh)?;
    Ok(atomic_write(path, |to| {
        let mut sink = Sink { to, binary: format.binary() };
        sink.text(&format!(
            "$MeshFormat\n{} {} 8\n",
            if format.is_41() { "4.1" } else { "2.2" },
            u8::from(sink.binary)
        ))?;
        if sink.binary {
            sink.int(1)?;
            sink.text("\n")?;
        }
        sink.text("$EndMeshFormat\n")?;
        names(&mut sink, mesh)?;
        if format.is_41() {
            entities(&mut sink, mesh, &groups)?;
            nodes_41(&mut sink, mesh, &groups)?;
            elements_41(&mut sink, &groups)
        } else {
            nodes_22(&mut sink, mesh)?;
            elements_22(&mut sink, &groups)
        }
    })?)
}

/// Cells by dimension, tag and type.
fn groups(mesh: &Mesh) -> Result<Vec<Group>> {
    let mut groups: BTreeMap<_, Group> = BTreeMap::new();
    for (number, block) in mesh.blocks.iter().enumerate() {
        let (dim, stride) = (block.shape.dim(), block.shape.nodes(block.order));
        let kind = number_of(block.shape, block.order).ok_or_else(|| {
            let problem = format!("Gmsh has no {} of order {}", block.shape.name(), block.order);
            Error::InvalidMesh { place: format!("block {number}"), problem }
        })?;
        let nodes = to_gmsh(block.shape, block.order, block.nodes.clone());
        for (cell, &tag) in nodes.chunks_exact(stride).zip(&block.tags) {
            let empty = || Group { dim, tag, kind, stride, nodes: Vec::new() };
            groups.entry((dim, tag, kind)).or_insert_with(empty).nodes.extend_from_slice(cell);
        }
    }
    Ok(groups.into_values().collect())
}

/// Numbers as words or as bytes.
struct Sink<'a> {
    to: &'a mut dyn Write,
    binary: bool,
}

impl Sink<'_> {
    fn text(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())
    }
    fn int(&mut self, value: i64) -> io::Result<()> {
        if self.binary { self.to.write_all(&(value as i32).to_le_bytes()) } else { write!(self.to, "{value} ") }
    }
    fn size(&mut self, value: usize) -> io::Result<()> {
        if self.binary { self.to.write_all(&(value as u64).to_le_bytes()) } else { write!(self.to, "{value} ") }
    }
    fn real(&mut self, value: f64) -> io::Result<()> {
        if self.binary { self.to.write_all(&value.to_le_bytes()) } else { write!(self.to, "{value:?} ") }
    }
    /// The end of a line of text; nothing in binary data.
    fn end(&mut self) -> io::Result<()> {
        if self.binary { Ok(()) } else { self.text("\n") }
    }
}

fn names(sink: &mut Sink, mesh: &Mesh) -> io::Result<()> {
    if mesh.names.is_empty() {
        return Ok(());
    }
    sink.text(&format!("$PhysicalNames\n{}\n", mesh.names.len()))?;
    for ((dim, tag), name) in &mesh.names {
        sink.text(&format!("{dim} {tag} \"{name}\"\n"))?;
    }
    sink.text("$EndPhysicalNames\n")
}

fn nodes_22(sink: &mut Sink, mesh: &Mesh) -> io::Result<()> {
    sink.text(&format!("$Nodes\n{}\n", mesh.points.len()))?;
    for (i, point) in mesh.points.iter().enumerate() {
        sink.int(i as i64 + 1)?;
        point.iter().try_for_each(|x| sink.real(*x))?;
        sink.end()?;
    }
    sink.text(if sink.binary { "\n$EndNodes\n" } else { "$EndNodes\n" })
}

fn elements_22(sink: &mut Sink, groups: &[Group]) -> io::Result<()> {
    let count: usize = groups.iter().map(|group| group.nodes.len() / group.stride).sum();
    sink.text(&format!("$Elements\n{count}\n"))?;
    let mut number = 0;
    for group in groups {
        if sink.binary {
            [group.kind, (group.nodes.len() / group.stride) as i64, 2].into_iter().try_for_each(|x| sink.int(x))?;
        }
        for cell in group.nodes.chunks_exact(group.stride) {
            number += 1;
            sink.int(number)?;
            if !sink.binary {
                sink.int(group.kind)?;
                sink.int(2)?;
            }
            sink.int(i64::from(group.tag))?;
            sink.int(i64::from(group.tag))?;
            cell.iter().try_for_each(|node| sink.int(i64::from(*node) + 1))?;
            sink.end()?;
        }
    }
    sink.text(if sink.binary { "\n$EndElements\n" } else { "$EndElements\n" })
}

/// One entity for each dimension and tag, in the box of the whole mesh.
fn entities(sink: &mut Sink, mesh: &Mesh, groups: &[Group]) -> io::Result<()> {
    let mut tags: [Vec<i32>; 4] = Default::default();
    groups.iter().for_each(|group| tags[group.dim].push(group.tag));
    tags.iter_mut().for_each(Vec::dedup);
    let extreme = |d: usize, pick: fn(f64, f64) -> f64| mesh.points.iter().map(|x| x[d]).reduce(pick).unwrap_or(0.0);
    let ends = [f64::min, f64::max].map(|pick: fn(f64, f64) -> f64| [0, 1, 2].map(|d| extreme(d, pick)));
    sink.text("$Entities\n")?;
    tags.iter().try_for_each(|tags| sink.size(tags.len()))?;
    sink.end()?;
    for (dim, tag) in tags.iter().enumerate().flat_map(|(dim, tags)| tags.iter().map(move |tag| (dim, *tag))) {
        sink.int(i64::from(tag))?;
        let corners = if dim == 0 { &ends[..1] } else { &ends[..] };
        corners.iter().flatten().try_for_each(|x| sink.real(*x))?;
        sink.size(usize::from(tag != 0))?; // 0 is no physical group
        if tag != 0 {
            sink.int(i64::from(tag))?;
        }
        if dim > 0 {
            sink.size(0)?; // what bounds it is not known
        }
        sink.end()?;
    }
    sink.text(if sink.binary { "\n$EndEntities\n" } else { "$EndEntities\n" })
}

/// All nodes in one block, of the entity that comes last.
fn nodes_41(sink: &mut Sink, mesh: &Mesh, groups: &[Group]) -> io::Result<()> {
    let count = mesh.points.len();
    sink.text("$Nodes\n")?;
    [1, count, 1, count].into_iter().try_for_each(|x| sink.size(x))?;
    sink.end()?;
    let (dim, tag) = groups.last().map_or((0, 0), |group| (group.dim as i64, i64::from(group.tag)));
    [dim, tag, 0].into_iter().try_for_each(|x| sink.int(x))?;
    sink.size(count)?;
    sink.end()?;
    for i in 1..=count {
        sink.size(i)?;
        sink.end()?;
    }
    for point in &mesh.points {
        point.iter().try_for_each(|x| sink.real(*x))?;
        sink.end()?;
    }
    sink.text(if sink.binary { "\n$EndNodes\n" } else { "$EndNodes\n" })
}

fn elements_41(sink: &mut Sink, groups: &[Group]) -> io::Result<()> {
    let count: usize = groups.iter().map(|group| group.nodes.len() / group.stride).sum();
    sink.text("$Elements\n")?;
    [groups.len(), count, 1, count].into_iter().try_for_each(|x| sink.size(x))?;
    sink.end()?;
    let mut number = 0;
    for group in groups {
        [group.dim as i64, i64::from(group.tag), group.kind].into_iter().try_for_each(|x| sink.int(x))?;
        sink.size(group.nodes.len() / group.stride)?;
        sink.end()?;
        for cell in group.nodes.chunks_exact(group.stride) {
            number += 1;
            sink.size(number)?;
            cell.iter().try_for_each(|node| sink.size(*node as usize + 1))?;
            sink.end()?;
        }
    }
    sink.text(if sink.binary { "\n$EndElements\n" } else { "$EndElements\n" })
}
