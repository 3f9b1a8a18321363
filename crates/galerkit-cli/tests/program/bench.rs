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
