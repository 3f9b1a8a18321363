//! Order, format and preconditioner of a solve together: on a GPU the way to solve with triangles depends on the factors, and
//! the order of the rows on that way.

use super::measured::Times;
use super::probe::{exact_seconds, sweep_seconds};
use super::{Solves, TriangularChoice};
use crate::choice::{Device, FormatChoice, OrderingChoice};
use crate::error::{Error, Result};
use crate::layout::{Chosen, Layout, Tuner};
use crate::preconditioning::{self, precondition};
use crate::triangular_model::{COUNTS, Cost, System, Way, best, sentence};
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::tune::cache::Cache;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::{Class, Factors, Preconditioner, Prepared, sweep_errors};
use galerkit_linalg::sparse::{Csr, Levels, Permutation, colouring};
use std::sync::Arc;

/// What was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Wish {
    /// The preconditioner; none: the diagonal if it suits.
    pub(crate) named: Option<Preconditioner>,
    /// What it must be.
    pub(crate) class: Class,
    pub(crate) triangular: TriangularChoice,
    pub(crate) ordering: OrderingChoice,
    pub(crate) format: FormatChoice,
    pub(crate) device: Device,
}

/// What came of it.
pub(crate) struct Arranged<'a, S: Scalar> {
    pub(crate) layout: Layout<'a, S>,
    pub(crate) preconditioner: preconditioning::Chosen<S>,
    pub(crate) solves: Solves,
}

/// Picks what was left open, converts and factorises; the tuner is there where a GPU solves.
pub(crate) fn arrange<'a, S: Scalar>(
    A: &'a Csr<S>,
    wish: &Wish,
    tuner: Option<Tuner<'_>>,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Arranged<'a, S>> {
    match tuner.filter(|_| wish.is_open()) {
        Some(tuner) => choose(A, wish, tuner, gpu),
        None => settled(A, wish, tuner, gpu, wish.solves()),
    }
}

impl Wish {
    /// Whether exact solves or sweeps are to be chosen between.
    fn is_open(&self) -> bool {
        let exact = |named: Preconditioner| named.recipe().is_some() && named.sweeps().is_none();
        self.triangular == TriangularChoice::Auto && self.named.is_some_and(exact)
    }

    /// How triangles are solved with where nothing is to be chosen.
    fn solves(&self) -> Solves {
        let Some(named) = self.named.filter(|named| named.recipe().is_some() || named.solves_triangles()) else {
            return Solves::new("none", "the preconditioner has no triangles");
        };
        match (self.triangular, named.sweeps()) {
            (TriangularChoice::Auto, Some(count)) => {
                Solves::new(TriangularChoice::Sweeps(count), format!("{named} says so"))
            }
            (TriangularChoice::Auto, None) if named.recipe().is_none() => {
                Solves::new(TriangularChoice::Exact, format!("{named} has no other way"))
            }
            (TriangularChoice::Auto, None) => Solves::new(
                TriangularChoice::Exact,
                "on the CPU always: exact solves take the fewest iterations as a rule",
            ),
            (asked, _) => Solves::new(asked, "asked for"),
        }
    }
}

/// With the solves that were asked for, or have no alternative.
fn settled<'a, S: Scalar>(
    A: &'a Csr<S>,
    wish: &Wish,
    tuner: Option<Tuner<'_>>,
    gpu: Option<&Arc<Gpu>>,
    solves: Solves,
) -> Result<Arranged<'a, S>> {
    let sweeps = wish.triangular.sweeps(wish.named);
    let waits = sweeps.is_none() && wish.named.is_some_and(|named| named.solves_triangles());
    let tuner = tuner.map(|tuner| Tuner { solves: waits, ..tuner });
    let layout = Layout::tuned(A, wish.ordering, wish.format, wish.device, tuner)?;
    let mut preconditioner = precondition(wish.named, wish.class, &layout.ordered, gpu)?;
    if let Some(count) = sweeps {
        preconditioner.prepared = preconditioner.prepared.swept(count);
    }
    Ok(Arranged { layout, preconditioner, solves })
}

