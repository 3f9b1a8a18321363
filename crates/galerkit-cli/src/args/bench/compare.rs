//! Benchmarks that compare methods or preconditioners with each other, as typed.

use super::super::matrix::MATRIX;
use super::super::{Machine, heading};
use clap::Args;
use std::path::PathBuf;

/// `galerkit bench triangular`.
#[derive(Debug, Args)]
pub struct MeasureTriangular {
    /// The matrices [default: gallery:poisson2d?n=300]
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrices: Vec<String>,
    /// Preconditioners, separated by commas [default: jacobi, ilu0 exact, as ParILU and with Jacobi sweeps]
    #[arg(long, value_name = "LIST", value_delimiter = ',', alias = "preconditioner")]
    pub precond: Vec<String>,
    /// Orderings, separated by commas [default: natural,rcm,colours]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub orderings: Vec<String>,
    /// auto (cg where it suits the matrix, else bicgstab) or a Krylov method
    #[arg(long, default_value = "auto")]
    pub method: String,
    /// Relative tolerance
    #[arg(long, default_value = "1e-8", help_heading = heading::METHOD)]
    pub rtol: f64,
    /// Most iterations
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = heading::METHOD)]
    pub max_iterations: usize,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// Timed repetitions
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub repetitions: usize,
    /// Write the results as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv", help_heading = heading::OUTPUT)]
    pub csv: Option<PathBuf>,
}

/// `galerkit bench krylov`.
#[derive(Debug, Args)]
pub struct MeasureKrylov {
    /// The matrices [default: gallery:poisson2d?n=100; with --table those of the folder GALERKIT_DATA]
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrices: Vec<String>,
    /// Methods, separated by commas [default: every one]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Preconditioners, separated by commas [default: auto; with --table several]
    #[arg(long, value_name = "LIST", value_delimiter = ',', alias = "preconditioner")]
    pub precond: Vec<String>,
    /// Relative tolerance
    #[arg(long, default_value = "1e-8", help_heading = heading::METHOD)]
    pub rtol: f64,
    /// Most products with A
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = heading::METHOD)]
    pub max_products: usize,
    /// Most seconds of one solve [default: none; with --table 10]
    #[arg(long, value_name = "SECONDS", help_heading = heading::METHOD)]
    pub time_limit: Option<f64>,
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
    /// Draw the residuals of all methods as SVG; of several matrices each gets a file with its number before the dot
    #[arg(long, value_name = "k.svg", help_heading = heading::OUTPUT)]
    pub svg: Option<PathBuf>,
    /// Instead of timing, write which method and preconditioner solves which matrix as Markdown; '-' for standard
    /// output
    #[arg(long, value_name = "t.md|-", conflicts_with_all = ["json", "csv", "svg"], help_heading = heading::OUTPUT)]
    pub table: Option<PathBuf>,
}
