//! What makes no sense is refused with the reason, or said.

use crate::Folder;

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    let slab = "heart --geometry slab --dx 1 --end 2";
    for (arguments, words) in [
        ("--unit cm", &["--unit cm", "built-in geometry is in mm"][..]),
        ("--activation-level 2", &["--activation-level 2", "from 0 to 1"]),
        ("--repolarisation-level 0.9", &["--repolarisation-level 0.9", "below the activation level, 0.8"]),
        ("--repolarisation-level 0", &["--repolarisation-level 0", "above 0"]),
        ("--stimulus sphere=0,0,0,-3", &["sphere of radius -3", "positive"]),
        ("--stimulus box=0,0,0,3,3,nan", &["NaN is no place"]),
        ("--stimulus all;potential=nan", &["NaN is neither a current nor a potential"]),
        ("--stimulus all;current=inf;for=1", &["inf is neither a current nor a potential"]),
        ("--mu2 0", &["--mu2 0", "positive"]),
        ("--tau-in 1", &["parameters of --cell mitchell-schaeffer"]),
        ("--cell mitchell-schaeffer --alpha 0.1", &["parameters of --cell aliev-panfilov"]),
        ("--cell mitchell-schaeffer --tau-open 0", &["--tau-open 0", "positive"]),
        ("--cell mitchell-schaeffer --gate 1", &["--gate 1"]),
        ("--cell mitchell-schaeffer --tau-in 2", &["--tau-in 2", "nothing excites"]),
    ] {
        folder.run(&format!("{slab} {arguments}")).fails_saying(words);
    }
    let ran = folder.run("heart cv --reaction off").fails_saying(&["--reaction on", "nothing travels"]);
    assert!(!ran.stderr.contains("--dx"), "{}", ran.stderr);
}

/// Only Aliev and Panfilov's had options. The gate's closing decides how long an action potential lasts.
#[test]
fn parameters_of_mitchell_and_schaeffer_can_be_given() {
    let folder = Folder::new();
    let run = "heart --geometry cable --size 20 --cell mitchell-schaeffer --probe 15,0,0 --end 400";
    let duration = |options: &str| {
        let report = folder.run(&format!("{run} {options} --json -")).exits(0).report();
        let [up, down] = ["activation", "repolarisation"].map(|key| report[key][0].as_f64().unwrap());
        down - up
    };
    let [usual, same, short] = ["", "--tau-close 150 --tau-in 0.3", "--tau-close 75"].map(duration);
    assert!(usual == same && (short / usual - 0.5).abs() < 0.15, "{usual} {same} {short}");
    assert!(folder.run(&format!("{run} --dry")).exits(0).stdout.contains("tau-open = 120\n"));
}

/// Fronts were 4 to 25 % too fast without a word.
#[test]
fn long_steps_of_newton_are_warned_of() {
    let folder = Folder::new();
    for (options, words) in [
        ("--adaptive 0.5", "4 % too fast"),
        ("--adaptive 1", "8 % too fast"),
        ("--dt 1.5", "13 % too fast"),
        ("--adaptive 9", "24 % too fast"),
        ("--dt 9", "more than 48 %"),
    ] {
        let ran = folder.run(&format!("heart --geometry cable --dx 0.5 --end 10 --scheme newton {options}")).exits(0);
        assert!(ran.stderr.contains(words), "{options}: {}", ran.stderr);
    }
    for quiet in ["", "--adaptive 0.25", "--dt 0.4"] {
        let ran = folder.run(&format!("heart --geometry cable --dx 0.5 --end 2 --scheme newton {quiet}")).exits(0);
        assert!(!ran.stderr.contains("too fast"), "{quiet}: {}", ran.stderr);
    }
}

/// Such a train of pulses ended with an allocation that failed.
#[test]
fn a_train_of_too_many_pulses_is_refused() {
    let folder = Folder::new();
    for count in ["100000000000", "0", "2.5", "inf"] {
        let line = format!("heart --geometry slab --dx 1 --stimulus box=0,0,0,3,3,3;every=1;count={count}");
        folder.run(&line).fails_saying(&[&format!("count={count}"), "from 1 to 1000000"]);
    }
}

