//! Kernels that were compiled ahead of time, in one file that a release carries: `cargo xtask ship` writes it, and
//! nothing that is in it is compiled where it is used.
//!
//! ```text
//! galerkit kernels 1            what it is
//! 0.1.0 13.0 2                  galerkit, NVRTC, how many kernels
//! 4be1...-sm_90 0 38123         key, where its machine code begins behind the list, bytes
//! 77a0...-sm_90 38123 40112
//! 9c31...                       SHA-256 of everything above
//! (zlib)(zlib)...               machine code, each as in a file of the cache, with its checksum
//! ```
//! A key is that of the cache: options, source and architecture. The compiler's version is no part of it, because the
//! same source is the same program.

use super::cache::{Key, Version, opened, packed};
use flate2::read::{ZlibDecoder, ZlibEncoder};
use galerkit_linalg::io::atomic_write;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MAGIC: &str = "galerkit kernels 1";
const GALERKIT: &str = env!("CARGO_PKG_VERSION");
/// Names the file, or says `none`.
const VARIABLE: &str = "GALERKIT_KERNELS";

/// An opened pack. Its machine code stays on disk until it is asked for.
#[derive(Clone, Debug)]
pub struct Pack(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    path: PathBuf,
    version: Version,
    /// Where each kernel begins in the file, and its bytes.
    kernels: HashMap<String, (u64, usize)>,
}

impl Pack {
    /// The pack of this process: the file that GALERKIT_KERNELS names (`none`: no pack), else `galerkit.kernels` beside
    /// the program, else `share/galerkit/kernels-VERSION.pack` beside its folder. None where there is no file; the
    /// sentence says why one cannot be used.
    pub fn of_environment() -> Result<Option<Self>, String> {
        let given = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
        match given {
            Some(given) if given == Path::new("none") => Ok(None),
            Some(given) => Self::open(&given).map(Some),
            None => {
                let program = std::env::current_exe().ok();
                let found = program.iter().flat_map(|program| beside(program)).find(|path| path.is_file());
                found.map(|path| Self::open(&path)).transpose()
            }
        }
    }

    /// Reads the list of a pack. The sentence says why it cannot be used.
    pub fn open(path: &Path) -> Result<Self, String> {
        let bad = |reason: String| format!("{} is not used: {reason}", path.display());
        let file = File::open(path).map_err(|error| bad(error.to_string()))?;
        let (version, kernels) = read_list(&mut BufReader::new(file)).map_err(bad)?;
        Ok(Self(Arc::new(Contents { path: path.into(), version, kernels })))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
    /// The version of NVRTC that made it.
    pub fn version(&self) -> Version {
        self.0.version
    }
    /// How many kernels it has for an architecture.
    pub fn count_for(&self, architecture: &str) -> usize {
        self.0.kernels.keys().filter(|key| key.ends_with(&format!("-{architecture}"))).count()
    }

    /// Whether it has a key.
    pub(super) fn has(&self, key: &Key) -> bool {
        self.0.kernels.contains_key(&key.name())
    }

    /// The machine code of a key, if it is there and whole.
    pub(super) fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let &(begin, bytes) = self.0.kernels.get(&key.name())?;
        let mut file = File::open(&self.0.path).ok()?;
        file.seek(SeekFrom::Start(begin)).ok()?;
        let mut whole = Vec::new();
        ZlibDecoder::new(file.take(bytes as u64)).read_to_end(&mut whole).ok()?;
        opened(whole)
    }

    /// Writes a pack of sources compiled for architectures by one version of NVRTC; how many bytes it has.
    pub fn write(path: &Path, version: Version, kernels: &[Compiled<'_>]) -> Result<usize, String> {
        let mut list = String::new();
        let mut code = Vec::new();
        for Compiled { source, architecture, cubin } in kernels {
            let begin = code.len();
            let whole = packed(cubin);
            ZlibEncoder::new(&whole[..], flate2::Compression::best())
                .read_to_end(&mut code)
                .map_err(|error| error.to_string())?;
            list += &format!("{} {begin} {}\n", Key::of(source, architecture).name(), code.len() - begin);
        }
        let (major, minor) = version;
        let head = format!("{MAGIC}\n{GALERKIT} {major}.{minor} {}\n{list}", kernels.len());
        let sum = format!("{}\n", hexadecimal(&Sha256::digest(&head)));
        let parts = [head.as_bytes(), sum.as_bytes(), &code];
        let fill = |out: &mut dyn std::io::Write| parts.iter().try_for_each(|part| out.write_all(part));
        atomic_write(path, fill).map_err(|error| error.to_string())?;
        Ok(parts.iter().map(|part| part.len()).sum())
    }
}

/// A source compiled for an architecture, to be packed.
pub struct Compiled<'a> {
    /// The complete source.
    pub source: &'a str,
    /// What it was compiled for.
    pub architecture: &'a str,
    /// Machine code.
    pub cubin: &'a [u8],
}

/// Where a pack may lie without being named.
fn beside(program: &Path) -> Vec<PathBuf> {
    let folder = program.parent();
    let shared = folder.and_then(Path::parent).map(|prefix| prefix.join("share/galerkit"));
    let own = folder.map(|folder| folder.join("galerkit.kernels"));
    own.into_iter().chain(shared.map(|shared| shared.join(format!("kernels-{GALERKIT}.pack")))).collect()
}

type List = HashMap<String, (u64, usize)>;

/// Everything before the machine code.
fn read_list(file: &mut impl BufRead) -> Result<(Version, List), String> {
    let damaged = || "it is damaged".to_string();
    let mut head = String::new();
    let mut line = |head: &mut String| {
        let begin = head.len();
        file.take(1 << 10).read_line(head).map_err(|_| damaged())?;
        head[begin..].strip_suffix('\n').map(str::to_owned).ok_or_else(damaged)
    };
    if line(&mut head)? != MAGIC {
        return Err("it is no pack of kernels".into());
    }
    let facts = line(&mut head)?;
    let [galerkit, nvrtc, count] = facts.split(' ').collect::<Vec<_>>()[..] else { return Err(damaged()) };
    if galerkit != GALERKIT {
        return Err(format!("it is of galerkit {galerkit}, and this is {GALERKIT}"));
    }
    let version = nvrtc.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
    let count: usize = count.parse().map_err(|_| damaged())?;
    let mut kernels = HashMap::new();
    for _ in 0..count {
        let entry = line(&mut head)?;
        let [key, begin, bytes] = entry.split(' ').collect::<Vec<_>>()[..] else { return Err(damaged()) };
        let place = begin.parse::<u64>().ok().zip(bytes.parse::<usize>().ok());
        kernels.insert(key.to_string(), place.ok_or_else(damaged)?);
    }
    let sum = hexadecimal(&Sha256::digest(&head));
    if line(&mut head)? != sum {
        return Err(damaged());
    }
    let behind = head.len() as u64;
    kernels.values_mut().for_each(|place| place.0 += behind);
    Ok((version.ok_or_else(damaged)?, kernels))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
