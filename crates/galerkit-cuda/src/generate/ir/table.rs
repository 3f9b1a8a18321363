//! Tables of literals.

use super::Variable;

/// A table that kernels look literals up in.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: Variable,
    /// What is in it.
    pub values: Values,
    /// Where it is.
    pub placement: Placement,
}

/// What is in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole literals.
    Integers(Vec<u64>),
    /// Reals, by their bits.
    Reals(Vec<u64>),
    /// A row of whole literals for each variant, rows as long as the longest.
    Rows(Vec<Vec<u64>>),
}

/// Where a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In global memory.
    Global,
    /// In constant memory.
    Constant,
    /// A part of the array `tables`, which begins there.
    PartOfTables(usize),
}
