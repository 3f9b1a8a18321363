//! Solutions that are given drive the problem and hold in it, or are refused; what nothing drives is said.

use super::{Folder, number};

#[test]
fn an_exact_solution_that_does_not_hold_is_refused() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("--geometry car --exact plane:0.4", &["car", "panel", "annulus"][..]),
        ("--geometry square --wavenumber 5 --boundary pml:0.5:10 --exact plane:0.4", &["--boundary", "annulus"]),
        ("--geometry square --wavenumber 5 --boundary infinite:4 --exact plane:0.4", &["--boundary", "annulus"]),
        ("--geometry square --wavenumber 5 --exact plane:0.4 --speed 1+x", &["one medium", "--speed"]),
        ("--geometry square --wavenumber 5 --exact plane:0.4 --density 1+x", &["one medium", "--density"]),
        ("--geometry square --wavenumber 5 --exact plane:0.4 --source 0.5,0.5", &["--source"]),
        ("--geometry square --wavenumber 5 --exact plane:0.4 --volume 1", &["--volume"]),
        ("--geometry square --wavenumber 5 --exact plane:0.4 --wall left=rigid", &["left=exact", "left=impedance"]),
        ("--geometry square --wavenumber 5 --exact plane:0.4 --wall left=soft", &["left=exact"]),
        ("--geometry annulus --wavenumber 2 --exact plane:0.4", &["comes in", "multipole", "outer=exact"]),
        ("--geometry annulus --wavenumber 2 --exact point:5,0", &["comes in", "inside"]),
        ("--geometry square --wavenumber 5 --exact duct:1", &["--geometry duct"]),
        ("--geometry duct --wavenumber 5 --exact duct:1 --wall left=exact", &["--wall left", "leave it out"]),
        ("--geometry duct --wavenumber 5 --exact duct:1 --boundary pml:0.5:9", &["--boundary"]),
        ("--geometry strip --wavenumber 5 --exact plane:0.4", &["one dimension", "plane:0"]),
        ("--geometry strip --wavenumber 5 --exact plane:0 --gls 0:wall", &["--gls 0:wall", "ANGLE:walls"]),
        ("--geometry annulus --wavenumber 2 --scatter hard --wall inner=soft", &["--wall inner", "--scatter"]),
        ("--geometry annulus --wavenumber 2 --scatter hard --speed 2-x/9", &["one medium", "--source"]),
        ("--geometry annulus --wavenumber 2 --exact multipole:1 --boundary pml:0.5:9 --wall outer=exact", &["layer"]),
    ] {
        folder.run(&format!("helmholtz --quiet {arguments}")).fails_saying(words);
    }
}

#[test]
fn data_follow_from_the_exact_solution_on_every_wall() {
    let folder = Folder::new();
    for line in [
        "--geometry square --cells 8 --degree 4 --exact plane:0.4 --boundary impedance",
        "--geometry square --cells 8 --degree 4 --exact plane:0.4 --wall left=exact --wall top=impedance:0.3",
        "--geometry annulus --cells 4 --degree 5 --exact plane:0.4 --wall outer=exact",
        "--geometry annulus --cells 4 --degree 5 --exact point:0.3,0.2 --boundary infinite:6",
    ] {
        let report = folder.run(&format!("helmholtz {line} --wavenumber 4 --json - -q")).exits(0).report();
        assert!(number(&report, "l2_error") < 1e-4, "{line}: {}", report["l2_error"]);
    }
    // sources add to what an obstacle scatters, so that the series is not the solution
    let both = "helmholtz --geometry annulus --wavenumber 2 --scatter hard --source 1.5,0 --json - -q";
    assert!(folder.run(both).exits(0).report()["l2_error"].is_null());
}

#[test]
fn a_field_that_nothing_drives_is_said() {
    let folder = Folder::new();
    for line in [
        "--geometry square --wavenumber 5",
        "--geometry car --cells 6 --frequency 50 --boundary bgt1 --wall panel=rigid",
    ] {
        let ran = folder.run(&format!("helmholtz {line} --json -")).exits(0);
        assert!(ran.stderr.contains("nothing drives the field") && ran.stderr.contains("velocity:V"), "{}", ran.stderr);
    }
    let driven = folder.run("helmholtz --geometry square --wavenumber 5 --wall left=velocity:1 --json -").exits(0);
    assert!(!driven.stderr.contains("nothing drives"), "{}", driven.stderr);
    let cases = "helmholtz --geometry square --wavenumber 5 --case walls --case source:0.5,0.5 --json -";
    assert!(folder.run(cases).exits(0).stderr.contains("--case walls: nothing drives"));
}

/// Modes that go, one that is cut off and one that decays; the rows of one dimension.
#[test]
fn rows_of_ducts_and_strips_are_single_commands() {
    let folder = Folder::new();
    for (k, mode) in [("5", 0), ("5", 1), ("9", 2), ("2", 1), ("3.141592653589793", 1)] {
        let line = format!("--geometry duct --cells 4 --degree 6 --wavenumber {k} --exact duct:{mode}");
        let report = folder.run(&format!("helmholtz {line} --json - -q")).exits(0).report();
        let errors = ["l2_error", "h1_error"].map(|name| number(&report, name));
        assert!(errors[0] < 2e-6 && errors[1] < 5e-5, "{line}: {errors:?}");
    }
    let strip = "helmholtz --geometry strip --cells 20 --degree 1 --wavenumber 30 --exact plane:0 --json - -q";
    let nodal = |how: &str| number(&folder.run(&format!("{strip} {how}")).exits(0).report(), "nodal_error");
    assert!((nodal("") - 1.85).abs() < 0.005, "{}", nodal(""));
    assert!((nodal("--gls 0") - 3.7e-2).abs() < 5e-4, "{}", nodal("--gls 0"));
    assert!(nodal("--gls 0:walls") < 1e-12, "{:e}", nodal("--gls 0:walls"));
}
