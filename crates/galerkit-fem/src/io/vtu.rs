//! VTK's XML files of unstructured grids: <https://docs.vtk.org/en/latest/vtk_file_formats/vtkxml_file_format.html>.
//! Arrays may be text, base64 or appended (raw or base64), plain or packed with zlib, of either byte order; several
//! pieces are joined.

mod array;
mod base64;
mod piece;
pub mod write;
mod xml;

use super::contents::{Contents, Field};
use crate::error::{Error, Result};
use array::Storage;
use piece::Piece;
use std::path::Path;
use xml::{Document, Kind};

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Contents> {
    let document = Document::parse(bytes).map_err(|(at, problem)| error(bytes, path, at, problem))?;
    let storage = storage(&document).map_err(|problem| error(bytes, path, 0, problem))?;
    let pieces = document.elements.iter().enumerate().filter(|(_, e)| e.name == "Piece" && e.kind != Kind::Close);
    let mut contents = Contents::default();
    let mut first = true;
    for (number, element) in pieces {
        let piece =
            Piece::read(&document, number, &storage).map_err(|(at, problem)| error(bytes, path, at, problem))?;
        let piece = piece.contents(storage.old).map_err(|problem| error(bytes, path, element.start, problem))?;
        contents = if first { piece } else { joined(contents, piece) };
        first = false;
    }
    contents.take_tags();
    Ok(contents)
}

fn error(bytes: &[u8], path: &Path, at: usize, problem: String) -> Error {
    let line = bytes[..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
    Error::File { path: path.to_path_buf(), place: format!("line {line}"), problem }
}

/// How arrays are stored, from the attributes of `VTKFile` and `AppendedData`.
fn storage<'a>(document: &Document<'a>) -> std::result::Result<Storage<'a>, String> {
    let file = document.find("VTKFile").ok_or("there is no element VTKFile")?;
    match file.attribute("type") {
        Some("UnstructuredGrid") => {}
        other => {
            return Err(format!(
                "files of type {} are not read: save an UnstructuredGrid (.vtu)",
                other.unwrap_or("?")
            ));
        }
    }
    let packed = match file.attribute("compressor") {
        None | Some("") => false,
        Some("vtkZLibDataCompressor") => true,
        Some(other) => {
            return Err(format!("data packed by {other} is not read: write it with zlib or without compression"));
        }
    };
    let version: f64 = file.attribute("version").and_then(|version| version.parse().ok()).unwrap_or(0.1);
    let appended = document.find("AppendedData");
    Ok(Storage {
        packed,
        wide: file.attribute("header_type") == Some("UInt64"),
        big: file.attribute("byte_order") == Some("BigEndian"),
        old: version < 2.1,
        appended: document.appended,
        appended_base64: appended.is_some_and(|element| element.attribute("encoding") == Some("base64")),
    })
}

/// Two pieces as one; of the fields those that both have.
fn joined(mut all: Contents, piece: Contents) -> Contents {
    let (points, cells) = (all.mesh.points.len() as u32, piece.cell_data);
    all.mesh.points.extend(piece.mesh.points);
    for mut block in piece.mesh.blocks {
        block.nodes.iter_mut().for_each(|node| *node += points);
        all.mesh.blocks.push(block);
    }
    all.point_data = both(std::mem::take(&mut all.point_data), piece.point_data);
    all.cell_data = both(std::mem::take(&mut all.cell_data), cells);
    all
}

fn both(mine: Vec<Field>, mut theirs: Vec<Field>) -> Vec<Field> {
    let mut fields = Vec::new();
    for mut field in mine {
        let same = |other: &Field| (&other.name, other.components) == (&field.name, field.components);
        if let Some(found) = theirs.iter().position(same) {
            field.values.append(&mut theirs[found].values);
            fields.push(field);
        }
    }
    fields
}
