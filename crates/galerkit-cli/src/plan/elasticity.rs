//! `galerkit elasticity` as meant. Words are read and contradictions found before a mesh is made.
//!
//! | file | what |
//! |---|---|
//! | [`words`] | pieces of the boundary, functions, numbers |
//! | [`geometry`] | geometries by name, and their meshes |

pub mod geometry;
pub mod words;

use super::{Place, Quiet};
use crate::args::Elasticity;
use anyhow::{Context, Result, bail};
use galerkit::fem::Expression;
use galerkit::fem::elasticity::equations::BLOCK;
use galerkit::linalg::multigrid::amg::{Amg, Kind};
use galerkit::linalg::precond::Preconditioner;
use galerkit::{Choice, Krylov, Method, Precision, Preconditioning, Solver};
use geometry::Geometry;
use std::path::{Path, PathBuf};
use words::{Vector, numbers, split_piece};

/// Where the files of the girder go when nothing is said.
const SHOWN_FOLDER: &str = "results/elasticity-girder";

/// Multigrid of bodies: with the scaled l1 norms of their rows, which are far above eigenvalues, iterations would grow
/// with the levels.
const SUITED: &str = "amg,theta_f=0.1,lambda=lanczos:10";

/// Where the mesh comes from.
#[derive(Clone, Debug)]
pub enum Source {
    Geometry(Geometry),
    File(PathBuf),
}

/// What holds on a piece of the boundary.
#[derive(Clone, Debug)]
pub enum Condition {
    Displacement(Vector),
    Traction(Vector),
    Pressure(Expression),
}

/// What multigrid is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    Rigid,
    Translations,
    None,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    Stress,
    Displacement,
}

/// The files that are written.
#[derive(Clone, Debug, Default)]
pub struct ElasticityFiles {
    pub vtu: Option<PathBuf>,
    pub png: Option<PathBuf>,
    pub json: Option<PathBuf>,
    /// The folder of them all, if it must be made.
    pub folder: Option<PathBuf>,
}

/// A body under load, as meant.
#[derive(Debug)]
pub struct ElasticityPlan {
    pub source: Source,
    pub young: Expression,
    pub poisson: Expression,
    /// Pieces of the boundary, by name or condition, with what holds there.
    pub conditions: Vec<(String, Condition)>,
    pub force: Option<Vector>,
    /// The linear solver, ready but for its observer.
    pub solver: Solver,
    pub modes: Modes,
    /// Whether the preconditioner may be told them: pairs take one vector, classical multigrid none.
    pub takes_modes: bool,
    /// Multigrid that begins with degree 1, where cells have a higher one.
    pub coarsens: Option<Amg>,
    pub place: Place,
    pub probes: Vec<[f64; 3]>,
    pub show: Show,
    pub scale: Option<f64>,
    pub files: ElasticityFiles,
    pub quiet: bool,
}

impl Quiet for ElasticityPlan {
    fn is_quiet(&self) -> bool {
        self.quiet
    }
}

impl ElasticityPlan {
    /// Makes sense of the arguments of `elasticity`.
    pub fn new(arguments: &Elasticity) -> Result<Self> {
        let source = match &arguments.mesh {
            Some(path) => Source::File(path.clone()),
            None => Source::Geometry(Geometry::new(arguments)?),
        };
        let place = Place::new(&arguments.machine)?;
        let modes = modes(&arguments.modes)?;
        let read = |option: &str, text: &str| {
            text.parse::<Expression>().with_context(|| format!("--{option} is no function of x, y, z"))
        };
        let force = arguments.force.as_deref().map(|text| Vector::new("force", text)).transpose()?;
        Ok(Self {
            conditions: conditions(arguments, &source)?,
            young: read("young", &arguments.young)?,
            poisson: read("poisson", &arguments.poisson)?,
            force,
            solver: solver(arguments, place, modes)?,
            coarsens: coarsens(arguments, place, modes)?,
            modes,
            takes_modes: takes_modes(&arguments.precond)?,
            place,
            probes: arguments.probe.iter().map(|text| numbers("probe", text)).collect::<Result<_>>()?,
            show: show(&arguments.show)?,
            scale: scale(arguments.scale)?,
            files: ElasticityFiles::new(arguments),
            quiet: arguments.quiet,
            source,
        })
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match &self.source {
            Source::Geometry(geometry) => geometry.name().into(),
            Source::File(path) => path.display().to_string(),
        }
    }
}

/// All conditions; a geometry has its own where nothing is said.
fn conditions(arguments: &Elasticity, source: &Source) -> Result<Vec<(String, Condition)>> {
    let still = || Vector([0, 1, 2].map(|_| Expression::number(0.0)));
    let mut all = Vec::new();
    for text in &arguments.displace {
        let (piece, value) = split_piece("displace", text)?;
        all.push((piece.into(), Condition::Displacement(Vector::new("displace", value)?)));
    }
    all.extend(arguments.clamp.iter().map(|piece| (piece.trim().to_string(), Condition::Displacement(still()))));
    for text in &arguments.traction {
        let (piece, value) = split_piece("traction", text)?;
        all.push((piece.into(), Condition::Traction(Vector::new("traction", value)?)));
    }
    for text in &arguments.pressure {
        let (piece, value) = split_piece("pressure", text)?;
        all.push((piece.into(), Condition::Pressure(value.parse().with_context(|| format!("--pressure {text}"))?)));
    }
    let is_loaded = all.len() > arguments.clamp.len() || arguments.force.is_some();
    match source {
        Source::Geometry(geometry) => {
            if arguments.clamp.is_empty() {
                all.push((geometry.usual_clamp().into(), Condition::Displacement(still())));
            }
            if !is_loaded {
                let (piece, value) = split_piece("traction", geometry.usual_traction())?;
                all.push((piece.into(), Condition::Traction(Vector::new("traction", value)?)));
            }
        }
        Source::File(_) if !is_loaded => {
            bail!("nothing acts on the body: add --traction, --pressure, --force or --displace");
        }
        Source::File(_) => {}
    }
    Ok(all)
}

