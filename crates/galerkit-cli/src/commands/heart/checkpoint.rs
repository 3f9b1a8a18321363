//! The state on disk: what the run is, what was seen of it, and the bits it goes on from. Written whole or not at all,
//! before a checksum, because a number that has changed by a bit is a number like any other.

use super::beats::Beats;
use super::seen::Seen;
use crate::plan::heart::HeartPlan;
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::checksum::checksum;
use galerkit::fem::cardiac::simulation::{Observation, Simulation};
use galerkit::linalg::io::atomic_write;
use std::path::Path;

/// What such a file begins with, and what those of before had.
const MAGIC: &[u8] = b"galerkit heart checkpoint 3\n";
const FORMER: [&[u8]; 2] = [b"galerkit heart checkpoint 1\n", b"galerkit heart checkpoint 2\n"];

/// Writes it.
pub fn write(path: &Path, plan: &HeartPlan, simulation: &mut Simulation, seen: &Seen) -> Result<()> {
    let mut bytes = Vec::new();
    push(&mut bytes, plan.identity.as_bytes());
    let looks: Vec<u8> = seen.observations.iter().flat_map(numbers).flat_map(f64::to_le_bytes).collect();
    push(&mut bytes, &looks);
    let beats: Vec<u8> = seen.beats.numbers().into_iter().flat_map(f64::to_le_bytes).collect();
    push(&mut bytes, &beats);
    bytes.extend(simulation.save());
    write_whole(path, &sealed(MAGIC, &bytes))
}

/// Writes a file whole, or leaves what is there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    atomic_write(path, |to| to.write_all(bytes)).with_context(|| format!("cannot write {}", path.display()))
}

/// Bytes between their kind and their checksum.
pub fn sealed(magic: &[u8], bytes: &[u8]) -> Vec<u8> {
    [magic, bytes, &checksum(bytes).to_le_bytes()].concat()
}

/// The bytes of a file of this kind, unless they have changed; none if it is of another kind.
pub fn unsealed<'a>(path: &Path, magic: &[u8], file: &'a [u8]) -> Result<Option<&'a [u8]>> {
    let Some(rest) = file.strip_prefix(magic) else { return Ok(None) };
    match rest.split_last_chunk() {
        Some((bytes, sum)) if u64::from_le_bytes(*sum) == checksum(bytes) => Ok(Some(bytes)),
        _ => bail!("{} is damaged or was cut off: its checksum is another; take an earlier one", path.display()),
    }
}

/// Reads it into a run. What was seen until then.
pub fn read(path: &Path, plan: &HeartPlan, simulation: &mut Simulation, electrodes: usize) -> Result<Seen> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    if FORMER.iter().any(|magic| bytes.starts_with(magic)) {
        bail!("{} is a checkpoint of an earlier version: run it again", path.display());
    }
    let Some([identity, looks, beats, state]) = unsealed(path, MAGIC, &bytes)?.and_then(parts) else {
        bail!("{} is no checkpoint of galerkit heart; that of a live run needs --live or --replay", path.display());
    };
    if identity != plan.identity.as_bytes() {
        let theirs = String::from_utf8_lossy(identity);
        let differs = theirs.lines().zip(plan.identity.lines()).find(|(a, b)| a != b);
        let what = differs.map_or(String::new(), |(a, b)| format!(" (there {a}, here {b})"));
        bail!("{} is of another run{what}: resume with the options of the run that wrote it", path.display());
    }
    if !simulation.restore(state)? {
        bail!(
            "{} holds no state of this tissue and scheme: resume with the options of the run that wrote it",
            path.display()
        );
    }
    let width = 4 + plan.probes.len() + electrodes;
    let values = |bytes: &[u8]| -> Vec<f64> {
        bytes.chunks_exact(8).filter_map(|word| Some(f64::from_le_bytes(word.try_into().ok()?))).collect()
    };
    let observations = values(looks).chunks_exact(width).map(|row| observation(row, plan.probes.len())).collect();
    Ok(Seen { observations, beats: Beats::of_numbers(&values(beats)), is_interrupted: false })
}

fn push(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(part);
}

/// Identity, observations, beats and state.
fn parts(bytes: &[u8]) -> Option<[&[u8]; 4]> {
    fn take(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let (length, rest) = bytes.split_first_chunk()?;
        rest.split_at_checked(u64::from_le_bytes(*length) as usize)
    }
    let (identity, rest) = take(bytes)?;
    let (looks, rest) = take(rest)?;
    let (beats, state) = take(rest)?;
    Some([identity, looks, beats, state])
}

fn numbers(seen: &Observation) -> Vec<f64> {
    let fixed = [seen.time, seen.fraction_excited, seen.largest, seen.energy.unwrap_or(f64::NAN)];
    fixed.into_iter().chain(seen.probes.iter().copied()).chain(seen.electrograms.iter().copied()).collect()
}

fn observation(row: &[f64], probes: usize) -> Observation {
    let (at_probes, at_electrodes) = row[4..].split_at(probes);
    Observation {
        time: row[0],
        fraction_excited: row[1],
        largest: row[2],
        energy: Some(row[3]).filter(|energy| !energy.is_nan()),
        probes: at_probes.to_vec(),
        electrograms: at_electrodes.to_vec(),
        watched: None,
    }
}
