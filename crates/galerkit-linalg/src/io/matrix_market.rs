//! Matrix Market files: reading in parallel, writing so that no half-written file can be left behind.
//! Format: Boisvert, Pozo, Remington, The Matrix Market Exchange Formats, NISTIR 5935 (1996).
//!
//! Every legal combination of coordinate | array, real | complex | integer | pattern and general | symmetric |
//! skew-symmetric | hermitian is read, packed with gzip or not. Where the format leaves a choice, or files take one:
//!
//! | in the file | result |
//! |---|---|
//! | one triangle | the full matrix; the upper triangle is accepted instead of the lower one, and both at once where they agree or do not overlap ([`File::has_both_triangles`]) |
//! | several lines for one entry | their sum, in the order of the file, and [`File::duplicates`] says how many |
//! | pattern, integer | 1.0; the nearest double |
//! | zeros, in coordinate or array files | stored entries; an array gives a CSR matrix that holds all of them |
//! | `1.5D+3`, `nan`, `-inf`, `Infinity` | numbers; solvers refuse those that are not finite |
//! | blank lines and `%` lines between entries | skipped |
//! | a banner with one `%` | accepted: such files exist |
//! | far more rows than text (over 64 for a byte, from 2^24 on) | an error: a damaged size line, not a matrix |

mod array;
mod body;
mod complain;
mod coordinate;
mod decimal;
mod halves;
mod header;
mod input;
mod line;
mod mirror;
mod numbers;
mod ordered;
mod sort;
mod vector;
mod write;

pub use header::{Field, Header, Layout, Symmetry};
pub use vector::{AnyVector, parse_vector, read_vector};
pub use write::{write_matrix, write_vector};

use crate::error::Result;
use crate::sparse::AnyCsr;
use coordinate::Read;
use input::Input;
use std::path::Path;

/// What a matrix file holds.
#[derive(Clone, Debug)]
pub struct File {
    /// What the file says of itself.
    pub header: Header,
    /// The full matrix.
    pub matrix: AnyCsr,
    /// How many entries were summed into others because they named the same place.
    pub duplicates: usize,
    /// Whether the file promises one triangle and lists entries of both: pairs of the same number were taken for one
    /// entry.
    pub has_both_triangles: bool,
}

impl File {
    /// How many stored entries are zero.
    pub fn explicit_zeros(&self) -> usize {
        match &self.matrix {
            AnyCsr::Real(A) => A.val().iter().filter(|v| **v == 0.0).count(),
            AnyCsr::Complex(A) => A.val().iter().filter(|v| v.re == 0.0 && v.im == 0.0).count(),
        }
    }
}

/// Reads a matrix from a file, packed with gzip or not.
pub fn read_matrix(path: impl AsRef<Path>) -> Result<File> {
    read(&mut Input::open(path.as_ref())?)
}

/// Reads a matrix from memory; errors call it `name`.
pub fn parse(bytes: &[u8], name: &str) -> Result<File> {
    read(&mut Input::from_bytes(bytes, name)?)
}

fn read(input: &mut Input) -> Result<File> {
    let (header, lines) = header::read(input)?;
    read_body(input, header, lines)
}

/// Everything below the `lines` lines of the header.
fn read_body(input: &mut Input, header: Header, lines: usize) -> Result<File> {
    let (matrix, duplicates, has_both_triangles) = match (header.layout, header.field) {
        (Layout::Coordinate, Field::Complex) => {
            let Read { A, duplicates, has_both_triangles } = coordinate::read(input, &header, lines)?;
            (AnyCsr::Complex(A), duplicates, has_both_triangles)
        }
        (Layout::Coordinate, _) => {
            let Read { A, duplicates, has_both_triangles } = coordinate::read(input, &header, lines)?;
            (AnyCsr::Real(A), duplicates, has_both_triangles)
        }
        (Layout::Array, Field::Complex) => (AnyCsr::Complex(array::read(input, &header, lines)?), 0, false),
        (Layout::Array, _) => (AnyCsr::Real(array::read(input, &header, lines)?), 0, false),
    };
    Ok(File { header, matrix, duplicates, has_both_triangles })
}
