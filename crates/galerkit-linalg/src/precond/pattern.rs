//! The pattern of incomplete factors, by level of fill (Saad, Iterative methods, 2nd ed., section 10.3.3): entries of A
//! have level 0, an entry that the elimination of column k makes in row i has level lev_ik + lev_kj + 1, the least of
//! all its makers counts, and ILU(p) keeps levels up to p. Rows are worked through in order, the columns of a row by a
//! heap. No number is looked at: one pattern serves all matrices that share A's, in any precision.

use super::triangles::Triangles;
use super::{Factorisation, Factors, ic, ilu};
use crate::error::{Error, Result};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::{Csr, build};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Where the factors of an incomplete factorisation have entries, beside their diagonals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    lower: Part,
    upper: Part,
}

/// Rows of ascending columns.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    start: Vec<u64>,
    col: Vec<u32>,
}

/// A column that the row in work does not have.
const ABSENT: u32 = u32::MAX;
/// Rows whose columns are copied together.
const BLOCK: usize = 1 << 12;
/// Entries after which memory is asked for, again at every doubling.
const ASK: usize = 1 << 24;

impl Pattern {
    /// Of ILU(`fill`) for A; `fill` = 0 is A's own pattern. A row whose diagonal entry is neither stored nor filled in
    /// is refused.
    pub fn of<S: Scalar>(A: &Csr<S>, fill: usize) -> Result<Self> {
        A.require_square("an incomplete factorisation")?;
        if fill == 0 {
            return Self::own(A);
        }
        let mut search = Search::new(A.rows(), fill);
        for i in 0..A.rows() {
            search.row(&A.col()[A.range(i)], i)?;
            if search.entries() >= search.ask {
                build::check_memory::<S>("the incomplete factors", A.rows() as u128, 2 * search.entries() as u128)?;
                search.ask = 2 * search.entries();
            }
        }
        Ok(Self { lower: search.lower, upper: search.upper })
    }

    /// A's own pattern, cut at the diagonal.
    fn own<S: Scalar>(A: &Csr<S>) -> Result<Self> {
        let columns = |i: usize| &A.col()[A.range(i)];
        let diagonal = parallel::collect(A.rows(), &|i| columns(i).binary_search(&(i as u32)).unwrap_or(usize::MAX));
        if let Some(row) = diagonal.iter().position(|&place| place == usize::MAX) {
            return Err(Error::ZeroPivot { row });
        }
        let lower = Part::of_rows(A.rows(), &|i| &columns(i)[..diagonal[i]]);
        let upper = Part::of_rows(A.rows(), &|i| &columns(i)[diagonal[i] + 1..]);
        Ok(Self { lower, upper })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.lower.start.len() - 1
    }
    /// Entries of both factors, the diagonal counted once.
    pub fn nnz(&self) -> usize {
        self.lower.col.len() + self.upper.col.len() + self.rows()
    }

    /// Incomplete LU of A with its diagonal multiplied by 1 + `shift`.
    pub fn ilu<S: Scalar>(&self, A: &Csr<S>, shift: f64) -> Result<Factors<S>> {
        let mut factors = self.blank(Factorisation::Ilu, shift)?;
        ilu::fill(A, &mut factors)?;
        Ok(factors)
    }

    /// Incomplete Cholesky of a Hermitian A with its diagonal multiplied by 1 + `shift`.
    pub fn ic<S: Scalar>(&self, A: &Csr<S>, shift: f64) -> Result<Factors<S>> {
        let mut factors = self.blank(Factorisation::Ic, shift)?;
        ic::fill(A, &mut factors)?;
        Ok(factors)
    }

    /// Factors with this pattern and no numbers yet, for whoever computes them; of Cholesky the upper one mirrors the
    /// lower.
    pub fn blank<S: Scalar>(&self, kind: Factorisation, shift: f64) -> Result<Factors<S>> {
        ilu::check_shift(shift)?;
        let lower: Csr<S> = self.lower.zeros();
        let upper = match kind {
            Factorisation::Ilu => self.upper.zeros(),
            Factorisation::Ic => lower.conjugate_transpose(),
        };
        Ok(Factors { kind, shift, triangles: Triangles::new(lower, upper, vec![S::zero(); self.rows()]) })
    }
}

