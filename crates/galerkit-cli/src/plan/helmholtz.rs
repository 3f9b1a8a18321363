//! `galerkit helmholtz` as meant. Words are read and contradictions found before a mesh is made.
//!
//! | file | what |
//! |---|---|
//! | [`words`] | waves, complex numbers, truncations, walls |
//! | [`contradictions`] | options that exclude each other |
//! | [`files`] | the files that are written |
//! | [`geometry`] | geometries by name, and their meshes |
//! | [`shifted`] | the shifted Laplacian by name |

mod contradictions;
mod files;
pub mod geometry;
pub mod shifted;
pub mod words;

pub use files::HelmholtzFiles;

use super::poisson::operator::Operator;
use super::{Place, Quiet};
use crate::args::Helmholtz;
use anyhow::{Context, Result, bail};
use galerkit::fem::Expression;
use galerkit::fem::acoustics::Wave;
use galerkit::fem::acoustics::series::Obstacle;
use galerkit::linalg::c64;
use galerkit::{Choice, Krylov, Method, Precision, Preconditioning, Solver};
use geometry::Geometry;
use shifted::Shifted;
use std::f64::consts::TAU;
use std::path::PathBuf;
use words::{Case, Stabilised, Truncation, Wall};

const SHOWN_FREQUENCY: f64 = 200.0;
/// Heads of a driver and of who sits behind, in the car.
const HEADS: [[f64; 3]; 2] = [[-0.35, -0.3, 0.0], [0.55, -0.3, 0.0]];

/// Where the mesh comes from.
#[derive(Clone, Debug)]
pub enum Source {
    Geometry(Geometry, usize),
    File(PathBuf),
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Level,
    Real,
    Phase,
}

/// A computation of sound, as meant.
#[derive(Debug)]
pub struct HelmholtzPlan {
    pub source: Source,
    pub degree: usize,
    /// The wavenumbers, one after the other, and whether they come from frequencies.
    pub wavenumbers: Vec<c64>,
    pub is_sweep: bool,
    pub truncation: Truncation,
    pub exact: Option<Wave>,
    pub walls: Vec<(String, Wall)>,
    pub sources: Vec<([f64; 3], c64)>,
    /// f in the whole domain.
    pub volume: Option<Expression>,
    pub scatter: Option<Obstacle>,
    /// Right-hand sides, if there are several.
    pub cases: Vec<Case>,
    pub speed: Option<Expression>,
    pub density: Option<Expression>,
    pub sound_speed: f64,
    pub gls: Option<Stabilised>,
    pub simplices: bool,
    pub force: bool,
    /// The linear solver, ready but for its observer.
    pub solver: Solver,
    pub method: Choice<Method>,
    /// Whether method and preconditioner are left to the program.
    pub is_auto: bool,
    pub shifted: Option<Shifted>,
    pub operator: Operator,
    pub place: Place,
    pub probes: Vec<[f64; 3]>,
    pub show: Show,
    pub files: HelmholtzFiles,
    pub quiet: bool,
}

impl Quiet for HelmholtzPlan {
    fn is_quiet(&self) -> bool {
        self.quiet
    }
}

