//! The real files of the data folder: each must have the shape and the entries that the table of its folder states.

use galerkit_linalg::io::matrix_market::{Layout, read_matrix, read_vector};
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("GALERKIT_DATA").map_or_else(usual, PathBuf::from)
}

/// Cells of the lines of the table that name a matrix file.
fn table(readme: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('|').skip(1).map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    readme.lines().map(cells).filter(|cells| cells.first().is_some_and(|name| name.ends_with(".mtx.gz"))).collect()
}

fn check(folder: &str, least: usize) {
    let folder = data().join(folder);
    let Ok(readme) = std::fs::read_to_string(folder.join("README.md")) else {
        return galerkit_testkit::skip(&format!("{} is absent; set GALERKIT_DATA", folder.display()));
    };
    let rows = table(&readme);
    assert!(rows.len() >= least, "the table of {} names {} files only", folder.display(), rows.len());
    for cells in rows {
        let path = folder.join(&cells[0]);
        let file = read_matrix(&path).unwrap_or_else(|error| panic!("{error}"));
        let found = [file.matrix.rows(), file.matrix.cols(), file.matrix.nnz()].map(|count| count.to_string());
        assert_eq!(found[..], cells[1..4], "{}", path.display());
        let (field, stored) = (file.header.field.name(), file.header.symmetry.name());
        let stored = if file.header.layout == Layout::Array { "array" } else { stored };
        assert_eq!([field, stored], [cells[4].as_str(), cells[5].as_str()], "{}", path.display());
        if file.header.cols == 1 {
            assert_eq!(read_vector(&path).unwrap().len(), file.header.rows);
        }
    }
}

#[test]
fn complex_matrices() {
    check("complex", 5);
}

#[test]
fn fem_systems() {
    check("fem_systems", 17);
}

#[test]
fn irregular_matrices() {
    check("irregular", 12);
}

#[test]
fn suitesparse() {
    check("suitesparse", 23);
}
