//! `galerkit bench`: every format is measured, numbers are consistent, what does not fit is left out and said so.

use super::Folder;

#[test]
fn products_are_timed_in_every_format() {
    let folder = Folder::new();
    folder.run("bench spmv gallery:poisson2d?n=30 --repetitions 3 --json r.json --csv r.csv").exits(0);
    let report = folder.json("r.json");
    let rows = report["results"].as_array().unwrap();
    assert_eq!(rows.len(), 13);
    assert!(report["triad_bandwidth"].as_f64().unwrap() > 1e8);
    for row in rows {
        assert_eq!(row["least_bytes"], 12 * 4380 + 20 * 900);
        let (min, median) = (row["min_seconds"].as_f64().unwrap(), row["median_seconds"].as_f64().unwrap());
        assert!(0.0 < min && min <= median);
    }
    assert_eq!(folder.read("r.csv").lines().count(), 1 + 13);
}

#[test]
fn solves_are_timed_and_agree_on_the_iterations() {
    let folder = Folder::new();
    let ran = folder.run("bench cg gallery:poisson2d?n=20 --repetitions 1 --json -").exits(0);
    let report = ran.report();
    let rows = report["results"].as_array().unwrap();
    assert_eq!(rows.len(), 13);
    let iterations = |row: &serde_json::Value| row["iterations"].as_i64().unwrap();
    for row in rows {
        assert_eq!(row["outcome"], "converged");
        assert!((iterations(row) - iterations(&rows[0])).abs() <= 1);
    }
}

#[test]
fn a_format_that_does_not_fit_is_left_out_and_said_so() {
    let folder = Folder::new();
    folder.matrix("a.mtx", 2, 3, &[(1, 3, 7.0), (2, 1, 1.0)]);
    let ran = folder.run("bench spmv a.mtx --formats csr,k1r --repetitions 1 --json -").exits(0);
    assert_eq!(ran.report()["results"].as_array().unwrap().len(), 1);
    assert!(ran.stderr.contains("k1r") && ran.stderr.contains("left out"), "{}", ran.stderr);
    folder.run("bench spmv a.mtx --formats k1r --repetitions 1").exits(2);
}

#[test]
fn conversions_are_timed_and_never_pay_or_pay_after_a_whole_number_of_products() {
    let folder = Folder::new();
    let ran = folder.run("bench reorder gallery:tetra?n=6 --device cpu --repetitions 2 --csv r.csv --json -").exits(0);
    let report = ran.report();
    let rows = report["results"].as_array().unwrap();
    let forms: Vec<&str> = rows.iter().map(|row| row["form"].as_str().unwrap()).collect();
    assert_eq!(forms, ["k1", "k1r", "k1rs", "k2", "k2r", "k2rs"]);
    for row in rows {
        let seconds = |key: &str| row[key].as_f64().unwrap();
        assert_eq!(row["place"], "host", "no GPU was asked for");
        let gain = seconds("csr_seconds") - seconds("product_seconds");
        let wanted = (gain > 0.0).then(|| (seconds("refill_seconds") / gain).ceil() as u64);
        assert_eq!(row["alpha_refill"].as_u64(), wanted);
        assert!(seconds("analysis_seconds") > 0.0 && seconds("structure_seconds") > 0.0);
    }
    assert_eq!(folder.read("r.csv").lines().count(), 1 + 6);
}

#[test]
fn orders_are_timed_on_every_number_of_threads() {
    let folder = Folder::new();
    let line = "bench ordering gallery:tetra?n=10&order=random --threads 2 --device cpu --repetitions 1 --json -";
    let report = folder.run(line).exits(0).report();
    let rows = report["results"].as_array().unwrap();
    let places: Vec<&str> = rows.iter().map(|row| row["place"].as_str().unwrap()).collect();
    assert_eq!(places, ["1 thread", "2 threads"]);
    assert!(rows.iter().all(|row| row["ordering_seconds"].as_f64().unwrap() > 0.0 && row["rows"] == 1000));
}

#[test]
fn bars_are_drawn_for_every_matrix_and_format() {
    let folder = Folder::new();
    let matrices = "gallery:poisson2d?n=20 gallery:tetra?n=4";
    folder.run(&format!("bench spmv {matrices} --formats csr,k1 --repetitions 1 --device cpu --svg b.svg")).exits(0);
    let svg = folder.read("b.svg");
    for word in ["poisson2d?n=20", "tetra?n=4", "csr", "k1:32", "triad"] {
        assert!(svg.contains(word), "{word}");
    }
    assert_eq!(svg.matches("<rect").count(), 1 + 2 + 4, "the background, the legend, the bars");
    let ran = folder.run("bench spmv gallery:poisson2d?n=20 --formats csr --all-formats");
    assert!(ran.code == 2 && ran.stderr.contains("--all-formats"), "{}", ran.stderr);
}