impl HelmholtzPlan {
    /// Makes sense of the arguments of `helmholtz`.
    pub fn new(arguments: Helmholtz) -> Result<Self> {
        let is_bare = arguments.is_bare();
        let source = mesh_source(&arguments)?;
        let is_car = matches!(source, Source::Geometry(Geometry::Car(_), _));
        let usual = if is_car { Truncation::Infinite { order: 4 } } else { Truncation::Impedance };
        let place = Place::new(&arguments.machine)?;
        let shifted = Shifted::parse(&arguments.precond)?;
        let operator = operator(&arguments)?;
        let probes = arguments.probe.iter().map(|text| words::point("probe", text)).collect::<Result<Vec<_>>>()?;
        let read = |option: &str, text: &Option<String>| -> Result<Option<Expression>> {
            let parse = |text: &String| text.parse().with_context(|| format!("--{option} is no function of x, y, z"));
            text.as_ref().map(parse).transpose()
        };
        let plan = Self {
            degree: degree(&arguments, is_car)?,
            wavenumbers: wavenumbers(&arguments, is_car)?,
            is_sweep: arguments.sweep.is_some(),
            truncation: arguments.boundary.as_deref().map_or(Ok(usual), words::truncation)?,
            exact: arguments.exact.as_deref().map(words::wave).transpose()?,
            walls: arguments.wall.iter().map(|text| words::wall(text)).collect::<Result<_>>()?,
            sources: arguments.source.iter().map(|text| words::source(text)).collect::<Result<_>>()?,
            scatter: arguments.scatter.as_deref().map(obstacle).transpose()?,
            cases: arguments.case.iter().map(|text| words::case(text)).collect::<Result<_>>()?,
            volume: read("volume", &arguments.volume)?,
            speed: read("speed", &arguments.speed)?,
            density: read("density", &arguments.density)?,
            sound_speed: arguments.sound_speed,
            gls: arguments.gls.as_deref().map(words::stabilised).transpose()?,
            simplices: arguments.simplices,
            force: arguments.force,
            method: arguments.method.parse()?,
            is_auto: arguments.method == "auto" && arguments.precond == "auto",
            solver: solver(&arguments, place, shifted)?,
            shifted,
            operator,
            place,
            probes: if probes.is_empty() && is_car { HEADS.to_vec() } else { probes },
            show: show(&arguments.show)?,
            files: HelmholtzFiles::new(&arguments, is_bare)?,
            quiet: arguments.quiet,
            source,
        };
        plan.check(arguments.boundary.is_some())?;
        Ok(plan)
    }

    /// What is computed, by name.
    pub fn name(&self) -> String {
        match &self.source {
            Source::Geometry(geometry, _) => geometry.name().into(),
            Source::File(path) => path.display().to_string(),
        }
    }
    /// 1 / c, where that is the same everywhere.
    pub fn slowness(&self) -> Option<f64> {
        self.speed.as_ref().map_or(Some(1.0), |speed| speed.constant().map(|c| 1.0 / c))
    }
    /// The wavenumber in the medium, where waves in closed form are given or compared with.
    pub fn local(&self, k: c64) -> c64 {
        k * self.slowness().unwrap_or(1.0)
    }
    /// The frequency of a wavenumber in Hz.
    pub fn frequency(&self, k: c64) -> f64 {
        k.re * self.sound_speed / TAU
    }
}

fn mesh_source(arguments: &Helmholtz) -> Result<Source> {
    if let Some(path) = &arguments.mesh {
        return Ok(Source::File(path.clone()));
    }
    let geometry = Geometry::new(arguments)?;
    match arguments.cells {
        Some(0) => bail!("--cells 0 leaves no cells: take at least one"),
        cells => Ok(Source::Geometry(geometry, cells.unwrap_or(geometry.usual_cells()))),
    }
}

fn degree(arguments: &Helmholtz, is_car: bool) -> Result<usize> {
    let is_simplicial = arguments.simplices;
    match arguments.degree.unwrap_or(if is_car { 2 } else { 1 }) {
        p if is_simplicial && !(1..=4).contains(&p) => {
            bail!("--degree {p} is not allowed: triangles and tetrahedra have 1 to 4")
        }
        p @ 1..=10 => Ok(p),
        p => bail!("--degree {p} is not allowed: degrees are from 1 to 10"),
    }
}

