//! `galerkit helmholtz` as a user runs it: tables of the specification, methods, sweeps, files, errors that name the
//! fix.

mod exact;
mod media;
mod precision;
mod words;

use super::Folder;
use super::mesh::data;

fn number(report: &serde_json::Value, name: &str) -> f64 {
    report[name].as_f64().unwrap_or_else(|| panic!("no {name} in {report}"))
}

#[track_caller]
fn agrees(found: f64, printed: f64) {
    assert!((found / printed - 1.0).abs() < 1e-3, "{found:e} where {printed:e} is printed");
}

const SQUARE: &str = "helmholtz --geometry square --cells 16 --exact plane:0.4 --json - -q";

#[test]
fn rows_of_the_table_are_commands() {
    let folder = Folder::new();
    let report = folder.run(&format!("{SQUARE} --degree 2 --wavenumber 10 --probe 0.5,0.25")).exits(0).report();
    agrees(number(&report, "l2_error"), 1.151e-3);
    agrees(number(&report, "h1_error"), 1.137e-2);
    assert_eq!(report["unknowns"], 33 * 33);
    assert!(number(&report, "true_residual") < 1e-8);
    let [re, im] = [0, 1].map(|i| report["probes"][0]["pressure"][i].as_f64().unwrap());
    let phase = 10.0 * (0.5 * 0.4f64.cos() + 0.25 * 0.4f64.sin());
    assert!((re - phase.cos()).hypot(im - phase.sin()) < 3e-3);
    let report =
        folder.run("helmholtz --geometry cube --cells 4 --degree 2 --wavenumber 5 --exact plane:1,2,2 --json - -q");
    agrees(number(&report.exits(0).report(), "h1_error"), 2.453e-2);
}

#[test]
fn orthodir_takes_as_many_steps_as_the_specification_says() {
    let folder = Folder::new();
    for (k, counts) in [(5, [65, 150, 85]), (10, [72, 159, 100])] {
        for (restart, expected) in [200, 20, 50].into_iter().zip(counts) {
            let line =
                format!("{SQUARE} --degree 1 --wavenumber {k} --method orthodir:{restart} --precond none --rtol 1e-8");
            let found = number(&folder.run(&line).exits(0).report(), "iterations");
            let share = if restart == 200 { 0.02 } else { 0.05 };
            let most = (share * f64::from(expected)).max(1.0);
            assert!((found - f64::from(expected)).abs() <= most, "k = {k}, m = {restart}: {found} for {expected}");
        }
    }
}

#[test]
fn methods_and_preconditioners_agree() {
    let folder = Folder::new();
    let line = format!("{SQUARE} --degree 2 --wavenumber 10 --rtol 1e-9");
    let direct = number(&folder.run(&format!("{line} --method lu")).exits(0).report(), "l2_error");
    for how in [
        "--method gmres:60 --precond shifted",
        "--method bicgstab --precond shifted:0.5:ilu:1",
        "--method idr:4 --precond ilu0",
        "--method gmres:60 --precond ilu0 --precision hybrid",
        "--device reference --method gmres:100 --precond shifted",
        "--precond shifted:0.5:amg",
        "--precond shifted:0.5:multigrid",
        "--operator matrix-free --precond shifted:0.5:multigrid",
        "--operator matrix-free --method gmres:100 --precond jacobi",
        "--operator matrix-free",
    ] {
        let report = folder.run(&format!("{line} {how}")).exits(0).report();
        assert!((number(&report, "l2_error") / direct - 1.0).abs() < 1e-5, "{how}");
        assert!(number(&report, "iterations") >= 1.0 && report["solver"]["method"] != "lu", "{how}");
    }
    folder.run(&format!("{line} --method cg")).fails_saying(&["cg", "Hermitian"]);
    let single = folder
        .run(&format!("{SQUARE} --wavenumber 10 --precision f32 --method orthodir:50 --precond none --rtol 1e-6"));
    assert!(number(&single.exits(0).report(), "true_residual") <= 1e-6);
    let single = folder.run(&format!("{SQUARE} --wavenumber 5 --precision f32 --method orthodir:50 --rtol 1e-9"));
    assert_eq!(single.exits(1).report()["converged"], false);
}

