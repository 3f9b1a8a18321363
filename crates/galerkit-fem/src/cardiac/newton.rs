//! The scheme `newton` of source 004 (Wong, Kuhl, Darve 2015; Göktepe and Kuhl 2009): backward Euler, one integration
//! point at the centroid, one r an element, solved for locally in every iteration of a global Newton method with a
//! symmetric tangent:
//!
//! R_I = sum V [(phi_c - phi_c,n)/(nn dt) + G_I . D grad phi - f/nn - I/nn], K_IJ = K_diffusion + sum V/nn² (1/dt -
//! f_phi - f_r dr/dphi)
//!
//! Residual, tangent, CG, the decision on a step and the next one's length are one program: the host hears of it at the
//! end. A step that fails (CG breaks down, no convergence in 12, phi outside of [-0.5, 1.5]) is taken again with half
//! the length. Steps of one length end at its multiples, whatever the times are that the host asks for.

pub mod assembly;
mod local;
mod sums;
#[cfg(test)]
mod tests;

use super::cell::Cell;
use super::crossings::{Crossings, Levels};
use super::matrices::{Incidence, Matrices};
use super::scheme::{Counts, Machine, Recovery, Scheme, Vector};
use super::tissue::Tissue;
use crate::error::{Error, Result};
use galerkit_linalg::engine::{Engine, Entry, Register, Resident, Routine, Test::Positive};
use galerkit_linalg::krylov::{Outcome, Stop, cg, inner_stop};
use galerkit_linalg::map::{Diagonal, diagonal_map, matrix_map};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Format, Matrix};
use local::{Given, solve};

/// What a run is made with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Step in milliseconds, the first one and, unless it adapts, the longest.
    pub dt: f64,
    /// The longest step if it adapts to the iterations that Newton's method takes.
    pub adaptive: Option<f64>,
    /// Tolerance of linear solves, relative.
    pub rtol: f64,
    /// Tolerance of the residual, relative to that of the step's beginning.
    pub newton_rtol: f64,
    /// When a node counts as activated and repolarised.
    pub levels: Levels,
    /// How matrices are stored; one that does not renumber.
    pub format: Format,
}

impl Default for Settings {
    fn default() -> Self {
        Self { dt: 0.25, adaptive: None, rtol: 1e-8, newton_rtol: 1e-8, levels: Levels::default(), format: FORMAT }
    }
}

/// Slices as high as a warp, which CPUs like as well.
const FORMAT: Format = Format::Sell { height: 32, sigma: 1 };
/// Most iterations of Newton's method.
const NEWTON_LIMIT: usize = 12;
/// Most iterations of CG.
const CG_LIMIT: usize = 2000;
/// Times this near are one, in ms.
const INSTANT: f64 = 1e-9;
/// The shortest step over the first.
const SHORTEST: f64 = 1e-5;

/// What an iteration applies, and its vectors. Capitals map between nodes, elements and the slots of the tangent.
struct Equations<E: Engine, C> {
    cell: C,
    corners: f64,
    K: Resident<E>,
    tangent: Resident<E>,
    inverse: Resident<E>,
    to_elements: Resident<E>,
    to_nodes: Resident<E>,
    to_slots: Resident<E>,
    /// The values and the diagonal of K, and volumes of elements.
    stiffness: E::Vector,
    diagonal: E::Vector,
    volume: E::Vector,
    phi_before: E::Vector,
    centre_before: E::Vector,
    current: E::Vector,
    r_before: E::Vector,
    r: E::Vector,
    kappa: E::Vector,
    load: E::Vector,
    residual: E::Vector,
    correction: E::Vector,
    linear: Stop,
    nonlinear: Stop,
    cg_iterations: E::Reg,
}

impl<E: Engine<Scalar = f64>, C: Cell> Equations<E, C> {
    /// What each element has at phi: r, kappa and its load.
    #[rustfmt::skip]
    fn react(&mut self, e: &mut E, phi: &E::Vector, per_step: E::Num) {
        let mut centre = e.zeros_like(&self.load);
        e.apply_map(&self.to_elements, phi, &mut centre);                        // nn phi_c
        let (cell, nn) = (&self.cell, self.corners);
        let state = [&centre, &self.centre_before, &self.r_before, &self.current, &self.volume];
        e.pointwise([&mut self.r, &mut self.kappa, &mut self.load], state, |_, [sum, sum_before, r_before, current, volume]| {
            let share = E::Entry::constant(1.0 / nn);
            let given = Given { phi: share * sum, phi_before: share * sum_before, r_before, current: share * current, per_step: E::Entry::scalar(per_step) };
            let [r, rate, tangent] = solve(cell, given);
            [r, share * share * volume * tangent, share * volume * rate]
        });
    }

