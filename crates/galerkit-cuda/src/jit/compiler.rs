//! The compiler behind the cache: NVRTC, looked for at the first question and loaded only to compile or to learn its
//! version, which the cache remembers (loading 120 MB takes 7 ms from the page cache but 80 ms from a disk).

use super::cache::{Cache, Version};
use super::search::{Places, candidates};
use crate::error::{Error, Result};
use crate::launch::Nvrtc;
use std::path::{Path, PathBuf};

/// What the cache needs of a compiler.
pub trait Compiler {
    /// Its version, by as little work as possible.
    fn version(&mut self) -> Result<Version>;
    /// Machine code, and the version that made it.
    fn compile(&mut self, name: &str, source: &str, architecture: &str) -> Result<(Vec<u8>, Version)>;
}

/// NVRTC wherever it is found.
pub struct Found {
    candidates: Vec<PathBuf>,
    cache: Cache,
    state: State,
}

enum State {
    Unknown,
    /// Remembered, not loaded: the path's position among the candidates.
    Known(usize, Version),
    Loaded(Nvrtc),
}

impl Found {
    /// NVRTC in some places; versions are remembered in the cache.
    pub fn new(places: &Places, cache: Cache) -> Self {
        Self { candidates: candidates(places), cache, state: State::Unknown }
    }

    /// Path and version, as far as they are known by now.
    pub fn known(&self) -> Option<(&Path, Version)> {
        match &self.state {
            State::Unknown => None,
            State::Known(position, version) => Some((&self.candidates[*position], *version)),
            State::Loaded(nvrtc) => Some((nvrtc.path(), nvrtc.version())),
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
        Err(Error::NoNvrtc { looked: looked.join(", ") })
    }
}

impl Compiler for Found {
    fn version(&mut self) -> Result<Version> {
        if let State::Unknown = self.state {
            // Only the first candidate: whether a later one is needed is known after trying to load it.
            let remembered = self.candidates.first().and_then(|path| self.cache.known_version(path));
            match remembered {
                Some(version) => self.state = State::Known(0, version),
                None => return Ok(self.load()?.version()),
            }
        }
        self.known().map(|(_, version)| version).ok_or(Error::NoNvrtc { looked: String::new() })
    }

    fn compile(&mut self, name: &str, source: &str, architecture: &str) -> Result<(Vec<u8>, Version)> {
        let nvrtc = self.load()?;
        Ok((nvrtc.compile(name, source, architecture)?, nvrtc.version()))
    }
}
