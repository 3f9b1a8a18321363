//! What is said and written: a short table, JSON, VTU, the picture.

use super::Session;
use super::picture;
use super::solved::Solved;
use crate::commands::Ending;
use crate::interrupt;
use crate::output::{json, table};
use crate::plan::elasticity::Modes;
use anyhow::Result;
use galerkit::linalg::krylov::Outcome;
use galerkit::{Choice, Report};
use serde::Serialize;
use std::collections::BTreeMap;

/// The report as written.
#[derive(Serialize)]
struct Document<'a> {
    galerkit: &'static str,
    problem: String,
    cells: usize,
    nodes: usize,
    degree: usize,
    unknowns: usize,
    /// The sum of all forces.
    load: [f64; 3],
    /// int sigma : eps / 2
    energy: f64,
    /// Where the displacement is largest.
    farthest: At,
    /// Where von Mises' stress is largest.
    most_stressed: At,
    probes: Vec<At>,
    /// How many times displacements are drawn.
    scale: f64,
    converged: bool,
    iterations: usize,
    true_residual: f64,
    phases: BTreeMap<&'static str, f64>,
    seconds: f64,
    solver: &'a Report,
}

/// What is known of a node.
#[derive(Clone, Serialize)]
struct At {
    point: [f64; 3],
    displacement: [f64; 3],
    length: f64,
    von_mises: f64,
}

impl At {
    fn node(solved: &Solved, node: usize) -> Self {
        let displacement = solved.displacement.values()[node];
        let length = displacement.iter().map(|u| u * u).sum::<f64>().sqrt();
        let point = solved.displacement.solid().mesh().points[node];
        Self { point, displacement, length, von_mises: solved.von_mises[node] }
    }
}

/// Writes and says everything.
pub fn finish(session: &Session<'_>, solved: Solved) -> Result<Ending> {
    let (plan, report) = (session.plan, &solved.report);
    notes(session, report);
    session.during("files", || write_files(session, &solved))?;
    let probe = |x: &[f64; 3]| At::node(&solved, solved.displacement.nearest(x));
    let document = Document {
        galerkit: env!("CARGO_PKG_VERSION"),
        problem: plan.name(),
        cells: solved.displacement.solid().cell_count(),
        nodes: solved.displacement.values().len(),
        degree: degree(&solved),
        unknowns: solved.unknowns,
        load: solved.load,
        energy: solved.displacement.energy()?,
        farthest: At::node(&solved, solved.displacement.farthest()),
        most_stressed: At::node(&solved, most(&solved.von_mises)),
        probes: plan.probes.iter().map(probe).collect(),
        scale: picture::scale(plan, &solved),
        converged: report.converged,
        iterations: report.iterations,
        true_residual: report.true_residual,
        phases: session.seconds().into_iter().collect(),
        seconds: session.begun.elapsed().as_secs_f64(),
        solver: report,
    };
    if let Some(path) = &plan.files.json {
        session.output.write(path, &json::text(&document)?)?;
    }
    if !plan.files.owns_stdout() {
        session.output.print(&said(session, &document))?;
    }
    Ok(match report.outcome {
        Outcome::Interrupted => Ending::Interrupted,
        _ if interrupt::was_asked() => Ending::Interrupted,
        _ if report.converged => Ending::Done,
        _ => Ending::NotConverged,
    })
}

fn write_files(session: &Session<'_>, solved: &Solved) -> Result<()> {
    if let Some(path) = &session.plan.files.vtu {
        solved.displacement.contents()?.write(path)?;
    }
    if let Some(path) = &session.plan.files.png {
        picture::draw(session.plan, solved, path)?;
    }
    Ok(())
}

fn notes(session: &Session<'_>, report: &Report) {
    if session.plan.place.device != Choice::Given(report.device) && report.rows > 0 {
        session.note(&format!("device {}: {}", report.device, report.device_reason));
    }
    if session.plan.modes == Modes::Rigid && !session.plan.takes_modes {
        let name = &report.preconditioner;
        session.note(&format!("note: {name} knows no nodes and is not told --modes: amg takes fewer iterations"));
    }
    if let Some(advice) = &report.advice {
        session.note(&format!("note: {advice}"));
    }
}

fn most(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |most, node| if values[node] > values[most] { node } else { most })
}

/// The highest degree of its cells.
fn degree(solved: &Solved) -> usize {
    let mesh = solved.displacement.solid().mesh();
    mesh.blocks_of(3).map(|block| block.order).max().unwrap_or(1)
}

fn said(session: &Session<'_>, of: &Document<'_>) -> String {
    let (style, report) = (session.output.style, of.solver);
    let outcome = if of.converged { style.good("solved") } else { style.bad("the tolerance was not met") };
    let grouped = |count: usize| table::grouped(count as u64);
    let sizes = format!("{} cells of degree {}, {} unknowns", grouped(of.cells), of.degree, grouped(of.unknowns));
    let iterations = if report.is_iterative() { format!(", {} iterations", of.iterations) } else { String::new() };
    let solve = format!("{}{iterations}, true residual {:.1e}", report.method_name(), of.true_residual);
    let mut pairs = vec![("outcome", outcome), ("problem", of.problem.clone()), ("body", sizes), ("solve", solve)];
    pairs.extend(report.multigrid.as_ref().map(|multigrid| ("multigrid", multigrid.line())));
    pairs.push(("load", vector(&of.load)));
    pairs.push(("displacement", format!("at most {:.6e}, at {}", of.farthest.length, place(&of.farthest.point))));
    let stress = format!("at most {:.4e}, at {}", of.most_stressed.von_mises, place(&of.most_stressed.point));
    pairs.push(("von Mises", stress));
    pairs.push(("energy", format!("{:.9e}", of.energy)));
    for probe in &of.probes {
        let words =
            format!("{}: u = {}, von Mises {:.4e}", place(&probe.point), vector(&probe.displacement), probe.von_mises);
        pairs.push(("node", words));
    }
    let files: Vec<String> = session.plan.files.paths().map(|path| path.display().to_string()).collect();
    if !files.is_empty() {
        pairs.push(("written", files.join(", ")));
    }
    let phases = session.seconds().iter().map(|(name, t)| format!("{name} {t:.2}")).collect::<Vec<_>>().join(", ");
    pairs.push(("seconds", format!("{:.2}: {phases}", of.seconds)));
    table::pairs(&pairs, style)
}

fn vector(x: &[f64; 3]) -> String {
    format!("({:.4e}, {:.4e}, {:.4e})", x[0], x[1], x[2])
}

fn place(x: &[f64; 3]) -> String {
    let short = |x: f64| format!("{}", (1e6 * x).round() / 1e6);
    format!("({}, {}, {})", short(x[0]), short(x[1]), short(x[2]))
}
