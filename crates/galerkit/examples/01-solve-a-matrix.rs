//! Lesson 1: read or build a matrix, solve, and look at how far the answer can be trusted.
//!
//! `cargo run --release --example 01-solve-a-matrix -- A.mtx.gz` takes a file of yours.
#![allow(non_snake_case)]

use galerkit::prelude::*;

fn main() -> galerkit::Result<()> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "gallery:poisson3d?n=24&stencil=27".into());
    let A = galerkit::load(&name)?.into_real()?;
    let b = vec![1.0; A.rows()];

    let solution = Solver::new().rtol(1e-10).solve(&A, &b)?;

    println!("{}", solution.report); // outcome, true residual, backward error, time
    println!("x[0] = {:.6}", solution.x[0]);
    let report = solution.report.converged_or_err()?; // for those who want `?`
    println!("{} iterations", report.iterations);
    Ok(())
}