/// What suits bodies with these options, which stand in place of its own.
fn suited(options: &str) -> String {
    let key = |option: &str| option.split('=').next().unwrap_or_default().to_string();
    let given: Vec<String> = options.split(',').map(key).collect();
    let own: Vec<&str> = SUITED.split(',').filter(|option| !given.contains(&key(option))).collect();
    format!("{}{options}", own.join(","))
}

/// What preconditions, by its name; multigrid is one that suits bodies.
fn preconditioner(name: &str) -> Result<Choice<Preconditioning>> {
    Ok(match name.strip_prefix("multigrid") {
        Some(options) => suited(options).parse(),
        None => name.parse(),
    }?)
}

/// Multigrid whose degrees are coarsened first, where it may be that of a body: not in single precision, nor in a
/// method that does without.
fn coarsens(arguments: &Elasticity, place: Place, modes: Modes) -> Result<Option<Amg>> {
    let is_double = !matches!(place.precision, Choice::Given(Precision::Single | Precision::Hybrid));
    let is_plain = match arguments.method.parse::<Choice<Method>>()? {
        Choice::Given(Method::Krylov(method)) => !matches!(method, Krylov::Vpgcr { .. }),
        Choice::Given(_) => false,
        Choice::Auto => true,
    };
    let may = arguments.precond.starts_with("multigrid") && modes == Modes::Rigid && is_double && is_plain;
    Ok(match preconditioner(&arguments.precond)? {
        Choice::Given(Preconditioning::Named(Preconditioner::Amg(amg))) if may => Some(amg),
        _ => None,
    })
}

/// Whether a preconditioner may be told the modes of a body.
fn takes_modes(name: &str) -> Result<bool> {
    Ok(match preconditioner(name)? {
        Choice::Given(Preconditioning::Named(Preconditioner::Amg(amg))) => amg.kind == Kind::Smoothed,
        _ => true,
    })
}

fn solver(arguments: &Elasticity, place: Place, modes: Modes) -> Result<Solver> {
    let mut preconditioner = preconditioner(&arguments.precond)?;
    let is_other = |option: &str| option.starts_with("block=") && option != format!("block={BLOCK}");
    if modes != Modes::None && arguments.precond.split(',').any(is_other) {
        bail!(
            "--precond {}: a node of a body has {BLOCK} rows: leave block out, or add --modes none",
            arguments.precond
        );
    }
    if let Choice::Given(Preconditioning::Named(Preconditioner::Amg(amg))) = &mut preconditioner
        && amg.kind == Kind::Smoothed
        && modes != Modes::None
    {
        amg.block = BLOCK;
    }
    let mut solver = Solver::new()
        .method(arguments.method.parse::<Choice<Method>>()?)
        .preconditioner(preconditioner)
        .precision(place.precision)
        .device(place.device);
    if let Some(rtol) = arguments.rtol {
        solver = solver.rtol(rtol);
    }
    if let Some(limit) = arguments.max_iterations {
        solver = solver.max_iterations(limit);
    }
    Ok(solver)
}

fn modes(text: &str) -> Result<Modes> {
    match text {
        "rigid" => Ok(Modes::Rigid),
        "translations" => Ok(Modes::Translations),
        "none" => Ok(Modes::None),
        other => bail!("--modes {other}: it is rigid, translations or none"),
    }
}

fn show(text: &str) -> Result<Show> {
    match text {
        "stress" => Ok(Show::Stress),
        "displacement" => Ok(Show::Displacement),
        other => bail!("--show {other}: it is stress or displacement"),
    }
}

fn scale(given: Option<f64>) -> Result<Option<f64>> {
    match given {
        Some(scale) if !(scale >= 0.0 && scale.is_finite()) => {
            bail!("--scale {scale} is not allowed: it is 0 or more; 1 shows the displacement as it is")
        }
        _ => Ok(given),
    }
}

impl ElasticityFiles {
    fn new(arguments: &Elasticity) -> Self {
        let folder = arguments.is_bare().then(|| PathBuf::from(SHOWN_FOLDER));
        let or =
            |asked: &Option<PathBuf>, name: &str| asked.clone().or(folder.as_ref().map(|folder| folder.join(name)));
        Self {
            vtu: or(&arguments.vtu, "u.vtu"),
            png: or(&arguments.png, "u.png"),
            json: or(&arguments.json, "report.json"),
            folder: folder.clone(),
        }
    }
    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let all = self.vtu.iter().chain(&self.png).chain(&self.json);
        all.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}
