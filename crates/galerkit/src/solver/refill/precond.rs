//! The preconditioner of new values: spoken by the engine where it is entries of A and their inverses (Jacobi, SSOR), factorised on
//! the GPU, or computed by the host and gathered into the slots of the loaded map.

use super::super::iterative::Iterative;
use super::super::machine::Engine as Recorded;
use super::factored::OnGpu;
use super::slots::Ordered;
use super::{Diagonals, Finish, into_slots};
use galerkit_cuda::map::{block_diagonal, triangular};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Held, Resident, Routine};
use galerkit_linalg::map::{Diagonal, LinearMap, NO_SOURCE};
use galerkit_linalg::precond::{BlockDiagonal, Class, Factors, Preconditioner, Prepared, Recipe, Ssor};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;
use std::cell::RefCell;

/// How the preconditioner follows new values.
pub(super) enum Renewal<S: Scalar> {
    /// There is nothing to do.
    None,
    /// By a routine, from the entries; its scalars are 0 where every pivot suits, and the largest value.
    Spoken(Routine),
    /// The host computes the values in its own order, which is the engine's.
    Host,
    /// The same, and a routine brings them into the engine's order.
    Gathered(Held<Vector>, Routine),
    /// The GPU factorises.
    Gpu(Box<OnGpu<S>>),
}

impl<S: Scalar> Renewal<S> {
    /// Whether the host computes something from the values.
    pub(super) fn needs_host(&self) -> bool {
        matches!(self, Renewal::Host | Renewal::Gathered(..))
    }
}

/// What is preconditioned by, where it is one map.
pub(super) struct Target<'a, S: Scalar> {
    pub(super) M: &'a mut Prepared<S>,
    map: Option<&'a mut Resident<Recorded<S>>>,
    name: Preconditioner,
    class: Class,
}

impl<S: Scalar> Iterative<S> {
    /// The engine, and what the method or its inner solve is preconditioned by.
    pub(super) fn target(&mut self) -> (&mut Recorded<S>, Target<'_, S>) {
        let target = match &mut self.inner_solve {
            Some(inner_solve) => {
                let (name, class) = (inner_solve.name, inner_solve.choice.class());
                let (M, map) = inner_solve.preconditioner();
                Target { M, map, name, class }
            }
            None => {
                let class = Class::of(self.method);
                Target { M: &mut self.M, map: self.map.as_mut(), name: self.name, class }
            }
        };
        (&mut self.engine, target)
    }

    /// How the preconditioner follows new values; none where it must be prepared anew.
    pub(super) fn make_renewal(
        &mut self,
        A: &Csr<S>,
        ordered: &Ordered,
        entries: &Held<Vector>,
        diagonal: Diagonals,
    ) -> Option<Renewal<S>> {
        let (e, Target { M, map, name, class }) = self.target();
        let Prepared::Map(M) = M else { return matches!(M, Prepared::Identity).then_some(Renewal::None) };
        let map = map?;
        let on_gpu = e.executor().cuda().is_some();
        if M.known::<Diagonal<S>>().is_some() {
            return inverted(e, class, diagonal, map).map(Renewal::Spoken);
        }
        if let Some(ssor) = M.known::<Ssor<S>>() {
            return relaxed(e, (ssor, class, on_gpu), ordered, entries, map).map(Renewal::Spoken);
        }
        if on_gpu && let Some(made) = OnGpu::new(e, (&**M, name, class), (A, ordered), map) {
            return Some(Renewal::Gpu(Box::new(made)));
        }
        let sources = if on_gpu { device_sources(&**M)? } else { Vec::new() };
        let length = if let Some(factors) = M.known::<Factors<S>>() {
            factors.nnz()
        } else {
            M.known::<BlockDiagonal<S>>()?.slots()
        };
        if !on_gpu {
            return (e.length(&map.values) == length).then_some(Renewal::Host);
        }
        let numbers = e.zeros(length, Precision::Full);
        let routine = into_slots(e, &numbers, sources, map, Finish::none())?;
        Some(Renewal::Gathered(numbers, routine))
    }

    /// Makes the preconditioner for the entries that are in place, those of A; false if it cannot be.
    pub(super) fn renew(&mut self, how: &mut Renewal<S>, entries: &Held<Vector>, A: &Csr<S>) -> bool {
        match how {
            Renewal::None => true,
            Renewal::Spoken(routine) => {
                let _ = self.engine.run(routine);
                are_fit(&mut self.engine, routine)
            }
            Renewal::Gpu(factors) => factors.renew(&mut self.engine, entries),
            Renewal::Host => {
                let Some(numbers) = self.host_numbers(A) else { return false };
                let (e, Target { map, .. }) = self.target();
                map.is_some_and(|map| {
                    e.write(&mut map.values, &numbers);
                    true
                })
            }
            Renewal::Gathered(vector, routine) => {
                let Some(numbers) = self.host_numbers(A) else { return false };
                self.engine.write(vector, &numbers);
                let _ = self.engine.run(routine);
                true
            }
        }
    }

