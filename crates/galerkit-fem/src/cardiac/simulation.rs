//! A run: a scheme, stimuli and what is observed. Programs end where a stimulus begins or ends, or where somebody wants
//! to look; between these times the host is asked for nothing.

use super::crossings::NEVER;
use super::functional::{Located, electrogram};
use super::matrices::Matrices;
use super::scheme::{Counts, Machine, Recovery, Scheme, Vector};
use super::stimulus::{Change, Event, Stimulus, events};
use super::tissue::Tissue;
use crate::error::{Error, Result};
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Resident, Routine};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::sparse::Matrix;
use std::sync::Arc;

/// What a saved run begins with.
const MAGIC: &[u8] = b"galerkit heart 2";
/// Times this near are one, in ms.
const INSTANT: f64 = 1e-9;
/// A node with a higher potential is excited.
const EXCITED: f64 = 0.5;
/// Potentials that were set may be further from 1/2 by this after a step.
const MARGIN: f64 = 1.2;

/// What is known at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// In ms.
    pub time: f64,
    /// The share of nodes that are excited.
    pub fraction_excited: f64,
    /// The largest |phi|.
    pub largest: f64,
    /// int D grad phi . grad phi / 2, if the stiffness was given.
    pub energy: Option<f64>,
    /// phi at each probe.
    pub probes: Vec<f64>,
    /// The potential at each electrode.
    pub electrograms: Vec<f64>,
    /// phi of the node that is watched.
    pub watched: Option<f64>,
}

/// What is observed, and where.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Points in the tissue.
    pub probes: Vec<Located>,
    /// Electrodes.
    pub electrodes: Vec<[f64; 3]>,
    /// The matrices, if the energy is wanted.
    pub matrices: Option<Arc<Matrices>>,
}

/// Numbers that a routine finds, in one vector: one copy brings all of them.
struct Numbers {
    routine: Routine,
    values: Vector,
}

/// A run.
pub struct Simulation {
    engine: Machine,
    scheme: Box<dyn Scheme>,
    fractions: Vec<Vec<f64>>,
    events: Vec<Event>,
    next: usize,
    jumped: bool,
    /// How far from 1/2 stimuli have moved potentials.
    reach: f64,
    observe: Numbers,
    /// Of probes, electrodes and the node that is watched.
    weights: Vec<Vector>,
    /// K, where energies are wanted.
    stiffness: Option<Resident<Machine>>,
    nodes: usize,
    probes: usize,
    is_watched: bool,
}

impl Simulation {
    /// Begins a run; the tissue is at rest.
    pub fn new(
        mut engine: Machine,
        mut scheme: Box<dyn Scheme>,
        tissue: &Tissue,
        stimuli: &[Stimulus],
        observed: &Observed,
    ) -> Self {
        let (n, e) = (tissue.points().len(), &mut engine);
        let located = observed.probes.iter().map(|probe| probe.weights(n));
        let weights: Vec<Vector> = located
            .chain(observed.electrodes.iter().map(|electrode| electrogram(tissue, *electrode)))
            .map(|weights| e.upload(&weights))
            .collect();
        let stiffness = observed.matrices.as_ref().map(|matrices| e.load(matrix_map(Matrix::Csr(matrices.K.clone()))));
        let observe = observing(e, scheme.as_mut(), &weights, stiffness.as_ref());
        let fractions = stimuli.iter().map(|stimulus| stimulus.region.fractions(tissue)).collect();
        let (events, probes) = (events(stimuli), observed.probes.len());
        Self {
            engine,
            scheme,
            fractions,
            events,
            next: 0,
            jumped: false,
            reach: 0.0,
            observe,
            weights,
            stiffness,
            nodes: n,
            probes,
            is_watched: false,
        }
    }

    /// How many nodes each stimulus reaches.
    pub fn reached(&self) -> Vec<usize> {
        self.fractions.iter().map(|fractions| fractions.iter().filter(|share| **share > 0.0).count()).collect()
    }

