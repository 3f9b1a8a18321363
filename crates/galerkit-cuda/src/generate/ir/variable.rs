//! Variables: what they are called, their types, where they are stored; and labels, which are called in the same way.

/// A variable that a kernel declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// What it is for.
    pub stem: &'static str,
    /// Which one of those; empty where there is one only, which then keeps its name.
    pub id: String,
}

impl Variable {
    /// The variable of this stem with this number, or whatever tells it from others.
    pub fn new(stem: &'static str, id: impl ToString) -> Self {
        Self { stem, id: id.to_string() }
    }
    /// The only one of its stem.
    pub fn only(stem: &'static str) -> Self {
        Self { stem, id: String::new() }
    }
}

/// Where a `goto` leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// What it is for.
    pub stem: &'static str,
    /// Which one of those.
    pub path: Vec<usize>,
}

/// Types of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Type {
    Scalar,
    /// A scalar in single precision.
    Single,
    Offset,
    Unsigned,
    Int,
    Bool,
    Double,
    /// To entries that are only read.
    Scalars,
    /// The same in single precision.
    Singles,
    /// The arrays of a map.
    Map(usize),
    /// Any other, by its name.
    Named(&'static str),
}

/// Where a variable is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In registers.
    Register,
    /// In registers, and never changes.
    Constant,
    /// In shared memory.
    Shared,
}
