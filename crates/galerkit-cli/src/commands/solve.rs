//! `galerkit solve`: load, solve, say how it went, write what was asked for.

use super::Ending;
use crate::args::{Color, Solve};
use crate::interrupt;
use crate::output::progress::Progress;
use crate::output::style::Style;
use crate::output::{Output, csv, json, plot, table};
use crate::plan::{Files, SolvePlan};
use anyhow::{Context, Result, bail};
use galerkit::linalg::Scalar;
use galerkit::linalg::gallery::GridMatrix;
use galerkit::linalg::io::matrix_market::write_vector;
use galerkit::linalg::krylov::Outcome;
use galerkit::linalg::sparse::{Csr, Pattern};
use galerkit::{AnyProblem, Choice, Device, Go, Report, Solution, Solver, dispatch};
use galerkit_bench::bandwidth;
use serde::Serialize;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

/// Systems below so many bytes live in caches: comparing them with memory says nothing.
const LEAST_BYTES_FOR_BANDWIDTH: usize = 32 << 20;

/// The report as written: what was solved, then how it went.
#[derive(Serialize)]
struct Document<'a> {
    galerkit: &'static str,
    matrix: &'a str,
    #[serde(flatten)]
    report: &'a Report,
}

/// Solves.
pub fn run(arguments: Solve, output: Output) -> Result<Ending> {
    let plan = SolvePlan::new(arguments)?;
    check_writable(plan.files.folder.as_deref(), plan.files.paths())?;
    if let Some(problem) = born(&plan)? {
        let name = plan.matrix.clone();
        return match &problem {
            AnyProblem::F32(A) => solve(Given::Problem(A), &name, plan, output),
            AnyProblem::F64(A) => solve(Given::Problem(A), &name, plan, output),
            AnyProblem::C32(A) => solve(Given::Problem(A), &name, plan, output),
            AnyProblem::C64(A) => solve(Given::Problem(A), &name, plan, output),
        };
    }
    let loaded = super::said(plan.solver.load(&plan.matrix)?, output);
    if loaded.matrix.rows() == 0 && loaded.matrix.cols() == 0 {
        bail!("{} is a 0 x 0 matrix: there is nothing to solve; check the size line of the file", loaded.name);
    }
    let matrix = loaded.matrix.with_precision(plan.place.precision);
    dispatch!(&matrix, A => solve(Given::Rows(A), &loaded.name, plan, output))
}

/// A problem of the gallery whose rows are made by the GPU that solves.
fn born(plan: &SolvePlan) -> Result<Option<AnyProblem>> {
    let problem = galerkit::problem(&plan.matrix)?.filter(|problem| plan.solver.sets_up_on_gpu(problem.nnz()));
    Ok(problem.map(|problem| problem.with_precision(plan.place.precision)))
}

/// What is to be solved with.
#[derive(Clone, Copy)]
enum Given<'a, S> {
    Rows(&'a Csr<S>),
    Problem(&'a GridMatrix<S>),
}

impl<S: Scalar> Given<'_, S> {
    fn rows(self) -> usize {
        match self {
            Given::Rows(A) => A.rows(),
            Given::Problem(A) => A.rows(),
        }
    }
    fn bytes(self) -> usize {
        match self {
            Given::Rows(A) => A.bytes(),
            Given::Problem(A) => A.bytes(),
        }
    }
    fn solve(self, solver: &Solver, b: &[S]) -> galerkit::Result<Solution<S>> {
        match self {
            Given::Rows(A) => solver.solve(A, b),
            Given::Problem(A) => solver.solve_problem(A, b),
        }
    }
}

