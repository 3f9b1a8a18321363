//! The scheme `strang`: half a step of the reaction by nodes (midpoint rule), a step of diffusion (Crank-Nicolson),
//! half a step of the reaction. Diffusion is solved for its increment, A delta = -K q with A = M/dt + K/2, so that
//! nothing is assembled in the loop; A is scaled to a unit diagonal, (S A S) x = -S K q, delta = S x, which is Jacobi's
//! preconditioner for nothing. After a jump two backward Euler steps of dt/2 take the place of Crank and Nicolson's,
//! which would ring: their increments are A⁻¹(-K q)/2.
//!
//! The second half of a step and the first half of the next are one pass; phi and r in between, which are those of the
//! step, are kept beside it, so that programs may end after any step.
//!
//! A launch keeps what it begins with and tells the largest |phi| at its end, in the kernel that takes the steps:
//! whoever does not like it goes back.

mod diffusing;
mod step;

pub use step::Diffusion;

use super::cell::Cell;
use super::crossings::{Crossings, Levels};
use super::increment::{Increments, Tolerance};
use super::matrices::Matrices;
use super::scheme::{Counts, Machine, Recovery, Scheme, Vector};
use crate::error::Result;
use diffusing::Diffusing;
use galerkit_linalg::engine::{Engine, Number, Register, Routine};
use galerkit_linalg::krylov::Stop;
use galerkit_linalg::map::{in_precision, matrix_map};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Format, Matrix};
use std::sync::Arc;
use step::{State, Step};

/// What a run is made with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Step in milliseconds.
    pub dt: f64,
    /// Tolerance of the increment, relative to b.
    pub rtol: f64,
    /// In which precision increments are solved for; the state is in double precision.
    pub precision: Precision,
    /// When a node counts as activated and repolarised.
    pub levels: Levels,
    /// How matrices are stored; one that does not renumber.
    pub format: Format,
}

impl Default for Settings {
    fn default() -> Self {
        Self { dt: 0.25, rtol: 1e-5, precision: Precision::Full, levels: Levels::default(), format: FORMAT }
    }
}

/// The compiled scheme, on an engine that is handed to every call.
pub struct Strang<C> {
    /// Where it is.
    state: State<Machine>,
    /// When nodes were activated and repolarised.
    crossings: Crossings<Machine>,
    step: Step<Machine, C>,
    /// How many steps are done, and how far phi may be from 1/2: what the host writes before a launch.
    told: Vector,
    reach: f64,
    launches: [Launch; 2],
    format: Format,
    done: u64,
}

/// Steps of one kind, and the way back to where they began.
struct Launch {
    forth: Routine,
    back: Routine,
}

/// Slices as high as a warp, which CPUs like as well.
const FORMAT: Format = Format::Sell { height: 32, sigma: 1 };
/// How far from 1/2 potentials of cells are at most, unless a stimulus has made more of them.
const REACH: f64 = 1.0;
/// Most iterations of an increment.
const LIMIT: usize = 500;

