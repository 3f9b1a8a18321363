//! VTK's legacy files: unstructured grids, ascii and binary (big endian), versions 1 to 5.1, with their fields.
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtk_legacy_file_format.html>

mod fields;
mod numbers;

use super::contents::{Contents, Field};
use super::scan::{Encoding, Scanner};
use super::vtk_cells::VtkCells;
use crate::error::Result;
use numbers::{integers, reals};

/// What is known of a file while it is read.
#[derive(Default)]
struct LegacyFile {
    points: Vec<[f64; 3]>,
    starts: Vec<i64>,
    nodes: Vec<i64>,
    types: Vec<i64>,
    point_data: Vec<Field>,
    cell_data: Vec<Field>,
}

pub(super) fn parse(mut scanner: Scanner) -> Result<Contents> {
    let version = scanner.line().rsplit(' ').next().and_then(|version| version.parse().ok()).unwrap_or(1.0);
    scanner.line(); // title
    let encoding = match scanner.word() {
        Some("ASCII") => Encoding::Text,
        Some("BINARY") => Encoding::Big,
        _ => return Err(scanner.error("the third line must be ASCII or BINARY")),
    };
    let mut file = LegacyFile::default();
    let mut on_points = None;
    while let Some(word) = scanner.word() {
        match word.to_ascii_uppercase().as_str() {
            "DATASET" => dataset(&mut scanner)?,
            "POINTS" => points(&mut scanner, encoding, &mut file)?,
            "CELLS" => cells(&mut scanner, encoding, &mut file)?,
            "CELL_TYPES" => {
                let count = scanner.size()?;
                scanner.line();
                file.types = integers(&mut scanner, encoding, "int", count)?;
            }
            place @ ("POINT_DATA" | "CELL_DATA") => {
                scanner.size()?; // the number of points or cells once more
                on_points = Some(place == "POINT_DATA");
            }
            "METADATA" => scanner.skip_paragraph(),
            other => {
                let count = if on_points == Some(true) { file.points.len() } else { file.types.len() };
                let found = fields::attribute(&mut scanner, encoding, other, count as u64)?;
                match on_points {
                    Some(true) => file.point_data.extend(found),
                    Some(false) => file.cell_data.extend(found),
                    None => {}
                }
            }
        }
    }
    file.finish(&scanner, version < 5.1)
}

fn dataset(scanner: &mut Scanner) -> Result<()> {
    match scanner.word() {
        Some("UNSTRUCTURED_GRID") => Ok(()),
        Some(other) => {
            Err(scanner.error(format!("a dataset of kind {other} is not read: save it as UNSTRUCTURED_GRID")))
        }
        None => Err(scanner.error("the file ends where the kind of its dataset must stand")),
    }
}

fn points(scanner: &mut Scanner, encoding: Encoding, file: &mut LegacyFile) -> Result<()> {
    let count = scanner.size()?;
    let kind = scanner.word().unwrap_or("").to_owned();
    scanner.line();
    let values = reals(scanner, encoding, &kind, count.saturating_mul(3))?;
    file.points = values.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
    Ok(())
}

/// Before version 5: each cell's count, then its nodes. Since then: offsets, then all nodes.
fn cells(scanner: &mut Scanner, encoding: Encoding, file: &mut LegacyFile) -> Result<()> {
    let (cells, size) = (scanner.size()?, scanner.size()?);
    scanner.line();
    if scanner.peek() == Some("OFFSETS") {
        file.starts = typed(scanner, encoding, "OFFSETS", cells)?;
        file.nodes = typed(scanner, encoding, "CONNECTIVITY", size)?;
        return Ok(());
    }
    let list = integers(scanner, encoding, "int", size)?;
    let mut at = 0;
    file.starts = vec![0];
    for cell in 0..cells {
        let count = list.get(at).copied().and_then(|count| usize::try_from(count).ok());
        let nodes = count.and_then(|count| list.get(at + 1..at + 1 + count));
        let nodes =
            nodes.ok_or_else(|| scanner.error(format!("cell {cell} does not fit the {size} numbers of CELLS")))?;
        file.nodes.extend_from_slice(nodes);
        file.starts.push(file.nodes.len() as i64);
        at += nodes.len() + 1;
    }
    Ok(())
}

fn typed(scanner: &mut Scanner, encoding: Encoding, name: &str, count: u64) -> Result<Vec<i64>> {
    scanner.expect(name, "cells are written as OFFSETS, then CONNECTIVITY")?;
    let kind = scanner.word().unwrap_or("").to_owned();
    scanner.line();
    integers(scanner, encoding, &kind, count)
}

impl LegacyFile {
    fn finish(self, scanner: &Scanner, old_hexahedra: bool) -> Result<Contents> {
        let Self { points, starts, nodes, types, point_data, cell_data } = self;
        let cells = VtkCells { starts, nodes, types, old_hexahedra };
        let (blocks, numbers) = cells.blocks(points.len()).map_err(|problem| scanner.error(problem))?;
        let mut contents = Contents { point_data, cell_data, ..Contents::default() };
        contents.mesh.points = points;
        contents.mesh.blocks = blocks;
        contents.sort_cell_data(&numbers);
        contents.take_tags();
        Ok(contents)
    }
}
