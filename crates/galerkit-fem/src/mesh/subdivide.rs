//! A reference cell cut n times along each edge into straight cells of its own shape: how a curved cell, or a function
//! of high degree on it, is shown by programs that draw straight cells and linear functions. A pyramid stays whole.

use super::generate::kuhn;
use super::geometry::Geometry;
use super::lattice::corners;
use super::{Block, Mesh, Shape};
use crate::error::Result;
use std::collections::HashMap;

/// The pieces of a reference cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Subdivision {
    /// Corners of the pieces, in the reference cell.
    pub points: Vec<[f64; 3]>,
    /// Pieces, one after the other: points by number, in the order of corners of the shape.
    pub cells: Vec<u32>,
    shape: Shape,
}

impl Subdivision {
    /// A shape cut n times along each edge; 0 is taken for 1.
    pub fn new(shape: Shape, n: usize) -> Self {
        let n = if matches!(shape, Shape::Pyramid | Shape::Vertex) { 1 } else { n.max(1) };
        let mut numbers = HashMap::new();
        let mut division = Self { points: Vec::new(), cells: Vec::new(), shape };
        for position in pieces(shape, n).into_iter().flatten() {
            let number = *numbers.entry(position).or_insert_with(|| {
                division.points.push(reference_point(shape, n, position));
                division.points.len() as u32 - 1
            });
            division.cells.push(number);
        }
        division
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.cells.len() / self.shape.corners()
    }
    /// Never: a cell has at least one piece.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}

impl Mesh {
    /// The body with each cell cut n times along each edge into straight ones, which share no points with other cells,
    /// so that what is discontinuous can be shown. `visit` is called for each new point, in order: block, cell, and the
    /// point in the reference cell.
    ///
    /// # Errors
    /// If the degree of a block's geometry is unknown.
    pub fn subdivided(&self, n: usize, mut visit: impl FnMut(usize, usize, [f64; 3])) -> Result<Self> {
        let mut pieces = Self { names: self.names.clone(), ..Self::default() };
        let dim = self.dim();
        for (number, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.shape.dim() == dim) {
            let (division, geometry) = (Subdivision::new(block.shape, n), Geometry::new(block.shape, block.order)?);
            let at: Vec<_> = division.points.iter().map(|&xi| geometry.at(xi)).collect();
            let mut cut = Block { shape: block.shape, order: 1, nodes: Vec::new(), tags: Vec::new() };
            for (cell, (nodes, &tag)) in block.cells().zip(&block.tags).enumerate() {
                let first = pieces.points.len() as u32;
                cut.nodes.extend(division.cells.iter().map(|point| first + point));
                cut.tags.extend(std::iter::repeat_n(tag, division.len()));
                pieces.points.extend(at.iter().map(|at| at.map(&self.points, nodes).point));
                division.points.iter().for_each(|&xi| visit(number, cell, xi));
            }
            pieces.blocks.push(cut);
        }
        Ok(pieces)
    }
}

fn reference_point(shape: Shape, n: usize, position: [usize; 3]) -> [f64; 3] {
    let unit = position.map(|x| x as f64 / n as f64);
    let [x, y, z] = unit.map(|x| 2.0 * x - 1.0);
    match shape {
        Shape::Line => [x, 0.0, 0.0],
        Shape::Quadrilateral => [x, y, 0.0],
        Shape::Hexahedron => [x, y, z],
        Shape::Prism => [unit[0], unit[1], z],
        Shape::Pyramid if position[2] == 0 => [x, y, 0.0],
        _ => unit,
    }
}

/// The lattice points of each piece's corners.
fn pieces(shape: Shape, n: usize) -> Vec<Vec<[usize; 3]>> {
    let cubes = |dim: usize| {
        let count = move |d: usize| if d < dim { n } else { 1 };
        (0..count(0)).flat_map(move |i| (0..count(1)).flat_map(move |j| (0..count(2)).map(move |l| [i, j, l])))
    };
    let shifted = |[i, j, l]: [usize; 3]| corners(shape).iter().map(|p| [p[0] + i, p[1] + j, p[2] + l]).collect();
    match shape {
        Shape::Vertex | Shape::Pyramid => vec![corners(shape).to_vec()],
        Shape::Triangle => triangles(n),
        Shape::Tetrahedron => tetrahedra(n, cubes(3)),
        Shape::Prism => (0..n).flat_map(|l| triangles(n).into_iter().map(move |corner| raised(&corner, l))).collect(),
        _ => cubes(shape.dim()).map(shifted).collect(),
    }
}

fn raised(triangle: &[[usize; 3]], l: usize) -> Vec<[usize; 3]> {
    [l, l + 1].into_iter().flat_map(|l| triangle.iter().map(move |&[i, j, _]| [i, j, l])).collect()
}

fn triangles(n: usize) -> Vec<Vec<[usize; 3]>> {
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in 0..n - i {
            triangles.push(vec![[i, j, 0], [i + 1, j, 0], [i, j + 1, 0]]);
            if i + j + 2 <= n {
                triangles.push(vec![[i + 1, j, 0], [i + 1, j + 1, 0], [i, j + 1, 0]]);
            }
        }
    }
    triangles
}

/// The simplex n >= X >= Y >= Z >= 0 is a union of Kuhn's simplices of unit cubes; (X - Y, Y - Z, Z) are its
/// barycentric coordinates.
fn tetrahedra(n: usize, cubes: impl Iterator<Item = [usize; 3]>) -> Vec<Vec<[usize; 3]>> {
    let mut found = Vec::new();
    for [i, j, l] in cubes {
        for tetrahedron in kuhn::TETRAHEDRA {
            let corner = tetrahedron.map(|c| corners(Shape::Hexahedron)[c]).map(|p| [p[0] + i, p[1] + j, p[2] + l]);
            if corner.iter().all(|&[x, y, z]| n >= x && x >= y && y >= z) {
                found.push(corner.iter().map(|&[x, y, z]| [x - y, y - z, z]).collect());
            }
        }
    }
    found
}
