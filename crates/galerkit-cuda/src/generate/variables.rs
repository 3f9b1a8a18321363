//! What the variables of a kernel are called: those of entries, scalars and sums.

use super::Names;
use super::ir::{Expression, Variable, element, name};
use galerkit_linalg::program::Vector;

/// An index of entries: its name, and what an entry of another vector is called there.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Index {
    pub name: &'static str,
    pub entry: &'static str,
}

/// The variable of a vector's entry.
pub fn variable(x: Vector, names: &Names, at: Index) -> Variable {
    Variable::new("e", format!("{}{}", names.vector(x), at.name))
}

/// The variable of a map's entry.
pub fn map_entry(map: usize, at: Index) -> Variable {
    Variable::new("m", format!("{map}{}", at.name))
}

/// The variable of a scalar.
pub fn scalar(slot: usize) -> Variable {
    Variable::new("k", slot)
}

/// The scalar that a pass makes of all entries.
pub fn sum(d: usize) -> Expression {
    element(name("d"), d)
}
