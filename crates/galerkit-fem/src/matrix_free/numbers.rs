//! The numbers of an operator: what differs between precisions.

use super::kind::Kind;
use super::rows::Rows;
use super::tables::Tables;
use super::trilinear;
use galerkit_linalg::Scalar;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The numbers of the operator in one precision.
#[derive(Debug)]
pub(super) struct Numbers<S> {
    /// Of each kind.
    pub tables: Vec<Tables<S>>,
    /// Factors of each kind without maps, one cell after the other.
    stored: Vec<Vec<S>>,
    /// Of each kind of trilinear cells the numbers of their maps.
    pub maps: Vec<Vec<S>>,
    /// Factors from these, once somebody has asked for all of them.
    computed: Vec<OnceLock<Vec<S>>>,
    /// C, from unknowns to hanging functions.
    pub constraints: Rows<S>,
    /// C^T.
    pub transposed: Rows<S>,
    /// A matrix that is added to those of cells; without rows if there is none.
    pub beside: Rows<S>,
}

impl<S: Scalar> Numbers<S> {
    /// The numbers of some kinds: their factors or maps, C and C^T.
    pub fn new(kinds: &[Kind], [stored, maps]: [Vec<Vec<S>>; 2], [constraints, transposed]: [Rows<S>; 2]) -> Self {
        let tables = kinds.iter().map(Tables::new).collect();
        let computed = kinds.iter().map(|_| OnceLock::new()).collect();
        Self { tables, stored, maps, computed, constraints, transposed, beside: Rows::none() }
    }
    /// The same with a matrix beside cells.
    pub fn beside(self, beside: Rows<S>) -> Self {
        Self { beside, ..self }
    }
    /// The factors of kind k, one cell after the other.
    pub fn factors(&self, kind: &Kind, k: usize) -> &[S] {
        if !kind.is_trilinear {
            return &self.stored[k];
        }
        self.computed[k].get_or_init(|| trilinear::factors(kind, &self.maps[k]))
    }
    /// The factors of one cell of kind k.
    pub fn of_cell(&self, dim: usize, kind: &Kind, k: usize, at: usize) -> Cow<'_, [S]> {
        let size = kind.factors(dim);
        match (kind.is_trilinear, self.computed[k].get()) {
            (false, _) => Cow::Borrowed(&self.stored[k][at * size..(at + 1) * size]),
            (true, Some(all)) => Cow::Borrowed(&all[at * size..(at + 1) * size]),
            (true, None) => {
                let map = at * trilinear::NUMBERS..(at + 1) * trilinear::NUMBERS;
                Cow::Owned(trilinear::factors(kind, &self.maps[k][map]))
            }
        }
    }
    /// Bytes of factors, maps and constraints.
    pub fn bytes(&self) -> usize {
        let bytes = |all: &[Vec<S>]| -> usize { all.iter().map(|values| size_of_val(&values[..])).sum() };
        let rows = [&self.constraints, &self.transposed, &self.beside].map(Rows::bytes);
        bytes(&self.stored) + bytes(&self.maps) + rows.iter().sum::<usize>()
    }
    /// The same in another precision.
    pub fn converted<T: Scalar>(&self, kinds: &[Kind], convert: impl Fn(S) -> T + Copy) -> Numbers<T> {
        let all = |values: &Vec<S>| values.iter().map(|&value| convert(value)).collect();
        let [stored, maps] = [&self.stored, &self.maps].map(|of_kinds| of_kinds.iter().map(all).collect());
        let rows = [&self.constraints, &self.transposed].map(|rows| rows.converted(convert));
        Numbers::new(kinds, [stored, maps], rows).beside(self.beside.converted(convert))
    }
}
