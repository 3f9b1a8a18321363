//! `galerkit heart` as meant: geometry, cells, stimuli and settings, with the defaults of each geometry filled in.

mod beat;
mod files;
mod geometry;
mod live;
mod model;
mod nodes;
mod resolved;
mod scheme;
mod spot;
mod stimulus;
pub mod tissue;
mod window;

pub use beat::BeatChoice;
pub use files::Files;
pub use geometry::{Geometry, Shape};
pub use live::LivePlan;
pub use scheme::SchemeChoice;
pub use spot::Spot;
pub use stimulus::StimulusPlan;
pub use window::WindowPlan;

use super::{Place, parameters};
use crate::args::{HeartRun, Typed};
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::{Conductivity, Model};
use galerkit::linalg::program::Precision as VectorPrecision;
use galerkit::{Choice, Precision};
use tissue::{Fibres, RegionPlan};

/// What a run is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A beat, or many.
    Beat,
    /// The speed of a planar front.
    Speed,
    /// How long action potentials are after ever shorter rests.
    Restitution,
    /// When an S2 starts a re-entry.
    Window,
}

impl Purpose {
    /// Whether waves may go where they like: any tissue, any stimulus.
    fn is_free(self) -> bool {
        matches!(self, Self::Beat | Self::Window)
    }
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
    /// Where it conducts otherwise.
    pub regions: Vec<RegionPlan>,
    /// Where fibres come from.
    pub fibres: Fibres,
    /// Tags of surfaces, as text.
    pub surfaces: Option<String>,
    /// What the cells do.
    pub model: Model,
    /// Scheme, steps and tolerances.
    pub scheme: SchemeChoice,
    /// Whose times are wanted.
    pub beat: BeatChoice,
    /// What excites them.
    pub stimuli: Vec<StimulusPlan>,
    /// The same as text.
    pub stimulus_texts: Vec<String>,
    /// Points to look at.
    pub probes: Vec<[f64; 3]>,
    /// Electrodes.
    pub leads: Vec<[f64; 3]>,
    /// Whether the twelve leads of an electrocardiogram are wanted.
    pub ecg: bool,
    /// When it ends, in ms; none: when the front has passed.
    pub end: Option<f64>,
    /// Look every so many ms.
    pub every: f64,
    /// An image of a film, or a file of a series, every so many ms.
    pub picture_every: f64,
    /// What is written.
    pub files: Files,
    /// The plan as a parameter file, with every default filled in.
    pub resolved: String,
    /// What a run that goes on from another must share with it.
    pub identity: String,
    /// Neither progress nor notes.
    pub quiet: bool,
}

impl HeartPlan {
    /// Makes sense of the arguments, those of a parameter file among them.
    pub fn new(typed: &Typed<HeartRun>, purpose: Purpose) -> Result<Self> {
        let merged = parameters::resolved(typed, typed.parameters.as_deref())?;
        let arguments: &HeartRun = &merged;
        let place = Place::new(&arguments.machine)?;
        let geometry = Geometry::new(arguments, purpose, place.device)?;
        let stimulus_texts = match purpose {
            Purpose::Speed if arguments.stimulus.is_empty() => Vec::new(),
            Purpose::Speed => bail!("'heart cv' starts from the exact front: it takes no --stimulus"),
            Purpose::Restitution if !arguments.stimulus.is_empty() => {
                bail!("'heart restitution' has stimuli of its own: see --interval, --beats and --couplings")
            }
            _ => stimulus::texts(&arguments.stimulus, &geometry),
        };
        let every = positive("every", arguments.every.unwrap_or(if arguments.ecg { 2.0 } else { geometry.every() }))?;
        let beat = BeatChoice::new(arguments.beat.as_deref(), purpose, every)?;
        let scheme = SchemeChoice::new(arguments, purpose, precision(place)?, beat)?;
        let end = arguments.end.or_else(|| geometry.end().filter(|_| purpose == Purpose::Beat));
        let end = end.map(|end| positive("end", end)).transpose()?;
        end.map_or(Ok(()), |end| scheme.check_end(end))?;
        let mut plan = Self {
            place,
            conductivity: tissue::conductivity(arguments, &geometry, purpose)?,
            regions: tissue::regions(arguments)?,
            fibres: Fibres::new(arguments, &geometry)?,
            surfaces: arguments.surfaces.clone(),
            model: model::model(arguments, purpose)?,
            beat,
            stimuli: stimulus::stimuli(&stimulus_texts)?,
            stimulus_texts,
            probes: arguments.probe.iter().map(|text| point("probe", text)).collect::<Result<_>>()?,
            leads: arguments.lead.iter().map(|text| point("lead", text)).collect::<Result<_>>()?,
            ecg: arguments.ecg,
            end,
            every,
            picture_every: positive(
                "picture-every",
                arguments.picture_every.unwrap_or(geometry.picture_every().max(every)),
            )?,
            files: Files::new(arguments, purpose),
            resolved: String::new(),
            identity: String::new(),
            quiet: arguments.quiet,
            geometry,
            scheme,
        };
        plan.resolved = resolved::dry(&plan, arguments);
        plan.identity = parameters::text(&resolved::physics(&plan, arguments));
        Ok(plan)
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

/// A number that must be positive.
fn positive(name: &str, value: f64) -> Result<f64> {
    match value > 0.0 && value.is_finite() {
        true => Ok(value),
        false => bail!("--{name} {value} makes no sense: it must be positive"),
    }
}

/// Three numbers.
fn point(name: &str, text: &str) -> Result<[f64; 3]> {
    let numbers = spot::numbers(text).with_context(|| format!("--{name} {text}"))?;
    match numbers[..] {
        [x, y, z] if numbers.iter().all(|x| x.is_finite()) => Ok([x, y, z]),
        _ => bail!("--{name} {text}: a point is three numbers, as in 20,7,3"),
    }
}
