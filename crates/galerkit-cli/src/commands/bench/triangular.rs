//! `bench triangular`: which factorisation, which triangular solves and which ordering win, in time to the solution.

use super::keep;
use super::results::{Files, Results, Row, Yardstick};
use crate::args::MeasureTriangular;
use crate::commands::{Ending, load};
use crate::output::Output;
use crate::plan::TriangularPlan;
use anyhow::Result;
use galerkit::linalg::Scalar;
use galerkit::linalg::precond::Preconditioner;
use galerkit::linalg::sparse::{Csr, symmetry};
use galerkit::{Choice, Krylov, Ordering, Rhs, dispatch};
use galerkit_bench::timing::triangular::{Timed, Triangular, triangular};
use serde::Serialize;

/// One preconditioner in one ordering of one matrix.
#[derive(Serialize)]
struct Line {
    matrix: String,
    ordering: String,
    preconditioner: String,
    method: String,
    rows: usize,
    nnz: usize,
    /// Levels of the lower triangle.
    levels: usize,
    host_factor_seconds: Option<f64>,
    gpu_factor_seconds: Option<f64>,
    application_seconds: Option<f64>,
    outcome: &'static str,
    iterations: usize,
    solve_seconds: f64,
    /// Factors where they are made, and the solve.
    solution_seconds: f64,
}

impl Row for Line {
    const HEADINGS: &[&'static str] = &[
        "matrix",
        "ordering",
        "preconditioner",
        "method",
        "levels",
        "host factor ms",
        "gpu factor ms",
        "apply us",
        "outcome",
        "iterations",
        "solve ms",
        "to solution ms",
    ];
    fn cells(&self, _: f64) -> Vec<String> {
        let scaled = |seconds: Option<f64>, by: f64| seconds.map_or("-".into(), |s| format!("{:.3}", by * s));
        vec![
            self.matrix.clone(),
            self.ordering.clone(),
            self.preconditioner.clone(),
            self.method.clone(),
            self.levels.to_string(),
            scaled(self.host_factor_seconds, 1e3),
            scaled(self.gpu_factor_seconds, 1e3),
            scaled(self.application_seconds, 1e6),
            self.outcome.replace('_', " "),
            self.iterations.to_string(),
            scaled(Some(self.solve_seconds), 1e3),
            scaled(Some(self.solution_seconds), 1e3),
        ]
    }
}

/// Every preconditioner in every ordering.
pub fn run(arguments: &MeasureTriangular, output: Output) -> Result<Ending> {
    let plan = TriangularPlan::new(arguments)?;
    super::say_device(&arguments.machine, &plan.bench, output);
    let mut lines = Vec::new();
    for name in &plan.bench.matrices {
        let matrix = load(name, output)?.matrix.with_precision(plan.bench.precision);
        for &ordering in &plan.orderings {
            for &preconditioner in &plan.preconditioners {
                let line = dispatch!(&matrix, A => measure(A, name, ordering, preconditioner, &plan));
                keep(line, name, &format!("{preconditioner} in the order {ordering}"), &mut lines, output);
            }
        }
    }
    let files = Files { json: arguments.json.as_ref(), csv: arguments.csv.as_ref() };
    Results::new("triangular", &plan.bench, Yardstick::default(), lines)?.publish(&files, output)
}

fn measure<S: Scalar>(
    A: &Csr<S>,
    name: &str,
    ordering: Choice<Ordering>,
    preconditioner: Preconditioner,
    plan: &TriangularPlan,
) -> Result<Line> {
    let b: Vec<S> = Rhs::Ones.entries(A.rows())?;
    let how = Triangular {
        method: plan.method.unwrap_or_else(|| suitable(A)),
        preconditioner,
        ordering,
        device: plan.bench.device,
        rtol: plan.rtol,
        max_iterations: plan.max_iterations,
        repetitions: plan.bench.repetitions,
    };
    let timed = triangular(A, &b, how)?;
    let solution_seconds = timed.to_solution();
    let Timed { ordering, levels, host_seconds, gpu_seconds, application_seconds, report } = timed;
    Ok(Line {
        matrix: name.into(),
        ordering: ordering.to_string(),
        preconditioner: preconditioner.to_string(),
        method: how.method.to_string(),
        rows: A.rows(),
        nnz: A.nnz(),
        levels,
        host_factor_seconds: host_seconds,
        gpu_factor_seconds: gpu_seconds,
        application_seconds,
        outcome: report.outcome.name(),
        iterations: report.iterations,
        solve_seconds: report.solve_seconds,
        solution_seconds,
    })
}

/// CG where the matrix may be positive definite, otherwise BiCGSTAB.
fn suitable<S: Scalar>(A: &Csr<S>) -> Krylov {
    let positive = A.diagonal().iter().all(|d| d.parts().0 > 0.0);
    if positive && symmetry(A).is_self_adjoint::<S>() { Krylov::Cg } else { Krylov::Bicgstab }
}
