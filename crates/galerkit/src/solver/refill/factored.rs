//! Incomplete factors of new values on a GPU: from the entries to the factors to the values of the loaded maps, without
//! the host seeing a number but the first pivot that is of no use.

use super::super::machine::{Engine as Recorded, Machine};
use super::fitness::{are_fit, run_all};
use super::slots::Ordered;
use super::swept::spread;
use galerkit_cuda::factor::{Factoriser, Slots, factoriser};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::map::Tuning;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Held, Resident, Routine};
use galerkit_linalg::map::NO_SOURCE;
use galerkit_linalg::precond::{Class, Factorisation, Factors, JacobiSweeps, Recipe, Swept};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;

/// Where factors go: the map that solves with them, or the maps of Jacobi sweeps.
pub(super) enum To<'a, S: Scalar> {
    Map(&'a Factors<S>, &'a mut Resident<Recorded<S>>),
    Sweeps(&'a JacobiSweeps<S>, &'a Tuning, &'a mut Swept<Recorded<S>>),
}

impl<S: Scalar> To<'_, S> {
    /// Numbers of the factors.
    pub(super) fn count(&self) -> usize {
        match self {
            To::Map(factors, _) => factors.nnz(),
            To::Sweeps(M, ..) => M.lower().nnz() + M.upper().nnz() + M.rows(),
        }
    }
}

/// A factorisation that stays on the GPU.
pub(in crate::solver) struct OnGpu<S: Scalar> {
    factoriser: Factoriser<S>,
    from: Slots,
    handing: Handing,
}

impl<S: Scalar> OnGpu<S> {
    /// For a map of factors by a recipe, or sweeps with them; none without a GPU, or if it has no room.
    pub(super) fn new(
        e: &mut Recorded<S>,
        (recipe, class): (Recipe, Class),
        (A, ordered): (&Csr<S>, &Ordered),
        to: &mut To<'_, S>,
    ) -> Option<Self> {
        let gpu = e.executor().cuda()?.gpu().clone();
        let A = ordered.with(ordered.index.iter().map(|&k| A.val()[k as usize]).collect())?;
        let factoriser = factoriser(&gpu, &Jit::new(&gpu), &A, recipe).ok()?;
        let from = factoriser.entry_slots(&A, &ordered.index).ok()?;
        let handing = Handing::new(e, &factoriser, (recipe, class), to)?;
        Some(Self { factoriser, from, handing })
    }

    /// The factors of the entries that are in place; false if a pivot does not suit.
    pub(super) fn renew(&mut self, e: &mut Recorded<S>, entries: &Held<Vector>) -> bool {
        let Some(cuda) = e.executor().cuda() else { return false };
        let Some(entries) = cuda.buffer(entries.name()) else { return false };
        self.factoriser.compute_from(&self.from, entries).is_ok() && self.handing.run(e, &self.factoriser)
    }
}

/// From a factorisation to the values of loaded maps.
struct Handing {
    /// Where the numbers of `made` come from.
    slots: Slots,
    /// What is made before the maps' own values, and looked at: all numbers.
    made: Held<Vector>,
    /// Looks at what was made, and hands it to the map that solves with it. Its scalars are 0 where every pivot suits,
    /// and the largest value.
    finish: Routine,
    /// What makes the maps of sweeps.
    spread: Vec<Routine>,
}

impl Handing {
    fn new<S: Scalar>(
        e: &mut Recorded<S>,
        factoriser: &Factoriser<S>,
        (recipe, class): (Recipe, Class),
        to: &mut To<'_, S>,
    ) -> Option<Self> {
        let factors = factoriser.blank();
        let numbers = match to {
            To::Map(..) => factoriser.solve_numbers()?,
            To::Sweeps(..) => (0..u32::try_from(factors.nnz()).ok()?).collect(),
        };
        let made = e.zeros(numbers.len(), Precision::Full);
        let checks = class == Class::PositiveDefinite && factors.kind() == Factorisation::Ilu;
        let first = (factors.lower().nnz() + factors.upper().nnz()) as u32;
        let is_pivot = |&k: &u32| S::from_f64(f64::from(u8::from(checks && k >= first && k != NO_SOURCE)));
        let pivots = e.upload(&numbers.iter().map(is_pivot).collect::<Vec<S>>());
        let slots = factoriser.number_slots(&numbers).ok()?;
        let (values, spread) = match to {
            To::Map(_, map) if e.length(&map.values) == numbers.len() => (Some(&mut map.values), Vec::new()),
            To::Map(..) => return None,
            To::Sweeps(M, tuning, swept) => (None, spread(e, (M, recipe, tuning), &made, swept)?),
        };
        let finish = finish(e, &made, &pivots, values);
        Some(Self { slots, made, finish, spread })
    }

    /// The factors of the moment; false if a pivot does not suit, or a number is too large.
    fn run<S: Scalar>(&self, e: &mut Recorded<S>, factoriser: &Factoriser<S>) -> bool {
        let Some(cuda) = e.executor().cuda() else { return false };
        let Some(made) = cuda.buffer(self.made.name()) else { return false };
        factoriser.hand_over(&self.slots, made);
        let _ = e.run(&self.finish);
        are_fit(e, &self.finish) && run_all(e, &self.spread)
    }
}

/// Pivots as [`Preconditioner::of_factors`](galerkit_linalg::precond::Preconditioner::of_factors) wants them: positive,
/// with imaginary parts that may be rounding.
fn finish<S: Scalar>(
    e: &mut Recorded<S>,
    made: &Held<Vector>,
    pivots: &Held<Vector>,
    values: Option<&mut Held<Vector>>,
) -> Routine {
    let mut unsuited = e.zeros_like(made);
    let tolerance = 2.0 * S::eps().sqrt(); // v - conj v is twice the imaginary part
    e.compile(|e| {
        e.pointwise([&mut unsuited], [made, pivots], |[_], [v, is_pivot]| {
            let zero = EntrySymbol::constant(0.0);
            let imaginary = (v - v.conj()).abs();
            let real = EntrySymbol::constant(0.5) * (v + v.conj());
            let fits = EntrySymbol::both(zero.less(real), imaginary.at_most(EntrySymbol::constant(tolerance) * real));
            [EntrySymbol::select(fits, zero, is_pivot)]
        });
        let largest = match values {
            Some(values) => {
                e.copy(made, values);
                e.norm_inf(values)
            }
            None => e.norm_inf(made),
        };
        vec![e.norm_inf(&unsuited), largest]
    })
}
