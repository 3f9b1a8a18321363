//! `galerkit tumour` as meant: mesh, layers, sources and steps, with everything that is wrong found before anything runs.

use super::parameters;
use crate::args::{Tumour, Typed};
use anyhow::{Context, Result, bail};
use galerkit::fem::collocation::{
    Clock, Collocation, EulerLength, Layers, Line, Method, Settings, Source, Start, Step,
};
use galerkit::{Choice, Device};
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
        let sources = sources(&arguments, &space)?;
        let start = match arguments.start.as_deref() {
            None | Some("interpolated") => Start::Interpolated,
            Some("collocated") => Start::Collocated,
            Some(other) => bail!("--start {other} is not known: interpolated or collocated"),
        };
        let threshold = arguments.threshold.unwrap_or(0.08);
        if !(threshold > 0.0 && threshold.is_finite()) {
            bail!("--threshold {threshold} is not allowed: a concentration is a finite number above 0");
        }
        let settings = Settings {
            rho: arguments.rho.unwrap_or(usual(0.012, 1.0)),
            method: method(&arguments)?,
            rtol: arguments.rtol.unwrap_or(1e-10),
            threshold: Some(threshold),
        };
        let files = TumourFiles::new(&arguments, is_bare);
        let frames = if files.gif.is_some() || files.vtu.is_some() || files.checkpoint.is_some() {
            arguments.frames.unwrap_or(45)
        } else {
            1
        };
        let clock = clock(&arguments, &space, [usual(0.5, 0.006), usual(180.0, 2.16)], frames)?;
        check_steps(&clock, settings.rho)?;
        if arguments.adapt.is_some_and(|tolerance| !(tolerance > 0.0 && tolerance.is_finite())) {
            bail!("--adapt needs a tolerance above 0, for example 1e-4");
        }
        let device: Choice<Device> = arguments.device.as_deref().unwrap_or("auto").parse()?;
        if let Some(threads) = arguments.threads {
            galerkit::use_threads(threads)?;
        }
        Ok(Self {
            coefficients: space.sources(&sources, start)?,
            identity: identity(&[&space, &sources, &start, &settings], &clock, arguments.adapt),
            device: placed(device, space.unknowns())?,
            device_asked: device != Choice::Auto,
            probes: arguments.probe.iter().map(|text| point("--probe", text, space.dim())).collect::<Result<_>>()?,
            space,
            settings,
            clock,
            adapt: arguments.adapt,
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

/// Numbers separated by commas, all finite.
fn numbers(option: &str, text: &str, counts: &[usize]) -> Result<Vec<f64>> {
    let number = |word: &str| word.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    match numbers {
        Some(numbers) if counts.contains(&numbers.len()) => Ok(numbers),
        _ => bail!("{option} {text} is not allowed: {counts:?} finite numbers are expected, separated by commas"),
    }
}

fn point(option: &str, text: &str, dim: usize) -> Result<Vec<f64>> {
    numbers(option, text, &[dim])
}

fn space(arguments: &Tumour, diffusion: f64) -> Result<Collocation> {
    let dim = arguments.dimension.unwrap_or(2);
    if !(1..=2).contains(&dim) {
        bail!("--dimension {dim} is not allowed: 1 or 2");
    }
    let ends = match &arguments.ends {
        Some(text) => numbers("--box", text, if dim == 1 { &[2] } else { &[4] })?,
        None => vec![0.0, 8.0, 0.0, 8.0],
    };
    if ends.chunks(2).take(dim).any(|pair| pair[0] >= pair[1]) {
        bail!("--box {ends:?} is not allowed: each axis goes from a number to a larger one");
    }
    let elements = arguments.elements.unwrap_or(80);
    if !(1..=16_384).contains(&elements) {
        bail!("--elements {elements} is not allowed: 1 to 16384 along each side");
    }
    let layers = layers(arguments.layers.as_deref().unwrap_or("1:0.2"), arguments.diffusion.unwrap_or(diffusion))?;
    let x = Line::uniform([ends[0], ends[1]], elements, &layers)?;
    if dim == 1 {
        return Ok(Collocation::interval(x));
    }
    Ok(Collocation::rectangle(x, Line::uniform([ends[2], ends[3]], elements, &Layers::equal(&[1.0])?)?))
}

/// D@x:D@x:D, as multiples of a unit.
fn layers(text: &str, unit: f64) -> Result<Layers> {
    let wrong = || {
        format!("--layers {text} is not allowed: write D:D:D, or D@x:D@x:D with the ends of all layers but the last")
    };
    let parts: Vec<&str> = text.split(':').collect();
    let (mut diffusion, mut ends) = (Vec::new(), Vec::new());
    for (number, part) in parts.iter().enumerate() {
        let (d, end) = part.split_once('@').map_or((*part, None), |(d, end)| (d, Some(end)));
        diffusion.push(unit * d.trim().parse::<f64>().with_context(wrong)?);
        let is_last = number + 1 == parts.len();
        match end {
            Some(end) if !is_last => ends.push(end.trim().parse::<f64>().with_context(wrong)?),
            Some(_) => bail!(wrong()),
            None => {}
        }
    }
    match ends.len() {
        0 => Ok(Layers::equal(&diffusion)?),
        _ if ends.len() + 1 == diffusion.len() => Ok(Layers::between(&diffusion, &ends)?),
        _ => bail!(wrong()),
    }
}

/// As typed, or in the first layer, three quarters of the way to the second.
fn sources(arguments: &Tumour, space: &Collocation) -> Result<Vec<Source>> {
    let eta = arguments.eta.unwrap_or(0.2);
    if !arguments.source.is_empty() {
        let source = |text: &String| Ok(Source { centre: point("--source", text, space.dim())?, eta });
        return arguments.source.iter().map(source).collect();
    }
    let (line, [a, b]) = (space.x(), space.x().ends());
    let changes = (1..line.elements()).find(|&i| line.diffusion()[i] != line.diffusion()[i - 1]);
    let first = changes.map_or(0.5 * (a + b), |i| a + 0.75 * (line.nodes()[i] - a));
    let middle = space.y().map(|y| 0.5 * (y.ends()[0] + y.ends()[1]));
    Ok(vec![Source { centre: std::iter::once(first).chain(middle).collect(), eta }])
}

fn method(arguments: &Tumour) -> Result<Method> {
    Ok(match arguments.solver.as_deref() {
        None | Some("auto") if arguments.rtol.is_some() => Method::Ilu,
        None | Some("auto") => Method::Modal,
        Some(name) => name.parse()?,
    })
}

fn clock(arguments: &Tumour, space: &Collocation, [dt, end]: [f64; 2], frames: usize) -> Result<Clock> {
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
    debug_assert!(space.unknowns() > 0);
    // Pictures are where steps end anyway.
    let steps = (end / dt).round().max(1.0);
    let frame = |k: usize| (steps * k as f64 / frames as f64).round() * dt;
    let mut outputs: Vec<f64> = (1..frames).map(frame).collect();
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
