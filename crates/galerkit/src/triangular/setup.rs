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
use crate::preconditioning::multigrid_there::multigrid_there;
use crate::preconditioning::{self, bring, jacobi_there, numbers, pattern, precondition};
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
        let jacobi = || there.zip(facts).and_then(|(there, facts)| jacobi_there(asked, (A, there), facts));
        let otherwise = || jacobi().map_or_else(|| precondition(asked, A, &near_null, gpu), Ok);
        let is_free = self.named.is_some() || !self.is_inner; // an inner solve keeps the diagonal
        let multigrid = || match there.filter(|_| is_free) {
            Some(there) => multigrid_there(asked, (A, there), facts),
            None => Ok(None),
        };
        stages.time(stage, || match multigrid() {
            Ok(Some(made)) => Ok(made),
            Ok(None) => otherwise(),
            Err(error) => Ok(otherwise()?.after(&error)),
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
mod tests;
