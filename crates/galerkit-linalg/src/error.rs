//! The one error type of this crate. Every variant carries its data and says what to change.
//! Running out of iterations or breaking down is not an error but an [`Outcome`](crate::krylov::Outcome).

use std::path::PathBuf;

/// What can be wrong with the input of a public function.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Two sizes that must agree do not.
    #[error("{what} has length {found}, but {expected} is needed: check that it belongs to this matrix")]
    DimensionMismatch {
        /// Which argument is of the wrong length.
        what: &'static str,
        /// The length that was needed.
        expected: usize,
        /// The length that came.
        found: usize,
    },
    /// An operation for square matrices was asked of a rectangular one.
    #[error("the matrix is {rows} x {cols}; {operation} needs a square one")]
    NotSquare {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        cols: usize,
        /// What was asked.
        operation: &'static str,
    },
    /// The arrays of a sparse matrix contradict each other.
    #[error("invalid sparse structure at {place}: {problem}")]
    InvalidStructure {
        /// Row, entry or array where it was seen.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A map that somebody has brought along panicked.
    #[error("the product of the map {map} has panicked: {said}; mend the map, then load it and run again")]
    Product {
        /// The type of the map.
        map: &'static str,
        /// What it said.
        said: String,
    },
    /// A count does not fit the index type of the format.
    #[error("{what} is {found}, above the limit {limit} of this format: split the matrix or choose a tighter format")]
    IndexOverflow {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: u128,
        /// The largest count that fits.
        limit: u128,
    },
    /// An array would not fit into memory.
    #[error("{what} needs {:.1} GiB, {:.1} GiB are free: choose a tighter format, a smaller problem or a larger machine", gib(*.needed), gib(*.available))]
    OutOfMemory {
        /// What was to be built.
        what: &'static str,
        /// Bytes it needs.
        needed: u128,
        /// Bytes there are.
        available: u128,
    },
    /// A parameter lies outside its range.
    #[error("{name} = {value} is not allowed: {expected}")]
    InvalidParameter {
        /// The parameter's name.
        name: &'static str,
        /// The value that came.
        value: String,
        /// Which values are legal.
        expected: &'static str,
    },
    /// NaN or infinity where a finite number is needed.
    #[error("{what} contains {value} at {place}: remove or replace it before solving")]
    NonFinite {
        /// The matrix or vector.
        what: &'static str,
        /// The offending number, as text.
        value: String,
        /// 1-based position, as text.
        place: String,
    },
    /// A preconditioner needs to divide by a diagonal entry that is zero or missing.
    #[error("row {} has a zero or missing diagonal entry; {preconditioner} cannot be used: reorder the rows, or do without a preconditioner", .row + 1)]
    ZeroDiagonal {
        /// 0-based row.
        row: usize,
        /// The preconditioner that refused.
        preconditioner: &'static str,
    },
    /// A preconditioner for positive definite matrices met a negative (or non-real) diagonal entry.
    #[error("row {} has the diagonal entry {value}; {preconditioner} needs positive ones: the matrix is not positive definite", .row + 1)]
    NegativeDiagonal {
        /// 0-based row.
        row: usize,
        /// The entry, as text.
        value: String,
        /// The preconditioner that refused.
        preconditioner: &'static str,
    },
    /// A diagonal block that block Jacobi must invert is singular.
    #[error("the diagonal block of rows {} to {} is singular; block Jacobi cannot be used: change the block size, or take Jacobi", .first + 1, .last + 1)]
    SingularBlock {
        /// 0-based first row of the block.
        first: usize,
        /// 0-based last row of the block.
        last: usize,
    },
    /// An incomplete factorisation met a zero pivot, or none at all.
    #[error("row {} has a zero or missing pivot; the incomplete factorisation does not exist: reorder the rows, allow fill, or do without a preconditioner", .row + 1)]
    ZeroPivot {
        /// 0-based row.
        row: usize,
    },
    /// An incomplete factorisation that must be positive definite met a pivot that is not.
    #[error("row {} has the pivot {value}, which must be positive: shift the diagonal, take Jacobi, or ILU(0) with a method for general matrices", .row + 1)]
    NotPositivePivot {
        /// 0-based row.
        row: usize,
        /// The pivot, as text.
        value: String,
    },
    /// What is for Hermitian matrices met an entry that differs from its mirror image.
    #[error("entry ({}, {}) is not the conjugate of its mirror image; {operation} needs a Hermitian matrix: take ILU(0) and a method for general matrices", .row + 1, .col + 1)]
    NotHermitian {
        /// 0-based row.
        row: usize,
        /// 0-based column.
        col: usize,
        /// What was asked.
        operation: &'static str,
    },
    /// A direct factorisation met a pivot it cannot use.
    #[error("{factorisation} failed at pivot {pivot}: the matrix is {diagnosis}")]
    Factorisation {
        /// Which factorisation.
        factorisation: &'static str,
        /// 0-based pivot.
        pivot: usize,
        /// What that says of the matrix.
        diagnosis: &'static str,
    },
    /// A direct factorisation that does not say where met a zero pivot.
    #[error(
        "{factorisation} met a pivot that is zero, or too small to divide by: the matrix is singular, or its entries differ too much in scale; remove dependent rows, fix what is left free, or scale rows and columns"
    )]
    Singular {
        /// Which factorisation.
        factorisation: &'static str,
    },
    /// The entries of a matrix other than zero cannot fill a diagonal, whatever the order of the rows.
    #[error(
        "the matrix is structurally singular: only {rank} of {rows} rows can have an entry on the diagonal each; remove dependent rows or fix what is left free"
    )]
    StructurallySingular {
        /// How many can.
        rank: usize,
        /// Rows of the matrix.
        rows: usize,
    },
    /// A matrix is too large for a dense or sparse factorisation.
    #[error("{factorisation} of {rows} rows needs more memory than there is: use an iterative method")]
    FactorTooLarge {
        /// Which factorisation.
        factorisation: &'static str,
        /// Rows of the matrix.
        rows: usize,
    },
    /// A file could not be opened, read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A line of a file does not say what its format demands.
    #[error("{}:{line}: expected {expected}, found {found}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: usize,
        /// What the format demands there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The name of a format, gallery problem or parameter is not known.
    #[error("unknown {what} '{name}': known are {known}")]
    UnknownName {
        /// What kind of name.
        what: &'static str,
        /// The name that came.
        name: String,
        /// The names that exist.
        known: String,
    },
}

/// Bytes as GiB.
fn gib(bytes: u128) -> f64 {
    bytes as f64 / f64::powi(2.0, 30)
}

/// Result of this crate's public functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Checks one length on entering a public function.
pub fn check_length(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::DimensionMismatch { what, expected, found }) }
}
