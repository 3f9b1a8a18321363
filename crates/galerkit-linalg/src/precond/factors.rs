//! Incomplete factors M = L U and the two triangular solves y = U^-1 L^-1 x (Saad, Iterative methods, 2nd ed., chapter
//! 10). Both triangles are stored without their diagonals, which are kept inverted: none for the unit L of ILU, one for
//! U, and the same one for L and L^H of IC.
//!
//! ```text
//! [  2 -1  . ]         lower  -1/2 (1,0)  -2/3 (2,1)
//! [ -1  2 -1 ]   ILU:  upper   -1  (0,1)   -1  (1,2)      inverse  1/2  2/3  3/4
//! [  . -1  2 ]
//! ```

use super::pivot;
use super::triangles::Triangles;
use crate::backend::cpu::sweep::Scheduled;
use crate::error::{Result, check_length};
use crate::map::{LinearMap, Triangular};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Which factorisation the factors are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factorisation {
    /// L U with a unit diagonal in L.
    Ilu,
    /// L L^H.
    Ic,
}

impl Factorisation {
    /// What is kept of a pivot: 1/u_ii of ILU, 1/l_ii = 1/sqrt(pivot) of IC. Refuses one that has none.
    pub fn invert<S: Scalar>(self, pivot: S, row: usize) -> Result<S> {
        match self {
            Factorisation::Ilu => pivot::reciprocal(pivot, row),
            Factorisation::Ic => pivot::inverse_root(pivot, row),
        }
    }

    /// Refuses matrices that it is visibly not for: not square, for IC not Hermitian.
    pub fn require<S: Scalar>(self, A: &Csr<S>) -> Result<()> {
        match self {
            Factorisation::Ilu => A.require_square("an incomplete factorisation"),
            Factorisation::Ic => {
                A.require_square("incomplete Cholesky")?;
                pivot::require_hermitian(A)
            }
        }
    }
}

/// The factors of an incomplete factorisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors<S: Scalar> {
    pub(super) kind: Factorisation,
    pub(super) shift: f64,
    /// The scale is the inverse diagonal.
    pub(super) triangles: Triangles<S>,
}

impl<S: Scalar> Factors<S> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.triangles.rows()
    }
    /// Which factorisation this is.
    pub fn kind(&self) -> Factorisation {
        self.kind
    }
    /// The diagonal of A was multiplied by one plus this.
    pub fn shift(&self) -> f64 {
        self.shift
    }
    /// L without its diagonal.
    pub fn lower(&self) -> &Csr<S> {
        &self.triangles.lower
    }
    /// U without its diagonal.
    pub fn upper(&self) -> &Csr<S> {
        &self.triangles.upper
    }
    /// The inverse diagonal of U; of L too, for incomplete Cholesky.
    pub fn inverse(&self) -> &[S] {
        &self.triangles.scale
    }
    /// Stored entries of both triangles and the diagonal.
    pub fn nnz(&self) -> usize {
        self.lower().nnz() + self.upper().nnz() + self.rows()
    }
    /// The same factors, rounded to single precision.
    pub fn rounded(&self) -> Factors<S::Single> {
        Factors { kind: self.kind, shift: self.shift, triangles: self.triangles.rounded() }
    }
    /// Bytes that one application reads.
    pub fn bytes(&self) -> usize {
        self.triangles.bytes()
    }

    /// y = M^-1 x with the numbers that it holds itself, on threads once it has a
    /// [`schedule`](LinearMap::schedule).
    pub fn solve_on_threads(&self, x: &[S], y: &mut [S]) {
        self.triangles.scheduled.apply_with(self, self.own(), x, y);
    }

    /// Takes numbers that were computed elsewhere, in the order of the patterns.
    pub fn set_numbers(&mut self, lower: &[S], upper: &[S], inverse: &[S]) -> Result<()> {
        check_length("the lower triangle (its entries)", self.lower().nnz(), lower.len())?;
        check_length("the upper triangle (its entries)", self.upper().nnz(), upper.len())?;
        check_length("the inverse diagonal", self.rows(), inverse.len())?;
        self.triangles.lower.val_mut().copy_from_slice(lower);
        self.triangles.upper.val_mut().copy_from_slice(upper);
        self.triangles.scale.copy_from_slice(inverse);
        Ok(())
    }
}

impl<S: Scalar> Triangular<S> for Factors<S> {
    fn lower(&self) -> &Csr<S> {
        &self.triangles.lower
    }
    fn upper(&self) -> &Csr<S> {
        &self.triangles.upper
    }
    fn scale(&self) -> &[S] {
        &self.triangles.scale
    }
    fn forward(&self, scale: S, x: S, sum: S) -> S {
        match self.kind {
            Factorisation::Ilu => x - sum,
            Factorisation::Ic => scale * (x - sum),
        }
    }
    fn backward(&self, scale: S, u: S, sum: S) -> S {
        scale * (u - sum)
    }
}

impl<S: Scalar> LinearMap<S> for Factors<S> {
    fn shape(&self) -> (usize, usize) {
        (self.rows(), self.rows())
    }
    fn bytes(&self) -> usize {
        Factors::bytes(self)
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.solve_with(self.among(values), x, y);
    }
    fn schedule(&mut self) {
        self.triangles.scheduled = Scheduled::new(self);
    }
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.triangles.scheduled.apply(self, values, x, y);
    }
    fn take_values(&mut self) -> Vec<S> {
        self.triangles.take_values()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.rounded()))
    }
    fn is_finite(&self) -> bool {
        self.triangles.is_finite()
    }
    fn traffic(&self) -> usize {
        self.triangles.traffic()
    }
}
