//! The right-hand side without a matrix: cells with Dirichlet data form theirs for a moment, others only integrate the load.

use super::sums::SIGN;
use super::{MatrixFree, threads};
use crate::error::{Error, Result};
use crate::problem::Problem;
use rayon::prelude::*;

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
        let (mut rest, mut pieces) = (&mut local[..], Vec::with_capacity(space.cells()));
        for e in 0..space.cells() {
            let piece;
            (piece, rest) = rest.split_at_mut(space.functions(e).len());
            pieces.push(piece);
        }
        pieces.into_par_iter().enumerate().try_for_each(|(e, piece)| {
            piece.copy_from_slice(&load(e)?);
            Ok::<_, Error>(())
        })?;
        let mut b = vec![0.0; cells.unknowns];
        for (&bits, value) in cells.index.iter().zip(&local) {
            if (cells.interface..cells.unknowns).contains(&((bits & !SIGN) as usize)) {
                b[(bits & !SIGN) as usize] = if bits & SIGN == 0 { *value } else { -value };
            }
        }
        threads::sum(cells, &self.numbers, &local, &mut b[..cells.interface]);
        Ok(b)
    }
}
