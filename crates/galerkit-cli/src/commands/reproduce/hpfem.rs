//! `galerkit reproduce hpfem`: solvers of source 000 over the dimension, on the CPU and on a GPU.

mod figures;
mod tables;

use super::{held, make_folder, places};
use crate::args::ReproduceHpfem;
use crate::commands::Ending;
use crate::interrupt;
use crate::output::table::grouped;
use crate::output::{Output, json};
use anyhow::{Result, bail};
use galerkit::Device;
use galerkit_bench::reproduce::hpfem::{Amdahl, Case, Limits, Place, Problem, Row, Study, amdahl, cases, sizes};
use serde::Serialize;
use std::time::Instant;

/// More unknowns than this have more entries than indices of 32 bits count, times some.
const MOST_UNKNOWNS: usize = 1 << 28;

/// What is measured, where.
struct Plan {
    /// One core of the CPU first.
    places: Vec<Place>,
    sizes: Vec<usize>,
    cases: Vec<Case>,
    limits: Limits,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    galerkit: &'static str,
    source: &'static str,
    /// Every solve that was run has found the solution.
    reproduced: bool,
    places: Vec<String>,
    /// Why there is no GPU among them.
    no_gpu: Option<String>,
    rows: &'a [Row],
    amdahl: Vec<Amdahl>,
}

/// Source 000.
pub fn run(arguments: &ReproduceHpfem, output: Output) -> Result<Ending> {
    let plan = Plan::new(arguments, output)?;
    make_folder(arguments.svg.as_deref())?;
    let _held = held(&plan.places);
    let study = measure(&plan, arguments, output)?;
    if let Some(folder) = &arguments.svg {
        for (name, svg) in figures::draw(&study, &plan)? {
            output.write(&folder.join(name), &svg)?;
        }
    }
    let reproduced = study.rows().iter().all(Row::good);
    if arguments.json {
        output.print(&json::text(&Report::new(&study, &plan, reproduced))?)?;
    } else {
        output.print(&tables::all(&study, &plan, output.style))?;
    }
    Ok(match (interrupt::was_asked(), reproduced) {
        (true, _) => Ending::Interrupted,
        (false, true) => Ending::Done,
        (false, false) => Ending::NotConverged,
    })
}

impl Plan {
    fn new(arguments: &ReproduceHpfem, output: Output) -> Result<Self> {
        let most = arguments.max_unknowns;
        if !(1..=MOST_UNKNOWNS).contains(&most) {
            bail!("--max-unknowns {most} is not allowed: 1 to {MOST_UNKNOWNS}");
        }
        let seconds = arguments.seconds;
        if !(seconds > 0.0 && seconds.is_finite()) {
            bail!("--seconds {seconds} is not allowed: a solve needs more than 0, for example 60");
        }
        let places = places(&arguments.device, arguments.quiet, output)?;
        let limits = Limits { seconds, goes_on: interrupt::goes_on };
        Ok(Self { cases: cases(&places), places, sizes: sizes(most), limits })
    }

    /// Why there is no GPU among the places.
    fn no_gpu(&self) -> Option<String> {
        let has = self.places.iter().any(|place| matches!(place.device, Device::Cuda(_)));
        (!has).then(Device::of_machine).map(|(device, reason)| match device {
            Device::Cuda(_) => "not asked for".into(),
            Device::Cpu | Device::Reference => reason,
        })
    }

    /// Amdahl's law for each solver and two places, in the order of places: a core, all cores, a GPU.
    fn amdahl(&self, study: &Study) -> Vec<Amdahl> {
        let mut found = Vec::new();
        for (k, &place) in self.places.iter().enumerate() {
            for &from in &self.places[..k] {
                for case in self.cases.iter().filter(|case| case.place == place) {
                    let slow: Vec<&Row> = study.of(&Case { place: from, ..*case }).collect();
                    let pair = |fast: &Row| amdahl(slow.iter().find(|row| row.unknowns == fast.unknowns)?, fast);
                    found.extend(study.of(case).filter(|row| row.format.as_deref() == Some("csr")).filter_map(pair));
                }
            }
        }
        found
    }
}

/// Runs every solver at every dimension, and says how far it is.
fn measure(plan: &Plan, arguments: &ReproduceHpfem, output: Output) -> Result<Study> {
    let mut study = Study::default();
    let note = |text: &str| {
        if !arguments.quiet {
            output.note(text);
        }
    };
    for &size in &plan.sizes {
        let begun = Instant::now();
        let problem = match Problem::new(size) {
            Err(error) if !study.rows().is_empty() => {
                note(&format!("note: the study ends before {} unknowns: {error}", grouped(size as u64)));
                break;
            }
            problem => problem?,
        };
        let mut has_run = false;
        let (unknowns, entries) = (grouped(problem.A.rows() as u64), grouped(problem.A.nnz() as u64));
        note(&format!("{unknowns} unknowns, {entries} entries: assembled in {:.2} s", begun.elapsed().as_secs_f64()));
        for &case in &plan.cases {
            let row = study.add(&problem, case, &plan.limits)?;
            interrupt::iteration_is_over();
            note(&said(row));
            has_run |= row.skipped.is_none();
            if interrupt::was_asked() {
                return Ok(study);
            }
        }
        if !has_run {
            break; // larger ones take longer
        }
    }
    Ok(study)
}

fn said(row: &Row) -> String {
    let format = row.format.as_ref().map_or(String::new(), |format| format!(", {format}"));
    let what = format!("{}: {} unknowns, {}{format}", row.place, grouped(row.unknowns as u64), row.solver);
    match (&row.skipped, row.error) {
        (Some(reason), _) => format!("{what}: not run, {reason}"),
        (None, error) => {
            let error = error.map_or("-".into(), |error| format!("{error:.1e}"));
            format!("{what}: {} iterations, {:.3} s, error {error}", row.iterations, row.seconds)
        }
    }
}

impl<'a> Report<'a> {
    fn new(study: &'a Study, plan: &Plan, reproduced: bool) -> Self {
        Self {
            galerkit: env!("CARGO_PKG_VERSION"),
            source: "Osés Villanueva 2013",
            reproduced,
            places: plan.places.iter().map(Place::to_string).collect(),
            no_gpu: plan.no_gpu(),
            rows: study.rows(),
            amdahl: plan.amdahl(study),
        }
    }
}
