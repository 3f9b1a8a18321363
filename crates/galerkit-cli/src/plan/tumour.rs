//! `galerkit tumour` as meant: mesh, layers, sources and steps, with everything that is wrong found before anything
//! runs.

mod beginning;
mod mesh;

use super::parameters;
use crate::args::{Tumour, Typed};
use anyhow::{Result, bail};
use beginning::Beginning;
use galerkit::fem::collocation::modes::Modes;
use galerkit::fem::collocation::{Clock, Collocation, Eigenfunction, EulerLength, Method, Settings, Step};
use galerkit::{Choice, Device};
use mesh::{numbers, point, space};
use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// Where the files of a run without arguments go.
const SHOWN_FOLDER: &str = "results/tumour";
/// Below so many unknowns a run is over on the CPU before a GPU has been opened.
const FEW_UNKNOWNS: usize = 200_000;

/// The files that are written.
#[derive(Clone, Debug, Default)]
pub struct TumourFiles {
    /// The report.
    pub json: Option<PathBuf>,
    /// What was measured after each step.
    pub csv: Option<PathBuf>,
    /// The same, drawn.
    pub plot: Option<PathBuf>,
    /// c at the end.
    pub png: Option<PathBuf>,
    /// c in motion.
    pub gif: Option<PathBuf>,
    /// c for ParaView.
    pub vtu: Option<PathBuf>,
    /// The state.
    pub checkpoint: Option<PathBuf>,
    /// Where entries of matrices are.
    pub spy: Option<PathBuf>,
    /// The folder of them all, if it must be made.
    pub folder: Option<PathBuf>,
}

/// A run, as meant.
#[derive(Debug)]
pub struct TumourPlan {
    /// Splines.
    pub space: Collocation,
    /// What they begin with.
    pub coefficients: Vec<f64>,
    /// What is solved, and how.
    pub settings: Settings,
    /// Steps.
    pub clock: Clock,
    /// Tolerance of steps whose length is chosen.
    pub adapt: Option<f64>,
    /// The solution, where it is known.
    pub exact: Option<Eigenfunction>,
    /// The concentration that imaging shows.
    pub threshold: f64,
    /// Whether times and lengths have units.
    pub dimensionless: bool,
    /// What computes, and why.
    pub device: (Device, String),
    /// Whether that was asked for.
    pub device_asked: bool,
    /// Points at which c is wanted.
    pub probes: Vec<Vec<f64>>,
    /// What is written.
    pub files: TumourFiles,
    /// The file to go on from.
    pub resume: Option<PathBuf>,
    /// What makes a run the same as another: its options in words.
    pub identity: String,
    /// Neither progress nor notes.
    pub quiet: bool,
}

impl TumourPlan {
    /// Makes sense of the arguments of `tumour`.
    pub fn new(typed: &Typed<Tumour>) -> Result<Self> {
        let is_bare = typed.has_only(&["device", "threads", "quiet"]);
        let arguments = parameters::resolved(typed, typed.parameters.as_deref())?;
        let usual = |with: f64, without: f64| if arguments.dimensionless { without } else { with };
        let space = space(&arguments, usual(0.0065, 1.0))?;
        let start = Beginning::new(&arguments, &space)?;
        let threshold = arguments.threshold.unwrap_or(0.08);
        if !(threshold > 0.0 && threshold.is_finite()) {
            bail!("--threshold {threshold} is not allowed: a concentration is a finite number above 0");
        }
        let settings = Settings {
            rho: arguments.rho.unwrap_or(usual(0.012, 1.0)),
            method: method(&arguments, &space)?,
            rtol: arguments.rtol.unwrap_or(1e-10),
            threshold: Some(threshold),
        };
        let files = TumourFiles::new(&arguments, is_bare);
        let frames = if files.gif.is_some() || files.vtu.is_some() || files.checkpoint.is_some() {
            arguments.frames.unwrap_or(45)
        } else {
            1
        };
        let clock = clock(&arguments, [usual(0.5, 0.006), usual(180.0, 2.16)], frames)?;
        check_steps(&clock, settings.rho)?;
        if arguments.adapt.is_some_and(|tolerance| !(tolerance > 0.0 && tolerance.is_finite())) {
            bail!("--adapt needs a tolerance above 0, for example 1e-4");
        }
        let device: Choice<Device> = arguments.device.as_deref().unwrap_or("auto").parse()?;
        if let Some(threads) = arguments.threads {
            galerkit::use_threads(threads)?;
        }
        Ok(Self {
            coefficients: start.coefficients(&space)?,
            identity: identity(&[&space, &start, &settings], &clock, arguments.adapt),
            device: placed(device, space.unknowns())?,
            device_asked: device != Choice::Auto,
            probes: arguments.probe.iter().map(|text| point("--probe", text, space.dim())).collect::<Result<_>>()?,
            space,
            settings,
            clock,
            adapt: arguments.adapt,
            exact: start.exact(),
            threshold,
            dimensionless: arguments.dimensionless,
            files,
            resume: arguments.resume.clone(),
            quiet: arguments.quiet,
        })
    }
}

