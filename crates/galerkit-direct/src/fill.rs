//! What a sparse factorisation would take, by the pattern alone: the orders that [`sparse_cholesky`](super::sparse_cholesky) and
//! [`sparse_lu`](super::sparse_lu) would take, and what follows from them. It takes milliseconds where a factorisation takes seconds.

mod columns;

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
}

impl Fill {
    /// Of Cholesky: what approximate minimum degree (Amestoy, Davis, Duff 1996) counts while it orders A + A^H. None where A is
    /// not square, or too large to be ordered.
    pub fn of_cholesky<S: Scalar>(A: &Csr<S>) -> Option<Self> {
        (A.rows() == A.cols()).then(|| by_degree(A.start(), A.col())).flatten()
    }

    /// Of LU at most, whatever the pivots: that of the Cholesky factor of A^H A in the order of COLAMD (George, Ng 1985). Real
    /// factors have a tenth to a half of it. None where A is not square, or too large to be ordered.
    pub fn of_lu<S: Scalar>(A: &Csr<S>) -> Option<Self> {
        let counted = (A.rows() == A.cols()).then(|| columns::count(A.start(), A.col())).flatten()?;
        Some(Self { entries: counted.entries, multiplications: counted.multiplications })
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
    Some(Fill { entries: count.n_div + rows as f64, multiplications: count.n_mult_subs_ldl })
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::sparse::Coo;

    fn band(rows: usize, half: usize) -> Csr<f64> {
        let row = |i: usize| (i.saturating_sub(half)..(i + half + 1).min(rows)).map(move |j| (i, j, 1.0));
        Coo::from_triples(rows, rows, &(0..rows).flat_map(row).collect::<Vec<_>>()).unwrap().to_csr().0
    }

    #[test]
    fn a_tridiagonal_matrix_fills_nothing() {
        let fill = Fill::of_cholesky(&band(50, 1)).unwrap();
        assert_eq!((fill.entries, fill.multiplications), (99.0, 49.0));
        let bound = Fill::of_lu(&band(50, 1)).unwrap();
        assert!(bound.entries < 300.0, "pivots may swap neighbours: {bound:?}");
    }

    #[test]
    fn a_full_matrix_takes_a_sixth_of_the_cube_and_lu_twice_as_much() {
        let cube = 60.0_f64.powi(3);
        let [cholesky, lu] = [Fill::of_cholesky(&band(60, 60)).unwrap(), Fill::of_lu(&band(60, 60)).unwrap()];
        assert_eq!((cholesky.entries, lu.entries), (60.0 * 61.0 / 2.0, 60.0 * 61.0));
        assert!((cholesky.multiplications / (cube / 6.0) - 1.0).abs() < 0.05, "{cholesky:?}");
        assert!((lu.multiplications / (cube / 3.0) - 1.0).abs() < 0.05, "{lu:?}");
    }

    /// An arrow fills nothing if its tip is last; every pivot of LU may be in the full row, so that U is full.
    #[test]
    fn a_full_row_is_eliminated_last_by_cholesky_and_bounds_lu() {
        let arrow = (0..40).flat_map(|i| [(i, i, 1.0), (0, i, 2.0), (i, 0, 2.0)]).collect::<Vec<_>>();
        let A = Coo::from_triples(40, 40, &arrow).unwrap().to_csr().0;
        assert_eq!(Fill::of_cholesky(&A).unwrap().entries, 79.0);
        assert_eq!(Fill::of_lu(&A).unwrap().entries, 899.0);
    }

    #[test]
    fn what_is_not_square_has_no_factors_and_nothing_takes_nothing() {
        let A = Coo::<f64>::from_triples(2, 3, &[(0, 2, 1.0)]).unwrap().to_csr().0;
        assert_eq!((Fill::of_cholesky(&A), Fill::of_lu(&A)), (None, None));
        let none = Fill { entries: 0.0, multiplications: 0.0 };
        assert_eq!((Fill::of_cholesky(&band(0, 0)), Fill::of_lu(&band(0, 0))), (Some(none), Some(none)));
    }

    #[test]
    fn factors_beyond_the_memory_do_not_fit() {
        assert!(!Fill { entries: 1e16, multiplications: 1.0 }.fits::<f32>());
    }
}
