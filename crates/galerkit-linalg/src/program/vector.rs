//! Vectors and scalars as programs know them: names. That of a vector comes with everything that is to be known of it;
//! nothing is inferred from another vector.

use crate::scalar::Precision;
use std::fmt;

/// Names a scalar slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub usize);

/// Who may read a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Anybody, at any time.
    #[default]
    Shared,
    /// Only the loop that was being recorded when the vector was made.
    LoopLocal,
}

/// Names a vector and says what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vector {
    /// Where its executor keeps it.
    pub id: usize,
    /// Entries.
    pub length: usize,
    /// How they are stored.
    pub precision: Precision,
    /// Who may read them.
    pub scope: Scope,
}

impl Vector {
    /// A vector that anybody may read.
    pub const fn new(id: usize, length: usize, precision: Precision) -> Self {
        Self { id, length, precision, scope: Scope::Shared }
    }
    /// Whether it is stored in single precision.
    pub fn is_single(self) -> bool {
        self.precision == Precision::Single
    }
    /// Whether only the loop it was made in may read it.
    pub fn is_loop_local(self) -> bool {
        self.scope == Scope::LoopLocal
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.id)
    }
}
