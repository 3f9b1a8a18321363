//! What the specs of the heart have as numbers and laws beyond fronts: errors of backward Euler, the mass that makes fronts exact, steps,
//! precision, spirals.

use super::*;
use galerkit_fem::cardiac::cell::{Cell, UNIT};
use galerkit_fem::cardiac::geometry::{cable, sheet, slab};
use galerkit_fem::cardiac::matrices::THETA;
use galerkit_fem::cardiac::stimulus::Action;
use galerkit_fem::cardiac::{Halving, Region};
use galerkit_linalg::program::Precision;

/// Spec 06 section 5: first order, 2.7e-3, 1.35e-3, 6.7e-4 in phi(20).
#[test]
fn backward_euler_of_one_cell_is_of_first_order() {
    let cell = AlievPanfilov::default();
    let mut exact: [f64; 2] = [0.2, 0.0];
    (0..40_000).for_each(|_| exact = cell.advance(exact, 0.0, 0.0005 * UNIT));
    for (dt, expected) in [(0.1, 2.7e-3), (0.05, 1.35e-3), (0.025, 6.7e-4)] {
        let mut state: [f64; 2] = [0.2, 0.0];
        for _ in 0..(20.0_f64 / dt).round() as usize {
            state = super::invariants::backward_euler(&cell, state, dt * UNIT);
        }
        let error = (state[0] - exact[0]).abs();
        assert!((error / expected - 1.0).abs() < 0.03, "dt = {dt}: {error:e}");
    }
}

/// Spec 06 section 6: r stays positive for phi between 0 and 1.
#[test]
fn recovery_stays_positive() {
    let cell = AlievPanfilov::default();
    for k in 0..=20 {
        let [_, rate] = cell.rates(0.05 * f64::from(k), 0.0);
        assert!(rate >= 0.0, "phi = {}", 0.05 * f64::from(k));
    }
}

/// Spec 09: with a lumped mass fronts are slower by 0.0029 and 0.0108 at h = 1 and 2 mm, with a consistent one faster by 0.0029 and 0.0114.
#[test]
fn half_lumped_mass_is_between_two_errors() {
    assert_eq!(THETA, 0.5);
    for (dx, lumped, consistent, within) in [(1.0, -0.0029, 0.0029, 3e-4), (2.0, -0.0108, 0.0114, 1.2e-3)] {
        let tissue = Tissue::new(&slab([40.0, 2.0, 2.0], dx).unwrap(), isotropic(1.0)).unwrap();
        let half = Matrices::new(&tissue).unwrap();
        for (theta, expected) in [(1.0, lumped), (0.0, consistent)] {
            let mut matrices = half.clone();
            let rows: Vec<(usize, usize, f64)> = (0..half.M.rows())
                .flat_map(|i| half.M.row(i).map(move |(j, m)| (i, j, m)).collect::<Vec<_>>())
                .collect();
            let mixed = |&(i, j, m): &(usize, usize, f64)| {
                let lumped = if i == j { half.lumped[i] } else { 0.0 };
                theta * lumped + (1.0 - theta) * (2.0 * m - lumped)
            };
            matrices.M = half.M.with_values(&rows.iter().map(mixed).collect::<Vec<f64>>());
            let (mut e, settings) = (cpu(), Settings { levels: FRONT, ..Settings::default() });
            let scheme = Strang::new(&mut e, &matrices, without_recovery(), &settings).unwrap();
            let run = Simulation::new(e, Box::new(scheme), &tissue, &[], &Observed::default());
            let error = front_speed(run, &tissue, [16.0, 30.0]) - 1.0;
            println!("h = {dx}, theta = {theta}: {error:+.5}");
            assert!((error - expected).abs() < within, "h = {dx}, theta = {theta}: {error:+.5}");
        }
    }
}

/// Spec 06: doubling D multiplies the speed by the root of 2 when h and dt are scaled accordingly: in units of its width nothing changes.
#[test]
fn speed_grows_with_the_root_of_conductivity() {
    let ratio = |D: f64, dx: f64, length: f64| {
        let tissue = Tissue::new(&cable(length, dx).unwrap(), isotropic(D)).unwrap();
        let front = Front::new(&AlievPanfilov::default(), D);
        let mut run =
            strang(cpu(), &tissue, without_recovery(), &Settings { levels: FRONT, ..Settings::default() }, &[]);
        run.set_phi(&tissue.points().iter().map(|x| front.profile(x[0] - 0.1 * length)).collect::<Vec<f64>>());
        run.run_until(0.7 * length / front.speed).unwrap();
        speed(tissue.points(), &run.times()[0], [0.375 * length, 0.75 * length])
    };
    let root = 2.0f64.sqrt();
    let (one, two) = (ratio(1.0, 0.5, 80.0), ratio(2.0, 0.5 * root, 80.0 * root));
    assert!((two / one / root - 1.0).abs() < 1e-6, "{one} {two}");
}

