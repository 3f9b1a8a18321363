//! `galerkit reproduce vpgcr`: the published counts beside ours, figures, speed-ups, and an exit code that means it.

use super::Folder;

const QUICK: &str = "reproduce vpgcr --device cpu --repetitions 1";

#[test]
fn the_table_is_printed_beside_the_published_one() {
    let ran = Folder::new().run(&format!("{QUICK} --gamma 0.8,0.2")).exits(0);
    let cells = |gamma: &str, place: &str| {
        let after =
            |line: &str| line.trim_start().strip_prefix(gamma)?.trim_start().strip_prefix(place).map(str::to_string);
        let cells = ran.stdout.lines().find_map(after)?;
        Some(cells.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(cells("0.2", "published").as_deref(), Some("57 (3) 57 (3) 36 (6) 36 (6)"), "{}", ran.stdout);
    assert_eq!(
        cells("0.8", "cpu, 1 core").as_deref(),
        Some("279 (3) = 279 (3) = 204 (7) = 204 (7) ="),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains(" entries equal (=), 0 within") && ran.stdout.contains(" 0 outside (!)"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("H over S") && ran.stdout.contains("hybrid over standard"));
    assert!(ran.stderr.contains("cpu, 1 core: 1 of 16, n 2048, gamma 0.2, S 1e-3: 57 sweeps"), "{}", ran.stderr);
}

#[test]
fn json_has_every_solve_and_the_verdict() {
    let ran = Folder::new().run(&format!("{QUICK} --gamma 0.4 --n 300 --quiet --json")).exits(0);
    assert_eq!(ran.stderr, "");
    let report = ran.report();
    let places = report["places"].as_array().unwrap();
    assert_eq!(places[0], "cpu, 1 core");
    assert_eq!((&report["reproduced"], &report["outside"], &report["within"]), (&true.into(), &0.into(), &0.into()));
    assert_eq!(report["equal"], 4 * places.len());
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), (10 + 6) * places.len());
    for row in rows {
        assert_eq!(row["outcome"], "converged");
        assert!(row["seconds"].as_f64().unwrap() > 0.0 && row["error"].as_f64().unwrap() < 1e-9);
        assert_eq!(row["r_max"].is_null(), row["form"] == "standard");
        assert_eq!(row["published"].is_null(), row["verdict"].is_null());
        let (n, gamma) = (row["n"].as_u64().unwrap(), row["gamma"].as_f64().unwrap());
        assert!((n, gamma) == (2048, 0.4) || (n, gamma) == (300, 0.8), "{row}");
    }
    let first = &rows[0];
    assert_eq!((&first["form"], &first["inner"], &first["outer"]), (&"standard".into(), &79.into(), &4.into()));
    assert_eq!((&first["published"]["inner"], &first["verdict"]), (&79.into(), &"equal".into()));
}

#[test]
fn figures_2_to_5_are_drawn() {
    let folder = Folder::new();
    folder.run(&format!("{QUICK} --gamma 0.2,0.4 --svg some/figures")).exits(0);
    let curves = |name: &str, points: usize, words: &[&str]| {
        let svg = folder.read(&format!("some/figures/{name}"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        let series = svg.matches("<circle").count() / (points + 1);
        assert_eq!(svg.matches("<circle").count(), series * (points + 1), "{name}: points and legend");
        words.iter().for_each(|word| assert!(svg.contains(word), "{name}: {word}"));
        series
    };
    assert!(curves("figure-2.svg", 5, &["gamma = 0.4", "hybrid on cpu, 1 core", "seconds"]) >= 2);
    assert_eq!(curves("figure-3.svg", 2, &["standard form", "times faster"]), 3);
    assert_eq!(curves("figure-4.svg", 2, &["hybrid form", "inner tolerance 1e-1"]), 3);
    assert_eq!(curves("figure-5.svg", 3, &["r_max", "gamma = 0.2"]), 2);
}

#[test]
fn what_cannot_be_meant_is_refused_before_anything_is_computed() {
    let folder = Folder::new();
    for gamma in ["1.5", "0", "-0.2", "nan"] {
        folder.run(&format!("{QUICK} --gamma 0.2,{gamma}")).fails_saying(&["--gamma", "at most 1"]);
    }
    folder.run(&format!("{QUICK} --n 0")).fails_saying(&["--n 0"]);
    folder.run("reproduce vpgcr --device toaster").fails_saying(&["toaster"]);
    folder.file("taken", "");
    folder.run(&format!("{QUICK} --gamma 0.2 --svg taken/figures")).fails_saying(&["taken/figures"]);
    assert_eq!(folder.run("reproduce").code, 2);
    assert_eq!(folder.run("reproduce vpgcr --gamma x").code, 2);
}