fn solve<S: Scalar>(A: Given<'_, S>, name: &str, plan: SolvePlan, output: Output) -> Result<Ending> {
    let b: Vec<S> = plan.rhs.entries(A.rows())?;
    let mut solution = iterate(A, &b, &plan, output)?;
    let on_cpu = !matches!(solution.report.device, Device::Cuda(_));
    let large = solution.report.bytes_moved.is_some() && A.bytes() >= LEAST_BYTES_FOR_BANDWIDTH;
    if plan.measure_bandwidth && on_cpu && large {
        solution.report.relate_to_triad(bandwidth::triad());
    }
    if !plan.quiet && plan.place.device != Choice::Given(solution.report.device) {
        output.note(&format!("device {}: {}", solution.report.device, solution.report.device_reason));
    }
    if !plan.quiet && solution.report.tried.len() > 1 {
        let report = &solution.report;
        output.note(&format!("method {}: {}", report.method, report.method_reason));
        if report.tried[0].is_hybrid {
            output.note(&format!("precision {}: {}", report.precision, report.precision_reason));
        }
        if report.tried.iter().any(|attempt| attempt.triangular.is_some()) {
            output.note(&format!("triangular solves {}: {}", triangular(report), report.triangular_reason));
        }
    }
    if let Some(warning) = galerkit::cuda::jit::cache_warning().filter(|_| !plan.quiet) {
        output.note(&format!("note: {warning}; set GALERKIT_CACHE to a folder that can be written"));
    }
    write(name, &solution, &plan.files, output)?;
    say(name, &solution.report, &plan, output)?;
    Ok(match solution.report.outcome {
        Outcome::Converged => Ending::Done,
        Outcome::Interrupted => Ending::Interrupted,
        _ => Ending::NotConverged,
    })
}

/// Runs the solver under a progress bar that Ctrl-C can stop.
fn iterate<S: Scalar>(A: Given<'_, S>, b: &[S], plan: &SolvePlan, output: Output) -> Result<Solution<S>> {
    let start = b.iter().map(|value| value.modulus_squared().parts().0).sum::<f64>().sqrt();
    let target = plan.solver.rtol_for::<S>() * start;
    let progress = Arc::new(Progress::new(start, target, output.watched && !plan.quiet));
    let watching = progress.clone();
    let solver = plan.solver.clone().observer(move |progress| {
        watching.update(progress.iteration, progress.residual_norm);
        if interrupt::goes_on() { Go::On } else { Go::Stop }
    });
    let solution = A.solve(&solver, b);
    interrupt::iteration_is_over();
    progress.finish();
    Ok(solution?)
}

/// Finds out before the work is done that its results could not be written.
pub(super) fn check_writable<'a>(folder: Option<&Path>, paths: impl Iterator<Item = &'a Path>) -> Result<()> {
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    for path in paths {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.is_dir() {
            bail!("cannot write {}: it is a folder; name a file inside it", path.display());
        }
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!("cannot write {}: the folder {} does not exist; make it first", path.display(), folder.display());
        }
    }
    Ok(())
}

/// Writes every file that was asked for, each whole.
fn write<S: Scalar>(name: &str, solution: &Solution<S>, files: &Files, output: Output) -> Result<()> {
    let report = &solution.report;
    if let Some(path) = &files.solution {
        write_vector(path, &solution.x, &["x, written by galerkit solve"])
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    for path in &files.history {
        output.write(path, &csv::history(&report.history))?;
    }
    for path in &files.plot {
        output.write(path, &plot::draw(&picture(name, report))?)?;
    }
    for path in &files.json {
        let document = Document { galerkit: env!("CARGO_PKG_VERSION"), matrix: name, report };
        output.write(path, &json::text(&document)?)?;
    }
    Ok(())
}

/// The residual plot with its titles.
fn picture<'a>(name: &str, report: &'a Report) -> plot::Residuals<'a> {
    let subtitle = format!(
        "{} rows, {} entries, {} | {} after {} iterations, {:.2} s",
        table::grouped(report.rows as u64),
        table::grouped(report.nnz as u64),
        report.precision,
        report.outcome.name().replace('_', " "),
        report.iterations,
        report.solve_seconds
    );
    let (history, true_residual) = (&report.history[..], report.true_residual);
    plot::Residuals {
        title: format!("{name}, {}", report.method_name()),
        subtitle,
        axis: "iteration",
        curves: vec![plot::Curve { name: report.method_name(), history, step: 1, true_residual }],
        tolerance: report.tolerance(),
    }
}

