//! Gmsh out, versions 2.2 and 4.1, ascii and binary. Each tag of a dimension becomes a physical group and, in 4.1, a
//! geometric entity of the same number.

mod group;
mod sink;
mod v22;
mod v41;

use super::elements::number_of;
use super::order::to_gmsh;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use galerkit_linalg::io::atomic_write;
use group::Group;
use sink::Sink;
use std::collections::BTreeMap;
use std::io;
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
            v41::entities(&mut sink, mesh, &groups)?;
            v41::nodes(&mut sink, mesh, &groups)?;
            v41::elements(&mut sink, &groups)
        } else {
            v22::nodes(&mut sink, mesh)?;
            v22::elements(&mut sink, &groups)
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
