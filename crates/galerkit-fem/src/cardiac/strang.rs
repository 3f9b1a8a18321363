//! The scheme `strang`: half a step of the reaction by nodes (midpoint rule), a step of diffusion (Crank-Nicolson), half a step of the reaction.
//! Diffusion is solved for its increment, A delta = -K q with A = M/dt + K/2, so that nothing is assembled in the loop; A is scaled to a unit
//! diagonal, (S A S) x = -S K q, delta = S x, which is Jacobi's preconditioner for nothing. After a jump two backward Euler steps of dt/2 take
//! the place of Crank and Nicolson's, which would ring: their increments are A⁻¹(-K q)/2.
//!
//! The second half of a step and the first half of the next are one pass; phi and r in between, which are those of the step, are kept
//! beside it, so that programs may end after any step.

use super::cell::Cell;
use super::crossings::{Crossings, Levels};
use super::increment::{Increments, Tolerance};
use super::matrices::Matrices;
use super::scheme::{Counts, Machine, Scheme, Vector};
use crate::error::Result;
use galerkit_linalg::engine::{Engine, Entry, Number, Register, Resident, Routine};
use galerkit_linalg::krylov::Stop;
use galerkit_linalg::map::{in_precision, matrix_map};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Format, Matrix};

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
}

impl Default for Settings {
    fn default() -> Self {
        Self { dt: 0.25, rtol: 1e-6, precision: Precision::Full, levels: Levels::default() }
    }
}

/// Potential and recovery.
pub struct State<E: Engine> {
    /// Potential at the end of a step.
    pub phi: E::Vector,
    /// Recovery there.
    pub r: E::Vector,
    /// Potential half a reaction later.
    q: E::Vector,
    /// Recovery there.
    s: E::Vector,
    /// Current into phi, 1 a millisecond.
    pub current: E::Vector,
}

/// How a step diffuses.
#[derive(Clone, Copy, PartialEq)]
enum Diffusion {
    CrankNicolson,
    /// Two steps of half the length: what follows a jump.
    BackwardEuler,
}

/// What a step applies, and its vectors.
struct Step<E: Engine, C> {
    cell: C,
    dt: f64,
    /// S A S.
    A: Resident<E>,
    /// -S K.
    flux: Resident<E>,
    /// The diagonal of S.
    scaling: E::Vector,
    tolerance: Tolerance,
    b: E::Vector,
    increments: Increments<E>,
    iterations: E::Reg,
}

impl<E: Engine<Scalar = f64>, C: Cell> Step<E, C> {
    /// Half a step of the reaction: where diffusion begins.
    fn begin(&self, e: &mut E, state: &mut State<E>) {
        let State { phi, r, q, s, current } = state;
        let (cell, half) = (&self.cell, 0.5 * self.dt);
        e.pointwise([q, s], [phi, r, current], |_, [phi, r, current]| cell.advance([phi, r], current, half));
    }

    /// A step that begins at a time.
    #[rustfmt::skip]
    fn take(&mut self, e: &mut E, state: &mut State<E>, crossings: &mut Crossings<E>, time: E::Num, how: Diffusion) {
        match how {
            Diffusion::CrankNicolson => self.diffuse(e, &mut state.q),
            Diffusion::BackwardEuler => (0..2).for_each(|_| self.diffuse_half(e, &mut state.q)),
        }
        let State { phi, r, q, s, current } = state;
        let (mut end, cell, half) = (e.zeros_like(phi), &self.cell, 0.5 * self.dt);
        e.pointwise([&mut end, r, q, s], [current], |[_, _, q, s], [current]| {
            let [phi, r] = cell.advance([q, s], current, half);                 // the end of this step
            let [q, s] = cell.advance([phi, r], current, half);                 // the beginning of the next
            [phi, r, q, s]
        });
        let length = e.number(self.dt);
        crossings.note(e, phi, &end, time, length);
        e.copy(&end, phi);
    }

    /// q = q + S x, S A S x = -S K q.
    #[rustfmt::skip]
    fn diffuse(&mut self, e: &mut E, q: &mut E::Vector) {
        e.apply_map(&self.flux, q, &mut self.b);                                // b = -S K q
        self.increments.solve(e, &self.A, &self.b, &self.tolerance);
        self.count(e);
        e.pointwise([q], [&self.scaling, &self.increments.x], |[q], [s, x]| [q + s * x]);
        self.increments.push(e, &self.b);
    }

    /// q = q + S x/2: backward Euler for dt/2, whose matrix is 2 A.
    #[rustfmt::skip]
    fn diffuse_half(&mut self, e: &mut E, q: &mut E::Vector) {
        self.increments.forget(e);
        e.apply_map(&self.flux, q, &mut self.b);                                // b = -S K q
        self.increments.solve(e, &self.A, &self.b, &self.tolerance);
        self.count(e);
        e.pointwise([q], [&self.scaling, &self.increments.x], |[q], [s, x]| [q + E::Entry::constant(0.5) * s * x]);
        self.increments.forget(e);
    }

    fn count(&self, e: &mut E) {
        let told = e.nested();
        self.iterations.set(self.iterations.get() + told.count);
    }
}

/// The compiled scheme, on an engine that is handed to every call.
pub struct Strang<C> {
    /// Where it is.
    state: State<Machine>,
    /// When nodes were activated and repolarised.
    crossings: Crossings<Machine>,
    step: Step<Machine, C>,
    /// The number of steps that are done, as a vector of one entry that the host writes.
    clock: Vector,
    routines: [Routine; 2],
    done: u64,
}

