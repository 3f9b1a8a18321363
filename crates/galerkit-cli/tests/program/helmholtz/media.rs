//! Density and wave speed: a uniform medium is a change of k, and data keep their meaning in it.

use super::{Folder, number};

/// Real and imaginary part of the pressure at the first probe.
fn heard(folder: &Folder, line: &str) -> [f64; 2] {
    let report = folder.run(&format!("helmholtz {line} --json - -q")).exits(0).report();
    [0, 1].map(|i| report["probes"][0]["pressure"][i].as_f64().unwrap())
}

#[track_caller]
fn agree(found: [f64; 2], expected: [f64; 2], tolerance: f64) {
    let size = expected[0].hypot(expected[1]);
    let miss = (found[0] - expected[0]).hypot(found[1] - expected[1]);
    assert!(miss <= tolerance * size, "{found:?} for {expected:?}");
}

#[test]
fn a_layer_around_the_car_leaves_its_cabin_alone() {
    let folder = Folder::new();
    let car = "--geometry car --cells 8 --degree 4 --frequency 200 --boundary";
    let expected = heard(&folder, &format!("{car} infinite:6"));
    agree(heard(&folder, &format!("{car} pml:0.5:12")), expected, 1e-4);
}

#[test]
fn truncations_know_the_medium() {
    let folder = Folder::new();
    let ring = "--geometry annulus --cells 3 --degree 5 --probe 1.5,0.3";
    for boundary in ["impedance", "bgt1", "bgt2", "pml:0.5:12", "infinite:4"] {
        let line = format!("{ring} --boundary {boundary} --wall inner=velocity:1");
        let expected = heard(&folder, &format!("{line} --wavenumber 2"));
        agree(heard(&folder, &format!("{line} --wavenumber 4 --speed 2")), expected, 1e-8);
        agree(heard(&folder, &format!("{line} --wavenumber 2 --density 3")), expected, 1e-8);
    }
    let varying = format!("helmholtz -q {ring} --wavenumber 2 --speed 2+x --boundary");
    folder.run(&format!("{varying} infinite:3")).fails_saying(&["the wave speed", "the same along the boundary"]);
    folder.run(&format!("{varying} bgt1")).exits(0);
}

#[test]
fn the_panel_of_the_car_moves_denser_air() {
    let folder = Folder::new();
    let car = "--geometry car --cells 6 --frequency 90";
    let [re, im] = heard(&folder, car);
    agree(heard(&folder, &format!("{car} --density 2")), [2.0 * re, 2.0 * im], 1e-8);
    // the same k / c, and a panel that shakes faster by as much
    let faster = heard(&folder, "--geometry car --cells 6 --frequency 135 --speed 1.5");
    agree(faster, [1.5 * re, 1.5 * im], 1e-8);
}

#[test]
fn waves_in_closed_form_are_those_of_the_medium() {
    let folder = Folder::new();
    for line in [
        "--geometry square --cells 8 --degree 5 --exact plane:0.4 --wavenumber 4 --density 2",
        "--geometry square --cells 8 --degree 5 --exact plane:0.4 --wavenumber 8 --speed 2 --density 0.5",
        "--geometry square --cells 16 --gls --exact plane:0.4 --wavenumber 4 --speed 4",
        "--geometry annulus --cells 3 --degree 5 --exact multipole:1 --wavenumber 8 --speed 2 --boundary infinite:4",
        "--geometry annulus --cells 3 --degree 5 --scatter hard --wavenumber 4 --density 3 --boundary infinite:6",
        "--geometry annulus --cells 3 --degree 5 --scatter soft --wavenumber 8 --speed 2 --boundary infinite:6",
    ] {
        let report = folder.run(&format!("helmholtz {line} --json - -q")).exits(0).report();
        assert!(number(&report, "l2_error") < 3e-3, "{line}: {}", report["l2_error"]);
    }
}
