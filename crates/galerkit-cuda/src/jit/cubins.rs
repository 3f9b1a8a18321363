//! The machine code of a source: from the cache on disk if it is there, otherwise compiled and put there.

use super::cache::{Cache, Key, Version};
use super::compiler::Compiler;
use crate::error::Result;
use crate::launch::Nvrtc;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Why kernels were not kept, said last in this process.
static WARNING: Mutex<Option<String>> = Mutex::new(None);

/// Why kernels that this process has compiled are not kept on disk, if so: for programs, which say it once.
pub fn cache_warning() -> Option<String> {
    WARNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A compiler with a cache in front of it.
pub struct Cubins<C> {
    pub compiler: C,
    pub cache: Cache,
    architecture: String,
    generation: u32,
    pub hits: usize,
    pub compiled: usize,
    pub elapsed: Duration,
    pub warning: Option<String>,
    /// Compiled ahead and not kept on disk.
    ahead: BTreeMap<Key, Vec<u8>>,
}

impl<C: Compiler> Cubins<C> {
    /// For an architecture and a driver of a generation of CUDA.
    pub fn new(compiler: C, cache: Cache, architecture: &str, generation: u32) -> Self {
        let (architecture, elapsed, ahead) = (architecture.into(), Duration::ZERO, BTreeMap::new());
        Self { compiler, cache, architecture, generation, hits: 0, compiled: 0, elapsed, warning: None, ahead }
    }

    /// The machine code, and whether it was in the cache.
    pub fn get(&mut self, name: &str, source: &str) -> Result<(Vec<u8>, bool)> {
        let key = self.key(source);
        if let Some(cubin) = self.ahead.remove(&key) {
            return Ok((cubin, false));
        }
        let begun = Instant::now();
        let version = self.compiler.version();
        self.elapsed += begun.elapsed(); // nothing unless NVRTC had to be loaded
        let found = match &version {
            Ok(version) => self.cache.read(&key, *version),
            Err(_) => self.cache.read_any(&key, self.generation),
        };
        match (found, version) {
            (Some(cubin), _) => {
                self.hits += 1;
                Ok((cubin, true))
            }
            (None, Err(error)) => Err(error),
            (None, Ok(_)) => Ok((self.rebuild(name, source)?, false)),
        }
    }

    /// Compiles those sources that the cache does not have, side by side; [`get`](Self::get) then finds them. What goes
    /// wrong here goes wrong there again, and is reported there.
    pub fn make_ahead(&mut self, name: &str, sources: &[&str]) {
        let Ok(version) = self.compiler.version() else { return };
        let missing = |source: &&&str| self.cache.read(&self.key(source), version).is_none();
        let missing: Vec<&str> = sources.iter().filter(missing).copied().collect();
        if missing.is_empty() || self.cache.folder().is_none() {
            return;
        }
        let begun = Instant::now();
        let made = self.compiler.compile_all(name, &missing, &self.architecture);
        self.elapsed += begun.elapsed();
        for (source, made) in missing.iter().zip(made) {
            if let Ok((cubin, version)) = made {
                self.compiled += 1;
                if !self.keep(source, version, &cubin) {
                    self.ahead.insert(self.key(source), cubin);
                }
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

    /// Whether it could be kept on disk.
    fn keep(&mut self, source: &str, version: Version, cubin: &[u8]) -> bool {
        let kept = self.cache.write(&self.key(source), version, cubin);
        if let Err(reason) = &kept {
            self.warning = Some(format!("compiled kernels are not kept, so every run compiles them again: {reason}"));
            *WARNING.lock().unwrap_or_else(PoisonError::into_inner) = self.warning.clone();
        }
        kept.is_ok()
    }

    /// What the machine code of a source is known by.
    pub fn key(&self, source: &str) -> Key {
        Key::new(&Nvrtc::OPTIONS, source, &self.architecture)
    }
}

#[cfg(test)]
#[path = "cubins_tests.rs"]
mod tests;
