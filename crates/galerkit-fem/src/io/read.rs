//! Opening a mesh file: bytes, unpacked where they are packed, then the reader of the format that the content shows.

use super::contents::Contents;
use super::scan::Scanner;
use super::{carp, gmsh, medit, vtk_legacy, vtu};
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use flate2::read::MultiGzDecoder;
use std::io::Read;
use std::path::Path;

/// Formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Gmsh's `.msh`.
    Gmsh,
    /// `# vtk DataFile`.
    VtkLegacy,
    /// VTK's XML.
    Vtu,
    /// Medit's `.mesh`.
    Medit,
    /// CARP's `.pts`, `.elem` and `.lon`.
    Carp,
}

/// The mesh in a file.
///
/// # Errors
/// If the file cannot be read, or breaks the rules of its format.
pub fn read(path: &Path) -> Result<Mesh> {
    Ok(read_contents(path)?.mesh)
}

/// The mesh in a file, with the fields on its points and cells.
///
/// # Errors
/// If the file cannot be read, or breaks the rules of its format.
pub fn read_contents(path: &Path) -> Result<Contents> {
    if let Some(parts) = carp::parts(path) {
        return checked(carp::read(&parts)?, path);
    }
    let failed = |source| Error::Io { path: path.to_path_buf(), source };
    parse(std::fs::read(path).map_err(failed)?, path)
}

/// The same for bytes in memory; the path is what errors name.
///
/// # Errors
/// If the bytes break the rules of their format.
pub fn parse(bytes: Vec<u8>, path: &Path) -> Result<Contents> {
    let bytes = unpacked(bytes, path)?;
    let scanner = Scanner::new(&bytes, path);
    let contents = match Format::of(&bytes) {
        Some(Format::Gmsh) => gmsh::parse(scanner)?,
        Some(Format::VtkLegacy) => vtk_legacy::parse(scanner)?,
        Some(Format::Vtu) => vtu::parse(&bytes, path)?,
        Some(Format::Medit) => medit::parse(scanner)?,
        Some(Format::Carp) | None => return Err(scanner.error(unknown(&bytes))),
    };
    checked(contents, path)
}

fn checked(contents: Contents, path: &Path) -> Result<Contents> {
    if contents.mesh.blocks.is_empty() {
        return Err(Error::InvalidMesh {
            place: path.display().to_string(),
            problem: "the file holds no cells".into(),
        });
    }
    Ok(contents)
}

/// The format of a file, seen from its first bytes; none if it is not known.
///
/// # Errors
/// If the file cannot be read.
pub fn format_of(path: &Path) -> Result<Option<Format>> {
    if carp::parts(path).is_some() {
        return Ok(Some(Format::Carp)); // its content is nothing but numbers
    }
    let failed = |source| Error::Io { path: path.to_path_buf(), source };
    let mut head = Vec::new();
    std::fs::File::open(path).map_err(failed)?.take(HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    if head.starts_with(&[0x1f, 0x8b]) {
        let mut text = [0; HEAD];
        let mut length = 0;
        let mut unpacking = MultiGzDecoder::new(&head[..]);
        // The packed data end early here: what came until then is enough.
        while let Ok(count @ 1..) = unpacking.read(&mut text[length..]) {
            length += count;
        }
        head = text[..length].to_vec();
    }
    Ok(Format::of(&head))
}

/// Bytes that show a format.
const HEAD: usize = 2000;

impl Format {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gmsh => "Gmsh",
            Self::VtkLegacy => "legacy VTK",
            Self::Vtu => "VTU",
            Self::Medit => "Medit",
            Self::Carp => "CARP",
        }
    }
    /// What the first bytes of a file show.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
        let head = head.trim_start_matches('\u{feff}').trim_start();
        if head.starts_with('$') {
            Some(Self::Gmsh)
        } else if head.to_ascii_lowercase().starts_with("# vtk datafile") {
            Some(Self::VtkLegacy)
        } else if head.starts_with('<') && head.contains("<VTKFile") {
            Some(Self::Vtu)
        } else if head.lines().any(|line| line.trim_start().starts_with("MeshVersionFormatted")) {
            Some(Self::Medit)
        } else {
            None
        }
    }
}

fn unknown(bytes: &[u8]) -> String {
    let known =
        "meshes are read from Gmsh (.msh), VTK (.vtk, .vtu), CARP (.pts, .elem, .lon) and ascii Medit (.mesh) files";
    match bytes {
        [] => "the file is empty".into(),
        [b'M', b'F', b'E', b'M', ..] => format!("this is a mesh of MFEM: print it as Gmsh or VTK; {known}"),
        [1, 0, 0, 0, ..] | [0, 0, 0, 1, ..] => format!("binary Medit (.meshb) is not read: save it as ascii; {known}"),
        _ => format!("the first bytes belong to no known format: {known}"),
    }
}

fn unpacked(bytes: Vec<u8>, path: &Path) -> Result<Vec<u8>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut text = Vec::new();
    MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text).map_err(|source| {
        let advice = format!("the gzip data is damaged or cut short ({source}): fetch the file again");
        Error::Io { path: path.to_path_buf(), source: std::io::Error::new(source.kind(), advice) }
    })?;
    Ok(text)
}
