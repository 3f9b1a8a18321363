//! The inverse of the coarsest matrix: explicit, a product with a dense matrix that every engine has, as long as that is
//! small; otherwise the host solves with a sparse Cholesky factor, also where the rest runs on a GPU. Where constants cost nothing the
//! matrix is singular, right-hand sides are orthogonal to them, and one vertex is left out: its value is 0.

use crate::error::Result;
use crate::problem::System;
use crate::problem::floating::pin;
use galerkit_direct::{Factor, sparse_cholesky};
use galerkit_linalg::precond::BlockDiagonal;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{LinearMap, Scalar};
use std::sync::Arc;

/// How the coarsest system is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarse {
    /// By a product with the dense inverse.
    Explicit,
    /// By sparse Cholesky on the host.
    Host,
}

/// A pinned vertex counts with the inverse of so many times the largest entry, next to nothing.
const PINNED: f64 = 1e12;

/// The inverse of a system's matrix, in which nothing is pinned: explicit for at most so many rows.
pub fn inverse(system: System, explicit: usize) -> Result<(Coarse, Box<dyn LinearMap<f64>>)> {
    let A = &definite(system);
    if A.rows() <= explicit {
        return Ok((Coarse::Explicit, Box::new(BlockDiagonal::from_csr(A, A.rows().max(1))?)));
    }
    let solve = HostSolve { rows: A.rows(), bytes: A.bytes(), factor: Arc::new(sparse_cholesky(A)?) };
    Ok((Coarse::Host, Box::new(solve)))
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
