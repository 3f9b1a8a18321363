//! Newton's method on two ventricles: what its assembly takes and what its solves take. Two runs with unlike tolerances
//! have unlike numbers of iterations of both kinds, and their times are a sum of so many assemblies and so many
//! iterations of CG: two equations.

use super::super::place::Place;
use super::ventricles;
use crate::Result;
use galerkit::fem::cardiac::matrices::Matrices;
use galerkit::fem::cardiac::scheme::Counts;
use galerkit::fem::cardiac::simulation::{Observed, Simulation};
use galerkit::fem::cardiac::stimulus::Action;
use galerkit::fem::cardiac::{Model, Newton, Region, Stimulus, Tissue, geometry, newton};
use galerkit::on_threads;
use serde::Serialize;
use std::time::Instant;

/// A heart in a place.
#[derive(Clone, Debug, Serialize)]
pub struct CostRow {
    /// The heart.
    pub heart: String,
    /// Its nodes.
    pub nodes: usize,
    /// Where.
    pub place: String,
    /// Steps of 0.25 ms.
    pub steps: u64,
    /// Iterations of Newton's method.
    pub newton_iterations: u64,
    /// Iterations of CG.
    pub cg_iterations: u64,
    /// Seconds of all steps.
    pub seconds: f64,
    /// The share of assembly: residual, tangent, local solves.
    pub assembly_share: f64,
    /// One core's seconds over these.
    pub speedup: f64,
}

/// Runs a heart in every place.
///
/// # Errors
/// If a device is missing, or a step fails.
pub fn measure(name: &str, dx: f64, places: &[Place], milliseconds: f64) -> Result<Vec<CostRow>> {
    let tissue = ventricles(dx)?;
    let mut rows: Vec<CostRow> = Vec::new();
    for place in places {
        let run = |rtol: f64| on_threads(place.threads, || timed(&tissue, place, rtol, milliseconds));
        let ((tight, counts), (loose, fewer)) = (run(1e-8)?, run(1e-2)?);
        let share = assembly_share([tight, loose], [counts, fewer]);
        let one_core = rows.first().map_or(tight, |row: &CostRow| row.seconds);
        rows.push(CostRow {
            heart: name.into(),
            nodes: tissue.points().len(),
            place: place.to_string(),
            steps: counts.steps,
            newton_iterations: counts.newton_iterations,
            cg_iterations: counts.cg_iterations,
            seconds: tight,
            assembly_share: share,
            speedup: one_core / tight,
        });
    }
    Ok(rows)
}

/// a of t = a n + b c for two runs, times n over t of the first.
fn assembly_share([t, u]: [f64; 2], [first, second]: [Counts; 2]) -> f64 {
    let [n, m] = [first, second].map(|counts| counts.newton_iterations as f64);
    let [c, d] = [first, second].map(|counts| counts.cg_iterations as f64);
    let a = (t * d - u * c) / (n * d - m * c);
    (a * n / t).clamp(0.0, 1.0)
}

fn timed(tissue: &Tissue, place: &Place, rtol: f64, end: f64) -> galerkit::Result<(f64, Counts)> {
    let mut e = galerkit::heart::engine(place.device)?;
    let settings = newton::Settings { rtol, ..newton::Settings::default() };
    let matrices = Matrices::new(tissue)?;
    let scheme = Newton::new(&mut e, tissue, &matrices, Model::default(), &settings)?;
    let region = Region::Sphere(geometry::APEX, 12.0);
    let stimulus = Stimulus { region, action: Action::Potential(1.0), times: vec![0.0] };
    let mut run = Simulation::new(e, Box::new(scheme), tissue, &[stimulus], &Observed::default());
    run.run_until(1.0)?; // compiles, where something must be
    let (before, begun) = (run.counts(), Instant::now());
    run.run_until(1.0 + end)?;
    let after = run.counts();
    let seconds = begun.elapsed().as_secs_f64();
    Ok((
        seconds,
        Counts {
            steps: after.steps - before.steps,
            newton_iterations: after.newton_iterations - before.newton_iterations,
            cg_iterations: after.cg_iterations - before.cg_iterations,
            failed_steps: after.failed_steps,
        },
    ))
}
