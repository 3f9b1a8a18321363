//! What is said of a run, and what its report has.

use super::beat::Session;
use super::seen::Seen;
use super::wall::Wall;
use crate::output::{Output, table};
use crate::plan::heart::{BeatChoice, HeartPlan};
use anyhow::Result;
use galerkit::fem::cardiac::leads;
use galerkit::fem::cardiac::scheme::Counts;
use galerkit::fem::cardiac::simulation::Observation;
use serde::Serialize;
use std::collections::BTreeMap;

/// The report as written; arrays stand in the order of the probes, leads and times.
#[derive(Debug, Serialize)]
pub struct Document {
    galerkit: &'static str,
    /// As in the report.
    pub geometry: String,
    /// As in the report.
    pub cell: &'static str,
    scheme: &'static str,
    device: String,
    device_reason: String,
    /// As in the report.
    pub nodes: usize,
    elements: usize,
    dt: f64,
    end: f64,
    /// Where it went on from; steps, iterations and seconds are of what came after.
    resumed_at_ms: Option<f64>,
    steps: u64,
    newton_iterations: u64,
    cg_iterations: u64,
    cg_iterations_per_step: f64,
    mean_step: f64,
    failed_steps: u64,
    probes: Vec<[f64; 3]>,
    /// In ms at each probe; null where it was not activated.
    pub activation: Vec<Option<f64>>,
    /// In ms at each probe.
    pub repolarisation: Vec<Option<f64>>,
    /// Which beat those are of; of all the first.
    beat: String,
    /// Activation and repolarisation of each beat at each probe, if all are wanted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beats: Vec<Vec<[Option<f64>; 2]>>,
    /// Where waves turn at the end, on the surface, if the phase was drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase_singularities: Option<Vec<[f64; 3]>>,
    /// In mm a millisecond.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front_speed: Option<f64>,
    /// That of the exact front.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exact_speed: Option<f64>,
    /// front_speed / exact_speed - 1
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_error: Option<f64>,
    /// As in the report.
    pub time: Vec<f64>,
    /// As in the report.
    pub fraction_excited: Vec<f64>,
    largest_potential: Vec<f64>,
    energy: Vec<Option<f64>>,
    /// As in the report.
    pub probe_potential: Vec<Vec<f64>>,
    /// As in the report.
    pub electrograms: Vec<Vec<f64>>,
    /// Each lead by name, over time.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub ecg: BTreeMap<&'static str, Vec<f64>>,
    seconds: Wall,
    setup_seconds: f64,
    run_seconds: f64,
    /// Null where nothing was left to run.
    wall_seconds_per_simulated_second: Option<f64>,
}

impl Document {
    /// What every run has.
    pub fn new(plan: &HeartPlan, session: &mut Session, seen: &Seen) -> Self {
        let (counts, end) = (since(session.simulation.counts(), session.before), session.simulation.time());
        let stretch = end - session.resumed_at.unwrap_or(0.0);
        let over_time = |pick: fn(&Observation) -> f64| seen.observations.iter().map(pick).collect::<Vec<f64>>();
        let traces = |count: usize, of: fn(&Observation) -> &Vec<f64>| {
            (0..count).map(|k| seen.observations.iter().map(|seen| of(seen)[k]).collect()).collect()
        };
        Self {
            galerkit: env!("CARGO_PKG_VERSION"),
            geometry: plan.geometry.name(),
            cell: plan.model.name(),
            scheme: session.simulation.scheme(),
            device: session.device.0.to_string(),
            device_reason: session.device.1.clone(),
            nodes: session.tissue.points().len(),
            elements: session.tissue.elements(),
            dt: plan.scheme.dt(),
            end,
            resumed_at_ms: session.resumed_at,
            steps: counts.steps,
            newton_iterations: counts.newton_iterations,
            cg_iterations: counts.cg_iterations,
            cg_iterations_per_step: counts.cg_iterations as f64 / counts.steps.max(1) as f64,
            mean_step: stretch / counts.steps.max(1) as f64,
            failed_steps: counts.failed_steps,
            probes: plan.probes.clone(),
            activation: Vec::new(),
            repolarisation: Vec::new(),
            beat: plan.beat.name(),
            beats: Vec::new(),
            phase_singularities: None,
            front_speed: None,
            exact_speed: None,
            speed_error: None,
            time: over_time(|seen| seen.time),
            fraction_excited: over_time(|seen| seen.fraction_excited),
            largest_potential: over_time(|seen| seen.largest),
            energy: seen.observations.iter().map(|seen| seen.energy).collect(),
            probe_potential: traces(plan.probes.len(), |seen| &seen.probes),
            electrograms: traces(plan.leads.len(), |seen| &seen.electrograms),
            ecg: if plan.ecg { ecg(plan, &seen.observations) } else { BTreeMap::new() },
            seconds: session.wall,
            setup_seconds: session.wall.setup(),
            run_seconds: session.wall.steps,
            wall_seconds_per_simulated_second: (stretch > 0.0).then(|| session.wall.steps / (1e-3 * stretch)),
        }
    }
}