/// Options that a run must share with the one it goes on from: all but files and, unless steps depend on it, the end.
fn identity(parts: &[&dyn Debug], clock: &Clock, adapt: Option<f64>) -> String {
    let end = (clock.euler_length == EulerLength::Short).then_some(clock.end);
    let chosen = adapt.map(|tolerance| (tolerance, &clock.outputs)); // such steps end where pictures are made
    let steps = (clock.scheme, clock.dt, clock.euler_steps, clock.euler_length, end);
    format!("{parts:?} {steps:?} {chosen:?}")
}

fn method(arguments: &Tumour, space: &Collocation) -> Result<Method> {
    let is_modal = arguments.rtol.is_none() && Modes::suit(space);
    Ok(match arguments.solver.as_deref() {
        None | Some("auto") if !is_modal => Method::Ilu,
        None | Some("auto") => Method::Modal,
        Some(name) => name.parse()?,
    })
}

fn clock(arguments: &Tumour, [dt, end]: [f64; 2], frames: usize) -> Result<Clock> {
    let (dt, end) = (arguments.dt.unwrap_or(dt), arguments.end.unwrap_or(end));
    for (option, value) in [("--dt", dt), ("--end", end)] {
        if !(value > 0.0 && value.is_finite()) {
            bail!("{option} {value} is not allowed: a time is a finite number above 0");
        }
    }
    if end / dt > 1e8 {
        bail!("--end {end} with --dt {dt} is {:.0} steps, which would never end: take longer steps", end / dt);
    }
    if frames == 0 {
        bail!("--frames 0 would show nothing: ask for at least 1");
    }
    // Pictures are where steps end anyway, unless times are told.
    let steps = (end / dt).round().max(1.0);
    let frame = |k: usize| (steps * k as f64 / frames as f64).round() * dt;
    let mut outputs: Vec<f64> = match &arguments.at {
        Some(times) => output_times(times, end)?,
        None => (1..frames).map(frame).collect(),
    };
    outputs.dedup();
    Ok(Clock {
        scheme: arguments.scheme.as_deref().unwrap_or("dirk").parse()?,
        dt,
        end,
        euler_steps: arguments.euler_steps.unwrap_or(2),
        euler_length: match arguments.euler_length.as_deref() {
            None | Some("full") => EulerLength::Full,
            Some("short") => EulerLength::Short,
            Some(other) => bail!("--euler-length {other} is not known: full or short"),
        },
        outputs,
    })
}

/// As typed, in ascending order.
fn output_times(text: &str, end: f64) -> Result<Vec<f64>> {
    let mut times = numbers("--at", text, &[])?;
    if let Some(time) = times.iter().find(|time| !(**time > 0.0 && **time <= end)) {
        bail!("--at {time} is not allowed: times are above 0 and at most the end, {end}");
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Refuses steps that are too long for the growth before the first is taken.
fn check_steps(clock: &Clock, rate: f64) -> Result<()> {
    for Step { scheme, dt: step } in clock.legs()?.iter().map(|leg| leg.step) {
        let (weight, product) = (scheme.weight(), rate * step * scheme.weight());
        if product >= 1.0 {
            return Err(galerkit::fem::Error::StepTooLong { rate, step, weight, product }.into());
        }
    }
    Ok(())
}

fn placed(device: Choice<Device>, unknowns: usize) -> Result<(Device, String)> {
    Ok(match device {
        Choice::Given(device) => {
            device.require()?;
            (device, "asked for".into())
        }
        Choice::Auto if unknowns < FEW_UNKNOWNS => {
            (Device::Cpu, format!("{unknowns} unknowns are too few for a GPU, which pays from {FEW_UNKNOWNS}"))
        }
        Choice::Auto => Device::of_machine(),
    })
}

impl TumourFiles {
    fn new(arguments: &Tumour, is_bare: bool) -> Self {
        let folder = is_bare.then(|| PathBuf::from(SHOWN_FOLDER));
        let or =
            |asked: &Option<PathBuf>, name: &str| asked.clone().or(folder.as_ref().map(|folder| folder.join(name)));
        Self {
            json: or(&arguments.json, "report.json"),
            csv: or(&arguments.csv, "measured.csv"),
            plot: or(&arguments.plot, "measured.svg"),
            png: or(&arguments.png, "c.png"),
            gif: or(&arguments.gif, "growth.png"),
            vtu: arguments.vtu.clone(),
            checkpoint: arguments.checkpoint.clone(),
            spy: arguments.spy.clone(),
            folder: folder.clone(),
        }
    }
    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let texts = self.json.iter().chain(&self.csv).chain(&self.plot);
        let all = texts.chain(&self.png).chain(&self.gif).chain(&self.vtu).chain(&self.checkpoint);
        all.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}
