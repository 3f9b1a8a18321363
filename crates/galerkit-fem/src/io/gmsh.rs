//! Gmsh's `.msh`, versions 2, 4.0 and 4.1, ascii and binary: <https://gmsh.info/doc/texinfo/gmsh.html>, file formats.
//!
//! The tag of a cell is its physical group (the first, where it has several). Where no cell of a dimension has a group,
//! it is the number of the geometric entity, so that sides can be told apart. Sections that hold no mesh are passed
//! over.

mod elements;
mod file;
mod order;
mod v2;
mod v4;
pub mod write;

use super::contents::Contents;
use super::scan::{Encoding, Scanner};
use crate::error::Result;
use file::{GmshFile, Version};

pub(super) fn parse(mut scanner: Scanner) -> Result<Contents> {
    let mut file = GmshFile::default();
    let version = header(&mut scanner)?;
    while let Some(section) = scanner.word() {
        let end = section.replacen('$', "$End", 1);
        scanner.line(); // binary data begins on the next
        match (section, version) {
            ("$PhysicalNames", _) => names(&mut scanner, &mut file)?,
            ("$Entities", _) => v4::entities(&mut scanner, &mut file, version)?,
            ("$Nodes", Version::V2) => v2::nodes(&mut scanner, &mut file)?,
            ("$Nodes", _) => v4::nodes(&mut scanner, &mut file, version)?,
            ("$Elements", Version::V2) => v2::elements(&mut scanner, &mut file)?,
            ("$Elements", _) => v4::elements(&mut scanner, &mut file, version)?,
            (other, _) if other.starts_with('$') => {
                scanner.skip_past(&end)?;
                continue;
            }
            (other, _) => {
                return Err(scanner.error(format!("expected a section that begins with $, found \"{other}\"")));
            }
        }
        scanner.expect(&end, "the counts at the beginning of the section do not fit what follows")?;
    }
    Ok(Contents { mesh: file.finish(), ..Contents::default() })
}

fn header(scanner: &mut Scanner) -> Result<Version> {
    scanner.expect("$MeshFormat", "Gmsh files of version 1 are not read: save the mesh as version 2.2 or 4.1")?;
    let version = match scanner.word().unwrap_or("") {
        "2" | "2.0" | "2.1" | "2.2" => Version::V2,
        "4" | "4.0" => Version::V40,
        "4.1" => Version::V41,
        other => {
            return Err(scanner.error(format!("version \"{other}\" is not known: save the mesh as version 2.2 or 4.1")));
        }
    };
    let binary = scanner.int()?;
    scanner.size_bytes = match scanner.int()? {
        4 => 4,
        8 => 8,
        other => return Err(scanner.error(format!("numbers of {other} bytes are not known, 8 are usual"))),
    };
    scanner.line();
    if binary == 1 {
        scanner.encoding = match scanner.take(4)? {
            [1, 0, 0, 0] => Encoding::Little,
            [0, 0, 0, 1] => Encoding::Big,
            _ => {
                return Err(
                    scanner.error("the first binary number must be 1: the file was damaged, perhaps sent as text")
                );
            }
        };
    }
    scanner.expect("$EndMeshFormat", "the header has three numbers")?;
    Ok(version)
}

/// Always text: dimension, tag, name in quotes.
fn names(scanner: &mut Scanner, file: &mut GmshFile) -> Result<()> {
    let encoding = std::mem::replace(&mut scanner.encoding, Encoding::Text);
    let count = scanner.size()?;
    for _ in 0..count {
        let (dim, tag) = (scanner.size()? as usize, scanner.int()? as i32);
        let name = scanner.line();
        if !name.starts_with('"') {
            return Err(scanner.error("expected the name of a physical group in quotes"));
        }
        file.names.insert((dim, tag), name.trim_matches('"').to_owned());
    }
    scanner.encoding = encoding;
    Ok(())
}
