//! Solutions as files: each cell is cut as often as its degree, so that programs that draw linear functions show what
//! functions of high degree do within it.

use super::contents::{Contents, Field};
use crate::assemble::moments::Tables;
use crate::error::Result;
use crate::mesh::subdivide::Subdivision;
use crate::mesh::{Block, Mesh, Shape};
use crate::problem::Solution;
use crate::quadrature::{Line, Patch};
use crate::simplex::SimplexSolution;
use galerkit_linalg::parallel;
use std::path::Path;

/// The pieces of one cell: points, u_h there, and the corners of pieces by number.
struct Pieces {
    points: Vec<[f64; 3]>,
    values: Vec<f64>,
    cells: Vec<u32>,
}

/// A reference cell cut as often as its degree, with the functions at the corners of the pieces.
struct Lattice {
    division: Subdivision,
    tables: Tables,
    place: Vec<usize>, // of each corner, where the last axis is the fastest
}

impl Lattice {
    fn new(shape: Shape, p: usize) -> Self {
        let (division, dim) = (Subdivision::new(shape, p), shape.dim());
        let points = (0..=p).map(|i| 2.0 * i as f64 / p as f64 - 1.0).collect();
        let line = Line { points, weights: vec![1.0; p + 1] };
        let along = |x: f64| (0.5 * (x + 1.0) * p as f64).round() as usize;
        let place = |t: &[f64; 3]| t[..dim].iter().fold(0, |place, &x| place * (p + 1) + along(x));
        let place = division.points.iter().map(place).collect();
        Self { division, tables: Tables::new(p, &Patch { axes: vec![line; dim] }), place }
    }
}

impl Solution {
    /// Straight cells with u_h at their corners, degree and level of the cell that each comes from; cells share no
    /// points.
    pub fn subdivided(&self) -> Contents {
        let (space, forest) = (self.space(), self.space().forest());
        let shape = if space.dim() == 2 { Shape::Quadrilateral } else { Shape::Hexahedron };
        let highest = space.degrees().iter().copied().max().unwrap_or(1);
        let lattices: Vec<Lattice> = (1..=highest).map(|p| Lattice::new(shape, p)).collect();
        let of_cell = |e: usize| {
            let Lattice { division, tables, place } = &lattices[space.degree(e) - 1];
            let points = division.points.iter().map(|t| forest.map(e).at(t).0).collect();
            let by_axes = tables.evaluate(&self.local(e), None);
            Pieces { points, values: place.iter().map(|&k| by_axes[k]).collect(), cells: division.cells.clone() }
        };
        let pieces = parallel::values(space.cells(), &of_cell);
        let mut contents = joined(shape, pieces, |e| forest.region(e));
        let counts: Vec<usize> = (0..space.cells()).map(|e| space.degree(e).pow(space.dim() as u32)).collect();
        let by_cell = |name: &str, of: &dyn Fn(usize) -> f64| Field {
            name: name.into(),
            components: 1,
            values: counts.iter().enumerate().flat_map(|(e, &n)| std::iter::repeat_n(of(e), n)).collect(),
        };
        contents.cell_data = vec![
            by_cell("degree", &|e| space.degree(e) as f64),
            by_cell("level", &|e| f64::from(forest.cells()[e].level)),
        ];
        contents
    }
}

impl SimplexSolution {
    /// Straight cells with u_h at their corners; cells share no points.
    pub fn subdivided(&self) -> Contents {
        let space = self.space();
        let shape = if space.dim() == 2 { Shape::Triangle } else { Shape::Tetrahedron };
        let division = Subdivision::new(shape, space.degree().max(space.geometry_order()));
        let of_cell = |e: usize| {
            let at = |t: &[f64; 3]| self.in_cell(e, t);
            let (points, values) = division.points.iter().map(at).unzip();
            Pieces { points, values, cells: division.cells.clone() }
        };
        let pieces = parallel::values(space.cells(), &of_cell);
        joined(shape, pieces, |e| space.region(e))
    }
}

impl Contents {
    /// Writes the mesh and its fields as VTU.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        super::write_vtu(path, &self.mesh, &self.point_data, &self.cell_data)
    }
}

fn joined(shape: Shape, pieces: Vec<Pieces>, region: impl Fn(usize) -> i32) -> Contents {
    let mut block = Block { shape, order: 1, nodes: Vec::new(), tags: Vec::new() };
    let (mut points, mut values) = (Vec::new(), Vec::new());
    for (e, of) in pieces.into_iter().enumerate() {
        let first = points.len() as u32;
        block.nodes.extend(of.cells.iter().map(|point| first + point));
        block.tags.resize(block.nodes.len() / shape.corners(), region(e));
        points.extend(of.points);
        values.extend(of.values);
    }
    let u = Field { name: "u".into(), components: 1, values };
    Contents { mesh: Mesh { points, blocks: vec![block], ..Mesh::default() }, point_data: vec![u], cell_data: vec![] }
}