impl<C: Cell> Strang<C> {
    /// Compiles the scheme; the tissue is at rest.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn new(e: &mut Machine, matrices: &Matrices, cell: C, settings: &Settings) -> Result<Self> {
        let n = matrices.K.rows();
        let [phi, r] = cell.rest().map(|rest| e.upload(&vec![rest; n]));
        let [q, s, current] = [(); 3].map(|()| e.zeros(n, Precision::Full));
        let crossings = Crossings::new(e, n, settings.levels);
        Self::of(e, matrices, cell, settings, (State { phi, r, q, s, current }, crossings))
    }

    /// The same for tissue in some state, with steps of another length than those before.
    ///
    /// # Errors
    /// If a matrix does not fit its format.
    pub fn restarted(self, e: &mut Machine, matrices: &Matrices, settings: &Settings) -> Result<Self> {
        let (time, reach) = (self.time(), self.reach);
        let mut made = Self::of(e, matrices, self.step.cell, settings, (self.state, self.crossings))?;
        made.set_time(time);
        made.allow(reach);
        Ok(made)
    }

    fn of(
        e: &mut Machine,
        matrices: &Matrices,
        cell: C,
        settings: &Settings,
        (mut state, mut crossings): (State<Machine>, Crossings<Machine>),
    ) -> Result<Self> {
        let (n, precision) = (matrices.K.rows(), settings.precision);
        let Diffusing { A, flux, scaling } = Diffusing::new(matrices, settings.dt);
        // Increments below a thousandth of the tolerance are rest. By the mass alone, because that stays what it is
        // when conductivities change.
        let rest = 1e-3 * (matrices.M.diagonal().iter().sum::<f64>() / settings.dt).sqrt();
        let none = e.number(0.0);
        let mut step = Step {
            cell,
            dt: settings.dt,
            A: e.load(in_precision(Matrix::from_csr(&A, settings.format)?, precision)),
            flux: e.load(matrix_map(Matrix::from_csr(&flux, settings.format)?)),
            scaling: e.upload(&scaling),
            tolerance: Tolerance { rtol: settings.rtol, rest, limit: LIMIT },
            b: e.zeros(n, Precision::Full),
            increments: Increments::new(e, n, precision),
            iterations: e.carry(none),
        };
        let told = e.zeros(2, Precision::Full);
        let kept: Vec<Vector> =
            changing(&mut state, &mut crossings, &mut step).map(|vector| e.zeros_like(vector)).collect();
        let mut moving = Moving { step, state, crossings, kept };
        let launches = [Diffusion::CrankNicolson, Diffusion::BackwardEuler].map(|how| moving.launch(e, &told, how));
        let Moving { step, state, crossings, .. } = moving;
        Ok(Self { state, crossings, step, told, reach: REACH, launches, format: settings.format, done: 0 })
    }

    /// Takes so many steps of a kind in one launch; the largest |phi| at their end, NaN if a potential was out of reach
    /// after any of them.
    pub fn advance(&mut self, e: &mut Machine, steps: u64, how: Diffusion) -> f64 {
        let launch = &self.launches[how as usize];
        e.write(&mut self.told, &[self.done as f64, self.reach]);
        let _ = e.run_until(&launch.forth, Some(&endless(steps as usize)));
        self.done += steps;
        e.read_scalar(launch.forth.scalars[0])
    }

    /// Undoes the last launch, which was of so many steps of a kind.
    pub fn go_back(&mut self, e: &mut Machine, steps: u64, how: Diffusion) {
        let _ = e.run(&self.launches[how as usize].back);
        self.done -= steps;
    }

    /// How far from 1/2 potentials may be.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Steps from here to a time.
    pub fn steps_until(&self, time: f64) -> u64 {
        ((time / self.step.dt).round() as u64).saturating_sub(self.done)
    }
}

