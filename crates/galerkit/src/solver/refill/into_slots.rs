//! Values into the slots of a loaded map.

use crate::solver::machine::Engine as Recorded;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine};
use galerkit_linalg::map::{Gather, gather_map};
use galerkit_linalg::program::{Precision, Vector};

/// Where the stored matrix has its diagonal: neighbouring rows have it in neighbouring slots, as compressed rows do not.
pub(super) struct Diagonals {
    pub(super) values: Held<Vector>,
    pub(super) slots: Option<Vec<u32>>,
}

/// The routine that gathers the values of a map from a vector and lets `finish` change them, in full precision; then they are
/// rounded where the map is in single precision.
pub(super) fn into_slots<S: Scalar>(
    e: &mut Recorded<S>,
    from: &Held<Vector>,
    sources: Vec<u32>,
    map: &mut Resident<Recorded<S>>,
    finish: impl Fn(&mut Recorded<S>, &mut Held<Vector>),
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
        finish(e, target);
        if let Some(wide) = &wide {
            e.copy(wide, &mut map.values);
        }
        Vec::new()
    }))
}
