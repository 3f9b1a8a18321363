//! Vertices, edges and faces of the cells, each once. An entity hangs if the smallest entity one level up that contains
//! it belongs to a cell too: then its functions follow from those of that parent.
//!
//! Minimum rule: an edge or face has the lowest degree of the cells around it, those that only have a child of it
//! included. The edges of a face with hanging children have at most its degree, because the face's trace is one
//! polynomial on all of its children.

use crate::forest::key::Key;
use crate::forest::{Forest, Part};
use galerkit_linalg::parallel;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// No entity.
pub const NONE: u32 = u32::MAX;

/// Names that a task goes through.
const PIECE: usize = 1 << 16;

/// All entities but the interiors of cells.
#[derive(Clone, Debug)]
pub struct Entities {
    /// Names, ascending.
    pub keys: Vec<Key>,
    /// The first cell that has it, and as which part.
    pub owner: Vec<(u32, Part)>,
    /// Its degree.
    pub degree: Vec<u8>,
    /// The entity that it hangs in, or [`NONE`].
    pub parent: Vec<u32>,
    of_cells: Vec<u32>,
    parts: usize,
}

impl Entities {
    /// The entities of a forest's cells of given degrees.
    pub fn new(forest: &Forest, degrees: &[u8]) -> Self {
        let parts = 3usize.pow(forest.dim() as u32);
        let cells = forest.cells().len();
        let named = |k: usize| {
            let (e, part) = (k / (parts - 1), k % (parts - 1)); // the last part is the interior
            (forest.entity(e, Part::from_index(part as u8)).0.packed(), e as u32, part as u8)
        };
        let mut named: Vec<Named> = (0..cells * (parts - 1)).into_par_iter().map(named).collect();
        named.par_sort_unstable();
        let pieces = pieces(&named);
        let found: Vec<Vec<_>> = pieces.par_iter().map(|piece| each_once(forest, degrees, piece)).collect();
        let of_cells: Vec<AtomicU32> = (0..cells * parts).into_par_iter().map(|_| AtomicU32::new(NONE)).collect();
        let mut firsts = vec![0];
        found.iter().for_each(|found| firsts.push(firsts[firsts.len() - 1] + found.len()));
        pieces.into_par_iter().zip(firsts).for_each(|(piece, first)| {
            for (entity, group) in (first as u32..).zip(by_name(piece)) {
                group.iter().for_each(|&(_, e, part)| {
                    of_cells[e as usize * parts + part as usize].store(entity, Relaxed);
                });
            }
        });
        drop(named);
        let ((keys, owner), degree) = found.into_par_iter().flatten_iter().unzip();
        let of_cells = of_cells.into_par_iter().map(AtomicU32::into_inner).collect();
        let mut entities = Self { keys, owner, degree, parent: vec![], of_cells, parts };
        entities.find_parents(forest);
        entities.lower_degrees(forest.dim());
        entities
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
    /// The entity that is a part of cell e; [`NONE`] for its interior.
    pub fn of_cell(&self, e: usize, part: Part) -> u32 {
        self.of_cells[e * self.parts + part.index()]
    }
    /// Whether an entity hangs.
    pub fn hangs(&self, entity: usize) -> bool {
        self.parent[entity] != NONE
    }
    /// How many functions an entity has.
    pub fn functions(&self, entity: usize) -> usize {
        (self.degree[entity] as usize - 1).pow(self.keys[entity].dim() as u32)
    }

    fn find_parents(&mut self, forest: &Forest) {
        let dim = forest.dim();
        let levels = || forest.cells().iter().map(|cell| cell.level);
        if levels().min() == levels().max() {
            self.parent = vec![NONE; self.len()];
            return;
        }
        let find = |key: &Key| {
            let parent = key.parent().filter(|parent| parent.dim() < dim);
            let found = parent.and_then(|parent| self.keys.binary_search(&parent).ok());
            found.map_or(NONE, |parent| parent as u32)
        };
        self.parent = parallel::collect(self.len(), &|k| find(&self.keys[k]));
    }

    fn lower_degrees(&mut self, dim: usize) {
        for entity in (0..self.len()).filter(|&entity| self.keys[entity].dim() > 0) {
            if self.hangs(entity) {
                let parent = self.parent[entity] as usize;
                self.degree[parent] = self.degree[parent].min(self.degree[entity]);
            }
        }
        for parent in self.parent.clone().into_iter().filter(|&parent| parent != NONE) {
            let face = parent as usize;
            let (e, part) = self.owner[face];
            for edge in Part::all(dim).filter(|edge| edge.dim() == 1 && part.dim() == 2 && part.contains(*edge)) {
                let edge = self.of_cell(e as usize, edge) as usize;
                self.degree[edge] = self.degree[edge].min(self.degree[face]);
            }
        }
        // A hanging entity carries the trace of its parent.
        for entity in 0..self.len() {
            if self.hangs(entity) {
                self.degree[entity] = self.degree[self.parent[entity] as usize];
            }
        }
    }
}

/// The name of a part of a cell, and which.
type Named = (u128, u32, u8);

/// Key and owner of an entity.
type Found = (Key, (u32, Part));

/// Sorted names in pieces that share none.
fn pieces(mut named: &[Named]) -> Vec<&[Named]> {
    let mut pieces = Vec::new();
    while !named.is_empty() {
        let about = PIECE.min(named.len());
        let more = named[about..].iter().take_while(|other| other.0 == named[about - 1].0).count();
        let piece;
        (piece, named) = named.split_at(about + more);
        pieces.push(piece);
    }
    pieces
}

fn by_name(named: &[Named]) -> impl Iterator<Item = &[Named]> {
    named.chunk_by(|one, other| one.0 == other.0)
}

/// Key, owner and the lowest degree around each entity.
fn each_once(forest: &Forest, degrees: &[u8], named: &[Named]) -> Vec<(Found, u8)> {
    let entity = |group: &[Named]| {
        let (_, e, part) = group[0];
        let part = Part::from_index(part);
        let degree = group.iter().map(|&(_, e, _)| degrees[e as usize]).min().expect("no name without a cell");
        ((forest.entity(e as usize, part).0, (e, part)), degree)
    };
    by_name(named).map(entity).collect()
}