    /// The share of each node's volume that a stimulus reaches.
    pub fn shares(&self, stimulus: usize) -> &[f64] {
        &self.fractions[stimulus]
    }

    /// Replaces the potential.
    pub fn set_phi(&mut self, phi: &[f64]) {
        self.reach = phi.iter().map(|phi| MARGIN * (phi - 0.5).abs()).fold(self.reach, f64::max);
        self.engine.write(self.scheme.phi(), phi);
    }

    /// Goes on to a time, with every stimulus on the way, those of that time not yet.
    ///
    /// # Errors
    /// If no step was small enough.
    pub fn run_until(&mut self, time: f64) -> Result<()> {
        while let Some(event) = self.events.get(self.next).copied().filter(|event| event.time < time - INSTANT) {
            self.go(event.time)?;
            self.apply(event);
            self.next += 1;
        }
        self.go(time)
    }

    fn go(&mut self, time: f64) -> Result<()> {
        let begun = self.scheme.time();
        if time > begun {
            self.scheme.allow(self.reach);
            self.scheme.run_until(&mut self.engine, time, self.jumped)?;
            // A time that is nearer to no step than to one leaves the damped step to the next.
            self.jumped &= self.scheme.time() == begun;
        }
        Ok(())
    }

    /// Changes the region of a stimulus now, whatever its times are.
    pub fn excite(&mut self, stimulus: usize, change: Change) {
        self.apply(Event { time: self.scheme.time(), stimulus, change });
    }

    fn apply(&mut self, event: Event) {
        let shares = std::mem::take(&mut self.fractions[event.stimulus]);
        self.stimulate(&shares, event.change);
        self.fractions[event.stimulus] = shares;
    }

    /// Stimulates now, by shares of each node's volume. Between programs: the host mixes.
    pub fn stimulate(&mut self, shares: &[f64], change: Change) {
        let (e, time) = (&mut self.engine, self.scheme.time());
        let target = match change {
            Change::Set(_) => self.scheme.phi(),
            Change::Add(_) => self.scheme.current(),
        };
        let before = e.download(target);
        let mixed = |(x, share): (&f64, &f64)| match change {
            Change::Set(value) => x + share * (value - x),
            Change::Add(strength) => x + share * strength,
        };
        let after: Vec<f64> = before.iter().zip(shares).map(mixed).collect();
        e.write(target, &after);
        // What is set decays; a current of 1/ms holds cells at about 1 more.
        let reach = match change {
            Change::Set(value) => MARGIN * (value - 0.5).abs(),
            Change::Add(_) => 1.0 + after.iter().copied().fold(0.0, |most, x| f64::max(most, x.abs())),
        };
        self.reach = self.reach.max(reach);
        if let Change::Set(_) = change {
            self.scheme.crossings().jump(e, &before, &after, time);
        }
        self.jumped = true;
    }

