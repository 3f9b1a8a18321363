//! A run that can be changed while it goes on. What the scheme is made of follows from the plan and the [`Memory`]
//! alone: programs for cells and step from the tissue as it was, then new values for what conducts now. So a replay and
//! a restored state have equal bits.

use super::super::beat::{Session, make_scheme};
use super::super::checkpoint;
use super::memory::{Memory, Stroke, touched};
use crate::output::Output;
use crate::plan::heart::{HeartPlan, SchemeChoice};
use anyhow::Result;
use galerkit::fem::cardiac::cell::Kind;
use galerkit::fem::cardiac::frame::{Frames, Look, POTENTIAL, QUANTUM};
use galerkit::fem::cardiac::matrices::Matrices;
use galerkit::fem::cardiac::phase::phases;
use galerkit::fem::cardiac::simulation::Observation;
use galerkit::fem::cardiac::stimulus::Change;
use galerkit::fem::cardiac::surface::Surface;
use galerkit::fem::cardiac::{Model, Region, Tissue};
use galerkit_live::command::{Command, Limits, Parameters};
use galerkit_live::frame::Surface as Drawn;
use galerkit_live::journal::Opening;
use galerkit_live::server::Shown;
use serde_json::json;
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

/// Distance of electrodes from the middle of the tissue over its extent, where none are named.
const APART: f64 = 0.75;

/// A run that can be changed.
pub struct Living {
    session: Session,
    plan: HeartPlan,
    surface: Surface,
    frames: Frames,
    leads: Vec<[f64; 3]>,
    before: Parameters,
    /// The node whose potential is shown over time.
    pub probed: Option<u32>,
    /// What has been changed.
    pub memory: Memory,
}

impl Living {
    /// Begins one.
    pub fn new(plan: &HeartPlan, output: Output) -> Result<Self> {
        let mut session = Session::with_leads(plan, output, &|tissue| match &plan.leads[..] {
            [] => electrodes(tissue),
            given => given.to_vec(),
        })?;
        session.simulation.forgo_energy();
        let leads = session.leads.clone();
        let surface = Surface::new(&session.tissue)?;
        let (engine, scheme) = session.simulation.parts();
        let frames = Frames::new(engine, scheme, &surface.nodes)?;
        let memory = Memory::new(&plan.model, &session.tissue, plan.scheme.dt());
        let before = memory.parameters;
        Ok(Self { session, plan: plan.clone(), surface, frames, leads, before, probed: None, memory })
    }

    /// Where it is, in ms.
    pub fn time(&self) -> u64 {
        self.memory.time
    }
    /// Steps so far.
    pub fn steps(&self) -> u64 {
        self.memory.steps
    }

    /// Goes on to a time in ms, with every pulse on the way, unless it is told to stop in between.
    pub fn advance(&mut self, until: u64, goes_on: impl Fn() -> bool) -> Result<()> {
        while self.memory.time < until && goes_on() {
            while let Some(pulse) = self.memory.due() {
                self.excite(pulse.node, pulse.radius, 1.0);
            }
            let now = self.memory.time;
            let watches = self.memory.armed.as_ref().is_some_and(|armed| armed.from <= now);
            let looks = self.memory.armed.as_ref().map(|armed| armed.from).filter(|from| *from > now);
            let pulse = self.memory.pulses.first().map(|pulse| pulse.time);
            let next = if watches { now + 1 } else { [pulse, looks].into_iter().flatten().fold(until, u64::min) };
            self.session.simulation.run_until(next as f64)?;
            self.memory.steps += (next - now) * (1.0 / self.memory.parameters.dt.unwrap_or(1.0)).round() as u64;
            self.memory.time = next;
            if watches {
                self.look_for_tail();
            }
        }
        Ok(())
    }

    /// An armed S2 looks at the byte of its vertex, so that little leaves a GPU.
    fn look_for_tail(&mut self) {
        let Some(node) = self.memory.armed.as_ref().map(|armed| armed.node) else { return };
        let Some(vertex) = self.surface.nodes.iter().position(|own| *own == node) else { return };
        let byte = self.frame(Look::Potential)[vertex];
        let [low, high] = POTENTIAL;
        self.memory.look(low + (high - low) * f64::from(byte) / 255.0);
    }

