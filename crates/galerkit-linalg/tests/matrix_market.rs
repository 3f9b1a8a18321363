//! Matrix Market: what is legal, what is not and is said so, real files, writing, and bytes nobody meant.

mod errors;
mod files;
mod legal;
mod order;
mod properties;
mod writing;

use galerkit_linalg::c64;
use galerkit_linalg::io::matrix_market::{File, parse};
use galerkit_linalg::sparse::{AnyCsr, Csr};

/// Reads text that must be legal.
fn read(text: &str) -> File {
    parse(text.as_bytes(), "test.mtx").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The matrix as rows of numbers, with stored and missing zeros alike.
fn dense(file: &File) -> Vec<Vec<f64>> {
    real(file).iter().map(|row| row.iter().map(|v| v.unwrap_or(0.0)).collect()).collect()
}

/// The matrix as rows of stored entries.
fn real(file: &File) -> Vec<Vec<Option<f64>>> {
    let AnyCsr::Real(A) = &file.matrix else { panic!("a real matrix expected") };
    table(A)
}

fn complex(file: &File) -> Vec<Vec<Option<c64>>> {
    let AnyCsr::Complex(A) = &file.matrix else { panic!("a complex matrix expected") };
    table(A)
}

fn table<S: galerkit_linalg::Scalar>(A: &Csr<S>) -> Vec<Vec<Option<S>>> {
    (0..A.rows()).map(|i| (0..A.cols()).map(|j| A.get(i, j)).collect()).collect()
}
