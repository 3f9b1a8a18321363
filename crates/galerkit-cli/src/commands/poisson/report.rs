//! What is said and written: a short table, JSON, VTU, the curves as SVG.

use super::Ending;
use super::curve::{Curve, Law};
use super::figures::Figures;
use super::solve::{Session, Solved};
use crate::interrupt;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::{json, memory, table};
use crate::plan::poisson::PoissonPlan;
use anyhow::Result;
use galerkit::fem::problem::Discretisation;
use galerkit::linalg::krylov::Outcome;
use galerkit::report::AppliedPreconditioner;
use galerkit::{Choice, Report};
use serde::Serialize;
use std::collections::BTreeMap;

/// All that came out.
pub struct Finished<V: Discretisation> {
    pub solved: Solved<V>,
    pub curves: Vec<Curve>,
    /// Whether the automatic loop has met its tolerance.
    pub reached: Option<bool>,
}

/// The report as written.
#[derive(Serialize)]
struct Document<'a> {
    galerkit: &'static str,
    problem: String,
    #[serde(flatten)]
    figures: &'a Figures,
    converged: bool,
    mean_free: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance_reached: Option<bool>,
    probes: Vec<Probe>,
    /// What was said on the side.
    notes: Vec<String>,
    curves: &'a [Curve],
    phases: BTreeMap<&'static str, f64>,
    seconds: f64,
    /// The most bytes that the process has had, and how many beside the program itself that is for each unknown; null
    /// where the system does not tell.
    peak_memory: Option<u64>,
    memory_per_unknown: Option<f64>,
    /// Bytes that an iteration must move for each unknown; null where nothing was iterated.
    traffic_per_unknown: Option<f64>,
    solver: &'a Report,
}

#[derive(Clone, Serialize)]
struct Probe {
    point: [f64; 3],
    /// None outside of the domain.
    value: Option<f64>,
}

/// Writes and says everything.
pub fn finish<V: Discretisation>(session: &Session<'_>, finished: Finished<V>) -> Result<Ending> {
    let (plan, solved) = (session.plan, &finished.solved);
    let probe = |&point: &[f64; 3]| Probe { point, value: V::at(&solved.solution, &point) };
    let probes: Vec<Probe> = plan.probes.iter().map(probe).collect();
    say_notes(session, solved);
    say_probes(session, &probes);
    session.during("files", || write_pictures(session, &finished))?;
    let (phases, seconds) = (session.seconds(), session.begun.elapsed().as_secs_f64());
    if let Some(path) = &plan.files.json {
        let document = Document {
            galerkit: env!("CARGO_PKG_VERSION"),
            problem: plan.space.name(),
            figures: &solved.figures,
            converged: solved.report.converged && finished.reached.unwrap_or(true),
            mean_free: solved.is_mean_free,
            tolerance_reached: finished.reached,
            probes: probes.clone(),
            notes: session.notes(),
            curves: &finished.curves,
            phases: phases.iter().copied().collect(),
            seconds,
            peak_memory: memory::peak(),
            memory_per_unknown: memory::taken(session.arrays).map(|bytes| bytes as f64 / unknowns(&solved.figures)),
            traffic_per_unknown: traffic(&solved.figures, &solved.report),
            solver: &solved.report,
        };
        session.output.write(path, &json::text(&document)?)?;
    }
    if !plan.files.owns_stdout() {
        say(session, &finished, &probes, seconds)?;
    }
    Ok(match (solved.report.outcome, finished.reached) {
        (Outcome::Interrupted, _) => Ending::Interrupted,
        _ if interrupt::was_asked() => Ending::Interrupted,
        (Outcome::Converged, None | Some(true)) => Ending::Done,
        _ => Ending::NotConverged,
    })
}

fn unknowns(figures: &Figures) -> f64 {
    figures.unknowns.max(1) as f64
}

