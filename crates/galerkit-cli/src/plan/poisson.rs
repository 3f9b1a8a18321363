//! `galerkit poisson` as meant. Expressions are read and contradictions found before a mesh is.
//!
//! | file | what |
//! |---|---|
//! | [`domain`] | domains by name: meshes, corners, what they solve unless data are given |
//! | [`agreement`] | whether the exact solution solves what is stated |
//! | [`condition`] | one boundary condition as typed |
//! | [`operator`] | with a matrix or without |
//! | [`brought`] | preconditioners that are made of the problem |
//! | [`data`] | f, kappa, the exact solution and boundary data, and the problem they make on a space |

pub mod agreement;
pub mod brought;
pub mod condition;
pub mod data;
pub mod domain;
pub mod operator;

use super::{Place, Quiet, endings};
use crate::args::Poisson;
use anyhow::{Context, Result, bail};
use brought::Brought;
use data::Data;
use domain::Domain;
use galerkit::fem::basis::MAX_DEGREE;
use galerkit::fem::problem::Interior;
use galerkit::fem::simplex::Functions;
use galerkit::{Choice, Method, Precision, Solver};
use operator::Operator;
use std::path::{Path, PathBuf};

/// Relative tolerance of linear solves: below the errors of all but the finest spaces.
const RTOL: f64 = 1e-10;
/// What is solved when nothing is said.
const SHOWN: Geometric = Geometric { layers: 10, slope: 0.5 };
/// Where its files go.
const SHOWN_FOLDER: &str = "results/poisson-lshape";

/// A geometric mesh.
#[derive(Clone, Copy, Debug)]
pub struct Geometric {
    /// Cuts towards the corner.
    pub layers: usize,
    /// Degrees gained a layer.
    pub slope: f64,
}

/// What the mesh is made from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A domain cut a number of times along each edge.
    Domain(Domain, usize),
    /// A file.
    File(PathBuf),
}

/// Cells and degrees, as meant.
#[derive(Clone, Debug)]
pub struct SpacePlan {
    /// Where the mesh comes from.
    pub source: Source,
    /// Degrees, repeated over the cells.
    pub degrees: Vec<usize>,
    /// Uniform cuts.
    pub refine: usize,
    /// Cells to cut once.
    pub refine_cells: Vec<usize>,
    /// Layers towards a corner.
    pub geometric: Option<Geometric>,
}

/// The automatic loop.
#[derive(Clone, Copy, Debug)]
pub struct Adapt {
    /// Estimate relative to the energy norm.
    pub tolerance: f64,
    /// The end in any case.
    pub unknowns: usize,
}

/// The files that are written.
#[derive(Clone, Debug, Default)]
pub struct PoissonFiles {
    /// u_h.
    pub vtu: Option<PathBuf>,
    /// A picture of it.
    pub png: Option<PathBuf>,
    /// Errors over unknowns.
    pub plot: Option<PathBuf>,
    /// The report.
    pub json: Option<PathBuf>,
    /// The folder of them all, if it must be made.
    pub folder: Option<PathBuf>,
}

/// A boundary value problem and how it is solved, as meant.
#[derive(Debug)]
pub struct PoissonPlan {
    /// Cells and degrees.
    pub space: SpacePlan,
    /// What is solved.
    pub data: Data,
    /// The linear solver, ready but for its observer.
    pub solver: Solver,
    /// Where it runs.
    pub place: Place,
    /// Whether there is a matrix; nothing if the space decides.
    pub operator: Option<Operator>,
    /// A preconditioner that is made of the problem.
    pub brought: Option<Brought>,
    /// Whether neither method nor preconditioner were asked for.
    pub is_open: bool,
    /// What becomes of interior functions.
    pub interior: Interior,
    /// The functions of simplices, if they are named.
    pub basis: Option<Functions>,
    /// The automatic loop.
    pub adapt: Option<Adapt>,
    /// Curves with cuts alone and degrees alone.
    pub compare: bool,
    /// Points at which u_h is wanted.
    pub probes: Vec<[f64; 3]>,
    /// What is written.
    pub files: PoissonFiles,
    /// Neither progress nor notes.
    pub quiet: bool,
}

impl Quiet for PoissonPlan {
    fn is_quiet(&self) -> bool {
        self.quiet
    }
}

impl PoissonPlan {
    /// Makes sense of the arguments of `poisson`.
    pub fn new(arguments: Poisson) -> Result<Self> {
        let is_bare = arguments.is_bare();
        let operator = Operator::new(&arguments)?;
        let space = SpacePlan::new(&arguments, is_bare)?;
        let place = Place::new(&arguments.machine)?;
        let adapt = arguments.adapt.map(|tolerance| Adapt { tolerance, unknowns: arguments.max_unknowns });
        if adapt.is_some_and(|adapt| !(adapt.tolerance > 0.0 && adapt.tolerance.is_finite())) {
            bail!("--adapt needs a tolerance above 0, for example 1e-3");
        }
        let files = PoissonFiles::new(&arguments, is_bare);
        files.check_endings()?;
        let plan = Self {
            data: Data::new(&arguments, &space)?,
            solver: solver(&arguments, place)?,
            place,
            operator,
            brought: Brought::new(&arguments)?,
            is_open: arguments.method == "auto" && arguments.precond == "auto",
            basis: arguments.basis.as_deref().map(functions).transpose()?,
            interior: if arguments.condense { Interior::Condensed } else { Interior::Kept },
            adapt,
            compare: arguments.compare || is_bare,
            probes: arguments.probe.iter().map(|text| point(text)).collect::<Result<_>>()?,
            files,
            quiet: arguments.quiet,
            space,
        };
        plan.check_curves(&arguments)?;
        Ok(plan)
    }

