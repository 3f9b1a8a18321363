//! `galerkit tumour`: reports, files, runs that go on, and what is refused.

use super::Folder;
use serde_json::Value;

const SMALL: &str = "tumour --elements 12 --days 10 --dt 0.5 --quiet";

fn numbers(report: &Value, name: &str) -> Vec<f64> {
    let list = report[name].as_array().unwrap_or_else(|| panic!("{name} in {report}"));
    list.iter().map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn without_arguments_there_is_a_film_in_a_folder() {
    let folder = Folder::new();
    let said = folder.run("tumour").exits(0).stdout;
    assert!(said.contains("80 x 80") && said.contains("180 days in 360 steps"), "{said}");
    let film = std::fs::read(folder.path().join("results/tumour/growth.png")).unwrap();
    assert!(film.starts_with(b"\x89PNG") && film.windows(4).filter(|name| name == b"fcTL").count() == 46);
    let report = folder.json("results/tumour/report.json");
    let (mass, radius) = (numbers(&report, "mass"), numbers(&report, "radius"));
    assert_eq!((mass.len(), radius.len(), report["iterations"].as_array().unwrap().len()), (361, 361, 360));
    assert!((mass[360] / mass[0] - (0.012f64 * 180.0).exp()).abs() < 1e-3 && radius[360] > radius[0]);
    assert!(folder.read("results/tumour/measured.svg").contains("</svg>"));
    assert_eq!(folder.read("results/tumour/measured.csv").lines().count(), 362);
}

#[test]
fn the_mass_grows_by_its_law_with_every_solver() {
    let folder = Folder::new();
    let g = (3.0 + 3f64.sqrt()) / 6.0;
    let z: f64 = 0.012 * 0.5;
    let dirk = (1.0 + (1.0 - 2.0 * g) * z + (0.5 - 2.0 * g + g * g) * z * z) / (1.0 - g * z).powi(2);
    let mut probes = Vec::new();
    for solver in ["modal", "ilu", "host-ilu", "direct"] {
        let report =
            folder.run(&format!("{SMALL} --solver {solver} --json - --probe 3,4 --probe 9,9")).exits(0).report();
        let mass = numbers(&report, "mass");
        assert_eq!(mass.len(), 21);
        let expected = mass[0] * (1.0 - z).powi(-2) * dirk.powi(18);
        assert!((mass[20] / expected - 1.0).abs() < 1e-8, "{solver}: {} and {expected}", mass[20]);
        let iterations = numbers(&report, "iterations");
        assert_eq!(iterations.iter().all(|count| *count > 0.0), solver.contains("ilu"), "{solver}");
        assert!(report["probes"][1].is_null(), "outside of the box");
        probes.push(report["probes"][0].as_f64().unwrap());
    }
    assert!(probes.iter().all(|value| (value / probes[0] - 1.0).abs() < 1e-7), "{probes:?}");
}

#[test]
fn scaled_and_dimensional_runs_are_the_same() {
    let folder = Folder::new();
    let unit = (0.0065f64 / 0.012).sqrt();
    let scaled = format!(
        "tumour --dimensionless --dimension 1 --elements 20 --box 0,{} --eta {} --end 0.12 --dt 0.006 --probe {} --source {} --json - -q",
        8.0 / unit,
        0.4 / unit,
        3.5 / unit,
        3.0 / unit
    );
    let plain =
        "tumour --dimension 1 --elements 20 --box 0,8 --eta 0.4 --end 10 --dt 0.5 --probe 3.5 --source 3 --json - -q";
    let value = |line: &str| folder.run(line).exits(0).report()["probes"][0].as_f64().unwrap();
    assert!((value(&scaled) / unit / value(plain) - 1.0).abs() < 1e-9, "c is a mass in a unit of length");
}

#[test]
fn values_may_begin_with_a_minus_sign() {
    let folder = Folder::new();
    let line = "tumour --dimensionless --box -2,2,-2,2 --elements 8 --layers 1@-1:0.2@1:1 --source -1.5,-0.5 --source 1.5,0.5 \
                --end 0.1 --dt 0.01 --rho -0.5 --start collocated --json - --probe -1.5,-0.5 --probe 1.5,0.5 -q";
    let report = folder.run(line).exits(0).report();
    let probes = numbers(&report, "probes");
    assert!((probes[0] - probes[1]).abs() < 1e-12, "{probes:?}");
    assert!(numbers(&report, "mass").is_sorted_by(|a, b| a > b), "it shrinks");
}

#[test]
fn a_run_that_goes_on_has_the_bits_of_one_that_was_never_interrupted() {
    for solver in ["modal", "ilu"] {
        let folder = Folder::new();
        let begun = format!("tumour --elements 12 --dt 0.5 --quiet --solver {solver} --probe 3,4");
        let line = format!("{begun} --days 10 --json");
        let whole = folder.run(&format!("{line} whole.json")).exits(0);
        assert!(whole.stderr.is_empty(), "{}", whole.stderr);
        folder.run(&format!("{begun} --days 4.5 --checkpoint state.json --frames 3")).exits(0);
        folder.run(&format!("{line} resumed.json --resume state.json")).exits(0);
        let (whole, resumed) = (folder.json("whole.json"), folder.json("resumed.json"));
        for name in ["times", "mass", "radius", "iterations", "probes"] {
            assert_eq!(whole[name], resumed[name], "{solver}: {name}");
        }
        folder
            .run(&format!("{line} other.json --resume state.json --rho 0.02"))
            .fails_saying(&["state.json", "other options"]);
        folder.file("broken.json", "{}");
        folder.run(&format!("{line} other.json --resume broken.json")).fails_saying(&["broken.json", "no checkpoint"]);
    }
}

#[test]
fn parameter_files_are_options() {
    let folder = Folder::new();
    folder.file(
        "run.toml",
        "elements = 12 # a side\ndays = 10\nsource = [\"3,4\", \"5,4\"]\nquiet = true\nprobe = \"4,4\"\nrho = 0.5\n",
    );
    let read = folder.run("tumour --parameters run.toml --rho 0.012 --json -").exits(0).report();
    let typed = folder.run(&format!("{SMALL} --source 3,4 --source 5,4 --probe 4,4 --json -")).exits(0).report();
    assert_eq!((&read["mass"], &read["probes"]), (&typed["mass"], &typed["probes"]));
    folder.file("bad.toml", "elements: 12");
    folder.run("tumour --parameters bad.toml").fails_saying(&["bad.toml", "line 1"]);
    folder.file("unknown.toml", "colour = \"red\"");
    folder.run("tumour --parameters unknown.toml").fails_saying(&["unknown.toml", "colour"]);
}

#[test]
fn films_files_and_matrices_are_written() {
    let folder = Folder::new();
    folder.run(&format!("{SMALL} --gif c.gif --vtu c.pvd --png c.png --frames 4 --spy spy")).exits(0);
    let film = std::fs::read(folder.path().join("c.gif")).unwrap();
    assert!(film.starts_with(b"GIF89a") && film.ends_with(b"\x3b"));
    assert_eq!(folder.read("c.pvd").matches("<DataSet").count(), 5);
    assert!(folder.names().contains(&"c-004.vtu".to_string()));
    for name in ["A_b", "A", "A_0"] {
        assert!(folder.read(&format!("spy/{name}.svg")).contains("576 x 576, 8464 entries"), "{name}");
    }
    folder.run("tumour --dimension 1 --elements 10 --days 5 --gif line.png --frames 3 -q").exits(0);
}

#[test]
fn steps_are_chosen_and_times_are_met() {
    let folder = Folder::new();
    let report = folder.run(&format!("{SMALL} --adapt 1e-3 --json -")).exits(0).report();
    let times = numbers(&report, "times");
    assert_eq!(*times.last().unwrap(), 10.0);
    let report = folder.run("tumour --elements 12 --end 1.3 --dt 0.5 --json - -q").exits(0).report();
    assert_eq!(numbers(&report, "times"), [0.0, 0.5, 1.0, 1.3]);
    assert_eq!(report["renewals"], 2, "backward Euler, and a step that is shorter");
}

#[test]
fn bad_input_is_refused_by_name() {
    let folder = Folder::new();
    for (arguments, words) in [
        ("--elements 11", &["layers meet at 4", "no inner node"][..]),
        ("--layers 1@3.33:0.2", &["layers meet at 3.33"]),
        ("--layers 1:-0.2", &["D = ", "above 0"]),
        ("--layers 1:white", &["--layers", "D@x"]),
        ("--layers 1:0.2@4", &["--layers", "D@x"]),
        ("--rho 3 --dt 0.5", &["rho dt", "below 1"]),
        ("--days 0", &["--end 0"]),
        ("--dt -1", &["--dt -1"]),
        ("--source 9,4", &["source", "outside"]),
        ("--source 4", &["--source", "numbers"]),
        ("--eta 0", &["eta", "above 0"]),
        ("--dimension 3", &["--dimension 3"]),
        ("--elements 0", &["--elements 0"]),
        ("--box 1,0,0,1", &["--box"]),
        ("--box 0,nan,0,1", &["--box"]),
        ("--scheme leapfrog", &["unknown scheme", "crank-nicolson"]),
        ("--solver magic", &["unknown solver", "modal"]),
        ("--start anywhere", &["--start", "collocated"]),
        ("--euler-length half", &["--euler-length"]),
        ("--rtol 0", &["rtol"]),
        ("--threshold 0", &["--threshold"]),
        ("--adapt 0", &["--adapt"]),
        ("--frames 0 --gif a.gif", &["--frames 0"]),
        ("--device gpu", &["device"]),
        ("--resume missing.json", &["missing.json"]),
        ("--json missing/r.json", &["missing"]),
    ] {
        folder.run(&format!("tumour --quiet {arguments}")).fails_saying(words);
    }
    folder.run("reproduce dhc --sides 21").fails_saying(&["--sides 21"]);
    folder.run("reproduce dhc --steps 0").fails_saying(&["--steps 0"]);
}

#[test]
fn the_source_is_computed_again() {
    let folder = Folder::new();
    let report =
        folder.run("reproduce dhc --sides 20 --steps 2 --device cpu --svg figures --json -q").exits(0).report();
    assert_eq!(report["reproduced"], true);
    let rows = report["rows"].as_array().unwrap();
    assert!(
        rows.iter().all(|row| row["unknowns"] == 1600 && row["dofs"] == 6400 && row["step"].as_f64().unwrap() > 0.0)
    );
    assert!(folder.read("figures/time-a-step.svg").contains("milliseconds a step"));
}
