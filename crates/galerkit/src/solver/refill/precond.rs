//! The preconditioner of new values: spoken by the engine where it is entries of A and their inverses (Jacobi, SSOR), factorised on
//! the GPU, or computed by the host and gathered into the slots of the loaded map.

use super::super::iterative::Iterative;
use super::super::machine::{Engine as Recorded, Machine};
use super::super::standing::Standing;
use super::factored::{OnGpu, To};
use super::into_slots::{Diagonals, Finish, into_slots};
use super::renewal::Renewal;
use super::slots::Ordered;
use super::swept::spread;

use galerkit_cuda::map::{block_diagonal, triangular};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Held, Resident, Routine};
use galerkit_linalg::map::{Diagonal, NO_SOURCE};
use galerkit_linalg::precond::{BlockDiagonal, Class, Factors, Preconditioner, Prepared, Ssor};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::Csr;
use std::cell::RefCell;

/// What is preconditioned by, on the host and where it stays loaded.
pub(super) struct Target<'a, S: Scalar> {
    pub(super) M: &'a mut Prepared<S>,
    standing: Option<&'a mut Standing<S>>,
    pub(super) name: Preconditioner,
    pub(super) class: Class,
}

impl<S: Scalar> Iterative<S> {
    /// The engine, and what the method or its inner solve is preconditioned by.
    pub(super) fn target(&mut self) -> (&mut Recorded<S>, Target<'_, S>) {
        let target = match &mut self.inner_solve {
            Some(inner_solve) => {
                let (name, class) = (inner_solve.name, inner_solve.choice.class());
                let (M, standing) = inner_solve.preconditioner();
                Target { M, standing, name, class }
            }
            None => {
                let class = Class::of(self.method);
                Target { M: &mut self.M, standing: self.standing.as_mut(), name: self.name, class }
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
        let tuning = self.loaded_with();
        let (e, Target { M, standing, name, class }) = self.target();
        let (M, map) = match (M, standing) {
            (Prepared::Identity, _) => return Some(Renewal::None),
            (Prepared::Map(M), Some(Standing::Map(map))) => (M, map),
            (Prepared::Sweeps(M), Some(Standing::Sweeps(swept))) => {
                let to = To::Sweeps(M, &tuning, swept);
                return follow_factors(e, (name, class), (A, ordered), to);
            }
            _ => return None,
        };
        let on_gpu = e.executor().cuda().is_some();
        if M.known::<Diagonal<S>>().is_some() {
            return inverted(e, class, diagonal, map).map(Renewal::Spoken);
        }
        if let Some(ssor) = M.known::<Ssor<S>>() {
            return relaxed(e, (ssor, class, on_gpu), ordered, entries, map).map(Renewal::Spoken);
        }
        if let Some(factors) = M.known::<Factors<S>>() {
            return follow_factors(e, (name, class), (A, ordered), To::Map(factors, map));
        }
        let blocks = M.known::<BlockDiagonal<S>>()?;
        let sources = if on_gpu { block_diagonal::sources(blocks)? } else { (0..blocks.slots() as u32).collect() };
        gathered(e, blocks.slots(), |e, numbers| Some(vec![into_slots(e, numbers, sources, map, Finish::none())?]))
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
            Renewal::Host(vector, routines) => {
                let Some(numbers) = self.host_numbers(A) else { return false };
                self.engine.write(vector, &numbers);
                run_all(&mut self.engine, routines)
            }
        }
    }

    /// Whether what it is preconditioned by is in single precision.
    pub(super) fn is_preconditioned_in_single(&mut self) -> bool {
        let (e, Target { standing, .. }) = self.target();
        let values = match standing {
            Some(Standing::Map(map)) => &map.values,
            Some(Standing::Sweeps(swept)) => &swept.maps_mut()[0].values,
            None => return false,
        };
        e.precision(values) == Precision::Single
    }
}

/// Runs routines; false if one of their scalars, the largest values that they have made, is not finite.
pub(super) fn run_all<S: Scalar>(e: &mut Recorded<S>, routines: &[Routine]) -> bool {
    routines.iter().for_each(|routine| drop(e.run(routine)));
    routines.iter().flat_map(|routine| &routine.scalars).all(|&largest| e.read_scalar(largest).is_finite())
}

/// Incomplete factors: the GPU factorises where one solves and has the room, otherwise the host.
fn follow_factors<S: Scalar>(
    e: &mut Recorded<S>,
    (name, class): (Preconditioner, Class),
    (A, ordered): (&Csr<S>, &Ordered),
    mut to: To<'_, S>,
) -> Option<Renewal<S>> {
    let recipe = name.recipe()?;
    if let Some(made) = OnGpu::new(e, (recipe, class), (A, ordered), &mut to) {
        return Some(Renewal::Gpu(Box::new(made)));
    }
    gathered(e, to.count(), |e, numbers| match to {
        To::Map(factors, map) => {
            let count = u32::try_from(factors.nnz()).ok()?;
            let on_gpu = e.executor().cuda().is_some();
            let sources = if on_gpu { triangular::sources(factors)? } else { (0..count).collect() };
            Some(vec![into_slots(e, numbers, sources, map, Finish::none())?])
        }
        To::Sweeps(M, tuning, swept) => spread(e, (M, recipe, tuning), numbers, swept),
    })
}

/// A vector for so many numbers of the host, and the routines that bring them where they are needed.
fn gathered<S: Scalar>(
    e: &mut Recorded<S>,
    count: usize,
    routines: impl FnOnce(&mut Recorded<S>, &Held<Vector>) -> Option<Vec<Routine>>,
) -> Option<Renewal<S>> {
    let numbers = e.zeros(count, Precision::Full);
    let routines = routines(e, &numbers)?;
    Some(Renewal::Host(numbers, routines))
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
