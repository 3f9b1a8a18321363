//! Ctrl-C: the iteration stops, files are whole or absent, the exit code is 130.

use super::{Folder, Ran};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Starts the program, sends SIGINT after a while, waits for its end.
fn interrupted(folder: &Folder, arguments: &str, after: Duration) -> Ran {
    let mut command = folder.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(after);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    Ran::new(arguments, child.wait_with_output().unwrap())
}

#[test]
fn an_iteration_stops_and_writes_what_it_has_whole() {
    let folder = Folder::new();
    let endless = "solve gallery:poisson3d?n=60&stencil=27 --rtol 0 --max-iterations 1000000000 --no-bandwidth";
    let files = "-o x.mtx --json r.json --history h.csv";
    // A signal that comes before the iteration has begun ends the program, with nothing to write: later ones then.
    for seconds in [2, 4, 8, 16, 32, 64, 128] {
        let ran = interrupted(&folder, &format!("{endless} {files}"), Duration::from_secs(seconds)).exits(130);
        let is_said = |said: &str| ran.stderr.contains(said);
        assert!(is_said("stopping after this iteration") || is_said("interrupted"), "{}", ran.stderr);
        if !folder.names().is_empty() {
            break;
        }
    }
    assert_eq!(folder.names(), ["h.csv", "r.json", "x.mtx"]);
    assert_eq!(folder.vector("x.mtx").len(), 216_000);
    let report = folder.json("r.json");
    assert_eq!(report["outcome"], "interrupted");
    assert_eq!(report["converged"], false);
    assert_eq!(folder.read("h.csv").lines().count() as u64, report["iterations"].as_u64().unwrap() + 2);
}

#[test]
fn a_file_under_way_disappears() {
    let folder = Folder::new();
    for milliseconds in [300, 900, 1500] {
        let arguments = "convert gallery:poisson3d?n=70&stencil=27 A.mtx.gz";
        let ran = interrupted(&folder, arguments, Duration::from_millis(milliseconds));
        match ran.code {
            130 => assert_eq!(folder.names(), [""; 0], "after {milliseconds} ms"),
            code => assert_eq!((code, folder.names()), (0, vec!["A.mtx.gz".to_string()]), "it was faster"),
        }
        let _ = std::fs::remove_file(folder.path().join("A.mtx.gz"));
    }
}

/// The signal comes while the new file is being written, which its temporary name shows.
#[test]
fn a_file_that_was_there_stays_whole() {
    let folder = Folder::new();
    folder.file("A.mtx", "old");
    let arguments = "convert gallery:poisson3d?n=70&stencil=27 A.mtx";
    let mut command = folder.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    while folder.names().len() == 1 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ran = Ran::new(arguments, child.wait_with_output().unwrap());
    assert_eq!(folder.names(), ["A.mtx"], "no temporary file remains");
    match ran.code {
        130 => assert_eq!(folder.read("A.mtx"), "old"),
        code => assert!(code == 0 && folder.read("A.mtx").starts_with("%%MatrixMarket"), "it was faster"),
    }
}

/// The table of passes was lost, and nothing was written.
#[test]
fn an_adaptive_loop_shows_the_passes_it_has_done() {
    let folder = Folder::new();
    let endless = "poisson --domain fichera --adapt 1e-9 --json r.json --vtu u.vtu --plot c.svg";
    // A signal before the first pass is done ends it with nothing to show: later ones then.
    for seconds in [1, 2, 4, 8, 16, 32, 64] {
        let ran = interrupted(&folder, endless, Duration::from_secs(seconds)).exits(130);
        if folder.names().is_empty() {
            continue;
        }
        assert_eq!(folder.names(), ["c.svg", "r.json", "u.vtu"]);
        let report = folder.json("r.json");
        let points = report["curves"][0]["points"].as_array().unwrap();
        assert!(report["converged"] == false && report["tolerance_reached"] == false && !points.is_empty(), "{report}");
        assert_eq!(report["unknowns"], points[points.len() - 1]["unknowns"]);
        assert!(ran.stdout.lines().count() > points.len(), "a line a pass: {}", ran.stdout);
        return;
    }
    panic!("no pass in a minute");
}

#[test]
fn elimination_does_not_listen_and_is_ended() {
    let folder = Folder::new();
    // Takes minutes; the program would write x if it waited for its end.
    let arguments = "solve gallery:convection_diffusion3d?n=60 --method lu -o x.mtx";
    interrupted(&folder, arguments, Duration::from_secs(2)).exits(130);
    assert_eq!(folder.names(), [""; 0]);
}
