//! The run before its viewers: takes orders, goes on, publishes what somebody is ready to see.

use super::living::Living;
use super::state;
use super::tempo::Tempo;
use crate::commands::Ending;
use crate::interrupt;
use crate::plan::heart::LivePlan;
use anyhow::Result;
use galerkit::fem;
use galerkit::fem::cardiac::frame::{Look, POTENTIAL, QUANTUM};
use galerkit_live::command::Command;
use galerkit_live::frame::Header;
use galerkit_live::hub::Told;
use galerkit_live::journal::{Entry, Journal};
use galerkit_live::{Kind, Order, Server};
use serde_json::json;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Samples of electrograms that every frame has, so that none is lost with a frame.
const SAMPLES: usize = 160;
/// How long a run that rests waits for orders.
const REST: Duration = Duration::from_millis(15);

/// The run before its viewers.
pub struct Stage {
    living: Living,
    server: Server,
    journal: Journal,
    /// Commands to be done again, first ones first; none where viewers give them.
    script: Option<VecDeque<Entry>>,
    tempo: Tempo,
    playing: bool,
    /// Where to stay.
    stop_at: Option<u64>,
    end: Option<u64>,
    checkpoint: PathBuf,
    /// Counts states of the run.
    sequence: u32,
    published: [Option<u32>; Kind::ALL.len()],
    samples: VecDeque<Vec<f32>>,
    excited: f32,
    /// Steps and CG iterations when a frame was last made, and iterations a step since the one before.
    counted: [u64; 2],
    iterations: f32,
    /// Why it cannot go on.
    problem: Option<String>,
}

impl Stage {
    /// Before anybody has come.
    pub fn new(living: Living, server: Server, journal: Journal, script: Option<Vec<Entry>>, live: &LivePlan) -> Self {
        let begun = living.time();
        Self {
            tempo: Tempo::new(live.speed, begun, Instant::now()),
            living,
            server,
            journal,
            script: script.map(VecDeque::from),
            playing: !live.is_paused,
            stop_at: None,
            end: live.end,
            checkpoint: live.checkpoint.clone(),
            sequence: 0,
            published: [None; Kind::ALL.len()],
            samples: VecDeque::new(),
            excited: 0.0,
            counted: [0; 2],
            iterations: 0.0,
            problem: None,
        }
    }

    /// What to open.
    pub fn url(&self) -> String {
        self.server.url()
    }
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// Runs until it is interrupted, or to its end.
    pub fn run(&mut self) -> Result<Ending> {
        self.observe()?;
        if !self.living.memory.strokes.is_empty() {
            self.server.hub().set_scars(self.living.scars());
        }
        let mut wait = Duration::ZERO;
        while interrupt::goes_on() {
            self.take_orders(wait)?;
            self.read_script()?;
            wait = match self.go_on() {
                Err(error) if matches!(error.downcast_ref(), Some(fem::Error::Unstable { .. })) => {
                    (self.playing, self.problem) =
                        (false, Some(format!("{error}; resume a checkpoint, or start anew")));
                    REST
                }
                other => other?,
            };
            self.publish();
            self.server.hub().set_status(self.status());
            if self.end.is_some_and(|end| end <= self.living.time()) {
                interrupt::iteration_is_over();
                return Ok(Ending::Done);
            }
        }
        interrupt::iteration_is_over();
        Ok(Ending::Interrupted)
    }

    /// Runs to a time.
    pub fn run_to(&mut self, end: u64) -> Result<Ending> {
        self.end = Some(end);
        self.run()
    }

    /// Sends everybody home; the journal says where it ended.
    pub fn close(mut self) -> Result<Living> {
        self.journal.add(&Entry { step: self.living.steps(), time: self.living.time(), command: None })?;
        self.server.stop();
        Ok(self.living)
    }

    /// Waits for the first order; sliders that were moved again meanwhile count once.
    fn take_orders(&mut self, wait: Duration) -> Result<()> {
        let first = self.server.orders().recv_timeout(wait).ok();
        let orders: Vec<Order> = first.into_iter().chain(self.server.orders().try_iter()).collect();
        let mut merged: Vec<Order> = Vec::new();
        for order in orders {
            match (merged.last_mut(), order) {
                (
                    Some(Order { command: Command::Parameters(old), .. }),
                    Order { command: Command::Parameters(new), .. },
                ) => *old = new.or(*old),
                (_, order) => merged.push(order),
            }
        }
        merged.into_iter().try_for_each(|order| self.obey(order))
    }

    fn obey(&mut self, Order { viewer, command }: Order) -> Result<()> {
        let is_change = !command.is_show() && command != (Command::Checkpoint {});
        if is_change && self.script.is_some() {
            self.server.hub().tell(viewer, Told::Text("this is a replay: it cannot be changed".into()));
            return Ok(());
        }
        if let Some(said) = self.perform(&command)? {
            self.server.hub().tell(viewer, Told::Text(said));
        }
        if command == (Command::Checkpoint {}) {
            let bytes = state::encode(&mut self.living)?;
            state::write(&mut self.living, &self.checkpoint)?;
            self.server.hub().tell(viewer, Told::Text(format!("the state is in {}", self.checkpoint.display())));
            self.server.hub().tell(viewer, Told::State(Arc::new(bytes)));
        }
        Ok(())
    }