    /// r, kappa and the residual at phi; its norm.
    #[rustfmt::skip]
    fn evaluate(&mut self, e: &mut E, phi: &E::Vector, per_step: E::Num) -> E::Num {
        self.react(e, phi, per_step);
        let mut reaction = e.zeros_like(&self.residual);
        e.apply_map(&self.to_nodes, &self.load, &mut reaction);
        e.apply_map(&self.K, phi, &mut self.residual);
        let one = e.number(1.0);
        e.axpy(one, &reaction, &mut self.residual);                              // R = K phi + sum of loads
        e.norm(&self.residual)
    }

    /// The tangent from the last evaluation, `values = stiffness + S kappa`, and its diagonal.
    #[rustfmt::skip]
    fn assemble(&mut self, e: &mut E) {
        let one = e.number(1.0);
        e.apply_map(&self.to_slots, &self.kappa, &mut self.tangent.values);
        e.axpy(one, &self.stiffness, &mut self.tangent.values);
        e.apply_map(&self.to_nodes, &self.kappa, &mut self.inverse.values);
        e.pointwise([&mut self.inverse.values], [&self.diagonal], |[reaction], [diagonal]| [(reaction + diagonal).recip()]);
    }

    /// Newton's method for a step of this length; how it ended is what [`Engine::nested`] tells.
    #[rustfmt::skip]
    fn solve(&mut self, e: &mut E, phi: &mut E::Vector, per_step: E::Num) {
        e.apply_map(&self.to_elements, &self.phi_before, &mut self.centre_before);
        let start = self.evaluate(e, phi, per_step);
        let (linear, nonlinear) = (self.linear.clone(), self.nonlinear.clone());
        let _ = e.iterate(&nonlinear, start, |e| {
            self.assemble(e);
            let zero = e.zeros_like(&self.correction);
            e.copy(&zero, &mut self.correction);
            let _ = cg(e, &self.tangent, &self.inverse, &self.residual, &mut self.correction, &linear);
            let (told, half, minus) = (e.nested(), e.number(0.5), e.number(-1.0));
            self.cg_iterations.set(self.cg_iterations.get() + told.count);
            e.require(Positive(told.ended + half), Outcome::NotPositiveDefinite);
            e.axpy(minus, &self.correction, phi);                                // phi = phi - K⁻¹ R
            self.evaluate(e, phi, per_step)
        });
    }
}

/// Time, the next step's length and what was counted.
struct Clock<E: Engine> {
    time: E::Reg,
    dt: E::Reg,
    end: E::Reg,
    steps: E::Reg,
    failed: E::Reg,
    newton_iterations: E::Reg,
    longest: f64,
    shortest: f64,
    is_adaptive: bool,
}

impl<E: Engine> Clock<E> {
    fn remaining(&self) -> E::Num {
        self.end.get() - self.time.get()
    }

    /// The length of the next step: not beyond the end.
    fn length(&self, e: &mut E) -> E::Num {
        let length = e.carry(self.dt.get());
        e.unless(Positive(self.remaining() - self.dt.get()), |_| length.set(self.remaining()));
        length.get()
    }

    /// What follows a step that was good (1) or not (0), after so many iterations.
    #[rustfmt::skip]
    fn adapt(&self, e: &mut E, good: E::Num, iterations: E::Num) {
        let [half, one, few, many, grown, shrunk, longest, shortest] =
            [0.5, 1.0, 3.5, 6.5, 1.2, 0.7, self.longest, self.shortest].map(|value| e.number(value));
        let factor = e.carry(one);
        e.unless(Positive(iterations - few), |_| factor.set(grown));             // at most 3
        if self.is_adaptive {
            e.unless(Positive(many - iterations), |_| factor.set(shrunk));       // at least 7
        }
        e.unless(Positive(good - half), |_| factor.set(half));
        self.dt.set(self.dt.get() * factor.get());
        e.unless(Positive(longest - self.dt.get()), |_| self.dt.set(longest));
        e.require(Positive(self.dt.get() - shortest), Outcome::Breakdown);
        self.steps.set(self.steps.get() + good);
        self.failed.set(self.failed.get() + one - good);
    }
}