/// Bytes that an iteration must move for each unknown.
fn traffic(figures: &Figures, report: &Report) -> Option<f64> {
    Some(report.iteration_bytes? as f64 / unknowns(figures))
}

/// The same, and memory, in words.
fn memory_words(before: Option<u64>, figures: &Figures, report: &Report) -> Option<String> {
    let (peak, taken) = (memory::peak()? as f64, memory::taken(before)? as f64);
    let moved =
        traffic(figures, report).map_or(String::new(), |bytes| format!("; an iteration moves {bytes:.0} of them"));
    Some(format!(
        "{:.2} GiB at most, {:.0} bytes an unknown{moved}",
        peak / f64::from(1 << 30),
        taken / unknowns(figures)
    ))
}

fn say_notes<V: Discretisation>(session: &Session<'_>, solved: &Solved<V>) {
    let report = &solved.report;
    if session.plan.place.device != Choice::Given(report.device) && report.rows > 0 {
        session.note(&format!("device {}: {}", report.device, report.device_reason));
    }
    if solved.is_mean_free {
        session.note("note: data determine u up to a constant (pure Neumann problem): u_h has the mean 0");
    }
    if let Some(advice) = &report.advice {
        session.note(&format!("note: {advice}"));
    }
}

/// Points at which there is no u_h.
fn say_probes(session: &Session<'_>, probes: &[Probe]) {
    for Probe { point: [x, y, z], .. } in probes.iter().filter(|probe| probe.value.is_none()) {
        session.note(&format!("note: --probe ({x}, {y}, {z}) lies outside of the domain: there is no u_h"));
    }
}

fn write_pictures<V: Discretisation>(session: &Session<'_>, finished: &Finished<V>) -> Result<()> {
    let files = &session.plan.files;
    if let Some(path) = &files.vtu {
        V::subdivided(&finished.solved.solution).write(path)?;
    }
    if let Some(path) = &files.png {
        V::write_png(&finished.solved.solution, path)?;
    }
    if let Some(path) = &files.plot {
        session.output.write(path, &draw(&picture(session.plan, &finished.curves))?)?;
    }
    Ok(())
}

fn picture(plan: &PoissonPlan, curves: &[Curve]) -> Curves {
    let dim = curves.iter().flat_map(|curve| &curve.points).next().map_or(2, |figures| figures.dim);
    let series = |curve: &Curve| Series {
        name: match (curve.name, curve.law()) {
            ("hp", Some(Law::Exponential(b))) => format!("hp: exp(-{b:.2} {})", root(dim)),
            ("hp", Some(Law::Power(alpha))) => format!("hp: N^(-{alpha:.2})"),
            ("hp", None) => "hp".into(),
            (name, _) => format!("{name} alone"),
        },
        points: curve.points.iter().filter_map(|figures| Some((figures.abscissa(), figures.error()?))).collect(),
    };
    let is_known = plan.data.exact.is_some();
    Curves {
        title: format!("{}: error in the energy norm", plan.space.name()),
        subtitle: format!("{} over {}, N unknowns", if is_known { "|u - u_h|" } else { "estimated" }, root(dim)),
        x: Axis::new(root(dim), false),
        y: Axis::new("energy error", true),
        series: curves.iter().map(series).collect(),
    }
}

fn root(dim: usize) -> &'static str {
    if dim == 2 { "N^(1/3)" } else { "N^(1/4)" }
}

