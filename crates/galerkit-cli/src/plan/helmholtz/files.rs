//! The files that `galerkit helmholtz` writes.

use crate::args::Helmholtz;
use crate::plan::endings;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// Where the files of the car go when nothing is said.
const SHOWN_FOLDER: &str = "results/helmholtz-car";

/// The files that are written.
#[derive(Clone, Debug, Default)]
pub struct HelmholtzFiles {
    pub vtu: Option<PathBuf>,
    pub png: Option<PathBuf>,
    pub gif: Option<PathBuf>,
    pub plot: Option<PathBuf>,
    pub csv: Option<PathBuf>,
    pub json: Option<PathBuf>,
    /// The folder of them all, if it must be made.
    pub folder: Option<PathBuf>,
}

impl HelmholtzFiles {
    /// As typed; all of the car where nothing is said.
    pub(super) fn new(arguments: &Helmholtz, is_bare: bool) -> Result<Self> {
        let folder = is_bare.then(|| PathBuf::from(SHOWN_FOLDER));
        let or =
            |asked: &Option<PathBuf>, name: &str| asked.clone().or(folder.as_ref().map(|folder| folder.join(name)));
        let files = Self {
            vtu: or(&arguments.vtu, "p.vtu"),
            png: or(&arguments.png, "level.png"),
            gif: or(&arguments.gif, "wave.gif"),
            plot: arguments.plot.clone(),
            csv: arguments.csv.clone(),
            json: or(&arguments.json, "report.json"),
            folder: folder.clone(),
        };
        endings::require("--vtu", &files.vtu, &["vtu"])?;
        endings::require("--png", &files.png, &["png"])?;
        endings::require("--gif", &files.gif, &["gif", "png", "apng"])?;
        endings::require("--plot", &files.plot, &["svg"])?;
        Ok(files)
    }

    /// Every path that will be written.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let all =
            self.vtu.iter().chain(&self.png).chain(&self.gif).chain(&self.plot).chain(&self.csv).chain(&self.json);
        all.map(PathBuf::as_path).filter(|path| *path != Path::new("-"))
    }
    /// Whether standard output belongs to the report.
    pub fn owns_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}
