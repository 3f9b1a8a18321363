//! Vectors: array or coordinate files with one column, or with one row. What a coordinate file leaves out is zero.

use super::input::Input;
use super::{header, read_body};
use crate::error::Result;
use crate::scalar::{Scalar, c64};
use crate::sparse::{AnyCsr, Csr};
use std::path::Path;

/// A double-precision vector, real or complex.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyVector {
    /// Real.
    Real(Vec<f64>),
    /// Complex.
    Complex(Vec<c64>),
}

impl AnyVector {
    /// Number of entries.
    pub fn len(&self) -> usize {
        match self {
            AnyVector::Real(x) => x.len(),
            AnyVector::Complex(x) => x.len(),
        }
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads a vector from a file, packed with gzip or not.
pub fn read_vector(path: impl AsRef<Path>) -> Result<AnyVector> {
    read(&mut Input::open(path.as_ref())?)
}

/// Reads a vector from memory; errors call it `name`.
pub fn parse_vector(bytes: &[u8], name: &str) -> Result<AnyVector> {
    read(&mut Input::from_bytes(bytes, name)?)
}

fn read(input: &mut Input) -> Result<AnyVector> {
    let (header, lines) = header::read(input)?;
    let (rows, cols) = (header.rows, header.cols);
    if rows != 1 && cols != 1 {
        return Err(input.error(lines, "a vector, that is one row or one column", format!("{rows} x {cols}")));
    }
    let file = read_body(input, header, lines)?;
    header::check_plausible(input, lines, cols)?;
    Ok(match file.matrix {
        AnyCsr::Real(A) => AnyVector::Real(dense(&A)),
        AnyCsr::Complex(A) => AnyVector::Complex(dense(&A)),
    })
}

/// The entries of a matrix with one row or one column.
fn dense<S: Scalar>(A: &Csr<S>) -> Vec<S> {
    let mut x = vec![S::zero(); A.rows() * A.cols()];
    for i in 0..A.rows() {
        A.row(i).for_each(|(j, v)| x[i + j] = v);
    }
    x
}
