//! CARP's meshes, as openCARP writes them: `NAME.pts` (a count, then x y z of each point, in micrometres), `NAME.elem`
//! (a count, then Ln, Tr or Tt with its points and a region) and, if there are fibres, `NAME.lon` (1 or 2 for the
//! directions that follow, then three or six numbers an element). Any of the three, or NAME alone, names the mesh.

use super::contents::{Contents, Field};
use super::scan::Scanner;
use crate::error::{Error, Result};
use crate::mesh::{Block, Mesh, Shape, UNTAGGED};
use std::path::{Path, PathBuf};

/// What the field of fibres is called.
pub const FIBRE: &str = "fibre";
/// What the field of sheets is called.
pub const SHEET: &str = "sheet";

/// Where the three files are, if a path names such a mesh.
pub fn parts(path: &Path) -> Option<[PathBuf; 3]> {
    let is_part = path.extension().is_some_and(|ending| ["pts", "elem", "lon"].iter().any(|known| ending == *known));
    let with = |ending: &str| {
        let mut name = if is_part { path.with_extension("") } else { path.to_path_buf() }.into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    let all = [".pts", ".elem", ".lon"].map(with);
    (is_part || (!path.exists() && all[1].exists())).then_some(all)
}

/// Reads the mesh; lengths stay in the unit of the file.
pub(super) fn read([points, elements, fibres]: &[PathBuf; 3]) -> Result<Contents> {
    let text = |path: &Path| std::fs::read(path).map_err(|source| Error::Io { path: path.to_path_buf(), source });
    let mut contents = Contents::default();
    let bytes = text(points)?;
    read_points(Scanner::new(&bytes, points), &mut contents.mesh)?;
    let bytes = text(elements)?;
    let numbers = read_elements(Scanner::new(&bytes, elements), &mut contents.mesh)?;
    if fibres.exists() {
        let bytes = text(fibres)?;
        contents.cell_data = read_fibres(Scanner::new(&bytes, fibres), numbers.len())?;
        contents.sort_cell_data(&numbers);
    }
    Ok(contents)
}

/// Fibres and, if there are any, sheets, an element after the other as in the file.
///
/// # Errors
/// If the file cannot be read, or is of another number of elements.
pub fn read_lon(path: &Path, elements: usize) -> Result<Vec<Field>> {
    let bytes = std::fs::read(path).map_err(|source| Error::Io { path: path.to_path_buf(), source })?;
    read_fibres(Scanner::new(&bytes, path), elements)
}

fn read_points(mut scanner: Scanner, mesh: &mut Mesh) -> Result<()> {
    let count = scanner.size()?;
    for _ in 0..scanner.fitting(count, 6, "points")? {
        mesh.points.push([scanner.real()?, scanner.real()?, scanner.real()?]);
    }
    Ok(())
}

/// The cells by shape; where each of them stood.
fn read_elements(mut scanner: Scanner, mesh: &mut Mesh) -> Result<Vec<usize>> {
    let count = scanner.size()?;
    let kinds = [("Ln", Shape::Line), ("Tr", Shape::Triangle), ("Tt", Shape::Tetrahedron)];
    let empty = |shape| Block { shape, order: 1, nodes: Vec::new(), tags: Vec::new() };
    let mut blocks = kinds.map(|(_, shape)| (empty(shape), Vec::new()));
    for number in 0..scanner.fitting(count, 6, "elements")? {
        let word = scanner.word().unwrap_or("nothing");
        let Some(kind) = kinds.iter().position(|(name, _)| *name == word) else {
            return Err(scanner.error(format!("expected Ln, Tr or Tt, found {word}: cut other elements into these")));
        };
        let (block, numbers) = &mut blocks[kind];
        for _ in 0..block.shape.corners() {
            let node = scanner.int()?;
            if node < 0 || node as u64 >= mesh.points.len() as u64 {
                return Err(scanner.error(format!("point {node} is none of 0 to {}", mesh.points.len().max(1) - 1)));
            }
            block.nodes.push(node as u32);
        }
        // The region may be left out.
        let is_tagged = scanner.peek().is_some_and(|word| word.parse::<i64>().is_ok());
        block.tags.push(if is_tagged { scanner.int()? as i32 } else { UNTAGGED });
        numbers.push(number);
    }
    let (blocks, numbers): (Vec<_>, Vec<_>) = blocks.into_iter().filter(|(block, _)| !block.is_empty()).unzip();
    mesh.blocks = blocks;
    Ok(numbers.concat())
}

fn read_fibres(mut scanner: Scanner, elements: usize) -> Result<Vec<Field>> {
    let directions = match scanner.int()? {
        count @ (1 | 2) => count as usize,
        other => return Err(scanner.error(format!("{other} directions an element: 1 (fibres) or 2 (and sheets)"))),
    };
    let field = |name: &str| Field { name: name.into(), components: 3, values: Vec::new() };
    let mut fields: Vec<Field> = [FIBRE, SHEET].iter().take(directions).map(|name| field(name)).collect();
    for _ in 0..elements {
        for field in &mut fields {
            field.values.extend([scanner.real()?, scanner.real()?, scanner.real()?]);
        }
    }
    match scanner.word() {
        None => Ok(fields),
        Some(_) => Err(scanner.error(format!("more lines than the {elements} elements: it belongs to another mesh"))),
    }
}
