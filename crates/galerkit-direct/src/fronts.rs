//! LU of matrices with a symmetric pattern, or nearly: multifrontal (Duff, Reid 1983). The order is that of approximate
//! minimum degree on A + A^T, and rows are interchanged within a front alone, so that the pattern of the factors is
//! known before any number is: less than LU with interchanges of all rows must be ready for, by ten times and more.
//! Whether pivots were good enough is found out afterwards: [`Fronts::answers`].
//!
//! Where A = A^T (not its adjoint) what is left of a front is symmetric whatever the pivots were, F22 - F21 F11^-1 F21^T:
//! half of it is computed, and U12 = L11^-1 P U11^T L21^T is not kept but applied.

mod elimination;
mod groups;
mod shares;
mod substitution;
mod symmetry;
mod tree;

use crate::transposition::Transposition;
use elimination::Factors;
use faer::traits::ComplexField;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{backward_error, frobenius_norm, norm, residual};
use galerkit_linalg::sparse::Csr;
use shares::Shares;
pub use symmetry::{is_nearly_symmetric, is_symmetric, lower_triangle};
pub use tree::Tree;

/// A backward error up to which pivots were good.
const GOOD: f64 = 1e-13;

/// The factors: for each front the columns of L and the rows of U that it eliminates.
pub struct Fronts<T> {
    tree: Tree,
    shares: Shares,
    factors: Vec<Factors<T>>,
    is_symmetric: bool,
}

impl<T: Scalar + ComplexField> Fronts<T> {
    /// Factorises a matrix that is symmetric, or is not; none where a pivot is zero, or memory runs out.
    pub fn new(A: &Csr<T>, tree: Tree, is_symmetric: bool) -> Option<Self> {
        let factors = elimination::all(A, &tree, is_symmetric)?;
        let shares = Shares::new(&tree);
        Some(Self { tree, shares, factors, is_symmetric })
    }

    /// Overwrites a right-hand side by the solution.
    pub fn solve_in_place(&self, transposition: Transposition, x: &mut [T]) {
        let mut y: Vec<T> = self.tree.order.iter().map(|&i| x[i]).collect();
        match transposition {
            Transposition::None => substitution::solve(&self.tree, &self.shares, &self.factors, &mut y),
            Transposition::Transposed if self.is_symmetric => return self.solve_in_place(Transposition::None, x),
            Transposition::Transposed => substitution::solve_transposed(&self.tree, &self.factors, &mut y),
            Transposition::Adjoint => {
                x.iter_mut().for_each(|x| *x = Scalar::conj(*x));
                self.solve_in_place(Transposition::Transposed, x);
                return x.iter_mut().for_each(|x| *x = Scalar::conj(*x));
            }
        }
        self.tree.order.iter().zip(y).for_each(|(&i, y)| x[i] = y);
    }

    /// Whether they solve A x = b: without interchanges between fronts pivots may be small.
    pub fn answers(&self, A: &Csr<T>) -> bool {
        let signs = (0..A.rows()).map(|i| if i.wrapping_mul(0x9E37_79B9) & 0x800 == 0 { T::one() } else { -T::one() });
        let b: Vec<T> = signs.collect();
        let mut x = b.clone();
        self.solve_in_place(Transposition::None, &mut x);
        let r = norm(&residual(A, &b, &x));
        r.is_finite() && backward_error(r, frobenius_norm(A), norm(&x), norm(&b)) <= GOOD
    }
}
