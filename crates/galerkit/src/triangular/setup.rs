//! Order, format and preconditioner of a solve together: on a GPU the way to solve with triangles depends on the
//! factors, and the order of the rows on that way.

use super::measured::Times;
use super::probe::{exact_seconds, sweep_seconds};
use super::request::Request;
use super::{Solves, TriangularSolve};
use crate::choice::{Autotuning, Choice, Ordering};
use crate::error::{Error, Result};
use crate::layout::{Chosen, Layout, Tuner};
use crate::matrix::MatrixRef;
use crate::near_null::require_whole_nodes;
use crate::preconditioning::{self, bring, jacobi_there, multigrid_there, numbers, pattern, precondition};
use crate::stages::{Stage, Stages};
use crate::triangular_model::{COUNTS, Cost, System, Way, best, sentence};
use crate::uploaded::Uploaded;
use galerkit_cuda::convert::Facts;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::tune::cache::Cache;
use galerkit_linalg::Scalar;
use galerkit_linalg::precond::{Factors, Preconditioner, Prepared, sweep_errors};
use galerkit_linalg::sparse::{Levels, Permutation, colouring};
use std::sync::Arc;

/// What came of it.
pub(crate) struct Setup<'a, S: Scalar> {
    pub(crate) layout: Layout<'a, S>,
    pub(crate) preconditioner: preconditioning::Chosen<S>,
    pub(crate) solves: Solves,
}

/// Picks what was left open, converts and factorises; the tuner is there where a GPU solves.
pub(crate) fn set_up<'a, S: Scalar>(
    A: MatrixRef<'a, S>,
    request: &Request,
    tuner: Option<Tuner<'_>>,
    place: Place<'a, S>,
    stages: &mut Stages,
) -> Result<Setup<'a, S>> {
    if place.1.is_none() || request.needs_rows() {
        A.host_in(stages)?;
    }
    match tuner.filter(|_| request.is_open()) {
        Some(tuner) => choose(A, request, tuner, place, stages),
        None => settled(A, request, (tuner, place), request.solves(), stages),
    }
}

/// The GPU that solves, the matrix as it is there, and what is known of it.
pub(crate) type Place<'a, S> = (Option<&'a Arc<Gpu>>, Option<&'a Uploaded<S>>, Option<&'a Facts>);

impl Request {
    /// The preconditioner for A.
    fn precondition<S: Scalar>(
        &self,
        layout: &Layout<'_, S>,
        (gpu, _, facts): Place<'_, S>,
        stages: &mut Stages,
    ) -> Result<preconditioning::Chosen<S>> {
        let scales =
            |named| matches!(named, Preconditioner::None | Preconditioner::Jacobi | Preconditioner::BlockJacobi { .. });
        let stage = if self.named.is_none_or(scales) { Stage::Scaling } else { Stage::Factorisation };
        let A = layout.ordered.view();
        require_whole_nodes(self.named, layout.ordering.value, layout.order.is_some())?;
        let near_null = self.near_null.vectors(layout.order.as_ref())?;
        let there = layout.uploaded.filter(|_| layout.order.is_none() && near_null.is_empty());
        let asked = (self.named, self.class);
        let made = || {
            let jacobi = || there.zip(facts).and_then(|(there, facts)| jacobi_there(asked, (A, there), facts));
            let is_free = self.named.is_some() || !self.is_inner; // an inner solve keeps the diagonal
            let there = there.filter(|_| is_free);
            there.and_then(|there| multigrid_there(asked, (A, there), facts)).or_else(jacobi)
        };
        stages.time(stage, || match made() {
            Some(made) => Ok(made),
            None => precondition(asked, A, &near_null, gpu),
        })
    }
}

/// With the solves that were asked for, or have no alternative.
fn settled<'a, S: Scalar>(
    A: MatrixRef<'a, S>,
    request: &Request,
    (tuner, place): (Option<Tuner<'_>>, Place<'a, S>),
    solves: Solves,
    stages: &mut Stages,
) -> Result<Setup<'a, S>> {
    let sweeps = request.sweeps();
    let tuner = tuner.map(|tuner| Tuner { may_colour: request.may_colour(), ..tuner });
    let there = (tuner, place.1);
    let layout = Layout::timed(A, request.asked(place.0), request.format, request.device, there, stages)?;
    let mut preconditioner = request.precondition(&layout, place, stages)?;
    if let Some(count) = sweeps {
        preconditioner.prepared = bring(preconditioner.prepared)?.swept(count);
    }
    Ok(Setup { layout, preconditioner, solves })
}

