//! The run itself: leg by leg, or with steps whose length is chosen; Ctrl-C ends it after the steps under way.

use super::checkpoint;
use super::history::History;
use super::shown::Shown;
use crate::interrupt;
use crate::plan::tumour::TumourPlan;
use anyhow::Result;
use galerkit::cuda::Cuda;
use galerkit::fem::collocation::{Evolution, Leg};
use galerkit::linalg::engine::Executor;
use indicatif::ProgressBar;

/// Steps between two looks at Ctrl-C and the progress bar.
const STEPS: usize = 64;
/// Times that differ by less than this share of a step are the same.
const SLACK: f64 = 1e-9;

/// Runs to the end, or until Ctrl-C.
pub fn run(
    plan: &TumourPlan,
    evolution: &mut Evolution,
    history: &mut History,
    shown: &mut Shown,
    bar: &ProgressBar,
) -> Result<()> {
    for leg in plan.clock.legs()? {
        let slack = SLACK * plan.clock.dt;
        if leg.until <= history.time() + slack {
            continue; // before the checkpoint
        }
        let goes_on = match plan.adapt {
            Some(tolerance) => adapted(plan, evolution, history, &leg, tolerance, bar)?,
            None => fixed(plan, evolution, history, &leg, bar)?,
        };
        if !goes_on {
            return Ok(());
        }
        if leg.is_output {
            shown.add(plan, history, evolution)?;
            if let Some(path) = &plan.files.checkpoint {
                checkpoint::write(path, plan, evolution, history)?;
            }
        }
    }
    Ok(())
}

/// What a GPU says about a failure.
pub fn failure(evolution: &Evolution) -> Option<anyhow::Error> {
    let cuda = evolution.executor().as_any().downcast_ref::<Cuda<f64>>()?;
    cuda.failure().map(Into::into)
}

/// The steps of a leg that are left. Whether to go on.
fn fixed(
    plan: &TumourPlan,
    evolution: &mut Evolution,
    history: &mut History,
    leg: &Leg,
    bar: &ProgressBar,
) -> Result<bool> {
    let mut left = (((leg.until - history.time()) / leg.step.dt).round() as usize).min(leg.count);
    while left > 0 {
        if !interrupt::goes_on() {
            return Ok(false);
        }
        let some = left.min(STEPS);
        let measured = evolution.advance(leg.step, some)?;
        for (k, measured) in measured.iter().enumerate() {
            // from the end, so that times are the same however often a leg was interrupted
            history.add(leg.until - (left - 1 - k) as f64 * leg.step.dt, measured);
        }
        left -= some;
        tell(plan, history, bar);
    }
    Ok(true)
}

/// The way through a leg by steps of dt times a power of two whose estimated error is below the tolerance.
fn adapted(
    plan: &TumourPlan,
    evolution: &mut Evolution,
    history: &mut History,
    leg: &Leg,
    tolerance: f64,
    bar: &ProgressBar,
) -> Result<bool> {
    if leg.step.scheme != plan.clock.scheme {
        return fixed(plan, evolution, history, leg, bar); // the start
    }
    while leg.until > history.time() + SLACK * plan.clock.dt {
        if !interrupt::goes_on() {
            return Ok(false);
        }
        evolution.keep();
        let dt = history.next_dt.unwrap_or(leg.step.dt);
        let step = dt.min(leg.until - history.time());
        let estimate = evolution.attempt(step)?;
        if estimate > tolerance && step > 1e-12 * plan.clock.end {
            evolution.go_back();
            history.next_dt = Some(0.5 * step);
            continue;
        }
        let is_last = leg.until - history.time() - step <= SLACK * plan.clock.dt;
        let time = if is_last { leg.until } else { history.time() + step };
        history.add(time, &evolution.measure());
        // an estimate of third order grows eightfold with twice the step
        let is_easy = estimate < tolerance / 16.0 && 2.0 * dt * plan.settings.rho * plan.clock.scheme.weight() < 1.0;
        history.next_dt = Some(if is_easy && step == dt { 2.0 * dt } else { dt });
        tell(plan, history, bar);
    }
    Ok(true)
}

fn tell(plan: &TumourPlan, history: &History, bar: &ProgressBar) {
    let (mass, radius) = history.last();
    bar.set_message(format!(
        "step {}, t = {:.3} of {}: mass {mass:.4}, radius {radius:.3}",
        history.steps(),
        history.time(),
        plan.clock.end
    ));
}
