//! `galerkit solve`: exit codes, reports, files, and what is said where.

use super::Folder;
use serde_json::Value;

/// Keys that other programs rely on.
const KEYS: [&str; 38] = [
    "outcome",
    "converged",
    "method",
    "method_reason",
    "tried",
    "products",
    "vectors",
    "preconditioner",
    "preconditioner_reason",
    "triangular",
    "triangular_reason",
    "format",
    "device",
    "device_reason",
    "explanation",
    "iteration_bytes",
    "precision",
    "rows",
    "nnz",
    "iterations",
    "recursive_residual",
    "true_residual",
    "backward_error",
    "history",
    "setup_seconds",
    "transfer_seconds",
    "setup_stages",
    "solve_seconds",
    "bytes_moved",
    "bandwidth_fraction",
    "ordering",
    "ordering_reason",
    "threads",
    "restarts",
    "advice",
    "deterministic",
    "rhs_norm",
    "rtol",
];

#[test]
fn exit_codes_tell_converged_from_not() {
    let folder = Folder::new();
    folder.run("solve gallery:poisson2d?n=10").exits(0);
    let ran = folder.run("solve gallery:poisson2d?n=10 --max-iterations 3 --json -").exits(1);
    assert_eq!(ran.report()["outcome"], "iteration_limit");
    assert_eq!(ran.report()["iterations"], 3);
    folder.run("solve gallery:poisson2d?n=10 --max-iterations 0").exits(1);
    folder.run("solve").exits(0);
}

#[test]
fn the_default_problem_fills_a_folder_that_it_names() {
    let folder = Folder::new();
    let ran = folder.run("solve --max-iterations 5").exits(1);
    let name = "results/poisson3d-n64-stencil27";
    assert!(ran.stdout.contains(name), "{}", ran.stdout);
    let report = folder.json(&format!("{name}/report.json"));
    assert_eq!((&report["rows"], &report["nnz"]), (&Value::from(262_144), &Value::from(6_859_000)));
    assert!(folder.read(&format!("{name}/residual.svg")).contains("</svg>"));
    assert_eq!(folder.read(&format!("{name}/history.csv")).lines().count(), 1 + 6);
}

#[test]
fn reports_have_their_stable_keys_whatever_the_method() {
    let folder = Folder::new();
    for method in ["auto", "cg", "lu", "cholesky", "dense"] {
        let ran = folder.run(&format!("solve gallery:poisson2d?n=10 --method {method} --json -")).exits(0);
        let report = ran.report();
        for key in KEYS {
            assert!(report.get(key).is_some(), "{method}: {key}");
        }
        let wanted = if method == "auto" { "cholesky" } else { method };
        assert_eq!(report["method"], wanted);
        assert_eq!(report["outcome"], "converged");
        assert!(report["true_residual"].as_f64().unwrap() <= 1e-8, "{method}");
        let history = report["history"].as_array().unwrap();
        assert_eq!(history.len() as u64, report["iterations"].as_u64().unwrap() + 1);
        assert_eq!(history[0], 1.0);
    }
}

#[test]
fn every_krylov_method_solves_a_small_problem() {
    let folder = Folder::new();
    let symmetric = ["cg", "fcg", "pipecg", "minres"].map(|method| (method, "gallery:poisson2d?n=10"));
    let general = ["bicgstab", "idr:4", "gcr:30", "orthodir:30", "gmres:30", "cbgmres:30", "fgmres:30"];
    let problems = ["gallery:poisson2d?n=10", "gallery:convection_diffusion2d?n=12"];
    let general = general.into_iter().flat_map(|method| problems.map(|problem| (method, problem)));
    for (method, problem) in symmetric.into_iter().chain(general) {
        for device in ["cpu", "reference"] {
            let ran = folder.run(&format!("solve {problem} --method {method} --device {device} --json -")).exits(0);
            let report = ran.report();
            assert_eq!(report["outcome"], "converged", "{method} on {problem}");
            assert_eq!((&report["method"], &report["method_reason"]), (&method.into(), &"asked for".into()));
            assert!(report["true_residual"].as_f64().unwrap() <= 1e-8, "{method} on {problem}");
            let (iterations, products) = (report["iterations"].as_u64().unwrap(), report["products"].as_u64().unwrap());
            assert_eq!(products, if method == "bicgstab" { 2 * iterations } else { iterations }, "{method}");
            assert_eq!(report["history"].as_array().unwrap().len() as u64, iterations + 1);
            let tried = report["tried"].as_array().unwrap();
            assert_eq!(
                (tried.len(), &tried[0]["method"], &tried[0]["outcome"]),
                (1, &method.into(), &"converged".into())
            );
            assert_eq!(report["iteration_bytes"].is_u64(), device == "cpu", "{method}");
        }
    }
}

