//! Steps that fail are halved where they fail, however long launches are, whoever resumes them, on every machine.

use super::*;
use galerkit_cuda::{Settings as Cuda, executor, testing};
use galerkit_fem::cardiac::geometry::slab;
use galerkit_fem::cardiac::stimulus::Action;
use galerkit_fem::cardiac::{Halving, Region};

/// Two steps a millisecond; what a stimulus at 6 ms excites they cannot follow.
fn run(e: AnyEngine<f64>, tissue: &Tissue) -> Simulation {
    let region = Region::Box([0.0; 3], [2.0; 3]);
    let stimulus = Stimulus { region, action: Action::Potential(1.0), times: vec![6.0] };
    halving(e, tissue, AlievPanfilov { c: 200.0, ..AlievPanfilov::default() }, 0.5, &stimulus)
}

fn halving(mut e: AnyEngine<f64>, tissue: &Tissue, cell: AlievPanfilov, dt: f64, stimulus: &Stimulus) -> Simulation {
    let settings = Settings { dt, ..Settings::default() };
    let scheme = Halving::new(&mut e, Matrices::new(tissue).unwrap().into(), Model::from(cell), &settings).unwrap();
    Simulation::new(e, Box::new(scheme), tissue, std::slice::from_ref(stimulus), &Observed::default())
}

fn small() -> Tissue {
    Tissue::new(&slab([6.0, 3.0, 3.0], 1.0).unwrap(), isotropic(1.0)).unwrap()
}

/// In one launch, in launches of a millisecond, and saved and restored on the way, before and after the step has become
/// shorter.
#[test]
fn bits_depend_neither_on_launches_nor_on_going_on() {
    let tissue = small();
    let mut whole = run(cpu(), &tissue);
    whole.run_until(24.0).unwrap();
    let (phi, times, counts) = (whole.phi(), whole.times(), whole.counts());
    println!("{counts:?}");
    assert!(counts.failed_steps > 0 && counts.steps > 48, "{counts:?}");
    assert!(phi.iter().all(|phi| phi.abs() < 1.5) && times[0].iter().any(|time| *time > 0.0));
    let mut pieces = run(cpu(), &tissue);
    for millisecond in 1..=24 {
        pieces.run_until(f64::from(millisecond)).unwrap();
    }
    assert_eq!((&phi, &times), (&pieces.phi(), &pieces.times()));
    assert_eq!(counts.steps, pieces.counts().steps);
    for at in [3.0, 8.0, 16.0] {
        let [mut begun, mut resumed] = [run(cpu(), &tissue), run(cpu(), &tissue)];
        begun.run_until(at).unwrap();
        assert!(resumed.restore(&begun.save()).unwrap());
        resumed.run_until(24.0).unwrap();
        assert_eq!((&phi, &times), (&resumed.phi(), &resumed.times()), "from {at} ms");
        assert_eq!(counts.steps, resumed.counts().steps);
    }
}

/// Steps that are too long are halved until they hold; where none is short enough the run ends and says so.
#[test]
fn steps_that_fail_are_halved_and_then_given_up() {
    let (tissue, region) = (small(), Region::Box([0.0; 3], [2.0; 3]));
    let corner = Stimulus { region, action: Action::Potential(1.0), times: vec![0.0] };
    let mut run = halving(cpu(), &tissue, AlievPanfilov::default(), 20.0, &corner);
    run.run_until(40.0).unwrap();
    let (seen, counts) = (run.observe().unwrap(), run.counts());
    assert!(counts.failed_steps > 0 && counts.steps > 2 && seen.largest < 1.5 && seen.time == 40.0, "{counts:?}");
    let mut hopeless = halving(cpu(), &tissue, AlievPanfilov { c: 1e9, ..AlievPanfilov::default() }, 0.25, &corner);
    let said = hopeless.run_until(1.0).unwrap_err().to_string();
    assert!(said.contains("smaller step"), "{said}");
}

/// A GPU halves where the CPU does.
#[test]
fn a_gpu_halves_where_a_cpu_does() {
    let Some(gpu) = testing::gpu() else { return };
    let tissue = small();
    let [mut one, mut other] =
        [cpu(), Recorded::over(executor::<f64>(&gpu, Cuda::default()).unwrap())].map(|e| run(e, &tissue));
    for run in [&mut one, &mut other] {
        run.run_until(12.0).unwrap();
    }
    assert_eq!([one.counts().steps, one.counts().failed_steps], [other.counts().steps, other.counts().failed_steps]);
    assert!(one.counts().failed_steps > 0, "{:?}", one.counts());
    let apart = one.phi().iter().zip(other.phi()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-6, "{apart:e}");
}
