//! What is said and written at the end: a short table, JSON, CSV, curves.

use super::elements;
use super::history::History;
use super::shown::Shown;
use crate::output::curves::{Axis, Curves, Series, draw};
use crate::output::{Output, csv, json, table};
use crate::plan::tumour::TumourPlan;
use anyhow::Result;
use galerkit::fem::collocation::Evolution;
use serde::Serialize;
use std::time::Instant;

/// The report as written.
#[derive(Serialize)]
struct Document<'a> {
    galerkit: &'static str,
    dimension: usize,
    elements: usize,
    unknowns: usize,
    dimensionless: bool,
    rho: f64,
    scheme: String,
    solver: String,
    device: String,
    device_reason: &'a str,
    steps: usize,
    /// How often matrices or factors were made for a step of another length.
    renewals: usize,
    #[serde(flatten)]
    history: &'a History,
    /// c at each probe at the end; null outside of the box.
    probes: Vec<Option<f64>>,
    /// The largest error at nodes at the end, where the solution is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    /// Where D changes along x.
    interfaces: Vec<f64>,
    seconds: f64,
}

/// Writes and says everything.
pub fn finish(
    plan: &TumourPlan,
    evolution: &mut Evolution,
    history: &History,
    shown: Shown,
    begun: Instant,
    output: Output,
) -> Result<()> {
    let a = evolution.coefficients();
    let probes: Vec<Option<f64>> = plan.probes.iter().map(|point| plan.space.at(&a, point)).collect();
    let error = plan.exact.map(|exact| exact.error(&plan.space, &a, plan.settings.rho, history.time()));
    shown.finish(plan, history, &a)?;
    if let Some(path) = &plan.files.csv {
        output.write(path, &csv::table(&["time", "mass", "radius", "iterations"], &rows(history)))?;
    }
    if let Some(path) = &plan.files.plot {
        output.write(path, &draw(&curves(plan, history))?)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    if let Some(path) = &plan.files.json {
        let document = Document {
            galerkit: env!("CARGO_PKG_VERSION"),
            dimension: plan.space.dim(),
            elements: plan.space.elements(),
            unknowns: plan.space.unknowns(),
            dimensionless: plan.dimensionless,
            rho: plan.settings.rho,
            scheme: plan.clock.scheme.to_string(),
            solver: plan.settings.method.to_string(),
            device: plan.device.0.to_string(),
            device_reason: &plan.device.1,
            steps: history.steps(),
            renewals: evolution.renewals(),
            history,
            probes: probes.clone(),
            error,
            interfaces: plan.space.x().interfaces(),
            seconds,
        };
        output.write(path, &json::text(&document)?)?;
    }
    if !plan.files.owns_stdout() {
        output.print(&said(plan, history, (&probes, error), seconds, output))?;
    }
    Ok(())
}

fn rows(history: &History) -> Vec<Vec<String>> {
    let row = |k: usize| {
        let iterations = if k == 0 { 0 } else { history.iterations[k - 1] };
        vec![
            history.times[k].to_string(),
            history.mass[k].to_string(),
            history.radius[k].to_string(),
            iterations.to_string(),
        ]
    };
    (0..history.times.len()).map(row).collect()
}

fn curves(plan: &TumourPlan, history: &History) -> Curves {
    let of = |values: &[f64]| history.times.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>();
    let (time, radius) = match plan.dimensionless {
        true => ("time", "radius"),
        false => ("days", "radius in cm"),
    };
    Curves {
        title: "Mass and visible radius".into(),
        subtitle: format!("visible: above {}; {} elements", plan.threshold, elements(&plan.space)),
        x: Axis::new(time, false),
        y: Axis::new("mass, radius", false),
        series: vec![
            Series { name: "mass, in sources".into(), points: of(&history.mass) },
            Series { name: radius.into(), points: of(&history.radius) },
        ],
    }
}

fn said(
    plan: &TumourPlan,
    history: &History,
    (probes, error): (&[Option<f64>], Option<f64>),
    seconds: f64,
    output: Output,
) -> String {
    let ((mass, radius), start) = (history.last(), (history.mass[0], history.radius[0]));
    let (day, cm) = if plan.dimensionless { ("", "") } else { (" days", " cm") };
    let iterations: usize = history.iterations.iter().sum();
    let mut pairs = vec![
        ("elements", format!("{}, {} unknowns", elements(&plan.space), table::grouped(plan.space.unknowns() as u64))),
        ("time", format!("{}{day} in {} steps, {}", history.time(), history.steps(), plan.clock.scheme)),
        ("solver", format!("{} on {}, {iterations} iterations", plan.settings.method, plan.device.0)),
        ("mass", format!("{:.6} -> {mass:.6}", start.0)),
        ("radius", format!("{:.4} -> {radius:.4}{cm}, where c is above {}", start.1, plan.threshold)),
    ];
    for (point, value) in plan.probes.iter().zip(probes) {
        let value = value.map_or("outside".into(), |value| format!("{value:.10e}"));
        pairs.push(("c at", format!("{point:?}: {value}")));
    }
    if let Some(error) = error {
        pairs.push(("error", format!("{error:.3e} at nodes, of a solution that is known")));
    }
    let files: Vec<String> = plan.files.paths().map(|path| path.display().to_string()).collect();
    if !files.is_empty() {
        pairs.push(("written", files.join(", ")));
    }
    pairs.push(("seconds", format!("{seconds:.3}")));
    table::pairs(&pairs, output.style)
}
