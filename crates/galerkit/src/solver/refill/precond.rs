//! The preconditioner of new values: spoken by the engine where it is entries of A and their inverses (Jacobi, SSOR), factorised on
//! the GPU, or computed by the host and gathered into the slots of the loaded map.

use super::super::iterative::Iterative;
use super::super::machine::{Engine as Recorded, Machine};
use super::factored::OnGpu;
use super::into_slots::{Diagonals, into_slots};
use super::renewal::Renewal;
use super::slots::Ordered;
use galerkit_cuda::map::{block_diagonal, triangular};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Held, Resident, Routine};
use galerkit_linalg::map::{Diagonal, LinearMap, NO_SOURCE};
use galerkit_linalg::precond::{BlockDiagonal, Class, Factors, Preconditioner, Prepared, Recipe, Ssor};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;

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

    /// Whether the diagonal of A still suits a preconditioner that divides by it; others are looked at when they are made.
    pub(super) fn preconditioner_suits(&mut self, A: &Csr<S>) -> bool {
        let (_, Target { M, map, class, .. }) = self.target();
        let numerator = match M {
            Prepared::Identity => return true,
            Prepared::Map(M) if M.known::<Diagonal<S>>().is_some() => S::one(),
            Prepared::Map(M) => match M.known::<Ssor<S>>() {
                Some(ssor) => S::from_f64(ssor.omega()),
                None => return true,
            },
            Prepared::Sweeps(_) | Prepared::Chebyshev(_) => return false,
        };
        let single = map.is_some_and(|map| map.values.name().precision == Precision::Single);
        let inverse = |d: S| (S::one() / d).finite() && (!single || (numerator / d).to_single().finite());
        let positive = |d: S| class == Class::General || (d.parts().0 > 0.0 && d.parts().1 == 0.0);
        A.diagonal().into_iter().all(|d| d != S::zero() && inverse(d) && positive(d))
    }

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
            let invert = |e: &mut Recorded<S>, d: &mut Held<Vector>| e.pointwise([d], [], |[d], []| [d.recip()]);
            return into_slots(e, &diagonal.values, diagonal.slots?, map, invert).map(Renewal::Spoken);
        }
        if let Some(ssor) = M.known::<Ssor<S>>() {
            return relaxed(e, (ssor, on_gpu), ordered, entries, map).map(Renewal::Spoken);
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
        let routine = into_slots(e, &numbers, sources, map, |_, _| ())?;
        Some(Renewal::Gathered(numbers, routine))
    }

    /// Makes the preconditioner for the entries that are in place, those of A; false if it cannot be.
    pub(super) fn renew(&mut self, how: &mut Renewal<S>, entries: &Held<Vector>, A: &Csr<S>) -> bool {
        match how {
            Renewal::None => true,
            Renewal::Spoken(routine) => {
                let _ = self.engine.run(routine);
                true
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

/// SSOR: triangles are entries of A, the diagonal becomes w/d_i.
fn relaxed<S: Scalar>(
    e: &mut Recorded<S>,
    (M, on_gpu): (&Ssor<S>, bool),
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
    let relax = |e: &mut Recorded<S>, values: &mut Held<Vector>| {
        e.pointwise([values], [&mask], |[v], [is_diagonal]| {
            let inverse = EntrySymbol::constant(omega) / v;
            [EntrySymbol::select(EntrySymbol::constant(0.0).less(is_diagonal), inverse, v)]
        });
    };
    into_slots(e, entries, order.iter().map(source).collect(), map, relax)
}

/// Which value of the host's order each slot on a GPU holds.
fn device_sources<S: Scalar>(M: &dyn LinearMap<S>) -> Option<Vec<u32>> {
    match (M.known::<Factors<S>>(), M.known::<BlockDiagonal<S>>()) {
        (Some(factors), _) => triangular::sources(factors),
        (None, Some(blocks)) => block_diagonal::sources(blocks),
        (None, None) => None,
    }
}
