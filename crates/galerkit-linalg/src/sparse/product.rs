//! Sums and products of sparse matrices. The product goes row by row (Gustavson, ACM TOMS 4 (1978) 250-269): row i of A
//! B is the sum of rows k of B weighted by a_ik, collected in a dense accumulator. Products that cancel to zero stay
//! stored: the pattern depends on patterns alone. Every sum begins at zero and follows the stored order of row i of A,
//! without fused multiply-add: the same bits on any number of threads, and on a GPU.

use crate::error::{Result, check_length};
use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;
use crate::sparse::accumulator::{Accumulator, Accumulators};
use crate::sparse::build::{self, RowToFill};
use crate::sparse::pieces::{Pieces, Rows};
use std::cmp::Ordering;

per_scalar! {
    fn multiply<S>(A: &Csr<S>, B: &Csr<S>) -> Result<Csr<S>> = Csr::product;
    fn multiply_in_pieces<S>(A: &Csr<S>, B: &Csr<S>) -> Result<Pieces<S>> = Csr::product_in_pieces;
    fn multiply_pieces<S>(A: &Csr<S>, B: &Pieces<S>) -> Result<Csr<S>> = Csr::product_of_pieces;
    fn multiply_pieces_upper<S>(A: &Csr<S>, B: &Pieces<S>) -> Result<Csr<S>> = Csr::upper_product_of_pieces;
    fn multiply_into<S>(A: &Csr<S>, B: &Csr<S>, C: &mut Csr<S>) -> Result<()> = Csr::product_into;
}

/// Entries of a row that are counted rather than searched.
const SHORT: usize = 32;
/// Rows of the right factor that are asked for together.
const TOGETHER: usize = 16;
/// Rows whose products are counted together.
const COUNTED: usize = 1 << 14;

impl<S: Scalar> Csr<S> {
    /// The product A B, on the threads of the current pool.
    ///
    /// ```
    /// use galerkit_linalg::sparse::Csr;
    ///
    /// let A = Csr::new(2, 2, vec![0, 1, 2], vec![1, 0], vec![2.0, 3.0])?; // [0 2; 3 0]
    /// let square = A.multiply(&A)?;
    /// assert_eq!(square.val(), [6.0, 6.0]);
    /// # Ok::<(), galerkit_linalg::Error>(())
    /// ```
    pub fn multiply(&self, B: &Self) -> Result<Self> {
        multiply(self, B)
    }

    /// The product A B, left in pieces for whoever only reads its rows.
    pub(crate) fn multiply_in_pieces(&self, B: &Self) -> Result<Pieces<S>> {
        multiply_in_pieces(self, B)
    }

    /// The product A B with such a factor B.
    pub(crate) fn multiply_pieces(&self, B: &Pieces<S>) -> Result<Self> {
        multiply_pieces(self, B)
    }

    /// The upper triangle of the same, its diagonal included: what suffices where the product is known to be Hermitian.
    pub(crate) fn multiply_pieces_upper(&self, B: &Pieces<S>) -> Result<Self> {
        multiply_pieces_upper(self, B)
    }

    /// The values of the product A B, or of its upper triangle, on a pattern C that it had before: no symbolic work.
    /// Entries of the product that are not in C are left out.
    pub fn multiply_into(&self, B: &Self, C: &mut Self) -> Result<()> {
        multiply_into(self, B, C)
    }

    /// Multiplications that the product A B takes.
    pub fn multiplications(&self, B: &Self) -> u128 {
        self.multiplications_by(B)
    }

    fn multiplications_by(&self, B: &(impl Rows<S> + Sync)) -> u128 {
        let part = |part: usize| {
            let entries = part * COUNTED..self.nnz().min((part + 1) * COUNTED);
            self.col()[entries].iter().map(|&k| B.entries(k as usize).0.len() as u128).sum::<u128>()
        };
        parallel::values(self.nnz().div_ceil(COUNTED), &part).into_iter().sum()
    }

    fn product(&self, B: &Self) -> Result<Self> {
        Ok(self.product_in_pieces(B)?.joined())
    }

    fn product_in_pieces(&self, B: &Self) -> Result<Pieces<S>> {
        self.product_from(B, |_| 0)
    }

    fn product_of_pieces(&self, B: &Pieces<S>) -> Result<Self> {
        Ok(self.product_from(B, |_| 0)?.joined())
    }

    fn upper_product_of_pieces(&self, B: &Pieces<S>) -> Result<Self> {
        Ok(self.product_from(B, |i| i as u32)?.joined())
    }

    /// The product, of row i the columns from `first(i)` on.
    fn product_from<B: Rows<S> + Sync>(&self, B: &B, first: fn(usize) -> u32) -> Result<Pieces<S>> {
        check_length("the right factor (its rows)", self.cols(), B.count())?;
        self.check_room(B)?;
        let scratch = Accumulators::new(B.width());
        Ok(build::append_pieces(B.width(), self.start(), &|rows, made| {
            scratch.lend(&mut |sums: &mut Accumulator<S>| {
                for i in rows.clone() {
                    sums.begin(i);
                    self.add_products(B, i, first(i), sums);
                    sums.append_to(&mut made.col, &mut made.val);
                    made.lengths.push(sums.length() as u32);
                }
            });
        }))
    }

