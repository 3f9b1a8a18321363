//! The command line as meant: names become choices, defaults are filled in, contradictions are errors.
//! Everything here is decided before a matrix is read, so that a typing error costs no time.

pub mod elasticity;
mod elimination;
pub mod endings;
pub mod heart;
pub mod helmholtz;
mod krylov;
mod parameters;
pub mod poisson;
mod toml;
mod triangular;
pub mod tumour;

use crate::args::{Machine, Measure, Solve};
use anyhow::{Context, Result, bail};
use galerkit::linalg::c64;
use galerkit::linalg::io::matrix_market::{AnyVector, read_vector};
use galerkit::linalg::sparse::Format;
use galerkit::{
    Autotuning, Choice, Device, Method, Ordering, Precision, Preconditioning, ResidualReplacement, Rhs, Solver,
    TriangularSolve,
};
pub use krylov::KrylovPlan;
use std::path::{Path, PathBuf};
pub use triangular::TriangularPlan;

/// Solved when no matrix is named.
pub const DEFAULT_PROBLEM: &str = "gallery:poisson3d?n=64&stencil=27";
/// Timed when no matrix is named.
const DEFAULT_BENCHMARK: &str = "gallery:poisson3d?n=100&stencil=27";

/// Where and how something is computed.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Single, double or both.
    pub precision: Choice<Precision>,
    /// What computes.
    pub device: Choice<Device>,
}

/// A plan of a command that may be told to say less.
pub trait Quiet {
    /// Whether there should be no progress and no notes.
    fn is_quiet(&self) -> bool;
}

impl Place {
    /// Reads the names, looks whether a GPU that was asked for is there, and starts the threads.
    pub fn new(machine: &Machine) -> Result<Self> {
        let (precision, device): (_, Choice<Device>) = (machine.precision.parse()?, machine.device.parse()?);
        if let Choice::Given(device) = device {
            device.require()?;
        }
        if let Some(threads) = machine.threads {
            galerkit::use_threads(threads)?;
        }
        Ok(Self { precision, device })
    }

    /// The device of a benchmark, whatever the size of its matrices; and why.
    pub fn of_benchmark(&self) -> (Device, String) {
        match self.device {
            Choice::Auto => Device::of_machine(),
            Choice::Given(device) => (device, "asked for".into()),
        }
    }
}

/// What is worth comparing on a GPU, slices as high as a warp; or everything.
fn gpu_formats(all: bool) -> Vec<Format> {
    let mut formats = vec![Format::Csr, Format::Sell { height: 32, sigma: 1 }, Format::Sell { height: 32, sigma: 256 }];
    let ell_warp = |format: &Format| matches!(format, Format::EllWarp { .. });
    formats.extend(Format::all().into_iter().filter(ell_warp));
    formats.push(Format::Ell);
    if all {
        let blocks = (2..=4).map(|block| Format::Bsr { block });
        formats.extend(blocks.chain([Format::EllR, Format::Hyb { width: None }, Format::Coo]));
    }
    formats
}

/// The files that a solve writes.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The solution.
    pub solution: Option<PathBuf>,
    /// Residuals as CSV.
    pub history: Vec<PathBuf>,
    /// Residuals as SVG.
    pub plot: Vec<PathBuf>,
    /// The report as JSON.
    pub json: Vec<PathBuf>,
    /// The folder of the last three, if one was asked for.
    pub folder: Option<PathBuf>,
}

/// A solve, as meant.
#[derive(Debug)]
pub struct SolvePlan {
    /// The matrix by name.
    pub matrix: String,
    /// The right-hand side.
    pub rhs: Rhs,
    /// The solver, ready but for its observer.
    pub solver: Solver,
    /// Where it runs.
    pub place: Place,
    /// What is written.
    pub files: Files,
    /// Whether to relate the speed to a triad.
    pub measure_bandwidth: bool,
    /// Whether to explain what ran.
    pub explain: bool,
    /// Neither progress nor notes.
    pub quiet: bool,
}

impl SolvePlan {
    /// Makes sense of the arguments of `solve`.
    pub fn new(arguments: Solve) -> Result<Self> {
        let place = Place::new(&arguments.machine)?;
        if arguments.matrix.as_deref().is_some_and(|name| name.trim().is_empty()) {
            bail!(
                "the name of the matrix is empty: name a file or gallery:NAME, or leave it out for a built-in problem"
            );
        }
        let method: Choice<Method> = arguments.method.parse()?;
        elimination::require_no_options(method, &arguments)?;
        let preconditioner: Choice<Preconditioning> = arguments.precond.parse()?;
        let mut solver = Solver::new()
            .method(method)
            .preconditioner(preconditioner)
            .atol(arguments.atol)
            .format(arguments.format.parse::<Choice<Format>>()?)
            .ordering(arguments.ordering.parse::<Choice<Ordering>>()?)
            .triangular(arguments.triangular.parse::<Choice<TriangularSolve>>()?)
            .residual_replacement(arguments.residual_replacement.parse::<Choice<ResidualReplacement>>()?)
            .precision(place.precision)
            .device(place.device)
            .autotuning(arguments.autotuning.parse::<Autotuning>()?);
        if let Some(rtol) = arguments.rtol {
            solver = solver.rtol(rtol);
        }
        if let Some(limit) = arguments.max_iterations {
            solver = solver.max_iterations(limit);
        }
        if !arguments.near_null.is_empty() {
            solver = solver.near_null(&near_null(&arguments.near_null)?);
        }
        let rhs = right_hand_side(&arguments.rhs, arguments.seed)?;
        let matrix = arguments.matrix.clone().unwrap_or_else(|| DEFAULT_PROBLEM.into());
        let folder =
            arguments.results.clone().or_else(|| arguments.matrix.is_none().then(|| folder_for(&matrix, &arguments)));
        Ok(Self {
            matrix,
            rhs,
            solver,
            place,
            files: Files::new(&arguments, folder),
            measure_bandwidth: !arguments.no_bandwidth,
            explain: arguments.explain,
            quiet: arguments.quiet,
        })
    }
}

