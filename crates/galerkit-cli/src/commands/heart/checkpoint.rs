//! The state on disk: what the run is, what was seen of it, and the bits it goes on from. Written whole or not at all.

use crate::plan::heart::HeartPlan;
use anyhow::{Context, Result, bail};
use galerkit::fem::cardiac::simulation::{Observation, Simulation};
use galerkit::linalg::io::atomic_write;
use std::path::Path;

/// What such a file begins with.
const MAGIC: &[u8] = b"galerkit heart checkpoint 1\n";

/// Writes it.
pub fn write(path: &Path, plan: &HeartPlan, simulation: &mut Simulation, seen: &[Observation]) -> Result<()> {
    let mut bytes = MAGIC.to_vec();
    push(&mut bytes, plan.identity.as_bytes());
    let looks: Vec<u8> = seen.iter().flat_map(numbers).flat_map(f64::to_le_bytes).collect();
    push(&mut bytes, &looks);
    bytes.extend(simulation.save());
    atomic_write(path, |to| to.write_all(&bytes)).with_context(|| format!("cannot write {}", path.display()))
}

/// Reads it into a run. What was seen until then.
pub fn read(path: &Path, plan: &HeartPlan, simulation: &mut Simulation, electrodes: usize) -> Result<Vec<Observation>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let Some((identity, looks, state)) = parts(&bytes) else {
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
    let values: Vec<f64> =
        looks.chunks_exact(8).filter_map(|word| Some(f64::from_le_bytes(word.try_into().ok()?))).collect();
    Ok(values.chunks_exact(width).map(|row| observation(row, plan.probes.len())).collect())
}

fn push(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend((part.len() as u64).to_le_bytes());
    bytes.extend(part);
}

/// Identity, observations and state.
fn parts(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let take = |bytes: &[u8]| -> Option<(usize, usize)> {
        let length = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?) as usize;
        (8usize.checked_add(length)? <= bytes.len()).then_some((8, 8 + length))
    };
    let rest = bytes.strip_prefix(MAGIC)?;
    let (from, to) = take(rest)?;
    let (identity, rest) = (&rest[from..to], &rest[to..]);
    let (from, to) = take(rest)?;
    Some((identity, &rest[from..to], &rest[to..]))
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
    }
}
