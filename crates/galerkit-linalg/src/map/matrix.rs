//! Stored matrices of every format as maps; their values are what the format has in its slots.

use super::LinearMap;
use crate::scalar::Scalar;
use crate::sparse::{Matrix, spmv};

impl<S: Scalar> LinearMap<S> for Matrix<S> {
    fn shape(&self) -> (usize, usize) {
        (self.rows(), self.cols())
    }
    fn bytes(&self) -> usize {
        Matrix::bytes(self)
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        spmv(S::one(), self, values, x, S::zero(), y);
    }
    fn take_values(&mut self) -> Vec<S> {
        self.take_val()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(Matrix::from_csr(&self.to_csr().map_values(S::to_single), self.format()).ok()?))
    }
    fn is_finite(&self) -> bool {
        self.to_csr().val().iter().all(|value| value.finite())
    }
}
