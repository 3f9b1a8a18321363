//! The right-hand side without a matrix: cells with Dirichlet data form theirs for a moment, others only integrate the
//! load.

use super::operator::MatrixFree;
use super::threads;
use crate::error::{Error, Result};
use crate::problem::Problem;
use galerkit_linalg::parallel;

impl MatrixFree<f64> {
    /// b of A x = b, the same as that of the assembled system.
    pub fn right_hand_side(&self, problem: &Problem) -> Result<Vec<f64>> {
        let (cells, space) = (&*self.cells, problem.space());
        if space.unknowns() != cells.unknowns || space.cells() + 1 != cells.first.len() {
            return Err(Error::OtherSpace);
        }
        let known = space.complete(problem.lift()?);
        let load = |e: usize| {
            let is_given = space.functions(e).iter().any(|function| function.of(&known) != 0.0);
            if is_given { Ok(problem.cell_system(e, &known)?.1) } else { problem.cell_load(e) }
        };
        let mut local = vec![0.0; cells.places()];
        parallel::try_each_piece(cells.split(&mut local), &|e, piece| {
            piece.copy_from_slice(&load(e)?);
            Ok::<_, Error>(())
        })?;
        Ok(threads::summed(cells, &self.numbers, &local))
    }
}
