//! Tissue as users bring it: CARP's files, units, fibres, regions, scars, stimuli by tag, meshes of real hearts.

use super::Folder;

fn number(report: &serde_json::Value, path: &str) -> f64 {
    report.pointer(path).and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("no {path} in {report}"))
}

/// A bar of n cubes of a mm as CARP's files, in micrometres, the second half with another region and, if asked for,
/// fibres along y.
fn carp_bar(folder: &Folder, n: usize, fibres: bool) {
    let point = |i: usize, j: usize, k: usize| (i * 4 + j * 2 + k) as u32;
    let mut points = format!("{}\n", 4 * (n + 1));
    (0..=n).for_each(|i| {
        (0..2).for_each(|j| (0..2).for_each(|k| points += &format!("{} {} {}\n", 1000 * i, 1000 * j, 1000 * k)))
    });
    let kuhn = [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]];
    let mut elements = format!("{}\n", 6 * n);
    for i in 0..n {
        let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
        for piece in kuhn {
            let nodes = piece.map(|c: usize| point(i + corners[c][0], corners[c][1], corners[c][2]).to_string());
            elements += &format!("Tt {} {}\n", nodes.join(" "), if 2 * i < n { 1 } else { 2 });
        }
    }
    folder.file("bar.pts", &points);
    folder.file("bar.elem", &elements);
    if fibres {
        folder.file("bar.lon", &("1\n".to_string() + &"0 1 0\n".repeat(6 * n)));
    }
}

#[test]
fn carp_files_are_read_in_micrometres_with_their_fibres() {
    let folder = Folder::new();
    carp_bar(&folder, 20, true);
    let line =
        "heart --mesh bar.elem --d-iso 0.25 --d-ani 0.75 --stimulus box=0,0,0,3,1,1 --end 90 --probe 20,0,0 --json -";
    let across = number(&folder.run(line).exits(0).report(), "/activation/0");
    let along = number(&folder.run(&format!("{line} --fibre 1,0,0")).exits(0).report(), "/activation/0");
    assert!((across / along - 2.0).abs() < 0.25, "{across} {along}");
    std::fs::remove_file(folder.path().join("bar.lon")).unwrap();
    let ran = folder.run(line).exits(0);
    assert!(ran.stderr.contains("no fibres"), "{}", ran.stderr);
    folder.run(&line.replace("bar.elem", "bar.elem --unit mm")).exits(0);
    folder.file("bar.lon", "1\n0 1 0\n");
    folder.run(line).fails_saying(&["bar.lon", "cut short"]);
    std::fs::remove_file(folder.path().join("bar.lon")).unwrap();
    assert!(folder.run("mesh info bar.elem").exits(0).stdout.contains("CARP"));
}

#[test]
fn regions_scars_and_stimuli_by_tag() {
    let folder = Folder::new();
    carp_bar(&folder, 20, false);
    let line = "heart --mesh bar --quiet --end 60 --probe 20,0,0 --probe 5,0,0 --json - --stimulus tag=1;at=0";
    let plain = folder.run(line).exits(0).report();
    assert_eq!(number(&plain, "/activation/1"), 0.0);
    let slow = folder.run(&format!("{line} --region tag=2;D=0.25")).exits(0).report();
    let ratio = number(&slow, "/activation/0") / number(&plain, "/activation/0");
    assert!((1.6..2.4).contains(&ratio), "{ratio}");
    let cut = folder.run(&format!("{line} --scar box=12,0,0,14,1,1")).exits(0).report();
    assert!(cut["activation"][0].is_null() && number(&cut, "/elements") < number(&plain, "/elements"), "{cut}");
    let fibrotic = folder.run(&format!("{line} --scar box=12,0,0,14,1,1;scale=0.3")).exits(0).report();
    assert!(number(&fibrotic, "/activation/0") > number(&plain, "/activation/0"));
    folder.file("start.vtx", "2\nintra\n0\n1\n");
    let nodes = folder.run(&line.replace("tag=1", "nodes=start.vtx")).exits(0).report();
    assert!(number(&nodes, "/fraction_excited/1") < number(&plain, "/fraction_excited/1"));
    folder.run(&format!("{line} --region tag=7;D=1")).fails_saying(&["nothing has the tag 7", "1, 2"]);
    folder.run(&format!("{line} --region tag=2;E=1")).fails_saying(&["there is no 'E'", "anisotropy"]);
    folder.run(&format!("{line} --scar all")).fails_saying(&["take all tissue away"]);
    let ran = folder.run(&line.replace("--quiet ", "").replace("tag=1", "all")).exits(0);
    assert!(!ran.stderr.contains("hits no node"));
}

#[test]
fn a_second_stimulus_follows_the_first_elsewhere() {
    let folder = Folder::new();
    let line =
        "heart --geometry sheet --size 20,20 --dx 2 --end 30 --every 2 --probe 0,0,0 --probe 20,20,0 --quiet --json -";
    let s1s2 = format!("{line} --stimulus sphere=0,0,0,5;at=2 --stimulus sphere=20,20,0,5;after=4");
    let report = folder.run(&s1s2).exits(0).report();
    assert_eq!(number(&report, "/activation/0"), 2.0);
    assert_eq!(number(&report, "/activation/1"), 6.0);
    folder.run(&format!("{line} --stimulus sphere=0,0,0,5;after=4")).fails_saying(&["there is none"]);
}

