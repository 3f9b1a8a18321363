//! What runs leave behind: pictures at the times asked for, reports of what was done, states that nobody has changed.

use super::number;
use crate::Folder;

fn header(folder: &Folder, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.path().join(name)).unwrap()[..1024]).into_owned()
}

fn times(folder: &Folder, name: &str) -> Vec<f64> {
    let list = folder.read(name);
    list.split("timestep=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

/// Slices stood at 0, 12 and 24 ms behind a header that said every 10, and at 0 where a run had gone on.
#[test]
fn pictures_are_at_the_times_that_were_asked_for_and_headers_are_true() {
    let folder = Folder::new();
    let run = "heart --geometry slab --dx 1 --every 4 --picture-every 10 --quiet";
    folder.run(&format!("{run} --end 30 --igb a.igb --pvd a.pvd --traces s.csv")).exits(0);
    let whole = header(&folder, "a.igb");
    for words in [" t:4 ", "org_t:0 ", "dim_t:30 ", "inc_t:10\r"] {
        assert!(whole.contains(words), "{words} in {whole}");
    }
    assert_eq!(times(&folder, "a.pvd"), [0.0, 10.0, 20.0, 30.0]);
    assert_eq!(folder.read("s.csv").lines().count(), 10, "looks are where they were");
    folder.run(&format!("{run} --end 16 --checkpoint state --igb b.igb")).exits(0);
    assert!(header(&folder, "b.igb").contains(" t:2 "));
    folder.run(&format!("{run} --end 30 --resume state --igb b.igb --pvd b.pvd")).exits(0);
    let resumed = header(&folder, "b.igb");
    for words in [" t:2 ", "org_t:20 ", "dim_t:10 ", "inc_t:10\r"] {
        assert!(resumed.contains(words), "{words} in {resumed}");
    }
    assert_eq!(times(&folder, "b.pvd"), [20.0, 30.0]);
    let [whole, resumed] = ["a.igb", "b.igb"].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert!(whole[1024 + 2 * 4 * 672..] == resumed[1024..], "other slices");
}

/// Pictures between steps are moved to steps, which is said, and files know it.
#[test]
fn pictures_between_steps_are_whole_steps_apart() {
    let folder = Folder::new();
    let run = "heart --geometry slab --dx 1 --dt 0.4 --every 4 --picture-every 3 --end 10 --igb a.igb --pvd a.pvd";
    let ran = folder.run(run).exits(0);
    assert!(ran.stderr.contains("3.2 ms apart"), "{}", ran.stderr);
    assert!(header(&folder, "a.igb").contains("inc_t:3.2\r") && header(&folder, "a.igb").contains(" t:4 "));
    let expected = [0.0, 3.2, 6.4, 9.6];
    assert!(times(&folder, "a.pvd").iter().zip(expected).all(|(time, known)| (time - known).abs() < 1e-9));
}

/// Steps were those of the whole run with `strang`, iterations and seconds those of the rest.
#[test]
fn a_resumed_run_reports_what_it_did_itself() {
    let folder = Folder::new();
    for scheme in ["strang", "newton"] {
        let run = format!("heart --geometry slab --dx 1 --scheme {scheme} --every 4");
        folder.run(&format!("{run} --end 12 --checkpoint state --quiet")).exits(0);
        let report = folder.run(&format!("{run} --end 20 --resume state --json -")).exits(0).report();
        for (key, expected) in [("resumed_at_ms", 12.0), ("end", 20.0), ("steps", 32.0), ("mean_step", 0.25)] {
            assert_eq!(number(&report, &format!("/{key}")), expected, "{scheme}: {key}");
        }
        let per_second = number(&report, "/run_seconds") / 0.008;
        let said = number(&report, "/wall_seconds_per_simulated_second");
        assert!((said / per_second - 1.0).abs() < 1e-9, "{said} {per_second}");
        let ran = folder.run(&format!("{run} --end 20 --resume state")).exits(0);
        assert!(ran.stdout.contains("since the resume at 12 ms"), "{}", ran.stdout);
        let over = folder.run(&format!("{run} --end 12 --resume state --json -")).exits(0).report();
        assert!(number(&over, "/steps") == 0.0 && over["wall_seconds_per_simulated_second"].is_null(), "{over}");
        let ran = folder.run(&format!("{run} --end 12 --resume state")).exits(0);
        assert!(ran.stdout.contains("nothing was left to do"), "{}", ran.stdout);
        let whole = folder.run(&format!("{run} --end 12 --json -")).exits(0).report();
        assert!(whole["resumed_at_ms"].is_null() && number(&whole, "/steps") == 48.0, "{whole}");
    }
}

/// A look that stood at a step before its time was taken again.
#[test]
fn a_resumed_run_looks_when_the_whole_one_did() {
    let folder = Folder::new();
    for scheme in ["strang", "newton"] {
        let run = format!("heart --geometry cable --dx 2 --dt 0.4 --every 0.9 --scheme {scheme} --quiet");
        folder.run(&format!("{run} --end 9 --traces whole.csv")).exits(0);
        folder.run(&format!("{run} --end 0.9 --checkpoint state")).exits(0);
        folder.run(&format!("{run} --end 9 --resume state --traces resumed.csv")).exits(0);
        assert_eq!(folder.read("whole.csv"), folder.read("resumed.csv"), "{scheme}");
    }
}

/// Some bits of a state could be flipped and the run went on to other numbers.
#[test]
fn a_state_with_a_flipped_bit_is_refused() {
    let folder = Folder::new();
    let run = "heart --geometry cable --dx 4 --end 4 --every 2 --quiet";
    folder.run(&format!("{run} --checkpoint state")).exits(0);
    folder.run(&format!("{run} --live --speed max --journal j.jsonl --checkpoint live")).exits(0);
    for (name, resume) in [("state", "--resume"), ("live", "--replay j.jsonl --resume")] {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        let begin = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let places = [begin, begin + 9, (begin + whole.len()) / 2, whole.len() - 100, whole.len() - 1];
        for (place, bit) in places.into_iter().zip([0, 3, 4, 6, 7]) {
            let mut flipped = whole.clone();
            flipped[place] ^= 1 << bit;
            std::fs::write(&path, flipped).unwrap();
            folder.run(&format!("{run} {resume} {name}")).fails_saying(&[name, "checksum"]);
        }
        std::fs::write(&path, &whole[..whole.len() - 8]).unwrap();
        folder.run(&format!("{run} {resume} {name}")).fails_saying(&[name, "checksum"]);
        std::fs::write(&path, &whole).unwrap();
        folder.run(&format!("{run} {resume} {name}")).exits(0);
    }
    folder.file("state", "galerkit heart checkpoint 1\n");
    folder.run(&format!("{run} --resume state")).fails_saying(&["an earlier version"]);
}
