//! The compiler behind the cache: NVRTC, looked for at the first question and loaded only to compile or to learn its
//! version, which the cache remembers (loading 120 MB takes 7 ms from the page cache but 80 ms from a disk).

use super::cache::{Cache, Version};
use super::search::{Places, candidates};
use crate::error::{Error, Result};
use crate::launch::Nvrtc;
use galerkit_linalg::parallel;
use std::path::{Path, PathBuf};

/// What the cache needs of a compiler.
pub trait Compiler {
    /// Its version, by as little work as possible.
    fn version(&mut self) -> Result<Version>;
    /// Machine code, and the version that made it.
    fn compile(&mut self, name: &str, source: &str, architecture: &str) -> Result<(Vec<u8>, Version)>;
    /// The machine code of several sources, side by side where that is possible.
    fn compile_all(&mut self, name: &str, sources: &[&str], architecture: &str) -> Vec<Result<(Vec<u8>, Version)>> {
        sources.iter().map(|source| self.compile(name, source, architecture)).collect()
    }
}

/// NVRTC wherever it is found.
pub struct Found {
    places: Places,
    candidates: Vec<PathBuf>,
    cache: Cache,
    state: State,
}

enum State {
    Unknown,
    /// The version of the first candidate, remembered: it is not loaded.
    Known(Version),
    Loaded(Nvrtc),
}

impl Found {
    /// NVRTC in some places; versions are remembered in the cache.
    pub fn new(places: &Places, cache: Cache) -> Self {
        Self { places: places.clone(), candidates: candidates(places), cache, state: State::Unknown }
    }

    /// Path and version, as far as they are known by now.
    pub fn known(&self) -> Option<(&Path, Version)> {
        match &self.state {
            State::Unknown => None,
            State::Known(version) => Some((self.candidates.first()?, *version)),
            State::Loaded(nvrtc) => Some((nvrtc.path(), nvrtc.version())),
        }
    }

    /// Path and version, by as little work as possible.
    pub fn look(&mut self) -> Result<(PathBuf, Version)> {
        if let State::Unknown = self.state {
            // Only the first candidate: whether a later one is needed is known after trying to load it.
            match self.candidates.first().and_then(|path| self.cache.known_version(path)) {
                Some(version) => self.state = State::Known(version),
                None => _ = self.load()?,
            }
        }
        match self.known() {
            Some((path, version)) => Ok((path.into(), version)),
            None => unreachable!("it was remembered or loaded above"),
        }
    }

    /// The first candidate that loads.
    pub fn load(&mut self) -> Result<&Nvrtc> {
        if !matches!(self.state, State::Loaded(_)) {
            let nvrtc = self.first_that_loads()?;
            // Not being able to remember is no failure: the kernels' own entry in the cache will say so.
            let _ = self.cache.remember_version(nvrtc.path(), nvrtc.version());
            self.state = State::Loaded(nvrtc);
        }
        match &self.state {
            State::Loaded(nvrtc) => Ok(nvrtc),
            _ => unreachable!("it was loaded above"),
        }
    }

    fn first_that_loads(&self) -> Result<Nvrtc> {
        let mut looked = Vec::new();
        for path in &self.candidates {
            match Nvrtc::load(path) {
                Ok(nvrtc) => return Ok(nvrtc),
                Err(Error::BadNvrtc { reason, .. }) if path.is_file() => {
                    looked.push(format!("{} ({reason})", path.display()));
                }
                Err(_) => looked.push(path.display().to_string()),
            }
        }
        Err(Error::NoNvrtc { looked: format!("{}; libraries: {}", self.places, looked.join(", ")) })
    }
}

impl Compiler for Found {
    fn version(&mut self) -> Result<Version> {
        self.look().map(|(_, version)| version)
    }

    fn compile(&mut self, name: &str, source: &str, architecture: &str) -> Result<(Vec<u8>, Version)> {
        let nvrtc = self.load()?;
        Ok((nvrtc.compile(name, source, architecture)?, nvrtc.version()))
    }

    fn compile_all(&mut self, name: &str, sources: &[&str], architecture: &str) -> Vec<Result<(Vec<u8>, Version)>> {
        let Ok(nvrtc) = self.load() else { return Vec::new() };
        let compile = |k: usize| Ok((nvrtc.compile(name, sources[k], architecture)?, nvrtc.version()));
        parallel::values(sources.len(), &compile)
    }
}
