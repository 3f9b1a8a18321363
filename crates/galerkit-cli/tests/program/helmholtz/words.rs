//! What is said of bad values, endings of files, k near 0 and near a resonance.

use super::Folder;

#[test]
fn negative_values_reach_their_own_check() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("--geometry square --wavenumber 1 --rtol -1e-8 --exact plane:0", &["tolerance"][..]),
        ("--geometry annulus --wavenumber 1 --outer -2", &["--outer -2", "larger than 1"]),
        ("--geometry car --car -2,1,1", &["car"]),
        ("--geometry car --sweep -50:50:5", &["--sweep -50:50:5", "0 < A"]),
        ("--geometry square --wavenumber 1 --max-iterations -5", &["-5", "max-iterations"]),
    ] {
        let error = folder.run(&format!("helmholtz --quiet {arguments}")).fails_saying(words).stderr;
        assert!(!error.contains("unexpected argument"), "{error}");
    }
}

#[test]
fn files_of_another_kind_than_their_name_says_are_refused() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("--png x.jpg", &["--png x.jpg", ".png"][..]),
        ("--gif x.mp4", &["--gif x.mp4", ".gif or .png"]),
        ("--vtu x.vtk", &["--vtu x.vtk", ".vtu"]),
        ("--sweep 50:60:5 --plot x.txt", &["--plot x.txt", ".svg"]),
    ] {
        folder.run(&format!("helmholtz --geometry car --cells 6 -q {arguments}")).fails_saying(words);
    }
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

const RIGID: &str = "--wall left=rigid --wall right=rigid --wall bottom=rigid --wall top=rigid --source 0.3,0.2";

#[test]
fn iterations_that_fail_near_a_resonance_say_that_it_may_be_one() {
    let folder = Folder::new();
    let k = std::f64::consts::PI * std::f64::consts::SQRT_2;
    let square = format!("helmholtz --geometry square --cells 3 --degree 8 --wavenumber {k} {RIGID}");
    let ran = folder.run(&format!("{square} --method gmres --precond none --max-iterations 200")).exits(1);
    assert!(ran.stderr.contains("near a resonance") || ran.stderr.contains("close to a resonance"), "{}", ran.stderr);
    let lossy =
        folder.run("helmholtz --geometry square --wavenumber 9 --source 0.3,0.2 --method gmres --max-iterations 2");
    assert!(!lossy.exits(1).stderr.contains("resonance"));
}

#[test]
fn a_k_of_nearly_nothing_is_no_resonance() {
    let folder = Folder::new();
    for walls in [RIGID, "--source 0.3,0.2"] {
        let ran = folder.run(&format!("helmholtz --geometry square --cells 4 --wavenumber 1e-12 {walls}"));
        assert!(ran.stderr.contains("constants") && !ran.stderr.contains("resonance"), "{}", ran.stderr);
    }
    let laplace = "helmholtz --geometry square --cells 4 --wavenumber 0 --wall left=soft:1 --wall right=soft";
    assert!(!folder.run(laplace).exits(0).stdout.contains("inf"));
}
