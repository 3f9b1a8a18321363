//! Speeds of planar fronts against the exact one (spec 06 section 5, spec 09).

use super::*;
use galerkit_fem::cardiac::Region;
use galerkit_fem::cardiac::cell::UNIT;
use galerkit_fem::cardiac::geometry::{cable, slab};
use galerkit_fem::cardiac::stimulus::Action;

#[test]
fn strang_has_the_exact_speed_on_a_cable() {
    for (dx, dt, expected, within) in [(0.25, 0.25, 0.0, 1e-4), (0.25, 0.645, -3e-4, 1e-4), (1.0, 0.25, -1e-4, 3e-4)] {
        let tissue = Tissue::new(&cable(80.0, dx).unwrap(), isotropic(1.0)).unwrap();
        let error = strang_speed(cpu(), &tissue, without_recovery(), dt, [30.0, 60.0]) - 1.0;
        println!("h = {dx}, dt = {dt}: {error:+.5}");
        assert!((error - expected).abs() < within, "h = {dx}, dt = {dt}: {error:+.5}");
    }
}

#[test]
fn strang_has_the_exact_speed_in_a_slab() {
    for (dx, expected) in [(1.0, -1e-4), (2.0, -6e-4)] {
        let tissue = Tissue::new(&slab([40.0, 2.0, 2.0], dx).unwrap(), isotropic(1.0)).unwrap();
        let error = strang_speed(cpu(), &tissue, without_recovery(), 0.25, [16.0, 30.0]) - 1.0;
        println!("h = {dx}: {error:+.5}");
        assert!((error - expected).abs() < 2e-4, "h = {dx}: {error:+.5}");
    }
}

/// Spec 06 section 5: fibres along the way of the front change nothing, across it the speed falls by the root of the
/// ratio.
#[test]
fn fibres_in_a_slab_direct_the_front() {
    let mesh = slab([40.0, 2.0, 2.0], 1.0).unwrap();
    let half = Conductivity { iso: 0.5, ani: 0.5 };
    let speed_of = |fibre: [f64; 3]| {
        let tissue = Tissue::new(&mesh, half).unwrap();
        let fibres = vec![fibre; tissue.elements()];
        let tissue = tissue.with_fibres(fibres).unwrap();
        let along = 0.5 + 0.5 * fibre[0] * fibre[0];
        strang_speed(cpu(), &tissue, without_recovery(), 0.25, [15.0, 30.0]) * along.sqrt()
    };
    let (along, across) = (speed_of([1.0, 0.0, 0.0]), speed_of([0.0, 1.0, 0.0]));
    assert!((along - 1.0).abs() < 1e-3, "{along}");
    assert!((across / along - 0.5f64.sqrt()).abs() < 2e-3, "{}", across / along);
}

/// The full model is less than 0.2 % slower.
#[test]
fn recovery_hardly_slows_the_front() {
    let tissue = Tissue::new(&cable(80.0, 0.5).unwrap(), isotropic(1.0)).unwrap();
    let [without, with] =
        [without_recovery(), Model::default()].map(|model| strang_speed(cpu(), &tissue, model, 0.25, [30.0, 60.0]));
    assert!(with < without && with > 0.998 * without, "{with} {without}");
}

/// Spec 09's AP-slab: the far corner is reached at 42.20 ms at dx 1/2 mm, dt 0.1 ms.
#[test]
fn the_slab_of_the_benchmark() {
    let tissue = Tissue::new(&slab([20.0, 7.0, 3.0], 0.5).unwrap(), Conductivity { iso: 0.132, ani: 0.868 }).unwrap();
    let corner = Stimulus { region: Region::Box([0.0; 3], [3.0; 3]), action: Action::Potential(1.0), times: vec![0.0] };
    let mut run = strang(cpu(), &tissue, Model::default(), &Settings { dt: 0.1, ..Settings::default() }, &[corner]);
    run.run_until(46.0).unwrap();
    let up = &run.times()[0];
    let far = tissue.points().iter().position(|x| *x == [20.0, 7.0, 3.0]).unwrap();
    println!("P8 = {:.3}, {:?}", up[far], run.counts());
    assert!((up[far] - 42.20).abs() < 0.01, "{}", up[far]);
}

/// Spec 06 section 5: backward Euler and the one-point rule make the front faster, by these errors.
#[test]
fn newton_is_faster_by_as_much_as_is_known() {
    let error = |dx: f64, dt: f64, model: Model| {
        let tissue = Tissue::new(&cable(80.0, dx).unwrap(), isotropic(1.0)).unwrap();
        newton_speed(&tissue, model, UNIT * dt, [30.0, 60.0]) - 1.0
    };
    let rows = [(2.0, 0.005, 2.96e-2), (1.0, 0.005, 1.06e-2), (0.5, 0.005, 6.2e-3)];
    let columns = [(0.5, 0.08, 8.63e-2), (0.5, 0.04, 4.17e-2), (0.5, 0.02, 2.11e-2)];
    let found: Vec<f64> = rows
        .into_iter()
        .chain(columns)
        .map(|(dx, dt, expected)| {
            let found = error(dx, dt, without_recovery());
            println!("h = {dx}, dt = {dt}: {found:+.5}");
            assert!((found - expected).abs() < 1e-4, "h = {dx}, dt = {dt}: {found:+.5}");
            found
        })
        .collect();
    // Linear in dt and quadratic in h: without either the speed is exact within 1e-3.
    let without_h = found[2] - (found[1] - found[2]) / 3.0;
    let without_both = without_h - 0.005 * (found[5] - found[2]) / 0.015;
    assert!(without_both.abs() < 1e-3, "{without_both:+.5}");
    // With recovery it is less than 0.2 % slower at the same h and dt.
    let slower = error(0.5, 0.02, Model::default());
    assert!(slower < found[5] && slower > found[5] - 2e-3, "{slower:+.5}");
}

/// The slab of spec 06: 7.2012 mm a unit of time at dt = 0.02, and 0.710 of that across fibres of half the
/// conductivity.
#[test]
fn newton_in_a_slab() {
    let mesh = slab([40.0, 2.0, 2.0], 1.0).unwrap();
    let tissue = Tissue::new(&mesh, isotropic(1.0)).unwrap();
    assert_eq!((tissue.points().len(), tissue.elements()), (369, 960));
    let exact = Front::new(&AlievPanfilov::default(), 1.0).speed;
    let along = newton_speed(&tissue, Model::default(), UNIT * 0.02, [15.0, 30.0]) * exact * UNIT;
    println!("{along}");
    assert!((along - 7.2012).abs() < 2e-4, "{along}");
    let fibred = |fibre: [f64; 3]| {
        let tissue = Tissue::new(&mesh, Conductivity { iso: 0.5, ani: 0.5 }).unwrap().with_fibre(fibre).unwrap();
        let share = (0.5 + 0.5 * fibre[0] * fibre[0]).sqrt();
        newton_speed(&tissue, Model::default(), UNIT * 0.02, [15.0, 30.0]) * exact * UNIT * share
    };
    let same = fibred([1.0, 0.0, 0.0]);
    assert!((same / along - 1.0).abs() < 1e-3, "{same} {along}");
    let across = fibred([0.0, 1.0, 0.0]);
    println!("{}", across / along);
    assert!((across / along - 0.710).abs() < 5e-4, "{}", across / along);
}
