//! Incomplete factorisations on the GPU, with the numbers, and the refusals, of those on the host. Kernels: factor.cu.
//!
//! | recipe | how |
//! |---|---|
//! | `ilu`, `ic` | elimination without synchronisation: rows in level order wait for the values they need |
//! | fixed point | sweeps over all entries at once, each from what the last one wrote |
//!
//! What only the pattern decides (pattern, levels, slots) is done once, on the host, by [`Factoriser::new`]; new values
//! of the same pattern cost one upload and the kernels, or none if they are on the GPU ([`Factoriser::compute_from`]);
//! [`Factoriser::hand_over`] gives them to the solves on the device.

mod computed;
mod kernels;
mod rounded;
mod slots;
mod structure;

pub use computed::Computed;
pub use kernels::source;
pub use rounded::Rounded;
pub use slots::Slots;

use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::precond::{Factorisation, Factors, Pattern, Recipe};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, per_scalar};
use kernels::Kernels;
use std::sync::Arc;
use std::time::Duration;
use structure::Structure;

/// No row has failed.
const NONE: u64 = u64::MAX;
const WHAT: &str = "the incomplete factors";

per_scalar! {
    /// The factors of A by a recipe, computed on the GPU and brought back.
    pub fn factorise<S>(gpu: &Arc<Gpu>, A: &Csr<S>, recipe: Recipe) -> Result<Factors<S>> = factors_of;
    /// [`Factoriser::new`], compiled here once for each scalar.
    pub fn factoriser<S>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>, recipe: Recipe) -> Result<Factoriser<S>> = Factoriser::prepare;
    fn computed<S>(factoriser: &mut Factoriser<S>, A: &Csr<S>) -> Result<Duration> = Factoriser::compute_numbers;
    fn repeated<S>(factoriser: &mut Factoriser<S>) -> Result<Duration> = Factoriser::eliminate_or_sweep;
    fn downloaded<S>(factoriser: &Factoriser<S>) -> Result<Factors<S>> = Factoriser::bring_back;
}

fn factors_of<S: Scalar>(gpu: &Arc<Gpu>, A: &Csr<S>, recipe: Recipe) -> Result<Factors<S>> {
    let mut factoriser = Factoriser::prepare(gpu, &Jit::new(gpu), A, recipe)?;
    factoriser.compute_numbers(A)?;
    factoriser.bring_back()
}

/// A pattern on the GPU, ready for the numbers of any matrix that has it.
pub struct Factoriser<S: Scalar> {
    recipe: Recipe,
    /// Factors without numbers: patterns, kind and shift.
    blank: Factors<S>,
    structure: Structure,
    kernels: Kernels,
    shape: [Buffer; 5],
    a: Buffer,
    work: Buffer,
    f: Buffer,
    inverse: Buffer,
    pivot: Buffer,
    failed: Buffer,
}

impl<S: Scalar> Factoriser<S> {
    /// Everything that the pattern of A decides.
    pub fn new(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>, recipe: Recipe) -> Result<Self> {
        factoriser(gpu, jit, A, recipe)
    }

    fn prepare(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>, recipe: Recipe) -> Result<Self> {
        let (kind, fill, shift) = match recipe {
            Recipe::Ilu { fill } => (Factorisation::Ilu, fill, 0.0),
            Recipe::Ilu0Blocks { .. } => (Factorisation::Ilu, 0, 0.0),
            Recipe::Ic { shift } => (Factorisation::Ic, 0, shift),
            Recipe::FixedPoint { .. } => (Factorisation::Ilu, 0, 0.0),
        };
        let blank: Factors<S> = Pattern::of(&*recipe.matrix(A)?, fill)?.blank(kind, shift)?;
        let structure = Structure::of(&blank);
        let (rows, entries, size) = (structure.rows(), structure.col.len(), size_of::<S>());
        gpu.require_memory(WHAT, structure.bytes() + (3 * entries + 2 * rows) * size)?;
        let room = |entries: usize| Buffer::new(gpu, WHAT, entries * size);
        Ok(Self {
            recipe,
            kernels: Kernels::new(gpu, jit, S::KIND, structure.lanes())?,
            shape: [
                Buffer::from_slice(gpu, WHAT, &structure.order)?,
                Buffer::from_slice(gpu, WHAT, &structure.start)?,
                Buffer::from_slice(gpu, WHAT, &structure.diagonal)?,
                Buffer::from_slice(gpu, WHAT, &structure.col)?,
                Buffer::from_slice(gpu, WHAT, &structure.mirror)?,
            ],
            a: room(entries)?,
            work: room(entries)?,
            f: room(entries)?,
            inverse: room(rows)?,
            pivot: room(rows)?,
            failed: Buffer::from_slice(gpu, WHAT, &[NONE])?,
            blank,
            structure,
        })
    }

