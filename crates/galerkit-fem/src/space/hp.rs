//! The space: cells with their degrees, and each cell's local functions as references to global ones. With v the
//! coefficients of all functions, hanging ones computed from the others, the local coefficients of a cell are a signed
//! gather of v.

use super::constraints::Constraints;
use super::entities::Entities;
use super::function::Function;
use super::numbering::{Counts, Numbering};
use super::row::Row;
use crate::basis::MAX_DEGREE;
use crate::error::{Error, Result};
use crate::forest::{Forest, Part, Size};

/// A continuous hp space with Dirichlet conditions on some of the boundary.
#[derive(Clone, Debug)]
pub struct Space {
    forest: Forest,
    degrees: Vec<u8>,
    entities: Entities,
    numbering: Numbering,
    constraints: Constraints,
    start: Vec<usize>,
    functions: Vec<Function>,
    fixed_by: Vec<Option<i32>>, // of each coarse entity: the Dirichlet tag that it belongs to
}

impl Space {
    /// The space on a forest with a degree for each cell; functions are fixed on boundary pieces with the tags in
    /// `dirichlet`.
    pub fn new(forest: Forest, degrees: &[usize], dirichlet: &[i32]) -> Result<Self> {
        Size::of_cells(forest.dim(), degrees.len() as f64).with_degrees(degrees).check()?;
        let degrees = checked_degrees(&forest, degrees)?;
        let fixed_by = fixed(&forest, dirichlet)?;
        let is_fixed: Vec<bool> = fixed_by.iter().map(Option::is_some).collect();
        let entities = Entities::new(&forest, &degrees);
        let numbering = Numbering::new(&forest, &entities, &degrees, &is_fixed);
        let total = numbering.counts.total;
        if total >= Function::LIMIT {
            let problem = format!("its space has {total} functions, the limit is {}", Function::LIMIT);
            return Err(Error::InvalidMesh { place: "the forest".into(), problem });
        }
        let constraints = Constraints::new(&forest, &entities, &numbering, &degrees);
        let (start, functions) = numbering.functions(&forest, &entities, &degrees);
        Ok(Self { forest, degrees, entities, numbering, constraints, start, functions, fixed_by })
    }
    /// The forest it stands on.
    pub fn forest(&self) -> &Forest {
        &self.forest
    }
    /// 2 or 3.
    pub fn dim(&self) -> usize {
        self.forest.dim()
    }
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.degrees.len()
    }
    /// The degree of cell e.
    pub fn degree(&self, e: usize) -> usize {
        self.degrees[e] as usize
    }
    /// The degrees of all cells.
    pub fn degrees(&self) -> Vec<usize> {
        self.degrees.iter().map(|&p| p as usize).collect()
    }
    /// Where the groups of functions end.
    pub fn counts(&self) -> Counts {
        self.numbering.counts
    }
    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        self.counts().unknowns
    }
    /// The dimension without Dirichlet conditions.
    pub fn dimension(&self) -> usize {
        self.counts().masters
    }
    /// The Dirichlet tag that fixes an entity; none if it is free.
    pub fn fixed_by(&self, entity: usize) -> Option<i32> {
        self.fixed_by[self.entities.keys[entity].coarse as usize]
    }
    /// The Dirichlet tag that fixes a coarse entity; none if it is free.
    pub fn coarse_fixed_by(&self, coarse: u32) -> Option<i32> {
        self.fixed_by[coarse as usize]
    }
    /// The tags on which functions are fixed, each once.
    pub fn dirichlet(&self) -> Vec<i32> {
        let mut tags: Vec<i32> = self.fixed_by.iter().copied().flatten().collect();
        tags.sort_unstable();
        tags.dedup();
        tags
    }
    /// Vertices, edges and faces.
    pub fn entities(&self) -> &Entities {
        &self.entities
    }
    /// Where functions of entities and interiors begin.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }
    /// Hanging functions as combinations of others.
    pub fn constraints(&self) -> &Constraints {
        &self.constraints
    }
    /// The global functions of the local ones of cell e, in tensor order, the first axis slowest.
    pub fn functions(&self, e: usize) -> &[Function] {
        &self.functions[self.start[e]..self.start[e + 1]]
    }
    /// Coefficients of all functions from those of functions that do not hang.
    pub fn complete(&self, mut masters: Vec<f64>) -> Vec<f64> {
        debug_assert_eq!(masters.len(), self.counts().masters);
        for i in 0..self.constraints.len() {
            let value = self.constraints.row(i).iter().map(|&(j, c)| c * masters[j as usize]).sum();
            masters.push(value);
        }
        masters
    }
    /// The coefficients of cell e's local functions, given those of all functions.
    pub fn local(&self, e: usize, all: &[f64]) -> Vec<f64> {
        self.functions(e).iter().map(|function| function.of(all)).collect()
    }
    /// The rows of C_e: each local function as a combination of functions that do not hang.
    pub fn local_rows(&self, e: usize) -> Vec<Row> {
        let masters = self.counts().masters;
        let row = |function: &Function| match function.get() {
            None => Row::new(),
            Some((i, sign)) if i < masters => vec![(i as u32, sign)],
            Some((i, sign)) => self.constraints.row(i - masters).iter().map(|&(j, c)| (j, sign * c)).collect(),
        };
        self.functions(e).iter().map(row).collect()
    }
    /// The constant function 1: the coefficients of all functions that do not hang.
    pub fn one(&self) -> Vec<f64> {
        let mut one = vec![0.0; self.counts().masters];
        for entity in (0..self.entities.len()).filter(|&entity| self.entities.keys[entity].dim() == 0) {
            if !self.entities.hangs(entity) {
                one[self.numbering.of_entity[entity] as usize] = 1.0;
            }
        }
        one
    }
}

fn checked_degrees(forest: &Forest, degrees: &[usize]) -> Result<Vec<u8>> {
    let cells = forest.cells().len();
    if degrees.len() != cells {
        return Err(Error::NotOnePerCell { what: "degrees", found: degrees.len(), cells });
    }
    let check = |(cell, &degree): (usize, &usize)| match degree {
        1..=MAX_DEGREE => Ok(degree as u8),
        _ => Err(Error::InvalidDegree { cell, degree, limit: MAX_DEGREE }),
    };
    degrees.iter().enumerate().map(check).collect()
}

/// Which coarse entities lie in the closure of boundary pieces with given tags, and in which piece's; the first tag
/// given wins.
fn fixed(forest: &Forest, tags: &[i32]) -> Result<Vec<Option<i32>>> {
    let (coarse, dim) = (forest.coarse(), forest.dim());
    let known = coarse.boundary_tags();
    if let Some(&tag) = tags.iter().find(|tag| !known.contains(tag)) {
        return Err(Error::NoSuchTag { tag, known });
    }
    let mut fixed = vec![None; coarse.entities()];
    for &wanted in tags.iter().rev() {
        for tree in 0..coarse.trees() as u32 {
            let has_tag = |facet: &Part| coarse.boundary_tag(coarse.part(tree, *facet).0) == Some(wanted);
            for facet in Part::facets(dim).filter(has_tag) {
                let closure = Part::all(dim).filter(|part| facet.contains(*part));
                closure.for_each(|part| fixed[coarse.part(tree, part).0 as usize] = Some(wanted));
            }
        }
    }
    Ok(fixed)
}
