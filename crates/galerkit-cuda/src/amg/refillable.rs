//! A hierarchy that stays on the GPU beside the preconditioner that was made of it, for other values of its matrix:
//! edges, aggregates, kept entries and patterns stay, numbers are computed there from the entries that are there.

use super::built::{in_full, rounded};
use super::hierarchy::Hierarchy;
use super::set_up::{in_single, refill};
use crate::convert::DeviceCsr;
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::Buffer;
use galerkit_linalg::multigrid::amg::{Amg, Built};
use galerkit_linalg::{Scalar, per_scalar};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What takes other values.
pub struct Refillable<S: Scalar> {
    /// The pattern of the matrix; its values are those of a refill, for as long as that lasts.
    pattern: DeviceCsr<S>,
    levels: Mutex<Precise<S>>,
    amg: Amg,
}

/// The levels, in one of two precisions.
pub(super) enum Precise<S: Scalar> {
    Full(Hierarchy<S>),
    Single(Hierarchy<S::Single>),
}

per_scalar! {
    fn refilled<S>(made: &Refillable<S>, entries: &Buffer) -> Result<Built<S>> = Refillable::with_entries;
}

impl<S: Scalar> Refillable<S> {
    pub(super) fn new(A: &DeviceCsr<S>, levels: Precise<S>, amg: &Amg) -> Result<Self> {
        let none = Buffer::new(A.val().gpu(), "no values", 0)?;
        Ok(Self { pattern: A.with_values(none), levels: Mutex::new(levels), amg: *amg })
    }

    /// The preconditioner of other values, which are there in the order of the rows. It has no origin: this one is
    /// asked again. After an error the levels are those of nobody.
    pub fn refill(&self, entries: &Buffer) -> Result<Built<S>> {
        refilled(self, entries)
    }

    fn with_entries(&self, entries: &Buffer) -> Result<Built<S>> {
        let (gpu, amg) = (entries.gpu(), &self.amg);
        let A = self.pattern.with_values::<S>(entries.duplicate("the values of CSR")?);
        let jit = Jit::new(gpu);
        match &mut *self.levels.lock().unwrap_or_else(PoisonError::into_inner) {
            Precise::Full(levels) => {
                refill(gpu, &jit, &A, levels)?;
                in_full(&A, levels, amg)
            }
            Precise::Single(levels) => {
                let (finest, scale) = in_single(gpu, &jit, &A)?;
                refill(gpu, &jit, &finest, levels)?;
                rounded((finest, scale), levels, amg)
            }
        }
    }
}

impl<S: Scalar> fmt::Debug for Refillable<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refillable").field("shape", &self.pattern.shape()).finish_non_exhaustive()
    }
}
