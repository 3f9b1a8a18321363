//! Incomplete LU, row by row (IKJ) on a given pattern (Saad, Iterative methods, 2nd ed., algorithm 10.4):
//!
//! ```text
//! for k < i in row i:   l_ik = a_ik / u_kk,   a_ij -= l_ik u_kj   for j > k in row i; what falls outside is dropped
//! ```
//!
//! On A's own pattern, (L U)_ij = a_ij for every stored (i, j): ILU(0). No pivoting: a zero pivot is refused with its
//! row.

use super::row::SpreadRow;
use super::triangles::Triangles;
use super::{Factorisation, Factors, pivot};
use crate::backend::cpu::sweep::Shared;
use crate::error::{Error, Result, check_length};
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::{Csr, Levels};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

pub(super) fn invalid_shift(value: &str) -> Error {
    let expected = "the diagonal is multiplied by 1 + shift: a finite number of at least 0";
    Error::InvalidParameter { name: "shift", value: value.into(), expected }
}

pub(super) fn check_shift(shift: f64) -> Result<()> {
    if shift >= 0.0 && shift.is_finite() { Ok(()) } else { Err(invalid_shift(&shift.to_string())) }
}

/// Rows of a level below which threads would wait for each other longer than they work.
const ROWS: usize = 256;

/// Computes the numbers of factors whose pattern is there: rows in their order, or on threads level by level, where
/// each row finds the same numbers; what fails on threads is done again in order, which names the first row that fails.
pub(super) fn fill<S: Scalar>(A: &Csr<S>, factors: &mut Factors<S>) -> Result<()> {
    Factorisation::Ilu.require(A)?;
    check_length("the matrix (its rows)", factors.rows(), A.rows())?;
    let threads = rayon::current_num_threads();
    let levels = (threads > 1).then(|| Levels::lower(factors.lower()));
    let elimination = Elimination::new(A, factors);
    match levels.filter(|levels| levels.count() * ROWS <= A.rows()) {
        Some(levels) => elimination.by_levels(&levels, threads).or_else(|_| elimination.in_order()),
        None => elimination.in_order(),
    }
}

/// A, and the factors in work, whose numbers rows on several threads read and write.
struct Elimination<'a, S: Scalar> {
    A: &'a Csr<S>,
    lower: Triangle<'a, S>,
    upper: Triangle<'a, S>,
    inverse: Shared<'a, S>,
    shifted: S,
}

struct Triangle<'a, S: Scalar> {
    start: &'a [u64],
    col: &'a [u32],
    val: Shared<'a, S>,
}

impl<'a, S: Scalar> Triangle<'a, S> {
    fn of(T: &'a mut Csr<S>) -> Self {
        let (start, col, val) = T.parts_mut();
        Self { start, col, val: Shared::new(val) }
    }
    fn range(&self, i: usize) -> Range<usize> {
        self.start[i] as usize..self.start[i + 1] as usize
    }
    fn columns(&self, i: usize) -> &'a [u32] {
        &self.col[self.range(i)]
    }
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, S)> + '_ {
        self.range(i).map(|k| (self.col[k] as usize, self.val.load(k)))
    }
    fn store(&self, i: usize, row: &SpreadRow<S>) {
        self.range(i).for_each(|k| self.val.store(k, row.get(self.col[k] as usize)));
    }
}

impl<'a, S: Scalar> Elimination<'a, S> {
    fn new(A: &'a Csr<S>, factors: &'a mut Factors<S>) -> Self {
        let shifted = S::from_f64(1.0 + factors.shift);
        let Triangles { lower, upper, scale, .. } = &mut factors.triangles;
        Self { A, lower: Triangle::of(lower), upper: Triangle::of(upper), inverse: Shared::new(scale), shifted }
    }

    fn in_order(&self) -> Result<()> {
        let mut row = SpreadRow::new(self.A.rows());
        (0..self.A.rows()).try_for_each(|i| self.eliminate(i, &mut row))
    }

    fn by_levels(&self, levels: &Levels, threads: usize) -> Result<()> {
        let rows: Vec<_> = (0..threads).map(|_| Mutex::new(SpreadRow::new(self.A.rows()))).collect();
        for range in levels.ranges() {
            let order = &levels.order()[range];
            let size = order.len().div_ceil(threads);
            let of_thread = |thread: usize| {
                let mut row = rows[thread].lock().unwrap_or_else(PoisonError::into_inner);
                let mut own = order.chunks(size).nth(thread).unwrap_or_default().iter();
                own.try_for_each(|&i| self.eliminate(i as usize, &mut row))
            };
            parallel::try_values(threads, &of_thread)?;
        }
        Ok(())
    }

    /// Row i of both factors.
    fn eliminate(&self, i: usize, row: &mut SpreadRow<S>) -> Result<()> {
        let Self { A, lower, upper, inverse, shifted } = self;
        row.begin(i);
        row.allow(lower.columns(i));
        row.allow(&[i as u32]);
        row.allow(upper.columns(i));
        A.row(i).try_for_each(|(j, a)| row.set(j, if j == i { a * *shifted } else { a }))?;
        for k in lower.columns(i).iter().map(|&k| k as usize) {
            let l = row.get(k) * inverse.load(k);
            row.put(k, l);
            upper.row(k).for_each(|(j, u)| row.subtract(j, l * u));
        }
        lower.store(i, row);
        upper.store(i, row);
        inverse.store(i, pivot::reciprocal(row.get(i), i)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ilu0;
    use crate::error::Error;
    use crate::gallery::{Stencil, poisson2d};
    use crate::sparse::{Csr, colouring};

    /// By colours there are few levels, which threads share: the bits of one thread, and its error.
    #[test]
    fn threads_have_the_bits_and_the_error_of_one() {
        let grid = poisson2d(48, Stencil::Points9).unwrap();
        let A = grid.permute_symmetric(&colouring(&grid).unwrap().order()).unwrap();
        let without = |row: usize| {
            let values: Vec<f64> = (0..A.rows())
                .flat_map(|i| A.row(i).map(move |(j, a)| if (i, j) == (row, row) { 0.0 } else { a }))
                .collect();
            A.with_values(&values)
        };
        let on = |threads: usize, A: &Csr<f64>| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| ilu0(A))
        };
        let alone = on(1, &A).unwrap();
        for threads in [2, 5] {
            assert!(on(threads, &A).unwrap() == alone, "{threads} threads");
            assert!(matches!(on(threads, &without(7)), Err(Error::ZeroPivot { row: 7 })));
        }
    }
}
