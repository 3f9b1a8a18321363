//! What a live view needs: surfaces, frames in bytes, new values and new cells while a run goes on.

use super::*;
use galerkit_cuda::{Settings as Cuda, executor, testing};
use galerkit_fem::cardiac::frame::{Frames, Look, POTENTIAL, QUANTUM};
use galerkit_fem::cardiac::geometry::{cable, sheet, slab};
use galerkit_fem::cardiac::stimulus::{Action, Change};
use galerkit_fem::cardiac::surface::Surface;
use galerkit_fem::cardiac::{Region, Scheme};
use galerkit_linalg::engine::reference_executor;

fn small() -> Tissue {
    Tissue::new(&slab([6.0, 3.0, 2.0], 1.0).unwrap(), Conductivity { iso: 0.4, ani: 0.6 }).unwrap()
}

fn corner() -> Stimulus {
    Stimulus { region: Region::Box([0.0; 3], [2.0; 3]), action: Action::Potential(1.0), times: vec![0.0] }
}

#[test]
fn surfaces_show_what_can_be_seen() {
    let of = |mesh| Surface::new(&Tissue::new(&mesh, isotropic(1.0)).unwrap()).unwrap();
    let surface = of(slab([3.0, 3.0, 3.0], 1.0).unwrap());
    assert_eq!((surface.nodes.len(), surface.triangles.len()), (56, 108), "64 nodes less the 8 inside; 6 x 9 x 2");
    let all = surface.triangles.iter().flatten();
    assert!(all.into_iter().all(|vertex| (*vertex as usize) < surface.positions.len()));
    let surface = of(sheet([4.0, 2.0], 1.0).unwrap());
    assert_eq!((surface.nodes.len(), surface.triangles.len()), (15, 16));
    let surface = of(cable(4.0, 1.0).unwrap());
    assert_eq!((surface.nodes.len(), surface.triangles.len()), (10, 8));
    assert_eq!(surface.nodes[..4], [0, 0, 1, 1]);
}

#[test]
fn looks_without_the_energy_are_the_others() {
    let (tissue, mut engine) = (small(), cpu());
    let matrices = std::sync::Arc::new(Matrices::new(&tissue).unwrap());
    let scheme = Strang::new(&mut engine, &matrices, Model::default(), &Settings::default()).unwrap();
    let observed = Observed { electrodes: vec![[9.0, 1.0, 1.0]], matrices: Some(matrices), ..Observed::default() };
    let mut run = Simulation::new(engine, Box::new(scheme), &tissue, &[corner()], &observed);
    run.run_until(6.0).unwrap();
    let all = run.observe().unwrap();
    assert!(all.energy.unwrap() > 0.0);
    run.forgo_energy();
    let others = run.observe().unwrap();
    assert_eq!(others, galerkit_fem::cardiac::simulation::Observation { energy: None, ..all });
}

/// Every byte is the nearest to its number, on every machine there is.
#[test]
fn frames_are_the_numbers_rounded() {
    let tissue = small();
    let surface = Surface::new(&tissue).unwrap();
    let on_gpu = testing::gpu().map(|gpu| Recorded::over(executor::<f64>(&gpu, Cuda::default()).unwrap()));
    for engine in [Some(cpu()), Some(Recorded::over(reference_executor())), on_gpu].into_iter().flatten() {
        let mut run = strang(engine, &tissue, Model::default(), &Settings::default(), &[corner()]);
        run.run_until(6.0).unwrap();
        let (phi, [up, down]) = (run.phi(), run.times());
        let (engine, scheme) = run.parts();
        let mut frames = Frames::new(engine, scheme, &surface.nodes).unwrap();
        let bytes = frames.take(engine, Look::Potential, 0.0);
        assert_eq!(bytes.len(), surface.nodes.len());
        let [low, high] = POTENTIAL;
        for (byte, &node) in bytes.iter().zip(&surface.nodes) {
            let exact = (phi[node as usize] - low) / (high - low) * 255.0;
            assert!((f64::from(*byte) - exact.clamp(0.0, 255.0)).abs() <= 0.5 + 1e-9, "{byte} {exact}");
        }
        for (look, origin) in [(Look::Activation, 0.0), (Look::Activation, -100.0), (Look::Duration, 0.0)] {
            let bytes = frames.take(engine, look, origin);
            assert_eq!(bytes.len(), 2 * surface.nodes.len());
            for (pair, &node) in bytes.chunks(2).zip(&surface.nodes) {
                let (number, node) = (f64::from(u16::from_le_bytes([pair[0], pair[1]])), node as usize);
                let (known, exact) = match look {
                    Look::Activation => (up[node], 1.0 + (up[node] - origin) / QUANTUM),
                    _ => (down[node], 1.0 + (down[node] - up[node]) / QUANTUM),
                };
                let expected = if known < 0.0 { 0.0 } else { exact };
                assert!((number - expected).abs() <= 0.5 + 1e-6, "{number} {expected}");
            }
        }
    }
}