fn wavenumbers(arguments: &Helmholtz, is_car: bool) -> Result<Vec<c64>> {
    let of = |frequency: f64| c64::new(TAU * frequency / arguments.sound_speed, 0.0);
    if let Some(text) = &arguments.sweep {
        if arguments.wavenumber.is_some() || arguments.frequency.is_some() {
            bail!("--sweep has frequencies of its own: leave --wavenumber and --frequency out");
        }
        return Ok(words::sweep(text)?.into_iter().map(of).collect());
    }
    match (&arguments.wavenumber, arguments.frequency) {
        (Some(text), _) => match words::complex(text).filter(|k| k.re >= 0.0 && k.im >= 0.0) {
            Some(k) => Ok(vec![k]),
            None => bail!("--wavenumber {text} is not allowed: RE or RE+IMi, neither part below 0"),
        },
        (None, Some(frequency)) if frequency >= 0.0 && frequency.is_finite() => Ok(vec![of(frequency)]),
        (None, Some(frequency)) => bail!("--frequency {frequency} is not allowed: it is 0 or more, in Hz"),
        (None, None) if is_car => Ok(vec![of(SHOWN_FREQUENCY)]),
        (None, None) => bail!("which k? add --wavenumber K, --frequency HZ or --sweep A:B:STEP"),
    }
}

fn obstacle(text: &str) -> Result<Obstacle> {
    match text {
        "soft" => Ok(Obstacle::Soft),
        "hard" => Ok(Obstacle::Hard),
        other => bail!("--scatter {other}: an obstacle is soft or hard"),
    }
}

fn show(text: &str) -> Result<Show> {
    match text {
        "level" => Ok(Show::Level),
        "real" => Ok(Show::Real),
        "phase" => Ok(Show::Phase),
        other => bail!("--show {other}: it is level, real or phase"),
    }
}

/// With a matrix or without, where no elimination, no single precision and no factors of A are asked for.
fn operator(arguments: &Helmholtz) -> Result<Operator> {
    match arguments.operator.as_str() {
        "assembled" => return Ok(Operator::Assembled),
        "matrix-free" => {}
        other => bail!("--operator {other}: it is assembled or matrix-free"),
    }
    let (method, precond) = (&arguments.method, &arguments.precond);
    if let Choice::Given(Method::Lu | Method::Cholesky | Method::Dense) = method.parse::<Choice<Method>>()? {
        bail!("--method {method} needs a matrix: take gmres:M or another iterative method, or --operator assembled");
    }
    if !precond.starts_with("shifted") && !["auto", "none", "jacobi"].contains(&precond.as_str()) {
        bail!("--precond {precond} needs a matrix: take none, jacobi or shifted, or --operator assembled");
    }
    if let Choice::Given(Precision::Single | Precision::Hybrid) = arguments.machine.precision.parse()? {
        bail!("--precision {} needs a matrix: use --operator assembled", arguments.machine.precision);
    }
    Ok(Operator::MatrixFree)
}

fn solver(arguments: &Helmholtz, place: Place, shifted: Option<Shifted>) -> Result<Solver> {
    let solver = Solver::new().precision(place.precision).device(place.device);
    let method: Choice<Method> = arguments.method.parse()?;
    let solver = match shifted {
        Some(_) if matches!(method, Choice::Given(Method::Lu | Method::Cholesky | Method::Dense)) => {
            bail!("--precond shifted needs iterations: --method {} does without", arguments.method)
        }
        Some(_) if matches!(method, Choice::Given(Method::Krylov(Krylov::Vpgcr { .. }))) => bail!(
            "--method {} has an inner solve in place of --precond shifted: take --method fgmres:80, or another --precond",
            arguments.method
        ),
        Some(_) => solver.method(if method == Choice::Auto { usual_method().into() } else { method }),
        None => solver.method(method).preconditioner(arguments.precond.parse::<Choice<Preconditioning>>()?),
    };
    let solver = arguments.rtol.map_or(solver.clone(), |rtol| solver.rtol(rtol));
    Ok(arguments.max_iterations.map_or(solver.clone(), |limit| solver.max_iterations(limit)))
}

/// The method around the shifted Laplacian.
pub fn usual_method() -> Method {
    Krylov::Gmres { restart: 80 }.into()
}
