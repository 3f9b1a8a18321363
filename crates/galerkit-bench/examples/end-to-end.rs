//! From the arrays of a matrix on the host to x on the host, process warm: `end-to-end cuda 128 200` solves 27-point
//! Poisson problems of so many points a side a few times each and prints the wall time of each solve with what it was
//! spent on. Without arguments 8 on the CPU. `end-to-end born cuda 432` lets the device make the rows itself, and
//! prints the time from nothing until the first iteration.

#![allow(non_snake_case)] // matrices keep the capital letter of the papers

use galerkit::linalg::gallery::{Stencil, poisson3d};
use galerkit::prelude::{AnyProblem, Device, Krylov, Preconditioner, Solver};
use std::time::Instant;

/// Solves of each size; the first is not warm.
const SOLVES: usize = 6;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let is_born = arguments.next_if_eq("born").is_some();
    let device: Device = arguments.next().unwrap_or("cpu".into()).parse()?;
    let mut grids: Vec<usize> = arguments.map(|text| text.parse()).collect::<Result<_, _>>()?;
    if grids.is_empty() {
        grids.push(8);
    }
    let solver = Solver::new().method(Krylov::Cg).preconditioner(Preconditioner::Jacobi).device(device).rtol(1e-8);
    if is_born {
        return grids.into_iter().try_for_each(|n| born(&solver, n));
    }
    for n in grids {
        let A = poisson3d(n, Stencil::Points27)?;
        let b = vec![1.0; A.rows()];
        for _ in 0..SOLVES {
            let begun = Instant::now();
            let report = solver.solve(&A, &b)?.report;
            let wall = begun.elapsed().as_secs_f64();
            println!(
                "{n}^3: {wall:.4} s, {} iterations; set-up {:.4}, transfer {:.4}, solve {:.4}; {}",
                report.iterations,
                report.setup_seconds,
                report.transfer_seconds,
                report.solve_seconds,
                report.setup_stages
            );
        }
    }
    Ok(())
}

/// The same from nothing but the name of the problem; ready is when the first iteration can begin.
fn born(solver: &Solver, n: usize) -> Result<(), Box<dyn std::error::Error>> {
    let b = vec![1.0; n * n * n];
    for _ in 0..SOLVES {
        let begun = Instant::now();
        let Some(AnyProblem::F64(A)) = galerkit::problem(&format!("gallery:poisson3d?n={n}&stencil=27"))? else {
            return Err("27 points are a stencil".into());
        };
        let mut system = solver.prepare_problem(A)?;
        let report = system.solve(&b)?.report;
        let wall = begun.elapsed().as_secs_f64();
        println!(
            "{n}^3, {} entries: {wall:.4} s, ready after {:.4} s, {} iterations in {:.4} s, rows on the host: {}; {}",
            report.nnz,
            report.setup_seconds + report.transfer_seconds,
            report.iterations,
            report.solve_seconds,
            if system.is_on_host() { "yes" } else { "never" },
            report.setup_stages
        );
    }
    Ok(())
}
