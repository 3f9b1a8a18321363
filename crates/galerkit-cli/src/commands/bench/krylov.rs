//! `bench krylov`: several methods on the same matrix, as a table and as one picture of their residuals.

use super::results::{Files, Results, Row, Yardstick};
use super::{keep, solvers};
use crate::args::MeasureKrylov;
use crate::commands::{Ending, load};
use crate::output::{Output, plot, table};
use crate::plan::KrylovPlan;
use anyhow::Result;
use galerkit::dispatch;
use galerkit::family::{directions, method_properties};
use galerkit::linalg::Scalar;
use galerkit::linalg::sparse::Csr;
use galerkit::{
    AppliedPreconditioner, Choice, Go, Krylov, Method, Preconditioning, Report, Rhs, Solver, TriangularSolve,
};
use galerkit_bench::timing::iteration::{Iteration, iteration};
use galerkit_bench::timing::median;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// One method with one preconditioner on one matrix.
#[derive(Clone, Serialize)]
pub struct Comparison {
    matrix: String,
    method: String,
    preconditioner: String,
    rows: usize,
    nnz: usize,
    outcome: &'static str,
    iterations: usize,
    products: usize,
    /// Vectors kept beside b and x.
    vectors: usize,
    /// Reductions of an iteration.
    reductions: usize,
    setup_seconds: f64,
    solve_seconds: f64,
    /// From a loop that is under way.
    seconds_per_product: f64,
    /// That relative to CG with the same preconditioner; null where CG does not suit the matrix.
    over_cg: Option<f64>,
    true_residual: f64,
    #[serde(skip)]
    history: Vec<f64>,
    #[serde(skip)]
    step: usize,
}

impl Row for Comparison {
    const HEADINGS: &[&'static str] = &[
        "matrix",
        "method",
        "preconditioner",
        "outcome",
        "iterations",
        "products",
        "vectors",
        "reductions",
        "solve s",
        "us/product",
        "over cg",
        "true residual",
    ];
    fn cells(&self, _: f64) -> Vec<String> {
        vec![
            self.matrix.clone(),
            self.method.clone(),
            self.preconditioner.clone(),
            self.outcome.replace('_', " "),
            self.iterations.to_string(),
            self.products.to_string(),
            self.vectors.to_string(),
            self.reductions.to_string(),
            format!("{:.4}", self.solve_seconds),
            format!("{:.2}", self.seconds_per_product * 1e6),
            self.over_cg.map_or("-".into(), |ratio| format!("{ratio:.2}")),
            format!("{:.2e}", self.true_residual),
        ]
    }
}

/// Compares, or writes the table of what solves what.
pub fn run(arguments: &MeasureKrylov, output: Output) -> Result<Ending> {
    let plan = KrylovPlan::new(arguments)?;
    super::say_device(&arguments.machine, &plan.bench, output);
    if let Some(path) = &arguments.table {
        output.write(path, &solvers::table(&plan, output)?)?;
        return Ok(Ending::Done);
    }
    let mut rows = Vec::new();
    for (number, name) in plan.bench.matrices.iter().enumerate() {
        let matrix = load(name, output)?.matrix.with_precision(plan.bench.precision);
        let first = rows.len();
        dispatch!(&matrix, A => compare(A, name, &plan, &mut rows, output));
        if let Some(path) = arguments.svg.as_ref().filter(|_| rows.len() > first) {
            let path = if plan.bench.matrices.len() > 1 { numbered(path, number + 1) } else { path.clone() };
            output.write(&path, &plot::draw(&picture(name, &rows[first..], &plan))?)?;
        }
    }
    let files = Files { json: arguments.json.as_ref(), csv: arguments.csv.as_ref() };
    Results::new("krylov", &plan.bench, Yardstick::default(), rows)?.publish(&files, output)
}

/// Every method with every preconditioner, and CG for comparison where it was not asked for and does not refuse.
fn compare<S: Scalar>(A: &Csr<S>, name: &str, plan: &KrylovPlan, rows: &mut Vec<Comparison>, output: Output) {
    for &preconditioner in &plan.preconditioners {
        let first = rows.len();
        for &method in &plan.methods {
            let row = measure(A, name, method, preconditioner, plan);
            keep(row, name, &format!("{method} + {preconditioner}"), rows, output);
        }
        let named = rows[first..].iter().find(|row| row.method == "cg").cloned();
        let Some(cg) = named.or_else(|| measure(A, name, Krylov::Cg, preconditioner, plan).ok()) else { continue };
        let ratio = |row: &Comparison| row.seconds_per_product / cg.seconds_per_product;
        rows[first..].iter_mut().for_each(|row| row.over_cg = Some(ratio(row)).filter(|ratio| ratio.is_finite()));
    }
}

