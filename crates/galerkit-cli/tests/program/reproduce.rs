//! `galerkit reproduce`: published counts beside ours, figures, speed-ups, and an exit code that means it.

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

const SMALL: &str = "reproduce hpfem --device cpu --max-unknowns 500";

#[test]
fn solvers_of_hp_finite_elements_find_the_known_solution() {
    let ran = Folder::new().run(SMALL).exits(0);
    for word in ["cg + jacobi", "cg + ssor:1", "cholesky", "lu", "elimination", "coo", "csr", "no GPU: ", "set-up s"] {
        assert!(ran.stdout.contains(word), "{word}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains(" solves have found the known solution, up to "), "{}", ran.stdout);
    assert!(ran.stderr.contains("assembled in") && ran.stderr.contains("cpu, 1 core: "), "{}", ran.stderr);
}

#[test]
fn hp_solves_in_json_have_phases_that_add_up_and_errors() {
    let ran = Folder::new().run(&format!("{SMALL} --quiet --json")).exits(0);
    assert_eq!(ran.stderr, "");
    let report = ran.report();
    assert_eq!(report["reproduced"], true);
    assert!(report["no_gpu"].is_string(), "{}", report["no_gpu"]);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.len() >= 6);
    for row in rows {
        let parts: f64 =
            ["setup_seconds", "transfer_seconds", "loop_seconds"].iter().map(|key| number(&row[key])).sum();
        assert!((parts - number(&row["seconds"])).abs() < 1e-12 && number(&row["error"]) <= 1e-6, "{row}");
        assert_eq!((&row["skipped"], &row["outcome"]), (&serde_json::Value::Null, &"converged".into()));
    }
    for law in report["amdahl"].as_array().unwrap() {
        let [F, A_m, A] = ["fraction", "of_loop", "expected"].map(|key| number(&law[key]));
        assert!(F > 0.0 && F < 1.0 && (A - 1.0 / (1.0 - F + F / A_m)).abs() < 1e-9, "{law}");
    }
}

#[test]
fn times_and_speedups_of_hp_solves_are_drawn() {
    let folder = Folder::new();
    folder.run(&format!("{SMALL} --quiet --svg some/figures")).exits(0);
    let figures = [("times", "Time over the dimension"), ("speedups", "Speed-up over cpu, 1 core")];
    let some = if std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1) { 2 } else { 1 };
    for (name, words) in figures.into_iter().take(some) {
        let svg = folder.read(&format!("some/figures/{name}.svg"));
        assert!(svg.contains("<svg") && svg.contains(words), "{name}");
    }
}

#[test]
fn bad_limits_of_hp_solves_are_refused() {
    let refused = |line: &str| Folder::new().run(&format!("reproduce hpfem {line}"));
    refused("--max-unknowns 0").fails_saying(&["--max-unknowns 0 is not allowed"]);
    refused("--seconds -1").fails_saying(&["--seconds -1 is not allowed", "60"]);
    refused("--device nonsense").fails_saying(&["nonsense"]);
}

#[test]
fn the_operations_of_source_002_are_timed_and_drawn() {
    let folder = Folder::new();
    let line = "reproduce alinea --max-unknowns 400 --repetitions 1 --device cpu --svg figures --json -q";
    let report = folder.run(line).exits(0).report();
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["seconds"].as_f64().unwrap() > 0.0));
    for figure in 7..=14 {
        assert!(rows.iter().any(|row| row["figure"] == figure), "figure {figure}");
        let drawn = folder.read(&format!("figures/figure-{figure}.svg"));
        assert!(drawn.contains("Figure") && drawn.contains("at most (the source): "), "{drawn}");
    }
    let figure = folder.read("figures/figure-13.svg");
    assert!(["orthodir iteration c32 ", "(10), orthodir iteration c64 "].iter().all(|words| figure.contains(words)));
    let orthodir = |row: &&serde_json::Value| row["operation"] == "orthodir iteration" && row["scalar"] == "c64";
    assert_eq!(rows.iter().find(orthodir).unwrap()["published"], 10.0);
    folder.run("reproduce alinea --repetitions 0").fails_saying(&["--repetitions 0"]);
}