impl<C: Cell> Scheme for Strang<C> {
    fn name(&self) -> &'static str {
        "strang"
    }
    fn run_until(&mut self, e: &mut Machine, time: f64, after_jump: bool) -> Result<()> {
        let steps = self.steps_until(time);
        let damped = u64::from(after_jump).min(steps);
        for (count, how) in [(damped, Diffusion::BackwardEuler), (steps - damped, Diffusion::CrankNicolson)] {
            if count > 0 {
                let _ = self.advance(e, count, how);
            }
        }
        Ok(())
    }
    fn time(&self) -> f64 {
        self.done as f64 * self.step.dt
    }
    fn phi(&mut self) -> &mut Vector {
        &mut self.state.phi
    }
    fn recovery(&mut self, e: &mut Machine) -> Recovery {
        Recovery::Nodes(e.download(&self.state.r))
    }
    fn current(&mut self) -> &mut Vector {
        &mut self.state.current
    }
    fn crossings(&mut self) -> &mut Crossings<Machine> {
        &mut self.crossings
    }
    fn allow(&mut self, reach: f64) {
        self.reach = reach.max(REACH);
    }
    fn counts(&self, e: &mut Machine) -> Counts {
        Counts {
            steps: self.done,
            newton_iterations: 0,
            cg_iterations: e.read(self.step.iterations) as u64,
            failed_steps: 0,
        }
    }
    fn vectors(&mut self) -> Vec<&mut Vector> {
        let State { phi, r, current, .. } = &mut self.state;
        let crossings = [&mut self.crossings.up, &mut self.crossings.down];
        [phi, r, current].into_iter().chain(crossings).chain(self.step.increments.vectors_mut()).collect()
    }
    fn set_time(&mut self, time: f64) {
        self.done = (time / self.step.dt).round() as u64;
    }
    /// A map with the same pattern has its values in the same order, whatever that is.
    fn refill(&mut self, e: &mut Machine, matrices: &Arc<Matrices>) -> Result<bool> {
        let (precision, step) = (e.precision(&self.step.increments.x), &mut self.step);
        let Diffusing { A, flux, scaling } = Diffusing::new(matrices, step.dt);
        let maps = [
            (&mut step.A, in_precision(Matrix::from_csr(&A, self.format)?, precision)),
            (&mut step.flux, Box::new(Matrix::from_csr(&flux, self.format)?)),
        ];
        e.write(&mut step.scaling, &scaling);
        for (resident, map) in maps {
            let fresh = e.load(map);
            e.copy(&fresh.values, &mut resident.values);
        }
        Ok(true)
    }
}

/// So many iterations, whatever the norm.
fn endless(limit: usize) -> Stop {
    Stop { rtol: 0.0, atol: 0.0, limit, replacement: 0, patience: 0, ..Stop::default() }
}

/// What steps change, beside the clock.
fn changing<'a, C>(
    state: &'a mut State<Machine>,
    crossings: &'a mut Crossings<Machine>,
    step: &'a mut Step<Machine, C>,
) -> impl Iterator<Item = &'a mut Vector> {
    let own = [&mut state.phi, &mut state.r, &mut crossings.up, &mut crossings.down];
    own.into_iter().chain(step.increments.vectors_mut())
}

/// Everything that a launch speaks of, while it is recorded.
struct Moving<C> {
    step: Step<Machine, C>,
    state: State<Machine>,
    crossings: Crossings<Machine>,
    kept: Vec<Vector>,
}

impl<C: Cell> Moving<C> {
    fn launch(&mut self, e: &mut Machine, told: &Vector, how: Diffusion) -> Launch {
        let units = [[1.0, 0.0], [0.0, 1.0]].map(|unit| e.upload(&unit));
        let none = e.number(0.0);
        let done = e.carry(none);
        let mut steps = e.compile(|e| {
            let Self { step, state, crossings, .. } = self;
            let [begun, reach] = [0, 1].map(|k| e.dot(told, &units[k]));
            done.set(begun);
            step.begin(e, state);
            let one = e.number(1.0);
            let _ = e.iterate(&endless(1), one, |e| {
                let time = e.number(step.dt) * done.get();
                step.take(e, state, crossings, [time, reach], how);
                let one = e.number(1.0);
                done.set(done.get() + one);
                one.abs()
            });
            vec![e.norm_inf(&state.phi)]
        });
        let Self { step, state, crossings, kept } = self;
        let keep = |e: &mut Machine| {
            changing(state, crossings, step).zip(kept.iter_mut()).for_each(|(vector, kept)| e.copy(vector, kept));
            Vec::new()
        };
        let forth = e.compile_before(keep, &mut steps);
        let back = e.compile(|e| {
            changing(state, crossings, step).zip(kept.iter()).for_each(|(vector, kept)| e.copy(kept, vector));
            Vec::new()
        });
        Launch { forth, back }
    }
}
