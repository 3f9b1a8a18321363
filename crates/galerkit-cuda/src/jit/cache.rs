//! Compiled kernels on disk, one file each: `kernels/<sha256 of options and source>-<architecture>-<NVRTC>.cubin`.
//!
//! A file is the line `galerkit cubin 1`, the SHA-256 of the machine code (32 bytes) and the machine code. Whatever
//! does not fit its checksum counts as absent and is written again. Files appear under their name only when complete,
//! so any number of processes may share a folder.

use crate::launch::Nvrtc;
use galerkit_linalg::io::atomic_write;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A version of NVRTC, for example (13, 0).
pub type Version = (u32, u32);

const NO_FOLDER: &str = "no cache folder: set GALERKIT_CACHE to one";
const MAGIC: &[u8] = b"galerkit cubin 1\n";

/// What a compiled kernel depends on, but for the compiler's version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    digest: String,
    architecture: String,
}

impl Key {
    /// The key of a source compiled with some options.
    pub fn new(options: &[&str], source: &str, architecture: &str) -> Self {
        let mut hash = Sha256::new();
        for part in options.iter().chain([&source]) {
            hash.update((part.len() as u64).to_le_bytes()); // so that no text moves from one part to the next
            hash.update(part);
        }
        let digest = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { digest, architecture: architecture.into() }
    }

    /// The key of a source compiled as usual.
    pub fn of(source: &str, architecture: &str) -> Self {
        Self::new(&Nvrtc::OPTIONS, source, architecture)
    }

    /// The same source for the architectures whose machine code this one takes: its own, then earlier ones of the same
    /// generation.
    pub fn compatible(&self) -> impl Iterator<Item = Self> + '_ {
        let generation = self.architecture.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: Option<u32> = self.architecture[generation.len()..].parse().ok();
        let earlier = number.into_iter().flat_map(|number| (number / 10 * 10..number).rev());
        let names = std::iter::once(self.architecture.clone()).chain(earlier.map(move |n| format!("{generation}{n}")));
        names.map(|architecture| Self { digest: self.digest.clone(), architecture })
    }

    /// What it is called in lists.
    pub fn name(&self) -> String {
        format!("{}-{}", self.digest, self.architecture)
    }

    fn stem(&self) -> String {
        self.name() + "-"
    }
}