    /// Does what was asked for; what is to be said of it.
    pub fn apply(&mut self, command: &Command) -> Result<Option<String>> {
        let said = match command {
            Command::Stimulate { node, radius, potential } => {
                let reached = self.excite(*node, *radius, *potential);
                format!("stimulated node {node} and {} around it", reached - 1)
            }
            Command::Ablate { nodes, radius, factor } => {
                let stroke = Stroke { nodes: nodes.clone(), radius: *radius, factor: *factor };
                let count = touched(&self.session.tissue, &stroke).count();
                self.memory.strokes.push(stroke);
                self.conduct()?;
                format!("ablated {count} elements")
            }
            Command::Undo {} => match self.memory.strokes.pop() {
                Some(_) => {
                    self.conduct()?;
                    "took the last ablation back".into()
                }
                None => "there is no ablation to take back".into(),
            },
            Command::Pace(pace) => {
                self.memory.pace(pace);
                format!("{} stimuli to come", self.memory.pulses.len() + usize::from(self.memory.armed.is_some()))
            }
            Command::Disarm {} => {
                self.memory.pulses.clear();
                self.memory.armed = None;
                "no stimuli to come".into()
            }
            Command::Parameters(parameters) => {
                let old = self.memory.parameters;
                self.memory.parameters = parameters.or(old);
                let new = self.memory.parameters;
                match (new.alpha, new.dt) == (old.alpha, old.dt) {
                    false => self.renew()?,
                    true if new != old => self.conduct()?,
                    true => {}
                }
                return Ok(None);
            }
            Command::ClearTimes {} => {
                self.session.simulation.clear_times();
                self.memory.origin = self.memory.time;
                "a new map begins".into()
            }
            _ => return Ok(None), // what changes only what is shown
        };
        Ok(Some(said))
    }

    /// Sets the potential around a node, and of the node itself; how many nodes were reached.
    fn excite(&mut self, node: u32, radius: f64, potential: f64) -> usize {
        let centre = self.session.tissue.points()[node as usize];
        let mut shares = Region::Sphere(centre, radius).fractions(&self.session.tissue);
        shares[node as usize] = 1.0;
        self.session.simulation.stimulate(&shares, Change::Set(potential));
        shares.iter().filter(|share| **share > 0.0).count()
    }

    /// Makes cells react, steps be as long and the tissue conduct as the memory says.
    pub fn renew(&mut self) -> Result<()> {
        self.replace(None)?;
        let (base, tissue) = (&self.session.tissue, self.tissue()?);
        let is_changed = (0..base.elements()).any(|e| base.conductivity(e) != tissue.conductivity(e));
        if is_changed {
            return self.conduct();
        }
        self.session.simulation.reweigh(&tissue, &self.leads);
        Ok(())
    }

    /// Makes the tissue conduct as the memory says: new values of the matrices.
    fn conduct(&mut self) -> Result<()> {
        let tissue = self.tissue()?;
        let matrices = Arc::new(Matrices::new(&tissue)?);
        if !self.session.simulation.refill(&matrices)? {
            self.replace(Some((&tissue, &matrices)))?;
        }
        self.session.simulation.reweigh(&tissue, &self.leads);
        Ok(())
    }

    /// The tissue as it conducts now.
    fn tissue(&self) -> Result<Tissue> {
        let base = &self.session.tissue;
        Ok(base.clone().with_conductivities(self.memory.conductivities(base, &self.before))?)
    }

    fn replace(&mut self, other: Option<(&Tissue, &Arc<Matrices>)>) -> Result<()> {
        let (tissue, matrices) = other.unwrap_or((&self.session.tissue, &self.session.matrices));
        let (choice, model) = (self.choice(), self.model());
        let simulation = &mut self.session.simulation;
        simulation.replace_scheme(&|engine| make_scheme(engine, tissue, matrices, &model, &choice))?;
        let (engine, scheme) = simulation.parts();
        self.frames = Frames::new(engine, scheme, &self.surface.nodes)?;
        Ok(())
    }

    fn choice(&self) -> SchemeChoice {
        let mut choice = self.plan.scheme.clone();
        let dt = self.memory.parameters.dt.unwrap_or(choice.dt());
        match &mut choice {
            SchemeChoice::Strang(settings) => settings.dt = dt,
            SchemeChoice::Newton(settings) => settings.dt = dt,
        }
        choice
    }

    fn model(&self) -> Model {
        let mut model = self.plan.model.clone();
        if let (Kind::AlievPanfilov(cell), Some(alpha)) = (&mut model.kind, self.memory.parameters.alpha) {
            cell.alpha = alpha;
        }
        model
    }

