//! How many iterations Jacobi sweeps and colours take where exact triangular solves in natural order take so many, and
//! what the errors of the sweeps would have told: the survey behind `--triangular auto`. One line for each matrix:
//! `cargo run --release -p galerkit-bench --example survey-of-sweeps -- A.mtx.gz ...` (without one: two grids).
#![allow(non_snake_case)]

use galerkit::Result;
use galerkit::linalg::precond::{Recipe, sweep_errors};
use galerkit::linalg::sparse::symmetry;
use galerkit::prelude::*;

const COUNTS: [usize; 4] = [1, 2, 3, 5];
const GRIDS: [&str; 2] = ["gallery:poisson2d?n=50", "gallery:convection_diffusion2d?n=40"];

fn main() -> Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let names = if given.is_empty() { GRIDS.map(String::from).to_vec() } else { given };
    println!(
        "| matrix | method | exact | colours | sweeps 1 | 2 | 3 | 5 | errors |\n|---|---|---|---|---|---|---|---|---|"
    );
    for name in names {
        match galerkit::load(&name)?.matrix {
            AnyMatrix::C64(A) => line(&name, &A),
            other => line(&name, &other.into_real()?),
        }
    }
    Ok(())
}

fn line<S: Scalar>(name: &str, A: &Csr<S>) {
    let positive = A.diagonal().iter().all(|d| d.parts().0 > 0.0);
    let method = if positive && symmetry(A).is_self_adjoint::<S>() { Krylov::Cg } else { Krylov::Bicgstab };
    let Ok(factors) = (Recipe::Ilu { fill: 0 }).factorise(A) else { return };
    let errors = sweep_errors(&factors, A, &COUNTS).iter().map(|error| format!("{error:.2}")).collect::<Vec<_>>();
    let mut cells = vec![count(A, method, Ordering::Natural, TriangularSolve::Exact)];
    cells.push(count(A, method, Ordering::Colours, TriangularSolve::Exact));
    cells.extend(COUNTS.map(|sweeps| count(A, method, Ordering::Natural, TriangularSolve::Sweeps(sweeps))));
    let short = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".mtx.gz");
    println!("| {short} | {method} | {} | {} |", cells.join(" | "), errors.join(" "));
}

/// Iterations with ilu0 to 1e-8 within 2000, or how it ended.
fn count<S: Scalar>(A: &Csr<S>, method: Krylov, ordering: Ordering, triangular: TriangularSolve) -> String {
    let solver = Solver::new().method(method).preconditioner(Preconditioner::Ilu { fill: 0 });
    let solver = solver.ordering(ordering).triangular(triangular).max_iterations(2000);
    match solver.solve(A, &vec![S::one(); A.rows()]) {
        Ok(solution) if solution.report.converged => solution.report.iterations.to_string(),
        Ok(solution) => solution.report.outcome.name().replace('_', " "),
        Err(_) => "-".into(),
    }
}
