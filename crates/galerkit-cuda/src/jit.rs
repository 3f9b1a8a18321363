//! Kernels compiled when they are first needed: from memory, else from the pack of a release, else from the cache on
//! disk, else by NVRTC.
//!
//! | file | what |
//! |---|---|
//! | `search` | where NVRTC may be |
//! | `compiler` | NVRTC, found and loaded as late as possible |
//! | `cache` | machine code on disk |
//! | `pack` | machine code that a release carries |
//! | `cubins` | which of the three gives the machine code of a source |
//! | `usage` | registers and spills of compiled kernels |
//!
//! Without any NVRTC, cached machine code of the same source and architecture is used whatever version made it, so that
//! a cache can be shipped to a machine that cannot compile.

mod cache;
mod compiler;
mod cubins;
mod pack;
mod search;
mod usage;

pub use cache::{Cache, Version, packed};
pub use compiler::{Compiler, Found};
pub use cubins::cache_warning;
pub use pack::{Compiled, Pack};
pub use search::{Places, candidates, candidates_of};
pub use usage::{Usage, usage};

use crate::error::{Error, Result};
use crate::launch::{Code, Gpu, Module};
use cubins::{Cubins, Origin};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What compiling came to so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Facts {
    /// Modules asked for again in this process.
    pub repeated: usize,
    /// Modules whose machine code was in the pack of a release.
    pub shipped: usize,
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
    /// The pack, if there is one that can be used.
    pub pack: Option<PathBuf>,
    /// Why nothing could be kept on disk, or a pack is not used, if so.
    pub warning: Option<String>,
}

impl std::fmt::Display for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { repeated, shipped, hits, compiled, seconds, warning, .. } = self;
        write!(
            f,
            "kernels: {repeated} modules at hand, {shipped} from the pack, {hits} from the cache, {compiled} compiled"
        )?;
        if *seconds > 0.0 {
            write!(f, " in {seconds:.2} s")?;
        }
        warning.iter().try_for_each(|warning| write!(f, "\n{warning}"))
    }
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
        static PACK: OnceLock<std::result::Result<Option<Pack>, String>> = OnceLock::new();
        let pack = PACK.get_or_init(Pack::of_environment).clone();
        Self { shares: true, ..Self::with_cache_and_pack(gpu, Cache::of_environment(), pack) }
    }

    /// Kernels for a GPU, kept in a cache of one's own.
    pub fn with_cache(gpu: &Arc<Gpu>, cache: Cache) -> Self {
        Self::with_cache_and_pack(gpu, cache, Ok(None))
    }

    /// The same with a pack, or why there is none that can be used.
    pub fn with_cache_and_pack(gpu: &Arc<Gpu>, cache: Cache, pack: std::result::Result<Option<Pack>, String>) -> Self {
        let properties = gpu.properties();
        let generation = properties.driver.0;
        let compiler = Found::new(&Places::of_environment(Some(generation)), cache.clone());
        let mut cubins = Cubins::new(compiler, cache, &properties.architecture(), generation);
        match pack {
            Ok(pack) => cubins.pack = pack,
            Err(reason) => cubins.warning = Some(reason),
        }
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
        let (mut cubin, mut origin) = state.cubins.get(name, source)?;
        let mut module = Module::load(&self.gpu, &cubin);
        // Whole, but not what this driver takes: look elsewhere, make it anew.
        if module.is_err() && origin == Origin::Pack {
            state.cubins.refuse_pack();
            (cubin, origin) = state.cubins.get(name, source)?;
            module = Module::load(&self.gpu, &cubin);
        }
        if module.is_err() && origin == Origin::Cache {
            cubin = state.cubins.rebuild(name, source)?;
            module = Module::load(&self.gpu, &cubin);
        }
        let module = module.map_err(|error| self.explained(error, &state))?;
        state.modules.insert(source.into(), module.clone());
        let ordinal = self.gpu.properties().ordinal;
        loaded().entry(ordinal).or_default().insert(source.into(), module.code());
        Ok(module)
    }

    /// The loaded modules of several complete sources, compiled as by [`compile_ahead`](Self::compile_ahead).
    pub fn modules(
        &self,
        name: &str,
        sources: &[String],
        others: &dyn Fn() -> Vec<String>,
    ) -> Result<Vec<Arc<Module>>> {
        self.compile_ahead(name, sources, others);
        sources.iter().map(|source| self.module(name, source)).collect()
    }

    /// If one of some complete sources has to be compiled, compiles all, side by side, and with them what `others`
    /// names: sources that will be asked for soon. What goes wrong is found again, and told, when a module is asked
    /// for.
    pub fn compile_ahead(&self, name: &str, sources: &[String], others: &dyn Fn() -> Vec<String>) {
        let mut state = self.lock();
        let State { modules, cubins, .. } = &mut *state;
        let is_fresh = |text: &&String| !modules.contains_key(*text) && self.loaded(text).is_none();
        if sources.iter().filter(is_fresh).all(|source| cubins.has(source)) {
            return;
        }
        let others = others();
        let wanted: BTreeSet<&str> = sources.iter().chain(&others).filter(is_fresh).map(|text| &text[..]).collect();
        if wanted.len() > 1 {
            cubins.make_ahead(name, &wanted.into_iter().collect::<Vec<_>>());
        }
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
            shipped: cubins.shipped,
            hits: cubins.hits,
            compiled: cubins.compiled,
            seconds: cubins.elapsed.as_secs_f64(),
            nvrtc: nvrtc.map(|(path, _)| path.into()),
            version: nvrtc.map(|(_, version)| version),
            cache: cubins.cache.folder().map(Into::into),
            pack: cubins.pack.as_ref().map(|pack| pack.path().into()),
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