#[test]
fn exteriors_are_truncated_in_every_way() {
    let folder = Folder::new();
    let line =
        "helmholtz --geometry annulus --cells 3 --degree 5 --wavenumber 4 --exact multipole:1 --json - -q --boundary";
    let error = |boundary: &str| number(&folder.run(&format!("{line} {boundary}")).exits(0).report(), "l2_error");
    let errors = ["impedance", "bgt1", "bgt2", "infinite:4"].map(error);
    assert!((errors[0] / 4.34e-2 - 1.0).abs() < 0.02 && (errors[1] / 3.84e-3 - 1.0).abs() < 0.05, "{errors:?}");
    assert!(errors[2] < 1e-4 && errors[3] < 3e-4, "{errors:?}");
    assert!(error("pml:0.5:12") < 1e-3);
    let scattered = folder.run(
        "helmholtz --geometry annulus --cells 3 --degree 4 --wavenumber 3 --scatter hard --boundary infinite:5 --json - -q",
    );
    assert!(number(&scattered.exits(0).report(), "l2_error") < 3e-3);
}

#[test]
fn sweeps_are_the_single_frequencies() {
    let folder = Folder::new();
    let car = "helmholtz --geometry car --cells 5 -q --json";
    folder.run(&format!("{car} sweep.json --sweep 40:60:10 --plot r.svg --csv r.csv")).exits(0);
    let sweep = folder.json("sweep.json");
    assert_eq!(sweep["sweep"].as_array().unwrap().len(), 3);
    assert!(folder.read("r.svg").contains("response at listening points") && folder.read("r.csv").lines().count() == 7);
    for (number, frequency) in [40, 50, 60].into_iter().enumerate() {
        let one = folder.run(&format!("{car} - --frequency {frequency}")).exits(0).report();
        let level = |report: &serde_json::Value| report["probes"][0]["level"].as_f64().unwrap();
        assert!((level(&one) - level(&sweep["sweep"][number])).abs() < 1e-5, "{frequency} Hz");
        assert!((40.0..130.0).contains(&level(&one)));
    }
    let iterated = format!("{car} - --sweep 40:60:10 --method gmres:60 --precond ilu0");
    let iterated = folder.run(&iterated).exits(0).report();
    let level = |report: &serde_json::Value| report["sweep"][2]["probes"][1]["level"].as_f64().unwrap();
    assert!((level(&iterated) - level(&sweep)).abs() < 1e-3);
}

#[test]
fn right_hand_sides_of_one_k_are_solved_together() {
    let folder = Folder::new();
    let (near, far) = ("source:0.2,0.5:2", "source:0.7,0.4");
    let line = "helmholtz --geometry square --cells 6 --degree 2 --wavenumber 7 --probe 0.7,0.4 --json - -q";
    for how in ["", "--method gmres:60 --precond jacobi", "--method gmres:60 --precond shifted"] {
        let many = folder.run(&format!("{line} {how} --case {near} --case {far} --case walls --source 0.7,0.4"));
        let many = many.exits(0).report();
        assert_eq!((many["cases"].as_array().unwrap().len(), &many["cases"][0]["case"]), (3, &near.into()));
        let at = |report: &serde_json::Value| [0, 1].map(|i| report["probes"][0]["pressure"][i].as_f64().unwrap());
        for (number, source) in ["0.2,0.5:2", "0.7,0.4", "0.7,0.4"].into_iter().enumerate() {
            let [one, [re, im]] = [
                at(&folder.run(&format!("{line} --method lu --source {source}")).exits(0).report()),
                at(&many["cases"][number]),
            ];
            assert!((one[0] - re).hypot(one[1] - im) < 1e-6 * one[0].hypot(one[1]), "{how} {source}");
        }
    }
    let shared = folder.run(&format!("{line} --method gmres:60 --precond jacobi --case {near} --case {far}"));
    let reason = shared.exits(0).report()["solver"]["method_reason"].as_str().unwrap().to_string();
    assert!(reason.contains("share each pass"), "{reason}");
    let ring = "helmholtz --geometry annulus --cells 3 --degree 4 --wavenumber 3 --boundary infinite:5 --json - -q --scatter soft";
    let ring = folder.run(&format!("{ring} --case incident:0 --case incident:-1,2")).exits(0).report();
    let error = |number: usize| ring["cases"][number]["l2_error"].as_f64().unwrap();
    assert!(error(0) < 3e-3 && error(1) < 3e-3, "{ring}");
}

#[test]
fn sweeps_of_several_cases_begin_with_the_last_answers() {
    let folder = Folder::new();
    let line =
        "helmholtz --geometry car --cells 4 -q --json - --sweep 60:60.00001:0.00001 --case walls --case source:0.3,0.3";
    for (how, shares) in [("bicgstab --precond jacobi --rtol 1e-4", true), ("gmres:60 --precond shifted", false)] {
        let report = folder.run(&format!("{line} --method {how}")).exits(0).report();
        let count = |number: usize| report["sweep"][number]["iterations"].as_u64().unwrap();
        assert!((0..2).all(|case| 2 * count(2 + case) < count(case)), "{how}: {:?}", [0, 1, 2, 3].map(count));
        let reason = report["solver"]["method_reason"].as_str().unwrap_or_default().to_string();
        assert!(!shares || reason.contains("share each pass"), "{how}: {reason}");
    }
}