#[test]
fn a_mesh_in_another_unit_is_refused_with_the_unit_it_may_have() {
    let folder = Folder::new();
    carp_bar(&folder, 20, false);
    folder.run("mesh convert bar.elem bar.vtu").exits(0);
    folder.run("heart --mesh bar.vtu --end 1").fails_saying(&["20000 mm large", "--unit um"]);
    folder.run("heart --mesh bar.vtu --unit um --end 1 --stimulus none").exits(0);
    folder.run("heart --mesh bar.vtu --unit mile --end 1").fails_saying(&["there is no unit 'mile'"]);
}

#[test]
fn broken_tissue_is_refused_by_name() {
    let folder = Folder::new();
    folder.file("flat.pts", "4\n0 0 0\n10000 0 0\n0 10000 0\n10000 10000 0\n");
    folder.file("flat.elem", "1\nTt 0 1 2 3 1\n");
    folder.run("heart --mesh flat.elem --end 1").fails_saying(&["element 0", "degenerate"]);
    folder.file("lone.pts", "5\n0 0 0\n10000 0 0\n0 10000 0\n0 0 10000\n5 5 5\n");
    folder.file("lone.elem", "1\nTt 0 2 1 3 1\n"); // inside out, which does not matter
    let ran = folder.run("heart --mesh lone.elem --end 1 --stimulus all").exits(0);
    assert!(ran.stderr.contains("1 point belongs to no element"), "{}", ran.stderr);
    folder.file("lone.pts", "4\n0 0 0\n10000 0 0\n0 10000 0\n0 0 10000\n");
    folder.run("heart --mesh lone.elem --end 1 --stimulus all").exits(0);
    folder.file("lone.lon", "1\n0 0 0\n");
    folder.run("heart --mesh lone.elem --anisotropy 0.5 --end 1").fails_saying(&["length of the fibre", "positive"]);
    folder.file("lone.elem", "1\nHx 0 2 1 3 1\n");
    folder.run("heart --mesh lone.elem --end 1").fails_saying(&["Hx", "line 2"]);
}

/// Every solid or sheet of the collection beats for some milliseconds, in its unit, with fibres by rule where it is a
/// ventricle: a wave spreads from where it is excited.
#[test]
fn meshes_of_real_hearts_run() {
    let folder = Folder::new();
    let options = [
        ("UCSD_heart_3K.msh.gz", "--unit cm --stimulus sphere=-13,5.1,-15.4,3.3"),
        ("chaste_UCSD_heart_decimated.msh.gz", "--unit cm --stimulus sphere=-13,5.3,-15.4,12"),
        ("chaste_human_wedge.msh.gz", "--unit cm --stimulus sphere=0,0,0,7"),
        ("heart_short_axis_0.vtu.gz", "--unit mm --anisotropy 0.3 --stimulus sphere=115,9,0,10"),
        ("ldrb_biv_ellipsoid.vtu.gz", "--unit mm --fibres rule --anisotropy 0.3 --stimulus sphere=0,0,-20,4"),
        ("ldrb_demo.msh.gz", "--fibres rule --anisotropy 0.3 --stimulus tag=ENDO"),
        ("pulse_benchmark.msh.gz", "--fibres rule --anisotropy 0.3 --stimulus tag=6"),
        ("pulse_ellipsoid.msh.gz", "--unit cm --fibres rule --stimulus sphere=0,0.4,-10,5"),
    ];
    for (name, options) in options {
        let Some(path) = super::mesh::data(&format!("meshes_heart/{name}")) else { return };
        let ran = folder.run(&format!("heart --mesh {path} {options} --end 6 --every 2 --json -")).exits(0);
        let report = ran.report();
        assert!(number(&report, "/nodes") > 100.0 && number(&report, "/steps") == 24.0, "{name}");
        let excited = |k: usize| number(&report, &format!("/fraction_excited/{k}"));
        let [early, late] = [1, 3].map(excited);
        assert!(0.001 < early && early < 0.5 && early < late, "{name}: {early} {late}\n{}", ran.stderr);
    }
    // A cube of 1 mm is too small for a wave.
    let Some(cube) = super::mesh::data("meshes_heart/monoalg_gold.vtu.gz") else { return };
    let report =
        folder.run(&format!("heart --mesh {cube} --unit um --stimulus all --end 2 --json -")).exits(0).report();
    assert_eq!(number(&report, "/fraction_excited/1"), 1.0);
    let Some(rabbit) = super::mesh::data("meshes_heart/UCSD_heart_3K.msh.gz") else { return };
    folder
        .run(&format!("heart --mesh {rabbit} --end 1"))
        .fails_saying(&["more than 5 and at most 300 mm", "--unit cm"]);
}

/// 5 cm were taken for 5 mm, the lower limit itself.
#[test]
fn a_wedge_in_centimetres_is_not_taken_for_one_of_5_mm() {
    let Some(wedge) = super::mesh::data("meshes_heart/chaste_human_wedge.msh.gz") else { return };
    Folder::new().run(&format!("heart --mesh {wedge} --end 1")).fails_saying(&["is 5 mm large", "--unit cm"]);
}
