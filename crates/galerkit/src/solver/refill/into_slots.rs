//! Values into the slots of a loaded map.

use crate::solver::machine::{Engine as Recorded, Machine};
use galerkit_cuda::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine, Symbol};
use galerkit_linalg::map::{Gather, gather_map};
use galerkit_linalg::program::{Precision, Vector};

/// Which entry each slot takes.
pub(super) enum Sources {
    /// An index of the host.
    Host(Vec<u32>),
    /// The gather itself, made on the GPU.
    Gpu(Box<Map>),
}

impl Sources {
    fn slots(&self) -> usize {
        match self {
            Sources::Host(index) => index.len(),
            Sources::Gpu(map) => map.shape.0,
        }
    }
    fn load<S: Scalar>(self, e: &mut Recorded<S>, entries: usize) -> Option<Resident<Recorded<S>>> {
        match self {
            Sources::Host(index) => Some(e.load(gather_map(Gather::new(entries, index).ok()?))),
            Sources::Gpu(map) => {
                let adopted = e.executor_mut().cuda_mut()?.adopt(*map);
                Some(e.adopt(adopted))
            }
        }
    }
}

impl From<Vec<u32>> for Sources {
    fn from(index: Vec<u32>) -> Self {
        Sources::Host(index)
    }
}

/// Where the stored matrix has its diagonal: neighbouring rows have it in neighbouring slots, as compressed rows do
/// not.
pub(super) struct Diagonals {
    pub(super) values: Held<Vector>,
    pub(super) slots: Option<Sources>,
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

/// The routine that gathers the values of a map from a vector and finishes them; they are rounded where the map is in
/// single precision. Its scalars are what they are judged by.
pub(super) fn into_slots<S: Scalar>(
    e: &mut Recorded<S>,
    from: &Held<Vector>,
    sources: impl Into<Sources>,
    map: &mut Resident<Recorded<S>>,
    Finish { change, judge }: Finish<'_, S>,
) -> Option<Routine> {
    let sources = sources.into();
    if e.length(&map.values) != sources.slots() {
        return None;
    }
    let gather = sources.load(e, e.length(from))?;
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
