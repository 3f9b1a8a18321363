//! The sequence of spaces, the finest first, each contained in the one before: the degrees of all cells are halved,
//! rounded up, down to 1; then families of cells become their parents. The sequence ends with a space that is small
//! enough, or when there is nothing left to coarsen.

use crate::error::Result;
use crate::space::Space;
use std::sync::Arc;

/// The spaces below a given one, itself included, until one has at most so many unknowns.
pub fn coarser_spaces(finest: &Arc<Space>, enough: usize) -> Result<Vec<Arc<Space>>> {
    let mut spaces = vec![finest.clone()];
    while spaces[spaces.len() - 1].unknowns() > enough {
        match next(&spaces[spaces.len() - 1])? {
            Some(coarser) => spaces.push(Arc::new(coarser)),
            None => break,
        }
    }
    Ok(spaces)
}

fn next(space: &Space) -> Result<Option<Space>> {
    let fixed = space.dirichlet();
    if space.degrees().iter().any(|&p| p > 1) {
        let halved: Vec<usize> = space.degrees().iter().map(|p| p.div_ceil(2)).collect();
        return Space::new(space.forest().clone(), &halved, &fixed).map(Some);
    }
    let Some(forest) = space.forest().coarsened() else { return Ok(None) };
    let degrees = vec![1; forest.cells().len()];
    Space::new(forest, &degrees, &fixed).map(Some)
}
