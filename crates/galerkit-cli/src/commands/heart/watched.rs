//! `galerkit heart watched`: what being watched costs. The same run, at first alone, then on a page's server with a
//! scripted viewer who is ready 30 times a second, each twice in turn; the quicker of each counts. Where it costs:
//! launches are shorter, so that commands and frames need not wait, and each frame is packed and copied.

use super::super::Ending;
use super::beat::Session;
use super::live::Rehearsal;
use super::stimulated;
use crate::interrupt;
use crate::output::{Output, json, table};
use crate::plan::heart::{Files, HeartPlan};
use anyhow::{Context, Result, bail};
use galerkit_live::command::STEPS;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Instant;

/// Frames a second that are asked for.
const PER_SECOND: f64 = 30.0;
/// Simulated ms before anything is timed: programs are compiled, the tempo is known.
const BEFORE: f64 = 20.0;
/// How often each is timed.
const ROUNDS: usize = 2;

#[derive(Debug, Default, Serialize)]
struct Report {
    galerkit: &'static str,
    device: String,
    nodes: usize,
    dt: f64,
    /// Simulated, in ms.
    timed: f64,
    /// Wall seconds of a simulated second.
    alone: f64,
    /// The same with a viewer.
    watched: f64,
    /// watched / alone - 1
    cost: f64,
    frames_asked_per_second: f64,
    frames_per_second: f64,
    bytes_per_frame: f64,
}

/// Measures.
pub fn run(plan: &HeartPlan, output: Output) -> Result<Ending> {
    let end = plan.end.context("a run needs --end")?.floor().max(BEFORE + 1.0);
    let timed = end - BEFORE;
    if !STEPS.contains(&plan.scheme.dt()) {
        bail!(
            "--dt {} does not divide a millisecond, at whose ends a live run listens: take one of {STEPS:?}",
            plan.scheme.dt()
        );
    }
    let bare = HeartPlan { files: Files::default(), quiet: true, ..plan.clone() };
    let mut report = Report {
        galerkit: env!("CARGO_PKG_VERSION"),
        dt: plan.scheme.dt(),
        timed,
        alone: f64::INFINITY,
        watched: f64::INFINITY,
        frames_asked_per_second: PER_SECOND,
        ..Report::default()
    };
    for round in 0..ROUNDS {
        let mut session = Session::new(&bare, output)?;
        if round == 0 && !plan.quiet {
            // A tissue at rest costs nothing to solve: what is measured would be another thing.
            let warnings = stimulated::unstimulated(plan, &session.tissue);
            warnings.iter().chain(&stimulated::unreached(&session.simulation)).for_each(|warning| output.note(warning));
        }
        report.device = session.device.0.to_string();
        report.nodes = session.tissue.points().len();
        session.watch(&bare, BEFORE, output)?;
        let begun = Instant::now();
        let seen = session.go_on(&bare, BEFORE, end, output)?;
        report.alone = report.alone.min(1000.0 * begun.elapsed().as_secs_f64() / timed);
        drop(session);
        let seconds = Rehearsal::new(&bare, output)?.timed([BEFORE, end], PER_SECOND)?;
        if seen.is_interrupted || interrupt::was_asked() {
            return Ok(Ending::Interrupted);
        }
        if 1000.0 * seconds.wall / timed < report.watched {
            report.watched = 1000.0 * seconds.wall / timed;
            report.frames_per_second = seconds.watched.frames as f64 / seconds.wall;
            report.bytes_per_frame = seconds.watched.bytes as f64 / seconds.watched.frames.max(1) as f64;
        }
    }
    report.cost = report.watched / report.alone - 1.0;
    write(plan, &report, output)
}

fn write(plan: &HeartPlan, report: &Report, output: Output) -> Result<Ending> {
    // Not the report of a beat, which goes into the folder of its pictures.
    let asked = |path: &&PathBuf| plan.files.folder.as_ref().is_none_or(|folder| !path.starts_with(folder));
    for path in plan.files.json.iter().filter(asked) {
        output.write(path, &json::text(report)?)?;
    }
    if !plan.files.owns_stdout() {
        let lines = [
            ("tissue", format!("{} nodes on {}, {:.0} ms timed", report.nodes, report.device, report.timed)),
            ("alone", format!("{:.4} wall seconds a simulated second", report.alone)),
            ("watched", format!("{:.4}: {:+.1} %", report.watched, 100.0 * report.cost)),
            ("frames", format!("{:.1} a second of {:.0} bytes", report.frames_per_second, report.bytes_per_frame)),
        ];
        output.print(&table::pairs(&lines, output.style))?;
    }
    Ok(Ending::Done)
}