    /// Writes a command down, then does it.
    fn perform(&mut self, command: &Command) -> Result<Option<String>> {
        let (step, time) = (self.living.steps(), self.living.time());
        self.journal.add(&Entry { step, time, command: Some(command.clone()) })?;
        match command {
            Command::Play {} => (self.playing, self.stop_at) = (true, None),
            Command::Pause {} => self.playing = false,
            Command::Step { milliseconds } => {
                (self.playing, self.stop_at) = (true, Some(time + u64::from(*milliseconds)));
            }
            Command::Speed { factor } => self.tempo.set_speed(*factor),
            Command::Checkpoint {} => {}
            Command::Probe { node } => {
                self.samples.iter_mut().filter_map(|sample| sample.last_mut()).for_each(|shown| *shown = f32::NAN);
                self.living.probe(*node);
                self.sequence += 1;
                return Ok(Some(format!("the trace is of node {node}")));
            }
            _ => {
                let said = self.living.apply(command)?;
                if let Command::Ablate { .. } | Command::Undo {} = command {
                    self.server.hub().set_scars(self.living.scars());
                }
                self.sequence += 1;
                self.observe()?;
                self.tempo.restart(time, Instant::now());
                return Ok(said);
            }
        }
        self.tempo.restart(time, Instant::now());
        Ok(None)
    }

    /// Does again what was done at this time.
    fn read_script(&mut self) -> Result<()> {
        let now = self.living.time();
        let is_due = |script: &VecDeque<Entry>| script.front().is_some_and(|entry| entry.time <= now);
        while let Some(entry) = self.script.as_mut().filter(|script| is_due(script)).and_then(VecDeque::pop_front) {
            match &entry.command {
                Some(command) if !command.is_show() => drop(self.perform(command)?),
                Some(_) => {}
                None => self.playing = false,
            }
        }
        Ok(())
    }

    /// Goes on as far as the tempo allows; how long to wait before the next turn.
    fn go_on(&mut self) -> Result<Duration> {
        let now = self.living.time();
        if !self.playing {
            return Ok(REST);
        }
        let target = match (self.stop_at, self.tempo.due(now, Instant::now())) {
            (Some(stop), _) => stop.min(now + self.tempo.launch()),
            (None, Ok(target)) => target,
            (None, Err(wait)) => return Ok(wait),
        };
        let limits = [self.end, self.script.as_ref().and_then(|script| script.front()).map(|entry| entry.time)];
        let target = limits.into_iter().flatten().fold(target, u64::min);
        while self.living.time() < target {
            let (begun, before) = (Instant::now(), self.living.time());
            self.living.advance(target.min(before + self.tempo.launch()), || true)?;
            self.tempo.note(self.living.time() - before, begun.elapsed());
            self.observe()?;
        }
        self.sequence += 1;
        if self.stop_at.is_some_and(|stop| stop <= self.living.time()) {
            (self.playing, self.stop_at) = (false, None);
        }
        Ok(Duration::ZERO)
    }

    /// Only for frames: asking a GPU takes as long as a step.
    fn count(&mut self) {
        let now = [self.living.steps(), self.living.iterations()];
        let [steps, iterations] = [0, 1].map(|k| now[k].saturating_sub(self.counted[k]) as f64);
        if steps > 0.0 {
            (self.counted, self.iterations) = (now, (iterations / steps) as f32);
        }
    }

    fn observe(&mut self) -> Result<()> {
        let observation = self.living.observe()?;
        self.excited = observation.fraction_excited as f32;
        let time = std::iter::once(self.living.time() as f32);
        let probe = observation.watched.map_or(f32::NAN, |phi| phi as f32);
        self.samples.push_back(time.chain(observation.electrograms.iter().map(|x| *x as f32)).chain([probe]).collect());
        while self.samples.len() > SAMPLES {
            self.samples.pop_front();
        }
        Ok(())
    }

    /// Frames that somebody is ready for and that nobody has seen.
    fn publish(&mut self) {
        for kind in self.server.hub().wanted() {
            if self.published[kind as usize] == Some(self.sequence) {
                continue;
            }
            self.count();
            let times = [-QUANTUM, 65534.0 * QUANTUM];
            let (values, range) = match kind {
                Kind::Potential => (self.living.frame(Look::Potential), POTENTIAL),
                Kind::Activation => (self.living.frame(Look::Activation), times),
                Kind::Duration => (self.living.frame(Look::Duration), times),
                Kind::Phase => (self.living.phases(), [-180.0, 180.0]),
            };
            let header = Header {
                kind,
                playing: self.playing,
                sequence: self.sequence,
                step: self.living.steps(),
                time: self.living.time() as f64,
                pace: self.tempo.ratio() as f32,
                iterations: self.iterations,
                excited: self.excited,
                range: range.map(|x| x as f32),
            };
            let bytes = header.encode(self.samples.make_contiguous(), &values);
            self.server.hub().publish(kind, self.sequence, bytes);
            self.published[kind as usize] = Some(self.sequence);
        }
    }

    fn status(&self) -> serde_json::Value {
        let memory = &self.living.memory;
        json!({
            "playing": self.playing,
            "speed": self.tempo.speed(),
            "parameters": memory.parameters,
            "ablations": memory.strokes.len(),
            "pulses": memory.pulses.len(),
            "armed": memory.armed.is_some(),
            "origin": memory.origin,
            "probe": self.living.probed,
            "replay": self.script.is_some(),
            "problem": self.problem,
        })
    }
}
