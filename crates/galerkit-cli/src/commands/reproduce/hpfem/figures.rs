//! Times and speed-ups over the dimension.

use super::Plan;
use crate::output::curves::{self, Axis, Curves, Series};
use anyhow::Result;
use galerkit::Device;
use galerkit::linalg::sparse::Format;
use galerkit_bench::reproduce::hpfem::{Amdahl, Case, Row, Study};

/// File names and SVG texts; no more curves in one than there are colours.
pub(super) fn draw(study: &Study, plan: &Plan) -> Result<Vec<(&'static str, String)>> {
    let all_cores = plan.places.iter().rev().find(|place| place.device == Device::Cpu);
    let on_cores = |case: &Case| Some(&case.place) == all_cores;
    let on_gpu = |case: &Case| matches!(case.place.device, Device::Cuda(_));
    let has_gpu = plan.cases.iter().any(on_gpu);
    let mut figures = vec![("times.svg", times(study, plan, &on_cores)), ("speedups.svg", speedups(study, plan))];
    if has_gpu {
        let iterations = |case: &Case| case.solver.iterates() && (on_cores(case) || on_gpu(case));
        figures.push(("times-gpu.svg", times(study, plan, &iterations)));
    }
    let has_points = |curves: &Curves| curves.series.iter().any(|series| !series.points.is_empty());
    let drawn = figures.into_iter().filter(|(_, figure)| has_points(figure));
    drawn.map(|(name, figure)| Ok((name, curves::draw(&figure)?))).collect()
}

/// Some cases; of two formats CSR, which is the faster one.
fn times(study: &Study, plan: &Plan, is_shown: &dyn Fn(&Case) -> bool) -> Curves {
    let is_csr = |case: &&Case| case.format.is_none_or(|format| format == Format::Csr);
    let series = |case: &Case| Series {
        name: format!("{} on {}", case.solver, case.place),
        points: solved(study, case).map(|row| (row.unknowns as f64, row.seconds)).collect(),
    };
    Curves {
        title: "Time over the dimension".into(),
        subtitle: "set-up, transfer and loop; hp finite elements, residual to 1e-10".into(),
        x: Axis::new("unknowns", true),
        y: Axis::new("seconds", true),
        series: plan.cases.iter().filter(is_csr).filter(|case| is_shown(case)).map(series).collect(),
    }
}

/// Of everything, over the first place.
fn speedups(study: &Study, plan: &Plan) -> Curves {
    let first = plan.places[0].to_string();
    let found = plan.amdahl(study).into_iter().filter(|one| one.from == first);
    let names = |of: &Amdahl| format!("{} on {}", of.solver, of.place);
    let mut series: Vec<Series> = Vec::new();
    for one in found {
        let (point, name) = ((one.unknowns as f64, one.measured), names(&one));
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name, points: vec![point] }),
        }
    }
    Curves {
        title: format!("Speed-up over {}", plan.places[0]),
        subtitle: "set-up, transfer and loop; matrix in CSR".into(),
        x: Axis::new("unknowns", true),
        y: Axis::new("times faster", false),
        series,
    }
}

fn solved<'a>(study: &'a Study, case: &Case) -> impl Iterator<Item = &'a Row> {
    study.of(case).filter(|row| row.is_solved())
}
