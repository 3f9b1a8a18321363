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
