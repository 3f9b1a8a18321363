//! Coarsening: parents stand in the place of their children wherever all of them are leaves and the forest stays
//! 1-irregular.

use super::Cell;
use super::closure::too_large;
use super::leaves::Forest;
use std::collections::HashSet;

impl Forest {
    /// The forest in which as many families of leaves as possible, at once, are replaced by their parents; none if
    /// there is no such family.
    pub fn coarsened(&self) -> Option<Self> {
        let mut kept: HashSet<Cell> = HashSet::new(); // parents that would be too large for their neighbours
        loop {
            let cells = merged(&self.cells, 1 << self.dim(), &kept);
            let is_too_large = too_large(self.coarse(), &cells);
            let found = cells.iter().zip(&is_too_large).filter(|(_, is_too_large)| **is_too_large);
            let before = kept.len();
            kept.extend(found.map(|(cell, _)| *cell));
            if kept.len() == before {
                let mut coarser = self.clone();
                coarser.cells = cells;
                return (coarser.cells.len() < self.cells.len()).then_some(coarser);
            }
        }
    }
}

/// Parents in the place of families of leaves, except of those parents that are not wanted.
fn merged(cells: &[Cell], children: usize, unwanted: &HashSet<Cell>) -> Vec<Cell> {
    let mut result = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let parent = cells[at].parent();
        let family = cells[at..].iter().take(children).take_while(|cell| cell.parent() == parent);
        match parent.filter(|parent| family.count() == children && !unwanted.contains(parent)) {
            Some(parent) => (result.push(parent), at += children),
            None => (result.push(cells[at]), at += 1),
        };
    }
    result
}