    /// The numbers of factors or inverted blocks, computed by the host, in its order; none if they are refused.
    fn host_numbers(&mut self, A: &Csr<S>) -> Option<Vec<S>> {
        let ordered = match &self.order {
            Some(order) => A.permute_symmetric(order).ok()?,
            None => A.clone(),
        };
        let (e, Target { M, map, name, class }) = self.target();
        let Prepared::Map(old) = &*M else { return None };
        let made = match (old.known::<Factors<S>>(), name.recipe()) {
            (Some(factors), Some(recipe)) => name.of_factors(refilled(factors, recipe, &ordered)?, class).ok()?,
            _ => name.prepare(&ordered, class).ok()?,
        };
        let Prepared::Map(made) = made else { return None };
        let numbers = made.clone().take_values();
        let single = e.precision(&map?.values) == Precision::Single;
        let fits = numbers.iter().all(|value| value.finite() && (!single || value.to_single().finite()));
        *M = Prepared::Map(made);
        fits.then_some(numbers)
    }
}

/// The factors of A on a pattern that is there.
fn refilled<S: Scalar>(factors: &Factors<S>, recipe: Recipe, A: &Csr<S>) -> Option<Factors<S>> {
    if let Recipe::FixedPoint { .. } = recipe {
        return recipe.factorise(A).ok();
    }
    let mut factors = factors.clone();
    factors.refill(&*recipe.matrix(A).ok()?).ok()?;
    Some(factors)
}

/// Whether the routine that has run found what a method can be preconditioned by: every pivot suits it, and every value is finite.
pub(super) fn are_fit<S: Scalar>(e: &mut Recorded<S>, routine: &Routine) -> bool {
    let [unsuited, largest] = [0, 1].map(|k| e.read_scalar(routine.scalars[k]));
    unsuited == 0.0 && largest.is_finite()
}

/// 1 for a diagonal entry that a method of this class cannot have, otherwise 0: it must be real and positive for some.
fn unsuited(class: Class, d: EntrySymbol) -> EntrySymbol {
    let (zero, one) = (EntrySymbol::constant(0.0), EntrySymbol::constant(1.0));
    let positive = EntrySymbol::both(zero.less(d), (d - d.conj()).abs().at_most(zero));
    if class == Class::General { zero } else { EntrySymbol::select(positive, zero, one) }
}

/// Jacobi: 1/d_i.
fn inverted<S: Scalar>(
    e: &mut Recorded<S>,
    class: Class,
    diagonal: Diagonals,
    map: &mut Resident<Recorded<S>>,
) -> Option<Routine> {
    let flags = RefCell::new(e.zeros(map.values.name().length, Precision::Full));
    let change = |e: &mut Recorded<S>, d: &mut Held<Vector>| {
        e.pointwise([d, &mut *flags.borrow_mut()], [], |[d, _], []| [d.recip(), unsuited(class, d)]);
    };
    let judge = |e: &mut Recorded<S>, values: &Held<Vector>| vec![e.norm_inf(&flags.borrow()), e.norm_inf(values)];
    into_slots(e, &diagonal.values, diagonal.slots?, map, Finish { change: &change, judge: &judge })
}

/// SSOR: triangles are entries of A, the diagonal becomes w/d_i.
fn relaxed<S: Scalar>(
    e: &mut Recorded<S>,
    (M, class, on_gpu): (&Ssor<S>, Class, bool),
    ordered: &Ordered,
    entries: &Held<Vector>,
    map: &mut Resident<Recorded<S>>,
) -> Option<Routine> {
    let host = [ordered.entries(|i, j| j < i), ordered.entries(|i, j| j > i), ordered.diagonal()?].concat();
    let first = (M.lower().nnz() + M.upper().nnz()) as u32;
    let order = if on_gpu { triangular::sources(M)? } else { (0..host.len() as u32).collect() };
    let is_diagonal = |&k: &u32| S::from_f64(f64::from(u8::from(k >= first && k != NO_SOURCE)));
    let mask = e.upload(&order.iter().map(is_diagonal).collect::<Vec<S>>());
    let source = |&k: &u32| if k == NO_SOURCE { NO_SOURCE } else { host[k as usize] };
    let omega = M.omega();
    let flags = RefCell::new(e.zeros_like(&mask));
    let change = |e: &mut Recorded<S>, values: &mut Held<Vector>| {
        e.pointwise([values, &mut *flags.borrow_mut()], [&mask], |[v, _], [is_diagonal]| {
            let zero = EntrySymbol::constant(0.0);
            let (is_diagonal, inverse) = (zero.less(is_diagonal), EntrySymbol::constant(omega) / v);
            let pick = |then, otherwise| EntrySymbol::select(is_diagonal, then, otherwise);
            [pick(inverse, v), pick(unsuited(class, v), zero)]
        });
    };
    let judge = |e: &mut Recorded<S>, values: &Held<Vector>| vec![e.norm_inf(&flags.borrow()), e.norm_inf(values)];
    let sources = order.iter().map(source).collect();
    into_slots(e, entries, sources, map, Finish { change: &change, judge: &judge })
}

/// Which value of the host's order each slot on a GPU holds.
fn device_sources<S: Scalar>(M: &dyn LinearMap<S>) -> Option<Vec<u32>> {
    match (M.known::<Factors<S>>(), M.known::<BlockDiagonal<S>>()) {
        (Some(factors), _) => triangular::sources(factors),
        (None, Some(blocks)) => block_diagonal::sources(blocks),
        (None, None) => None,
    }
}
