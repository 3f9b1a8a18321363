//! A changed run as a file: a line that says what it is, its memory as a line of JSON, its numbers, a checksum. Written
//! whole or not at all.

use super::super::checkpoint::{sealed, unsealed, write_whole};
use super::living::Living;
use super::memory::Memory;
use anyhow::{Context, Result, bail};
use std::path::Path;

const MAGIC: &[u8] = b"galerkit live heart 2\n";

/// As bytes.
pub fn encode(living: &mut Living) -> Result<Vec<u8>> {
    let memory = serde_json::to_vec(&living.memory)?;
    Ok(sealed(MAGIC, &[&memory[..], b"\n", &living.save()].concat()))
}

/// As a file.
pub fn write(living: &mut Living, path: &Path) -> Result<()> {
    write_whole(path, &encode(living)?)
}

/// Goes on from a file, of a live run or of one that was not.
pub fn read(living: &mut Living, path: &Path) -> Result<()> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match unsealed(path, MAGIC, &bytes)? {
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
