//! A function of an hp space as a body: the leaves of its forest, sampled more often where its degree is higher.

use super::body::{Body, Kind, Sample, Sampler, Side};
use crate::basis::hierarchical::values;
use crate::error::Result;
use crate::forest::Part;
use crate::forest::part::{FREE, HIGH, LOW};
use crate::mesh::Shape;
use crate::problem::Solution;

/// A solution and the degrees that its cells have.
pub struct SolutionBody<'a> {
    solution: &'a Solution,
    degrees: Vec<usize>, // each once
}

impl<'a> SolutionBody<'a> {
    /// All cells of the solution's space.
    pub fn new(solution: &'a Solution) -> Self {
        let space = solution.space();
        let mut degrees: Vec<usize> = (0..space.forest().cells().len()).map(|e| space.degree(e)).collect();
        degrees.sort_unstable();
        degrees.dedup();
        Self { solution, degrees }
    }
}

impl Body for SolutionBody<'_> {
    fn dim(&self) -> usize {
        self.solution.space().dim()
    }
    fn is_flat(&self) -> bool {
        self.dim() == 2
    }
    fn kinds(&self) -> Vec<Kind> {
        let forest = self.solution.space().forest();
        let is_curved = (0..forest.cells().len()).any(|e| !forest.map(e).is_affine());
        let shape = if self.dim() == 2 { Shape::Quadrilateral } else { Shape::Hexahedron };
        self.degrees.iter().map(|&p| Kind { shape, cuts: (2 * p).clamp(2, 12), is_curved }).collect()
    }
    fn cells(&self) -> usize {
        self.solution.space().forest().cells().len()
    }
    fn kind_of(&self, cell: usize) -> usize {
        let degree = self.solution.space().degree(cell);
        self.degrees.binary_search(&degree).expect("the degrees of all cells")
    }
    fn region(&self, cell: usize) -> i32 {
        self.solution.space().forest().region(cell)
    }
    fn sides(&self) -> Result<Vec<Side>> {
        let forest = self.solution.space().forest();
        let side = |cell: usize, side: usize| {
            let mut part = [FREE; 3]; // sides of hexahedra stand by axis, the low end first
            part[side / 2] = if side.is_multiple_of(2) { LOW } else { HIGH };
            forest.boundary_tag(cell, Part(part)).map(|tag| Side { cell, side, tag })
        };
        Ok((0..self.cells()).flat_map(|cell| (0..6).filter_map(move |s| side(cell, s))).collect())
    }
    fn sampler(&self, kind: usize, at: &[[f64; 3]]) -> Result<Sampler<'_>> {
        let (dim, p) = (self.dim(), self.degrees[kind]);
        let products: Vec<Vec<f64>> = at.iter().map(|t| products(dim, p, t)).collect();
        let at = at.to_vec();
        Ok(Box::new(move |cell, samples| {
            let (local, map) = (self.solution.local(cell), self.solution.space().forest().map(cell));
            samples.extend(at.iter().zip(&products).map(|(t, products)| {
                let value = local.iter().zip(products).map(|(c, product)| c * product).sum();
                Sample { point: map.at(t).0, value }
            }));
        }))
    }
}

/// All local functions at a reference point; the last axis is fast.
fn products(dim: usize, p: usize, t: &[f64; 3]) -> Vec<f64> {
    let mut products = vec![1.0];
    for x in &t[..dim] {
        let line = values(p, *x);
        products = products.iter().flat_map(|product| line.iter().map(move |value| product * value)).collect();
    }
    products
}
