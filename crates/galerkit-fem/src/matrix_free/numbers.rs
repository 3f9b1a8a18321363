//! The numbers of an operator: what differs between precisions.

use super::rows::Rows;
use super::tables::Tables;

/// The numbers of the operator in one precision.
#[derive(Debug)]
pub(super) struct Numbers<S> {
    /// Of each kind.
    pub tables: Vec<Tables<S>>,
    /// Of each kind, one cell after the other.
    pub factors: Vec<Vec<S>>,
    /// Of each kind with vertices the numbers of their maps.
    pub maps: Vec<Vec<S>>,
    /// C, from unknowns to hanging functions.
    pub constraints: Rows<S>,
    /// C^T.
    pub transposed: Rows<S>,
}
