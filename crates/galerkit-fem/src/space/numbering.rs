//! Numbers of the global functions: unknowns on vertices, edges and faces, then unknowns in the interior of cells, then
//! functions fixed by Dirichlet data, then hanging ones. Within each group cells are followed in their order, which
//! keeps neighbours close.

use super::entities::Entities;
use super::function::Function;
use crate::forest::{Forest, Part};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Cells whose functions a task finds.
const CELLS: usize = 1024;

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
        // What a cell owns is counted first: then all cells can number at once.
        let owned = |e: usize| {
            let parts = Part::all(dim).filter(move |part| part.dim() < dim);
            let of_part = move |part| (entities.of_cell(e, part) as usize, (e as u32, part));
            parts.map(of_part).filter(|(entity, owner)| entities.owner[*entity] == *owner).map(|(entity, _)| entity)
        };
        let count = |e: usize| {
            let mut counts = [0usize; 3];
            owned(e).for_each(|entity| counts[group(entity)] += entities.functions(entity));
            counts
        };
        let mut first: Vec<[usize; 3]> = (0..degrees.len()).into_par_iter().map(count).collect();
        let mut next = [0usize; 3];
        for counts in &mut first {
            (0..3).for_each(|group| next[group] += std::mem::replace(&mut counts[group], next[group]));
        }
        let of_entity: Vec<AtomicU32> = (0..entities.len()).into_par_iter().map(|_| AtomicU32::new(0)).collect();
        first.into_par_iter().enumerate().for_each(|(e, mut next)| {
            for entity in owned(e) {
                of_entity[entity].store(next[group(entity)] as u32, Relaxed);
                next[group(entity)] += entities.functions(entity);
            }
        });
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
        let shifted = |(entity, first): (usize, AtomicU32)| first.into_inner() + shift[group(entity)];
        let of_entity = of_entity.into_par_iter().enumerate().map(shifted).collect();
        Self { counts, of_entity, of_interior }
    }

    /// The global functions of cell e, for its local ones in tensor order, the first axis slowest.
    pub fn functions_of(&self, forest: &Forest, entities: &Entities, e: usize, p: usize) -> Vec<Function> {
        let mut functions = vec![Function::NONE; (p + 1).pow(forest.dim() as u32)];
        self.write_functions(forest, entities, (e, p), &mut functions);
        functions
    }

    fn write_functions(
        &self,
        forest: &Forest,
        entities: &Entities,
        (e, p): (usize, usize),
        functions: &mut [Function],
    ) {
        let dim = forest.dim();
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
    }

    /// The functions of all cells, and where each cell's begin.
    pub fn functions(&self, forest: &Forest, entities: &Entities, degrees: &[u8]) -> (Vec<usize>, Vec<Function>) {
        let (dim, mut start) = (forest.dim(), vec![0]);
        degrees.iter().for_each(|&p| start.push(start[start.len() - 1] + (p as usize + 1).pow(dim as u32)));
        let mut functions = vec![Function::NONE; start[degrees.len()]];
        let (mut rest, mut pieces) = (&mut functions[..], Vec::new());
        for ends in start.windows(CELLS + 1).step_by(CELLS).chain(last(&start)) {
            let piece = rest.split_off_mut(..ends[ends.len() - 1] - ends[0]).expect("a place for each local function");
            pieces.push(piece);
        }
        pieces.into_par_iter().enumerate().for_each(|(piece, mut functions)| {
            for (e, &p) in degrees.iter().enumerate().skip(piece * CELLS).take(CELLS) {
                let of_cell = functions.split_off_mut(..start[e + 1] - start[e]).expect("one cell after the other");
                self.write_functions(forest, entities, (e, p as usize), of_cell);
            }
        });
        (start, functions)
    }
}

/// The cells behind the last full piece.
fn last(start: &[usize]) -> Option<&[usize]> {
    let cells = start.len() - 1;
    (!cells.is_multiple_of(CELLS)).then(|| &start[cells / CELLS * CELLS..])
}
