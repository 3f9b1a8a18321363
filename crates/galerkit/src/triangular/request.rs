//! What is asked of a set-up: the preconditioner with its variant, and what is said beside it of triangular solves and
//! the order of rows.

use super::{Solves, TriangularSolve};
use crate::choice::{Choice, Device, Ordering, Variant};
use crate::layout::Asked;
use crate::near_null::NearNull;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::precond::{Class, Preconditioner};
use galerkit_linalg::sparse::Format;
use std::sync::Arc;

/// What was asked for.
#[derive(Clone)]
pub(crate) struct Request {
    /// The preconditioner; none: the diagonal if it suits.
    pub(crate) named: Option<Preconditioner>,
    /// The variant that its name says.
    pub(crate) variant: Option<Variant>,
    /// What it must be.
    pub(crate) class: Class,
    pub(crate) triangular: Choice<TriangularSolve>,
    pub(crate) ordering: Choice<Ordering>,
    pub(crate) format: Choice<Format>,
    pub(crate) device: Device,
    /// The most iterations.
    pub(crate) limit: usize,
    /// Whether it is for an inner solve.
    pub(crate) is_inner: bool,
    /// What multigrid is told of the matrix.
    pub(crate) near_null: NearNull,
}

impl Request {
    /// Whether exact solves or sweeps are to be chosen between.
    pub(super) fn is_open(&self) -> bool {
        let has_factors = self.named.is_some_and(|named| named.recipe().is_some());
        self.is_auto() && self.triangular == Choice::Auto && has_factors
    }

    /// Whether exact solves may go colour by colour, where that is expected to be faster.
    pub(super) fn may_colour(&self) -> bool {
        let waits = self.named.is_some_and(|named| named.solves_triangles());
        self.is_auto() && waits && self.ordering == Choice::Auto && self.sweeps().is_none()
    }

    fn is_auto(&self) -> bool {
        self.variant == Some(Variant::Auto)
    }

    /// The sweeps that were asked for, by the name of the preconditioner or beside it.
    pub(super) fn sweeps(&self) -> Option<usize> {
        match (self.triangular, self.variant) {
            (Choice::Given(TriangularSolve::Sweeps(count)), _) | (_, Some(Variant::Swept(count))) => Some(count),
            _ => self.named.and_then(|named| named.sweeps()),
        }
    }

    /// Whether something will be made from rows on the host: a preconditioner with factors or blocks, another order.
    pub(super) fn needs_rows(&self) -> bool {
        let is_simple = |named| matches!(named, Preconditioner::None | Preconditioner::Jacobi | Preconditioner::Amg(_));
        let keeps_order = !matches!(self.ordering, Choice::Given(Ordering::Rcm | Ordering::Colours));
        !self.named.is_none_or(is_simple) || !keeps_order
    }

    /// How triangles are solved with where nothing is to be chosen.
    pub(super) fn solves(&self) -> Solves {
        let Some(named) = self.named.filter(|named| named.recipe().is_some() || named.solves_triangles()) else {
            return Solves::new(None, "the preconditioner has no triangles");
        };
        let exact = |reason| Solves::new(TriangularSolve::Exact, reason);
        match (self.triangular, self.sweeps()) {
            (Choice::Given(asked), _) => Solves::new(asked, "asked for"),
            (Choice::Auto, Some(count)) => {
                Solves::new(TriangularSolve::Sweeps(count), format!("{} says so", self.name(named)))
            }
            (Choice::Auto, None) if named.recipe().is_none() => exact(format!("{named} has no other way")),
            (Choice::Auto, None) if self.is_auto() => {
                exact("on the CPU always: exact solves take the fewest iterations as a rule".into())
            }
            (Choice::Auto, None) => exact(format!("{} says so, on every device", self.name(named))),
        }
    }

    fn name(&self, named: Preconditioner) -> String {
        self.variant.map_or(named.to_string(), |variant| format!("{named}:{variant}"))
    }

    /// Which order of rows. One that was left open changes no preconditioner that depends on it: another order would be
    /// another preconditioner, with other iteration counts.
    pub(super) fn asked<'a>(&self, gpu: Option<&'a Arc<Gpu>>) -> Asked<'a> {
        let ordering = match self.variant {
            Some(Variant::Coloured) => Ordering::Colours.into(),
            _ => self.ordering,
        };
        let keeps = self.named.filter(|named| named.depends_on_order() && !self.is_auto());
        Asked { ordering, keeps, limit: Some(self.limit), gpu }
    }
}
