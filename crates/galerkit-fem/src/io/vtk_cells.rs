//! VTK's cells, as its legacy and XML files list them: types, and nodes one cell after the other.

use crate::mesh::{Block, Shape, UNTAGGED};
use std::collections::BTreeMap;

const CLASSIC: [(i64, Shape, usize); 16] = [
    (1, Shape::Vertex, 1),
    (3, Shape::Line, 1),
    (5, Shape::Triangle, 1),
    (9, Shape::Quadrilateral, 1),
    (10, Shape::Tetrahedron, 1),
    (12, Shape::Hexahedron, 1),
    (13, Shape::Prism, 1),
    (14, Shape::Pyramid, 1),
    (8, Shape::Quadrilateral, 1), // pixel
    (11, Shape::Hexahedron, 1),   // voxel
    (21, Shape::Line, 2),
    (22, Shape::Triangle, 2),
    (24, Shape::Tetrahedron, 2),
    (28, Shape::Quadrilateral, 2),
    (29, Shape::Hexahedron, 2),
    (32, Shape::Prism, 2),
];

const LAGRANGE: [(i64, Shape); 6] = [
    (68, Shape::Line),
    (69, Shape::Triangle),
    (70, Shape::Quadrilateral),
    (71, Shape::Tetrahedron),
    (72, Shape::Hexahedron),
    (73, Shape::Prism),
];

/// VTK's type of a shape and order; those of order 3 and 4 are its Lagrange cells.
pub(super) fn vtk_type(shape: Shape, order: usize) -> Option<u8> {
    let classic = CLASSIC.iter().find(|(_, s, o)| (*s, *o) == (shape, order)).map(|(number, ..)| *number);
    let lagrange =
        || LAGRANGE.iter().find(|(_, s)| *s == shape && order <= shape.max_order()).map(|(number, _)| *number);
    classic.or_else(lagrange).map(|number| number as u8)
}

/// The shape and order of a type with this many nodes.
fn shape_of(kind: i64, nodes: usize) -> Result<(Shape, usize), String> {
    let known = CLASSIC.iter().find(|(number, ..)| *number == kind).map(|&(_, shape, order)| (shape, order));
    let of_lagrange = |shape: Shape| (1..=shape.max_order()).find(|k| shape.nodes(*k) == nodes).map(|k| (shape, k));
    let lagrange = LAGRANGE.iter().find(|(number, _)| *number == kind).and_then(|(_, shape)| of_lagrange(*shape));
    let polygon = match (kind, nodes) {
        (7, 3) => Some((Shape::Triangle, 1)),
        (7, 4) => Some((Shape::Quadrilateral, 1)),
        _ => None,
    };
    match known.or(lagrange).or(polygon) {
        Some((shape, order)) if shape.nodes(order) == nodes => Ok((shape, order)),
        Some((shape, _)) => Err(format!("a {} of type {kind} cannot have {nodes} nodes", shape.name())),
        None => Err(match kind {
            23 | 25 | 26 | 27 => {
                format!("cells of type {kind} have no nodes inside of their faces: write the complete type")
            }
            2 | 4 | 6 | 7 | 42 => format!(
                "cells of type {kind} with {nodes} nodes have no fixed shape: cut them into triangles or tetrahedra"
            ),
            _ => {
                format!("cells of type {kind} with {nodes} nodes are not known: lines to hexahedra of order 1 to 4 are")
            }
        }),
    }
}

/// Cells of a file: where the nodes of each begin and end, the nodes, the types.
pub(super) struct VtkCells {
    pub(super) starts: Vec<i64>,
    pub(super) nodes: Vec<i64>,
    pub(super) types: Vec<i64>,
    /// Before version 2.1 of its XML files and 5.1 of its legacy files, VTK had the last two edges of Lagrange
    /// hexahedra the other way round.
    pub(super) old_hexahedra: bool,
}

impl VtkCells {
    /// Blocks of one shape and order, and for each of their cells its number in the file.
    pub(super) fn blocks(&self, points: usize) -> Result<(Vec<Block>, Vec<usize>), String> {
        if self.starts.len() != self.types.len() + 1 {
            return Err(format!("{} cells have nodes, {} have types", self.starts.len().max(1) - 1, self.types.len()));
        }
        let mut blocks: BTreeMap<_, (Block, Vec<usize>)> = BTreeMap::new();
        for (number, (ends, &kind)) in self.starts.windows(2).zip(&self.types).enumerate() {
            let of_cell = |problem: String| format!("cell {number}: {problem}");
            let range = usize::try_from(ends[0]).ok().zip(usize::try_from(ends[1]).ok());
            let cell = range.and_then(|(start, end)| self.nodes.get(start..end));
            let cell = cell.ok_or_else(|| of_cell("its offsets do not fit the list of nodes".into()))?;
            let (shape, order) = shape_of(kind, cell.len()).map_err(of_cell)?;
            let empty = || (Block { shape, order, nodes: Vec::new(), tags: Vec::new() }, Vec::new());
            let (block, numbers) = blocks.entry((shape, order)).or_insert_with(empty);
            if let Some(node) = cell.iter().find(|node| usize::try_from(**node).map_or(true, |node| node >= points)) {
                return Err(of_cell(format!("its node {node} is none of the {points} points")));
            }
            block.nodes.extend(self.places(kind, order, cell.len()).into_iter().map(|place| cell[place] as u32));
            block.tags.push(UNTAGGED);
            numbers.push(number);
        }
        let (blocks, numbers): (Vec<_>, Vec<_>) = blocks.into_values().unzip();
        Ok((blocks, numbers.concat()))
    }

    /// Where our nodes stand among those of the file.
    fn places(&self, kind: i64, order: usize, count: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..count).collect();
        match kind {
            8 => places.swap(2, 3),
            11 => {
                places.swap(2, 3);
                places.swap(6, 7);
            }
            72 if self.old_hexahedra => {
                let edge = order - 1;
                let first = 8 + 10 * edge;
                (0..edge).for_each(|i| places.swap(first + i, first + edge + i));
            }
            _ => {}
        }
        places
    }
}
