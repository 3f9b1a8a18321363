//! What the model does: one cell, fronts of both schemes, fibres, a spiral, Niederer's slab.

use super::published::{FAR_CORNER, FRONTS, SLAB};
use galerkit::fem::cardiac::cell::{AlievPanfilov, Cell, UNIT};
use galerkit::fem::cardiac::crossings::{Beat, Levels};
use galerkit::fem::cardiac::front::Front;
use galerkit::fem::cardiac::matrices::Matrices;
use galerkit::fem::cardiac::simulation::{Observed, Simulation};
use galerkit::fem::cardiac::stimulus::Action;
use galerkit::fem::cardiac::{
    Conductivity, Model, Newton, Region, Scheme, Stimulus, Strang, Tissue, geometry, newton, strang,
};
use galerkit::{Device, Result};
use serde::Serialize;

/// phi over time of one cell that starts at 0.2, in ms.
pub fn single_cell() -> Vec<(f64, f64)> {
    let (cell, mut state): (_, [f64; 2]) = (AlievPanfilov::default(), [0.2, 0.0]);
    let step = |k: usize| {
        let here = (0.5 * k as f64, state[0]);
        (0..10).for_each(|_| state = cell.advance(state, 0.0, 0.05));
        here
    };
    (0..1000).map(step).collect()
}

/// A planar front.
#[derive(Clone, Debug, Serialize)]
pub struct FrontRow {
    /// newton or strang.
    pub scheme: &'static str,
    /// Edges in mm.
    pub h: f64,
    /// Steps in ms.
    pub dt: f64,
    /// v/v_exact - 1
    pub error: f64,
    /// The same as printed.
    pub published: Option<f64>,
}

const FRONT: Levels = Levels { activation: 0.5, repolarisation: 0.1, beat: Beat::First };

fn run(
    tissue: &Tissue,
    device: Device,
    scheme: &str,
    dt: f64,
    stimuli: &[Stimulus],
    cell: AlievPanfilov,
    recovery: bool,
) -> Result<Simulation> {
    let mut e = galerkit::heart::engine(device)?;
    let model = Model { recovery, ..Model::from(cell) };
    let levels = if recovery { Levels::default() } else { FRONT };
    let matrices = Matrices::new(tissue)?;
    let scheme: Box<dyn Scheme> = match scheme {
        "newton" => Box::new(Newton::new(
            &mut e,
            tissue,
            &matrices,
            model,
            &newton::Settings { dt, levels, ..Default::default() },
        )?),
        _ => Box::new(Strang::new(&mut e, &matrices, model, &strang::Settings { dt, levels, ..Default::default() })?),
    };
    Ok(Simulation::new(e, scheme, tissue, stimuli, &Observed::default()))
}

/// The speed over the exact one between two planes.
fn speed(tissue: &Tissue, scheme: &str, dt: f64, [from, to]: [f64; 2]) -> Result<f64> {
    let (conductivity, n) = (tissue.conductivity(0), tissue.fibre(0)[0]);
    let front = Front::new(&AlievPanfilov::default(), conductivity.iso + conductivity.ani * n * n);
    let mut run = run(tissue, Device::Cpu, scheme, dt, &[], AlievPanfilov::default(), false)?;
    run.set_phi(&tissue.points().iter().map(|x| front.profile(x[0] - 8.0)).collect::<Vec<f64>>());
    run.run_until((to - 4.0) / front.speed)?;
    let up = &run.times()[0];
    let mean = |x: f64| {
        let those =
            tissue.points().iter().zip(up).filter(|(point, _)| (point[0] - x).abs() < 1e-9).map(|(_, time)| *time);
        let times: Vec<f64> = those.collect();
        times.iter().sum::<f64>() / times.len() as f64
    };
    Ok((to - from) / (mean(to) - mean(from)) / front.speed)
}

/// Fronts on a cable of 80 mm: `newton` where spec 06 prints errors, `strang` at the same edges.
///
/// # Errors
/// If a step fails.
pub fn fronts() -> Result<Vec<FrontRow>> {
    let mut rows = Vec::new();
    let strang = [(2.0, 0.25, -0.0006), (1.0, 0.25, -0.0001), (0.5, 0.25, 0.0), (0.25, 0.645, -0.0003)];
    let cases = FRONTS.iter().map(|(h, dt, error)| ("newton", *h, UNIT * dt, *error));
    for (scheme, h, dt, published) in cases.chain(strang.map(|(h, dt, error)| ("strang", h, dt, error))) {
        let tissue = Tissue::new(&geometry::cable(80.0, h)?, Conductivity { iso: 1.0, ani: 0.0 })?;
        let error = speed(&tissue, scheme, dt, [30.0, 60.0])? - 1.0;
        rows.push(FrontRow { scheme, h, dt, error, published: Some(published) });
    }
    Ok(rows)
}

