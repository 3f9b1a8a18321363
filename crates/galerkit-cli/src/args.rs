//! The command line as typed. What it means is decided in `plan`.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

mod examples;
mod methods;
mod reproduce;

pub use reproduce::{Reproduce, ReproduceVpgcr};

/// Solves the sparse systems that finite elements produce, at the speed of the memory they sit in.
#[derive(Debug, Parser)]
#[command(name = "galerkit", version, after_help = examples::TOP, arg_required_else_help = true)]
#[command(subcommand_required = true, max_term_width = 100)]
pub struct Arguments {
    /// Colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Solve A x = b and report how far the answer can be trusted
    #[command(after_help = examples::SOLVE)]
    Solve(Solve),
    /// Describe a matrix: shape, symmetry, definiteness hints, row lengths, padding in every format
    #[command(after_help = examples::INFO)]
    Info(Info),
    /// Rewrite a matrix: compress, transpose, reorder, or write a gallery problem to a file
    #[command(after_help = examples::CONVERT)]
    Convert(Convert),
    /// Time matrix products or solves in every format, against a STREAM triad of the same run
    #[command(subcommand)]
    Bench(Bench),
    /// Compute published results again and hold them against what was printed
    #[command(subcommand)]
    Reproduce(Reproduce),
    /// Say what this machine can compute on, how fast its memory is, and what to install where something is missing
    #[command(after_help = examples::DOCTOR)]
    Doctor(Doctor),
    /// List the built-in problems and their parameters
    #[command(after_help = examples::GALLERY)]
    Gallery,
    /// Print a completion script for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

const MATRIX: &str = "A Matrix Market file (plain or gzip), '-' for standard input, or gallery:NAME?key=value&...";

const DEVICE: &str = "auto, cpu (threads and SIMD), cuda[:N] (an NVIDIA GPU, the first unless numbered) or reference (plain \
loops). 'auto' takes the first GPU if the driver and NVRTC are there and the system is large enough, else the CPU, and says \
which and why in one line on standard error; 'galerkit doctor' tells what is missing";

const PRECISION: &str = "auto, f64 (or double), f32 (or single) or hybrid; real or complex is taken from the matrix. 'hybrid' runs \
the method, with its preconditioner, in single precision as the inner solve of VPGCR in double precision: the answer is as good as in f64, \
iterations move about half the bytes, and if single precision does not do the solve goes on in f64 and says so. 'auto' takes \
hybrid for matrices larger than the cache of the device whose entries fit f32, if the tolerance is below 1e-5, else f64. \
Benchmarks of products take f64 or f32";

const TRIANGULAR: &str = "How triangular solves of incomplete factorisations (ilu0, ilu:FILL, ic0, ilu0-blocks:N, parilu0:N) are done: \
exact, or sweeps:N for N Jacobi sweeps in place of each, which wait for nothing but take more iterations. 'auto' is exact on the \
CPU. On a GPU it takes what is expected to be faster: exact solves in the order that is there, exact solves colour by colour \
(where --ordering is auto), or 2, 3 or 5 sweeps, if one look at the matrix shows that they are near enough to exact solves; \
should sweeps fail that 'auto' picked, exact solves follow, and the report says so. Preconditioners whose name says sweeps \
(ilu0-sweeps:N, parilu0:N:M) keep them";

/// `galerkit solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// The matrix; without one, a built-in problem is solved and results/ is filled
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrix: Option<String>,
    /// Right-hand side: a Matrix Market vector, 'ones' or 'random'
    #[arg(long, value_name = "b.mtx|ones|random", default_value = "ones")]
    pub rhs: String,
    /// Seed of '--rhs random'
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// auto, a Krylov method (cg, fcg, pipecg, minres, bicgstab, idr[:S], gcr[:M], orthodir[:M], gmres[:M], cbgmres[:M],
    /// fgmres[:M], vpgcr[:M]), lu, cholesky or dense
    #[arg(long, default_value = "auto", long_help = methods::help())]
    pub method: String,
    /// auto (jacobi where the diagonal suits the method, else none), none, jacobi, block-jacobi:SIZE, ssor:OMEGA, ilu0,
    /// ilu:FILL, ic0[:SHIFT], ilu0-blocks:N, ilu0-sweeps:N, parilu0:N[:SOLVES], chebyshev:DEGREE, or for fcg, gcr, fgmres
    /// and vpgcr an inner solve: inner:METHOD[,rtol=R][,limit=N][,precond=NAME]
    #[arg(long, value_name = "NAME", default_value = "auto", alias = "preconditioner", long_help = methods::precond())]
    pub precond: String,
    /// Relative tolerance: ||b - A x|| <= RTOL ||b|| [default: 1e-8, in single precision 1e-4]
    #[arg(long, allow_negative_numbers = true)]
    pub rtol: Option<f64>,
    /// Absolute tolerance: ||b - A x|| <= ATOL is enough as well
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    pub atol: f64,
    /// Most iterations [default: 10000]; who sets a limit wants iterations: auto then does not begin with elimination
    #[arg(long, value_name = "N")]
    pub max_iterations: Option<usize>,
    /// Replace the recursive residual by b - A x every N iterations, or 'never'; 'auto' is 50, in bicgstab never
    #[arg(long, value_name = "N", default_value = "auto", alias = "exact-residual")]
    pub residual_replacement: String,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// auto or a storage format: csr, coo, bsr, ell, ell-r, sell, hyb, k1 ... k2rs
    #[arg(long, default_value = "auto")]
    pub format: String,
    /// auto, natural, rcm (reverse Cuthill-McKee) or colours (multicolour, for triangular solves on a GPU); undone in x
    #[arg(long, default_value = "auto")]
    pub ordering: String,
    /// auto, exact or sweeps:N: how triangular solves of incomplete factorisations (ilu0, ilu:FILL, ic0, ilu0-blocks:N,
    /// parilu0:N) are done
    #[arg(long, value_name = "WAY", default_value = "auto", long_help = TRIANGULAR)]
    pub triangular: String,
    /// Write x as a Matrix Market vector
    #[arg(short, long, value_name = "x.mtx")]
    pub output: Option<PathBuf>,
    /// Write the residual after each iteration as CSV
    #[arg(long, value_name = "h.csv")]
    pub history: Option<PathBuf>,
    /// Draw the residual after each iteration as SVG
    #[arg(long, value_name = "r.svg")]
    pub plot: Option<PathBuf>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-")]
    pub json: Option<PathBuf>,
    /// Write residual.svg, history.csv and report.json into this folder
    #[arg(long, value_name = "DIR")]
    pub results: Option<PathBuf>,
    /// Explain what ran: device, method, format and ordering with their reasons; the kernels or passes of an iteration, what
    /// was fused in each and the bytes it must move
    #[arg(long)]
    pub explain: bool,
    /// Do not measure the memory bandwidth (a few tenths of a second, large systems only)
    #[arg(long)]
    pub no_bandwidth: bool,
    /// No progress bar and no notes
    #[arg(short, long)]
    pub quiet: bool,
}

