//! Writing a mesh in the format that the ending of the file's name asks for.

use super::gmsh::write::{GmshFormat, write_gmsh};
use super::vtu::write::write_vtu;
use crate::error::{Error, Result};
use crate::mesh::Mesh;
use std::path::Path;

/// Writes `.vtu`, or `.msh` in version 4.1, binary.
///
/// # Errors
/// If the ending is another, the format cannot hold the mesh, or the file cannot be written.
pub fn write(path: &Path, mesh: &Mesh) -> Result<()> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("vtu") => write_vtu(path, mesh, &[], &[]),
        Some("msh") => write_gmsh(path, mesh, GmshFormat::V41Binary),
        _ => {
            let problem = "meshes are written as .vtu or .msh: give the file one of these endings".into();
            Err(Error::File { path: path.to_path_buf(), place: "its name".into(), problem })
        }
    }
}
