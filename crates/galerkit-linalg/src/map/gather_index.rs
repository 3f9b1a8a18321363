//! The index of a gather: which entry each slot takes, if any.

use crate::error::{Error, Result};
use crate::scalar::Scalar;

/// For a slot of which no entry is the source: padding.
pub const NO_SOURCE: u32 = u32::MAX;

/// An error for an index beyond so many entries.
pub(super) fn check<'a>(cols: usize, mut index: impl Iterator<Item = &'a u32>) -> Result<()> {
    match index.find(|&&j| j as usize >= cols) {
        None => Ok(()),
        Some(&j) => Err(Error::InvalidStructure {
            place: "the index of a gather".into(),
            problem: format!("entry {j} does not exist: there are {cols}"),
        }),
    }
}

/// The entry that an index names.
pub(super) fn picked<S: Scalar>(x: &[S], index: u32) -> S {
    if index == NO_SOURCE { S::zero() } else { x[index as usize] }
}
