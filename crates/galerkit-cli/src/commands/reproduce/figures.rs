//! Figures 2 to 5 of source 001, with what was measured here.

use super::{ENDS, Plan};
use crate::output::curves::{self, Axis, Curves, Series};
use anyhow::Result;
use galerkit_bench::reproduce::vpgcr::{Case, Form, N, Study, TOLERANCES};

/// Where an r_max of zero is drawn.
const LEAST: f64 = 1e-17;

/// File names and SVG texts.
pub(super) fn draw(study: &Study, plan: &Plan) -> Result<Vec<(&'static str, String)>> {
    let figures = [
        ("figure-2.svg", execution_times(study, plan)),
        ("figure-3.svg", speedups(study, plan, Form::Standard)),
        ("figure-4.svg", speedups(study, plan, Form::Hybrid)),
        ("figure-5.svg", distances(study, plan)),
    ];
    figures.into_iter().map(|(name, figure)| Ok((name, curves::draw(&figure)?))).collect()
}

/// The tolerances of figure 2, ascending.
fn tolerances() -> Vec<f64> {
    let mut all = [&TOLERANCES[..], &ENDS[..]].concat();
    all.sort_by(f64::total_cmp);
    all
}

fn execution_times(study: &Study, plan: &Plan) -> Curves {
    let gamma = plan.steepest();
    let mut series = Vec::new();
    for place in plan.places.iter().map(|place| place.to_string()) {
        for form in Form::ALL {
            let seconds = |&eps: &f64| Some((eps, study.row(&place, &Case { n: N, gamma, form, eps })?.seconds));
            let points = tolerances().iter().filter_map(seconds).collect();
            series.push(Series { name: format!("{} on {place}", word(form)), points });
        }
    }
    Curves {
        title: format!("Figure 2: execution time, gamma = {gamma}"),
        subtitle: format!("VPGCR, n = {N}, outer tolerance 1e-12"),
        x: Axis::new("inner tolerance", true),
        y: Axis::new("seconds", true),
        series,
    }
}

/// The device, in one form, over the standard form on one core.
fn speedups(study: &Study, plan: &Plan, form: Form) -> Curves {
    let (first, device) = (plan.places[0].to_string(), plan.device().to_string());
    let series = TOLERANCES.map(|eps| {
        let ratio = |&gamma: &f64| {
            let case = |form| Case { n: N, gamma, form, eps };
            Some((gamma, study.speedup((&first, &case(Form::Standard)), (&device, &case(form)))?))
        };
        Series { name: format!("inner tolerance {eps:.0e}"), points: plan.gammas.iter().filter_map(ratio).collect() }
    });
    let number = if form == Form::Standard { 3 } else { 4 };
    Curves {
        title: format!("Figure {number}: speed-up of the {} form on {device}", word(form)),
        subtitle: format!("over the standard form on {first}; n = {N}"),
        x: Axis::new("gamma", false),
        y: Axis::new("times faster", false),
        series: series.into(),
    }
}

fn distances(study: &Study, plan: &Plan) -> Curves {
    let (first, device) = (plan.places[0].to_string(), plan.device().to_string());
    let moderate = plan.gammas.iter().filter(|gamma| **gamma < 1.0);
    let series = moderate.map(|&gamma| {
        let apart = |&eps: &f64| {
            let case = Case { n: N, gamma, form: Form::Hybrid, eps };
            Some((eps, study.row(&device, &case)?.r_max?.max(LEAST)))
        };
        Series { name: format!("gamma = {gamma}"), points: TOLERANCES.iter().filter_map(apart).collect() }
    });
    Curves {
        title: format!("Figure 5: r_max, the hybrid form on {device} against the standard form on {first}"),
        subtitle: format!("max |x_S - x_H| / max |x_S|, n = {N}; zero is drawn at {LEAST:e}"),
        x: Axis::new("inner tolerance", true),
        y: Axis::new("r_max", true),
        series: series.collect(),
    }
}

fn word(form: Form) -> &'static str {
    match form {
        Form::Standard => "standard",
        Form::Hybrid => "hybrid",
    }
}
