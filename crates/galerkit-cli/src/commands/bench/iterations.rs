//! `bench cg --device cuda`: what an iteration takes by itself, the bytes that it must move, and CuPy's next to it.

use super::cupy;
use super::results::{Results, Row, Yardstick};
use super::rows::{gigabytes, share};
use super::{files, keep, require_sane_padding};
use crate::args::MeasureCg;
use crate::commands::{Ending, load};
use crate::output::Output;
use crate::plan::BenchPlan;
use anyhow::Result;
use galerkit::cuda::error::Amount;
use galerkit::linalg::Scalar;
use galerkit::linalg::precond::Preconditioner;
use galerkit::linalg::sparse::{Csr, Format};
use galerkit::{Choice, Krylov, Rhs, Solver, dispatch};
use galerkit_bench::timing::gpu::Arena;
use galerkit_bench::timing::iteration::{Iteration, iteration};
use galerkit_bench::timing::median;
use serde::Serialize;

/// A solve on a GPU.
#[derive(Serialize)]
pub struct GpuCg {
    matrix: String,
    /// The format, or `cupy` and its version.
    format: String,
    preconditioner: String,
    rows: usize,
    nnz: usize,
    outcome: String,
    iterations: usize,
    true_residual: f64,
    /// From a loop that is under way, without set-up; of CuPy everything.
    seconds_per_iteration: f64,
    /// The whole loop of a first solve: compiling or loading kernels included.
    solve_seconds: Option<f64>,
    /// Bytes that an iteration must move.
    iteration_bytes: Option<u64>,
    /// How many times faster than CuPy.
    over_cupy: Option<f64>,
    /// What an iteration consists of.
    explanation: Option<String>,
}

impl Row for GpuCg {
    const HEADINGS: &[&'static str] = &[
        "matrix",
        "format",
        "preconditioner",
        "outcome",
        "iterations",
        "true residual",
        "us/iteration",
        "MB/iteration",
        "GB/s",
        "of limit",
        "over cupy",
    ];
    fn cells(&self, read: f64) -> Vec<String> {
        let bytes = |words: &dyn Fn(u64) -> String| self.iteration_bytes.map_or("-".into(), words);
        let seconds = self.seconds_per_iteration;
        vec![
            self.matrix.clone(),
            self.format.clone(),
            self.preconditioner.clone(),
            self.outcome.clone(),
            self.iterations.to_string(),
            format!("{:.2e}", self.true_residual),
            format!("{:.2}", seconds * 1e6),
            bytes(&|bytes| format!("{:.2}", bytes as f64 / 1e6)),
            bytes(&|bytes| gigabytes(bytes, seconds)),
            bytes(&|bytes| share(bytes, seconds, read)),
            self.over_cupy.map_or("-".into(), |ratio| format!("{ratio:.2}")),
        ]
    }
}

/// Measures and shows.
pub fn run(arguments: &MeasureCg, plan: &BenchPlan, solver: &Solver, number: usize, output: Output) -> Result<Ending> {
    let arena = Arena::open(number)?;
    let preconditioner: Preconditioner = arguments.precond.parse()?;
    let formats: Vec<Choice<Format>> = match arguments.measure.formats.is_empty() && !arguments.measure.all_formats {
        true => vec![Choice::Auto],
        false => plan.formats.iter().map(|&format| Choice::Given(format)).collect(),
    };
    let mut rows = Vec::new();
    for name in &plan.matrices {
        let matrix = load(name, output)?.matrix.with_precision(plan.precision);
        let first = rows.len();
        for &format in &formats {
            let solver = solver.clone().format(format);
            let row = dispatch!(&matrix, A => measure(A, name, format, &preconditioner, &solver, plan));
            keep(row, name, &format.to_string(), &mut rows, output);
        }
        compare_with_cupy(name, arguments, &mut rows, first, output);
    }
    let gpu = arena.gpu().properties();
    let yardstick = Yardstick {
        read_bandwidth: Some(arena.bandwidth.read),
        copy_bandwidth: Some(arena.bandwidth.copy),
        gpu: Some(format!("{}, {}", gpu.name, Amount(gpu.memory))),
        ..Yardstick::default()
    };
    Results::new("cg", plan, yardstick, rows)?.publish(&files(&arguments.measure), output)
}