    /// Takes new values of matrices with the same pattern; false if the scheme must be made anew.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn refill(&mut self, matrices: &Arc<Matrices>) -> Result<bool> {
        self.jumped = true;
        self.scheme.refill(&mut self.engine, matrices)
    }

    /// Looks without the energy, whose product costs more than the rest of a look: for those who look all the time.
    pub fn forgo_energy(&mut self) {
        self.stiffness = None;
        self.observe = observing(&mut self.engine, self.scheme.as_mut(), &self.weights, None);
    }

    /// Goes on from here with another scheme of the same kind and tissue: other cells, another step that divides the
    /// time.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn replace_scheme(&mut self, make: &dyn Fn(&mut Machine) -> Result<Box<dyn Scheme>>) -> Result<()> {
        let mut scheme = make(&mut self.engine)?;
        for (new, old) in scheme.vectors().into_iter().zip(self.scheme.vectors()) {
            self.engine.copy(old, new);
        }
        scheme.set_time(self.scheme.time());
        self.observe = observing(&mut self.engine, scheme.as_mut(), &self.weights, self.stiffness.as_ref());
        (self.scheme, self.jumped) = (scheme, true);
        Ok(())
    }

    /// Electrograms depend on what conducts: computes their weights again.
    pub fn reweigh(&mut self, tissue: &Tissue, electrodes: &[[f64; 3]]) {
        for (weights, electrode) in self.weights[self.probes..].iter_mut().zip(electrodes) {
            self.engine.write(weights, &electrogram(tissue, *electrode));
        }
    }

    /// Watches a node from now on, in place of another one.
    pub fn watch(&mut self, node: u32) {
        let mut weights = vec![0.0; self.nodes];
        weights[node as usize] = 1.0;
        match self.weights.last_mut().filter(|_| self.is_watched) {
            Some(last) => self.engine.write(last, &weights),
            None => {
                self.weights.push(self.engine.upload(&weights));
                self.is_watched = true;
                self.observe =
                    observing(&mut self.engine, self.scheme.as_mut(), &self.weights, self.stiffness.as_ref());
            }
        }
    }

    /// Engine and scheme, for looks of one's own.
    pub fn parts(&mut self) -> (&mut Machine, &mut dyn Scheme) {
        (&mut self.engine, self.scheme.as_mut())
    }

    /// Looks at the state.
    ///
    /// # Errors
    /// If it is not finite any more.
    pub fn observe(&mut self) -> Result<Observation> {
        let (e, time) = (&mut self.engine, self.scheme.time());
        let _ = e.run(&self.observe.routine);
        let numbers = e.download(&self.observe.values);
        if numbers[1].is_nan() || numbers[1] > 10.0 {
            return Err(Error::Unstable { time, largest: numbers[1] });
        }
        let (numbers, energy) = numbers.split_at(numbers.len() - usize::from(self.stiffness.is_some()));
        let (numbers, watched) = numbers.split_at(numbers.len() - usize::from(self.is_watched));
        let (probes, electrograms) = numbers[2..].split_at(self.probes);
        Ok(Observation {
            time,
            fraction_excited: numbers[0] / self.nodes as f64,
            largest: numbers[1],
            energy: energy.first().map(|twice| 0.5 * twice),
            probes: probes.to_vec(),
            electrograms: electrograms.to_vec(),
            watched: watched.first().copied(),
        })
    }

    /// The potential by nodes.
    pub fn phi(&mut self) -> Vec<f64> {
        self.engine.download(self.scheme.phi())
    }
    /// Times of activation and repolarisation by nodes, of one beat; [`NEVER`] where there was none.
    pub fn times(&mut self) -> [Vec<f64>; 2] {
        let [up, mut down] = self.crossings();
        down.iter_mut().zip(&up).filter(|(down, up)| **down < **up).for_each(|(down, _)| *down = NEVER);
        [up, down]
    }
    /// The same, but the time of repolarisation is that of the beat before where one goes on.
    pub fn crossings(&mut self) -> [Vec<f64>; 2] {
        let crossings = self.scheme.crossings();
        [self.engine.download(&crossings.up), self.engine.download(&crossings.down)]
    }
    /// Recovery now, by nodes or by elements.
    pub fn recovery(&mut self) -> Recovery {
        self.scheme.recovery(&mut self.engine)
    }
    /// Forgets the times, for another beat.
    pub fn clear_times(&mut self) {
        self.scheme.crossings().clear(&mut self.engine);
    }
    /// Where it is, in ms.
    pub fn time(&self) -> f64 {
        self.scheme.time()
    }
    /// What was done so far.
    pub fn counts(&mut self) -> Counts {
        self.scheme.counts(&mut self.engine)
    }
    /// What runs it.
    pub fn engine(&self) -> &Machine {
        &self.engine
    }
    /// Everything that the future depends on, as bytes.
    pub fn save(&mut self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.scheme.time(), self.reach].map(f64::to_le_bytes).as_flattened());
        bytes.extend((2 * self.next as u64 + u64::from(self.jumped)).to_le_bytes());
        let numbers = self.scheme.numbers();
        bytes.extend((numbers.len() as u64).to_le_bytes());
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        for vector in self.scheme.vectors() {
            let values = self.engine.download(vector);
            bytes.extend((values.len() as u64).to_le_bytes());
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
        bytes
    }

    /// Goes on from what was saved, with equal bits; false if it is of another tissue or scheme.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<bool> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Ok(false) };
        let words: Vec<[u8; 8]> = rest.chunks_exact(8).filter_map(|word| word.try_into().ok()).collect();
        let [time, reach, place, rest @ ..] = &words[..] else { return Ok(false) };
        let ([time, reach], place) = ([*time, *reach].map(f64::from_le_bytes), u64::from_le_bytes(*place));
        let arrays = arrays(rest);
        let Some((numbers, restored)) = arrays.split_first().filter(|_| time.is_finite()) else { return Ok(false) };
        let lengths = self.scheme.vectors().into_iter().map(|vector| self.engine.length(vector));
        if !lengths.eq(restored.iter().map(Vec::len)) || !self.scheme.set_numbers(&mut self.engine, numbers)? {
            return Ok(false);
        }
        for (vector, values) in self.scheme.vectors().into_iter().zip(restored) {
            self.engine.write(vector, values);
        }
        self.scheme.set_time(time);
        (self.next, self.jumped, self.reach) = ((place / 2) as usize, place % 2 == 1, reach);
        Ok(true)
    }

    /// The name of its scheme.
    pub fn scheme(&self) -> &'static str {
        self.scheme.name()
    }
}

