//! Hybrid: the first K entries of each row in ELL, the rest in COO. The long rows of an irregular matrix then no longer
//! decide the width. Default K: the smallest such that fewer than max(4096, n/3) rows have more than K entries.
//! Bell, Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors", SC 2009.
//!
//! ```text
//! [ 1 -2  0  0 ]    K = 2    ELL  val  1 3 2 2 | -2 1 -5 4      COO  row  2
//! [ 0  3  1  0 ]                  col  0 1 0 1 |  1 2  2 3           col  3
//! [ 2  0 -5  1 ]                  len  2 2 2 2                       val  1
//! [ 0  2  0  4 ]
//! ```

use crate::error::{Result, check_length};
use crate::scalar::Scalar;
use crate::sparse::{Coo, Csr, Ell, RowLengths, slots};

/// A sparse matrix as an ELL part and the overflow of its long rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Hyb<S> {
    ell: Ell<S>,
    coo: Coo<S>,
}

impl<S: Scalar> Hyb<S> {
    /// Splits after `width` entries of each row; none means the default rule.
    pub fn from_csr(A: &Csr<S>, width: Option<usize>) -> Result<Self> {
        let width = width.unwrap_or_else(|| RowLengths::of(A).hyb_width());
        let ell = Ell::with_width(A, width)?;
        let rest = A.nnz() - ell.nnz();
        let (mut row, mut col, mut val) =
            (Vec::with_capacity(rest), Vec::with_capacity(rest), Vec::with_capacity(rest));
        for i in 0..A.rows() {
            for (j, a) in A.row(i).skip(width) {
                row.push(i as u32);
                col.push(j as u32);
                val.push(a);
            }
        }
        Ok(Self { ell, coo: Coo::new(A.rows(), A.cols(), row, col, val)? })
    }

    /// Moves the values out: those of the ELL part, then those of the overflow.
    pub(crate) fn take_val(&mut self) -> Vec<S> {
        let mut values = self.ell.take_val();
        values.extend(self.coo.take_val());
        values
    }
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ell.rows()
    }
    /// Number of columns.
    pub fn cols(&self) -> usize {
        self.ell.cols()
    }
    /// Stored entries, without padding.
    pub fn nnz(&self) -> usize {
        self.ell.nnz() + self.coo.nnz()
    }
    /// The first entries of each row.
    pub fn ell(&self) -> &Ell<S> {
        &self.ell
    }
    /// The other entries, sorted by row and column.
    pub fn coo(&self) -> &Coo<S> {
        &self.coo
    }
    /// Entries of each row that the ELL part has room for, K.
    pub fn width(&self) -> usize {
        self.ell.width()
    }
    /// Value/column pairs of both parts, padding included.
    pub fn slots(&self) -> usize {
        self.ell.slots() + self.coo.nnz()
    }
    /// Bytes of the arrays.
    pub fn bytes(&self) -> usize {
        self.ell.bytes() + self.coo.bytes()
    }

    /// The same matrix in compressed rows.
    pub fn to_csr(&self) -> Csr<S> {
        let rest = &self.coo;
        let entries = |i: usize| {
            let first = rest.row().partition_point(|&row| (row as usize) < i);
            let run = rest.row()[first..].iter().take_while(move |&&row| row as usize == i).count();
            (first..first + run).map(|k| (rest.col()[k] as usize, rest.val()[k]))
        };
        Csr::collect_rows(self.cols(), self.nnz(), (0..self.rows()).map(|i| self.ell.row(i).chain(entries(i))))
    }

    /// The slot of every entry of the CSR pattern this matrix was built from; those of the COO part are counted on
    /// after the slots of the ELL part.
    pub fn slot_of(&self, pattern: &Csr<S>) -> Result<Vec<u64>> {
        let mut next = self.ell.slots();
        slots::slot_of(&self.to_csr(), pattern, |i, e| {
            if e < self.width() {
                e * self.rows() + i
            } else {
                next += 1;
                next - 1
            }
        })
    }

    /// New values for the same pattern, through the map of [`slot_of`](Self::slot_of).
    pub fn refill(&mut self, slot_of: &[u64], values: &[S]) -> Result<()> {
        check_length("the array of new values", slot_of.len(), values.len())?;
        let first = self.ell.slots() as u64;
        let (ell, coo) = (self.ell.val_mut(), self.coo.val_mut());
        for (&slot, &value) in slot_of.iter().zip(values) {
            if slot < first {
                ell[slot as usize] = value;
            } else {
                slots::scatter(coo, &[slot - first], &[value])?;
            }
        }
        Ok(())
    }
}
