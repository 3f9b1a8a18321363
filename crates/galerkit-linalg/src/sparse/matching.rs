//! Maximum-product matching with scaling: the permutation of rows that maximises the product of the moduli on the
//! diagonal, and factors for rows and columns that make these one and all others at most one (Duff and Koster, SIAM J.
//! Matrix Anal. Appl. 22 (2001) 973-996: job 5 of MC64). With costs c_ij = log max_k |a_ik| - log |a_ij| it is an
//! assignment of least cost; its dual variables, u_i + v_j <= c_ij with equality where i is matched with j, are the
//! logarithms of the factors:
//!
//! ```text
//! r_i = exp(u_i) / max_k |a_ik|      s_j = exp(v_j)      r_i |a_ij| s_j = exp(u_i + v_j - c_ij) <= 1
//! ```
//!
//! Before an incomplete factorisation of a matrix with zeros on its diagonal it finds pivots, and before any it
//! equilibrates.

mod augment;
mod costs;

use crate::error::{Error, Result, check_length};
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::{Csr, Permutation};
use augment::Assignment;
use costs::Costs;

/// Which row stands at which place, and what rows and columns are multiplied by.
///
/// ```
/// use galerkit_linalg::sparse::{Coo, matching};
///
/// let A = Coo::from_triples(2, 2, &[(0, 0, 1.0), (0, 1, 8.0), (1, 0, 4.0)])?.to_csr().0;
/// let M = matching(&A)?;
/// assert_eq!(M.order().old(), [1, 0]); // the second row first: 4 and 8 on the diagonal
/// let scaled = M.apply(&A)?;
/// assert!(scaled.diagonal().iter().all(|d: &f64| (d - 1.0).abs() < 1e-15));
/// # Ok::<(), galerkit_linalg::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    order: Permutation,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

per_scalar! {
    /// The maximum-product matching of a square matrix. One whose entries other than zero cannot fill a diagonal is
    /// refused with its structural rank.
    pub fn matching<S>(A: &Csr<S>) -> Result<Matching> = matching_of;
    fn applied<S>(matching: &Matching, A: &Csr<S>) -> Result<Csr<S>> = Matching::applied;
}

fn matching_of<S: Scalar>(A: &Csr<S>) -> Result<Matching> {
    A.require_square("a matching")?;
    A.require_finite()?;
    let costs = Costs::of(A);
    let assignment = Assignment::cheapest(A, &costs);
    let rank = assignment.count();
    if rank < A.rows() {
        return Err(Error::StructurallySingular { rank, rows: A.rows() });
    }
    let (row_of, u, v) = assignment.into_parts();
    let rows = u.iter().zip(costs.largest()).map(|(u, largest)| u.exp() / largest).collect();
    let columns = v.iter().map(|v| v.exp()).collect();
    Ok(Matching { order: Permutation::from_old(row_of)?, rows, columns })
}

impl Matching {
    /// The order of the rows: position j has the row whose entry in column j is on the diagonal.
    pub fn order(&self) -> &Permutation {
        &self.order
    }
    /// The factor of each row, in the order of the input.
    pub fn rows(&self) -> &[f64] {
        &self.rows
    }
    /// The factor of each column.
    pub fn columns(&self) -> &[f64] {
        &self.columns
    }

    /// P R A C: rows in their new order, everything scaled.
    pub fn apply<S: Scalar>(&self, A: &Csr<S>) -> Result<Csr<S>> {
        applied(self, A)
    }

    fn applied<S: Scalar>(&self, A: &Csr<S>) -> Result<Csr<S>> {
        check_length("the matching", A.rows(), self.rows.len())?;
        let mut permuted = A.permute_rows(&self.order)?;
        for s in 0..permuted.rows() {
            let row = self.rows[self.order.old()[s] as usize];
            for k in permuted.range(s) {
                let column = self.columns[permuted.col()[k] as usize];
                permuted.val_mut()[k] = times(permuted.val()[k], row, column);
            }
        }
        Ok(permuted)
    }

    /// P R b: the right-hand side that belongs to the matrix of [`apply`](Self::apply).
    pub fn inward<S: Scalar>(&self, b: &[S]) -> Result<Vec<S>> {
        check_length("the right-hand side", self.rows.len(), b.len())?;
        let scaled = |&i: &u32| times(b[i as usize], self.rows[i as usize], 1.0);
        Ok(self.order.old().iter().map(scaled).collect())
    }

    /// C y: the solution that belongs to the matrix before.
    pub fn outward<S: Scalar>(&self, y: &[S]) -> Result<Vec<S>> {
        check_length("the solution", self.columns.len(), y.len())?;
        Ok(y.iter().zip(&self.columns).map(|(&y, &column)| times(y, column, 1.0)).collect())
    }
}

/// A number times two factors, rounded once: neither product alone need fit single precision.
fn times<S: Scalar>(value: S, row: f64, column: f64) -> S {
    let (re, im) = value.parts();
    S::from_parts(re * row * column, im * row * column)
}