/// The operator and the shifted matrix stay loaded: each k must have its own values, whatever preconditions.
#[test]
fn sweeps_with_the_shifted_laplacian_are_the_single_frequencies() {
    let folder = Folder::new();
    let car = "helmholtz --geometry car --cells 5 --degree 4 -q --json - --method gmres:60";
    let pressure = |report: &serde_json::Value| [0, 1].map(|i| report["probes"][0]["pressure"][i].as_f64().unwrap());
    for how in ["shifted:0.5:ilu0", "shifted:0.2:multigrid:2", "shifted:0.2:multigrid:2 --precision hybrid"] {
        let sweep = folder.run(&format!("{car} --precond {how} --sweep 40:160:60")).exits(0).report();
        let single = folder.run(&format!("{car} --precond {how} --frequency 160")).exits(0).report();
        let (swept, [re, im]) = (pressure(&sweep["sweep"][2]), pressure(&single));
        assert!((swept[0] - re).hypot(swept[1] - im) < 1e-6 * re.hypot(im), "{how}");
        let count = |report: &serde_json::Value| report["iterations"].as_u64().unwrap();
        let [many, one] = [count(&sweep["sweep"][2]), count(&single)];
        assert!(many <= one + 2, "{how}: {many} iterations from the last answer, {one} from 0");
    }
}

#[test]
fn sweeps_have_an_entry_for_each_case() {
    let folder = Folder::new();
    let line = "helmholtz --geometry car --cells 5 -q --json - --sweep 40:50:10 --case walls --case source:0,0 --csv r.csv --plot r.svg";
    let report = folder.run(line).exits(0).report();
    let cases: Vec<&str> = (0..4).map(|i| report["sweep"][i]["case"].as_str().unwrap()).collect();
    assert_eq!(cases, ["walls", "source:0,0", "walls", "source:0,0"]);
    assert_eq!(folder.read("r.csv").lines().count(), 1 + 2 * 2 * 2);
    let one = folder.run("helmholtz --geometry car --cells 5 -q --json - --frequency 50").exits(0).report();
    let level = |report: &serde_json::Value| report["probes"][0]["level"].as_f64().unwrap();
    assert!((level(&one) - level(&report["sweep"][2])).abs() < 1e-5);
}

#[test]
fn the_car_is_drawn_in_the_plane_and_in_space() {
    let folder = Folder::new();
    folder
        .run("helmholtz --geometry car --cells 5 --frequency 60 --gif w.gif --vtu p.vtu --png l.png --show phase -q")
        .exits(0);
    assert!(std::fs::read(folder.path().join("w.gif")).unwrap().starts_with(b"GIF89a"));
    assert!(std::fs::read(folder.path().join("p.vtu")).unwrap().windows(11).any(|word| word == b"level in dB"));
    let line = "helmholtz --geometry car --dimension 3 --cells 4 --degree 1 --frequency 50 --boundary bgt1 --png 3.png --json - -q";
    let report = folder.run(line).exits(0).report();
    assert_eq!(report["dimension"], 3);
    assert!(number(&report, "cells_per_wavelength") > 8.0);
}

#[test]
fn laplace_resonance_and_losses_are_said() {
    let folder = Folder::new();
    let laplace = folder.run("helmholtz --geometry square --cells 4 --wavenumber 0 --wall left=soft:1 --wall right=soft --probe 0.25,0.5 --json -");
    let laplace = laplace.exits(0);
    assert!(laplace.stderr.contains("Laplace"), "{}", laplace.stderr);
    assert!((laplace.report()["probes"][0]["pressure"][0].as_f64().unwrap() - 0.75).abs() < 1e-9);
    folder.run("helmholtz --geometry square --cells 4 --wavenumber 0").fails_saying(&["Laplace", "--wall"]);
    // k^2 = pi^2 (1 + 1) is an eigenvalue of the rigid square; by degree 8 it is met to ten digits
    let rigid = "--wall left=rigid --wall right=rigid --wall bottom=rigid --wall top=rigid --source 0.3,0.2";
    let k = std::f64::consts::PI * std::f64::consts::SQRT_2;
    let ran = folder.run(&format!("helmholtz --geometry square --cells 3 --degree 8 --wavenumber {k} {rigid}"));
    assert!(ran.code < 2 && ran.stderr.contains("condition number is at least"), "{}", ran.stderr);
    let lossy = folder.run(&format!("helmholtz --geometry square --cells 3 --degree 8 --wavenumber {k}+0.2i {rigid}"));
    assert!(!lossy.exits(0).stderr.contains("condition number"));
}

