//! One piece of a file: its points, cells and fields.

use super::array::{Storage, integers, reals};
use super::xml::{Document, Element, Kind, Problem};
use crate::io::contents::{Contents, Field};
use crate::io::vtk_cells::VtkCells;

/// The arrays of a piece.
#[derive(Default)]
pub(super) struct Piece {
    points: Vec<f64>,
    nodes: Vec<i64>,
    ends: Vec<i64>,
    types: Vec<i64>,
    point_data: Vec<Field>,
    cell_data: Vec<Field>,
    announced: [Option<usize>; 2],
}

impl Piece {
    /// The piece that begins with this element.
    pub(super) fn read(document: &Document, first: usize, storage: &Storage) -> Result<Self, Problem> {
        let announced = |name| document.elements[first].attribute(name).and_then(|count: &str| count.parse().ok());
        let announced = [announced("NumberOfPoints"), announced("NumberOfCells")];
        let mut piece = Self { announced, ..Self::default() };
        let mut section = "";
        for element in &document.elements[first + 1..] {
            match (element.name, element.kind) {
                ("Piece", _) => break,
                ("DataArray", Kind::Open | Kind::Empty) => {
                    piece.take(section, element, storage).map_err(|problem| (element.start, problem))?;
                }
                (name, Kind::Open) => section = name,
                _ => {}
            }
        }
        Ok(piece)
    }

    fn take(&mut self, section: &str, element: &Element, storage: &Storage) -> Result<(), String> {
        let name = element.attribute("Name").unwrap_or("");
        match (section, name) {
            ("Points", _) => self.points = reals(element, storage)?,
            ("Cells", "connectivity") => self.nodes = integers(element, storage)?,
            ("Cells", "offsets") => self.ends = integers(element, storage)?,
            ("Cells", "types") => self.types = integers(element, storage)?,
            ("PointData" | "CellData", _) if element.attribute("type") != Some("String") => {
                let components =
                    element.attribute("NumberOfComponents").and_then(|count| count.parse().ok()).unwrap_or(1);
                let field = Field { name: unescaped(name), components, values: reals(element, storage)? };
                if section == "PointData" { self.point_data.push(field) } else { self.cell_data.push(field) }
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn contents(self, old_hexahedra: bool) -> Result<Contents, String> {
        let found = [self.points.len() / 3, self.types.len()];
        for (i, things) in ["points", "cells"].into_iter().enumerate() {
            if let Some(announced) = self.announced[i].filter(|announced| *announced != found[i]) {
                return Err(format!("{announced} {things} are announced, {} are there: correct the count", found[i]));
            }
        }
        let starts = std::iter::once(0).chain(self.ends).collect();
        let cells = VtkCells { starts, nodes: self.nodes, types: self.types, old_hexahedra };
        let (blocks, numbers) = cells.blocks(found[0])?;
        let mut contents = Contents { point_data: self.point_data, cell_data: self.cell_data, ..Contents::default() };
        contents.mesh.points = self.points.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
        contents.mesh.blocks = blocks;
        contents.sort_cell_data(&numbers);
        Ok(contents)
    }
}

fn unescaped(name: &str) -> String {
    name.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'").replace("&amp;", "&")
}
