//! What is said and written: a short table, JSON, the response at listening points, pictures.

use super::problem::usual_direction;
use super::resolution::Resolution;
use super::solve::Solved;
use super::{Session, notes, pictures};
use crate::commands::Ending;
use crate::interrupt;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::{csv, json, table};
use crate::plan::helmholtz::geometry::Geometry;
use crate::plan::helmholtz::words::{Drive, Truncation};
use crate::plan::helmholtz::{HelmholtzPlan, Source};
use anyhow::Result;
use galerkit::Report;
use galerkit::fem::acoustics::pressure::level;
use galerkit::fem::acoustics::series::scattered;
use galerkit::fem::acoustics::{Equations, WaveSpace};
use galerkit::fem::mesh::generate::LAYER_REGION;
use galerkit::linalg::c64;
use galerkit::linalg::krylov::Outcome;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report as written.
#[derive(Serialize)]
struct Document<'a> {
    galerkit: &'static str,
    problem: String,
    dimension: usize,
    cells: usize,
    degree: usize,
    unknowns: usize,
    #[serde(flatten)]
    figures: &'a Figures,
    cells_per_wavelength: Option<f64>,
    converged: bool,
    /// One entry for each right-hand side of the last k, if there are several.
    cases: &'a [Figures],
    sweep: &'a [Figures],
    phases: BTreeMap<&'static str, f64>,
    seconds: f64,
    solver: &'a Report,
}

/// What is known for one k and one right-hand side.
#[derive(Clone, Serialize)]
struct Figures {
    /// Its name, where there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<String>,
    /// Real and imaginary part.
    wavenumber: [f64; 2],
    frequency: f64,
    iterations: usize,
    true_residual: f64,
    l2_error: Option<f64>,
    h1_error: Option<f64>,
    /// The largest at a node, in a strip.
    #[serde(skip_serializing_if = "Option::is_none")]
    nodal_error: Option<f64>,
    /// ||A||_F ||x|| / ||b||, which the condition number exceeds; none without a matrix.
    condition_seen: Option<f64>,
    probes: Vec<Probe>,
}

#[derive(Clone, Serialize)]
struct Probe {
    point: [f64; 3],
    /// Real and imaginary part; none outside of the domain.
    pressure: Option<[f64; 2]>,
    /// In dB.
    level: Option<f64>,
}

/// Writes and says everything.
pub fn finish<V: WaveSpace>(
    session: &Session<'_>,
    equations: &Equations<V>,
    solved: &[Solved<V>],
    resolution: &Resolution,
) -> Result<Ending> {
    let plan = session.plan;
    let all = session.during("errors", || {
        solved.iter().map(|solved| figures(session, equations, solved)).collect::<Result<Vec<_>>>()
    })?;
    let (last, shown) = (&solved[solved.len() - 1], &all[all.len() - 1]);
    notes::at_the_end(session, equations.problem(), last, resolution);
    let case = shown.case.as_ref().map_or(String::new(), |case| format!(", {case}"));
    let title = format!("{}{case}, {:.1} Hz", plan.name(), plan.frequency(last.k));
    session.during("files", || pictures::write(&plan.files, plan.show, &last.pressure, &title))?;
    if let Some(path) = &plan.files.plot {
        session.output.write(path, &draw(&response(session, &all))?)?;
    }
    if let Some(path) = &plan.files.csv {
        session.output.write(path, &response_table(&all))?;
    }
    let space = equations.problem().space();
    let (converged, seconds) = (solved.iter().all(|it| it.report.converged), session.begun.elapsed().as_secs_f64());
    if let Some(path) = &plan.files.json {
        let document = Document {
            galerkit: env!("CARGO_PKG_VERSION"),
            problem: plan.name(),
            dimension: space.dim(),
            cells: space.cells(),
            degree: plan.degree,
            unknowns: equations.unknowns(),
            figures: shown,
            cells_per_wavelength: Some(resolution.cells).filter(|cells| cells.is_finite()),
            converged,
            cases: &all[all.len() - plan.cases.len().min(all.len())..],
            sweep: if plan.is_sweep { &all } else { &[] },
            phases: session.seconds().into_iter().collect(),
            seconds,
            solver: &last.report,
        };
        session.output.write(path, &json::text(&document)?)?;
    }
    if !plan.files.owns_stdout() {
        let counts = (space.cells(), equations.unknowns());
        session.output.print(&said(session, counts, (shown, all.len()), &last.report, (resolution, seconds)))?;
    }
    Ok(match last.report.outcome {
        Outcome::Interrupted => Ending::Interrupted,
        _ if interrupt::was_asked() => Ending::Interrupted,
        _ if converged => Ending::Done,
        _ => Ending::NotConverged,
    })
}

