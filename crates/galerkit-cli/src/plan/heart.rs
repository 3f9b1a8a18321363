//! `galerkit heart` as meant: geometry, cells, stimuli and settings, with the defaults of each geometry filled in.

mod geometry;
mod live;
mod scheme;
mod stimulus;

pub use geometry::{Geometry, Shape};
pub use live::LivePlan;
pub use scheme::SchemeChoice;

use super::Place;
use crate::args::HeartRun;
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::cell::{AlievPanfilov, Kind, MitchellSchaeffer};
use galerkit::fem::cardiac::{Conductivity, Model, Stimulus};
use galerkit::linalg::program::Precision as VectorPrecision;
use galerkit::{Choice, Precision};
use std::path::{Path, PathBuf};

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A beat, or many.
    Beat,
    /// The speed of a planar front.
    Speed,
}

/// A run, as meant.
#[derive(Clone, Debug)]
pub struct HeartPlan {
    /// Where it runs.
    pub place: Place,
    /// What the tissue looks like.
    pub geometry: Geometry,
    /// What conducts in it.
    pub conductivity: Conductivity,
    /// Direction of all fibres.
    pub fibre: [f64; 3],
    /// What the cells do.
    pub model: Model,
    /// Scheme, steps and tolerances.
    pub scheme: SchemeChoice,
    /// What excites them.
    pub stimuli: Vec<Stimulus>,
    /// Points to look at.
    pub probes: Vec<[f64; 3]>,
    /// Electrodes.
    pub leads: Vec<[f64; 3]>,
    /// When it ends, in ms; none: when the front has passed.
    pub end: Option<f64>,
    /// Look every so many ms.
    pub every: f64,
    /// What is written.
    pub files: Files,
    /// Neither progress nor notes.
    pub quiet: bool,
}

/// What is written.
#[derive(Clone, Debug)]
pub struct Files {
    /// Times by node.
    pub csv: Option<PathBuf>,
    /// Numbers over time.
    pub traces: Option<PathBuf>,
    /// Times and potential for ParaView.
    pub vtu: Option<PathBuf>,
    /// Activation times as a picture.
    pub png: Option<PathBuf>,
    /// The potential as an animated picture.
    pub film: Option<PathBuf>,
    /// The report.
    pub json: Vec<PathBuf>,
    /// The state, now and then.
    pub checkpoint: Option<PathBuf>,
    /// A state to go on from.
    pub resume: Option<PathBuf>,
    /// The folder of pictures and report, if one was asked for.
    pub folder: Option<PathBuf>,
}

impl Files {
    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let all = [&self.csv, &self.traces, &self.vtu, &self.png, &self.film, &self.checkpoint];
        all.into_iter().flatten().chain(&self.json).map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.iter().any(|path| path == Path::new("-"))
    }
}

impl HeartPlan {
    /// Makes sense of the arguments.
    pub fn new(arguments: &HeartRun, purpose: Purpose) -> Result<Self> {
        let place = Place::new(&arguments.machine)?;
        let geometry = Geometry::new(arguments, purpose)?;
        let scheme = SchemeChoice::new(arguments, purpose, precision(place)?)?;
        let end = arguments.end.or_else(|| geometry.end().filter(|_| purpose == Purpose::Beat));
        Ok(Self {
            place,
            conductivity: conductivity(arguments, &geometry, purpose),
            fibre: fibre(&arguments.fibre)?,
            model: model(arguments, purpose)?,
            stimuli: match purpose {
                Purpose::Beat => stimulus::stimuli(&arguments.stimulus, &geometry)?,
                Purpose::Speed if arguments.stimulus.is_empty() => Vec::new(),
                Purpose::Speed => bail!("'heart cv' starts from the exact front: it takes no --stimulus"),
            },
            probes: arguments.probe.iter().map(|text| point("probe", text)).collect::<Result<_>>()?,
            leads: arguments.lead.iter().map(|text| point("lead", text)).collect::<Result<_>>()?,
            end: end.map(|end| positive("end", end)).transpose()?,
            every: positive("every", arguments.every.unwrap_or(geometry.every()))?,
            files: files(arguments, purpose),
            quiet: arguments.quiet,
            geometry,
            scheme,
        })
    }
}