/// A step, taken or not.
#[rustfmt::skip]
fn attempt<E: Engine<Scalar = f64>, C: Cell>(e: &mut E, equations: &mut Equations<E, C>, clock: &Clock<E>, phi: &mut E::Vector, crossings: &mut Crossings<E>) {
    let length = clock.length(e);
    let [half, one] = [0.5, 1.0].map(|value| e.number(value));
    e.copy(&equations.phi_before, phi);
    equations.solve(e, phi, one / length);
    let told = e.nested();
    clock.newton_iterations.set(clock.newton_iterations.get() + told.count);
    let mut middle = e.zeros_like(phi);
    e.pointwise([&mut middle], [&*phi], |_, [phi]| [phi - E::Entry::constant(0.5)]);
    let size = e.norm_inf(&middle);                                             // |phi - 1/2| <= 1
    let (good, none) = (e.carry(one), e.number(0.0));
    e.unless(Positive(told.ended - half), |_| good.set(none));
    e.unless(Positive(one - size), |_| good.set(none));
    let accepted = good.get();
    let choose = |new: E::Entry, old: E::Entry| E::Entry::select(E::Entry::constant(0.5).less(E::Entry::scalar(accepted)), new, old);
    e.pointwise([phi], [&equations.phi_before], |[new], [old]| [choose(new, old)]);
    e.pointwise([&mut equations.r_before], [&equations.r], |[old], [new]| [choose(new, old)]);
    crossings.note(e, &equations.phi_before, phi, clock.time.get(), length);
    e.copy(phi, &mut equations.phi_before);
    clock.time.set(clock.time.get() + accepted * length);
    clock.adapt(e, accepted, told.count);
}

/// The compiled scheme, on an engine that is handed to every call.
pub struct Newton<C> {
    equations: Equations<Machine, C>,
    clock: Clock<Machine>,
    phi: Vector,
    current: Vector,
    crossings: Crossings<Machine>,
    /// Begin, end and next step of a run, which the host writes.
    times: [Vector; 3],
    routine: Routine,
    time: f64,
    first: f64,
}

impl<C: Cell> Newton<C> {
    /// Compiles the scheme; the tissue is at rest.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn new(e: &mut Machine, tissue: &Tissue, matrices: &Matrices, cell: C, settings: &Settings) -> Result<Self> {
        let rest = cell.rest();
        let mut equations = equations(e, tissue, matrices, cell, settings)?;
        let n = tissue.points().len();
        let (mut phi, current) = (e.upload(&vec![rest[0]; n]), e.zeros(n, Precision::Full));
        let mut crossings = Crossings::new(e, n, settings.levels);
        let mut register = |value: f64| {
            let number = e.number(value);
            e.carry(number)
        };
        let clock: Clock<Machine> = Clock {
            time: register(0.0),
            dt: register(settings.dt),
            end: register(0.0),
            steps: register(0.0),
            failed: register(0.0),
            newton_iterations: register(0.0),
            longest: settings.adaptive.unwrap_or(settings.dt),
            shortest: SHORTEST * settings.dt,
            is_adaptive: settings.adaptive.is_some(),
        };
        let times = [0.0, 0.0, settings.dt].map(|value| e.upload(&[value]));
        let unit = e.upload(&[1.0]);
        let endless =
            Stop { rtol: 0.0, atol: INSTANT, limit: 10_000_000, replacement: 0, patience: 0, ..Stop::default() };
        let endless = Stop { divergence: f64::INFINITY, ..endless };
        let routine = e.compile(|e| {
            let [begin, end, first] = [0, 1, 2].map(|k| e.dot(&times[k], &unit));
            clock.time.set(begin);
            clock.end.set(end);
            clock.dt.set(first);
            e.copy(&phi, &mut equations.phi_before);
            e.apply_map(&equations.to_elements, &current, &mut equations.current);
            let remaining = clock.remaining();
            let _ = e.iterate(&endless, remaining, |e| {
                attempt(e, &mut equations, &clock, &mut phi, &mut crossings);
                clock.remaining()
            });
            Vec::new()
        });
        Ok(Self { equations, clock, phi, current, crossings, times, routine, time: 0.0, first: settings.dt })
    }

    /// Where a run to a time ends: steps that adapt end there, others keep their length and end with the step that is
    /// nearest. A step cut short at every look would make the errors depend on how often somebody looks.
    fn end(&self, time: f64) -> f64 {
        if self.clock.is_adaptive { time } else { (time / self.first).round() * self.first }
    }
}

