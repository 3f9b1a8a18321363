//! Jacobi and SSOR of new values: entries of A and inverses of its diagonal, spoken by the engine. Their scalars are 0
//! where every diagonal entry suits the method, and the largest value.

use super::super::machine::Engine as Recorded;
use super::into_slots::{Diagonals, Finish, into_slots};
use super::slots::Ordered;
use galerkit_cuda::map::triangular;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Entry, EntrySymbol, Held, Resident, Routine};
use galerkit_linalg::map::NO_SOURCE;
use galerkit_linalg::precond::{Class, Ssor};
use galerkit_linalg::program::Vector;
use std::cell::RefCell;

/// 1 for a diagonal entry that a method of this class cannot have, otherwise 0: it must be real and positive for some.
pub(super) fn unsuited(class: Class, d: EntrySymbol) -> EntrySymbol {
    let (zero, one) = (EntrySymbol::constant(0.0), EntrySymbol::constant(1.0));
    let positive = EntrySymbol::both(zero.less(d), (d - d.conj()).abs().at_most(zero));
    if class == Class::General { zero } else { EntrySymbol::select(positive, zero, one) }
}

/// Jacobi: 1/d_i; infinite for an entry that does not suit the method, so that the largest value tells of it and no
/// vector of flags is written.
pub(super) fn inverted<S: Scalar>(
    e: &mut Recorded<S>,
    class: Class,
    diagonal: Diagonals,
    map: &mut Resident<Recorded<S>>,
) -> Option<Routine> {
    let change = |e: &mut Recorded<S>, d: &mut Held<Vector>| {
        e.pointwise([d], [], |[d], []| {
            let zero = EntrySymbol::constant(0.0);
            [EntrySymbol::select(zero.less(unsuited(class, d)), zero.recip(), d.recip())]
        });
    };
    let judge = |e: &mut Recorded<S>, values: &Held<Vector>| vec![e.number(0.0), e.norm_inf(values)];
    into_slots(e, &diagonal.values, diagonal.slots?, map, Finish { change: &change, judge: &judge })
}

/// SSOR: triangles are entries of A, the diagonal becomes w/d_i.
pub(super) fn relaxed<S: Scalar>(
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
    let sources: Vec<u32> = order.iter().map(source).collect();
    into_slots(e, entries, sources, map, Finish { change: &change, judge: &judge })
}
