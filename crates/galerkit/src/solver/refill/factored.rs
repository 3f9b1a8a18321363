//! Incomplete factors of new values on a GPU: from the entries to the factors to the values of the loaded map, without the host
//! seeing a number but the first pivot that is of no use.

use super::super::machine::{Engine as Recorded, Machine};
use super::precond::are_fit;
use super::slots::Ordered;
use galerkit_cuda::factor::{Factoriser, Slots};
use galerkit_cuda::jit::Jit;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Held, Resident, Routine};
use galerkit_linalg::map::{LinearMap, NO_SOURCE};
use galerkit_linalg::precond::{Class, Factorisation, Factors, Preconditioner};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;

/// A factorisation that stays on the GPU.
pub(in crate::solver) struct OnGpu<S: Scalar> {
    factoriser: Factoriser<S>,
    from: Slots,
    to: Slots,
    /// What is made before the map's own values, and looked at: all of them.
    made: Held<Vector>,
    /// Looks at what was made, and hands it to the map. Its scalars are 0 where every pivot suits, and the largest value.
    finish: Routine,
}

impl<S: Scalar> OnGpu<S> {
    /// For a map of factors by a recipe; none if there is no room or these are no factors.
    pub(super) fn new(
        e: &mut Recorded<S>,
        (M, name, class): (&dyn LinearMap<S>, Preconditioner, Class),
        (A, ordered): (&Csr<S>, &Ordered),
        map: &mut Resident<Recorded<S>>,
    ) -> Option<Self> {
        let (factors, recipe) = (M.known::<Factors<S>>()?, name.recipe()?);
        let gpu = e.executor().cuda()?.gpu().clone();
        let A = ordered.with(ordered.index.iter().map(|&k| A.val()[k as usize]).collect())?;
        let factoriser = Factoriser::new(&gpu, &Jit::new(&gpu), &A, recipe).ok()?;
        let from = factoriser.entry_slots(&A, &ordered.index).ok()?;
        let to = factoriser.solve_slots().ok()??;
        let sources = galerkit_cuda::map::triangular::sources(factors)?;
        if sources.len() != e.length(&map.values) {
            return None;
        }
        let made = e.zeros(sources.len(), Precision::Full);
        let checks = class == Class::PositiveDefinite && factors.kind() == Factorisation::Ilu;
        let first = (factors.lower().nnz() + factors.upper().nnz()) as u32;
        let is_pivot = |&k: &u32| S::from_f64(f64::from(u8::from(checks && k >= first && k != NO_SOURCE)));
        let pivots = e.upload(&sources.iter().map(is_pivot).collect::<Vec<S>>());
        let finish = finish(e, &made, &pivots, map);
        Some(Self { factoriser, from, to, made, finish })
    }

    /// The factors of the entries that are in place; false if a pivot does not suit.
    pub(super) fn renew(&mut self, e: &mut Recorded<S>, entries: &Held<Vector>) -> bool {
        let Machine::Cuda(cuda) = e.executor_mut() else { return false };
        let (Some(entries), Some(made)) = (cuda.buffer(entries.name()), cuda.buffer(self.made.name())) else {
            return false;
        };
        if self.factoriser.compute_from(&self.from, entries).is_err() {
            return false;
        }
        self.factoriser.hand_over(&self.to, made);
        let _ = e.run(&self.finish);
        are_fit(e, &self.finish)
    }
}

/// Pivots as [`Preconditioner::of_factors`] wants them: positive, with imaginary parts that may be rounding.
fn finish<S: Scalar>(
    e: &mut Recorded<S>,
    made: &Held<Vector>,
    pivots: &Held<Vector>,
    map: &mut Resident<Recorded<S>>,
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
        e.copy(made, &mut map.values);
        vec![e.norm_inf(&unsuited), e.norm_inf(&map.values)]
    })
}
