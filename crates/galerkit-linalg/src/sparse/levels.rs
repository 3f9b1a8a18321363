//! Levels of a triangular matrix: a row's level is one more than the highest level among the rows it needs, so the rows
//! of one level can be solved for at once, level after level (Saad, Iterative methods, 2nd ed., section 11.6).
//!
//! ```text
//! [ . . . . ]    needs           level    order 0 1 | 2 | 3
//! [ . . . . ]
//! [ 1 2 . . ]    0 1             0 0 1 2
//! [ . . 3 . ]    2
//! ```

use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;
use std::ops::Range;

/// The rows of a triangle, level by level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    level: Vec<u32>,
    order: Vec<u32>,
    start: Vec<usize>,
}

per_scalar! {
    fn lower_levels<S>(L: &Csr<S>) -> Levels = Levels::of_lower;
    fn upper_levels<S>(U: &Csr<S>) -> Levels = Levels::of_upper;
}

impl Levels {
    /// Of a lower triangle: rows need rows above. Entries on and above the diagonal are not looked at.
    pub fn lower<S: Scalar>(L: &Csr<S>) -> Self {
        lower_levels(L)
    }

    fn of_lower<S: Scalar>(L: &Csr<S>) -> Self {
        let mut level = vec![0u32; L.rows()];
        for i in 0..L.rows() {
            level[i] = L.row(i).take_while(|&(j, _)| j < i).map(|(j, _)| level[j] + 1).max().unwrap_or(0);
        }
        Self::sort(level)
    }

    /// Of an upper triangle: rows need rows below. Entries on and below the diagonal are not looked at.
    pub fn upper<S: Scalar>(U: &Csr<S>) -> Self {
        upper_levels(U)
    }

    fn of_upper<S: Scalar>(U: &Csr<S>) -> Self {
        let n = U.rows();
        let mut level = vec![0u32; n];
        for i in (0..n).rev() {
            let needed = U.row(i).rev().take_while(|&(j, _)| j > i).filter(|&(j, _)| j < n);
            level[i] = needed.map(|(j, _)| level[j] + 1).max().unwrap_or(0);
        }
        Self::sort(level)
    }

    /// Counts the rows of each level, then places them.
    fn sort(level: Vec<u32>) -> Self {
        let count = level.iter().max().map_or(0, |&highest| highest as usize + 1);
        let mut start = vec![0; count + 1];
        level.iter().for_each(|&l| start[l as usize + 1] += 1);
        (0..count).for_each(|l| start[l + 1] += start[l]);
        let (mut next, mut order) = (start.clone(), vec![0; level.len()]);
        for (i, &l) in level.iter().enumerate() {
            order[next[l as usize]] = i as u32;
            next[l as usize] += 1;
        }
        Self { level, order, start }
    }

    /// How many levels there are.
    pub fn count(&self) -> usize {
        self.start.len() - 1
    }
    /// The level of row `i`.
    pub fn of(&self, i: usize) -> usize {
        self.level[i] as usize
    }
    /// All rows, level after level, ascending in each.
    pub fn order(&self) -> &[u32] {
        &self.order
    }
    /// The positions of each level in [`order`](Self::order).
    pub fn ranges(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + '_ {
        self.start.windows(2).map(|bounds| bounds[0]..bounds[1])
    }
}