/// New values in the old program, and a new program with the old state, are what a run made so from the start would be.
#[test]
fn a_run_goes_on_with_new_values_and_new_cells() {
    let tissue = small();
    let slower =
        tissue.clone().with_conductivities(vec![Conductivity { iso: 0.1, ani: 0.2 }; tissue.elements()]).unwrap();
    let settings = Settings::default();
    let on_gpu = testing::gpu().map(|gpu| Recorded::over(executor::<f64>(&gpu, Cuda::default()).unwrap()));
    for engine in [Some(cpu()), on_gpu].into_iter().flatten() {
        let mut changed = strang(engine, &tissue, Model::default(), &settings, &[]);
        assert!(changed.refill(&Matrices::new(&slower).unwrap().into()).unwrap());
        changed.reweigh(&slower, &[]);
        let model: Model = AlievPanfilov { alpha: 0.05, ..AlievPanfilov::default() }.into();
        let mut other = strang(cpu(), &slower, Model::default(), &settings, &[]);
        let shares = corner().region.fractions(&tissue);
        for run in [&mut changed, &mut other] {
            run.stimulate(&shares, Change::Set(1.0));
            run.run_until(5.0).unwrap();
        }
        let apart = |one: &mut Simulation, other: &mut Simulation| {
            one.phi().iter().zip(other.phi()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let distance = apart(&mut changed, &mut other);
        assert!(distance < 1e-5, "{distance:e}: the tolerance of CG counts from other diagonals");
        let before = changed.phi();
        let half = Settings { dt: 0.125, ..settings.clone() };
        for (run, tissue) in [(&mut changed, &tissue), (&mut other, &slower)] {
            let make = |e: &mut AnyEngine<f64>| -> galerkit_fem::Result<Box<dyn Scheme>> {
                let matrices = Matrices::new(tissue)?;
                Ok(Box::new(Strang::new(e, &matrices, model.clone(), &half)?))
            };
            run.replace_scheme(&make).unwrap();
        }
        assert!(changed.refill(&Matrices::new(&slower).unwrap().into()).unwrap());
        assert_eq!((changed.time(), changed.phi()), (5.0, before), "nothing has moved");
        assert!(changed.observe().unwrap().fraction_excited > 0.0);
        for run in [&mut changed, &mut other] {
            run.run_until(8.0).unwrap();
        }
        let distance = apart(&mut changed, &mut other);
        assert!(distance < 1e-5, "{distance:e}");
    }
}

/// Steps of `newton` were cut short at every look, so that errors depended on how often somebody looked.
#[test]
fn looks_do_not_change_the_steps_of_newton() {
    let (tissue, dt) = (small(), 0.43);
    let settings = newton::Settings { dt, ..newton::Settings::default() };
    let ended = |looks: &[f64]| {
        let mut run = newton_run(cpu(), &tissue, Model::default(), &settings, &[corner()]);
        looks.iter().for_each(|time| run.run_until(*time).unwrap());
        (run.counts().steps, run.time(), run.phi())
    };
    let (steps, time, phi) = ended(&[8.6]);
    assert_eq!((steps, time), (20, 20.0 * dt));
    let (others, other_time, other_phi) = ended(&[0.1, 1.0, 2.0, 3.3, 5.0, 7.0, 8.5]);
    assert_eq!((others, other_time), (steps, time));
    let apart = phi.iter().zip(&other_phi).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-6, "{apart:e}");
}

/// A look so soon after a stimulus that no step was taken made the next one ring.
#[test]
fn a_look_between_steps_leaves_the_damped_step_to_the_next() {
    let tissue = small();
    let ended = |looks: &[f64]| {
        let mut run = strang(cpu(), &tissue, Model::default(), &Settings::default(), &[corner()]);
        looks.iter().for_each(|time| run.run_until(*time).unwrap());
        run.phi()
    };
    assert_eq!(ended(&[0.05, 0.1, 1.0]), ended(&[1.0]));
}