fn ap_slab(dx: f64, dt: f64, precision: Precision) -> f64 {
    let tissue = Tissue::new(&slab([20.0, 7.0, 3.0], dx).unwrap(), Conductivity { iso: 0.132, ani: 0.868 }).unwrap();
    let corner = Stimulus { region: Region::Box([0.0; 3], [3.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let settings = Settings { dt, precision, ..Settings::default() };
    let mut run = strang(cpu(), &tissue, Model::default(), &settings, &[corner]);
    run.run_until(46.0).unwrap();
    let far = tissue.points().iter().position(|x| *x == [20.0, 7.0, 3.0]).unwrap();
    run.times()[0][far]
}

/// Spec 09: what decides whether single precision does is the far corner of the AP-slab, within 0.02 ms.
#[test]
fn increments_in_single_precision_do() {
    let [double, single] = [Precision::Full, Precision::Single].map(|precision| ap_slab(1.0, 0.25, precision));
    assert!((double - single).abs() < 0.02, "{double} {single}");
}

/// Spec 06 section 6: with no anisotropy fibres do not matter, and neither does the order of elements.
#[test]
fn fibres_without_anisotropy_and_the_order_of_elements_do_not_matter() {
    let mesh = slab([6.0, 3.0, 3.0], 1.0).unwrap();
    let corner = Stimulus { region: Region::Box([0.0; 3], [2.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let run = |tissue: &Tissue| {
        let settings = Settings { rtol: 1e-12, ..Settings::default() };
        let mut run = strang(cpu(), tissue, Model::default(), &settings, std::slice::from_ref(&corner));
        run.run_until(8.0).unwrap();
        run.phi()
    };
    let tissue = Tissue::new(&mesh, isotropic(1.0)).unwrap();
    let plain = run(&tissue);
    let fibres = vec![[0.3, -0.5, 0.8]; tissue.elements()];
    assert_eq!(plain, run(&tissue.clone().with_fibres(fibres).unwrap()));
    let mut reversed = mesh.clone();
    for block in reversed.blocks.iter_mut().filter(|block| block.shape.dim() == 3) {
        block.nodes = block.nodes.chunks_exact(4).rev().flatten().copied().collect();
    }
    let other = run(&Tissue::new(&reversed, isotropic(1.0)).unwrap());
    let furthest = plain.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(furthest < 1e-10, "{furthest:e}");
}

/// Steps that are too long are halved until they hold; where none is short enough the run ends and says so.
#[test]
fn steps_that_fail_are_halved_and_then_given_up() {
    let tissue = Tissue::new(&slab([6.0, 3.0, 3.0], 1.0).unwrap(), isotropic(1.0)).unwrap();
    let corner = Stimulus { region: Region::Box([0.0; 3], [2.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let run = |c: f64, dt: f64, end: f64| {
        let cell = AlievPanfilov { c, ..AlievPanfilov::default() };
        let (mut e, settings) = (cpu(), Settings { dt, ..Settings::default() });
        let scheme = Halving::new(&mut e, Matrices::new(&tissue).unwrap(), Model::from(cell), &settings).unwrap();
        let mut run =
            Simulation::new(e, Box::new(scheme), &tissue, std::slice::from_ref(&corner), &Observed::default());
        run.run_until(end).map(|()| (run.observe().unwrap(), run.counts()))
    };
    let (seen, counts) = run(8.0, 20.0, 40.0).unwrap();
    println!("{seen:?} {counts:?}");
    assert!(counts.failed_steps > 0 && counts.steps > 2 && seen.largest < 1.5 && seen.time == 40.0, "{counts:?}");
    let said = run(1e9, 0.25, 1.0).unwrap_err().to_string();
    assert!(said.contains("smaller step"), "{said}");
}

/// Spec 06: S1 along one side, S2 on a quarter of the sheet when the tail has passed its middle: a spiral stays. Without S2 all is at rest.
#[test]
fn a_spiral_persists_with_s2_and_dies_without() {
    let tissue = Tissue::new(&sheet([200.0, 200.0], 2.0).unwrap(), isotropic(1.0)).unwrap();
    assert_eq!(tissue.points().len(), 101 * 101);
    let at = |region, times| Stimulus { region, action: Action::Potential(1.0), times };
    let first = at(Region::Box([0.0; 3], [6.0, 200.0, 0.0]), vec![0.0]);
    let second = at(Region::Box([0.0; 3], [100.0, 100.0, 0.0]), vec![42.5 * UNIT]);
    let model = Model::from(AlievPanfilov { alpha: 0.05, ..AlievPanfilov::default() });
    let settings = Settings { dt: 0.1 * UNIT, rtol: 1e-4, ..Settings::default() };
    let observed = |stimuli: &[Stimulus], times: &[f64]| {
        let mut run = strang(cpu(), &tissue, model.clone(), &settings, stimuli);
        let look = |tau: &f64| {
            run.run_until(tau * UNIT).unwrap();
            run.observe().unwrap()
        };
        times.iter().map(look).collect::<Vec<_>>()
    };
    let dies = observed(std::slice::from_ref(&first), &[30.0, 60.0]);
    assert!(dies[0].fraction_excited > 0.2 && dies[1].largest < 0.1, "{dies:?}");
    let stays = observed(&[first, second], &[70.0, 80.0, 90.0, 100.0, 110.0]);
    println!("{:?}", stays.iter().map(|seen| seen.fraction_excited).collect::<Vec<_>>());
    assert!(stays.iter().all(|seen| seen.fraction_excited > 0.2), "{stays:?}");
}