/// Slices as high as a warp, which CPUs like as well.
const FORMAT: Format = Format::Sell { height: 32, sigma: 1 };
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
        let time = self.time();
        let mut made = Self::of(e, matrices, self.step.cell, settings, (self.state, self.crossings))?;
        made.set_time(time);
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
        // Increments below a thousandth of the tolerance are rest; the diagonal of A is 1/S².
        let rest = 1e-3 * scaling.iter().map(|s| 1.0 / (s * s)).sum::<f64>().sqrt();
        let none = e.number(0.0);
        let mut step = Step {
            cell,
            dt: settings.dt,
            A: e.load(in_precision(Matrix::from_csr(&A, FORMAT)?, precision)),
            flux: e.load(matrix_map(Matrix::from_csr(&flux, FORMAT)?)),
            scaling: e.upload(&scaling),
            tolerance: Tolerance { rtol: settings.rtol, rest, limit: LIMIT },
            b: e.zeros(n, Precision::Full),
            increments: Increments::new(e, n, precision),
            iterations: e.carry(none),
        };
        let clock = e.zeros(1, Precision::Full);
        let routines = [Diffusion::CrankNicolson, Diffusion::BackwardEuler]
            .map(|how| compiled(e, &mut step, &mut state, &mut crossings, &clock, how));
        Ok(Self { state, crossings, step, clock, routines, done: 0 })
    }

    /// Takes so many steps; after a jump of phi or of the current the first one is damped.
    fn run(&mut self, e: &mut Machine, steps: usize, after_jump: bool) {
        let [smooth, damped] = &self.routines;
        let damped = (damped, usize::from(after_jump).min(steps));
        for (routine, count) in [damped, (smooth, steps - damped.1)] {
            if count > 0 {
                e.write(&mut self.clock, &[self.done as f64]);
                let _ = e.run_until(routine, Some(&endless(count)));
                self.done += count as u64;
            }
        }
    }
}

impl<C: Cell> Scheme for Strang<C> {
    fn name(&self) -> &'static str {
        "strang"
    }
    fn run_until(&mut self, e: &mut Machine, time: f64, after_jump: bool) -> Result<()> {
        let end = (time / self.step.dt).round() as u64;
        self.run(e, end.saturating_sub(self.done) as usize, after_jump);
        Ok(())
    }
    fn time(&self) -> f64 {
        self.done as f64 * self.step.dt
    }
    fn phi(&mut self) -> &mut Vector {
        &mut self.state.phi
    }
    fn current(&mut self) -> &mut Vector {
        &mut self.state.current
    }
    fn crossings(&mut self) -> &mut Crossings<Machine> {
        &mut self.crossings
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
    fn refill(&mut self, e: &mut Machine, matrices: &Matrices) -> Result<bool> {
        let (precision, step) = (e.precision(&self.step.increments.x), &mut self.step);
        let Diffusing { A, flux, scaling } = Diffusing::new(matrices, step.dt);
        let maps = [
            (&mut step.A, in_precision(Matrix::from_csr(&A, FORMAT)?, precision)),
            (&mut step.flux, matrix_map(Matrix::from_csr(&flux, FORMAT)?)),
        ];
        e.write(&mut step.scaling, &scaling);
        for (resident, map) in maps {
            let fresh = e.load(map);
            e.copy(&fresh.values, &mut resident.values);
        }
        Ok(true)
    }
}

/// What steps of a length apply, in compressed rows.
struct Diffusing {
    A: Csr<f64>,
    flux: Csr<f64>,
    scaling: Vec<f64>,
}

impl Diffusing {
    fn new(matrices: &Matrices, dt: f64) -> Self {
        let A = matrices.shifted(dt);
        let scaling: Vec<f64> = A.diagonal().iter().map(|a| 1.0 / a.sqrt()).collect();
        let flux = scale(&matrices.K, |i, _, k| -scaling[i] * k);
        Self { A: scale(&A, |i, j, a| scaling[i] * scaling[j] * a), flux, scaling }
    }
}

/// The matrix with every entry a_ij replaced by a function of i, j and a_ij.
fn scale(A: &Csr<f64>, entry: impl Fn(usize, usize, f64) -> f64) -> Csr<f64> {
    let entries = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a)));
    A.with_values(&entries.map(|(i, j, a)| entry(i, j, a)).collect::<Vec<_>>())
}

/// So many iterations, whatever the norm.
fn endless(limit: usize) -> Stop {
    Stop { rtol: 0.0, atol: 0.0, limit, replacement: 0, patience: 0, ..Stop::default() }
}

fn compiled<C: Cell>(
    e: &mut Machine,
    step: &mut Step<Machine, C>,
    state: &mut State<Machine>,
    crossings: &mut Crossings<Machine>,
    clock: &Vector,
    how: Diffusion,
) -> Routine {
    let unit = e.upload(&[1.0]);
    let none = e.number(0.0);
    let done = e.carry(none);
    e.compile(|e| {
        let begun = e.dot(clock, &unit);
        done.set(begun);
        step.begin(e, state);
        let one = e.number(1.0);
        let _ = e.iterate(&endless(1), one, |e| {
            let time = e.number(step.dt) * done.get();
            step.take(e, state, crossings, time, how);
            let one = e.number(1.0);
            done.set(done.get() + one);
            one.abs()
        });
        Vec::new()
    })
}
