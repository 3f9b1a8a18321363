//! A run under observation: programs end every so many milliseconds, somebody looks, and on it goes.

use super::super::Ending;
use super::report::{self, Document};
use super::seen::Seen;
use super::series::Series;
use super::tissue::{Prepared, prepare};
use super::written::{self, Nodal};
use super::{checkpoint, stimulated, wall::Wall};
use crate::interrupt;
use crate::output::Output;
use crate::plan::heart::{BeatChoice, HeartPlan, SchemeChoice};
use anyhow::{Context, Result};
use galerkit::fem::cardiac::crossings::NEVER;
use galerkit::fem::cardiac::functional::Located;
use galerkit::fem::cardiac::leads;
use galerkit::fem::cardiac::matrices::Matrices;
use galerkit::fem::cardiac::phase::{phases, singularities};
use galerkit::fem::cardiac::scheme::{Counts, Machine};
use galerkit::fem::cardiac::simulation::Observed;
use galerkit::fem::cardiac::surface::Surface;
use galerkit::fem::cardiac::{Halving, Model, Newton, Scheme, Simulation, Stimulus, Tissue};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;

/// A run that is ready to begin.
pub struct Session {
    /// The tissue.
    pub tissue: Tissue,
    /// The run.
    pub simulation: Simulation,
    /// What computes, and why.
    pub device: (galerkit::Device, String),
    /// Where the probes are.
    pub probes: Vec<Located>,
    /// Where the electrodes are.
    pub leads: Vec<[f64; 3]>,
    /// Stiffness and mass.
    pub matrices: Arc<Matrices>,
    /// Where time went.
    pub wall: Wall,
    /// Where it went on from, in ms, if it did.
    pub resumed_at: Option<f64>,
    /// What had been counted there.
    pub before: Counts,
}

impl Session {
    /// Builds tissue, matrices and programs.
    pub fn new(plan: &HeartPlan, output: Output) -> Result<Self> {
        Self::with_leads(plan, output, &|tissue| electrodes(plan, tissue))
    }

    /// The same with other electrodes.
    pub fn with_leads(plan: &HeartPlan, output: Output, leads: &dyn Fn(&Tissue) -> Vec<[f64; 3]>) -> Result<Self> {
        let say = |text: &str| {
            if !plan.quiet {
                output.note(text);
            }
        };
        let mut wall = Wall::default();
        let Prepared { tissue, stimuli } = wall.tissue(|| prepare(plan, &say))?;
        let leads = leads(&tissue);
        Self::of(plan, tissue, &stimuli, leads, wall, &say)
    }

    /// The same for tissue that is there.
    pub fn of(
        plan: &HeartPlan,
        tissue: Tissue,
        stimuli: &[Stimulus],
        leads: Vec<[f64; 3]>,
        mut wall: Wall,
        say: &dyn Fn(&str),
    ) -> Result<Self> {
        let device = galerkit::heart::device(plan.place.device, tissue.points().len());
        let matrices = Arc::new(wall.programs(|| Matrices::new(&tissue))?);
        let made = || programs(plan, (&tissue, &matrices), device.0, stimuli, &leads, say);
        let (simulation, probes) = wall.programs(made)?;
        stimulated::unreached(&simulation).iter().for_each(|warning| say(warning));
        let (resumed_at, before) = (None, Counts::default());
        Ok(Self { tissue, simulation, device, probes, leads, matrices, wall, resumed_at, before })
    }

    /// Runs to the end, or until somebody stops it.
    pub fn watch(&mut self, plan: &HeartPlan, end: f64, output: Output) -> Result<Seen> {
        match &plan.files.resume {
            Some(path) => {
                let seen = checkpoint::read(path, plan, &mut self.simulation, self.leads.len())?;
                self.resumed_at = Some(self.simulation.time());
                self.before = self.simulation.counts();
                let next = next_look(plan, self.simulation.time());
                self.look_on(plan, next, end, seen, output)
            }
            None => self.look_on(plan, 0, end, Seen::default(), output),
        }
    }

    /// Goes on from a time that was looked at.
    pub fn go_on(&mut self, plan: &HeartPlan, from: f64, end: f64, output: Output) -> Result<Seen> {
        self.look_on(plan, next_look(plan, from), end, Seen::default(), output)
    }

    /// From one look on, after what was seen before.
    fn look_on(&mut self, plan: &HeartPlan, first: u64, end: f64, mut seen: Seen, output: Output) -> Result<Seen> {
        let from = (first > 0).then(|| self.simulation.time());
        let mut series = Series::new(plan, &self.tissue, from)?;
        series.note(plan).iter().filter(|_| !plan.quiet).for_each(|note| output.note(note));
        let bar = bar(output.watched && !plan.quiet);
        let looks = (end / plan.every - 1e-9).ceil() as u64;
        for look in first..=looks {
            let time = (plan.every * look as f64).min(end);
            while let Some(picture) = series.due(time) {
                self.wall.steps(|| self.simulation.run_until(picture))?;
                self.wall.pictures(|| series.add(plan, &self.tissue, &self.simulation.phi(), picture))?;
            }
            // What is set at 0 is seen at 0 once the first step is done.
            let simulation = &mut self.simulation;
            let observation = self.wall.steps(|| simulation.run_until(time).and_then(|()| simulation.observe()))?;
            if let Some(failure) = galerkit::heart::failure(self.simulation.engine()) {
                return Err(failure.into());
            }
            bar.set_position((1000.0 * time / end) as u64);
            bar.set_message(format!("{time:.0} of {end:.0} ms, {:.0} % excited", 100.0 * observation.fraction_excited));
            seen.observations.push(observation);
            if plan.beat.is_collected() {
                let simulation = &mut self.simulation;
                self.wall.steps(|| seen.beats.note(simulation.crossings()));
            }
            if let Some(path) = &plan.files.checkpoint {
                checkpoint::write(path, plan, &mut self.simulation, &seen)?;
            }
            if !interrupt::goes_on() {
                seen.is_interrupted = true;
                break;
            }
        }
        interrupt::iteration_is_over();
        bar.finish_and_clear();
        self.wall.pictures(|| series.finish(plan))?;
        Ok(seen)
    }
}