#[test]
fn bad_input_is_refused_by_name() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("--geometry sphere --wavenumber 1", &["sphere", "annulus"][..]),
        ("--geometry square", &["which k"]),
        ("--geometry square --wavenumber -1", &["--wavenumber -1"]),
        ("--geometry square --wavenumber 100 --cells 4", &["cells a wavelength", "--force"]),
        ("--geometry square --wavenumber 1 --cells 0", &["--cells 0"]),
        ("--geometry square --wavenumber 1 --degree 11", &["--degree 11"]),
        ("--geometry square --wavenumber 1 --simplices --degree 5", &["1 to 4"]),
        ("--geometry square --wavenumber 1 --exact plane", &["plane:THETA"]),
        ("--geometry square --wavenumber 1 --exact plane:0,0,0", &["direction"]),
        ("--geometry square --wavenumber 1 --exact point:0.5,0.5", &["singular", "outside"]),
        ("--geometry square --wavenumber 1 --exact multipole:0", &["singular"]),
        ("--geometry square --wavenumber 1 --wall roof=soft", &["roof", "left (1)"]),
        ("--geometry square --wavenumber 1 --wall left=hot", &["--wall", "rigid"]),
        ("--geometry square --wavenumber 1 --source 2,2", &["outside"]),
        ("--geometry square --wavenumber 1 --boundary bgt2", &["circle"]),
        ("--geometry square --wavenumber 1 --density -1", &["density", "positive"]),
        ("--geometry square --wavenumber 1 --gls --degree 2", &["--gls"]),
        ("--geometry annulus --wavenumber 1 --cells 4 --boundary pml:0.1:20", &["thinner than a cell"]),
        ("--geometry annulus --wavenumber 1 --boundary pml:0:20", &["pml:0.5:20"]),
        ("--geometry annulus --wavenumber 1 --boundary infinite:9", &["1 to 8"]),
        ("--geometry annulus --wavenumber 1 --outer 0.5", &["--outer"]),
        ("--geometry square --wavenumber 1 --scatter soft", &["--scatter"]),
        ("--geometry square --wavenumber 1 --case incident:0", &["--scatter"]),
        ("--geometry square --wavenumber 1 --case noise", &["source:x,y"]),
        ("--geometry square --wavenumber 1 --case walls --exact plane:0", &["--case"]),
        ("--geometry car --car 2,1", &["--car"]),
        ("--geometry car --dimension 4", &["--dimension 4"]),
        ("--geometry car --sweep 50:40:5", &["--sweep"]),
        ("--geometry square --wavenumber 1 --precond shifted:x", &["shifted:S"]),
        ("--geometry square --wavenumber 1 --precond shifted --method lu", &["iterations"]),
        ("--geometry square --wavenumber 1 --precond shifted:0.5:chebyshev:3", &["multigrid"]),
        ("--geometry square --wavenumber 1 --operator matrix-free --method lu", &["--operator assembled"]),
        ("--geometry square --wavenumber 1 --operator matrix-free --precond ilu0", &["jacobi or shifted"]),
        ("--geometry square --wavenumber 1 --operator matrix-free --simplices", &["quadrilaterals"]),
        ("--mesh missing.msh --wavenumber 1", &["missing.msh"]),
    ] {
        folder.run(&format!("helmholtz --quiet {arguments}")).fails_saying(words);
    }
}

#[test]
fn acoustic_meshes_of_others_run() {
    let folder = Folder::new();
    for (name, k) in [
        ("citroen_2d.msh.gz", "0.02"),
        ("helmholtz_apartment.vtk.gz", "1"),
        ("horn.msh.gz", "0.5"),
        ("rijke_tube_3d.msh.gz", "20"),
        ("acoustics_mesh3d.mesh.gz", "100"),
    ] {
        let Some(path) = data(&format!("meshes_acoustics/{name}")) else { continue };
        let line = format!("helmholtz --mesh {path} --wavenumber {k} --exact plane:1,0,0 --json - -q");
        let report = folder.run(&line).exits(0).report();
        assert!(number(&report, "l2_error") < 0.05, "{name}");
    }
}

/// It named a piece that the mesh does not have, at a frequency too high for it.
#[test]
fn the_horn_of_the_documentation_runs() {
    let documentation = include_str!("../../../../docs/acoustics.md");
    let line = documentation.lines().find(|line| line.contains("--mesh horn.msh.gz")).unwrap();
    let Some(path) = data("meshes_acoustics/horn.msh.gz") else { return };
    let folder = Folder::new();
    let ran = folder.run(&line.replace("galerkit ", "").replace("horn.msh.gz", &path)).exits(0);
    assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["p.png"]);
}
