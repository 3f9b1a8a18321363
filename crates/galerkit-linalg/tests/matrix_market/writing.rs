//! Writing: what stands in the file, and that a failed write changes nothing.

use galerkit_linalg::io::atomic_write;
use galerkit_linalg::io::matrix_market::{AnyVector, Symmetry, read_matrix, read_vector, write_matrix, write_vector};
use galerkit_linalg::sparse::{AnyCsr, Coo, Csr};
use galerkit_linalg::{Error, Scalar, c64};
use std::fs;

fn matrix<S: Scalar>(n: usize, triples: &[(usize, usize, S)]) -> Csr<S> {
    Coo::from_triples(n, n, triples).unwrap().to_csr().0
}

#[test]
fn the_text_of_a_matrix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("A.mtx");
    let A = matrix(2, &[(0, 0, 0.1), (0, 1, -1e-300), (1, 0, 1e20), (1, 1, 3.0)]);
    write_matrix(&path, &A, Symmetry::General, &["first", "second\nthird"]).unwrap();
    let text = "%%MatrixMarket matrix coordinate real general\n% first\n% second\n% third\n2 2 4\n\
                1 1 0.1\n1 2 -1e-300\n2 1 1e20\n2 2 3\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let single = matrix(1, &[(0, 0, 0.1f32)]);
    write_matrix(&path, &single, Symmetry::General, &[]).unwrap();
    assert!(fs::read_to_string(&path).unwrap().ends_with("\n1 1 0.1\n"));
}

#[test]
fn one_triangle_when_the_matrix_allows_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("A.mtx");
    let z = c64::new;
    let A = matrix(2, &[(0, 0, z(1.0, 0.0)), (0, 1, z(2.0, 3.0)), (1, 0, z(2.0, -3.0))]);
    write_matrix(&path, &A, Symmetry::Hermitian, &[]).unwrap();
    let text = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 2 -3\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(read_matrix(&path).unwrap().matrix, AnyCsr::Complex(A.clone()));
    let error = write_matrix(&path, &A, Symmetry::Symmetric, &[]).unwrap_err();
    assert!(error.to_string().contains("row 1, column 2: the matrix is not symmetric"), "{error}");
    let skew = matrix(2, &[(0, 1, -5.0), (1, 0, 5.0), (1, 1, 0.0)]);
    write_matrix(&path, &skew, Symmetry::SkewSymmetric, &[]).unwrap();
    assert!(fs::read_to_string(&path).unwrap().ends_with("skew-symmetric\n2 2 1\n2 1 5\n"));
    let refused = write_matrix(&path, &skew, Symmetry::Hermitian, &[]).unwrap_err();
    assert!(matches!(refused, Error::InvalidParameter { name: "symmetry", .. }), "{refused}");
    assert!(fs::read_to_string(&path).unwrap().contains("skew"), "a refused write leaves the file alone");
}

#[test]
fn vectors_and_gzip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mtx.gz");
    let x: Vec<f64> = (0..10_000).map(|k| 1.0 / f64::from(k + 1)).collect();
    write_vector(&path, &x, &["packed"]).unwrap();
    assert_eq!(fs::read(&path).unwrap()[..2], [0x1f, 0x8b]);
    assert_eq!(read_vector(&path).unwrap(), AnyVector::Real(x));
}

#[test]
fn a_failed_write_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.txt");
    fs::write(&path, "old").unwrap();
    let failed = atomic_write(&path, |writer| {
        writer.write_all(&[b'n'; 1 << 20])?;
        Err(std::io::Error::other("stopped"))
    });
    assert!(failed.unwrap_err().to_string().contains("stopped"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file remains");
    atomic_write(&path, |writer| writer.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file remains");
}

#[test]
fn places_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_path_buf(), folder.path().join("missing/x.mtx")] {
        let error = write_vector(&path, &[1.0], &[]).unwrap_err();
        assert!(matches!(&error, Error::Io { path: named, .. } if *named == path), "{error}");
    }
}
