//! `galerkit mesh convert`: a mesh in, VTU or Gmsh out.

use super::source;
use crate::args::MeshConvert;
use crate::commands::Ending;
use crate::output::Output;
use crate::output::table::grouped;
use anyhow::{Result, bail};
use galerkit_fem::io::{Contents, Field, GmshFormat, write_gmsh, write_vtu};
use std::path::Path;

/// Converts.
pub fn run(arguments: &MeshConvert, output: Output) -> Result<Ending> {
    let ending = arguments.output.extension().and_then(|ending| ending.to_str()).unwrap_or("");
    if !["vtu", "msh"].contains(&ending) {
        bail!("{}: meshes are written as .vtu or .msh: give the file one of these endings", arguments.output.display());
    }
    let mut contents = source::load(&arguments.mesh)?.contents;
    if arguments.repair {
        let turned = contents.mesh.repair()?.inverted.len();
        if turned > 0 {
            let cells = if turned == 1 { "cell was" } else { "cells were" };
            output.note(&format!("note: {} inverted {cells} turned round", grouped(turned as u64)));
        }
    }
    match ending {
        "vtu" => to_vtu(&arguments.output, &contents)?,
        _ => {
            if !(contents.point_data.is_empty() && contents.cell_data.is_empty()) {
                output.note("note: .msh holds no fields here: they were left out; .vtu keeps them");
            }
            write_gmsh(&arguments.output, &contents.mesh, gmsh_format(arguments))?;
        }
    }
    Ok(Ending::Done)
}

/// Tags are written by themselves, so that a field of this name would stand there twice.
fn to_vtu(path: &Path, contents: &Contents) -> Result<()> {
    let fields: Vec<Field> = contents.cell_data.iter().filter(|field| field.name != "tag").cloned().collect();
    Ok(write_vtu(path, &contents.mesh, &contents.point_data, &fields)?)
}

fn gmsh_format(arguments: &MeshConvert) -> GmshFormat {
    match (&*arguments.gmsh, arguments.ascii) {
        ("2.2", true) => GmshFormat::V22Ascii,
        ("2.2", false) => GmshFormat::V22Binary,
        (_, true) => GmshFormat::V41Ascii,
        (_, false) => GmshFormat::V41Binary,
    }
}
