//! Matrices as they come from circuits, chemistry and finite elements, in every format; skipped, and said so, where the
//! data folder is absent (set GALERKIT_DATA).

use super::product;
use galerkit_linalg::sparse::statistics::{predicted_slots, sorting_gain};
use galerkit_linalg::sparse::{Coo, Csr, Format, Matrix};
use galerkit_linalg::{Scalar, c64};
use std::io::Read;
use std::path::PathBuf;

/// The entries of a coordinate file as they stand there, taken as a general matrix: enough to exercise formats.
fn read<S: Scalar>(name: &str) -> Option<Csr<S>> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let path = std::env::var_os("GALERKIT_DATA").map_or_else(|| PathBuf::from(default), PathBuf::from).join(name);
    let Ok(file) = std::fs::File::open(&path) else {
        galerkit_testkit::skip(&format!("{} is absent; set GALERKIT_DATA", path.display()));
        return None;
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let mut numbers = || -> Option<Vec<f64>> {
        Some(lines.next()?.split_whitespace().map(|number| number.parse().unwrap()).collect())
    };
    let size = numbers().unwrap();
    let mut triples = Vec::new();
    while let Some(entry) = numbers() {
        let part = |position: usize, absent| entry.get(position).copied().unwrap_or(absent);
        triples.push((entry[0] as usize - 1, entry[1] as usize - 1, S::from_parts(part(2, 1.0), part(3, 0.0))));
    }
    assert_eq!(triples.len(), size[2] as usize, "{name}");
    Some(Coo::from_triples(size[0] as usize, size[1] as usize, &triples).unwrap().to_csr().0)
}

fn check<S: Scalar>(name: &str) {
    let Some(A) = read::<S>(name) else { return };
    let x: Vec<S> = (0..A.cols()).map(|j| S::from_parts((j as f64).sin(), (j as f64).cos())).collect();
    let reference = product(&Matrix::Csr(A.clone()), &x);
    for format in Format::all() {
        if matches!(format, Format::Ell | Format::EllR) && predicted_slots(&A, format) > 50 * A.nnz() as u64 {
            continue; // a web graph in ELL is mostly padding
        }
        let stored = Matrix::from_csr(&A, format).unwrap();
        assert_eq!(stored.slots() as u64, predicted_slots(&A, format), "{name} {format}");
        let y = product(&stored, &x);
        for i in 0..A.rows() {
            let size: f64 = A.row(i).map(|(j, a)| (a.modulus() * x[j].modulus()).parts().0).sum();
            let error = (y[i] - reference[i]).modulus().parts().0;
            assert!(error <= 4.0 * A.row_length(i) as f64 * S::eps() * size, "{name} {format}, row {i}");
        }
        assert_eq!(stored.to_csr(), A, "{name} {format}");
    }
    assert!((0.0..100.0).contains(&sorting_gain(&A, 32)), "{name}");
}

#[test]
fn circuits() {
    check::<f64>("irregular/memplus.mtx.gz");
    check::<f32>("irregular/rajat01.mtx.gz");
}

#[test]
fn chemistry() {
    check::<f64>("irregular/west0497.mtx.gz");
    check::<f64>("irregular/bayer10.mtx.gz");
}

#[test]
fn a_web_graph() {
    check::<f64>("irregular/NotreDame_www.mtx.gz");
}

#[test]
fn finite_elements() {
    check::<f64>("suitesparse/bcsstk16.mtx.gz");
    check::<c64>("complex/helmholtz_2D_dg.mtx.gz");
    check::<c64>("complex/qc324.mtx.gz");
}
