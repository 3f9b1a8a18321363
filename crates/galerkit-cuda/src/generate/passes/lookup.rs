//! How a kernel finds the integers of a list by their index `t` in it: by a formula where they are evenly spaced, else
//! from a table.

use crate::generate::ir::{Expression, Placement, Statement, Table, Values, Variable, element};

/// A list of integers.
pub enum Lookup {
    /// The first, and how far they are apart.
    Even(usize, usize),
    /// A table of them.
    Table(Table),
}

impl Lookup {
    /// The lookup of a list; a table gets this name.
    pub fn new(name: Variable, list: &[usize]) -> Self {
        let first = list.first().copied().unwrap_or(0);
        let step = list.get(1).map_or(0, |second| second.abs_diff(first));
        if list.iter().enumerate().all(|(t, &value)| value == first + t * step) {
            return Self::Even(first, step);
        }
        let values = Values::Integers(list.iter().map(|&value| value as u64).collect());
        Self::Table(Table { name, values, placement: Placement::Global })
    }

    /// What must be declared before.
    pub fn declaration(&self) -> Option<Statement> {
        if let Self::Table(table) = self { Some(Statement::Table(table.clone())) } else { None }
    }

    /// The integer at an index.
    pub fn at(&self, t: Expression) -> Expression {
        match self {
            Self::Even(first, step) => Expression::from(*first) + Expression::from(*step) * t,
            Self::Table(table) => element(table.name.value(), t),
        }
    }
}