/// Arrays one behind the other, each after its length, as far as they are whole.
fn arrays(mut words: &[[u8; 8]]) -> Vec<Vec<f64>> {
    let mut arrays = Vec::new();
    while let Some((length, rest)) = words.split_first() {
        let Some((values, others)) = rest.split_at_checked(u64::from_le_bytes(*length) as usize) else { break };
        arrays.push(values.iter().map(|word| f64::from_le_bytes(*word)).collect());
        words = others;
    }
    arrays
}

/// How many nodes are excited, the largest |phi|, what the weights say, and (phi, K phi).
fn observing(
    e: &mut Machine,
    scheme: &mut dyn Scheme,
    weights: &[Vector],
    stiffness: Option<&Resident<Machine>>,
) -> Numbers {
    let (phi, count) = (scheme.phi(), 2 + weights.len() + usize::from(stiffness.is_some()));
    let places = e.upload(&(0..count).map(|k| k as f64).collect::<Vec<f64>>());
    let mut values = e.zeros_like(&places);
    let routine = e.compile(|e| {
        let mut mark = e.zeros_like(phi);
        e.pointwise([&mut mark], [&*phi], |_, [phi]| {
            let [zero, one, level] = [0.0, 1.0, EXCITED].map(EntrySymbol::constant);
            [EntrySymbol::select(level.less(phi), one, zero)]
        });
        let mut scalars = vec![e.dot(&mark, &mark), e.norm_inf(phi)];
        scalars.extend(weights.iter().map(|weights| e.dot(weights, phi)));
        scalars.extend(stiffness.map(|K| {
            let mut flow = e.zeros_like(phi);
            e.apply_map(K, phi, &mut flow);
            e.dot(phi, &flow)
        }));
        for (scalar, k) in scalars.into_iter().zip(0..) {
            e.pointwise([&mut values], [&places], |[value], [place]| {
                let is_here = (place - EntrySymbol::constant(f64::from(k))).abs().less(EntrySymbol::constant(0.5));
                [EntrySymbol::select(is_here, EntrySymbol::scalar(scalar), value)]
            });
        }
        Vec::new()
    });
    Numbers { routine, values }
}