/// Runs that ended before their first step said "0 steps, inf s a simulated second".
#[test]
fn a_run_shorter_than_its_step_is_refused() {
    let folder = Folder::new();
    for arguments in ["--dt 100 --end 2", "--end 0.1", "--scheme newton --end 0.1"] {
        folder
            .run(&format!("heart --geometry slab --dx 1 {arguments}"))
            .fails_saying(&["before its first step", "--dt"]);
    }
    folder.run("heart cv --dt 1000").fails_saying(&["before its first step"]);
    folder.run("heart --geometry slab --dx 1 --end 2 --scheme newton --dt 4 --adaptive 8 --quiet").exits(0);
}

/// Hints were those of other commands: expressions and --domain.
#[test]
fn hints_are_about_hearts() {
    let folder = Folder::new();
    for arguments in ["--D 0", "--D -1", "--fibre 0,0,0", "--region tag=0;D=0"] {
        let ran = folder.run(&format!("heart --geometry slab --dx 1 --end 2 {arguments}")).exits(2);
        assert!(!ran.stderr.contains("expression"), "{}", ran.stderr);
    }
    let ran = folder.run("heart --mesh nofile.msh").fails_saying(&["nofile.msh", "--geometry"]);
    assert!(!ran.stderr.contains("--domain"), "{}", ran.stderr);
    for command in ["heart", "heart cv"] {
        let help = folder.run(&format!("{command} --help")).exits(0).stdout;
        assert!(help.contains("increments of diffusion solved for in f32") && !help.contains("VPGCR"), "{command}");
    }
}

/// Numbers that the mesh has not were dropped, and counts not looked at.
#[test]
fn node_files_are_read_with_care() {
    let folder = Folder::new();
    folder.run("mesh convert gallery:box?n=4&simplices=1 unit.vtu").exits(0);
    let line = "heart --mesh unit.vtu --unit cm --end 1 --quiet --stimulus nodes=start.vtx";
    for (text, words) in [
        ("3\n7\n125\n", &["start.vtx", "line 3", "125", "0 to 124"][..]),
        ("5\nintra\n0\n1\n2\n", &["start.vtx", "line 1", "5 nodes are declared, 3 follow"]),
        ("", &["start.vtx", "names no node"]),
        ("0\nextra\n", &["start.vtx", "names no node"]),
        ("3\nseven\n", &["start.vtx", "line 2", "'seven' is no node"]),
        ("3\n-1\n", &["start.vtx", "line 2", "'-1' is no node"]),
    ] {
        folder.file("start.vtx", text);
        folder.run(line).fails_saying(words);
    }
    folder.file("start.vtx", "3\nintra\n0\n1\n2\n");
    folder.run(line).exits(0);
}

/// Such a run was still from its beginning to its end, without a word.
#[test]
fn a_mesh_without_a_stimulus_is_warned_of() {
    let folder = Folder::new();
    folder.run("mesh convert gallery:box?n=4&simplices=1 unit.vtu").exits(0);
    let line = "heart --mesh unit.vtu --unit cm --end 1";
    let ran = folder.run(line).exits(0);
    assert!(ran.stderr.contains("nothing is stimulated") && ran.stderr.contains("sphere="), "{}", ran.stderr);
    let line_of_watched = "heart watched --mesh unit.vtu --unit cm --end 22";
    let ran = folder.run(line_of_watched).exits(0);
    assert!(ran.stderr.contains("nothing is stimulated"), "{}", ran.stderr);
    let ran = folder.run(&format!("{line_of_watched} --stimulus sphere=90,90,90,1")).exits(0);
    assert!(ran.stderr.contains("stimulus 1 hits no node"), "{}", ran.stderr);
    for quiet in ["--stimulus none", "--stimulus sphere=0,0,0,4", "--quiet"] {
        assert!(!folder.run(&format!("{line} {quiet}")).exits(0).stderr.contains("nothing is stimulated"), "{quiet}");
    }
}
