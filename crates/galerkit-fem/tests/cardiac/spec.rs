//! What the specs of the heart have as numbers and laws beyond fronts: errors of backward Euler, the mass that makes
//! fronts exact, steps, precision, spirals.

use super::*;
use galerkit_fem::cardiac::Region;
use galerkit_fem::cardiac::cell::{Cell, UNIT};
use galerkit_fem::cardiac::geometry::{cable, sheet, slab};
use galerkit_fem::cardiac::matrices::THETA;
use galerkit_fem::cardiac::phase::{phases, singularities};
use galerkit_fem::cardiac::stimulus::Action;
use galerkit_fem::cardiac::surface::Surface;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Format;

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

/// The error in the speed of a front with a share of the mass lumped.
fn mass_error(tissue: &Tissue, theta: f64, planes: [f64; 2]) -> f64 {
    let mut matrices = Matrices::new(tissue).unwrap();
    let (half, whole) = (matrices.M.clone(), &matrices.lumped);
    let mixed = (0..half.rows()).flat_map(|i| {
        half.row(i).map(move |(j, m)| {
            let lumped = if i == j { whole[i] } else { 0.0 };
            theta * lumped + (1.0 - theta) * (2.0 * m - lumped)
        })
    });
    let mixed: Vec<f64> = mixed.collect();
    matrices.M = half.with_values(&mixed);
    let (mut e, settings) = (cpu(), Settings { levels: FRONT, ..Settings::default() });
    let scheme = Strang::new(&mut e, &matrices, without_recovery(), &settings).unwrap();
    front_speed(Simulation::new(e, Box::new(scheme), tissue, &[], &Observed::default()), tissue, planes) - 1.0
}

/// A lumped mass makes fronts slower, a consistent one faster: to leading order they diffuse by D phi_xx (1 +- h²/12
/// d²/dx²), and first order perturbation of the exact front by that gives 0.002789 h² either way, on a cable and for
/// planar fronts among Kuhn's tetrahedra. In the thin slab of spec 09 (0.0029 and 0.0108 slower at h = 1 and 2 mm,
/// 0.0029 and 0.0114 faster) most nodes are at the sides: within a tenth.
#[test]
fn half_lumped_mass_is_between_two_errors() {
    assert_eq!(THETA, 0.5);
    for dx in [0.5, 1.0] {
        let tissue = Tissue::new(&cable(80.0, dx).unwrap(), isotropic(1.0)).unwrap();
        let [slower, faster] = [1.0, 0.0].map(|theta| mass_error(&tissue, theta, [30.0, 60.0]));
        let apart = 0.5 * (faster - slower) / (0.002789 * dx * dx); // what the step adds to both is gone
        println!("h = {dx}: {slower:+.5} {faster:+.5} {apart:.4}");
        assert!((apart - 1.0).abs() < 0.01, "h = {dx}: {slower:+.5} {faster:+.5}");
    }
    for (dx, lumped, consistent) in [(1.0, -0.0029, 0.0029), (2.0, -0.0108, 0.0114)] {
        let tissue = Tissue::new(&slab([40.0, 2.0, 2.0], dx).unwrap(), isotropic(1.0)).unwrap();
        for (theta, expected) in [(1.0, lumped), (0.0, consistent)] {
            let error = mass_error(&tissue, theta, [16.0, 30.0]);
            println!("h = {dx}, theta = {theta}: {error:+.5}");
            assert!((error / expected - 1.0f64).abs() < 0.1, "h = {dx}, theta = {theta}: {error:+.5}");
        }
    }
}

/// Spec 06: doubling D multiplies the speed by the root of 2 when h and dt are scaled accordingly: in units of its
/// width nothing changes.
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