#[test]
fn a_method_that_fails_is_followed_by_another_and_the_report_says_so() {
    let folder = Folder::new();
    // The eigenvalues are -1 and 3: symmetric with a positive diagonal, and yet indefinite.
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 1.0), (1, 2, 2.0), (2, 1, 2.0), (2, 2, 1.0)]);
    folder.file("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n0\n");
    let ran = folder.run("solve a.mtx --rhs b.mtx --precond none --json - -o x.mtx").exits(0);
    let report = ran.report();
    let tried: Vec<(&str, &str)> = report["tried"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| {
            assert!(attempt["iterations"].is_u64() && attempt["true_residual"].is_f64());
            (attempt["method"].as_str().unwrap(), attempt["outcome"].as_str().unwrap())
        })
        .collect();
    assert_eq!(tried, [("cg", "not_positive_definite"), ("lu", "converged")]);
    let reason = report["method_reason"].as_str().unwrap();
    assert!(reason.contains("cg was first") && reason.contains("not positive definite"), "{reason}");
    assert!(ran.stderr.contains("method lu:"), "{}", ran.stderr);
    let x = folder.vector("x.mtx");
    assert!((x[0] + 1.0 / 3.0).abs() < 1e-8 && (x[1] - 2.0 / 3.0).abs() < 1e-8, "{x:?}");
    assert!(!folder.run("solve a.mtx --rhs b.mtx --quiet").exits(0).stderr.contains("method"));
}

#[test]
fn the_answer_of_a_system_solved_by_hand() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 2, &[(1, 1, 4.0), (1, 2, 2.0), (2, 1, 2.0), (2, 2, 4.0)]);
    folder.file("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n8\n10\n");
    for method in ["cg", "lu", "cholesky", "dense"] {
        folder.run(&format!("solve a.mtx --rhs b.mtx --method {method} -o x.mtx")).exits(0);
        let x = folder.vector("x.mtx");
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14, "{method}: {x:?}");
    }
}

#[test]
fn one_by_one_and_a_zero_right_hand_side() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 1, 1, &[(1, 1, 4.0)]);
    folder.run("solve a.mtx -o x.mtx").exits(0);
    assert_eq!(folder.vector("x.mtx"), [0.25]);
    folder.file("zero.mtx", "%%MatrixMarket matrix array real general\n1 1\n0\n");
    for method in ["cg", "lu", "dense"] {
        folder.run(&format!("solve a.mtx --rhs zero.mtx --method {method} -o x.mtx")).exits(0);
        assert_eq!(folder.vector("x.mtx"), [0.0]);
    }
}

#[test]
fn files_are_written_as_asked() {
    let folder = Folder::new();
    let names = "-o x.mtx.gz --history h.csv --plot r.svg --json r.json";
    let ran = folder.run(&format!("solve gallery:poisson2d?n=10 --method cg {names}")).exits(0);
    assert_eq!(ran.stdout.lines().count(), 1, "one line when piped: {}", ran.stdout);
    assert_eq!(ran.stderr, "device cpu: 460 entries are too few for a GPU, which pays from 50000\n", "nothing else");
    assert_eq!(folder.names(), ["h.csv", "r.json", "r.svg", "x.mtx.gz"]);
    let iterations = folder.json("r.json")["iterations"].as_u64().unwrap();
    let history = folder.read("h.csv");
    assert_eq!(history.lines().next(), Some("iteration,relative_residual"));
    assert_eq!(history.lines().nth(1), Some("0,1e0"));
    assert_eq!(history.lines().count() as u64, iterations + 2);
    let plot = folder.read("r.svg");
    for word in ["poisson2d?n=10", "cg + jacobi", "tolerance 1e-8", "relative residual", "iteration"] {
        assert!(plot.contains(&word.replace('&', "&amp;")), "{word}");
    }
    folder.run("solve gallery:poisson2d?n=10 --rhs x.mtx.gz").exits(0);
}

#[test]
fn standard_input_and_standard_output_make_a_pipe() {
    let folder = Folder::new();
    folder.run("convert gallery:poisson1d?n=9 A.mtx.gz").exits(0);
    let ran = folder.shell("gzip -dc A.mtx.gz | galerkit solve - --json -").exits(0);
    assert_eq!(ran.report()["rows"], 9);
    let packed = folder.shell("galerkit solve - --json - < A.mtx.gz").exits(0);
    assert_eq!(packed.report()["nnz"], 25);
}

#[test]
fn colours_are_for_terminals_and_for_those_who_insist() {
    let folder = Folder::new();
    assert!(!folder.run("info gallery:poisson1d?n=3").exits(0).stdout.contains('\x1b'));
    assert!(folder.run("info gallery:poisson1d?n=3 --color always").exits(0).stdout.contains('\x1b'));
    assert!(!folder.run("info gallery:poisson1d?n=3 --color never").exits(0).stdout.contains('\x1b'));
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let folder = Folder::new();
    let ran = folder.shell("(galerkit completions bash; echo code $? >&2) | true");
    assert!(ran.stderr.trim() == "code 0", "{}", ran.stderr);
}