fn measure<S: Scalar>(
    A: &Csr<S>,
    name: &str,
    format: Choice<Format>,
    preconditioner: &Preconditioner,
    solver: &Solver,
    plan: &BenchPlan,
) -> Result<GpuCg> {
    if let Choice::Given(format) = format {
        require_sane_padding(A, format)?;
    }
    let b: Vec<S> = Rhs::Ones.entries(A.rows())?;
    let report = solver.solve(A, &b)?.report;
    let how = Iteration {
        method: Krylov::Cg,
        format,
        ordering: plan.ordering,
        preconditioner: *preconditioner,
        device: plan.device,
        iterations: loops(report.iterations),
        most: 0,
        repetitions: plan.repetitions,
    };
    let seconds = iteration(A, &b, &how)?;
    Ok(GpuCg {
        matrix: name.into(),
        format: report.format.to_string(),
        preconditioner: report.preconditioner.to_string(),
        rows: report.rows,
        nnz: report.nnz,
        outcome: report.outcome.name().into(),
        iterations: report.iterations,
        true_residual: report.true_residual,
        seconds_per_iteration: median(&seconds),
        solve_seconds: Some(report.solve_seconds),
        iteration_bytes: report.iteration_bytes,
        over_cupy: None,
        explanation: report.explanation,
    })
}

/// Iterations of the short and of the long loop for a system that converges after so many: at least 100 apart, but not
/// so far beyond convergence that nothing is left to iterate on.
fn loops(iterations: usize) -> (usize, usize) {
    (20, 20 + iterations.clamp(100, 2000))
}

/// Adds what CuPy does with the same grid, and relates the rows of the matrix to it.
fn compare_with_cupy(name: &str, arguments: &MeasureCg, rows: &mut Vec<GpuCg>, first: usize, output: Output) {
    let Some(grid) = cupy::grid(name) else { return };
    match cupy::solve(grid, arguments.rtol, arguments.max_iterations) {
        Ok(peer) => {
            rows[first..].iter_mut().for_each(|row| row.over_cupy = Some(peer.seconds / row.seconds_per_iteration));
            let (size, nnz) = (grid.pow(3), (3 * grid).saturating_sub(2).pow(3));
            rows.push(GpuCg {
                matrix: name.into(),
                format: format!("cupy {}", peer.version),
                preconditioner: "none".into(),
                rows: size,
                nnz,
                outcome: if peer.true_residual <= 2.0 * arguments.rtol { "converged" } else { "not converged" }.into(),
                iterations: peer.iterations,
                true_residual: peer.true_residual,
                seconds_per_iteration: peer.seconds,
                solve_seconds: Some(peer.seconds * peer.iterations as f64),
                iteration_bytes: None,
                over_cupy: None,
                explanation: None,
            });
        }
        Err(why) => output.note(&format!("skipped: CuPy's conjugate gradients: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loops_are_far_enough_apart() {
        assert_eq!(loops(3), (20, 120));
        assert_eq!(loops(500), (20, 520));
        assert_eq!(loops(100_000), (20, 2020));
    }

    #[test]
    fn a_row_says_how_near_the_limit_it_is() {
        let row = GpuCg {
            matrix: "m".into(),
            format: "csr".into(),
            preconditioner: "jacobi".into(),
            rows: 1,
            nnz: 1,
            outcome: "converged".into(),
            iterations: 10,
            true_residual: 1e-9,
            seconds_per_iteration: 2e-6,
            solve_seconds: None,
            iteration_bytes: Some(4_000_000),
            over_cupy: Some(3.0),
            explanation: None,
        };
        let cells = row.cells(4e12);
        assert_eq!(cells[6..], ["2.00", "4.00", "2000.00", "0.50", "3.00"]);
        assert_eq!(cells.len(), GpuCg::HEADINGS.len());
    }
}