/// The first look after a time; looks stand at the steps nearest to them.
fn next_look(plan: &HeartPlan, time: f64) -> u64 {
    let is_after = |look: &u64| plan.scheme.nearest(plan.every * *look as f64) > time + 1e-9;
    let first = (time / plan.every + 1e-9) as u64 + 1;
    (first..).find(is_after).unwrap_or(first)
}

/// Electrodes: those of leads that were typed, then those of an electrocardiogram.
pub fn electrodes(plan: &HeartPlan, tissue: &Tissue) -> Vec<[f64; 3]> {
    let middle = [0, 1, 2].map(|d| {
        let ends = |[low, high]: [f64; 2], x: &[f64; 3]| [low.min(x[d]), high.max(x[d])];
        let [low, high] = tissue.points().iter().fold([f64::INFINITY, f64::NEG_INFINITY], ends);
        0.5 * (low + high)
    });
    let chest = plan.ecg.then(|| leads::electrodes(middle));
    plan.leads.iter().copied().chain(chest.into_iter().flatten()).collect()
}

/// A scheme by choice.
pub fn make_scheme(
    engine: &mut Machine,
    tissue: &Tissue,
    matrices: &Arc<Matrices>,
    model: &Model,
    choice: &SchemeChoice,
) -> galerkit::fem::Result<Box<dyn Scheme>> {
    Ok(match choice {
        SchemeChoice::Strang(settings) => {
            Box::new(Halving::new(engine, matrices.clone(), model.clone(), settings)?) //
        }
        SchemeChoice::Newton(settings) => Box::new(Newton::new(engine, tissue, matrices, model.clone(), settings)?),
    })
}

fn programs(
    plan: &HeartPlan,
    (tissue, matrices): (&Tissue, &Arc<Matrices>),
    device: galerkit::Device,
    stimuli: &[Stimulus],
    leads: &[[f64; 3]],
    say: &dyn Fn(&str),
) -> Result<(Simulation, Vec<Located>)> {
    let mut engine = galerkit::heart::engine(device)?;
    let scheme = make_scheme(&mut engine, tissue, matrices, &plan.model, &plan.scheme)?;
    let probes: Vec<Located> = plan.probes.iter().map(|point| Located::new(tissue, *point)).collect();
    for (point, probe) in plan.probes.iter().zip(&probes).filter(|(_, probe)| probe.distance > 0.0) {
        let nearest = tissue.points()[probe.nodes[0].0 as usize];
        say(&format!(
            "warning: the probe at {point:?} is not in the tissue: the nearest node, at {nearest:?}, is taken"
        ));
    }
    let observed = Observed { probes: probes.clone(), electrodes: leads.to_vec(), matrices: Some(matrices.clone()) };
    Ok((Simulation::new(engine, scheme, tissue, stimuli, &observed), probes))
}

fn bar(shown: bool) -> ProgressBar {
    let stream = if shown { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(1000), stream);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}, {elapsed} so far, about {eta} to go") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar
}

/// Times of the beat that was chosen; of all the first.
fn times(plan: &HeartPlan, session: &mut Session, seen: &Seen) -> [Vec<f64>; 2] {
    match plan.beat {
        BeatChoice::First | BeatChoice::Last => session.simulation.times(),
        BeatChoice::Number(number) => seen.beats.times(number),
        BeatChoice::All => seen.beats.times(1),
    }
}

/// One run with everything that was asked for.
pub fn run(plan: &HeartPlan, output: Output) -> Result<Ending> {
    let mut session = Session::new(plan, output)?;
    stimulated::unstimulated(plan, &session.tissue)
        .iter()
        .filter(|_| !plan.quiet)
        .for_each(|warning| output.note(warning));
    let end = plan.end.context("a run needs --end")?;
    let seen = session.watch(plan, end, output)?;
    let [up, down] = times(plan, &mut session, &seen);
    let at_probes = |times: &[f64]| session.probes.iter().map(|p| p.value(times, |t| t != NEVER)).collect::<Vec<_>>();
    let at_probes = [at_probes(&up), at_probes(&down)];
    let mut document = Document::new(plan, &mut session, &seen);
    [document.activation, document.repolarisation] = at_probes;
    if plan.beat == BeatChoice::All {
        document.beats = session.probes.iter().map(|probe| seen.beats.at(probe)).collect();
    }
    let phi = session.simulation.phi();
    let phases = phases(&plan.model, &session.tissue, &phi, &session.simulation.recovery());
    if plan.files.phase.is_some() && session.tissue.mesh().dim() > 1 {
        document.phase_singularities = Some(singularities(&Surface::new(&session.tissue)?, &phases));
    }
    let nodal = Nodal { times: [&up, &down], phi: &phi, phases: Some(&phases), beats: &seen.beats };
    written::write(plan, &session.tissue, &document, &nodal, output)?;
    report::say(plan, &document, output)?;
    Ok(if seen.is_interrupted { Ending::Interrupted } else { Ending::Done })
}