#[test]
fn triangular_solves_are_compared_by_ordering() {
    let folder = Folder::new();
    let choices = "--precond jacobi,ilu0,parilu0:3,ilu0-sweeps:2 --orderings natural,colours";
    let ran = folder
        .run(&format!(
            "bench triangular gallery:poisson2d?n=20 {choices} --repetitions 1 --device cpu --csv t.csv --json -"
        ))
        .exits(0);
    let report = ran.report();
    let rows = report["results"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 4);
    for row in rows {
        let levels = if row["ordering"] == "colours" { 2 } else { 39 };
        assert_eq!(
            (row["levels"].as_u64(), &row["method"], &row["outcome"]),
            (Some(levels), &"cg".into(), &"converged".into())
        );
        assert_eq!(row["host_factor_seconds"].is_null(), row["preconditioner"] == "jacobi");
        assert!(row["gpu_factor_seconds"].is_null() && row["application_seconds"].as_f64().unwrap() > 0.0);
        assert!(row["solution_seconds"].as_f64() >= row["solve_seconds"].as_f64());
    }
    assert_eq!(folder.read("t.csv").lines().count(), 1 + 8);
    let ran = folder.run("bench triangular gallery:poisson2d?n=20 --orderings red --device cpu");
    assert!(ran.code == 2 && ran.stderr.contains("colours"), "{}", ran.stderr);
}

#[test]
fn methods_are_compared_in_a_table_and_in_one_picture() {
    let folder = Folder::new();
    let methods = "cg,fcg,pipecg,minres,bicgstab,idr:4,gcr:30,orthodir:30,gmres:30,cbgmres:30,fgmres:30";
    let files = "--json r.json --csv r.csv --svg k.svg";
    let ran = folder.run(&format!(
        "bench krylov gallery:poisson2d?n=16 --methods {methods} --precond jacobi --repetitions 1 --device cpu {files}"
    ));
    let ran = ran.exits(0);
    for word in ["vectors", "reductions", "products", "us/product", "over cg", "true residual"] {
        assert!(ran.stdout.contains(word), "{word}: {}", ran.stdout);
    }
    let report = folder.json("r.json");
    let rows = report["results"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["method"].as_str().unwrap()).collect();
    assert_eq!(names.join(","), methods);
    for row in rows {
        assert_eq!((&row["outcome"], &row["preconditioner"]), (&"converged".into(), &"jacobi".into()));
        assert!(row["true_residual"].as_f64().unwrap() <= 1e-8);
        assert!(row["seconds_per_product"].is_f64() && row["over_cg"].is_f64(), "finite: {row}");
    }
    assert_eq!(rows[0]["over_cg"], 1.0);
    assert_eq!(folder.read("r.csv").lines().count(), 1 + 11);
    let svg = folder.read("k.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("stroke-width=\"2\"").count(), 11, "one path a method");
    for word in names.iter().chain(&["products with A", "tolerance 1e-8"]) {
        assert!(svg.contains(word), "{word}");
    }
    assert_eq!(svg.matches('<').count(), svg.matches('>').count());
}

#[test]
fn methods_that_refuse_a_matrix_are_left_out_and_pictures_are_numbered() {
    let folder = Folder::new();
    let matrices = "gallery:convection_diffusion2d?n=8 gallery:poisson2d?n=8";
    let ran = folder.run(&format!(
        "bench krylov {matrices} --methods cg,gmres:20 --precond none,jacobi --repetitions 1 --svg k.svg --json -"
    ));
    let ran = ran.exits(0);
    assert!(ran.stderr.contains("cg + none left out") && ran.stderr.contains("not symmetric"), "{}", ran.stderr);
    let report = ran.report();
    let rows = report["results"].as_array().unwrap();
    assert_eq!(rows.len(), 2 + 4);
    assert!(rows[0]["over_cg"].is_null() && rows[3]["over_cg"].is_f64(), "CG cannot be timed where it refuses");
    assert_eq!(folder.names(), ["k.1.svg", "k.2.svg"]);
    assert!(folder.read("k.2.svg").contains("gmres:20 + jacobi"));
}

#[test]
fn the_table_says_which_method_solves_which_matrix() {
    let folder = Folder::new();
    let matrices = "gallery:poisson2d?n=8 gallery:convection_diffusion2d?n=8";
    folder.run(&format!("bench krylov {matrices} --methods cg,gmres:20 --precond none,jacobi --table t.md")).exits(0);
    let page = folder.read("t.md");
    let rows: Vec<Vec<&str>> =
        page.lines().filter(|line| line.starts_with("| gallery")).map(|line| line.split(" | ").collect()).collect();
    assert_eq!(rows.len(), 2, "{page}");
    let counts = |cell: &str| cell.split(" / ").map(|entry| entry.parse::<u64>().is_ok()).collect::<Vec<bool>>();
    assert_eq!((rows[0][3], counts(rows[0][4]), counts(rows[0][5])), ("symmetric", vec![true; 2], vec![true; 2]));
    assert_eq!((rows[1][4], counts(rows[1][5])), ("- / -", vec![true; 2]), "{page}");
    assert!(rows[0][6].ends_with(" s") && rows[0][7].ends_with(" s") && rows[1][7] == "-", "{page}");
    assert!(rows[0][8].starts_with("cholesky: 0.0") && rows[1][8].starts_with("dense: 0.0"), "{page}");
    let turned = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 3.0\n2 1 2.0\n2 2 1.0\n";
    folder.file("turned.mtx", turned);
    folder.run("bench krylov turned.mtx --methods bicgstab --precond ilu0 --table m.md").exits(0);
    let matched = folder.read("m.md");
    let cell = matched.lines().last().unwrap().split(" | ").nth(4).unwrap();
    assert!(cell.ends_with('m') && cell.trim_end_matches('m').parse::<u64>().is_ok(), "{matched}");
    let without = folder.shell("env -u GALERKIT_DATA galerkit bench krylov --table -");
    without.fails_saying(&["GALERKIT_DATA"]);
}
