//! A changed run as a file: a line that says what it is, its memory as a line of JSON, its numbers. Written whole or
//! not at all.

use super::living::Living;
use super::memory::Memory;
use anyhow::{Context, Result, bail};
use galerkit::linalg::io::atomic_write;
use std::path::Path;

const MAGIC: &[u8] = b"galerkit live heart 1\n";

/// As bytes.
pub fn encode(living: &mut Living) -> Result<Vec<u8>> {
    let memory = serde_json::to_vec(&living.memory)?;
    Ok([MAGIC, &memory, b"\n", &living.save()].concat())
}

/// As a file.
pub fn write(living: &mut Living, path: &Path) -> Result<()> {
    let bytes = encode(living)?;
    atomic_write(path, |to| to.write_all(&bytes)).with_context(|| format!("cannot write {}", path.display()))
}

/// Goes on from a file, of a live run or of one that was not.
pub fn read(living: &mut Living, path: &Path) -> Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match bytes.strip_prefix(MAGIC) {
        None => living.resume(path)?,
        Some(rest) => {
            let end = rest.iter().position(|byte| *byte == b'\n').context("the state has no memory: it was cut off")?;
            living.memory = serde_json::from_slice::<Memory>(&rest[..end]).context("the state has no memory")?;
            living.renew()?;
            if !living.restore(&rest[end + 1..])? {
                bail!(
                    "{} holds no state of this tissue and scheme: resume with the options of the run that wrote it",
                    path.display()
                );
            }
        }
    }
    let time = living.simulated();
    if (time - time.round()).abs() > 1e-9 {
        bail!("{} is of {time} ms: a live run goes on from whole milliseconds", path.display());
    }
    living.memory.time = time.round() as u64;
    Ok(())
}