impl<C: Cell> Scheme for Newton<C> {
    fn name(&self) -> &'static str {
        "newton"
    }
    fn run_until(&mut self, e: &mut Machine, time: f64, after_jump: bool) -> Result<()> {
        let time = self.end(time);
        if time <= self.time + INSTANT {
            return Ok(());
        }
        for (vector, value) in self.times.iter_mut().zip([self.time, time]) {
            e.write(vector, &[value]);
        }
        if after_jump {
            e.write(&mut self.times[2], &[self.first]);
        }
        let outcome = e.run(&self.routine).first().map(|run| run.outcome);
        let dt = e.read(self.clock.dt);
        e.write(&mut self.times[2], &[dt]);
        if outcome.is_some_and(Outcome::converged) {
            self.time = time;
            return Ok(());
        }
        let (time, largest) = (e.read(self.clock.time), e.norm_inf(&self.phi));
        Err(Error::Unstable { time, largest: e.value(largest) })
    }
    fn time(&self) -> f64 {
        self.time
    }
    fn phi(&mut self) -> &mut Vector {
        &mut self.phi
    }
    fn recovery(&mut self, e: &mut Machine) -> Recovery {
        Recovery::Elements(e.download(&self.equations.r_before))
    }
    fn current(&mut self) -> &mut Vector {
        &mut self.current
    }
    fn crossings(&mut self) -> &mut Crossings<Machine> {
        &mut self.crossings
    }
    fn counts(&self, e: &mut Machine) -> Counts {
        Counts {
            steps: e.read(self.clock.steps) as u64,
            newton_iterations: e.read(self.clock.newton_iterations) as u64,
            cg_iterations: e.read(self.equations.cg_iterations) as u64,
            failed_steps: e.read(self.clock.failed) as u64,
        }
    }
    fn vectors(&mut self) -> Vec<&mut Vector> {
        let crossings = [&mut self.crossings.up, &mut self.crossings.down];
        let own = [&mut self.phi, &mut self.current, &mut self.equations.r_before, &mut self.times[2]];
        own.into_iter().chain(crossings).collect()
    }
    fn set_time(&mut self, time: f64) {
        self.time = time;
    }
}

fn equations<C: Cell>(
    e: &mut Machine,
    tissue: &Tissue,
    matrices: &Matrices,
    cell: C,
    settings: &Settings,
) -> Result<Equations<Machine, C>> {
    let (incidence, K, n, elements) = (Incidence::new(tissue), &matrices.K, tissue.points().len(), tissue.elements());
    let stored = |values: &[f64]| Matrix::from_csr(&K.with_values(values), settings.format);
    // Entries by number in place of values: whatever the order of the engine's slots, it tells.
    let numbers: Vec<f64> = (1..=K.nnz()).map(|k| k as f64).collect();
    let tangent = e.load(matrix_map(stored(&numbers)?));
    let entry_of = e.download(&tangent.values);
    let slots = sums::over_shared(tissue, &incidence, K, &entry_of)?;
    let value = |entry: &f64| if *entry > 0.0 { K.val()[*entry as usize - 1] } else { 0.0 };
    let volumes: Vec<f64> = (0..elements).map(|element| tissue.element(element).volume).collect();
    let rest = cell.rest()[1];
    let none = e.number(0.0);
    let [phi_before, residual, correction] = [(); 3].map(|()| e.zeros(n, Precision::Full));
    let [centre_before, current, r, kappa, load] = [(); 5].map(|()| e.zeros(elements, Precision::Full));
    let size = matrices.lumped.iter().map(|volume| volume * volume).sum::<f64>().sqrt();
    let nonlinear = Stop { atol: 1e-12 * size, ..inner_stop(settings.newton_rtol, NEWTON_LIMIT) };
    Ok(Equations {
        cell,
        corners: tissue.corners() as f64,
        K: e.load(matrix_map(Matrix::from_csr(K, settings.format)?)),
        tangent,
        inverse: e.load(diagonal_map(Diagonal::new(vec![1.0; n]))),
        to_elements: e.load(Box::new(sums::over_nodes(tissue)?)),
        to_nodes: e.load(Box::new(sums::over_elements(tissue, &incidence)?)),
        to_slots: e.load(Box::new(slots)),
        stiffness: e.upload(&entry_of.iter().map(value).collect::<Vec<f64>>()),
        diagonal: e.upload(&K.diagonal()),
        volume: e.upload(&volumes),
        phi_before,
        centre_before,
        current,
        r_before: e.upload(&vec![rest; elements]),
        r,
        kappa,
        load,
        residual,
        correction,
        linear: inner_stop(settings.rtol, CG_LIMIT),
        nonlinear,
        cg_iterations: e.carry(none),
    })
}
