//! Every method for every scalar and engine, compiled here once and not again in each program and test that calls a
//! generic function of this crate: builds that share generics (all but the highly optimised ones) find them here.

use crate::error::Result;
use crate::solver::{Solution, Solver};
use crate::timing::iteration::{Iteration, iteration};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{c32, c64};

type Solve<S> = fn(&Solver, &Csr<S>, &[S]) -> Result<Solution<S>>;
type Time<S> = fn(&Csr<S>, &[S], &Iteration) -> Result<Vec<f64>>;

#[used]
static SOLVES: (Solve<f32>, Solve<f64>, Solve<c32>, Solve<c64>) =
    (Solver::solve::<f32>, Solver::solve::<f64>, Solver::solve::<c32>, Solver::solve::<c64>);

#[used]
static TIMES: (Time<f32>, Time<f64>, Time<c32>, Time<c64>) =
    (iteration::<f32>, iteration::<f64>, iteration::<c32>, iteration::<c64>);
