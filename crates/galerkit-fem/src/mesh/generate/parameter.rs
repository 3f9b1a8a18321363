//! What generators refuse.

use crate::error::{Error, Result};

/// An error unless the condition holds.
pub(super) fn require(holds: bool, generator: &str, problem: &str) -> Result<()> {
    if holds {
        return Ok(());
    }
    Err(Error::InvalidMesh { place: format!("the generator of a {generator}"), problem: problem.into() })
}

/// Counts that fit the 32 bits of node numbers.
pub(super) fn require_counts(counts: &[usize], order: usize, generator: &str) -> Result<()> {
    require(counts.iter().all(|&n| n >= 1), generator, "it needs at least one cell along each direction")?;
    require((1..=4).contains(&order), generator, "the degree of its geometry must be 1, 2, 3 or 4")?;
    let points: f64 = counts.iter().map(|&n| (n * order + 1) as f64).product();
    require(points < 2e9, generator, "it would have more than 2e9 points: take fewer cells")
}
