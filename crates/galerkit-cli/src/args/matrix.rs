//! What can stand for a matrix, and the commands that describe or rewrite one, as typed.

use clap::Args;
use std::path::PathBuf;

/// What can stand for a matrix.
pub const MATRIX: &str = "A Matrix Market file (plain or gzip), '-' for standard input, or gallery:NAME?key=value&...";

/// `galerkit info`.
#[derive(Debug, Args)]
pub struct Info {
    /// The matrix
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrix: String,
    /// Print JSON instead of tables
    #[arg(long)]
    pub json: bool,
    /// Draw where the entries are as SVG
    #[arg(long, value_name = "spy.svg")]
    pub spy: Option<PathBuf>,
    /// Draw the aggregates that algebraic multigrid makes of a grid or a mesh in 2D as SVG
    #[arg(long, value_name = "aggregates.svg")]
    pub aggregates: Option<PathBuf>,
    /// Where the unknowns of a mesh are, for --aggregates: a Matrix Market file with x and y in each row
    #[arg(long, value_name = "xy.mtx", requires = "aggregates")]
    pub coordinates: Option<PathBuf>,
    /// Set the hierarchy of algebraic multigrid up, however many entries there are
    #[arg(long)]
    pub multigrid: bool,
}

/// `galerkit convert`.
#[derive(Debug, Args)]
pub struct Convert {
    /// The matrix
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrix: String,
    /// Where to write it; compressed if the name ends in .gz
    #[arg(value_name = "B.mtx[.gz]")]
    pub output: PathBuf,
    /// Store only the lower triangle of a symmetric or Hermitian matrix
    #[arg(long)]
    pub symmetric: bool,
    /// Transpose
    #[arg(long)]
    pub transpose: bool,
    /// natural or rcm: reorder rows and columns by reverse Cuthill-McKee
    #[arg(long, default_value = "natural")]
    pub ordering: String,
}