/// With the solves that are expected to be the fastest on a GPU.
fn choose<'a, S: Scalar>(
    A: &'a Csr<S>,
    wish: &Wish,
    tuner: Tuner<'_>,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Arranged<'a, S>> {
    let tuner = Tuner { solves: false, ..tuner };
    let layout = Layout::tuned(A, wish.ordering, wish.format, wish.device, Some(tuner))?;
    let mut preconditioner = match precondition(wish.named, wish.class, &layout.ordered, gpu) {
        // Another order may have better pivots.
        Err(Error::Linalg(error)) if wish.ordering == OrderingChoice::Auto => {
            let reason = format!("without colours there is no factorisation: {error}");
            return settled(A, wish, Some(tuner), gpu, Solves::new(TriangularChoice::Exact, reason));
        }
        made => made?,
    };
    let factors = match &preconditioner.prepared {
        Prepared::Map(map) => map.known::<Factors<S>>(),
        _ => None,
    };
    let Some(factors) = factors else {
        return Ok(Arranged { layout, preconditioner, solves: wish.solves() });
    };
    let mut picked = pick(A, wish, &layout, factors, tuner, gpu)?;
    if let Way::Sweeps(count) = picked.way {
        preconditioner.prepared = preconditioner.prepared.swept(count);
    }
    if let Some(order) = picked.colours {
        let ordering = Chosen { value: OrderingChoice::Colours, reason: picked.solves.reason.clone() };
        let coloured = Layout::in_order(A, (ordering, Some(order)), wish.format, wish.device, Some(tuner))?;
        match precondition(wish.named, wish.class, &coloured.ordered, gpu) {
            Ok(preconditioner) => return Ok(Arranged { layout: coloured, preconditioner, solves: picked.solves }),
            // Colours may have worse pivots, too.
            Err(Error::Linalg(error)) => picked.solves.reason += &format!("; but by colours {error}"),
            Err(error) => return Err(error),
        }
    }
    Ok(Arranged { layout, preconditioner, solves: picked.solves })
}

/// What was picked.
struct Picked {
    way: Way,
    solves: Solves,
    /// The order to go to, if it is colour by colour.
    colours: Option<Permutation>,
}