impl Part {
    fn new(rows: usize) -> Self {
        let mut start = Vec::with_capacity(rows + 1);
        start.push(0);
        Self { start, col: Vec::new() }
    }
    fn push_row(&mut self, columns: &[u32]) {
        self.col.extend_from_slice(columns);
        self.start.push(self.col.len() as u64);
    }
    fn of_rows<'a>(rows: usize, columns: &(dyn Fn(usize) -> &'a [u32] + Sync)) -> Self {
        let start = build::row_starts(rows, || (), |(), i| columns(i).len());
        let blocks = parallel::values(rows.div_ceil(BLOCK), &|block| {
            let all = (block * BLOCK..rows.min((block + 1) * BLOCK)).map(columns);
            all.collect::<Vec<_>>().concat()
        });
        Self { start, col: parallel::concatenated(blocks) }
    }
    fn zeros<S: Scalar>(&self) -> Csr<S> {
        let rows = self.start.len() - 1;
        let (start, col) = (self.start.clone(), parallel::collect(self.col.len(), &|k| self.col[k]));
        Csr::from_parts_trusted(rows, start, col, bytemuck::zeroed_vec(self.col.len()))
    }
}

/// The rows found so far, and working space for the next.
struct Search {
    fill: u32,
    lower: Part,
    upper: Part,
    /// The level of each entry of `upper`.
    upper_level: Vec<u32>,
    /// The level of each column in the row in work.
    level: Vec<u32>,
    columns: Vec<u32>,
    /// Columns left of the diagonal that are still to be eliminated.
    left: BinaryHeap<Reverse<u32>>,
    ask: usize,
}

impl Search {
    fn new(rows: usize, fill: usize) -> Self {
        let fill = fill.min(rows).min(ABSENT as usize - 1) as u32; // no level reaches the number of rows
        let (lower, upper) = (Part::new(rows), Part::new(rows));
        let (level, columns, left) = (vec![ABSENT; rows], Vec::new(), BinaryHeap::new());
        Self { fill, lower, upper, upper_level: Vec::new(), level, columns, left, ask: ASK }
    }

    fn entries(&self) -> usize {
        self.lower.col.len() + self.upper.col.len()
    }

    fn row(&mut self, stored: &[u32], i: usize) -> Result<()> {
        stored.iter().for_each(|&j| self.meet(j, 0, i));
        while let Some(Reverse(k)) = self.left.pop() {
            self.eliminate(k as usize, i);
        }
        self.columns.sort_unstable();
        let split = self.columns.partition_point(|&j| (j as usize) < i);
        let found = self.columns.get(split) == Some(&(i as u32));
        if found {
            self.lower.push_row(&self.columns[..split]);
            self.upper.push_row(&self.columns[split + 1..]);
            self.upper_level.extend(self.columns[split + 1..].iter().map(|&j| self.level[j as usize]));
        }
        self.columns.iter().for_each(|&j| self.level[j as usize] = ABSENT);
        self.columns.clear();
        if found { Ok(()) } else { Err(Error::ZeroPivot { row: i }) }
    }

    /// Row i takes over what row k has right of its diagonal, one level higher.
    fn eliminate(&mut self, k: usize, i: usize) {
        for slot in self.upper.start[k] as usize..self.upper.start[k + 1] as usize {
            let level = self.level[k].saturating_add(self.upper_level[slot]).saturating_add(1);
            if level <= self.fill {
                self.meet(self.upper.col[slot], level, i);
            }
        }
    }

    fn meet(&mut self, j: u32, level: u32, i: usize) {
        let known = &mut self.level[j as usize];
        if *known == ABSENT {
            self.columns.push(j);
            if (j as usize) < i {
                self.left.push(Reverse(j));
            }
        }
        *known = level.min(*known);
    }
}