/// A folder of compiled kernels; without one nothing is kept.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder of this user: GALERKIT_CACHE, else XDG_CACHE_HOME/galerkit, else HOME/.cache/galerkit.
    pub fn of_environment() -> Self {
        Self::from_variables(|name| std::env::var_os(name).filter(|value| !value.is_empty()))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let path = |name: &str| variable(name).map(PathBuf::from);
        let folder = path("GALERKIT_CACHE")
            .or_else(|| path("XDG_CACHE_HOME").map(|folder| folder.join("galerkit")))
            .or_else(|| path("HOME").map(|folder| folder.join(".cache/galerkit")));
        Self { folder: folder.map(|folder| folder.join("kernels")) }
    }

    /// Kernels in a folder of one's own.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// Where it is; None where no variable says so.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The machine code of a key made by one version, if it is there and whole.
    pub fn read(&self, key: &Key, version: Version) -> Option<Vec<u8>> {
        opened(fs::read(self.path(key, version)?).ok()?)
    }

    /// Whether there is a file for the machine code of a key made by one version.
    pub fn has(&self, key: &Key, version: Version) -> bool {
        self.path(key, version).is_some_and(|path| path.is_file())
    }

    /// The machine code of a key made by any version up to a generation of CUDA, the newest that is whole.
    pub fn read_any(&self, key: &Key, generation: u32) -> Option<Vec<u8>> {
        let mut versions: Vec<Version> = self.names().iter().filter_map(|name| version_of(name, key)).collect();
        versions.sort_unstable();
        versions.iter().rev().filter(|version| version.0 <= generation).find_map(|version| self.read(key, *version))
    }

    /// Keeps machine code; the sentence says why it could not.
    pub fn write(&self, key: &Key, version: Version, cubin: &[u8]) -> Result<(), String> {
        let path = self.path(key, version).ok_or(NO_FOLDER)?;
        self.put(&path, &[&packed(cubin)])
    }

    /// The version of the library at a path, remembered from when it was last loaded.
    pub fn known_version(&self, library: &Path) -> Option<Version> {
        let text = fs::read_to_string(self.notes()?).ok()?;
        let wanted = identity(library)?;
        text.lines().find_map(|line| {
            let (version, rest) = line.split_once(' ')?;
            let (major, minor) = version.split_once('.')?;
            (rest == wanted).then_some((major.parse().ok()?, minor.parse().ok()?))
        })
    }

    /// Remembers the version of the library at a path, so that the next process need not load it to know.
    pub fn remember_version(&self, library: &Path, version: Version) -> Result<(), String> {
        let (Some(notes), Some(identity)) = (self.notes(), identity(library)) else { return Ok(()) };
        let others = fs::read_to_string(&notes).unwrap_or_default();
        let same_library = format!(" {}", library.display());
        let mut text = format!("{}.{} {identity}\n", version.0, version.1);
        for line in others.lines().filter(|line| !line.ends_with(&same_library)) {
            text += &format!("{line}\n");
        }
        self.put(&notes, &[text.as_bytes()])
    }

    /// How many kernels there are, and their bytes.
    pub fn contents(&self) -> (usize, u64) {
        let sizes = self.kernels().map(|name| self.folder.as_ref().map_or(0, |folder| size(&folder.join(name))));
        sizes.fold((0, 0), |(count, bytes), size| (count + 1, bytes + size))
    }

    /// How many kernels there are for an architecture.
    pub fn count_for(&self, architecture: &str) -> usize {
        self.kernels().filter(|name| name.split('-').nth(1) == Some(architecture)).count()
    }

    /// Whether kernels can be kept; the sentence says why not.
    pub fn check(&self) -> Result<(), String> {
        let folder = self.folder.as_ref().ok_or(NO_FOLDER)?;
        let path = folder.join(format!("writable-{}", std::process::id()));
        self.put(&path, &[])?;
        fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn kernels(&self) -> impl Iterator<Item = String> {
        self.names().into_iter().filter(|name| name.ends_with(".cubin") && !name.starts_with('.'))
    }

    fn put(&self, path: &Path, parts: &[&[u8]]) -> Result<(), String> {
        let folder = path.parent().unwrap_or(path);
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let fill = |out: &mut dyn std::io::Write| parts.iter().try_for_each(|part| out.write_all(part));
        atomic_write(path, fill).map_err(|error| error.to_string())
    }

    fn path(&self, key: &Key, version: Version) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}{}.{}.cubin", key.stem(), version.0, version.1)))
    }

    fn notes(&self) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("nvrtc-versions"))
    }

    fn names(&self) -> Vec<String> {
        let entries = self.folder.iter().flat_map(fs::read_dir).flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    }
}

fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |facts| facts.len())
}

/// The version in the name of a key's file.
fn version_of(name: &str, key: &Key) -> Option<Version> {
    let (major, minor) = name.strip_prefix(&key.stem())?.strip_suffix(".cubin")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Size, time of last change and path: another library at the same path is another identity.
fn identity(library: &Path) -> Option<String> {
    let facts = fs::metadata(library).ok()?;
    let changed = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
    Some(format!("{} {changed} {}", facts.len(), library.display()))
}

fn checksum(cubin: &[u8]) -> [u8; 32] {
    Sha256::digest(cubin).into()
}

/// The bytes of the file that keeps some machine code.
pub fn packed(cubin: &[u8]) -> Vec<u8> {
    [MAGIC, &checksum(cubin), cubin].concat()
}

/// The machine code in a file's bytes, if they are whole.
pub(super) fn opened(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let body = MAGIC.len() + 32;
    let sum = bytes.strip_prefix(MAGIC)?.get(..32)?;
    (checksum(&bytes[body..]) == *sum).then(|| bytes.split_off(body))
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
