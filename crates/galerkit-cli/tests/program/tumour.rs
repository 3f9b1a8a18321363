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

/// The rows of the spec's table, a command each: sizes, and the error at nodes.
#[test]
fn errors_of_a_known_solution_are_those_of_the_spec() {
    let folder = Folder::new();
    let known = "tumour --dimensionless --layers 1:0.2 --rho 0.5 --start eigenfunction --euler-steps 0 --json - -q";
    for (arguments, expected) in [
        ("--dimension 1 --box 0,2 --elements 8 --end 0.1 --dt 0.00025", 7.60e-6),
        ("--dimension 1 --box 0,2 --elements 32 --end 0.1 --dt 0.00025", 3.01e-8),
        ("--box 0,2,0,1 --elements 8 --end 0.05 --dt 0.0005", 5.99e-4),
        ("--box 0,2,0,1 --elements 16 --end 0.05 --dt 0.0005", 4.00e-5),
    ] {
        let error = folder.run(&format!("{known} {arguments}")).exits(0).report()["error"].as_f64().unwrap();
        assert!((error / expected - 1.0).abs() < 0.01, "{arguments}: {error:e}");
    }
}

/// The command of the issue, with fewer days: three layers of equal width do not divide 160 elements.
#[test]
fn three_layers_on_160_elements_are_equal_but_for_a_hundredth() {
    let folder = Folder::new();
    let line = "tumour --elements 160 --layers 1:0.2:1 --rho 0.012 --days 2 --source 0.5,0.5 --device cpu --json - -q";
    let interfaces = numbers(&folder.run(line).exits(0).report(), "interfaces");
    assert!(interfaces.iter().zip([2.65, 5.35]).all(|(x, expected)| (x - expected).abs() < 1e-9), "{interfaces:?}");
}

#[test]
fn maps_and_graded_meshes_come_from_the_command_line() {
    let folder = Folder::new();
    let report = |arguments: &str| {
        let line =
            format!("tumour --elements 12 --days 5 --source 3,4 --probe 3,4 --probe 6,4 --json - -q {arguments}");
        folder.run(&line).exits(0).report()
    };
    let plain = report("");
    folder.file("layers.txt", "# the default layers, as pixels\n1 0.2\n1, 0.2\n");
    let mapped = report("--map layers.txt --rtol 1e-12");
    assert_eq!(mapped["solver"], "ilu");
    for (a, b) in numbers(&plain, "probes").iter().zip(numbers(&mapped, "probes")) {
        assert!((a - b).abs() < 1e-9, "{a} and {b}");
    }
    folder.file("island.txt", "1 1 1\n1 0.2 1\n1 1 1\n");
    let island = report("--map island.txt --png island.png --vtu island.pvd --frames 1");
    let mass = numbers(&island, "mass");
    assert!((mass[10] / mass[0] / (0.06f64).exp() - 1.0).abs() < 1e-4, "{mass:?}");
    assert_eq!([&report("--grade 3")["solver"], &report("--grade 3,0.5")["solver"]], ["modal", "ilu"]);
}

#[test]
fn pictures_are_made_at_the_times_that_are_told() {
    let folder = Folder::new();
    let report = folder.run(&format!("{SMALL} --at 7.1,2.25,10 --vtu c.pvd --json -")).exits(0).report();
    let times = numbers(&report, "times");
    assert!(times.contains(&2.25) && times.contains(&7.1) && times.last() == Some(&10.0), "{times:?}");
    let pvd = folder.read("c.pvd");
    assert!(
        ["timestep=\"2.25\"", "timestep=\"7.1\"", "timestep=\"10.0\""].iter().all(|time| pvd.contains(time)),
        "{pvd}"
    );
    assert_eq!(pvd.matches("<DataSet").count(), 4);
}

/// A process that is killed, with no chance to say or write anything, goes on from what it kept last.
#[test]
fn a_run_that_is_killed_goes_on_with_equal_bits() {
    let folder = Folder::new();
    let run = "tumour --elements 12 --dt 0.25 --days 250 --quiet --probe 3,4 --solver ilu --frames 50 --checkpoint";
    let mut command = folder.command();
    let mut child = command.args(format!("{run} state.json").split_whitespace()).spawn().unwrap();
    let steps_kept = || {
        let text = std::fs::read_to_string(folder.path().join("state.json")).ok()?;
        let kept: Value = serde_json::from_str(&text).expect("a checkpoint is whole or not there");
        Some(kept["history"]["iterations"].as_array()?.len())
    };
    while steps_kept().unwrap_or(0) < 40 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let _ = child.kill(); // SIGKILL
    assert!(!child.wait().unwrap().success(), "it was killed before its end");
    let kept = steps_kept().unwrap();
    assert!((40..1000).contains(&kept), "{kept} steps");
    folder.run(&format!("{run} state.json --resume state.json --json resumed.json")).exits(0);
    folder.run(&format!("{run} other.json --json whole.json")).exits(0);
    let (whole, resumed) = (folder.json("whole.json"), folder.json("resumed.json"));
    for name in ["times", "mass", "radius", "iterations", "probes"] {
        assert_eq!(whole[name], resumed[name], "{name}");
    }
    assert_eq!(folder.read("other.json"), folder.read("state.json"), "the states at the end");
}

#[test]
fn bad_input_is_refused_by_name() {
    let folder = Folder::new();
    folder.file("odd.txt", "1 1 1 1 1 1 1\n");
    folder.file("words.txt", "1 1\nwhite grey\n");
    folder.file("negative.txt", "1 -1\n");
    for (arguments, words) in [
        ("--elements 11", &["layers meet at 4", "no inner node"][..]),
        ("--elements 10 --layers 1:0.2:1", &["layers meet at 2.66", "no inner node"]),
        ("--map odd.txt", &["7 x 1 pixels on 80 x 80 elements", "multiple"]),
        ("--map words.txt", &["words.txt, line 2", "numbers"]),
        ("--map negative.txt", &["D = ", "above 0"]),
        ("--map missing.txt", &["missing.txt"]),
        ("--map odd.txt --layers 1:0.2", &["--map", "--layers"]),
        ("--map odd.txt --dimension 1", &["--map", "--dimension 2"]),
        ("--map odd.txt --elements 14 --solver modal", &["modal", "choose ilu or direct"]),
        ("--grade 0", &["grade", "above 0"]),
        ("--grade 1,2,3", &["--grade"]),
        ("--grade 1,2 --solver modal", &["modal", "choose ilu or direct"]),
        ("--at 0", &["--at 0", "above 0"]),
        ("--at 200", &["--at 200", "180"]),
        ("--at soon", &["--at soon"]),
        ("--start eigenfunction --layers 1:0.2:1 --elements 81", &["two layers"]),
        ("--start eigenfunction --source 1,1", &["--source"]),
        ("--layers 1:nan", &["D = ", "above 0"]),
        ("--rho inf", &["rho"]),
        ("--dt nan", &["--dt"]),
        ("--end -1", &["--end -1"]),
        ("--source nan,1", &["--source"]),
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
    folder.run("reproduce dhc --seconds -1").fails_saying(&["--seconds -1"]);
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
    assert!(rows.iter().all(|row| row["bytes"].as_f64().unwrap() >= 208.0 * 1600.0), "{rows:?}");
    assert!(folder.read("figures/time-a-step.svg").contains("milliseconds a step"));
}
