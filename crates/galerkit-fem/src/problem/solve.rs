//! Solution of a problem by a direct method.

use super::data::Problem;
use super::solution::Solution;
use super::system::Interior;
use crate::error::Result;
use galerkit_direct::sparse_cholesky;

impl Problem {
    /// Assembles, factorises and solves.
    pub fn solve(&self) -> Result<Solution> {
        self.solve_with(Interior::Kept)
    }
    /// Assembles, factorises and solves, with interior functions as told.
    pub fn solve_with(&self, interior: Interior) -> Result<Solution> {
        let system = self.assemble(interior)?;
        let x = sparse_cholesky(&system.A)?.solve(&system.b)?;
        self.solution(&system, &x)
    }
}