/// The best way by the model, or by times where the GPU can be asked.
fn pick<S: Scalar>(
    A: &Csr<S>,
    wish: &Wish,
    layout: &Layout<'_, S>,
    factors: &Factors<S>,
    tuner: Tuner<'_>,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Picked> {
    let system = System::new(&layout.ordered, factors, tuner.properties);
    let steps = Levels::lower(factors.lower()).count() + Levels::upper(factors.upper()).count();
    let mut costs = vec![Cost::exact(&system, steps)];
    let beats = |cost: Option<Cost>, costs: &[Cost]| cost.map(|cost| cost.work()) < best(costs).map(Cost::work);
    let mut errors = Vec::new();
    if beats(Cost::sweeps(&system, COUNTS[0], 0.0), &costs) {
        errors = sweep_errors(factors, &layout.ordered, &COUNTS);
        costs.extend(COUNTS.iter().zip(&errors).filter_map(|(&count, &error)| Cost::sweeps(&system, count, error)));
    }
    let mut colours = None;
    let may_colour = wish.ordering == OrderingChoice::Auto && wish.named.is_some_and(|named| named.solves_triangles());
    if may_colour && beats(Some(Cost::colours(&system, 1)), &costs) {
        let colouring = colouring(A)?;
        costs.push(Cost::colours(&system, colouring.count()));
        colours = Some(colouring.order());
    }
    let mut times = match (gpu, wish.named) {
        (Some(gpu), Some(named)) if tuner.measures => {
            Times::of(&layout.ordered, named, &gpu.properties().name, Cache::of_environment()).map(|times| (times, gpu))
        }
        _ => None,
    };
    if let Some((times, gpu)) = &mut times {
        let coloured = |order: &Permutation| -> Result<f64> {
            let made = precondition(wish.named, wish.class, &A.permute_symmetric(order)?, Some(*gpu))?;
            match &made.prepared {
                Prepared::Map(M) => exact_seconds(gpu, &**M),
                _ => Ok(f64::INFINITY),
            }
        };
        times.refine(&mut costs, |way| match (way, &colours) {
            (Way::Exact, _) => exact_seconds(gpu, factors),
            (Way::Colours, Some(order)) => coloured(order),
            (Way::Colours, None) => Ok(f64::INFINITY),
            (Way::Sweeps(_), _) => sweep_seconds(gpu, factors),
        });
    }
    let way = best(&costs).map_or(Way::Exact, |cost| cost.way);
    let origin = times.as_ref().map_or("by the model", |(times, _)| times.origin());
    let name = match way {
        Way::Exact | Way::Colours => TriangularChoice::Exact,
        Way::Sweeps(count) => TriangularChoice::Sweeps(count),
    };
    let solves = Solves {
        measured: times.is_some_and(|(times, _)| times.fresh),
        ..Solves::new(name, sentence(&costs, &errors, origin))
    };
    Ok(Picked { way, solves, colours: colours.filter(|_| way == Way::Colours) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triangular_model::tests::properties;
    use galerkit_linalg::gallery::{self, Built};
    use galerkit_testkit::data_file;

    fn real(name: &str) -> Csr<f64> {
        match gallery::build(name).unwrap() {
            Built::Real(A) => A,
            Built::Complex(_) => panic!("{name} is complex"),
        }
    }

    /// What an H200 would be given, factorised on the host and without times.
    fn arranged<'a>(
        A: &'a Csr<f64>,
        name: &str,
        ordering: OrderingChoice,
        triangular: TriangularChoice,
    ) -> Arranged<'a, f64> {
        let (properties, named) = (properties(), Some(name.parse().unwrap()));
        let tuner = Tuner { properties: &properties, measures: true, solves: false };
        let (class, format, device) = (Class::General, FormatChoice::Auto, Device::Cuda(0));
        arrange(A, &Wish { named, class, triangular, ordering, format, device }, Some(tuner), None).unwrap()
    }

    #[test]
    fn a_grid_is_swept_in_its_own_order() {
        let A = real("gallery:poisson2d?n=60");
        for (name, count) in [("ilu0", 2), ("ilu:1", 3), ("ic0", 2), ("ilu0-fixed:3", 2)] {
            let Arranged { layout, preconditioner, solves } =
                arranged(&A, name, OrderingChoice::Auto, TriangularChoice::Auto);
            assert_eq!(solves.name, format!("sweeps:{count}"), "{name}: {}", solves.reason);
            assert!(solves.reason.contains("by the model: sweeps:") && solves.reason.contains("steps)"), "{solves:?}");
            assert!(matches!(preconditioner.prepared, Prepared::Sweeps(M) if M.sweeps() == count), "{name}");
            assert_eq!(layout.ordering.value, OrderingChoice::Natural);
            assert_eq!(preconditioner.name.to_string(), name);
            assert!(!solves.measured);
        }
    }

    /// The same pivots, but a lower triangle far from dominant: sweeps would not do, so it is colours; in a given order
    /// solves stay exact.
    #[test]
    fn sweeps_that_are_far_off_are_not_taken() {
        let mut A = real("gallery:poisson2d?n=60");
        for i in 0..A.rows() {
            for k in A.range(i) {
                let away = i.cmp(&(A.col()[k] as usize)) as i32;
                A.val_mut()[k] *= 8f64.powi(away);
            }
        }
        let auto = TriangularChoice::Auto;
        let Arranged { layout, preconditioner, solves } = arranged(&A, "ilu0", OrderingChoice::Auto, auto);
        assert_eq!((solves.name.as_str(), layout.ordering.value), ("exact", OrderingChoice::Colours), "{solves:?}");
        assert!(solves.reason.contains("sweeps are not trusted"), "{solves:?}");
        assert_eq!(layout.ordering.reason, solves.reason);
        assert!(matches!(preconditioner.prepared, Prepared::Map(_)));
        for ordering in [OrderingChoice::Natural, OrderingChoice::Rcm] {
            let Arranged { layout, solves, .. } = arranged(&A, "ilu0", ordering, auto);
            assert_eq!((solves.name.as_str(), layout.ordering.value), ("exact", ordering), "{solves:?}");
            assert!(!solves.reason.contains("colours"), "{solves:?}");
        }
    }

    #[test]
    fn a_given_order_or_a_given_way_is_kept() {
        let A = real("gallery:poisson2d?n=60");
        let kinds = |name: &str, ordering, triangular| {
            let Arranged { layout, preconditioner, solves } = arranged(&A, name, ordering, triangular);
            let swept = match preconditioner.prepared {
                Prepared::Sweeps(M) => Some(M.sweeps()),
                _ => None,
            };
            (layout.ordering.value, solves.name, swept)
        };
        let (auto, exact, four) = (TriangularChoice::Auto, TriangularChoice::Exact, TriangularChoice::Sweeps(4));
        let (natural, rcm, colours) = (OrderingChoice::Natural, OrderingChoice::Rcm, OrderingChoice::Colours);
        assert_eq!(kinds("ilu0", rcm, auto), (rcm, "sweeps:2".into(), Some(2)));
        assert_eq!(kinds("ilu0", colours, auto), (colours, "exact".into(), None), "there is little to wait for");
        assert_eq!(kinds("ilu0", OrderingChoice::Auto, exact), (colours, "exact".into(), None));
        assert_eq!(kinds("ic0", OrderingChoice::Auto, four), (natural, "sweeps:4".into(), Some(4)));
        assert_eq!(kinds("ilu0-sweeps:3", OrderingChoice::Auto, auto), (natural, "sweeps:3".into(), Some(3)));
        assert_eq!(kinds("ilu0-blocks:2", OrderingChoice::Auto, auto), (natural, "sweeps:2".into(), Some(2)));
        assert_eq!(kinds("ilu0-blocks:2", OrderingChoice::Auto, exact), (natural, "exact".into(), None), "no colours");
        assert_eq!(kinds("ssor:1", OrderingChoice::Auto, auto), (colours, "exact".into(), None));
        assert_eq!(kinds("jacobi", OrderingChoice::Auto, auto), (natural, "none".into(), None));
    }

    /// In its own order this matrix has a pivot that is not positive, by colours it has none.
    #[test]
    fn a_factorisation_that_only_colours_have() {
        let Some(file) = data_file("suitesparse/bcsstk09.mtx.gz") else { return };
        let A = crate::load(&file.to_string_lossy()).unwrap().into_real().unwrap();
        let properties = properties();
        let tuner = Tuner { properties: &properties, measures: false, solves: false };
        let wish = Wish {
            named: Some(Preconditioner::Ilu { fill: 0 }),
            class: Class::PositiveDefinite,
            triangular: TriangularChoice::Auto,
            ordering: OrderingChoice::Auto,
            format: FormatChoice::Auto,
            device: Device::Cuda(0),
        };
        let Arranged { layout, solves, .. } = arrange(&A, &wish, Some(tuner), None).unwrap();
        assert_eq!((solves.name.as_str(), layout.ordering.value), ("exact", OrderingChoice::Colours));
        assert!(solves.reason.contains("no factorisation: row"), "{solves:?}");
        let natural = Wish { ordering: OrderingChoice::Natural, ..wish };
        assert!(arrange(&A, &natural, Some(tuner), None).is_err());
    }

    #[test]
    fn on_the_cpu_solves_are_exact() {
        let A = real("gallery:poisson2d?n=60");
        let (class, format, device) = (Class::General, FormatChoice::Auto, Device::Cpu);
        let (ordering, triangular) = (OrderingChoice::Auto, TriangularChoice::Auto);
        let wish = Wish { named: Some(Preconditioner::Ilu { fill: 0 }), class, triangular, ordering, format, device };
        let Arranged { preconditioner, solves, .. } = arrange(&A, &wish, None, None).unwrap();
        assert!(solves.name == "exact" && solves.reason.contains("on the CPU"), "{solves:?}");
        assert!(matches!(preconditioner.prepared, Prepared::Map(_)));
    }
}