/// Where and how something is computed.
#[derive(Clone, Debug, Args)]
pub struct Machine {
    /// Threads [default: every core]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// auto, f64, f32 or hybrid (f64 with an inner solve in f32); real or complex is taken from the matrix
    #[arg(long, default_value = "f64", long_help = PRECISION)]
    pub precision: String,
    /// auto, cpu (threads and SIMD), cuda[:N] (an NVIDIA GPU) or reference (plain loops)
    #[arg(long, default_value = "auto", long_help = DEVICE)]
    pub device: String,
}

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

/// `galerkit doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
    /// Do not measure the memory bandwidths
    #[arg(long)]
    pub no_bandwidth: bool,
}

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
    /// Formats, separated by commas [default: every one; on a GPU those worth comparing, for 'cg' the one 'solve' takes]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub formats: Vec<String>,
    /// On a GPU too every format, and variants that are there to show what a choice gains
    #[arg(long, conflicts_with = "formats")]
    pub all_formats: bool,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// natural, rcm, colours or auto
    #[arg(long, default_value = "natural")]
    pub ordering: String,
    /// Timed repetitions
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub repetitions: usize,
    /// Write the results as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-")]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv")]
    pub csv: Option<PathBuf>,
    /// Draw the effective bandwidth of each matrix and format as SVG (spmv only)
    #[arg(long, value_name = "bars.svg")]
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
    #[arg(long, value_name = "r.json|-")]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv")]
    pub csv: Option<PathBuf>,
}

/// `galerkit bench cg`.
#[derive(Debug, Args)]
pub struct MeasureCg {
    /// What is measured.
    #[command(flatten)]
    pub measure: Measure,
    /// none, jacobi, block-jacobi:SIZE, ssor:OMEGA, ilu0, ilu:FILL, ic0[:SHIFT], ilu0-blocks:N, ilu0-sweeps:N,
    /// parilu0:N[:SOLVES] or chebyshev:DEGREE
    #[arg(long, value_name = "NAME", default_value = "jacobi")]
    pub precond: String,
    /// Relative tolerance
    #[arg(long, default_value_t = 1e-8)]
    pub rtol: f64,
    /// Most iterations
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_iterations: usize,
}

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
    #[arg(long, default_value_t = 1e-8)]
    pub rtol: f64,
    /// Most iterations
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_iterations: usize,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// Timed repetitions
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub repetitions: usize,
    /// Write the results as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-")]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv")]
    pub csv: Option<PathBuf>,
}

/// `galerkit bench krylov`.
#[derive(Debug, Args)]
pub struct MeasureKrylov {
    /// The matrices [default: gallery:poisson2d?n=100; with --table those of the folder GALERKIT_DATA]
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrices: Vec<String>,
    /// Methods, separated by commas [default: every one; with --table one of each kind]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub methods: Vec<String>,
    /// Preconditioners, separated by commas [default: auto; with --table several]
    #[arg(long, value_name = "LIST", value_delimiter = ',', alias = "preconditioner")]
    pub precond: Vec<String>,
    /// Relative tolerance
    #[arg(long, default_value_t = 1e-8)]
    pub rtol: f64,
    /// Most products with A
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_products: usize,
    /// Most seconds of one solve [default: none; with --table 10]
    #[arg(long, value_name = "SECONDS")]
    pub time_limit: Option<f64>,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// natural, rcm, colours or auto
    #[arg(long, default_value = "natural")]
    pub ordering: String,
    /// Timed repetitions
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub repetitions: usize,
    /// Write the results as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-")]
    pub json: Option<PathBuf>,
    /// Write the results as CSV
    #[arg(long, value_name = "r.csv")]
    pub csv: Option<PathBuf>,
    /// Draw the residuals of all methods as SVG; of several matrices each gets a file with its number before the dot
    #[arg(long, value_name = "k.svg")]
    pub svg: Option<PathBuf>,
    /// Instead of timing, write which method and preconditioner solves which matrix as Markdown; '-' for standard output
    #[arg(long, value_name = "t.md|-", conflicts_with_all = ["json", "csv", "svg"])]
    pub table: Option<PathBuf>,
}