    /// Whether the errors of all layers are wanted, not only of the last.
    pub fn has_curve(&self) -> bool {
        self.compare || self.files.plot.is_some()
    }

    fn check_curves(&self, arguments: &Poisson) -> Result<()> {
        let what = if self.compare { "--compare" } else { "--plot" };
        if self.has_curve() && self.adapt.is_none() && self.space.geometric.is_none() {
            bail!("{what} needs several spaces: add --adapt TOL, or --layers L");
        }
        if self.has_curve() && self.adapt.is_none() && self.data.exact.is_none() {
            bail!(
                "{what} with --layers needs the exact solution: add --exact, or use --adapt TOL, which estimates errors"
            );
        }
        if arguments.adapt.is_some() && arguments.slope.is_some() {
            bail!("--slope sets degrees and --adapt raises them: leave one out");
        }
        Ok(())
    }
}

impl SpacePlan {
    fn new(arguments: &Poisson, is_bare: bool) -> Result<Self> {
        let domain: Domain = arguments.domain.as_deref().unwrap_or("lshape").parse()?;
        let source = match (&arguments.mesh, arguments.cells.unwrap_or(1)) {
            (Some(path), _) => Source::File(path.clone()),
            (None, 0) => bail!("--cells 0 leaves no cells: cut at least once"),
            (None, cells) => Source::Domain(domain, cells),
        };
        let usual = if matches!(source, Source::Domain(Domain::Lshape, _)) { 1 } else { 2 };
        let degrees = if arguments.degree.is_empty() { vec![usual] } else { arguments.degree.clone() };
        if let Some(degree) = degrees.iter().find(|degree| !(1..=MAX_DEGREE).contains(degree)) {
            bail!("--degree {degree} is not allowed: degrees are from 1 to {MAX_DEGREE}");
        }
        let slope = arguments.slope.unwrap_or(0.0);
        if !(slope >= 0.0 && slope.is_finite()) {
            bail!("--slope {slope} is not allowed: it is 0 or more, usually 0.5 or 1");
        }
        if slope > 0.0 && degrees.len() > 1 {
            bail!("--slope needs one --degree, that of the elements at the corner");
        }
        let geometric = arguments.layers.map(|layers| Geometric { layers, slope }).or(is_bare.then_some(SHOWN));
        let (refine, refine_cells) = (arguments.refine, arguments.refine_cells.clone());
        Ok(Self { source, degrees, refine, refine_cells, geometric })
    }

    /// What it is called.
    pub fn name(&self) -> String {
        match &self.source {
            Source::Domain(domain, _) => domain.to_string(),
            Source::File(path) => path.display().to_string(),
        }
    }
}

impl PoissonFiles {
    fn new(arguments: &Poisson, is_bare: bool) -> Self {
        let folder = is_bare.then(|| PathBuf::from(SHOWN_FOLDER));
        let or =
            |asked: &Option<PathBuf>, name: &str| asked.clone().or(folder.as_ref().map(|folder| folder.join(name)));
        Self {
            vtu: or(&arguments.vtu, "u.vtu"),
            png: or(&arguments.png, "u.png"),
            plot: or(&arguments.plot, "convergence.svg"),
            json: or(&arguments.json, "report.json"),
            folder: folder.clone(),
        }
    }
    /// An error where a name promises another kind of file than is written.
    fn check_endings(&self) -> Result<()> {
        endings::require("--vtu", &self.vtu, &["vtu"])?;
        endings::require("--png", &self.png, &["png"])?;
        endings::require("--plot", &self.plot, &["svg"])
    }
    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let all = self.vtu.iter().chain(&self.png).chain(&self.plot).chain(&self.json);
        all.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

fn solver(arguments: &Poisson, place: Place) -> Result<Solver> {
    let preconditioner = Brought::other(arguments)?;
    let solver = Solver::new()
        .method(arguments.method.parse::<Choice<Method>>()?)
        .preconditioner(preconditioner)
        .precision(place.precision)
        .device(place.device);
    let is_single = place.precision == Choice::Given(Precision::Single);
    let solver = match arguments.rtol {
        Some(rtol) => solver.rtol(rtol),
        None if is_single => solver, // its own default is what single precision can reach
        None => solver.rtol(RTOL),
    };
    Ok(arguments.max_iterations.map_or(solver.clone(), |limit| solver.max_iterations(limit)))
}

/// The functions of simplices by name.
fn functions(text: &str) -> Result<Functions> {
    match text {
        "lagrange" => Ok(Functions::Lagrange),
        "hierarchical" => Ok(Functions::Hierarchical),
        other => bail!("--basis {other}: it is lagrange or hierarchical"),
    }
}

/// x,y or x,y,z
fn point(text: &str) -> Result<[f64; 3]> {
    let number = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers.as_deref() {
        Some([x, y]) => Ok([*x, *y, 0.0]),
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err(anyhow::anyhow!("two or three finite numbers are expected")),
    }
    .with_context(|| format!("--probe {text} is no point: write x,y or x,y,z"))
}