    /// The numbers for a matrix with this pattern, or a part of it; how long the kernels took by the GPU's own clock.
    /// Refuses what the host refuses, with the same words.
    pub fn compute(&mut self, A: &Csr<S>) -> Result<Duration> {
        computed(self, A)
    }

    fn compute_numbers(&mut self, A: &Csr<S>) -> Result<Duration> {
        let A = &*self.recipe.matrix(A)?;
        self.blank.kind().require(A)?;
        self.a.upload(&self.structure.spread(A, &self.blank)?)?;
        self.eliminate_or_sweep()
    }

    fn eliminate_or_sweep(&mut self) -> Result<Duration> {
        self.failed.upload(&[NONE])?;
        match self.recipe {
            Recipe::Ilu { .. } | Recipe::Ilu0Blocks { .. } => self.eliminate("factor_ilu"),
            Recipe::Ic { .. } => self.eliminate("factor_ic"),
            Recipe::FixedPoint { sweeps } => self.sweep(sweeps),
        }
    }

    fn eliminate(&mut self, kernel: &'static str) -> Result<Duration> {
        let (words, widest) = (self.words(), self.structure.widest);
        let entries = self.structure.col.len();
        let seconds = self.kernels.time(|kernels| {
            kernels.threads("factor_begin", entries, &words);
            kernels.resident(kernel, widest, &words);
        })?;
        self.judge()?;
        Ok(seconds)
    }

    /// Looks at the pivots after every sweep, as the host does.
    fn sweep(&mut self, sweeps: usize) -> Result<Duration> {
        let rows = self.structure.rows();
        self.f.copy_from(&self.a, self.a.bytes());
        let mut seconds = self.pivots()?;
        for _ in 0..sweeps {
            let words = self.words();
            seconds += self.kernels.time(|kernels| kernels.teams("factor_sweep", rows, &words))?;
            std::mem::swap(&mut self.f, &mut self.work);
            seconds += self.pivots()?;
        }
        let words = self.words();
        Ok(seconds + self.kernels.time(|kernels| kernels.teams("factor_scale", rows, &words))?)
    }

    fn pivots(&mut self) -> Result<Duration> {
        let (words, rows) = (self.words(), self.structure.rows());
        let seconds = self.kernels.time(|kernels| kernels.threads("factor_pivots", rows, &words))?;
        self.judge()?;
        Ok(seconds)
    }

    /// What the host says of the first row whose pivot was of no use.
    fn judge(&self) -> Result<()> {
        let failed = self.failed.download::<u64>(1)?[0];
        if failed == NONE {
            return Ok(());
        }
        let row = failed as usize;
        let pivot = self.pivot.download::<S>(row + 1)?[row];
        self.blank.kind().invert(pivot, row)?;
        Err(galerkit_linalg::Error::ZeroPivot { row }.into())
    }

    /// Whether the inverse pivots are positive, with imaginary parts that may be rounding.
    fn is_positive(&self) -> Result<bool> {
        let (rows, tolerance) = (self.structure.rows(), S::eps().sqrt());
        let refused = Buffer::from_slice(self.f.gpu(), WHAT, &[NONE])?;
        let words = [rows as u64, self.inverse.address(), refused.address(), tolerance.to_bits()];
        self.kernels.threads("factor_signs", rows, &words);
        Ok(refused.download::<u64>(1)?[0] == NONE)
    }

    /// Whether no number of the factors overflows in single precision.
    fn fits_single(&self) -> Result<bool> {
        let rows = self.structure.rows();
        let refused = Buffer::from_slice(self.f.gpu(), WHAT, &[NONE])?;
        let [_, start, diagonal, ..] = &self.shape;
        let arrays = [start, diagonal, &self.f, &self.inverse, &refused].map(Buffer::address);
        let words: Vec<u64> = std::iter::once(rows as u64).chain(arrays).collect();
        self.kernels.threads("factor_fits_single", rows, &words);
        Ok(refused.download::<u64>(1)?[0] == NONE)
    }

    /// The factors, brought back to the host.
    pub fn download(&self) -> Result<Factors<S>> {
        downloaded(self)
    }

    fn bring_back(&self) -> Result<Factors<S>> {
        let (rows, entries) = (self.structure.rows(), self.structure.col.len());
        let (lower, upper) = self.structure.split(&self.f.download::<S>(entries)?);
        let mut factors = self.blank.clone();
        factors.set_numbers(&lower, &upper, &self.inverse.download::<S>(rows)?)?;
        Ok(factors)
    }

    /// The members of the kernels' `struct Factor`.
    fn words(&self) -> Vec<u64> {
        let arrays = [&self.a, &self.work, &self.f, &self.inverse, &self.pivot, &self.failed];
        let addresses = self.shape.iter().chain(arrays).map(Buffer::address);
        std::iter::once(self.structure.rows() as u64).chain(addresses).collect()
    }
}
