//! Spaces of lower degree within spaces of higher degree on the same forest. Functions are hierarchical: each one of
//! the lower space is one of the higher, so the embedding only renumbers. It is the prolongation of p-multigrid; its
//! transpose, which leaves out functions, is the restriction.

use super::hp::Space;
use crate::error::{Error, Result};

/// For each function of the lower space that does not hang, its number in the higher one.
pub fn embedding(lower: &Space, higher: &Space) -> Result<Vec<u32>> {
    if lower.forest().cells() != higher.forest().cells() || lower.entities().keys != higher.entities().keys {
        return Err(Error::NotNested { problem: "they stand on different forests" });
    }
    let dim = lower.dim();
    let mut numbers = vec![u32::MAX; lower.counts().masters];
    for entity in (0..lower.entities().len()).filter(|&entity| !lower.entities().hangs(entity)) {
        if lower.fixed_by(entity).is_some() != higher.fixed_by(entity).is_some() {
            return Err(Error::NotNested { problem: "they are fixed on different parts of the boundary" });
        }
        let first = |space: &Space| space.numbering().of_entity[entity];
        let degree = |space: &Space| space.entities().degree[entity] as usize;
        let dim = lower.entities().keys[entity].dim();
        renumber(dim, [degree(lower), degree(higher)], [first(lower), first(higher)], &mut numbers)?;
    }
    for e in 0..lower.cells() {
        let first = |space: &Space| space.numbering().of_interior[e];
        renumber(dim, [lower.degree(e), higher.degree(e)], [first(lower), first(higher)], &mut numbers)?;
    }
    Ok(numbers)
}

/// The bubbles of one entity, in tensor order for both degrees.
fn renumber(dim: usize, [p, q]: [usize; 2], [from, to]: [u32; 2], numbers: &mut [u32]) -> Result<()> {
    if p > q && dim > 0 {
        return Err(Error::NotNested { problem: "the first has a higher degree somewhere" });
    }
    for own in 0..(p - 1).pow(dim as u32) {
        let place = (0..dim as u32).map(|a| own / (p - 1).pow(a) % (p - 1) * (q - 1).pow(a)).sum::<usize>();
        numbers[from as usize + own] = to + place as u32;
    }
    Ok(())
}
