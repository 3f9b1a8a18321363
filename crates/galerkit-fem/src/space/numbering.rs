//! Numbers of the global functions: unknowns on vertices, edges and faces, then unknowns in the interior of cells, then
//! functions fixed by Dirichlet data, then hanging ones. Within each group cells are followed in their order, which
//! keeps neighbours close.

use super::entities::Entities;
use super::function::Function;
use crate::forest::{Forest, Part};
use rayon::prelude::*;

/// Where each group of functions ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Unknowns on vertices, edges and faces.
    pub interface: usize,
    /// All unknowns.
    pub unknowns: usize,
    /// Unknowns and functions that Dirichlet data fix.
    pub masters: usize,
    /// All functions, hanging ones included.
    pub total: usize,
}

/// The first function of each entity and of each cell's interior.
#[derive(Clone, Debug)]
pub struct Numbering {
    /// Where the groups end.
    pub counts: Counts,
    /// First function of each entity.
    pub of_entity: Vec<u32>,
    /// First function of each interior.
    pub of_interior: Vec<u32>,
}

impl Numbering {
    /// Numbers the functions; `is_fixed` tells of coarse entities whether Dirichlet data fix what lies in them.
    pub fn new(forest: &Forest, entities: &Entities, degrees: &[u8], is_fixed: &[bool]) -> Self {
        let dim = forest.dim();
        let group = |entity: usize| match (entities.hangs(entity), is_fixed[entities.keys[entity].coarse as usize]) {
            (true, _) => 2,
            (false, fixed) => usize::from(fixed),
        };
        let (mut next, mut of_entity) = ([0usize; 3], vec![0; entities.len()]);
        for e in 0..degrees.len() {
            for part in Part::all(dim).filter(|part| part.dim() < dim) {
                let entity = entities.of_cell(e, part) as usize;
                if entities.owner[entity] == (e as u32, part) {
                    of_entity[entity] = next[group(entity)] as u32;
                    next[group(entity)] += entities.functions(entity);
                }
            }
        }
        let mut unknowns = next[0];
        let of_interior = degrees.iter().map(|&p| {
            let first = unknowns;
            unknowns += (p as usize - 1).pow(dim as u32);
            first as u32
        });
        let of_interior = of_interior.collect();
        let masters = unknowns + next[1];
        let counts = Counts { interface: next[0], unknowns, masters, total: masters + next[2] };
        let shift = [0, unknowns as u32, masters as u32];
        of_entity.iter_mut().enumerate().for_each(|(entity, first)| *first += shift[group(entity)]);
        Self { counts, of_entity, of_interior }
    }

    /// The global functions of cell e, for its local ones in tensor order, the first axis slowest.
    pub fn functions_of(&self, forest: &Forest, entities: &Entities, e: usize, p: usize) -> Vec<Function> {
        let dim = forest.dim();
        let mut functions = vec![Function::NONE; (p + 1).pow(dim as u32)];
        for part in Part::all(dim) {
            let (_, lies) = forest.entity(e, part);
            let entity = entities.of_cell(e, part) as usize;
            let is_interior = part.dim() == dim;
            let degree = if is_interior { p } else { entities.degree[entity] as usize };
            let first = if is_interior { self.of_interior[e] } else { self.of_entity[entity] } as usize;
            let bubbles = degree - 1;
            for own in 0..bubbles.pow(part.dim() as u32) {
                let (mut local, mut rest, mut is_negative) = (part.0.map(usize::from), own, false);
                for k in (0..part.dim()).rev() {
                    let j = rest % bubbles + 2;
                    rest /= bubbles;
                    local[lies.axes[k] as usize] = j;
                    is_negative ^= lies.flip[k] && j % 2 == 1;
                }
                functions[local[..dim].iter().fold(0, |at, i| at * (p + 1) + i)] =
                    Function::new(first + own, is_negative);
            }
        }
        functions
    }

    /// The functions of all cells, and where each cell's begin.
    pub fn functions(&self, forest: &Forest, entities: &Entities, degrees: &[u8]) -> (Vec<usize>, Vec<Function>) {
        let of_cell = |(e, &p): (usize, &u8)| self.functions_of(forest, entities, e, p as usize);
        let lists: Vec<Vec<Function>> = degrees.par_iter().enumerate().map(of_cell).collect();
        let mut start = vec![0];
        lists.iter().for_each(|list| start.push(start[start.len() - 1] + list.len()));
        (start, lists.concat())
    }
}
