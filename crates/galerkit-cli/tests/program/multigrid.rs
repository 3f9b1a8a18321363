//! Algebraic multigrid from the command line: reports of levels, near-null vectors from files, what is refused.

use super::Folder;

#[test]
fn levels_are_reported_as_json() {
    let report = Folder::new().run("solve gallery:poisson2d?n=64 --method cg --precond amg --json -").exits(0).report();
    let multigrid = &report["multigrid"];
    let levels = multigrid["levels"].as_array().expect("levels");
    let of = |key: &str| levels.iter().map(|level| level[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("rows"), [4096, 585, 74]);
    assert_eq!(of("nnz"), [20224, 5947, 1016]);
    assert_eq!(of("rounds"), [8, 11, 0]);
    assert_eq!((&levels[0]["aggregates"], &levels[1]["aggregates"]), (&585.into(), &74.into()));
    assert!(levels[2]["aggregates"].is_null() && levels[2]["checksum"].is_null());
    assert_eq!(levels[0]["checksum"], "450630622e075661");
    for key in ["rows", "nnz", "aggregates", "outside", "rounds", "checksum", "seconds", "bytes"] {
        assert!(levels.iter().all(|level| level.get(key).is_some()), "{key}");
    }
    assert!(
        levels.iter().all(|level| level["seconds"].as_f64().unwrap() >= 0.0 && level["bytes"].as_u64().unwrap() > 0)
    );
    for key in ["operator_complexity", "grid_complexity", "cycle", "seconds", "bytes", "notes"] {
        assert!(multigrid.get(key).is_some(), "{key}");
    }
    assert!((multigrid["operator_complexity"].as_f64().unwrap() - 1.34).abs() < 0.01);
    assert_eq!(multigrid["cycle"], "V");
    assert!(report["iterations"].as_u64().unwrap() <= 12);
    let other = Folder::new().run("solve gallery:poisson2d?n=10 --method cg --precond jacobi --json -").exits(0);
    assert!(other.report()["multigrid"].is_null());
}

#[test]
fn near_null_vectors_come_from_files() {
    let folder = Folder::new();
    let n = 40;
    let parity = |i: usize| if (i % n + i / n).is_multiple_of(2) { 1.0 } else { -1.0 };
    let beside = |i: usize| {
        let (x, y) = (i % n, i / n);
        let mut list = Vec::new();
        list.extend((x > 0).then(|| i - 1).into_iter().chain((x + 1 < n).then_some(i + 1)));
        list.extend((y > 0).then(|| i - n).into_iter().chain((y + 1 < n).then_some(i + n)));
        list
    };
    // all entries positive: the constant is no near-null vector, the signs of a chessboard are
    let entries: Vec<(usize, usize, f64)> = (0..n * n)
        .flat_map(|i| {
            std::iter::once((i + 1, i + 1, 4.0)).chain(beside(i).into_iter().map(move |j| (i + 1, j + 1, 1.0)))
        })
        .collect();
    folder.matrix("A.mtx", n * n, n * n, &entries);
    let signs: String = (0..n * n).map(|i| format!("{}\n", parity(i))).collect();
    folder.file("v.mtx", &format!("%%MatrixMarket matrix array real general\n{} 1\n{signs}", n * n));
    let count = |words: &str| {
        let line = format!("solve A.mtx --method cg --precond amg,coarse=100 --json - {words}");
        folder.run(&line).exits(0).report()["iterations"].as_u64().unwrap()
    };
    let (plain, told) = (count(""), count("--near-null v.mtx"));
    assert!(told <= 12 && plain > 2 * told, "{plain} without, {told} with it");
    let auto = folder.run("solve A.mtx --method cg --near-null v.mtx --json -").exits(0).report();
    assert_eq!(auto["preconditioner"], "amg");
    assert!(auto["preconditioner_reason"].as_str().unwrap().contains("near-null"));
    folder.file("short.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
    folder.run("solve A.mtx --precond amg --near-null short.mtx").fails_saying(&["near-null", "1600", "2"]);
    folder.run("solve A.mtx --precond amg --near-null none.mtx").fails_saying(&["near-null", "none.mtx"]);
    folder.run("solve A.mtx --precond amg,block=2 --ordering rcm").fails_saying(&[
        "ordering",
        "rcm",
        "rows of a node together",
    ]);
    folder.run("solve A.mtx --precond amg,block=3").fails_saying(&["block", "divide"]);
}

/// Levels and notes were in the JSON report alone.
#[test]
fn levels_and_notes_are_said_as_text() {
    let folder = Folder::new();
    let line = "solve gallery:poisson2d?n=64 --method cg --precond amg";
    let said = folder.run(&format!("{line} --explain")).exits(0).stdout;
    for words in ["3 levels: 4096, 585, 74 rows; V-cycle; operator complexity 1.34", "585 rows, 5947 entries, 74 agg"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let stuck = "solve gallery:poisson2d?n=64 --method cg --precond amg,levels=1";
    assert!(folder.run(stuck).exits(0).stderr.contains("note: multigrid, coarsening ended at 4096 rows"));
    assert!(!folder.run(&format!("{stuck} -q")).exits(0).stderr.contains("coarsening ended"));
}

/// Reports of solves whose inner solve is preconditioned by multigrid had no levels.
#[test]
fn levels_of_an_inner_solve_are_reported() {
    let folder = Folder::new();
    for way in [
        "--method fcg --precond inner:cg,precond=amg",
        "--method vpgcr --precond inner:cg,precond=amg",
        "--method cg --precond amg --precision hybrid",
    ] {
        let report = folder.run(&format!("solve gallery:poisson2d?n=64 {way} --json -")).exits(0).report();
        let levels = report["multigrid"]["levels"].as_array().unwrap_or_else(|| panic!("{way}: {report}"));
        assert_eq!(levels.iter().map(|level| level["rows"].clone()).collect::<Vec<_>>(), [4096, 585, 74], "{way}");
    }
}

/// Above four million entries `info` was silent about multigrid, and where the matrix is refused.
#[test]
fn info_says_why_there_is_no_hierarchy() {
    let folder = Folder::new();
    let large = "info gallery:poisson3d?n=54&stencil=27";
    let said = folder.run(large).exits(0).stdout;
    assert!(said.contains("not set up: 4") && said.contains("--multigrid asks for it"), "{said}");
    let report = folder.run(&format!("{large} --json")).exits(0).report();
    assert!(report["multigrid"].is_null() && report["multigrid_reason"].as_str().unwrap().contains("--multigrid"));
    let said = folder.run(&format!("{large} --multigrid")).exits(0).stdout;
    assert!(said.contains("levels: 157464, "), "{said}");
    folder.matrix("Z.mtx", 2, 2, &[(1, 1, 0.0), (1, 2, 1.0), (2, 1, 1.0), (2, 2, 1.0)]);
    let said = folder.run("info Z.mtx").exits(0).stdout;
    assert!(said.contains("refused: row 1 has a zero or missing diagonal"), "{said}");
}

/// A triangle of triangles: a mesh that is no square grid.
#[test]
fn aggregates_of_a_mesh_are_drawn_where_its_unknowns_are() {
    let folder = Folder::new();
    let n = 12;
    let number = |x: usize, y: usize| y * n - y * (y.max(1) - 1) / 2 + x + 1;
    let points: Vec<(usize, usize)> = (0..n).flat_map(|y| (0..n - y).map(move |x| (x, y))).collect();
    let mut entries: Vec<(usize, usize, f64)> = (1..=points.len()).map(|i| (i, i, 6.0)).collect();
    for &(x, y) in &points {
        let beside = [(x + 1, y), (x, y + 1)].into_iter().chain((x > 0).then(|| (x - 1, y + 1)));
        for (u, v) in beside.filter(|(u, v)| u + v < n) {
            let (i, j) = (number(x, y), number(u, v));
            entries.extend([(i, j, -1.0), (j, i, -1.0)]);
        }
    }
    folder.matrix("A.mtx", points.len(), points.len(), &entries);
    let column =
        |axis: fn(&(usize, usize)) -> f64| points.iter().map(axis).map(|v| format!("{v}\n")).collect::<String>();
    let (x, y) = (column(|p| p.0 as f64 + 0.5 * p.1 as f64), column(|p| 0.8 * p.1 as f64));
    folder.file("xy.mtx", &format!("%%MatrixMarket matrix array real general\n{} 2\n{x}{y}", points.len()));
    folder.run("info A.mtx --aggregates a.svg").fails_saying(&["square grids", "--coordinates"]);
    folder.run("info A.mtx --coordinates xy.mtx").fails_saying(&["--aggregates"]);
    folder.run("info A.mtx --aggregates a.svg --coordinates xy.mtx").exits(0);
    let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert_eq!(svg.matches("<circle").count(), points.len());
    let colours: std::collections::BTreeSet<&str> =
        svg.lines().filter(|line| line.contains("<circle")).filter_map(|line| line.split("fill=").nth(1)).collect();
    assert!(svg.contains(&format!("{} aggregates of {} rows", colours.len(), points.len())), "{}", colours.len());
    folder.run("info A.mtx --aggregates a.svg --coordinates A.mtx").fails_saying(&["A.mtx", "78 x 2"]);
}

/// SVG text was written into whatever was named.
#[test]
fn pictures_of_aggregates_are_svg_alone() {
    let folder = Folder::new();
    folder.run("info gallery:poisson2d?n=20 --aggregates a.png").fails_saying(&["a.png", ".svg"]);
    assert!(!folder.path().join("a.png").exists());
    folder.run("info gallery:poisson2d?n=20 --aggregates a.svg").exits(0);
}
