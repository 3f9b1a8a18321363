//! Factors whose numbers are on the GPU that computed them, as a map: loaded there, they go from buffer to buffer.
//! Whoever else asks for the numbers brings them to the host, once.

use super::Factoriser;
use super::rounded::{Rounded, Wide};
use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::{Factors, Recipe};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, per_scalar};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The factors of a matrix, on a GPU.
#[derive(Clone)]
pub struct Computed<S: Scalar>(Arc<Numbers<S>>);

struct Numbers<S: Scalar> {
    factoriser: Factoriser<S>,
    /// The same on the host, once somebody has asked.
    brought: OnceLock<Factors<S>>,
}

per_scalar! {
    fn computed<S>(gpu: &Arc<Gpu>, A: &Csr<S>, recipe: Recipe) -> Result<Computed<S>> = Computed::compute;
    fn is_positive<S>(computed: &Computed<S>) -> Result<bool> = Computed::has_positive_pivots;
    fn boxed<S>(computed: Computed<S>) -> Box<dyn LinearMap<S>> = Box::new;
}

impl<S: Scalar> Computed<S> {
    /// The factors of A by a recipe.
    pub fn new(gpu: &Arc<Gpu>, A: &Csr<S>, recipe: Recipe) -> Result<Self> {
        computed(gpu, A, recipe)
    }

    fn compute(gpu: &Arc<Gpu>, A: &Csr<S>, recipe: Recipe) -> Result<Self> {
        let mut factoriser = Factoriser::new(gpu, &Jit::new(gpu), A, recipe)?;
        factoriser.compute(A)?;
        Ok(Self(Arc::new(Numbers { factoriser, brought: OnceLock::new() })))
    }

    /// Pattern, kind and shift; without the numbers.
    pub fn pattern(&self) -> &Factors<S> {
        &self.0.factoriser.blank
    }

    /// The factors on the host.
    pub fn bring(&self) -> Result<&Factors<S>> {
        match self.0.brought.get() {
            Some(factors) => Ok(factors),
            None => {
                let factors = self.0.factoriser.download()?;
                Ok(self.0.brought.get_or_init(|| factors))
            }
        }
    }

    /// Bytes on the GPU that go with the last copy.
    pub fn held(&self) -> usize {
        let Factoriser { structure, a, work, f, inverse, pivot, .. } = &self.0.factoriser;
        structure.bytes() + [a, work, f, inverse, pivot].map(Buffer::bytes).iter().sum::<usize>()
    }

    /// Whether every pivot is one of a positive definite matrix, as
    /// [`Preconditioner::of_factors`](galerkit_linalg::precond::Preconditioner::of_factors) wants them.
    pub fn is_positive(&self) -> Result<bool> {
        is_positive(self)
    }

    fn has_positive_pivots(&self) -> Result<bool> {
        self.0.factoriser.is_positive()
    }

    /// As a map behind a trait object, compiled here.
    pub fn boxed(self) -> Box<dyn LinearMap<S>> {
        boxed(self)
    }

    /// Fills the values of a map whose slots hold these numbers of the factors, in stream order.
    pub(crate) fn fill(&self, numbers: &[u32], values: &Buffer) -> Result<()> {
        let slots = self.0.factoriser.number_slots(numbers)?;
        self.0.factoriser.hand_over(&slots, values);
        Ok(())
    }

    /// The factors on the host, or their pattern where the GPU has failed, which others will say.
    fn brought(&self) -> &Factors<S> {
        self.bring().unwrap_or_else(|_| self.pattern())
    }
}

impl<S: Scalar> Wide<S::Single> for Computed<S> {
    fn fill(&self, numbers: &[u32], values: &Buffer) -> Result<()> {
        let slots = self.0.factoriser.number_slots(numbers)?;
        self.0.factoriser.hand_over_single(&slots, values);
        Ok(())
    }
    fn fits(&self) -> Result<bool> {
        self.0.factoriser.fits_single()
    }
    fn bring(&self) -> Result<Factors<S::Single>> {
        Ok(Computed::bring(self)?.rounded())
    }
}

impl<S: Scalar> fmt::Debug for Computed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Computed").field("rows", &self.pattern().rows()).finish_non_exhaustive()
    }
}

impl<S: Scalar> LinearMap<S> for Computed<S> {
    fn shape(&self) -> (usize, usize) {
        LinearMap::shape(self.pattern())
    }
    fn bytes(&self) -> usize {
        self.pattern().bytes()
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.pattern().apply(values, x, y);
    }
    fn take_values(&mut self) -> Vec<S> {
        self.brought().clone().take_values()
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        Some(Box::new(Rounded::new(self.pattern().rounded(), Arc::new(self.clone()))))
    }
    fn is_finite(&self) -> bool {
        self.brought().is_finite()
    }
    fn traffic(&self) -> usize {
        self.pattern().traffic()
    }
}
