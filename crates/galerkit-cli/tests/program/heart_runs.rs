//! Runs: parameter files, what is written over time, restitution, electrocardiograms, and going on after the program
//! was killed.

mod beats;
mod outputs;

use super::Folder;
use std::process::Stdio;
use std::time::Duration;

fn number(report: &serde_json::Value, path: &str) -> f64 {
    report.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("no {path} in {report}"))
}

#[test]
fn what_dry_prints_is_the_same_run_again() {
    let folder = Folder::new();
    let line = "heart --geometry slab --dx 1 --end 10 --probe 3,3,3 --lead 30,0,0 --scar sphere=20,0,0,2 --stimulus box=0,0,0,3,3,3;every=4;count=2";
    let printed = folder.run(&format!("{line} --dry")).exits(0).stdout;
    for words in ["geometry = \"slab\"", "dx = 1", "d-iso = 0.132", "dt = 0.25", "scheme = \"strang\"", "alpha = 0.01"]
    {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    folder.file("run.toml", &printed);
    assert_eq!(folder.run("heart --parameters run.toml --dry").exits(0).stdout, printed);
    folder.run(&format!("{line} --csv typed.csv --quiet")).exits(0);
    folder.run("heart --parameters run.toml --csv read.csv --quiet").exits(0);
    assert_eq!(folder.read("typed.csv"), folder.read("read.csv"));
    // What is typed comes before what is read.
    assert!(folder.run("heart --parameters run.toml --dt 0.5 --dry").exits(0).stdout.contains("dt = 0.5\n"));
    // TOML as others write it: tables, lists over several lines, a stimulus as a table.
    let file = "geometry = 'slab'\ndx = 1\n[cells] # only a heading\nalpha = 0.05\n[outputs]\nprobe = [\n  [3, 3, 3],\n  \"1,2,3\",\n]\n\
                [[stimulus]]\nbox = [0, 0, 0, 3, 3, 3]\nevery = 4\ncount = 2\n";
    folder.file("tables.toml", file);
    let printed = folder.run("heart --parameters tables.toml --dry").exits(0).stdout;
    for words in ["alpha = 0.05", "probe = [\"3,3,3\", \"1,2,3\"]", "stimulus = \"box=0,0,0,3,3,3;every=4;count=2\""] {
        assert!(printed.contains(words), "{words} in {printed}");
    }
    folder.file("bad.toml", "[cells]\nalpha = [0.05,\n");
    folder.run("heart --parameters bad.toml").fails_saying(&["bad.toml", "line 3", "begins in line 2 has no ]"]);
    folder.file("bad.toml", "dt = 0.1\nspeed = 3\n");
    folder.run("heart --parameters bad.toml").fails_saying(&["bad.toml", "--speed"]);
    folder.file("bad.toml", "dt = fast\n");
    folder.run("heart --parameters bad.toml").fails_saying(&["bad.toml", "line 1", "\"...\""]);
    folder.run("heart --parameters none.toml").fails_saying(&["none.toml"]);
}

#[test]
fn files_over_time_have_every_slice() {
    let folder = Folder::new();
    folder
        .run("heart --geometry slab --dx 1 --end 12 --every 2 --picture-every 4 --igb phi.igb --pvd phi.pvd --quiet")
        .exits(0);
    let igb = std::fs::read(folder.path().join("phi.igb")).unwrap();
    let header = String::from_utf8_lossy(&igb[..1024]).into_owned();
    assert!(header.contains("x:672 ") && header.contains(" t:4 ") && header.contains("type:float"), "{header}");
    assert_eq!(igb.len(), 1024 + 4 * 4 * 672);
    let list = folder.read("phi.pvd");
    assert_eq!(list.matches("<DataSet").count(), 4);
    assert!(list.contains("timestep=\"4.0\"") && folder.path().join("phi-00003.vtu").exists(), "{list}");
    assert!(folder.run("mesh info phi-00003.vtu").exits(0).stdout.contains("672"));
}

#[test]
fn twelve_leads_add_up() {
    let folder = Folder::new();
    let line =
        "heart --geometry ventricle --dx 5 --end 20 --ecg --every 4 --traces t.csv --plot t.svg --quiet --json -";
    let report = folder.run(line).exits(0).report();
    let lead = |name: &str, k: usize| report["ecg"][name][k].as_f64().unwrap();
    assert_eq!(report["ecg"].as_object().unwrap().len(), 12);
    for k in 0..6 {
        // Einthoven: I + III = II; Goldberger: the augmented leads sum to zero.
        assert!((lead("I", k) + lead("III", k) - lead("II", k)).abs() < 1e-12);
        assert!((lead("aVR", k) + lead("aVL", k) + lead("aVF", k)).abs() < 1e-12);
    }
    assert!((1..6).any(|k| lead("V4", k).abs() > 1e-9), "{}", report["ecg"]);
    assert!(folder.read("t.csv").lines().next().unwrap().ends_with("V5,V6"));
    let plot = folder.read("t.svg");
    assert!(plot.contains("Electrocardiogram"));
    negative_leads_are_drawn_below_zero(&plot, &report);
    let energy = report["energy"].as_array().unwrap();
    assert!(energy.iter().any(|energy| energy.as_f64().unwrap() > 0.0));
    assert!(number(&report, "/seconds/steps") > 0.0 && number(&report, "/cg_iterations_per_step") > 0.5);
}

/// Leads below zero lay flat on the axis: points of the plot must stand as far apart as the leads' extremes.
fn negative_leads_are_drawn_below_zero(plot: &str, report: &serde_json::Value) {
    let heights = |circles: &str| -> Vec<f64> {
        let height = |circle: &str| circle.split_once("cy=\"")?.1.split('"').next()?.parse().ok();
        circles.split("<circle").skip(1).filter_map(height).collect()
    };
    let points = heights(plot).split_off(12); // behind the legend
    let values = |name: &str| -> Vec<f64> {
        report["ecg"][name].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
    };
    let names = ["I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6"];
    let drawn: Vec<f64> = names.iter().flat_map(|name| values(name)).collect();
    assert_eq!(points.len(), drawn.len());
    let extremes = |values: &[f64]| values.iter().fold([f64::MAX, f64::MIN], |[a, b], x| [a.min(*x), b.max(*x)]);
    let ([low, high], [top, bottom]) = (extremes(&drawn), extremes(&points));
    assert!(low < 0.0 && high > 0.0, "{low} {high}");
    for (value, height) in drawn.iter().zip(&points) {
        let expected = bottom + (value - low) / (high - low) * (top - bottom);
        assert!((height - expected).abs() < 2.0, "{value} at {height}, not {expected}");
    }
}

/// Shorter rests make shorter action potentials, and in the end none.
#[test]
fn restitution_shortens_action_potentials() {
    let folder = Folder::new();
    let line = "heart restitution --dx 1 --beats 2 --couplings 600,450,200 --quiet --json - --csv r.csv --curves r.svg";
    let report = folder.run(line).exits(0).report();
    let [long, short] = [0, 1].map(|k| number(&report, &format!("/restitution/{k}/duration")));
    assert!(long > short && (200.0..450.0).contains(&long), "{long} {short}");
    let [rest, less] = [0, 1].map(|k| number(&report, &format!("/restitution/{k}/diastolic_interval")));
    assert!(rest > less && less > 0.0, "{rest} {less}");
    let [fast, slow] = [0, 1].map(|k| number(&report, &format!("/restitution/{k}/speed")));
    assert!(fast >= slow && (0.4..0.6).contains(&fast), "{fast} {slow}");
    assert!(report["restitution"][2]["duration"].is_null(), "{report}");
    assert_eq!(folder.read("r.csv").lines().count(), 4);
    assert!(folder.read("r.svg").contains("Restitution"));
    folder.run("heart restitution --beats 0").fails_saying(&["--beats 0"]);
    folder.run("heart restitution --geometry slab").fails_saying(&["cable"]);
}

/// Steps that have become shorter stay so in a run that goes on, and in the replay of one that was live, whatever the
/// launches were.
#[test]
fn halved_steps_are_the_same_when_a_run_goes_on_and_when_it_is_replayed() {
    let folder = Folder::new();
    let run = "heart --geometry slab --dx 1 --c 200 --dt 0.5 --quiet --stimulus box=0,0,0,3,3,3;at=6";
    folder.run(&format!("{run} --every 8 --end 24 --csv whole.csv --json whole.json")).exits(0);
    folder.run(&format!("{run} --every 8 --end 16 --checkpoint state --json part.json")).exits(0);
    folder.run(&format!("{run} --every 8 --end 24 --resume state --csv resumed.csv --json resumed.json")).exits(0);
    assert_eq!(folder.read("whole.csv"), folder.read("resumed.csv"));
    let [whole, resumed] = ["whole.json", "resumed.json"].map(|name| folder.json(name));
    assert!(number(&whole, "/failed_steps") > 0.0 && number(&whole, "/steps") > 48.0, "{whole}");
    let part = folder.json("part.json");
    assert_eq!(number(&whole, "/steps"), number(&part, "/steps") + number(&resumed, "/steps"));
    folder.run(&format!("{run} --live --speed max --end 24 --journal j.jsonl --checkpoint live")).exits(0);
    folder.run(&format!("{run} --replay j.jsonl --end 24 --checkpoint replayed")).exits(0);
    let [live, replayed] = ["live", "replayed"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert!(live == replayed, "not the same bits");
}

#[test]
fn what_being_watched_costs_is_measured() {
    let folder = Folder::new();
    let report = folder.run("heart watched --geometry slab --dx 1 --end 60 --json -").exits(0).report();
    let [alone, watched] = ["/alone", "/watched"].map(|key| number(&report, key));
    assert!(alone > 0.0 && watched > 0.0, "{report}");
    assert!((number(&report, "/cost") - (watched / alone - 1.0)).abs() < 1e-9);
    assert_eq!([30.0, 672.0], ["/frames_asked_per_second", "/nodes"].map(|key| number(&report, key)));
    folder.run("heart watched --geometry slab --dt 0.3").fails_saying(&["--dt 0.3", "millisecond"]);
}

/// Killed at any moment, a run goes on from its file and ends with the bits of one that was not.
#[test]
fn a_killed_run_goes_on_with_equal_bits() {
    let folder = Folder::new();
    let run =
        "heart --geometry slab --dx 1 --end 60 --every 1 --quiet --probe 20,7,3 --stimulus box=0,0,0,3,3,3;at=0,30.25";
    folder.run(&format!("{run} --csv whole.csv --traces whole-s.csv")).exits(0);
    for wait in [150, 600] {
        let mut command = folder.command();
        command
            .args(format!("{run} --checkpoint state").split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let path = folder.path().join("state");
        while !path.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        folder
            .run(&format!("{run} --resume state --checkpoint state --csv resumed.csv --traces resumed-s.csv"))
            .exits(0);
        assert_eq!(folder.read("whole.csv"), folder.read("resumed.csv"));
        assert_eq!(folder.read("whole-s.csv"), folder.read("resumed-s.csv"));
        std::fs::remove_file(&path).unwrap();
    }
    folder.run(&format!("{run} --checkpoint state")).exits(0);
    folder.run(&format!("{run} --resume state --dt 0.5")).fails_saying(&["another run", "dt = 0.25", "dt = 0.5"]);
    folder.file("state", "something else");
    folder.run(&format!("{run} --resume state")).fails_saying(&["no checkpoint"]);
}