/// The solver of a comparison. A method that is left to the program runs as it would by itself: who says something
/// about iterations there wants them.
pub(super) fn solver(method: Choice<Method>, preconditioner: Choice<Preconditioning>, plan: &KrylovPlan) -> Solver {
    let mut solver = Solver::new()
        .method(method)
        .preconditioner(preconditioner)
        .rtol(plan.rtol)
        .precision(plan.bench.precision)
        .device(plan.bench.device);
    if let Some(krylov) = method.given().and_then(Method::krylov) {
        solver = solver
            .triangular(TriangularSolve::by_name(preconditioner))
            .ordering(plan.bench.ordering)
            .max_iterations(plan.products / method_properties(krylov).products);
    }
    let (limit, begun) = (plan.time_limit, Instant::now());
    let in_time = move || limit.is_none_or(|limit| begun.elapsed() < limit);
    solver.observer(move |_| if in_time() { Go::On } else { Go::Stop })
}

fn measure<S: Scalar>(
    A: &Csr<S>,
    name: &str,
    method: Krylov,
    preconditioner: Choice<Preconditioning>,
    plan: &KrylovPlan,
) -> Result<Comparison> {
    let b: Vec<S> = Rhs::Ones.entries(A.rows())?;
    let report = solver(method.into(), preconditioner, plan).solve(A, &b)?.report;
    let properties = method_properties(method);
    let inner_products = report.inner.as_ref().map_or(0, |inner| inner.products);
    Ok(Comparison {
        matrix: name.into(),
        method: report.method.to_string(),
        preconditioner: report.preconditioner.to_string(),
        rows: report.rows,
        nnz: report.nnz,
        outcome: report.outcome.name(),
        iterations: report.iterations,
        products: report.products + inner_products,
        vectors: report.vectors,
        reductions: properties.reductions,
        setup_seconds: report.setup_seconds,
        solve_seconds: report.solve_seconds,
        seconds_per_product: time_product(A, &b, method, &report, plan)?,
        over_cg: None,
        true_residual: report.true_residual,
        step: properties.products + inner_products / report.iterations.max(1),
        history: report.history,
    })
}

/// Seconds of a product with everything that belongs to it.
fn time_product<S: Scalar>(A: &Csr<S>, b: &[S], method: Krylov, report: &Report, plan: &KrylovPlan) -> Result<f64> {
    let inner = report.inner.as_ref().map_or(0, |inner| inner.products);
    let (Some((iterations, most)), &AppliedPreconditioner::Chosen(Preconditioning::Named(preconditioner))) =
        (loops(method, report.iterations), &report.preconditioner)
    else {
        return Ok(report.solve_seconds / (report.products + inner).max(1) as f64);
    };
    let how = Iteration {
        method,
        format: Choice::Auto,
        ordering: plan.bench.ordering,
        preconditioner,
        device: plan.bench.device,
        iterations,
        most,
        repetitions: plan.bench.repetitions,
    };
    Ok(median(&iteration(A, b, &how)?) / method_properties(method).products as f64)
}

/// Iterations of the short and of the long loop of a solve that took so many, and those that the long one may have if
/// it is too short: whole cycles where there are two, and then any number of them, because each begins with the true
/// residual. Other recurrences break down beyond convergence. None if there is too little between the two.
fn loops(method: Krylov, iterations: usize) -> Option<((usize, usize), usize)> {
    const LEAST: usize = 20;
    const MOST: usize = 1000;
    let iterations = iterations.min(MOST);
    match directions(method) {
        _ if iterations < LEAST => None,
        Some(cycle) if iterations >= 2 * cycle => Some(((cycle, iterations / cycle * cycle), MOST / cycle * cycle)),
        _ => Some(((iterations / 4, iterations), iterations)),
    }
}

/// The residuals of all methods on one matrix.
fn picture<'a>(name: &str, rows: &'a [Comparison], plan: &KrylovPlan) -> plot::Residuals<'a> {
    let several = rows.iter().any(|row| row.preconditioner != rows[0].preconditioner);
    let curve = |row: &'a Comparison| plot::Curve {
        name: if several { format!("{} + {}", row.method, row.preconditioner) } else { row.method.clone() },
        history: &row.history,
        step: row.step,
        true_residual: row.true_residual,
    };
    let (size, nnz) = (table::grouped(rows[0].rows as u64), table::grouped(rows[0].nnz as u64));
    let preconditioner = if several { String::new() } else { format!(", preconditioner {}", rows[0].preconditioner) };
    plot::Residuals {
        title: name.into(),
        subtitle: format!("{size} rows, {nnz} entries{preconditioner}"),
        axis: "products with A",
        curves: rows.iter().map(curve).collect(),
        tolerance: plan.rtol,
    }
}

/// The name of a file with a number before its ending.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let ending = path.extension().map_or("svg".into(), |ending| ending.to_string_lossy());
    path.with_extension(format!("{number}.{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_whole_cycles_and_others_end_before_convergence() {
        let gmres = Krylov::Gmres { restart: 30 };
        assert_eq!(loops(gmres, 100), Some(((30, 90), 990)));
        assert_eq!(loops(gmres, 59), Some(((14, 59), 59)));
        assert_eq!(loops(Krylov::Cg, 100), Some(((25, 100), 100)));
        assert_eq!(loops(Krylov::Cg, 50_000), Some(((250, 1000), 1000)));
        assert_eq!(loops(Krylov::Cg, 19), None);
    }

    #[test]
    fn pictures_of_several_matrices_are_numbered() {
        assert_eq!(numbered(Path::new("a/k.svg"), 2), Path::new("a/k.2.svg"));
    }
}
