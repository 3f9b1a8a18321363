//! `galerkit bench` as typed.

mod compare;

pub use compare::{MeasureKrylov, MeasureTriangular};

use super::matrix::MATRIX;
use super::{Machine, examples, heading};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `galerkit bench`.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Time y = A x
    #[command(after_help = examples::BENCH_SPMV)]
    Spmv(Measure),
    /// Time preconditioned conjugate gradients
    #[command(after_help = examples::BENCH_CG)]
    Cg(MeasureCg),
    /// Compare Krylov methods on a matrix: outcome, products, time a product, and their residuals in one picture
    #[command(after_help = examples::BENCH_KRYLOV)]
    Krylov(MeasureKrylov),
    /// Compare incomplete factorisations, their triangular solves and orderings by the time to the solution
    #[command(after_help = examples::BENCH_TRIANGULAR)]
    Triangular(MeasureTriangular),
    /// Time the conversion from CSR to the forms of ELL-WARP, and say after how many products it has paid
    #[command(after_help = examples::BENCH_REORDER)]
    Reorder(MeasureReorder),
    /// Time reverse Cuthill-McKee on more and more threads and on a GPU; all must find the same order
    #[command(after_help = examples::BENCH_ORDERING)]
    Ordering(MeasureReorder),
}

/// `galerkit bench spmv`, and what `bench cg` shares with it.
#[derive(Debug, Args)]
pub struct Measure {
    /// The matrices [default: gallery:poisson3d?n=100&stencil=27]
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrices: Vec<String>,
    /// Formats, separated by commas [default: every one; on a GPU those worth comparing, for 'cg' the one 'solve'
    /// takes]
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = heading::STORAGE)]
    pub formats: Vec<String>,
    /// On a GPU too every format, and variants that are there to show what a choice gains
    #[arg(long, conflicts_with = "formats", help_heading = heading::STORAGE)]
    pub all_formats: bool,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// natural, rcm, colours or auto
    #[arg(long, default_value = "natural", help_heading = heading::STORAGE)]
    pub ordering: String,
    /// Timed repetitions
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub repetitions: usize,
    /// Write the results as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv", help_heading = heading::OUTPUT)]
    pub csv: Option<PathBuf>,
    /// Draw the effective bandwidth of each matrix and format as SVG (spmv only)
    #[arg(long, value_name = "bars.svg", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
}

/// `galerkit bench reorder` and `galerkit bench ordering`.
#[derive(Debug, Args)]
pub struct MeasureReorder {
    /// The matrices [default: gallery:tetra?n=40, to order in random order]
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrices: Vec<String>,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// Timed repetitions
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub repetitions: usize,
    /// Write the results as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv", help_heading = heading::OUTPUT)]
    pub csv: Option<PathBuf>,
}

/// `galerkit bench cg`.
#[derive(Debug, Args)]
pub struct MeasureCg {
    /// none, jacobi, block-jacobi:SIZE, ssor:OMEGA, ilu0, ic0, chebyshev:DEGREE, ... as in 'solve --precond'
    #[arg(long, value_name = "NAME", default_value = "jacobi")]
    pub precond: String,
    /// Relative tolerance
    #[arg(long, default_value = "1e-8", help_heading = heading::METHOD)]
    pub rtol: f64,
    /// Most iterations
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = heading::METHOD)]
    pub max_iterations: usize,
    /// What is measured.
    #[command(flatten)]
    pub measure: Measure,
}
