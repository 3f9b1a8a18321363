//! A run under observation: programs end every so many milliseconds, somebody looks, and on it goes.

use super::super::Ending;
use super::pictures::Camera;
use super::report::{self, Document};
use super::tissue::tissue;
use crate::interrupt;
use crate::output::Output;
use crate::plan::heart::{HeartPlan, SchemeChoice};
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::crossings::NEVER;
use galerkit::fem::cardiac::functional::Located;
use galerkit::fem::cardiac::matrices::Matrices;
use galerkit::fem::cardiac::scheme::Machine;
use galerkit::fem::cardiac::simulation::{Observation, Observed};
use galerkit::fem::cardiac::{Model, Newton, Scheme, Simulation, Strang, Tissue};
use galerkit::fem::picture::Film;
use galerkit::linalg::io::atomic_write;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Instant;

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
    /// Seconds until here.
    pub setup_seconds: f64,
}

/// A scheme by choice.
pub fn make_scheme(
    engine: &mut Machine,
    tissue: &Tissue,
    matrices: &Matrices,
    model: &Model,
    choice: &SchemeChoice,
) -> galerkit::fem::Result<Box<dyn Scheme>> {
    Ok(match choice {
        SchemeChoice::Strang(settings) => Box::new(Strang::new(engine, matrices, model.clone(), settings)?),
        SchemeChoice::Newton(settings) => Box::new(Newton::new(engine, tissue, matrices, model.clone(), settings)?),
    })
}

/// What was seen.
pub struct Seen {
    /// One after the other.
    pub observations: Vec<Observation>,
    /// Seconds in programs and observations.
    pub seconds: f64,
    /// Whether Ctrl-C ended it.
    pub is_interrupted: bool,
    film: Option<Film>,
}

impl Session {
    /// Builds tissue, matrices and programs.
    pub fn new(plan: &HeartPlan, output: Output) -> Result<Self> {
        Self::with_leads(plan, output, &|_| plan.leads.clone())
    }

    /// The same with electrodes that depend on the tissue.
    pub fn with_leads(plan: &HeartPlan, output: Output, leads: &dyn Fn(&Tissue) -> Vec<[f64; 3]>) -> Result<Self> {
        let begun = Instant::now();
        let say = |text: &str| {
            if !plan.quiet {
                output.note(text);
            }
        };
        let tissue = tissue(plan, &say)?;
        let device = galerkit::heart::device(plan.place.device, tissue.points().len());
        let mut engine = galerkit::heart::engine(device.0)?;
        let matrices = Matrices::new(&tissue)?;
        let scheme = make_scheme(&mut engine, &tissue, &matrices, &plan.model, &plan.scheme)?;
        let probes: Vec<Located> = plan.probes.iter().map(|point| Located::new(&tissue, *point)).collect();
        for (point, probe) in plan.probes.iter().zip(&probes).filter(|(_, probe)| probe.distance > 0.0) {
            let nearest = tissue.points()[probe.nodes[0].0 as usize];
            say(&format!(
                "warning: the probe at {point:?} is not in the tissue: the nearest node, at {nearest:?}, is taken"
            ));
        }
        let leads = leads(&tissue);
        let observed = Observed { probes: probes.clone(), electrodes: leads.clone() };
        let simulation = Simulation::new(engine, scheme, &tissue, &plan.stimuli, &observed);
        for (stimulus, _) in simulation.reached().into_iter().enumerate().filter(|(_, nodes)| *nodes == 0) {
            say(&format!(
                "warning: stimulus {} hits no node of the tissue: check its place and the unit of the mesh",
                stimulus + 1
            ));
        }
        Ok(Self { tissue, simulation, device, probes, leads, setup_seconds: begun.elapsed().as_secs_f64() })
    }

    /// Runs to the end, or until somebody stops it.
    pub fn watch(&mut self, plan: &HeartPlan, end: f64, output: Output) -> Result<Seen> {
        let first = self.first_look(plan)?;
        let camera = plan.files.film.as_ref().map(|_| Camera::new(&self.tissue));
        let mut seen = Seen {
            observations: Vec::new(),
            seconds: 0.0,
            is_interrupted: false,
            film: camera.as_ref().map(|_| Film::new(60)),
        };
        let bar = bar(output.watched && !plan.quiet);
        let looks = (end / plan.every - 1e-9).ceil() as u64;
        for look in first..=looks {
            let begun = Instant::now();
            let time = (plan.every * look as f64).min(end);
            // What is set at 0 is seen at 0 once the first step is done.
            self.simulation.run_until(time)?;
            let observation = self.simulation.observe()?;
            if let Some(failure) = galerkit::heart::failure(self.simulation.engine()) {
                return Err(failure.into());
            }
            seen.seconds += begun.elapsed().as_secs_f64();
            bar.set_position((1000.0 * time / end) as u64);
            bar.set_message(format!("{time:.0} of {end:.0} ms, {:.0} % excited", 100.0 * observation.fraction_excited));
            seen.observations.push(observation);
            if let (Some(film), Some(camera)) = (&mut seen.film, &camera) {
                film.push(camera.potential(&self.simulation.phi(), time)?)?;
            }
            if let Some(path) = &plan.files.checkpoint {
                let state = self.simulation.save();
                atomic_write(path, |to| to.write_all(&state))
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            if !interrupt::goes_on() {
                seen.is_interrupted = true;
                break;
            }
        }
        interrupt::iteration_is_over();
        bar.finish_and_clear();
        Ok(seen)
    }
}

impl Session {
    /// 0, or the first after a state to go on from.
    fn first_look(&mut self, plan: &HeartPlan) -> Result<u64> {
        let Some(path) = &plan.files.resume else { return Ok(0) };
        let saved = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        if !self.simulation.restore(&saved) {
            bail!(
                "{} holds no state of this tissue and scheme: resume with the options of the run that wrote it",
                path.display()
            );
        }
        Ok((self.simulation.time() / plan.every + 1e-9) as u64 + 1)
    }
}

fn bar(shown: bool) -> ProgressBar {
    let stream = if shown { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(1000), stream);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}, {elapsed} so far, about {eta} to go") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar
}

/// One run with everything that was asked for.
pub fn run(plan: &HeartPlan, output: Output) -> Result<Ending> {
    let mut session = Session::new(plan, output)?;
    let end = plan.end.context("a run needs --end")?;
    let seen = session.watch(plan, end, output)?;
    let [up, down] = session.simulation.times();
    let at_probes = |times: &[f64]| session.probes.iter().map(|p| p.value(times, |t| t != NEVER)).collect::<Vec<_>>();
    let at_probes = [at_probes(&up), at_probes(&down)];
    let mut document = Document::new(plan, &mut session, &seen);
    [document.activation, document.repolarisation] = at_probes;
    let phi = session.simulation.phi();
    report::write(plan, &session.tissue, &document, [&up, &down, &phi], output)?;
    if let (Some(path), Some(film)) = (&plan.files.film, &seen.film) {
        film.write(path)?;
    }
    report::say(plan, &document, output)?;
    Ok(if seen.is_interrupted { Ending::Interrupted } else { Ending::Done })
}
