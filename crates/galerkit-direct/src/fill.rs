//! What a sparse factorisation would take, by the pattern alone: the orders that
//! [`sparse_cholesky`](super::sparse_cholesky) and [`sparse_lu`](super::sparse_lu) would take, and what follows from
//! them. It takes milliseconds where a factorisation takes seconds.

mod columns;

use crate::fronts::is_nearly_symmetric;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, memory};

/// The work of a factorisation.
///
/// ```
/// use galerkit_direct::Fill;
/// use galerkit_linalg::sparse::Coo;
///
/// let A = Coo::from_triples(2, 2, &[(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0)])?.to_csr().0;
/// let fill = Fill::of_cholesky(&A).expect("a square matrix");
/// assert_eq!((fill.entries, fill.multiplications), (3.0, 1.0));
/// assert!(fill.fits::<f64>() && Fill::of_lu(&A).expect("a square matrix").multiplications >= 1.0);
/// # Ok::<(), galerkit_linalg::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    /// Entries of the factors, diagonals included.
    pub entries: f64,
    /// Multiplications, each with a subtraction.
    pub multiplications: f64,
    /// Whether it is a bound for any pivots, of which real factors have a tenth to a half.
    pub is_bound: bool,
}

impl Fill {
    /// Of Cholesky: what approximate minimum degree (Amestoy, Davis, Duff 1996) counts while it orders A + A^H. None
    /// where A is not square, or too large to be ordered.
    pub fn of_cholesky<S: Scalar>(A: &Csr<S>) -> Option<Self> {
        (A.rows() == A.cols()).then(|| by_degree(A.start(), A.col())).flatten()
    }

    /// Of LU. Where the pattern is nearly symmetric, as for Cholesky, twice. Else at most, whatever the pivots: that of
    /// the Cholesky factor of A^H A in the order of COLAMD (George, Ng 1985). None where A is not square, or too large
    /// to be ordered.
    pub fn of_lu<S: Scalar>(A: &Csr<S>) -> Option<Self> {
        if A.rows() != A.cols() {
            return None;
        }
        if is_nearly_symmetric(A) {
            let half = by_degree(A.start(), A.col())?;
            let (entries, multiplications) = (2.0 * half.entries - A.rows() as f64, 2.0 * half.multiplications);
            return Some(Self { entries, multiplications, is_bound: false });
        }
        let counted = columns::count(A.start(), A.col())?;
        Some(Self { entries: counted.entries, multiplications: counted.multiplications, is_bound: true })
    }

    /// Whether factors of this scalar take at most half of the memory that is free.
    pub fn fits<S: Scalar>(&self) -> bool {
        let bytes = self.entries * (size_of::<S>() + size_of::<usize>()) as f64;
        memory::check("the factors", (2.0 * bytes) as u128).is_ok()
    }
}

/// Rows are taken for columns: the order is that of A + A^H anyway.
fn by_degree(start: &[u64], col: &[u32]) -> Option<Fill> {
    let rows = start.len() - 1;
    let start: Vec<usize> = start.iter().map(|&s| s as usize).collect();
    let col: Vec<usize> = col.iter().map(|&j| j as usize).collect();
    let pattern = SymbolicSparseColMatRef::new_checked(rows, rows, &start, None, &col);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(rows, col.len())).ok()?;
    let [mut order, mut inverse] = [vec![0; rows], vec![0; rows]];
    let stack = MemStack::new(&mut memory);
    let count = amd::order(&mut order, &mut inverse, pattern, amd::Control::default(), stack).ok()?;
    // Each entry below the diagonal of L is divided for.
    Some(Fill { entries: count.n_div + rows as f64, multiplications: count.n_mult_subs_ldl, is_bound: false })
}
