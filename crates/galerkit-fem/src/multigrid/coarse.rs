//! What solves with the coarsest matrix of the spaces: its explicit inverse, a product with a dense matrix, as long as
//! that is small; above that algebraic multigrid, whose levels go on below those of the spaces, in the same cycle and
//! so in the same program. Where constants cost nothing the matrix is singular, and right-hand sides are orthogonal to
//! them: the explicit inverse leaves one vertex out, whose value is 0, algebraic multigrid skips the last pivot.

use crate::error::Result;
use crate::problem::System;
use crate::problem::floating::pin;
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::multigrid::{Bottom, Hierarchy, Level};
use galerkit_linalg::precond::BlockDiagonal;
use galerkit_linalg::sparse::{Csr, Format, Matrix};

/// How the coarsest system is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarse {
    /// By a product with the dense inverse.
    Explicit,
    /// By further levels, of algebraic multigrid.
    Algebraic,
}

/// How, and by what: further levels, and what is below them.
pub struct Solved {
    /// How.
    pub how: Coarse,
    /// Levels below those of the spaces.
    pub levels: Vec<Level<f64>>,
    /// Below all levels.
    pub bottom: Bottom<f64>,
}

/// Most rows of an inverse of algebraic multigrid, however many are asked for.
const MOST_INVERTED: usize = 4000;

/// A pinned vertex counts with the inverse of so many times the largest entry, next to nothing.
const PINNED: f64 = 1e12;

/// What solves with a system's matrix, in which nothing is pinned: explicit for at most so many rows.
pub fn solved(system: System, explicit: usize) -> Result<Solved> {
    if system.A.rows() > explicit {
        return algebraic(system.A, explicit);
    }
    let A = &definite(system);
    let inverse = Box::new(BlockDiagonal::from_csr(A, A.rows().max(1))?);
    Ok(Solved { how: Coarse::Explicit, levels: Vec::new(), bottom: Bottom::Inverse(inverse) })
}

/// Levels of algebraic multigrid, down to so many rows.
fn algebraic(A: Csr<f64>, enough: usize) -> Result<Solved> {
    let amg = Amg { coarse: enough.clamp(1, MOST_INVERTED), ..Amg::default() };
    let built = Built::new(&A, true, &amg, &[])?;
    let Hierarchy { mut levels, mut bottom, .. } = built.hierarchy(&|_| Format::Csr);
    let A = Some(matrix_map(Matrix::Csr(A)));
    match (levels.first_mut(), &mut bottom) {
        (Some(level), _) => level.A = A,
        (None, Bottom::Smoother { A: own, .. }) => *own = A,
        (None, Bottom::Inverse(_)) => (),
    }
    Ok(Solved { how: Coarse::Algebraic, levels, bottom })
}

/// A, or where that is singular what is left without a vertex of each floating component.
fn definite(mut system: System) -> Csr<f64> {
    let largest = system.A.val().iter().fold(0.0f64, |most, a| most.max(a.abs()));
    pin(&mut system.A, &mut system.b, &system.floating);
    for i in system.floating.iter().map(|floating| floating.ones[0]) {
        let at = system.A.range(i as usize).find(|&k| system.A.col()[k] == i).expect("its diagonal was pinned");
        system.A.val_mut()[at] = PINNED * largest;
    }
    system.A
}
