//! What solves with the coarsest matrix: its explicit inverse, a product with a dense matrix that every engine has, as long as that is
//! small; then the host with a sparse Cholesky factor, also where the rest runs on a GPU; and where that is too large algebraic multigrid,
//! whose levels go on below those of the spaces. Where constants cost nothing the
//! matrix is singular, right-hand sides are orthogonal to them, and one vertex is left out: its value is 0.

use crate::error::Result;
use crate::problem::System;
use crate::problem::floating::pin;
use galerkit_direct::{Factor, sparse_cholesky};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::multigrid::{Bottom, Hierarchy, Level};
use galerkit_linalg::precond::BlockDiagonal;
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_linalg::{LinearMap, Scalar};
use std::sync::Arc;

/// How the coarsest system is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarse {
    /// By a product with the dense inverse.
    Explicit,
    /// By sparse Cholesky on the host.
    Host,
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

/// Rows from which on factors of the host take longer than cycles.
const MOST_FACTORISED: usize = 20_000;

/// A pinned vertex counts with the inverse of so many times the largest entry, next to nothing.
const PINNED: f64 = 1e12;

/// What solves with a system's matrix, in which nothing is pinned: explicit for at most so many rows.
pub fn solved(system: System, explicit: usize) -> Result<Solved> {
    if system.A.rows() > explicit.max(MOST_FACTORISED) {
        return algebraic(system.A);
    }
    let A = &definite(system);
    let alone = |how, map| Solved { how, levels: Vec::new(), bottom: Bottom::Inverse(map) };
    if A.rows() <= explicit {
        return Ok(alone(Coarse::Explicit, Box::new(BlockDiagonal::from_csr(A, A.rows().max(1))?)));
    }
    let solve = HostSolve { rows: A.rows(), bytes: A.bytes(), factor: Arc::new(sparse_cholesky(A)?) };
    Ok(alone(Coarse::Host, Box::new(solve)))
}

/// Levels of algebraic multigrid; a kernel of constants is skipped at the last pivot.
fn algebraic(A: Csr<f64>) -> Result<Solved> {
    let built = Built::new(&A, true, &Amg::default(), &[])?;
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

/// A^-1 by a Cholesky factor of the host, in double precision for vectors of any.
#[derive(Clone, Debug)]
struct HostSolve {
    rows: usize,
    bytes: usize,
    factor: Arc<Factor<f64>>,
}

impl<S: Scalar> LinearMap<S> for HostSolve {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn name(&self) -> &'static str {
        "the coarse solve of the host"
    }
    /// Of A; fill is not known here.
    fn bytes(&self) -> usize {
        self.bytes
    }
    fn apply(&self, _: &[S], x: &[S], y: &mut [S]) {
        let b: Vec<f64> = x.iter().map(|value| value.parts().0).collect();
        let solution = self.factor.solve(&b).expect("as many entries as rows");
        y.iter_mut().zip(solution).for_each(|(y, value)| *y = S::from_f64(value));
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(self.clone()))
    }
}
