//! New values without the host: from a vector of entries into a [`Factoriser`], and from there into the values of
//! triangular solves that are loaded. What goes where is found out once, on the host; the numbers never leave the
//! device.

use super::{Factoriser, WHAT, repeated};
use crate::error::Result;
use crate::launch::Buffer;
use crate::map::triangular;
use galerkit_linalg::map::NO_SOURCE;
use galerkit_linalg::precond::Factors;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, per_scalar};
use std::time::Duration;

/// For a slot that nothing goes into.
const NOTHING: u64 = u64::MAX;

/// Where the numbers in some slots come from.
pub struct Slots {
    sources: Buffer,
    count: usize,
}

per_scalar! {
    fn number_slots<S>(factoriser: &Factoriser<S>, numbers: &[u32]) -> Result<Slots> = Factoriser::slots_of_numbers;
    fn entry_slots<S>(factoriser: &Factoriser<S>, A: &Csr<S>, index: &[u32]) -> Result<Slots> = Factoriser::slots_of_entries;
}

impl<S: Scalar> Factoriser<S> {
    /// Slots that hold numbers of the factors: which one each does, in the order of
    /// [`Factors`]: L, U, the inverse diagonal; or [`NO_SOURCE`].
    pub fn number_slots(&self, numbers: &[u32]) -> Result<Slots> {
        number_slots(self, numbers)
    }

    fn slots_of_numbers(&self, numbers: &[u32]) -> Result<Slots> {
        let [lower, upper] = self.structure.triangles();
        let entries = self.structure.col.len() as u64;
        let inverse = (0..self.structure.rows() as u64).map(|i| entries + i);
        let found: Vec<u64> = lower.into_iter().chain(upper).chain(inverse).collect();
        let source = |&k: &u32| if k == NO_SOURCE { NOTHING } else { found[k as usize] };
        self.slots(numbers.iter().map(source).collect())
    }

    /// The slots of maps that are loaded with factors of this pattern; none if they are too many to be numbered.
    pub fn solve_slots(&self) -> Result<Option<Slots>> {
        self.solve_numbers().map(|numbers| self.number_slots(&numbers)).transpose()
    }

    /// The numbers in the slots of a map that is loaded with factors of this pattern; none if they are too many to be
    /// numbered.
    pub fn solve_numbers(&self) -> Option<Vec<u32>> {
        triangular::sources(&self.blank)
    }

    /// The factors without numbers: patterns, kind and shift.
    pub fn blank(&self) -> &Factors<S> {
        &self.blank
    }

    /// The slots that a matrix is factorised from: entry k of A is entry `index[k]` of a vector.
    pub fn entry_slots(&self, A: &Csr<S>, index: &[u32]) -> Result<Slots> {
        entry_slots(self, A, index)
    }

    fn slots_of_entries(&self, A: &Csr<S>, index: &[u32]) -> Result<Slots> {
        let places = self.structure.places(A, &self.blank, self.recipe)?;
        let source = |k: Option<usize>| k.map_or(NOTHING, |k| u64::from(index[k]));
        self.slots(places.into_iter().map(source).collect())
    }

    fn slots(&self, sources: Vec<u64>) -> Result<Slots> {
        Ok(Slots { sources: Buffer::from_slice(self.f.gpu(), WHAT, &sources)?, count: sources.len() })
    }

    /// As [`compute`](Self::compute), from a vector that is on the GPU. Whether A suits is for the caller to know:
    /// nothing is looked at but the pivots.
    pub fn compute_from(&mut self, slots: &Slots, entries: &Buffer) -> Result<Duration> {
        let words = [slots.count as u64, slots.sources.address(), entries.address(), self.a.address()];
        self.kernels.threads("factor_spread", slots.count, &words);
        let (rows, shift) = (self.structure.rows(), 1.0 + self.blank.shift());
        if shift != 1.0 {
            let words = [rows as u64, self.shape[2].address(), self.a.address(), shift.to_bits()];
            self.kernels.threads("factor_shift", rows, &words);
        }
        repeated(self)
    }

    /// The present factors into the values of a loaded map, for all products queued after this.
    pub fn hand_over(&self, slots: &Slots, values: &Buffer) {
        self.hand_over_by("factor_hand_over", slots, values);
    }

    /// The same, rounded to single precision.
    pub(super) fn hand_over_single(&self, slots: &Slots, values: &Buffer) {
        self.hand_over_by("factor_hand_over_single", slots, values);
    }

    fn hand_over_by(&self, kernel: &'static str, slots: &Slots, values: &Buffer) {
        let sources = [slots.count as u64, self.structure.col.len() as u64, slots.sources.address()];
        let numbers = [self.f.address(), self.inverse.address(), values.address()];
        self.kernels.threads(kernel, slots.count, &[sources, numbers].concat());
    }
}
