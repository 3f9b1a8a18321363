//! `galerkit heart` as scripts use it: reports, speeds, files, going on, bad input.

mod refusals;

use super::Folder;

fn number(report: &serde_json::Value, path: &str) -> f64 {
    report.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("no {path} in {report}"))
}

/// Spec 09's slab: the far corner at 42.2 ms, the near one at once.
#[test]
fn the_slab_reports_activation_at_probes() {
    let folder = Folder::new();
    let report = folder
        .run("heart --geometry slab --dt 0.1 --end 46 --probe 20,7,3 --probe 0,0,0 --probe 10,3.5,1.5 --lead 30,3,1 --json -")
        .exits(0)
        .report();
    assert!((number(&report, "/activation/0") - 42.2).abs() < 0.05, "{report}");
    assert_eq!(number(&report, "/activation/1"), 0.0);
    assert!((0.1..42.0).contains(&number(&report, "/activation/2")), "{report}");
    assert!(report["repolarisation"][0].is_null());
    for (key, expected) in [("nodes", 4305.0), ("elements", 20160.0), ("steps", 460.0), ("newton_iterations", 0.0)] {
        assert_eq!(number(&report, &format!("/{key}")), expected, "{key}");
    }
    assert!(number(&report, "/cg_iterations") > 460.0 && number(&report, "/wall_seconds_per_simulated_second") > 0.0);
    let excited = report["fraction_excited"].as_array().unwrap();
    assert_eq!(excited.len(), report["time"].as_array().unwrap().len());
    assert!(excited.last().unwrap().as_f64().unwrap() > 0.99);
    assert_eq!(report["electrograms"][0].as_array().unwrap().len(), excited.len());
}

#[test]
fn fronts_have_their_speed() {
    let folder = Folder::new();
    let report = folder.run("heart cv --dx 0.5 --json -").exits(0).report();
    assert!((number(&report, "/front_speed") - 0.545709).abs() < 2e-4, "{report}");
    // Spec 06, section 5: the right column of its table. Steps were cut so that they divided --every.
    for (dt, error) in [(1.032, 8.63e-2), (0.516, 4.17e-2), (0.258, 2.11e-2)] {
        let report = folder.run(&format!("heart cv --scheme newton --dx 0.5 --dt {dt} --json -")).exits(0).report();
        assert!((number(&report, "/speed_error") - error).abs() < 5e-5, "{report}");
        assert!((number(&report, "/mean_step") - dt).abs() < 1e-9, "{report}");
        assert!(number(&report, "/newton_iterations") > number(&report, "/steps"));
    }
}

#[test]
fn files_are_written_and_runs_resumed() {
    let folder = Folder::new();
    let common = "heart --geometry slab --dx 1 --every 4 --quiet --stimulus box=0,0,0,3,3,3;at=0,10";
    folder
        .run(&format!("{common} --end 24 --csv whole.csv --traces s.csv --vtu h.vtu --png a.png --film f.png"))
        .exits(0);
    for name in ["s.csv", "h.vtu", "a.png", "f.png"] {
        assert!(std::fs::metadata(folder.path().join(name)).unwrap().len() > 100, "{name}");
    }
    folder.run(&format!("{common} --end 12 --checkpoint state")).exits(0);
    folder.run(&format!("{common} --end 24 --resume state --csv resumed.csv")).exits(0);
    assert_eq!(folder.read("whole.csv"), folder.read("resumed.csv"));
    folder.run("heart --geometry slab --resume state").fails_saying(&[
        "state",
        "of another run",
        "resume with the options",
    ]);
}

#[test]
fn a_mesh_file_beats_in_its_unit() {
    let folder = Folder::new();
    folder.run("mesh convert gallery:box?n=4&simplices=1 unit.vtu").exits(0);
    folder.run("heart --mesh unit.vtu --end 5").fails_saying(&["more than 5 and at most 300 mm", "--unit"]);
    let line = "heart --mesh unit.vtu --unit cm --end 5 --stimulus sphere=0,0,0,4 --probe 0,0,0 --json -";
    let report = folder.run(line).exits(0).report();
    assert_eq!(number(&report, "/nodes"), 125.0);
    assert_eq!(number(&report, "/activation/0"), 0.0);
}

#[test]
fn bad_input_is_refused_or_said() {
    let folder = Folder::new();
    let slab = "heart --geometry slab --dx 1 --end 2";
    for (arguments, words) in [
        ("--D -1", &["D across the fibres", "positive"][..]),
        ("--d-iso 1 --d-ani -2", &["D along the fibres"]),
        ("--fibre 0,0,0", &["fibre", "positive"]),
        ("--dt 0", &["--dt 0", "positive"]),
        ("--scheme euler", &["strang and newton"]),
        ("--cell hodgkin", &["aliev-panfilov and mitchell-schaeffer"]),
        ("--probe 1,2", &["three numbers"]),
        ("--stimulus bx=1", &["there is no 'bx'", "box, sphere"]),
        ("--stimulus box=0,0,0,1,1,1;current=1", &["for=MS"]),
        ("--precision f32", &["hybrid"]),
    ] {
        folder.run(&format!("{slab} {arguments}")).fails_saying(words);
    }
    folder.run("heart --geometry slab --dx 1 --c 1e9 --end 40 --quiet").fails_saying(&["smaller step"]);
    folder.run("heart --geometry slab --dx -1").fails_saying(&["positive"]);
    folder.run("heart --geometry heart").fails_saying(&["there is no geometry 'heart'", "slab"]);
    let ran = folder.run(&format!("{slab} --stimulus sphere=90,90,90,1")).exits(0);
    assert!(ran.stderr.contains("hits no node"), "{}", ran.stderr);
    for (arguments, words) in [
        ("--dx 1", "expect an error of its speed of about -0.4 %"),
        ("--dx 1 --scheme newton", "expect an error of its speed of about +10"),
        ("--dx 3", "cannot be told"),
    ] {
        let ran = folder.run(&format!("heart --geometry slab --end 2 {arguments}")).exits(0);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    }
}