/// Spec 06 section 6: nor does the format of the matrices, in either scheme; the tangent is assembled straight into it.
#[test]
fn formats_of_matrices_do_not_matter() {
    let tissue = Tissue::new(&slab([6.0, 3.0, 3.0], 1.0).unwrap(), Conductivity { iso: 0.3, ani: 0.7 }).unwrap();
    let corner = Stimulus { region: Region::Box([0.0; 3], [2.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let stimuli = std::slice::from_ref(&corner);
    let run = |format: Format| {
        let settings = Settings { rtol: 1e-13, format, ..Settings::default() };
        let newton = newton::Settings { rtol: 1e-13, newton_rtol: 1e-12, format, ..newton::Settings::default() };
        let model = Model::default();
        [strang(cpu(), &tissue, model.clone(), &settings, stimuli), newton_run(cpu(), &tissue, model, &newton, stimuli)]
            .map(|mut run| {
                run.run_until(5.0).unwrap();
                run.phi()
            })
    };
    let usual = run(Settings::default().format);
    for format in Format::all() {
        if matches!(format, Format::EllWarp { variant, .. } if variant.renumbers()) {
            continue; // those multiply with a matrix of other unknowns
        }
        for (one, other) in usual.iter().zip(run(format)) {
            let apart = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-10, "{format}: {apart:e}");
        }
    }
}

/// Spec 06 section 6: r that is not negative stays so for phi from 0 to 1, by the midpoint rule and by backward Euler.
#[test]
fn recovery_never_becomes_negative() {
    let cell = AlievPanfilov::default();
    for (k, l) in (0..=20).flat_map(|k| (0..=20).map(move |l| (k, l))) {
        let (phi, r) = (0.05 * f64::from(k), 0.1 * f64::from(l) * 0.1 * f64::from(l));
        for dt in [0.25, 0.25 * UNIT] {
            let [_, implicit] = super::invariants::backward_euler(&cell, [phi, r], dt);
            let [_, explicit] = cell.advance([phi, r], 0.0, 0.5 * dt.min(1.0));
            assert!(implicit >= 0.0 && explicit >= 0.0, "phi = {phi}, r = {r}, dt = {dt}: {implicit} {explicit}");
        }
    }
}

/// Spec 09: what Crank and Nicolson's step makes of a jump stays above -0.1, because backward Euler takes it.
#[test]
fn jumps_do_not_ring() {
    let tissue = Tissue::new(&slab([8.0, 4.0, 4.0], 1.0).unwrap(), isotropic(1.0)).unwrap();
    let corner = Stimulus { region: Region::Box([0.0; 3], [3.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let mut run = strang(cpu(), &tissue, Model::default(), &Settings { dt: 0.5, ..Settings::default() }, &[corner]);
    for step in 1..=12 {
        run.run_until(0.5 * f64::from(step)).unwrap();
        let least = run.phi().into_iter().fold(f64::INFINITY, f64::min);
        assert!(least > -0.1, "{least} at {} ms", run.time());
    }
}

/// Spec 09 section 3: the Jacobi-scaled matrix of a step has no eigenvalue above 4 on tetrahedra, 2.8 where they are
/// good.
#[test]
fn eigenvalues_of_a_step_are_bounded() {
    let tissue = Tissue::new(&slab([8.0, 6.0, 5.0], 1.0).unwrap(), Conductivity { iso: 0.132, ani: 0.868 }).unwrap();
    for dt in [0.1, 0.25, 0.645, 1e3] {
        let A = Matrices::new(&tissue).unwrap().shifted(dt);
        let scaling: Vec<f64> = A.diagonal().iter().map(|a| 1.0 / a.sqrt()).collect();
        let mut x: Vec<f64> = (0..A.rows()).map(|i| if i % 2 == 0 { 1.0 } else { -0.7 }).collect();
        let mut largest = 0.0;
        for _ in 0..200 {
            let y: Vec<f64> =
                (0..A.rows()).map(|i| A.row(i).map(|(j, a)| scaling[i] * scaling[j] * a * x[j]).sum()).collect();
            let size = y.iter().map(|y| y * y).sum::<f64>().sqrt();
            largest = size / x.iter().map(|x| x * x).sum::<f64>().sqrt();
            x = y.iter().map(|y| y / size).collect();
        }
        println!("dt = {dt}: {largest}");
        assert!(largest > 1.0 && largest < 2.8, "dt = {dt}: {largest}");
    }
}

/// Spec 06: S1 along one side, S2 on a quarter of the sheet when the tail has passed its middle: a spiral stays.
/// Without S2 all is at rest.
#[test]
fn a_spiral_persists_with_s2_and_dies_without() {
    let tissue = Tissue::new(&sheet([200.0, 200.0], 2.0).unwrap(), isotropic(1.0)).unwrap();
    assert_eq!(tissue.points().len(), 101 * 101);
    let at = |region, times| Stimulus { region, action: Action::Potential(1.0), times };
    let first = at(Region::Box([0.0; 3], [6.0, 200.0, 0.0]), vec![0.0]);
    let second = at(Region::Box([0.0; 3], [100.0, 100.0, 0.0]), vec![42.5 * UNIT]);
    let model = Model::from(AlievPanfilov { alpha: 0.05, ..AlievPanfilov::default() });
    let alone = model.clone();
    let settings = Settings { dt: 0.1 * UNIT, rtol: 1e-4, ..Settings::default() };
    let mut run = strang(cpu(), &tissue, model, &settings, &[first, second]);
    run.run_until(42.5 * UNIT).unwrap();
    let saved = run.save();
    assert!(run.observe().unwrap().fraction_excited > 0.2);
    // Without S2: what was excited by S1 goes on by itself.
    let mut alone = strang(cpu(), &tissue, alone, &settings, &[]);
    assert!(alone.restore(&saved).unwrap());
    alone.run_until(60.0 * UNIT).unwrap();
    assert!(alone.observe().unwrap().largest < 0.1);
    // With it: waves pass a corner again and again, one about every 20 units.
    let corner = tissue.points().iter().position(|x| *x == [180.0, 180.0, 0.0]).unwrap();
    let (mut before, mut passed) = (1.0, Vec::new());
    for tau in (60..=110).map(f64::from) {
        run.run_until(tau * UNIT).unwrap();
        let (seen, phi) = (run.observe().unwrap(), run.phi()[corner]);
        assert!(tau < 70.0 || seen.fraction_excited > 0.2, "{seen:?}");
        if before < 0.5 && phi >= 0.5 {
            passed.push(tau);
        }
        before = phi;
    }
    println!("{passed:?}");
    let periods: Vec<f64> = passed.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // Waves turn about a tip, which the phase finds, and nowhere in tissue at rest.
    let surface = Surface::new(&tissue).unwrap();
    let tips = |run: &mut Simulation| {
        singularities(&surface, &phases(&Model::default(), &tissue, &run.phi(), &run.recovery())).len()
    };
    assert_eq!((tips(&mut run) % 2, tips(&mut alone)), (1, 0));
    assert!(!periods.is_empty() && periods.iter().all(|period| (16.0..=24.0).contains(period)), "{passed:?}");
}

/// Spec 06: by the source's scheme with steps of 0.25 units, S2 at 34 and at 38 makes a spiral, at 44 a wave that dies
/// out before 80.
#[test]
#[ignore = "takes minutes"]
fn the_window_of_s2_with_newtons_steps() {
    let tissue = Tissue::new(&sheet([200.0, 200.0], 2.0).unwrap(), isotropic(1.0)).unwrap();
    let at = |region, tau: f64| Stimulus { region, action: Action::Potential(1.0), times: vec![tau * UNIT] };
    let settings = newton::Settings { dt: 0.25 * UNIT, rtol: 1e-6, newton_rtol: 1e-6, ..newton::Settings::default() };
    for (tau, stays) in [(34.0, true), (38.0, true), (44.0, false)] {
        let first = at(Region::Box([0.0; 3], [6.0, 200.0, 0.0]), 0.0);
        let second = at(Region::Box([0.0; 3], [100.0, 100.0, 0.0]), tau);
        let model = Model::from(AlievPanfilov { alpha: 0.05, ..AlievPanfilov::default() });
        let mut run = newton_run(cpu(), &tissue, model, &settings, &[first, second]);
        run.run_until(80.0 * UNIT).unwrap();
        let seen = run.observe().unwrap();
        println!("S2 at {tau}: {seen:?}");
        assert!(if stays { seen.fraction_excited > 0.2 } else { seen.largest < 0.1 }, "S2 at {tau}: {seen:?}");
    }
}