impl Files {
    fn new(arguments: &Solve, folder: Option<PathBuf>) -> Self {
        let all = |asked: &Option<PathBuf>, name: &str| {
            let inside = folder.as_ref().map(|folder| folder.join(name));
            asked.iter().cloned().chain(inside).collect()
        };
        Self {
            solution: arguments.output.clone(),
            history: all(&arguments.history, "history.csv"),
            plot: all(&arguments.plot, "residual.svg"),
            json: all(&arguments.json, "report.json"),
            folder,
        }
    }

    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let lists = self.history.iter().chain(&self.plot).chain(&self.json);
        self.solution.iter().chain(lists).map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }

    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.iter().any(|path| path == Path::new("-"))
    }
}

/// Ones, random numbers, or a file.
fn right_hand_side(name: &str, seed: u64) -> Result<Rhs> {
    Ok(match name {
        "ones" => Rhs::Ones,
        "random" => Rhs::Random { seed },
        path => Rhs::Given(read_vector(path).context("the right-hand side cannot be read")?),
    })
}

/// Near-null vectors from files.
fn near_null(paths: &[PathBuf]) -> Result<Vec<Vec<c64>>> {
    let read = |path: &PathBuf| match read_vector(path).context("a near-null vector cannot be read")? {
        AnyVector::Real(values) => Ok(values.into_iter().map(|value| c64::new(value, 0.0)).collect()),
        AnyVector::Complex(values) => Ok(values),
    };
    paths.iter().map(read).collect()
}

/// A folder that says what is in it: results/poisson3d-n64-stencil27, and what was chosen beyond the defaults.
fn folder_for(matrix: &str, arguments: &Solve) -> PathBuf {
    let problem = matrix.strip_prefix("gallery:").unwrap_or(matrix).replace('=', "");
    let choices = [
        (arguments.method.as_str(), "auto"),
        (&arguments.precond, "auto"),
        (&arguments.machine.precision, "f64"),
        (&arguments.format, "auto"),
        (&arguments.ordering, "auto"),
        (&arguments.triangular, "auto"),
        (&arguments.machine.device, "auto"),
    ];
    let unusual = choices.into_iter().filter(|(chosen, default)| chosen != default).map(|(chosen, _)| chosen);
    let words: Vec<&str> = std::iter::once(problem.as_str()).chain(unusual).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    Path::new("results").join(words.join("-").chars().map(plain).collect::<String>())
}

/// A benchmark, as meant.
#[derive(Debug)]
pub struct BenchPlan {
    /// The matrices by name.
    pub matrices: Vec<String>,
    /// The formats.
    pub formats: Vec<Format>,
    /// The order of rows and columns.
    pub ordering: Choice<Ordering>,
    /// Single or double.
    pub precision: Choice<Precision>,
    /// What computes.
    pub device: Device,
    /// Why.
    pub device_reason: String,
    /// Timed repetitions.
    pub repetitions: usize,
}

impl BenchPlan {
    /// Makes sense of the arguments of `bench`.
    pub fn new(arguments: &Measure) -> Result<Self> {
        if arguments.repetitions == 0 {
            bail!("--repetitions 0 would measure nothing: ask for at least 1");
        }
        let given: Result<Vec<Format>, _> = arguments.formats.iter().map(|name| name.parse()).collect();
        let matrices = match arguments.matrices.is_empty() {
            true => vec![DEFAULT_BENCHMARK.into()],
            false => arguments.matrices.clone(),
        };
        let place = Place::new(&arguments.machine)?;
        if !matches!(place.precision, Choice::Given(Precision::Single | Precision::Double)) {
            bail!("--precision {} is for solves: this benchmark takes f64 or f32", place.precision);
        }
        let (device, device_reason) = place.of_benchmark();
        Ok(Self {
            matrices,
            formats: match (arguments.formats.is_empty(), device) {
                (false, _) => given?,
                (true, Device::Cuda(_)) => gpu_formats(arguments.all_formats),
                (true, _) => Format::all(),
            },
            ordering: arguments.ordering.parse()?,
            precision: place.precision,
            device,
            device_reason,
            repetitions: arguments.repetitions,
        })
    }
}
