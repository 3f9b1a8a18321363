//! `galerkit heart cv`: the speed of a planar front that starts as the exact one (spec: cable of 80 mm, between 30 and
//! 60 mm; slab of 40 mm, between 15 and 30 mm).

use super::super::Ending;
use super::beat::Session;
use super::report::{self, Document};
use super::written::{self, Nodal};
use crate::output::Output;
use crate::plan::heart::{Geometry, HeartPlan};
use anyhow::{Result, bail};
use galerkit::fem::cardiac::cell::Kind;
use galerkit::fem::cardiac::front::Front;

/// Where the middle of the front starts, in mm.
const START: f64 = 8.0;
/// What it must pass beyond the last plane, in mm.
const BEYOND: f64 = 4.0;

/// Measures.
pub fn run(plan: &HeartPlan, output: Output) -> Result<Ending> {
    let mut session = Session::new(plan, output)?;
    let (Kind::AlievPanfilov(cell), Geometry::BuiltIn { size, .. }) = (&plan.model.kind, &plan.geometry) else {
        bail!("'heart cv' measures --cell aliev-panfilov in built-in geometry")
    };
    let along = session.tissue.fibre(0)[0];
    let front = Front::new(cell, plan.conductivity.iso + plan.conductivity.ani * along * along);
    let planes = [0.375, 0.75].map(|share| share * size[0]); // 30 and 60 of 80 mm, 15 and 30 of 40 mm
    let profile: Vec<f64> = session.tissue.points().iter().map(|x| front.profile(x[0] - START)).collect();
    session.simulation.set_phi(&profile);
    let end = plan.end.unwrap_or((planes[1] + BEYOND - START) / front.speed.max(1e-3) * 1.05);
    plan.scheme.check_end(end)?;
    let seen = session.watch(plan, end, output)?;
    let [up, down] = session.simulation.times();
    let [from, to] = planes.map(|x| passage(session.tissue.points(), &up, x));
    let speed = match (from, to) {
        (Some((x, t)), Some((y, s))) if s > t => Some((y - x) / (s - t)),
        _ => None,
    };
    let mut document = Document::new(plan, &mut session, &seen);
    document.front_speed = speed;
    document.exact_speed = Some(front.speed);
    document.speed_error = speed.map(|speed| speed / front.speed - 1.0);
    let phi = session.simulation.phi();
    let nodal = Nodal { times: [&up, &down], phi: &phi, phases: None, beats: &seen.beats };
    written::write(plan, &session.tissue, &document, &nodal, output)?;
    report::say(plan, &document, output)?;
    if speed.is_none() && !seen.is_interrupted {
        bail!(
            "the front has not passed {} mm within {end:.0} ms: it was blocked (see --dx), or --end is too early",
            planes[1]
        );
    }
    Ok(if seen.is_interrupted { Ending::Interrupted } else { Ending::Done })
}

/// The plane of nodes nearest to x, and when the front passed it on average.
fn passage(points: &[[f64; 3]], up: &[f64], x: f64) -> Option<(f64, f64)> {
    let plane = points.iter().map(|point| point[0]).min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()))?;
    let on_plane = points.iter().zip(up).filter(|(point, _)| (point[0] - plane).abs() < 1e-9).map(|(_, time)| *time);
    let times: Vec<f64> = on_plane.collect();
    times.iter().all(|time| *time >= 0.0).then(|| (plane, times.iter().sum::<f64>() / times.len() as f64))
}
