//! Multicolour ordering: rows of one colour do not need each other, so the triangular sweeps of the reordered matrix
//! have as many levels as there are colours (Saad, Iterative methods, 2nd ed., sections 3.3.3 and 12.4). Greedy: each
//! row in turn takes the least colour that no neighbour in the graph of A + A^T has, at most one more than the highest
//! degree.
//!
//! ```text
//! 0 - 1 - 2 - 3      colour  0 1 0 1      order  0 2 | 1 3
//! ```

use super::graph::Graph;
use crate::error::Result;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::{Csr, Permutation};

/// The colour of every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colouring {
    colour: Vec<u32>,
    count: usize,
}

per_scalar! {
    /// Colours the rows of a square matrix.
    pub fn colouring<S>(A: &Csr<S>) -> Result<Colouring> = colouring_of;
}

fn colouring_of<S: Scalar>(A: &Csr<S>) -> Result<Colouring> {
    A.require_square("a multicolour ordering")?;
    let graph = Graph::of(A);
    let mut colour = vec![u32::MAX; A.rows()];
    let mut taken_by: Vec<u32> = Vec::new(); // the last row, counted from 1, with a neighbour of each colour
    for v in 0..A.rows() as u32 {
        for &w in graph.neighbours(v) {
            if let Some(mark) = taken_by.get_mut(colour[w as usize] as usize) {
                *mark = v + 1;
            }
        }
        let free = taken_by.iter().position(|&mark| mark != v + 1).unwrap_or(taken_by.len());
        if free == taken_by.len() {
            taken_by.push(0);
        }
        colour[v as usize] = free as u32;
    }
    Ok(Colouring { colour, count: taken_by.len() })
}

impl Colouring {
    /// How many colours there are.
    pub fn count(&self) -> usize {
        self.count
    }
    /// The colour of row `i`.
    pub fn of(&self, i: usize) -> usize {
        self.colour[i] as usize
    }
    /// The rows colour by colour, ascending in each.
    pub fn order(&self) -> Permutation {
        let mut old: Vec<u32> = (0..self.colour.len() as u32).collect();
        old.sort_by_key(|&i| self.colour[i as usize]);
        Permutation::from_old(old).expect("every row has one colour")
    }
}