/// The summary: a table for people, one line for pipes, nothing if the report itself was printed.
fn say(name: &str, report: &Report, plan: &SolvePlan, output: Output) -> Result<()> {
    let explanation = plan.explain.then(|| explanation(report));
    let notes = report.multigrid.iter().flat_map(|multigrid| &multigrid.notes).filter(|_| !plan.quiet);
    if plan.files.owns_stdout() {
        explanation.iter().for_each(|text| output.note(text));
        return Ok(()); // the report has the notes
    }
    let outcome = report.outcome.name().replace('_', " ");
    if output.terminal && !plan.quiet {
        let mut lines = report.summary();
        lines[0].1 = if report.converged { output.style.good(&outcome) } else { output.style.bad(&outcome) };
        lines.insert(1, ("problem", name.into()));
        if let Some(folder) = &plan.files.folder {
            lines.push(("results", folder.display().to_string()));
        }
        output.print(&table::pairs(&lines, output.style))?;
        return explanation.map_or(Ok(()), |text| output.print(&format!("\n{text}")));
    }
    let inner = report.inner.as_ref().map_or(String::new(), |inner| format!(" ({} inner)", inner.iterations));
    let line = format!(
        "{outcome}: {} iterations{inner}, true residual {:.3e}, {:.3} s",
        report.iterations, report.true_residual, report.solve_seconds
    );
    output.print(&line)?;
    if let Some(folder) = &plan.files.folder {
        output.print(&format!("results: {}", folder.display()))?;
    }
    if let Some(text) = explanation {
        output.print(&text)?;
    }
    notes.for_each(|note| output.note(&format!("note: multigrid, {note}")));
    if let Some(advice) = report.advice.as_ref().filter(|_| !plan.quiet) {
        output.note(&format!("note: {advice}"));
    }
    Ok(())
}

/// How triangles were solved with, or none.
fn triangular(report: &Report) -> String {
    report.triangular.map_or("none".into(), |triangular| triangular.to_string())
}

/// Every choice with its reason, and what an iteration consists of.
fn explanation(report: &Report) -> String {
    let choice = |value: &dyn Display, reason: &str| format!("{value}: {reason}");
    let mut lines = vec![
        ("device", choice(&report.device, &report.device_reason)),
        ("method", choice(&report.method, &report.method_reason)),
        ("preconditioner", choice(&report.preconditioner, &report.preconditioner_reason)),
        ("triangular", choice(&triangular(report), &report.triangular_reason)),
        ("format", choice(&report.format, &report.format_reason)),
        ("ordering", choice(&report.ordering, &report.ordering_reason)),
        ("precision", choice(&report.precision, &report.precision_reason)),
        ("set-up", report.setup_stages.to_string()),
    ];
    if let Some(multigrid) = &report.multigrid {
        lines.push(("multigrid", multigrid.line()));
        lines.extend(multigrid.level_lines().into_iter().map(|line| ("", line)));
    }
    if report.is_iterative() {
        let (vectors, products) = (report.vectors, report.products);
        let work = format!("{vectors} vectors kept beside b and x; {products} products with A");
        lines.push(("work", work));
        let inner = report.summary().into_iter().find(|(label, _)| *label == "inner solves");
        lines.extend(inner);
    } else {
        lines.retain(|(label, _)| *label != "preconditioner");
    }
    if report.triangular.is_none() {
        lines.retain(|(label, _)| *label != "triangular");
    }
    let iteration = match (&report.explanation, report.is_iterative()) {
        (Some(text), _) => text.trim_end(),
        (None, true) => "nothing is fused: the reference computes one line of the method after another",
        (None, false) => "elimination has no iteration to explain",
    };
    format!("{}\n\n{iteration}", table::pairs(&lines, Style::new(Color::Never, false)))
}