#[test]
fn triangular_solves_by_name_and_what_contradicts() {
    let folder = Folder::new();
    let problem = "solve gallery:poisson2d?n=20 --method cg";
    let report = |options: &str| folder.run(&format!("{problem} {options} --json -")).exits(0).report();
    let (exact, swept) = (report("--precond ic0"), report("--precond ic0 --triangular sweeps:1"));
    assert_eq!((&exact["triangular"], &swept["triangular"]), (&"exact".into(), &"sweeps:1".into()));
    assert!(swept["iterations"].as_u64() > exact["iterations"].as_u64());
    assert_eq!(report("--precond ilu0-sweeps:3")["triangular"], "sweeps:3");
    assert_eq!(report("--precond ic0:swept:1")["iterations"], swept["iterations"]);
    assert_eq!(swept["preconditioner"], "ic0:swept:1");
    let coloured = report("--precond ic0:coloured");
    assert_eq!((&coloured["preconditioner"], &coloured["ordering"]), (&"ic0:coloured".into(), &"colours".into()));
    assert_eq!(report("--precond ic0:auto")["preconditioner"], "ic0");
    assert_eq!(report("--precond ilu0-blocks:2")["triangular"], "exact");
    assert_eq!(report("--precond ilu0-blocks:2 --triangular sweeps:2")["triangular"], "sweeps:2");
    assert_eq!(report("--precond jacobi")["triangular"], "none");
    let text = folder.run(&format!("{problem} --precond ic0 --triangular sweeps --explain")).exits(0).stdout;
    assert!(text.contains("sweeps:3: asked for"), "{text}");
    for (options, words) in [
        ("--precond ilu0-sweeps:3 --triangular exact", ["exact contradicts", "hint: leave --triangular out"]),
        ("--precond ic0:coloured --ordering rcm", ["the ordering rcm contradicts", "hint: leave --ordering out"]),
        ("--precond jacobi:coloured", ["jacobi:coloured", "swept:N, coloured, matched, auto"]),
        ("--precond ssor --triangular sweeps:2", ["ssor:1 is no incomplete factorisation", "choose ilu0"]),
        ("--precond ilu0-blocks:401", ["blocks = 401 for 400 rows", "no more than the matrix has rows"]),
        ("--precond ilu0 --triangular sweep", ["sweep", "auto, exact, sweeps:N"]),
        ("--precond ilu0 --triangular sweeps:1000", ["sweeps = 1000", "0 to 100 times"]),
    ] {
        folder.run(&format!("{problem} {options}")).fails_saying(&words);
    }
}

/// Values of the report are typed in Rust and names in JSON: programs that read it must find the names that people
/// type.
#[test]
fn the_json_report_has_names_for_values() {
    let folder = Folder::new();
    let chosen =
        "--method gmres:20 --precond ilu0 --triangular sweeps:2 --format csr --ordering rcm --device reference";
    let report = folder.run(&format!("solve gallery:poisson2d?n=10 {chosen} --json -")).exits(0).report();
    let names = [
        ("outcome", "converged"),
        ("method", "gmres:20"),
        ("preconditioner", "ilu0:swept:2"),
        ("triangular", "sweeps:2"),
        ("format", "csr"),
        ("ordering", "rcm"),
        ("device", "reference"),
        ("precision", "f64"),
    ];
    for (key, name) in names {
        assert_eq!(report[key], name, "{key}");
    }
    assert_eq!(report["host_products"], 0);
    let hybrid = "--precond inner:cg,rtol=0.01 --method vpgcr:8 --precision hybrid";
    let report = folder.run(&format!("solve gallery:poisson2d?n=10 {hybrid} --json -")).exits(0).report();
    assert_eq!((&report["preconditioner"], &report["precision"]), (&"inner:cg,rtol=0.01".into(), &"f64+f32".into()));
    let inner = &report["inner"];
    assert_eq!([&inner["method"], &inner["preconditioner"], &inner["precision"]], ["cg", "jacobi", "f32"]);
    let dense = folder.run("solve gallery:poisson1d?n=5 --method dense --json -").exits(0).report();
    assert_eq!([&dense["format"], &dense["triangular"], &dense["preconditioner"]], ["dense", "none", "none"]);
}

#[test]
fn the_old_name_of_residual_replacement_still_does() {
    let folder = Folder::new();
    for flag in
        ["--residual-replacement never", "--exact-residual 0", "--exact-residual 7", "--residual-replacement auto"]
    {
        folder.run(&format!("solve gallery:poisson2d?n=10 --method cg {flag}")).exits(0);
    }
    folder.run("solve gallery:poisson2d?n=10 --residual-replacement sometimes").exits(2);
}