    /// What its surface shows, in bytes.
    pub fn frame(&mut self, look: Look) -> Vec<u8> {
        let (engine, _) = self.session.simulation.parts();
        self.frames.take(engine, look, self.memory.origin as f64)
    }

    /// The phase of the nodes of the surface, a byte each for a whole turn. On the host: nobody looks at it for long.
    pub fn phases(&mut self) -> Vec<u8> {
        let (model, simulation) = (self.model(), &mut self.session.simulation);
        let (phi, recovery) = (simulation.phi(), simulation.recovery());
        let phases = phases(&model, &self.session.tissue, &phi, &recovery);
        let byte = |node: &u32| (255.0 * (0.5 + phases[*node as usize] / TAU)).round() as u8;
        self.surface.nodes.iter().map(byte).collect()
    }

    /// Shows the potential of a node over time from now on.
    pub fn probe(&mut self, node: u32) {
        self.session.simulation.watch(node);
        self.probed = Some(node);
    }

    /// How the nodes of the surface conduct, a byte each: 255 is without ablation.
    pub fn scars(&self) -> Vec<u8> {
        let (tissue, factors) = (&self.session.tissue, self.memory.factors(&self.session.tissue));
        let mut least = vec![1.0f64; tissue.points().len()];
        for (e, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor < 1.0) {
            tissue.nodes(e).iter().for_each(|node| least[*node as usize] = least[*node as usize].min(*factor));
        }
        self.surface.nodes.iter().map(|node| (255.0 * least[*node as usize]) as u8).collect()
    }

    /// Looks at the state; fails where it is not finite, or the GPU is lost.
    pub fn observe(&mut self) -> Result<Observation> {
        let observation = self.session.simulation.observe()?;
        match galerkit::heart::failure(self.session.simulation.engine()) {
            Some(failure) => Err(failure.into()),
            None => Ok(observation),
        }
    }

    /// CG iterations since the scheme was made.
    pub fn iterations(&mut self) -> u64 {
        self.session.simulation.counts().cg_iterations
    }

    /// The numbers as bytes, without the memory.
    pub fn save(&mut self) -> Vec<u8> {
        self.session.simulation.save()
    }
    /// Goes on from such bytes, and from where they were; false if they are of another tissue or scheme.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<bool> {
        Ok(self.session.simulation.restore(bytes)?)
    }
    /// Goes on from the file of a run that was not live.
    pub fn resume(&mut self, path: &Path) -> Result<()> {
        let _ = checkpoint::read(path, &self.plan, &mut self.session.simulation, self.plan.leads.len())?;
        self.memory.steps = (self.simulated() / self.plan.scheme.dt()).round() as u64;
        Ok(())
    }
    /// The time of the numbers, in ms.
    pub fn simulated(&self) -> f64 {
        self.session.simulation.time()
    }

    /// What a journal of it begins with.
    pub fn opening(&self) -> Opening {
        Opening {
            galerkit: env!("CARGO_PKG_VERSION").into(),
            geometry: self.plan.geometry.name(),
            nodes: self.session.tissue.points().len(),
            elements: self.session.tissue.elements(),
            cell: self.plan.model.name().into(),
            scheme: self.session.simulation.scheme().into(),
            dt: self.plan.scheme.dt(),
        }
    }

    /// What viewers are shown.
    pub fn shown(&self, journal: &Path) -> Result<Shown> {
        let Surface { positions, triangles, nodes } = self.surface.clone();
        let opening = self.opening();
        let about = json!({
            "run": opening,
            "device": self.session.device.0.to_string(),
            "leads": self.leads,
            "alpha": self.before.alpha.is_some(),
            "potential": POTENTIAL,
            "quantum": QUANTUM,
            "steps": galerkit_live::command::STEPS,
        });
        let limits = Limits { nodes: opening.nodes as u32, has_alpha: self.before.alpha.is_some() };
        Ok(Shown { about, surface: Drawn { positions, triangles, nodes }, limits, journal: journal.into() })
    }
}

/// Three, beside the tissue along each axis.
fn electrodes(tissue: &Tissue) -> Vec<[f64; 3]> {
    let count = tissue.points().len().max(1) as f64;
    let sum = tissue.points().iter().fold([0.0; 3], |sum, x| [0, 1, 2].map(|d| sum[d] + x[d]));
    let (middle, apart) = (sum.map(|x| x / count), APART * tissue.extent());
    (0..3).map(|axis| [0, 1, 2].map(|d| middle[d] + if d == axis { apart } else { 0.0 })).collect()
}
