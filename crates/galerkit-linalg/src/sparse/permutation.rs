//! Permutations, and the one convention for all of them: `old(s)` is the old index of what now stands at position s.
//!
//! ```text
//! old    [1 4 6 2 0 3 5]      new position 0 holds old row 1
//! new    [4 0 3 5 1 6 2]      old row 0 went to new position 4
//! ```

use crate::error::{Error, Result, check_length};
use crate::scalar::Scalar;

/// A reordering of 0..n with its inverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    old: Vec<u32>,
    new: Vec<u32>,
}

impl Permutation {
    /// Takes the old index for each new position; each must occur exactly once.
    pub fn from_old(old: Vec<u32>) -> Result<Self> {
        super::index::check_u32("the length of a permutation", old.len())?;
        let mut new = vec![u32::MAX; old.len()];
        for (s, &i) in old.iter().enumerate() {
            match new.get_mut(i as usize) {
                Some(slot) if *slot == u32::MAX => *slot = s as u32,
                _ => {
                    let problem = format!("index {i} is out of range or occurs twice");
                    return Err(Error::InvalidStructure { place: format!("position {s} of a permutation"), problem });
                }
            }
        }
        Ok(Self { old, new })
    }

    /// The permutation that changes nothing.
    pub fn identity(n: usize) -> Self {
        let old: Vec<u32> = (0..n as u32).collect();
        Self { new: old.clone(), old }
    }

    /// How many indices are permuted.
    pub fn len(&self) -> usize {
        self.old.len()
    }
    /// Whether there is nothing to permute.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty()
    }
    /// Old index at each new position.
    pub fn old(&self) -> &[u32] {
        &self.old
    }
    /// New position of each old index.
    pub fn new_position(&self) -> &[u32] {
        &self.new
    }
    /// The reverse reordering.
    pub fn inverse(&self) -> Self {
        Self { old: self.new.clone(), new: self.old.clone() }
    }

    /// Reorders a vector: `result[s] = x[old(s)]`.
    pub fn gather<S: Scalar>(&self, x: &[S]) -> Result<Vec<S>> {
        check_length("the vector to permute", self.len(), x.len())?;
        Ok(self.old.iter().map(|&i| x[i as usize]).collect())
    }
    /// Undoes [`gather`](Self::gather): `result[old(s)] = x[s]`.
    pub fn scatter<S: Scalar>(&self, x: &[S]) -> Result<Vec<S>> {
        check_length("the vector to permute", self.len(), x.len())?;
        Ok(self.new.iter().map(|&s| x[s as usize]).collect())
    }
}