    fn product_into(&self, B: &Self, C: &mut Self) -> Result<()> {
        check_length("the right factor (its rows)", self.cols(), B.rows())?;
        check_length("the product (its rows)", self.rows(), C.rows())?;
        check_length("the product (its columns)", B.cols(), C.cols())?;
        let scratch = Accumulators::new(B.cols());
        build::refill_rows(C, &|rows| {
            scratch.lend(&mut |sums: &mut Accumulator<S>| {
                for RowToFill { i, col, val } in &mut *rows {
                    sums.begin(i);
                    col.iter().for_each(|&j| sums.open(j));
                    self.add_products(B, i, col.first().copied().unwrap_or(u32::MAX), sums);
                    col.iter().zip(val).for_each(|(&j, value)| *value = sums.value(j));
                }
            });
        });
        Ok(())
    }

    /// Adds a_ik times row k of B, from column `first` on, for all k.
    fn add_products(&self, B: &impl Rows<S>, i: usize, first: u32, sums: &mut Accumulator<S>) {
        let (columns, values) = self.entries(i);
        for (columns, values) in columns.chunks(TOGETHER).zip(values.chunks(TOGETHER)) {
            B.touch(columns);
            for (&k, &a) in columns.iter().zip(values) {
                let (col, val) = B.entries(k as usize);
                let skipped = match (first, col.len()) {
                    (0, _) => 0,
                    (_, 0..=SHORT) => col.iter().filter(|&&j| j < first).count(), // without branches
                    _ => col.partition_point(|&j| j < first),
                };
                sums.add_row(a, &col[skipped..], &val[skipped..]);
            }
        }
    }

    /// Refuses a product that memory does not hold. Bounds are looked at first, the cheapest in front; only where they
    /// are too large are entries counted.
    fn check_room<B: Rows<S> + Sync>(&self, B: &B) -> Result<()> {
        let full = self.rows() as u128 * B.width() as u128;
        let longest = (0..B.count()).map(|k| B.entries(k).0.len()).max().unwrap_or(0);
        let fits = |bound: u128| build::check_memory::<S>("the sparse product", self.rows() as u128, 2 * bound).is_ok();
        if fits(full.min(self.nnz() as u128 * longest as u128)) || fits(full.min(self.multiplications_by(B))) {
            return Ok(());
        }
        let met = || vec![0u32; B.width()];
        let start = build::row_starts(self.rows(), met, |met_in, i| self.product_length(B, met_in, i));
        build::check_memory::<S>("the sparse product", self.rows() as u128, 2 * start[self.rows()] as u128)
    }

    fn product_length(&self, B: &impl Rows<S>, met_in: &mut [u32], i: usize) -> usize {
        let mark = i as u32 + 1;
        let mut length = 0;
        for &k in &self.col()[self.range(i)] {
            for &j in B.entries(k as usize).0 {
                let last = &mut met_in[j as usize];
                length += (*last != mark) as usize;
                *last = mark;
            }
        }
        length
    }

    /// The sum alpha A + beta B of two matrices of one shape; its pattern is the union of the patterns.
    pub fn combine(alpha: S, A: &Self, beta: S, B: &Self) -> Result<Self> {
        check_length("the second summand (its rows)", A.rows(), B.rows())?;
        check_length("the second summand (its columns)", A.cols(), B.cols())?;
        let start = build::row_starts(A.rows(), || (), |(), i| merge(A.columns(i), B.columns(i), |_, _, _| ()));
        Ok(build::fill_rows(
            A.cols(),
            start,
            || (),
            |(), i, col, val| {
                let (a, b) = (&A.val()[A.range(i)], &B.val()[B.range(i)]);
                let mut slot = 0;
                merge(A.columns(i), B.columns(i), |j, in_a, in_b| {
                    col[slot] = j;
                    val[slot] = match (in_a, in_b) {
                        (Some(k), Some(l)) => alpha * a[k] + beta * b[l],
                        (Some(k), None) => alpha * a[k],
                        (None, l) => l.map_or(S::zero(), |l| beta * b[l]),
                    };
                    slot += 1;
                });
            },
        ))
    }

    fn columns(&self, i: usize) -> &[u32] {
        &self.col()[self.range(i)]
    }
}

/// Walks the union of two ascending lists; `visit` gets the column and its place in each list. Returns the union's
/// size.
pub(super) fn merge(a: &[u32], b: &[u32], mut visit: impl FnMut(u32, Option<usize>, Option<usize>)) -> usize {
    let (mut k, mut l, mut count) = (0, 0, 0);
    while k < a.len() || l < b.len() {
        let order = match (a.get(k), b.get(l)) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        match order {
            Ordering::Less => visit(a[k], Some(k), None),
            Ordering::Equal => visit(a[k], Some(k), Some(l)),
            Ordering::Greater => visit(b[l], None, Some(l)),
        }
        k += (order != Ordering::Greater) as usize;
        l += (order != Ordering::Less) as usize;
        count += 1;
    }
    count
}