fn figures<V: WaveSpace>(session: &Session<'_>, equations: &Equations<V>, solved: &Solved<V>) -> Result<Figures> {
    let (plan, k, dim) = (session.plan, solved.k, equations.problem().space().dim());
    // layers are no part of the domain
    let counts = |region: i32| region != LAYER_REGION || !matches!(plan.truncation, Truncation::Layer { .. });
    let (mut l2_error, mut h1_error) = (None, None);
    if let Some(wave) = plan.exact {
        let errors = solved.pressure.errors(&|x| wave.at(dim, plan.local(k), x), &counts)?;
        (l2_error, h1_error) = (Some(errors.l2), Some(errors.h1));
    } else if let Some(obstacle) = plan.scatter {
        let direction = match plan.cases.get(solved.case).map(|case| &case.drive) {
            None | Some(Drive::Walls) if plan.sources.is_empty() && plan.volume.is_none() => Some(usual_direction(dim)),
            Some(Drive::Incident(direction)) => Some(*direction),
            _ => None, // sources add to what is scattered
        };
        if let Some(direction) = direction {
            let turned = |x: &[f64; 3]| scattered(dim, obstacle, plan.local(k), 1.0, &turned(dim, direction, x));
            let exact = |x: &[f64; 3]| (turned(x), [c64::new(0.0, 0.0); 3]);
            l2_error = Some(solved.pressure.errors(&exact, &counts)?.l2); // the series has no gradient here
        }
    }
    let probe = |&point: &[f64; 3]| {
        let p = solved.pressure.at(&point);
        Probe { point, pressure: p.map(|p| [p.re, p.im]), level: p.map(level) }
    };
    Ok(Figures {
        case: plan.cases.get(solved.case).map(|case| case.name.clone()),
        wavenumber: [k.re, k.im],
        frequency: plan.frequency(k),
        iterations: solved.report.iterations,
        true_residual: solved.report.true_residual,
        l2_error,
        h1_error,
        nodal_error: nodal_error(plan, solved),
        condition_seen: solved.condition,
        probes: plan.probes.iter().map(probe).collect(),
    })
}

/// The largest error at a node of a strip.
fn nodal_error<V: WaveSpace>(plan: &HelmholtzPlan, solved: &Solved<V>) -> Option<f64> {
    let (Some(wave), Source::Geometry(Geometry::Strip, n)) = (plan.exact, &plan.source) else { return None };
    let miss = |i: usize| {
        let x = [i as f64 / *n as f64, 0.0, 0.0];
        solved.pressure.at(&x).map(|u| (u - wave.at(2, plan.local(solved.k), &x).0).norm())
    };
    (0..=*n).map(miss).try_fold(0.0, |largest: f64, miss| Some(largest.max(miss?)))
}

/// A point with the same distance from the centre and from the axis of a wave, where that goes in the usual direction.
fn turned(dim: usize, direction: [f64; 3], x: &[f64; 3]) -> [f64; 3] {
    let along: f64 = (0..3).map(|i| x[i] * direction[i]).sum();
    let across = (x.iter().map(|x| x * x).sum::<f64>() - along * along).max(0.0).sqrt();
    if dim == 2 { [along, across, 0.0] } else { [across, 0.0, along] }
}

