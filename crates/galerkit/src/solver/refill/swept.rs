//! Jacobi sweeps of new values: their maps are numbers of the factors, some times an inverse pivot.
//!
//! ```text
//!         L - I        D^-1       W - I
//! ILU     l_ij         1/u_ii     u_ij / u_ii
//! IC      l_ij / l_jj  1/l_ii^2   conj(l_ji) / l_ii
//! ```

use super::super::machine::{Engine as Recorded, Machine};
use super::into_slots::{Finish, into_slots};
use super::slots::Ordered;
use galerkit_cuda::map::Tuning;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Held, Resident, Routine};
use galerkit_linalg::map::{Gather, NO_SOURCE, gather_map};
use galerkit_linalg::precond::{JacobiSweeps, Recipe, Swept};
use galerkit_linalg::program::{Precision, Vector};
use galerkit_linalg::sparse::{Csr, Format};

/// Which number of the factors each slot of a map holds, and which one it is multiplied by.
struct Part {
    numbers: Vec<u32>,
    times: Option<Vec<u32>>,
}

/// The routines that make the maps of sweeps from the numbers of factors: L, U and the inverse pivots, one after the
/// other. Each has the largest value as its scalar.
pub(super) fn spread<S: Scalar>(
    e: &mut Recorded<S>,
    (M, recipe, tuning): (&JacobiSweeps<S>, Recipe, &Tuning),
    numbers: &Held<Vector>,
    swept: &mut Swept<Recorded<S>>,
) -> Option<Vec<Routine>> {
    let on_gpu = e.executor().cuda().is_some();
    let is_ic = matches!(recipe, Recipe::Ic { .. });
    let (L, U) = (M.lower(), M.upper());
    let above = u32::try_from(L.nnz()).ok()?;
    let pivots = u32::try_from(L.nnz() + U.nnz()).ok()?;
    u32::try_from(L.nnz() + U.nnz() + M.rows()).ok()?;
    let [lower, inverse, upper] = swept.maps_mut();
    let slots = |T: &Csr<S>| match e.precision(&lower.values) {
        Precision::Full => Ordered::of_pattern(T)?.slot_sources::<S>(Format::Csr, tuning, on_gpu),
        Precision::Single => Ordered::of_pattern(T)?.slot_sources::<S::Single>(Format::Csr, tuning, on_gpu),
    };
    let (below_slots, above_slots) = (slots(L)?, slots(U)?);
    let row_of: Vec<u32> = (0..U.rows()).flat_map(|i| U.range(i).map(move |_| i as u32)).collect();
    let picked = |slots: &[u32], number: &dyn Fn(u32) -> u32| -> Vec<u32> {
        slots.iter().map(|&k| if k == NO_SOURCE { NO_SOURCE } else { number(k) }).collect()
    };
    let diagonal: Vec<u32> = (0..M.rows() as u32).map(|i| pivots + i).collect();
    let times = is_ic.then(|| picked(&below_slots, &|k| pivots + L.col()[k as usize]));
    let parts = [
        (Part { times, numbers: below_slots }, lower),
        (Part { times: is_ic.then(|| diagonal.clone()), numbers: diagonal }, inverse),
        (
            Part {
                times: Some(picked(&above_slots, &|k| pivots + row_of[k as usize])),
                numbers: picked(&above_slots, &|k| above + k),
            },
            upper,
        ),
    ];
    parts.into_iter().map(|(part, map)| part.into_map(e, numbers, map)).collect()
}

impl Part {
    fn into_map<S: Scalar>(
        self,
        e: &mut Recorded<S>,
        numbers: &Held<Vector>,
        map: &mut Resident<Recorded<S>>,
    ) -> Option<Routine> {
        let judge = |e: &mut Recorded<S>, values: &Held<Vector>| vec![e.norm_inf(values)];
        let times = match self.times {
            Some(times) => Some(e.load(gather_map(Gather::new(e.length(numbers), times).ok()?))),
            None => None,
        };
        let change = |e: &mut Recorded<S>, values: &mut Held<Vector>| {
            if let Some(times) = &times {
                let mut pivots = e.zeros(e.length(values), Precision::Full);
                e.apply_map(times, numbers, &mut pivots);
                e.pointwise([values], [&pivots], |[v], [d]| [v * d]);
            }
        };
        into_slots(e, numbers, self.numbers, map, Finish { change: &change, judge: &judge })
    }
}
