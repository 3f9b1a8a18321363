//! Values into the slots of a loaded map.

use crate::solver::machine::Engine as Recorded;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine, Symbol};
use galerkit_linalg::map::{Gather, gather_map};
use galerkit_linalg::program::{Precision, Vector};

/// Where the stored matrix has its diagonal: neighbouring rows have it in neighbouring slots, as compressed rows do not.
pub(super) struct Diagonals {
    pub(super) values: Held<Vector>,
    pub(super) slots: Option<Vec<u32>>,
}

/// Looks at the values of a map.
pub(super) type Judge<'a, S> = dyn Fn(&mut Recorded<S>, &Held<Vector>) -> Vec<Symbol> + 'a;

/// What is done with values that were gathered.
pub(super) struct Finish<'a, S: Scalar> {
    /// Changes them, in full precision.
    pub(super) change: &'a dyn Fn(&mut Recorded<S>, &mut Held<Vector>),
    /// Looks at what the map has in the end.
    pub(super) judge: &'a Judge<'a, S>,
}

impl<S: Scalar> Finish<'_, S> {
    pub(super) fn none() -> Self {
        Self { change: &|_, _| (), judge: &|_, _| Vec::new() }
    }
}

/// The routine that gathers the values of a map from a vector and finishes them; they are rounded where the map is in single
/// precision. Its scalars are what they are judged by.
pub(super) fn into_slots<S: Scalar>(
    e: &mut Recorded<S>,
    from: &Held<Vector>,
    sources: Vec<u32>,
    map: &mut Resident<Recorded<S>>,
    Finish { change, judge }: Finish<'_, S>,
) -> Option<Routine> {
    if e.length(&map.values) != sources.len() {
        return None;
    }
    let gather = e.load(gather_map(Gather::new(e.length(from), sources).ok()?));
    let mut wide = match e.precision(&map.values) {
        Precision::Full => None,
        Precision::Single => Some(e.zeros(e.length(&map.values), Precision::Full)),
    };
    Some(e.compile(|e| {
        let target = wide.as_mut().unwrap_or(&mut map.values);
        e.apply_map(&gather, from, target);
        change(e, target);
        if let Some(wide) = &wide {
            e.copy(wide, &mut map.values);
        }
        judge(e, &map.values)
    }))
}
