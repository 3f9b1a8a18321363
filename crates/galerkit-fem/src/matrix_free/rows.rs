//! Sparse rows: hanging functions as combinations of unknowns, and the transpose, what each unknown gets from hanging
//! functions. Functions that Dirichlet data fix are left out.

use crate::space::Space;
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use galerkit_linalg::sparse::Csr;

/// A sparse matrix by rows, in 32 bits.
#[derive(Clone, Debug)]
pub struct Rows<S> {
    /// Where each row begins.
    pub start: Vec<u32>,
    /// Columns.
    pub col: Vec<u32>,
    /// Entries.
    pub val: Vec<S>,
}

impl Rows<f64> {
    /// C, from unknowns to hanging functions, and its transpose; without rows if nothing hangs.
    pub fn of_constraints(space: &Space) -> (Self, Self) {
        let (constraints, interface) = (space.constraints(), space.counts().interface);
        let kept = |i: usize| constraints.row(i).iter().filter(|(j, _)| (*j as usize) < space.unknowns());
        let rows = (0..constraints.len()).map(|i| kept(i).copied().collect());
        let C = Self::new(rows.collect());
        if constraints.is_empty() {
            return (C.clone(), C);
        }
        debug_assert!(C.col.iter().all(|&j| (j as usize) < interface), "traces have no interior functions");
        let mut transposed = vec![Vec::new(); interface];
        for i in 0..constraints.len() {
            kept(i).for_each(|&(j, c)| transposed[j as usize].push((i as u32, c)));
        }
        (C, Self::new(transposed))
    }

    fn new(rows: Vec<Vec<(u32, f64)>>) -> Self {
        let mut start = vec![0];
        rows.iter().for_each(|row| start.push(start[start.len() - 1] + row.len() as u32));
        let (col, val) = rows.into_iter().flatten().unzip();
        Self { start, col, val }
    }
}

impl<S: Scalar> Rows<S> {
    /// No rows.
    pub fn none() -> Self {
        Self { start: vec![0], col: Vec::new(), val: Vec::new() }
    }
    /// The rows of a matrix without its zeros.
    pub fn of_matrix(A: &Csr<S>) -> Self {
        let mut rows = Self::none();
        for i in 0..A.rows() {
            for (j, a) in A.row(i).filter(|(_, a)| *a != S::zero()) {
                rows.col.push(j as u32);
                rows.val.push(a);
            }
            rows.start.push(rows.col.len() as u32);
        }
        rows
    }
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }
    /// Columns and entries of row i.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, S)> + '_ {
        let range = self.start[i] as usize..self.start[i + 1] as usize;
        self.col[range.clone()].iter().map(|&j| j as usize).zip(self.val[range].iter().copied())
    }
    /// Row i times x.
    pub fn times(&self, i: usize, x: &[S]) -> S {
        self.row(i).fold(S::zero(), |sum, (j, c)| sum + c * x[j])
    }
    /// All rows times x, on threads.
    pub fn all_times(&self, x: &[S]) -> Vec<S> {
        parallel::collect(self.len(), &|i| self.times(i, x))
    }
    /// The same with entries of another precision.
    pub fn converted<T>(&self, convert: impl Fn(S) -> T) -> Rows<T> {
        let val = self.val.iter().map(|&value| convert(value)).collect();
        Rows { start: self.start.clone(), col: self.col.clone(), val }
    }
    /// Bytes that it stores.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.start[..]) + size_of_val(&self.col[..]) + size_of_val(&self.val[..])
    }
}
