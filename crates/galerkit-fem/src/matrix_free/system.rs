//! The system of a problem with its matrix-free operator. Where u is determined up to a constant, the operator is
//! singular and nothing is pinned: b is made orthogonal to the constants, up to which CG then finds a solution.

use super::operator::MatrixFree;
use crate::error::Result;
use crate::problem::floating::{BALANCED, balanced_for, candidates, orthogonalise};
use crate::problem::{Interior, Problem, System};
use galerkit_linalg::map::LinearMap;

impl Problem {
    /// The system without a matrix: its unknowns and its right-hand side are those of
    /// [`assemble`](Problem::assemble) with interior functions kept.
    ///
    /// # Errors
    /// If data are not finite or positive where they must be, on unknown tags, or not balanced.
    pub fn matrix_free(&self) -> Result<System<MatrixFree<f64>>> {
        self.check_tags(self.space().forest().coarse().boundary_tags())?;
        let A = MatrixFree::new(self)?;
        let mut b = A.right_hand_side(self)?;
        let floating = balanced_for(candidates(self.space()), &|ones| costs_nothing(&A, ones), &b)?;
        orthogonalise(&mut b, &floating);
        Ok(System { A, b, interior: Interior::Kept, lift: self.lift()?, floating, is_pinned: false })
    }
}

/// Whether A times the constant function vanishes, relative to the diagonal.
fn costs_nothing(A: &MatrixFree<f64>, ones: &[u32]) -> bool {
    let (mut one, mut cost) = (vec![0.0; A.unknowns()], vec![0.0; A.unknowns()]);
    ones.iter().for_each(|&i| one[i as usize] = 1.0);
    A.apply_on_threads(&[], &one, &mut cost);
    let diagonal = A.diagonal();
    ones.iter().all(|&i| cost[i as usize].abs() <= BALANCED * diagonal[i as usize])
}