fn response(session: &Session<'_>, all: &[Figures]) -> Curves {
    let plan = session.plan;
    let cases = plan.cases.len().max(1);
    let series = |case: usize, number: usize| {
        let level = |of: &Figures| Some((of.frequency, of.probes[number].level?));
        let of = plan.cases.get(case).map_or(String::new(), |case| format!("{} ", case.name));
        let points = all.iter().skip(case).step_by(cases).filter_map(level).collect();
        Series { name: format!("{of}at {}", place(&plan.probes[number])), points }
    };
    Curves {
        title: format!("{}: response at listening points", session.plan.name()),
        subtitle: "sound-pressure level in dB over the frequency".into(),
        x: Axis::new("Hz", false),
        y: Axis::fitted("dB"),
        series: (0..cases).flat_map(|case| (0..plan.probes.len()).map(move |number| series(case, number))).collect(),
    }
}

fn response_table(all: &[Figures]) -> String {
    let mut rows = Vec::new();
    for of in all {
        for probe in &of.probes {
            let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
            let part = |i: usize| number(probe.pressure.map(|p| p[i]));
            let iterations = of.iterations.to_string();
            rows.push(vec![
                of.frequency.to_string(),
                place(&probe.point),
                part(0),
                part(1),
                number(probe.level),
                iterations,
                of.case.clone().unwrap_or_default(),
            ]);
        }
    }
    csv::table(&["frequency", "point", "re", "im", "level_db", "iterations", "case"], &rows)
}

fn place(point: &[f64; 3]) -> String {
    point.map(|x| x.to_string()).join(" ")
}

fn said(
    session: &Session<'_>,
    (cells, unknowns): (usize, usize),
    (shown, count): (&Figures, usize),
    report: &Report,
    (resolution, seconds): (&Resolution, f64),
) -> String {
    let plan = session.plan;
    let iterations = if report.is_iterative() { format!(", {} iterations", report.iterations) } else { String::new() };
    let [re, im] = shown.wavenumber;
    let losses = if im > 0.0 { format!(" + {im} i") } else { String::new() };
    let many = if count > 1 { format!(", the last of {count}") } else { String::new() };
    let problem = shown.case.as_ref().map_or(plan.name(), |case| format!("{}, {case}", plan.name()));
    let size = format!(
        "{} cells, degree {}, {} unknowns",
        table::grouped(cells as u64),
        plan.degree,
        table::grouped(unknowns as u64)
    );
    let mut pairs = vec![
        ("problem", problem),
        ("space", size),
        ("wave", format!("k = {re:.6}{losses}, {:.3} Hz{}{many}", shown.frequency, resolution.said())),
        ("solve", format!("{}{iterations}, true residual {:.1e}", report.method_name(), report.true_residual)),
    ];
    for (name, error) in [("L2 error", shown.l2_error), ("H1 error", shown.h1_error)] {
        pairs.extend(error.map(|error| (name, format!("{error:.4e}, relative"))));
    }
    pairs.extend(shown.nodal_error.map(|error| ("nodal error", format!("{error:.4e}, the largest"))));
    for probe in &shown.probes {
        let value = match (probe.pressure, probe.level) {
            (Some([re, im]), Some(level)) => format!("{re:.6e} {im:+.6e} i, {level:.2} dB"),
            _ => "outside".into(),
        };
        pairs.push(("pressure at", format!("{}: {value}", place(&probe.point))));
    }
    let files: Vec<String> = plan.files.paths().map(|path| path.display().to_string()).collect();
    if !files.is_empty() {
        pairs.push(("written", files.join(", ")));
    }
    pairs.push(("seconds", format!("{seconds:.3}")));
    table::pairs(&pairs, session.output.style)
}
