//! Beats one after the other: times of each, phases, timings of S2.

use super::number;
use crate::Folder;

/// The part of a file with appended bytes that is text.
fn header(folder: &Folder, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.path().join(name)).unwrap()).into_owned()
}

/// Times were those of the first beat, whatever came after.
#[test]
fn every_beat_of_a_train_has_its_times() {
    let folder = Folder::new();
    let run = "heart --geometry cable --size 30 --dx 1 --probe 15,0,0 --quiet \
               --stimulus box=0,0,0,6,0,0;every=500;count=3";
    let times = |beat: &str| {
        let report = folder.run(&format!("{run} --end 1200 --beat {beat} --json - --csv t.csv")).exits(0).report();
        let [up, down] = ["activation", "repolarisation"].map(|key| report[key][0].as_f64());
        (up.unwrap(), down, report)
    };
    let (first, end_of_first, all) = times("all");
    let beats = all["beats"][0].as_array().unwrap();
    assert_eq!(beats.len(), 3, "{all}");
    let table = folder.read("t.csv");
    assert!(table.starts_with("x,y,z,beat,activation") && table.lines().count() == 1 + 3 * 31, "{table}");
    let of = |beat: usize, k: usize| beats[beat][k].as_f64();
    assert_eq!((of(0, 0), of(0, 1)), (Some(first), end_of_first));
    for (name, number) in [("first", 0), ("2", 1), ("3", 2), ("last", 2)] {
        let (up, down, report) = times(name);
        assert_eq!((Some(up), down), (of(number, 0), of(number, 1)), "{name}");
        assert_eq!(report["beat"], name);
        assert_eq!(folder.read("t.csv").lines().count(), 32);
    }
    // One after each pulse; the last is not over.
    for beat in 0..3 {
        let after = of(beat, 0).unwrap() - 500.0 * beat as f64;
        assert!((after - first).abs() < 6.0, "{all}");
    }
    assert!(of(1, 1).unwrap() - of(1, 0).unwrap() > 100.0 && of(2, 1).is_none(), "{all}");
    // A look need not see an end before the next beginning; a run that goes on keeps what was collected.
    folder.run(&format!("{run} --end 1200 --beat all --every 50 --csv whole.csv --vtu whole.vtu")).exits(0);
    assert_eq!(folder.read("whole.csv"), table);
    folder.run(&format!("{run} --beat all --every 50 --end 700 --checkpoint state")).exits(0);
    folder.run(&format!("{run} --end 1200 --beat all --every 50 --resume state --csv resumed.csv")).exits(0);
    assert_eq!(folder.read("resumed.csv"), table);
    assert!(header(&folder, "whole.vtu").contains("activation-3"));
    folder.run(&format!("{run} --beat 0")).fails_saying(&["--beat 0", "first, last, all"]);
    folder.run(&format!("{run} --beat all --every 60")).fails_saying(&["--beat all", "--every 60"]);
    folder.run("heart cv --beat last").fails_saying(&["--beat is for 'heart'"]);
}

/// A wave that goes straight has no turning point; phases are drawn in degrees.
#[test]
fn phases_are_drawn_and_turning_points_counted() {
    let folder = Folder::new();
    let run = "heart --geometry sheet --size 40,40 --dx 2 --end 40 --quiet --phase phase.png --vtu h.vtu --json -";
    let report = folder.run(run).exits(0).report();
    assert_eq!(report["phase_singularities"].as_array().unwrap().len(), 0, "{report}");
    assert!(std::fs::metadata(folder.path().join("phase.png")).unwrap().len() > 1000);
    assert!(header(&folder, "h.vtu").contains("phase"));
}

/// An early S2 meets what cannot be excited, one in the window re-enters, a late one runs out.
#[test]
fn timings_of_s2_that_re_enter_are_found() {
    let folder = Folder::new();
    let run = "heart window --size 100,100 --dx 4 --D 0.3 --alpha 0.05 --dt 0.5 --quiet";
    let scan = "--from 380 --to 620 --tries 4 --resolution 24 --watch 700";
    let report = folder.run(&format!("{run} {scan} --json - --csv w.csv")).exits(0).report();
    assert_eq!(report["windows"].as_array().unwrap().len(), 1, "{report}");
    let [first, last] = [0, 1].map(|k| number(&report, &format!("/windows/0/{k}")));
    assert!((400.0..450.0).contains(&first) && (550.0..600.0).contains(&last), "{first} {last}");
    let tries = report["tries"].as_array().unwrap();
    for pair in tries.windows(2) {
        let [a, b] = [0, 1].map(|k| pair[k]["timing"].as_f64().unwrap());
        assert!(a < b && (pair[0]["reenters"] == pair[1]["reenters"] || b - a <= 24.0), "{report}");
    }
    assert!(tries[0]["rest_after"].as_f64().unwrap() > 0.0 && tries[0]["reenters"] == false, "{report}");
    assert_eq!(folder.read("w.csv").lines().count(), 1 + tries.len());
    for (arguments, words) in [
        ("--s2 box=0,0,0,9,9,0;at=3", &["--s2", "has a time"][..]),
        ("--s2 all;current=1;for=2", &["--s2 sets a potential"]),
        ("--from 300 --to 200", &["--from 300 is later than --to 200"]),
        ("--tries 1", &["--tries 1"]),
        ("--stimulus none", &["no S1"]),
    ] {
        folder.run(&format!("{run} {arguments}")).fails_saying(words);
    }
    folder.run("heart window --geometry slab --dx 1").fails_saying(&["--s2 is missing"]);
}