/// What was counted since.
fn since(now: Counts, before: Counts) -> Counts {
    Counts {
        steps: now.steps - before.steps,
        newton_iterations: now.newton_iterations - before.newton_iterations,
        cg_iterations: now.cg_iterations - before.cg_iterations,
        failed_steps: now.failed_steps - before.failed_steps,
    }
}

/// Each lead over time; the electrodes of the chest come after those that were typed.
fn ecg(plan: &HeartPlan, observations: &[Observation]) -> BTreeMap<&'static str, Vec<f64>> {
    let at = |seen: &Observation| leads::twelve(&seen.electrograms[plan.leads.len()..]);
    let rows: Vec<[f64; 12]> = observations.iter().map(at).collect();
    leads::LEADS.iter().enumerate().map(|(k, name)| (*name, rows.iter().map(|row| row[k]).collect())).collect()
}

/// The summary; nothing if the report itself was printed.
pub fn say(plan: &HeartPlan, document: &Document, output: Output) -> Result<()> {
    if plan.files.owns_stdout() {
        return Ok(());
    }
    let resumed = document.resumed_at_ms;
    let since = resumed.map_or(String::new(), |time| format!(", since the resume at {time} ms"));
    let Document { steps, dt, cg_iterations, .. } = document;
    let mut lines = vec![
        ("tissue", format!("{}: {} nodes, {} elements", document.geometry, document.nodes, document.elements)),
        ("steps", format!("{steps} of {dt} ms, {cg_iterations} iterations of CG{since}")),
        (
            "time",
            match document.wall_seconds_per_simulated_second {
                Some(ratio) => format!(
                    "{:.2} s for {:.0} ms on {}: {ratio:.3} s a simulated second{since}",
                    document.run_seconds,
                    document.end - resumed.unwrap_or(0.0),
                    document.device
                ),
                None => format!("the run had ended at {} ms: nothing was left to do", document.end),
            },
        ),
        (
            "beside",
            format!(
                "{:.2} s for tissue, {:.2} s for matrices and programs, {:.2} s for pictures",
                document.seconds.tissue, document.seconds.programs, document.seconds.pictures
            ),
        ),
    ];
    let ms = |time: &Option<f64>| time.map_or("never".into(), |time| format!("{time:.2} ms"));
    let which = match plan.beat {
        BeatChoice::First => String::new(),
        BeatChoice::All => " (beat 1)".into(),
        BeatChoice::Last => " (last beat)".into(),
        BeatChoice::Number(number) => format!(" (beat {number})"),
    };
    for (k, probe) in document.probes.iter().enumerate().take(document.activation.len()) {
        let [x, y, z] = probe;
        let times = (ms(&document.activation[k]), ms(&document.repolarisation[k]));
        lines.push(("probe", format!("{x}, {y}, {z}: activated {}, repolarised {}{which}", times.0, times.1)));
        for (number, [up, down]) in document.beats.get(k).into_iter().flatten().enumerate().skip(1) {
            lines.push(("", format!("beat {}: activated {}, repolarised {}", number + 1, ms(up), ms(down))));
        }
    }
    if let Some(found) = &document.phase_singularities {
        lines.push(("phase", format!("waves turn at {} points of the surface", found.len())));
    }
    if let (Some(speed), Some(exact), Some(error)) = (document.front_speed, document.exact_speed, document.speed_error)
    {
        lines.push(("speed", format!("{speed:.6} mm/ms, exact front {exact:.6}, error {:+.3} %", 100.0 * error)));
    }
    if let Some(folder) = &plan.files.folder {
        lines.push(("results", folder.display().to_string()));
    }
    output.print(&table::pairs(&lines, output.style))
}
