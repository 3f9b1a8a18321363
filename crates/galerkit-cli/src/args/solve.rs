//! `galerkit solve` as typed: what is common first, the rest by heading.

use super::matrix::MATRIX;
use super::{Machine, heading, methods};
use clap::Args;
use std::path::PathBuf;

const TRIANGULAR: &str = "How triangular solves of incomplete factorisations (ilu0, ilu:FILL, ic0, ilu0-blocks:N, parilu0:N) are done: \
exact, or sweeps:N for N Jacobi sweeps in place of each, which wait for nothing but take more iterations. 'auto' is what the name \
of the preconditioner says: exact on every device, sweeps for NAME:swept:N (ilu0-sweeps:N, parilu0:N:M), and for NAME:auto on a GPU \
what is expected to be faster: exact solves in the order that is there, exact solves colour by colour \
(where --ordering is auto), or 2, 3 or 5 sweeps, if one look at the matrix shows that they are near enough to exact solves; \
should sweeps fail that were picked so, exact solves follow, and the report says so";

const AUTOTUNING: &str = "How a GPU takes formats and kernel parameters that are left to it: 'timed' times the best candidates of a \
model inside the first long solve and remembers the fastest on disk, so that bits repeat once it is remembered; 'modelled' trusts the \
model alone: bits repeat from the first solve on";

/// `galerkit solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// The matrix; without one, a built-in problem is solved and results/ is filled
    #[arg(value_name = "A", long_help = MATRIX)]
    pub matrix: Option<String>,
    /// Right-hand side: a Matrix Market vector, 'ones' or 'random'
    #[arg(long, value_name = "b.mtx|ones|random", default_value = "ones")]
    pub rhs: String,
    /// auto, cg, minres, bicgstab, gmres:M, vpgcr:M, lu, cholesky, ...
    #[arg(long, value_name = "NAME", default_value = "auto", long_help = methods::help())]
    pub method: String,
    /// auto, none, jacobi, ssor:OMEGA, ilu0, ic0, ilu0:coloured, ...
    #[arg(long, value_name = "NAME", default_value = "auto", alias = "preconditioner", long_help = methods::precond())]
    pub precond: String,
    /// What A nearly maps to zero, for amg: a Matrix Market vector; again for each
    #[arg(long, value_name = "v.mtx", help_heading = heading::METHOD)]
    pub near_null: Vec<PathBuf>,
    /// Absolute tolerance: ||b - A x|| <= ATOL is enough as well
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true, help_heading = heading::METHOD)]
    pub atol: f64,
    /// Most iterations [default: 10000]; with a limit, auto does not begin with elimination
    #[arg(long, value_name = "N", help_heading = heading::METHOD)]
    pub max_iterations: Option<usize>,
    /// Replace the recursive residual by b - A x every N iterations, or 'never'; 'auto' is 50, in bicgstab never
    #[arg(long, value_name = "N", default_value = "auto", alias = "exact-residual", help_heading = heading::METHOD)]
    pub residual_replacement: String,
    /// auto, exact or sweeps:N: triangular solves of incomplete factorisations
    #[arg(long, value_name = "WAY", default_value = "auto", long_help = TRIANGULAR, help_heading = heading::METHOD)]
    pub triangular: String,
    /// Seed of '--rhs random'
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = heading::METHOD)]
    pub seed: u64,
    /// Where and how it is computed.
    #[command(flatten)]
    pub machine: Machine,
    /// timed or modelled: how a GPU takes formats that are left to it
    #[arg(long, value_name = "HOW", default_value = "timed", long_help = AUTOTUNING, help_heading = heading::DEVICE)]
    pub autotuning: String,
    /// Do not measure the memory bandwidth (a few tenths of a second, large systems only)
    #[arg(long, help_heading = heading::DEVICE)]
    pub no_bandwidth: bool,
    /// auto or a storage format: csr, coo, bsr, ell, ell-r, sell, hyb, k1 ... k2rs
    #[arg(long, default_value = "auto", help_heading = heading::STORAGE)]
    pub format: String,
    /// auto, natural, rcm (reverse Cuthill-McKee) or colours (for triangular solves on a GPU); undone in x
    #[arg(long, default_value = "auto", help_heading = heading::STORAGE)]
    pub ordering: String,
    /// Relative tolerance: ||b - A x|| <= RTOL ||b|| [default: 1e-8, in single precision 1e-4]
    #[arg(long, allow_negative_numbers = true)]
    pub rtol: Option<f64>,
    /// Write x as a Matrix Market vector
    #[arg(short, long, value_name = "x.mtx")]
    pub output: Option<PathBuf>,
    /// Write the residual after each iteration as CSV
    #[arg(long, value_name = "h.csv", help_heading = heading::OUTPUT)]
    pub history: Option<PathBuf>,
    /// Draw the residual after each iteration as SVG
    #[arg(long, value_name = "r.svg", help_heading = heading::OUTPUT)]
    pub plot: Option<PathBuf>,
    /// Write the report as JSON; '-' for standard output
    #[arg(long, value_name = "r.json|-", help_heading = heading::OUTPUT)]
    pub json: Option<PathBuf>,
    /// Write residual.svg, history.csv and report.json into this folder
    #[arg(long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub results: Option<PathBuf>,
    /// Explain what ran: every choice with its reason, the kernels or passes of an iteration
    #[arg(long, help_heading = heading::OUTPUT)]
    #[arg(
        long_help = "Explain what ran: device, method, format and ordering with their reasons; the kernels or passes of an \
                       iteration, what was fused in each and the bytes it must move"
    )]
    pub explain: bool,
    /// No progress bar and no notes
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub quiet: bool,
}
