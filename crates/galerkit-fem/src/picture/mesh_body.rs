//! A mesh as a body, with a field given at its points or as a function on its cells.

use super::body::{Body, Kind, Sample, Sampler, Side};
use crate::error::{Error, Result};
use crate::mesh::geometry::Evaluated;
use crate::mesh::{Geometry, Mesh, Shape};

/// A function of a block, a cell of it and a reference point.
pub type OnCells<'a> = Box<dyn Fn(usize, usize, [f64; 3]) -> f64 + Sync + 'a>;

/// What is shown on a mesh.
pub enum Shown<'a> {
    /// Nothing but the mesh.
    Nothing,
    /// Values at the points of the mesh, interpolated by its shape functions.
    AtPoints(&'a [f64]),
    /// A function, sampled this many times along each edge.
    OnCells(usize, OnCells<'a>),
}

/// A mesh and what is shown on it.
pub struct MeshBody<'a> {
    mesh: &'a Mesh,
    blocks: Vec<usize>, // those of its body
    start: Vec<usize>,  // first cell of each of these
    shown: Shown<'a>,
}

impl<'a> MeshBody<'a> {
    /// The cells of the highest dimension of a mesh.
    ///
    /// # Errors
    /// If the mesh has neither surfaces nor solids, or values are not one for each point.
    pub fn new(mesh: &'a Mesh, shown: Shown<'a>) -> Result<Self> {
        let dim = mesh.dim();
        if dim < 2 {
            let problem = "pictures show surfaces and solids".into();
            return Err(Error::NotDrawable { what: format!("a mesh of dimension {dim}"), problem });
        }
        if let Shown::AtPoints(values) = &shown
            && values.len() != mesh.points.len()
        {
            let problem = format!("{} values came for {} points", values.len(), mesh.points.len());
            return Err(Error::NotDrawable { what: "the field".into(), problem });
        }
        let blocks: Vec<usize> = (0..mesh.blocks.len()).filter(|&b| mesh.blocks[b].shape.dim() == dim).collect();
        let mut start = vec![0];
        blocks.iter().for_each(|&b| start.push(start[start.len() - 1] + mesh.blocks[b].len()));
        Ok(Self { mesh, blocks, start, shown })
    }

    /// Position among the blocks of the body, and cell within the block.
    fn place(&self, cell: usize) -> (usize, usize) {
        let kind = self.start.partition_point(|&start| start <= cell) - 1;
        (kind, cell - self.start[kind])
    }

    /// Straight simplices with linear fields stay whole; a bilinear field needs one cut.
    fn cuts(&self, shape: Shape, order: usize) -> usize {
        let is_simplex = matches!(shape, Shape::Triangle | Shape::Tetrahedron);
        let geometry = if order == 1 { 1 } else { 3 * order };
        match &self.shown {
            Shown::Nothing => geometry,
            Shown::AtPoints(_) if order == 1 && !is_simplex => 2,
            Shown::AtPoints(_) => geometry,
            Shown::OnCells(cuts, _) => geometry.max(*cuts),
        }
    }
}

impl Body for MeshBody<'_> {
    fn dim(&self) -> usize {
        self.mesh.dim()
    }
    fn is_flat(&self) -> bool {
        self.dim() == 2 && self.mesh.is_flat_or_solid()
    }
    fn kinds(&self) -> Vec<Kind> {
        let kind = |&b: &usize| {
            let (shape, order) = (self.mesh.blocks[b].shape, self.mesh.blocks[b].order);
            Kind { shape, cuts: self.cuts(shape, order), is_curved: order > 1 }
        };
        self.blocks.iter().map(kind).collect()
    }
    fn cells(&self) -> usize {
        self.start[self.blocks.len()]
    }
    fn kind_of(&self, cell: usize) -> usize {
        self.place(cell).0
    }
    fn region(&self, cell: usize) -> i32 {
        let (kind, cell) = self.place(cell);
        self.mesh.blocks[self.blocks[kind]].tags[cell]
    }
    fn sides(&self) -> Result<Vec<Side>> {
        let mut first = vec![0; self.mesh.blocks.len()];
        self.blocks.iter().zip(&self.start).for_each(|(&block, &start)| first[block] = start);
        let facets = self.mesh.boundary()?.facets.into_iter();
        Ok(facets.map(|f| Side { cell: first[f.block] + f.cell, side: f.side, tag: f.tag }).collect())
    }
    fn sampler(&self, kind: usize, at: &[[f64; 3]]) -> Result<Sampler<'_>> {
        let number = self.blocks[kind];
        let block = &self.mesh.blocks[number];
        let geometry = Geometry::new(block.shape, block.order)?;
        let at: Vec<([f64; 3], Evaluated)> = at.iter().map(|&xi| (xi, geometry.at(xi))).collect();
        let (stride, start) = (block.shape.nodes(block.order), self.start[kind]);
        Ok(Box::new(move |cell, samples| {
            let nodes = &block.nodes[(cell - start) * stride..][..stride];
            samples.extend(at.iter().map(|(xi, functions)| {
                let value = match &self.shown {
                    Shown::Nothing => 0.0,
                    Shown::AtPoints(values) => interpolated(functions, nodes, values),
                    Shown::OnCells(_, function) => function(number, cell - start, *xi),
                };
                Sample { point: position(functions, nodes, &self.mesh.points), value }
            }));
        }))
    }
}

/// sum_a N_a x_a; the Jacobian, which costs three times as much, is not needed.
fn position(functions: &Evaluated, nodes: &[u32], points: &[[f64; 3]]) -> [f64; 3] {
    let mut point = [0.0; 3];
    for (&node, value) in nodes.iter().zip(&functions.values) {
        let x = points[node as usize];
        (0..3).for_each(|d| point[d] += value * x[d]);
    }
    point
}

fn interpolated(functions: &Evaluated, nodes: &[u32], values: &[f64]) -> f64 {
    nodes.iter().zip(&functions.values).map(|(&node, value)| value * values[node as usize]).sum()
}
