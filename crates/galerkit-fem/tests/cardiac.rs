//! The electrical heart: cells, fronts, invariants.

mod assembly;
mod device;
mod fronts;
mod halving;
mod invariants;
mod looks;
mod meshes;
mod spec;
mod ventricles;

use galerkit_fem::cardiac::cell::AlievPanfilov;
use galerkit_fem::cardiac::crossings::{Beat, Levels};
use galerkit_fem::cardiac::front::Front;
use galerkit_fem::cardiac::matrices::Matrices;
use galerkit_fem::cardiac::newton;
use galerkit_fem::cardiac::simulation::Observed;
use galerkit_fem::cardiac::strang::{Settings, Strang};
use galerkit_fem::cardiac::{Conductivity, Model, Newton, Simulation, Stimulus, Tissue};
use galerkit_linalg::engine::{AnyEngine, Recorded, cpu_executor};

fn cpu() -> AnyEngine<f64> {
    Recorded::over(cpu_executor())
}

fn isotropic(D: f64) -> Conductivity {
    Conductivity { iso: D, ani: 0.0 }
}

fn without_recovery() -> Model {
    Model { recovery: false, ..Model::default() }
}

/// The speed between two planes across x, by activation at phi = 1/2.
fn speed(points: &[[f64; 3]], up: &[f64], [from, to]: [f64; 2]) -> f64 {
    let mean = |x: f64| {
        let those: Vec<f64> = points.iter().zip(up).filter(|(p, _)| (p[0] - x).abs() < 1e-9).map(|(_, t)| *t).collect();
        assert!(!those.is_empty() && those.iter().all(|t| *t > 0.0), "the front has passed {x}");
        those.iter().sum::<f64>() / those.len() as f64
    };
    (to - from) / (mean(to) - mean(from))
}

const FRONT: Levels = Levels { activation: 0.5, repolarisation: 0.1, beat: Beat::First };

/// Planar fronts from the exact profile at x = 8: the speed over the exact one.
fn strang_speed(e: AnyEngine<f64>, tissue: &Tissue, model: Model, dt: f64, planes: [f64; 2]) -> f64 {
    let settings = Settings { dt, levels: FRONT, ..Settings::default() };
    front_speed(strang(e, tissue, model, &settings, &[]), tissue, planes)
}

/// The same for the scheme `newton`.
fn newton_speed(tissue: &Tissue, model: Model, dt: f64, planes: [f64; 2]) -> f64 {
    let settings = newton::Settings { dt, levels: FRONT, ..newton::Settings::default() };
    front_speed(newton_run(cpu(), tissue, model, &settings, &[]), tissue, planes)
}

fn front_speed(mut run: Simulation, tissue: &Tissue, [from, to]: [f64; 2]) -> f64 {
    let (conductivity, n) = (tissue.conductivity(0), tissue.fibre(0)[0]);
    let front = Front::new(&AlievPanfilov::default(), conductivity.iso + conductivity.ani * n * n);
    run.set_phi(&tissue.points().iter().map(|x| front.profile(x[0] - 8.0)).collect::<Vec<f64>>());
    run.run_until((to + 4.0 - 8.0) / front.speed).unwrap();
    println!("{:?}", run.counts());
    speed(tissue.points(), &run.times()[0], [from, to]) / front.speed
}

fn newton_run(
    mut e: AnyEngine<f64>,
    tissue: &Tissue,
    model: Model,
    settings: &newton::Settings,
    stimuli: &[Stimulus],
) -> Simulation {
    let scheme = Newton::new(&mut e, tissue, &Matrices::new(tissue).unwrap(), model, settings).unwrap();
    Simulation::new(e, Box::new(scheme), tissue, stimuli, &Observed::default())
}

fn strang(
    mut e: AnyEngine<f64>,
    tissue: &Tissue,
    model: Model,
    settings: &Settings,
    stimuli: &[Stimulus],
) -> Simulation {
    let scheme = Strang::new(&mut e, &Matrices::new(tissue).unwrap(), model, settings).unwrap();
    Simulation::new(e, Box::new(scheme), tissue, stimuli, &Observed::default())
}