/// With the solves that are expected to be the fastest on a GPU.
fn choose<'a, S: Scalar>(
    A: MatrixRef<'a, S>,
    request: &Request,
    tuner: Tuner<'_>,
    place: Place<'a, S>,
    stages: &mut Stages,
) -> Result<Setup<'a, S>> {
    let tuner = Tuner { may_colour: false, ..tuner };
    let there = (Some(tuner), place.1);
    let layout = Layout::timed(A, request.asked(place.0), request.format, request.device, there, stages)?;
    let mut preconditioner = match request.precondition(&layout, place, stages) {
        // Another order may have better pivots.
        Err(Error::Linalg(error)) if request.ordering == Choice::Auto => {
            let reason = format!("without colours there is no factorisation: {error}");
            return settled(A, request, (Some(tuner), place), Solves::new(TriangularSolve::Exact, reason), stages);
        }
        made => made?,
    };
    let Some(factors) = pattern(&preconditioner.prepared) else {
        return Ok(Setup { layout, preconditioner, solves: request.solves() });
    };
    let pick = || pick(A, request, &layout, (factors, &preconditioner.prepared), tuner, place.0);
    let mut picked = stages.time(Stage::Levels, pick)?;
    if let Way::Sweeps(count) = picked.way {
        preconditioner.prepared = bring(preconditioner.prepared)?.swept(count);
    }
    if let Some(order) = picked.colours {
        let ordering = Chosen { value: Ordering::Colours, reason: picked.solves.reason.clone() };
        let coloured = Layout::in_order(A, (ordering, Some(order)), request.format, request.device, there, stages)?;
        match request.precondition(&coloured, place, stages) {
            Ok(preconditioner) => return Ok(Setup { layout: coloured, preconditioner, solves: picked.solves }),
            // Colours may have worse pivots, too.
            Err(Error::Linalg(error)) => picked.solves.reason += &format!("; but by colours {error}"),
            Err(error) => return Err(error),
        }
    }
    Ok(Setup { layout, preconditioner, solves: picked.solves })
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
    A: MatrixRef<'_, S>,
    request: &Request,
    layout: &Layout<'_, S>,
    (factors, M): (&Factors<S>, &Prepared<S>),
    tuner: Tuner<'_>,
    gpu: Option<&Arc<Gpu>>,
) -> Result<Picked> {
    let ordered = layout.ordered()?;
    let system = System::new(ordered, factors, tuner.properties);
    let steps = Levels::lower(factors.lower()).count() + Levels::upper(factors.upper()).count();
    let mut costs = vec![Cost::exact(&system, steps)];
    let beats = |cost: Option<Cost>, costs: &[Cost]| cost.map(|cost| cost.work()) < best(costs).map(Cost::work);
    let mut errors = Vec::new();
    if beats(Cost::sweeps(&system, COUNTS[0], 0.0), &costs)
        && let Some(factors) = numbers(M)?
    {
        errors = sweep_errors(factors, ordered, &COUNTS);
        costs.extend(COUNTS.iter().zip(&errors).filter_map(|(&count, &error)| Cost::sweeps(&system, count, error)));
    }
    let mut colours = None;
    if request.may_colour() && beats(Some(Cost::colours(&system, 1)), &costs) {
        let colouring = colouring(A.host()?)?;
        costs.push(Cost::colours(&system, colouring.count()));
        colours = Some(colouring.order());
    }
    let mut times = match (gpu, request.named) {
        (Some(gpu), Some(named)) if tuner.autotuning == Autotuning::Timed => {
            Times::of(ordered, named, &gpu.properties().name, Cache::of_environment()).map(|times| (times, gpu))
        }
        _ => None,
    };
    if let Some((times, gpu)) = &mut times {
        let exact = |M: &Prepared<S>| match M {
            Prepared::Map(M) => exact_seconds(gpu, &**M),
            _ => Ok(f64::INFINITY),
        };
        let coloured = |order: &Permutation| -> Result<f64> {
            let permuted = A.host()?.permute_symmetric(order)?;
            exact(&precondition((request.named, request.class), MatrixRef::Rows(&permuted), &[], Some(*gpu))?.prepared)
        };
        times.refine(&mut costs, |way| match (way, &colours) {
            (Way::Exact, _) => exact(M),
            (Way::Colours, Some(order)) => coloured(order),
            (Way::Colours, None) => Ok(f64::INFINITY),
            (Way::Sweeps(_), _) => sweep_seconds(gpu, factors),
        });
    }
    let way = best(&costs).map_or(Way::Exact, |cost| cost.way);
    let origin = times.as_ref().map_or("by the model", |(times, _)| times.origin());
    let name = match way {
        Way::Exact | Way::Colours => TriangularSolve::Exact,
        Way::Sweeps(count) => TriangularSolve::Sweeps(count),
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
    use crate::choice::{Device, Preconditioning, Variant};
    use crate::near_null::NearNull;
    use crate::triangular_model::tests::properties;
    use galerkit_linalg::gallery::{self, Built};
    use galerkit_linalg::precond::Class;
    use galerkit_linalg::sparse::Csr;
    use galerkit_testkit::data_file;

    fn real(name: &str) -> Csr<f64> {
        match gallery::build(name).unwrap() {
            Built::Real(A) => A,
            Built::Complex(_) => panic!("{name} is complex"),
        }
    }

    /// What an H200 would be given, factorised on the host and without times.
    fn set_up_on_a_gpu<'a>(
        A: &'a Csr<f64>,
        name: &str,
        ordering: Choice<Ordering>,
        triangular: Choice<TriangularSolve>,
    ) -> Setup<'a, f64> {
        let (properties, asked) = (properties(), name.parse::<Preconditioning>().unwrap());
        let (named, variant) = (asked.named(), asked.variant());
        let tuner = Tuner::new(&properties, Autotuning::Timed);
        let (class, format, device) = (Class::General, Choice::Auto, Device::Cuda(0));
        set_up(
            MatrixRef::Rows(A),
            &Request {
                named,
                variant,
                class,
                triangular,
                ordering,
                format,
                device,
                limit: 10_000,
                is_inner: false,
                near_null: NearNull::default(),
            },
            Some(tuner),
            (None, None, None),
            &mut Stages::default(),
        )
        .unwrap()
    }

    #[test]
    fn a_grid_is_swept_in_its_own_order() {
        let A = real("gallery:poisson2d?n=60");
        for (name, count) in [("ilu0:auto", 2), ("ilu:1:auto", 3), ("ic0:auto", 2), ("parilu0:3:auto", 2)] {
            let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, name, Choice::Auto, Choice::Auto);
            assert_eq!(solves.way, Some(TriangularSolve::Sweeps(count)), "{name}: {}", solves.reason);
            assert!(solves.reason.contains("by the model: sweeps:") && solves.reason.contains("steps)"), "{solves:?}");
            assert!(matches!(preconditioner.prepared, Prepared::Sweeps(M) if M.sweeps() == count), "{name}");
            assert_eq!(layout.ordering.value, Ordering::Natural);
            let ran = solves.variant_of(preconditioner.name, layout.ordering.value);
            assert_eq!(ran.to_string(), name.replace("auto", &format!("swept:{count}")));
            assert!(!solves.measured);
        }
    }

    /// The name alone means exact solves in the order of the matrix, whatever would be faster.
    #[test]
    fn a_plain_name_is_exact_in_the_order_of_the_matrix() {
        let A = real("gallery:poisson2d?n=60");
        for name in ["ilu0", "ilu:1", "ic0", "parilu0:3", "ssor:1.2", "ilu0-blocks:2"] {
            let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, name, Choice::Auto, Choice::Auto);
            assert_eq!(
                (solves.way, layout.ordering.value),
                (Some(TriangularSolve::Exact), Ordering::Natural),
                "{name}"
            );
            assert!(layout.ordering.reason.contains("depends on the order"), "{name}: {}", layout.ordering.reason);
            assert!(matches!(preconditioner.prepared, Prepared::Map(_)), "{name}");
            let ran = solves.variant_of(preconditioner.name, layout.ordering.value);
            assert_eq!(ran.to_string(), name);
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
        let auto = Choice::Auto;
        let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, "ilu0:auto", Choice::Auto, auto);
        assert_eq!(
            (solves.way, layout.ordering.value),
            (Some(TriangularSolve::Exact), Ordering::Colours),
            "{solves:?}"
        );
        assert!(solves.reason.contains("sweeps are not trusted"), "{solves:?}");
        assert_eq!(layout.ordering.reason, solves.reason);
        assert!(matches!(preconditioner.prepared, Prepared::Map(_)));
        for ordering in [Ordering::Natural, Ordering::Rcm] {
            let Setup { layout, solves, .. } = set_up_on_a_gpu(&A, "ilu0:auto", ordering.into(), auto);
            assert_eq!((solves.way, layout.ordering.value), (Some(TriangularSolve::Exact), ordering), "{solves:?}");
            assert!(!solves.reason.contains("colours"), "{solves:?}");
        }
    }

    #[test]
    fn a_given_order_or_a_given_way_is_kept() {
        let A = real("gallery:poisson2d?n=60");
        let kinds = |name: &str, ordering, triangular| {
            let Setup { layout, preconditioner, solves } = set_up_on_a_gpu(&A, name, ordering, triangular);
            let swept = match preconditioner.prepared {
                Prepared::Sweeps(M) => Some(M.sweeps()),
                _ => None,
            };
            (layout.ordering.value, solves.way.map_or("none".into(), |way| way.to_string()), swept)
        };
        let (auto, exact, four) = (Choice::Auto, TriangularSolve::Exact, TriangularSolve::Sweeps(4));
        let (natural, rcm, colours) = (Ordering::Natural, Ordering::Rcm, Ordering::Colours);
        assert_eq!(kinds("ilu0:auto", rcm.into(), auto), (rcm, "sweeps:2".into(), Some(2)));
        assert_eq!(
            kinds("ilu0:auto", colours.into(), auto),
            (colours, "exact".into(), None),
            "there is little to wait for"
        );
        assert_eq!(kinds("ilu0:auto", Choice::Auto, exact.into()), (colours, "exact".into(), None));
        assert_eq!(kinds("ic0", Choice::Auto, four.into()), (natural, "sweeps:4".into(), Some(4)));
        assert_eq!(kinds("ilu0-sweeps:3", Choice::Auto, auto), (natural, "sweeps:3".into(), Some(3)));
        assert_eq!(kinds("ilu0-blocks:2:auto", Choice::Auto, auto), (natural, "sweeps:2".into(), Some(2)));
        assert_eq!(
            kinds("ilu0-blocks:2:auto", Choice::Auto, exact.into()),
            (natural, "exact".into(), None),
            "no colours"
        );
        assert_eq!(kinds("ssor:1:auto", Choice::Auto, auto), (colours, "exact".into(), None));
        assert_eq!(kinds("ilu0:coloured", Choice::Auto, auto), (colours, "exact".into(), None));
        assert_eq!(kinds("ilu:1:swept:4", Choice::Auto, auto), (natural, "sweeps:4".into(), Some(4)));
        assert_eq!(kinds("jacobi", Choice::Auto, auto), (natural, "none".into(), None));
    }

    /// In its own order this matrix has a pivot that is not positive, by colours it has none.
    #[test]
    fn a_factorisation_that_only_colours_have() {
        let Some(file) = data_file("suitesparse/bcsstk09.mtx.gz") else { return };
        let A = crate::load(&file.to_string_lossy()).unwrap().into_real().unwrap();
        let properties = properties();
        let tuner = Tuner::new(&properties, Autotuning::Modelled);
        let request = Request {
            named: Some(Preconditioner::Ilu { fill: 0 }),
            variant: Some(Variant::Auto),
            class: Class::PositiveDefinite,
            triangular: Choice::Auto,
            ordering: Choice::Auto,
            format: Choice::Auto,
            device: Device::Cuda(0),
            limit: 10_000,
            is_inner: false,
            near_null: NearNull::default(),
        };
        let Setup { layout, solves, .. } =
            set_up(MatrixRef::Rows(&A), &request, Some(tuner), (None, None, None), &mut Stages::default()).unwrap();
        assert_eq!((solves.way, layout.ordering.value), (Some(TriangularSolve::Exact), Ordering::Colours));
        assert!(solves.reason.contains("no factorisation: row"), "{solves:?}");
        let natural = Request { ordering: Ordering::Natural.into(), ..request };
        assert!(
            set_up(MatrixRef::Rows(&A), &natural, Some(tuner), (None, None, None), &mut Stages::default()).is_err()
        );
    }

    #[test]
    fn on_the_cpu_solves_are_exact() {
        let A = real("gallery:poisson2d?n=60");
        let (class, format, device) = (Class::General, Choice::Auto, Device::Cpu);
        let (ordering, triangular) = (Choice::Auto, Choice::Auto);
        let request = Request {
            named: Some(Preconditioner::Ilu { fill: 0 }),
            variant: Some(Variant::Auto),
            class,
            triangular,
            ordering,
            format,
            device,
            limit: 10_000,
            is_inner: false,
            near_null: NearNull::default(),
        };
        let Setup { preconditioner, solves, .. } =
            set_up(MatrixRef::Rows(&A), &request, None, (None, None, None), &mut Stages::default()).unwrap();
        assert!(solves.way == Some(TriangularSolve::Exact) && solves.reason.contains("on the CPU"), "{solves:?}");
        assert!(matches!(preconditioner.prepared, Prepared::Map(_)));
    }
}
