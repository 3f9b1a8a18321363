//! What is written.

use super::Purpose;
use crate::args::HeartRun;
use std::path::{Path, PathBuf};

/// What is written.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Times by node.
    pub csv: Option<PathBuf>,
    /// Numbers over time.
    pub traces: Option<PathBuf>,
    /// The same as curves.
    pub plot: Option<PathBuf>,
    /// Times and potential for ParaView.
    pub vtu: Option<PathBuf>,
    /// The potential over time for ParaView.
    pub pvd: Option<PathBuf>,
    /// The potential over time for CARP's programs.
    pub igb: Option<PathBuf>,
    /// Activation times as a picture.
    pub png: Option<PathBuf>,
    /// The phase at the end as a picture.
    pub phase: Option<PathBuf>,
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
    /// What was asked for; a run without any geometry shows what can be seen.
    pub fn new(arguments: &HeartRun, purpose: Purpose) -> Self {
        let is_bare = arguments.geometry.is_none() && arguments.mesh.is_none() && purpose == Purpose::Beat;
        let folder = arguments.results.clone().or_else(|| is_bare.then(|| PathBuf::from("results/heart")));
        let inside = |name: &str| folder.as_ref().map(|folder| folder.join(name));
        Self {
            csv: arguments.csv.clone(),
            traces: arguments.traces.clone(),
            plot: arguments.plot.clone().or_else(|| inside("traces.svg").filter(|_| arguments.ecg)),
            vtu: arguments.vtu.clone(),
            pvd: arguments.pvd.clone(),
            igb: arguments.igb.clone(),
            png: arguments.png.clone().or_else(|| inside("activation.png")),
            phase: arguments.phase.clone(),
            film: arguments.film.clone().or_else(|| inside("potential.png")),
            json: arguments.json.iter().cloned().chain(inside("report.json")).collect(),
            checkpoint: arguments.checkpoint.clone(),
            resume: arguments.resume.clone(),
            folder,
        }
    }
    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let numbers = [&self.csv, &self.traces, &self.plot, &self.vtu, &self.pvd, &self.igb];
        let all = numbers.into_iter().chain([&self.png, &self.phase, &self.film, &self.checkpoint]);
        all.flatten().chain(&self.json).map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.iter().any(|path| path == Path::new("-"))
    }
}