/// Degrees between fibres and the way of the front, the speed over that along them, and its theory: sqrt(n . D n / D).
///
/// # Errors
/// If a step fails.
pub fn anisotropy() -> Result<Vec<(f64, f64, f64)>> {
    let mesh = geometry::slab([40.0, 2.0, 2.0], 1.0)?;
    let mut rows: Vec<(f64, f64, f64)> = Vec::new();
    for degrees in [0.0, 90.0] {
        let tissue = Tissue::new(&mesh, Conductivity { iso: 0.5, ani: 0.5 })?;
        let angle = f64::to_radians(degrees);
        let fibres = vec![[angle.cos(), angle.sin(), 0.0]; tissue.elements()];
        let theory = (0.5 + 0.5 * angle.cos().powi(2)).sqrt();
        let found = speed(&tissue.with_fibres(fibres)?, "newton", 0.02 * UNIT, [15.0, 30.0])? * theory;
        let along = rows.first().map_or(found, |row| row.1);
        rows.push((degrees, if rows.is_empty() { found } else { found / along }, theory));
    }
    rows[0].1 = 1.0;
    Ok(rows)
}

/// Time in units of 12.9 ms and the share of excited nodes, with S2 and without.
///
/// # Errors
/// If a step fails.
pub fn spiral(device: Device) -> Result<[Vec<(f64, f64)>; 2]> {
    let tissue = Tissue::new(&geometry::sheet([200.0, 200.0], 2.0)?, Conductivity { iso: 1.0, ani: 0.0 })?;
    let at = |region, time| Stimulus { region, action: Action::Potential(1.0), times: vec![time] };
    let first = at(Region::Box([0.0; 3], [6.0, 200.0, 0.0]), 0.0);
    let second = at(Region::Box([0.0; 3], [100.0, 100.0, 0.0]), 42.5 * UNIT);
    let cell = AlievPanfilov { alpha: 0.05, ..AlievPanfilov::default() };
    let watched = |stimuli: &[Stimulus]| -> Result<Vec<(f64, f64)>> {
        let mut run = run(&tissue, device, "strang", 0.1 * UNIT, stimuli, cell.clone(), true)?;
        let looks = (0..=110).map(|tau| {
            run.run_until(f64::from(tau) * UNIT)?;
            Ok((f64::from(tau), run.observe()?.fraction_excited))
        });
        looks.collect()
    };
    Ok([watched(&[first.clone(), second])?, watched(&[first])?])
}

/// Activation at a point of the slab.
#[derive(Clone, Debug, Serialize)]
pub struct SlabRow {
    /// Where, in mm.
    pub point: [f64; 3],
    /// Ours with Aliev and Panfilov's cells, in ms.
    pub activation: f64,
    /// The mean of 11 codes with TP06 at dx 0.1 mm.
    pub codes: f64,
    /// fenicsx-beat with TP06 at dx 0.2 mm.
    pub fenicsx_beat: f64,
}

/// Niederer's slab at this dx in mm and dt 0.1 ms.
///
/// # Errors
/// If a step fails.
pub fn slab(device: Device, dx: f64) -> Result<Vec<SlabRow>> {
    let tissue = Tissue::new(&geometry::slab([20.0, 7.0, 3.0], dx)?, Conductivity { iso: 0.132, ani: 0.868 })?;
    let corner = Stimulus { region: Region::Box([0.0; 3], [3.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let mut run = run(&tissue, device, "strang", 0.1, &[corner], AlievPanfilov::default(), true)?;
    run.run_until(FAR_CORNER + 4.0)?;
    let up = &run.times()[0];
    let near = |point: [f64; 3]| {
        let off = |x: &[f64; 3]| (0..3).map(|d| (x[d] - point[d]).powi(2)).sum::<f64>();
        let nearest = tissue.points().iter().zip(up).min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
        nearest.map_or(f64::NAN, |(_, time)| *time)
    };
    let row = |&(point, codes, fenicsx_beat): &([f64; 3], f64, f64)| SlabRow {
        point,
        activation: near(point),
        codes,
        fenicsx_beat,
    };
    Ok(SLAB.iter().map(row).collect())
}