/// What was asked for; a run without any geometry shows what can be seen.
fn files(arguments: &HeartRun, purpose: Purpose) -> Files {
    let is_bare = arguments.geometry.is_none() && arguments.mesh.is_none() && purpose == Purpose::Beat;
    let folder = arguments.results.clone().or_else(|| is_bare.then(|| PathBuf::from("results/heart")));
    let inside = |name: &str| folder.as_ref().map(|folder| folder.join(name));
    Files {
        csv: arguments.csv.clone(),
        traces: arguments.traces.clone(),
        vtu: arguments.vtu.clone(),
        png: arguments.png.clone().or_else(|| inside("activation.png")),
        film: arguments.film.clone().or_else(|| inside("potential.png")),
        json: arguments.json.iter().cloned().chain(inside("report.json")).collect(),
        checkpoint: arguments.checkpoint.clone(),
        resume: arguments.resume.clone(),
        folder,
    }
}

fn precision(place: Place) -> Result<VectorPrecision> {
    match place.precision {
        Choice::Auto | Choice::Given(Precision::Double) => Ok(VectorPrecision::Full),
        Choice::Given(Precision::Hybrid) => Ok(VectorPrecision::Single),
        Choice::Given(other) => {
            bail!("--precision {other} is not for hearts: take f64, or hybrid, which solves increments in f32")
        }
    }
}

fn conductivity(arguments: &HeartRun, geometry: &Geometry, purpose: Purpose) -> Conductivity {
    if arguments.d_iso.is_some() || arguments.d_ani.is_some() {
        return Conductivity { iso: arguments.d_iso.unwrap_or(0.0), ani: arguments.d_ani.unwrap_or(0.0) };
    }
    let along = arguments.D.unwrap_or(1.0);
    let ratio = arguments.anisotropy.unwrap_or(if purpose == Purpose::Beat { geometry.anisotropy() } else { 1.0 });
    Conductivity { iso: ratio * along, ani: along - ratio * along }
}

fn fibre(given: &[f64]) -> Result<[f64; 3]> {
    match *given {
        [] => Ok([1.0, 0.0, 0.0]),
        [x, y, z] => Ok([x, y, z]),
        _ => bail!("--fibre takes three numbers, as in --fibre 0,1,0"),
    }
}

/// A number that must be positive.
fn positive(name: &str, value: f64) -> Result<f64> {
    match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => bail!("--{name} {value} makes no sense: it must be positive"),
    }
}

/// Three numbers.
fn point(name: &str, text: &str) -> Result<[f64; 3]> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|number| number.trim().parse().with_context(|| format!("--{name} {text}: '{number}' is no number")))
        .collect::<Result<_>>()?;
    match numbers[..] {
        [x, y, z] if numbers.iter().all(|x| x.is_finite()) => Ok([x, y, z]),
        _ => bail!("--{name} {text}: a point is three numbers, as in 20,7,3"),
    }
}

fn model(arguments: &HeartRun, purpose: Purpose) -> Result<Model> {
    let given = [arguments.alpha, arguments.b, arguments.c, arguments.gamma, arguments.mu1, arguments.mu2];
    let kind = match arguments.cell.as_str() {
        "aliev-panfilov" => {
            let usual = AlievPanfilov::default();
            let [alpha, b, c, gamma, mu1, mu2] = given;
            Kind::AlievPanfilov(AlievPanfilov {
                alpha: alpha.unwrap_or(usual.alpha),
                b: b.unwrap_or(usual.b),
                c: c.unwrap_or(usual.c),
                gamma: gamma.unwrap_or(usual.gamma),
                mu1: mu1.unwrap_or(usual.mu1),
                mu2: mu2.unwrap_or(usual.mu2),
            })
        }
        "mitchell-schaeffer" if given.iter().any(Option::is_some) => {
            bail!("alpha, b, c, gamma, mu1 and mu2 are parameters of --cell aliev-panfilov")
        }
        "mitchell-schaeffer" => Kind::MitchellSchaeffer(MitchellSchaeffer::default()),
        other => bail!("there is no cell model '{other}': they are aliev-panfilov and mitchell-schaeffer"),
    };
    if purpose == Purpose::Speed && !matches!(kind, Kind::AlievPanfilov(_)) {
        bail!("'heart cv' compares with the exact front of --cell aliev-panfilov");
    }
    let recovery = arguments.recovery.as_deref().map_or(purpose == Purpose::Beat, |word| word == "on");
    Ok(Model { kind, reaction: arguments.reaction == "on", recovery })
}
