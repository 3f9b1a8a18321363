//! Inner solves and hybrid precision from the command line.

use super::Folder;

#[test]
fn hybrid_solves_are_as_good_and_say_what_they_did() {
    let folder = Folder::new();
    let ran = folder.run("solve gallery:poisson2d?n=30 --method cg --precision hybrid --rtol 1e-12 --json -").exits(0);
    let report = ran.report();
    assert!(report["true_residual"].as_f64().unwrap() <= 1e-12);
    assert_eq!((&report["method"], &report["precision"]), (&"vpgcr:8".into(), &"f64+f32".into()));
    let inner = &report["inner"];
    assert_eq!((&inner["method"], &inner["precision"], &inner["discarded"]), (&"cg".into(), &"f32".into(), &0.into()));
    assert!(inner["iteration_bytes"].as_u64() < inner["full_iteration_bytes"].as_u64());
    assert_eq!(inner["per_solve"].as_array().unwrap().len() as u64, inner["solves"].as_u64().unwrap());
    let text = folder.run("solve gallery:poisson2d?n=30 --method cg --precision hybrid --explain").exits(0).stdout;
    assert!(text.contains(" inner)") && text.contains("inner solves") && text.contains("f64+f32: asked for"), "{text}");
    let small = folder.run("solve gallery:poisson2d?n=30 --method cg --precision auto --json -").exits(0).report();
    assert_eq!(small["precision"], "f64");
    assert!(small["precision_reason"].as_str().unwrap().contains("fits the cache"), "{small}");
    assert!(small["inner"].is_null());
}

#[test]
fn inner_solves_by_name() {
    let folder = Folder::new();
    let problem = "solve gallery:poisson2d?n=20 --json -";
    for (method, inner) in [
        ("vpgcr:8", "inner:increments,rtol=0.01"),
        ("fcg", "inner:cg,rtol=0.01,limit=50,precond=ssor:1.2"),
        ("gcr:5", "inner:bicgstab"),
        ("fgmres:5", "inner:jacobi,limit=20"),
    ] {
        let report = folder.run(&format!("{problem} --method {method} --precond {inner}")).exits(0).report();
        assert_eq!((&report["method"], &report["converged"]), (&method.into(), &true.into()));
        assert!(report["inner"]["iterations"].as_u64() >= report["inner"]["solves"].as_u64(), "{report}");
    }
    let bench = "bench krylov gallery:poisson2d?n=10 --methods vpgcr:5,fcg --precond inner:cg,rtol=0.01,inner:jacobi";
    let table = folder.run(&format!("{bench} --repetitions 1")).exits(0).stdout;
    assert!(table.contains("inner:cg,rtol=0.01") && table.contains("inner:jacobi,rtol=0.1"), "{table}");
}

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let folder = Folder::new();
    let problem = "solve gallery:poisson2d?n=5";
    for (options, words) in [
        ("--method cg --precond inner:jacobi", ["which cg cannot have", "choose the method fcg"]),
        ("--method gmres:7 --precond inner:jacobi", ["which gmres:7 cannot have", "choose the method fgmres:7"]),
        ("--method vpgcr --precond inner:vpgcr", ["vpgcr:30", "choose gcr:M"]),
        ("--method vpgcr --precond inner:jakobi", ["jakobi", "did you mean 'jacobi'?"]),
        ("--method vpgcr --precond inner:cg,rtol=1", ["rtol = 1", "between 0 and 1"]),
        ("--method vpgcr --precond inner:cg,tolerance=1", ["tolerance", "rtol, limit, precond"]),
        ("--method lu --precision hybrid", ["lu has no iterations", "hint: use --precision f64"]),
        ("--precision quadruple", ["quadruple", "auto, f64, f32, hybrid"]),
    ] {
        folder.run(&format!("{problem} {options}")).fails_saying(&words);
    }
    folder.run("bench spmv gallery:poisson1d?n=5 --precision hybrid").fails_saying(&["f64 or f32"]);
    folder.matrix("large.mtx", 2, 2, &[(1, 1, 1e39), (2, 2, 1.0)]);
    folder.run("solve large.mtx --method cg --precision hybrid").fails_saying(&[
        "(1, 1)",
        "overflows",
        "--precision f64",
    ]);
    folder.run("solve large.mtx --method cg --precision auto").exits(0);
}

/// The square of a 1D Laplacian, whose condition is beyond single precision.
#[test]
fn a_fallback_is_never_silent() {
    let folder = Folder::new();
    let n = 200;
    let entry = |i: usize, j: usize| match i.abs_diff(j) {
        0 if i == 1 || i == n => 5.0,
        0 => 6.0,
        1 => -4.0,
        _ => 1.0,
    };
    let near = |i: usize| (i.saturating_sub(2).max(1)..=(i + 2).min(n)).map(move |j| (i, j, entry(i, j)));
    folder.matrix("beam.mtx", n, n, &(1..=n).flat_map(near).collect::<Vec<_>>());
    let ran = folder.run("solve beam.mtx --method cg --precision hybrid --rtol 1e-5 --json -").exits(0);
    assert!(ran.stderr.contains("hybrid precision was first") && ran.stderr.contains("went on"), "{}", ran.stderr);
    assert_eq!(ran.report()["tried"][0]["method"], "hybrid vpgcr:8");
    assert_eq!(ran.report()["precision"], "f64");
}

#[test]
fn single_precision_names_hybrid_where_it_ends() {
    let folder = Folder::new();
    let ran = folder.run("solve gallery:poisson2d?n=40 --precision f32 --rtol 1e-10 --method cg --json -").exits(1);
    assert!(ran.report()["advice"].as_str().unwrap().contains("hybrid precision"), "{}", ran.stdout);
}
