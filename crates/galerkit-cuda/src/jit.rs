//! Kernels compiled when they are first needed: from memory, else from the cache on disk, else by NVRTC.
//!
//! | file | what |
//! |---|---|
//! | `search` | where NVRTC may be |
//! | `compiler` | NVRTC, found and loaded as late as possible |
//! | `cache` | machine code on disk |
//! | `cubins` | which of the two gives the machine code of a source |
//! | `usage` | registers and spills of compiled kernels |
//!
//! Without any NVRTC, cached machine code of the same source and architecture is used whatever version made it, so that
//! a cache can be shipped to a machine that cannot compile.

mod cache;
mod compiler;
mod cubins;
mod search;
mod usage;

pub use cache::{Cache, Version, packed};
pub use compiler::{Compiler, Found};
pub use cubins::cache_warning;
pub use search::{Places, candidates, candidates_of};
pub use usage::{Usage, usage};

use crate::error::{Error, Result};
use crate::launch::{Code, Gpu, Module};
use cubins::Cubins;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What compiling came to so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Facts {
    /// Modules asked for again in this process.
    pub repeated: usize,
    /// Modules whose machine code was in the cache.
    pub hits: usize,
    /// Modules that were compiled.
    pub compiled: usize,
    /// Seconds spent compiling, loading NVRTC included.
    pub seconds: f64,
    /// Which NVRTC, if any had to be known.
    pub nvrtc: Option<PathBuf>,
    /// Its version.
    pub version: Option<Version>,
    /// The folder of the cache.
    pub cache: Option<PathBuf>,
    /// Why nothing could be kept on disk, if so.
    pub warning: Option<String>,
}

/// The kernels of one GPU. Shared by everything that launches.
pub struct Jit {
    gpu: Arc<Gpu>,
    state: Mutex<State>,
    /// Whether what others in this process have loaded is used.
    shares: bool,
}

/// What this process has loaded for each GPU, by its source: to compute the key of one takes longer than to look it up.
static LOADED: Mutex<BTreeMap<usize, HashMap<String, Code>>> = Mutex::new(BTreeMap::new());

struct State {
    modules: HashMap<String, Arc<Module>>,
    cubins: Cubins<Found>,
    repeated: usize,
}

impl Jit {
    /// Kernels for a GPU; nothing is looked for before the first is asked for.
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self { shares: true, ..Self::with_cache(gpu, Cache::of_environment()) }
    }

    /// Kernels for a GPU, kept in a cache of one's own.
    pub fn with_cache(gpu: &Arc<Gpu>, cache: Cache) -> Self {
        let properties = gpu.properties();
        let generation = properties.driver.0;
        let compiler = Found::new(&Places::of_environment(Some(generation)), cache.clone());
        let cubins = Cubins::new(compiler, cache, &properties.architecture(), generation);
        let state = State { modules: HashMap::new(), cubins, repeated: 0 };
        Self { gpu: gpu.clone(), state: Mutex::new(state), shares: false }
    }

    /// The loaded module of a complete source. `name` is for messages.
    pub fn module(&self, name: &str, source: &str) -> Result<Arc<Module>> {
        let mut state = self.lock();
        // What is shared is looked for first, and not noted again: to hash a text takes longer than all else.
        let known = self.loaded(source).map(|code| Module::of(&self.gpu, code));
        if let Some(module) = known.or_else(|| state.modules.get(source).cloned()) {
            state.repeated += 1;
            return Ok(module);
        }
        let (cubin, is_cached) = state.cubins.get(name, source)?;
        let module = match Module::load(&self.gpu, &cubin) {
            Err(_) if is_cached => {
                // Whole, but not what this driver takes: make it anew.
                let cubin = state.cubins.rebuild(name, source)?;
                Module::load(&self.gpu, &cubin)
            }
            loaded => loaded,
        };
        let module = module.map_err(|error| self.explained(error, &state))?;
        state.modules.insert(source.into(), module.clone());
        let ordinal = self.gpu.properties().ordinal;
        loaded().entry(ordinal).or_default().insert(source.into(), module.code());
        Ok(module)
    }

    /// The loaded modules of several complete sources, compiled side by side.
    pub fn modules(&self, name: &str, sources: &[String]) -> Result<Vec<Arc<Module>>> {
        if sources.len() > 1 {
            let mut state = self.lock();
            let State { modules, cubins, .. } = &mut *state;
            let is_fresh = |text: &&String| !modules.contains_key(*text) && self.loaded(text).is_none();
            let fresh: Vec<&str> = sources.iter().filter(is_fresh).map(|text| &text[..]).collect();
            if fresh.len() > 1 {
                cubins.make_ahead(name, &fresh);
            }
        }
        sources.iter().map(|source| self.module(name, source)).collect()
    }

    /// What this process has loaded of a source, if that may be used.
    fn loaded(&self, source: &str) -> Option<Code> {
        let ordinal = self.gpu.properties().ordinal;
        if self.shares { loaded().get(&ordinal)?.get(source).copied() } else { None }
    }

    /// What compiling came to so far.
    pub fn facts(&self) -> Facts {
        let state = self.lock();
        let cubins = &state.cubins;
        let nvrtc = cubins.compiler.known();
        Facts {
            repeated: state.repeated,
            hits: cubins.hits,
            compiled: cubins.compiled,
            seconds: cubins.elapsed.as_secs_f64(),
            nvrtc: nvrtc.map(|(path, _)| path.into()),
            version: nvrtc.map(|(_, version)| version),
            cache: cubins.cache.folder().map(Into::into),
            warning: cubins.warning.clone(),
        }
    }

    /// A driver that refuses fresh machine code is usually older than NVRTC.
    fn explained(&self, error: Error, state: &State) -> Error {
        let driver = self.gpu.properties().driver;
        match (error, state.cubins.compiler.known()) {
            (Error::Driver { reason, .. }, Some((path, nvrtc))) if nvrtc > driver => {
                Error::NewerNvrtc { path: path.into(), nvrtc, driver, reason }
            }
            (error, _) => error,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn loaded() -> MutexGuard<'static, BTreeMap<usize, HashMap<String, Code>>> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner)
}
