//! `galerkit info` and `galerkit convert`.

use super::Folder;

#[test]
fn info_counts_a_small_matrix_by_hand() {
    let folder = Folder::new();
    let entries = [(1, 1, 2.0), (1, 3, -1.0), (2, 2, 3.0), (3, 1, -1.0), (3, 3, 2.0), (4, 4, 1.0)];
    folder.matrix("a.mtx", 4, 4, &entries);
    let report = folder.run("info a.mtx --json").exits(0).report();
    assert_eq!(report["rows"], 4);
    assert_eq!(report["cols"], 4);
    assert_eq!(report["nnz"], 6);
    assert_eq!(report["kind"], "real");
    assert_eq!(report["symmetry"], "symmetric");
    assert_eq!(report["row_length"]["min"], 1);
    assert_eq!(report["row_length"]["max"], 2);
    assert_eq!(report["row_length"]["mean"], 1.5);
    assert_eq!(report["row_length"]["histogram"], serde_json::json!([[1, 1, 2], [2, 2, 2]]));
    assert_eq!(report["slots"]["csr"], 6);
    assert_eq!(report["slots"]["ell"], 8);
    assert_eq!(report["bandwidth"], 2);
    assert_eq!(report["definiteness"]["gershgorin"], serde_json::json!([1.0, 3.0]));
    assert!(report["definiteness"]["verdict"].as_str().unwrap().starts_with("positive definite"));
}

#[test]
fn info_tells_kinds_and_symmetries_apart() {
    let folder = Folder::new();
    folder.file("h.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 0 1\n");
    folder.file("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n");
    folder.file("i.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n");
    for (name, kind, field, symmetry) in [
        ("h.mtx", "complex", "complex", "hermitian"),
        ("p.mtx", "real", "pattern", "general"),
        ("i.mtx", "real", "integer", "skew-symmetric"),
    ] {
        let report = folder.run(&format!("info {name} --json")).exits(0).report();
        assert_eq!(
            (&report["kind"], &report["field"], &report["symmetry"]),
            (&kind.into(), &field.into(), &symmetry.into())
        );
    }
}

#[test]
fn info_shows_every_format_and_draws_a_spy_plot() {
    let folder = Folder::new();
    let ran = folder.run("info gallery:poisson2d?n=30 --spy spy.svg").exits(0);
    for word in ["900 x 900", "4 380", "symmetric", "csr", "sell:8:256", "k2rs", "█"] {
        assert!(ran.stdout.contains(word), "{word}: {}", ran.stdout);
    }
    let spy = folder.read("spy.svg");
    assert!(spy.contains("<path") && spy.contains("900 x 900") && spy.trim_end().ends_with("</svg>"));
}

#[test]
fn conversion_there_and_back_keeps_every_bit() {
    let folder = Folder::new();
    folder.run("convert gallery:tetra?n=5 A.mtx").exits(0);
    folder.run("convert A.mtx B.mtx.gz --symmetric").exits(0);
    folder.run("convert B.mtx.gz C.mtx").exits(0);
    assert_eq!(folder.read("A.mtx"), folder.read("C.mtx"));
    folder.run("convert A.mtx T.mtx --transpose").exits(0);
    assert_eq!(folder.read("A.mtx"), folder.read("T.mtx"), "a symmetric matrix is its transpose");
}

#[test]
fn reordering_narrows_the_band_and_keeps_the_solution_norm() {
    let folder = Folder::new();
    folder.run("convert gallery:tetra?n=8 A.mtx").exits(0);
    folder.run("convert A.mtx R.mtx --ordering rcm").exits(0);
    let bandwidth =
        |name: &str| folder.run(&format!("info {name} --json")).exits(0).report()["bandwidth"].as_u64().unwrap();
    assert!(2 * bandwidth("R.mtx") < bandwidth("A.mtx"));
    let norm = |name: &str| {
        folder.run(&format!("solve {name} --rtol 1e-12 -o x.mtx")).exits(0);
        folder.vector("x.mtx").iter().map(|v| v * v).sum::<f64>().sqrt()
    };
    assert!((norm("R.mtx") / norm("A.mtx") - 1.0).abs() < 1e-9);
}

#[test]
fn transposing_and_halving_are_checked() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 3, &[(1, 3, 7.0)]);
    folder.run("convert a.mtx t.mtx --transpose").exits(0);
    assert!(folder.read("t.mtx").contains("3 2 1\n3 1 7"));
    folder.run("convert a.mtx s.mtx --symmetric").fails_saying(&["general", "--symmetric"]);
    folder.run("convert a.mtx r.mtx --ordering rcm").fails_saying(&["square"]);
    assert_eq!(folder.names(), ["a.mtx", "t.mtx"]);
}
