//! The machine code of a source: from the pack of a release or the cache on disk if it is there, otherwise compiled and
//! put into the cache. The pack comes first: to look into the cache the version of NVRTC must be known, and finding
//! that out may mean loading it.

use super::cache::{Cache, Key, Version};
use super::compiler::Compiler;
use super::pack::Pack;
use crate::error::Result;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why kernels were not kept, said last in this process.
static WARNING: Mutex<Option<String>> = Mutex::new(None);

/// Why kernels that this process has compiled are not kept on disk, if so: for programs, which say it once.
pub fn cache_warning() -> Option<String> {
    WARNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Where machine code comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Pack,
    Cache,
    Compiler,
}

/// A compiler with a cache in front of it, and perhaps a pack.
pub struct Cubins<C> {
    pub compiler: C,
    pub cache: Cache,
    pub pack: Option<Pack>,
    pub shipped: usize,
    /// What was compiled before it was asked for.
    ahead: HashMap<Key, Vec<u8>>,
    architecture: String,
    generation: u32,
    pub hits: usize,
    pub compiled: usize,
    pub elapsed: Duration,
    pub warning: Option<String>,
}

impl<C: Compiler> Cubins<C> {
    /// For an architecture and a driver of a generation of CUDA.
    pub fn new(compiler: C, cache: Cache, architecture: &str, generation: u32) -> Self {
        let architecture = architecture.into();
        Self {
            compiler,
            cache,
            pack: None,
            shipped: 0,
            ahead: HashMap::new(),
            architecture,
            generation,
            hits: 0,
            compiled: 0,
            elapsed: Duration::ZERO,
            warning: None,
        }
    }

    /// The machine code, and where it was.
    pub fn get(&mut self, name: &str, source: &str) -> Result<(Vec<u8>, Origin)> {
        let key = self.key(source);
        if let Some(cubin) = self.ahead.remove(&key) {
            return Ok((cubin, Origin::Compiler));
        }
        if let Some(cubin) = self.packed(&key) {
            self.shipped += 1;
            return Ok((cubin, Origin::Pack));
        }
        let version = self.version();
        let found = match &version {
            Ok(version) => self.cache.read(&key, *version),
            Err(_) => self.cache.read_any(&key, self.generation),
        };
        match (found, version) {
            (Some(cubin), _) => {
                self.hits += 1;
                Ok((cubin, Origin::Cache))
            }
            (None, Err(error)) => Err(error),
            (None, Ok(_)) => Ok((self.rebuild(name, source)?, Origin::Compiler)),
        }
    }

    /// The machine code of a key in the pack, for this architecture or one that it is as good for.
    fn packed(&self, key: &Key) -> Option<Vec<u8>> {
        let pack = self.pack.as_ref()?;
        key.compatible().find_map(|key| pack.read(&key))
    }

    /// Whether the machine code of a source is at hand, as far as can be told without reading it.
    pub fn has(&mut self, source: &str) -> bool {
        let key = self.key(source);
        let in_pack = self.pack.as_ref().is_some_and(|pack| key.compatible().any(|key| pack.has(&key)));
        in_pack || self.ahead.contains_key(&key) || self.version().is_ok_and(|version| self.cache.has(&key, version))
    }

    /// The compiler's version; the time that it takes counts, because NVRTC may have to be loaded for it.
    fn version(&mut self) -> Result<Version> {
        let begun = Instant::now();
        let version = self.compiler.version();
        self.elapsed += begun.elapsed();
        version
    }

    /// Makes no more use of the pack: the driver does not take its machine code.
    pub fn refuse_pack(&mut self) {
        if let Some(pack) = self.pack.take() {
            let (path, (major, minor)) = (pack.path().display(), pack.version());
            let reason = format!("the driver does not take its machine code, made by NVRTC {major}.{minor}");
            self.warning = Some(format!("{path} is not used: {reason}"));
        }
    }

    /// Compiles those sources that are nowhere, side by side; [`get`](Self::get) then finds them. What goes wrong here
    /// goes wrong there again, and is reported there.
    pub fn make_ahead(&mut self, name: &str, sources: &[&str]) {
        let Ok(version) = self.version() else { return };
        let missing = |source: &&&str| {
            let key = self.key(source);
            !self.ahead.contains_key(&key) && self.packed(&key).is_none() && self.cache.read(&key, version).is_none()
        };
        let missing: Vec<&str> = sources.iter().filter(missing).copied().collect();
        if missing.is_empty() {
            return;
        }
        let begun = Instant::now();
        let made = self.compiler.compile_all(name, &missing, &self.architecture);
        self.elapsed += begun.elapsed();
        for (source, made) in missing.iter().zip(made) {
            if let Ok((cubin, version)) = made {
                self.compiled += 1;
                self.keep(source, version, &cubin);
                self.ahead.insert(self.key(source), cubin);
            }
        }
    }

    /// The machine code compiled afresh; what the cache had is overwritten.
    pub fn rebuild(&mut self, name: &str, source: &str) -> Result<Vec<u8>> {
        let begun = Instant::now();
        let compiled = self.compiler.compile(name, source, &self.architecture);
        self.elapsed += begun.elapsed();
        let (cubin, version) = compiled?;
        self.compiled += 1;
        self.keep(source, version, &cubin);
        Ok(cubin)
    }

    fn keep(&mut self, source: &str, version: Version, cubin: &[u8]) {
        if let Err(reason) = self.cache.write(&self.key(source), version, cubin) {
            self.warning = Some(format!("compiled kernels are not kept, so every run compiles them again: {reason}"));
            *WARNING.lock().unwrap_or_else(PoisonError::into_inner) = self.warning.clone();
        }
    }

    /// What the machine code of a source is known by.
    pub fn key(&self, source: &str) -> Key {
        Key::of(source, &self.architecture)
    }
}

#[cfg(test)]
#[path = "cubins_tests.rs"]
mod tests;