fn say<V: Discretisation>(session: &Session<'_>, finished: &Finished<V>, probes: &[Probe], seconds: f64) -> Result<()> {
    let (style, solved) = (session.output.style, &finished.solved);
    if !finished.curves.is_empty() {
        session.output.print(&format!("{}\n", curve_table(&finished.curves).render(style)))?;
    }
    let mut lines = summary(session.plan, &solved.figures, &solved.report);
    let is_met = finished.reached.unwrap_or(true) && solved.report.converged;
    let outcome = if is_met { style.good("solved") } else { style.bad("a tolerance was not met") };
    lines.insert(0, ("outcome", outcome));
    for curve in finished.curves.iter().filter(|curve| curve.name == "hp") {
        let words = curve.law().map(|law| match law {
            Law::Exponential(b) => format!("ln(error) falls by {b:.2} a unit of {}", root(solved.figures.dim)),
            Law::Power(alpha) => format!("the error falls like N^(-{alpha:.2})"),
        });
        lines.extend(words.map(|words| ("convergence", words)));
    }
    for Probe { point: [x, y, z], value } in probes {
        let value = value.map_or("outside of the domain".into(), |value| format!("{value:.12e}"));
        lines.push(("u_h", format!("({x}, {y}, {z}): {value}")));
    }
    let phases = session.seconds().iter().map(|(name, t)| format!("{name} {t:.2}")).collect::<Vec<_>>().join(", ");
    lines.extend(memory_words(session.arrays, &solved.figures, &solved.report).map(|words| ("memory", words)));
    lines.push(("seconds", format!("{seconds:.2}: {phases}")));
    if let Some(folder) = &session.plan.files.folder {
        lines.push(("results", folder.display().to_string()));
    }
    session.output.print(&table::pairs(&lines, style))
}

fn summary(plan: &PoissonPlan, figures: &Figures, report: &Report) -> Vec<(&'static str, String)> {
    let degrees = match (figures.degree_min, figures.degree_max) {
        (p, q) if p == q => format!("degree {p}"),
        (p, q) => format!("degrees {p} to {q}"),
    };
    let space = format!(
        "{} cells, {degrees}, {} unknowns ({} with those on the Dirichlet boundary)",
        table::grouped(figures.cells as u64),
        table::grouped(figures.unknowns as u64),
        table::grouped(figures.dimension as u64)
    );
    let iterations = if report.is_iterative() { format!(", {} iterations", report.iterations) } else { String::new() };
    let solve = format!("{}{iterations}, true residual {:.1e}", report.method_name(), report.true_residual);
    let mut lines = vec![
        ("problem", plan.space.name()),
        ("space", space),
        ("solve", solve),
        ("energy", format!("{:.12}", figures.energy)),
    ];
    if let AppliedPreconditioner::Brought(_) = report.preconditioner {
        lines.insert(3, ("preconditioner", report.preconditioner_reason.clone()));
    }
    let errors =
        [("energy error", figures.energy_error), ("L2 error", figures.l2_error), ("estimated error", figures.estimate)];
    lines.extend(errors.into_iter().filter_map(|(name, error)| Some((name, format!("{:.4e}", error?)))));
    lines
}

/// An error of a solution, where there is one.
type Column = fn(&Figures) -> Option<f64>;

/// A row for each point of each curve.
fn curve_table(curves: &[Curve]) -> table::Table {
    let has =
        |of: fn(&Figures) -> Option<f64>| curves.iter().flat_map(|curve| &curve.points).any(|it| of(it).is_some());
    let errors: [(&'static str, Column); 2] =
        [("energy error", |figures| figures.energy_error), ("estimate", |figures| figures.estimate)];
    let shown: Vec<_> = errors.into_iter().filter(|(_, of)| has(*of)).collect();
    let sizes = ["refined", "cells", "degrees", "unknowns"];
    let headings: Vec<&'static str> = sizes.into_iter().chain(shown.iter().map(|(name, _)| *name)).collect();
    let mut rows = table::Table::new(&headings);
    let error = |error: Option<f64>| error.map_or("-".into(), |error| format!("{error:.3e}"));
    for curve in curves {
        for figures in &curve.points {
            let mut row = vec![
                curve.name.into(),
                figures.cells.to_string(),
                format!("{}-{}", figures.degree_min, figures.degree_max),
                table::grouped(figures.unknowns as u64),
            ];
            row.extend(shown.iter().map(|(_, of)| error(of(figures))));
            rows.row(row);
        }
    }
    rows
}
