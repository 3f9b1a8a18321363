//! The a-priori model: seconds of one product from row statistics, without building the format.
//!
//! ```text
//! seconds = max( bytes / (efficiency * bandwidth),  longest chain of a thread * latency,  launch )  [+ pass if alone]
//! ```
//! Bytes are what the format stores, padding included, x as often as it must be fetched, and y. The chain is the number
//! of dependent batches of loads that the thread with the longest row goes through. A product that cannot fuse with
//! what reads it costs another pass over its vector. Efficiencies are parts of the read bandwidth, from an H200
//! (27-point grid, f64); those marked "assumed" were not measured when they were written down. Before a survey of 72
//! matrices the model's pick was within 5 % of the best on 43 of them; the constants for blocks and caches were then
//! set by that survey.

use super::{Candidate, Statistics, candidate};
use crate::launch::Properties;
use galerkit_linalg::sparse::{Format, Variant};
use std::fmt;

/// SELL and K1, one lane a row: 4.1 of 4.6 TB/s, with wide and narrow columns alike.
const SLICED: f64 = 0.89;
/// K2: as SELL, and a few shuffles (assumed).
const SPLIT_ROWS: f64 = 0.85;
/// CSR by lanes a row when every lane has enough to do: 1.1, 2.4, 2.7 and 3.6 TB/s for 1, 2, 4 and 8; more as 8.
const TEAMS: [(usize, f64); 4] = [(1, 0.24), (2, 0.52), (4, 0.59), (8, 0.78)];
/// Entries a lane below which too few loads are in flight: 27 entries on 16 lanes give 2.2 TB/s, on 8 lanes 3.5.
const BUSY: f64 = 3.3;
/// How the speed falls below that.
const STARVING: f64 = 0.7;
/// How much of the time that lanes wait for a longer row is not hidden by other warps (assumed).
const WAITING: f64 = 0.5;
/// Balanced CSR: entries pass through shared memory (assumed).
const BALANCED: f64 = 0.6;
/// HYB (assumed).
const HYBRID: f64 = 0.7;
/// BSR of at least 8 lanes: 1.2 TB/s on FEMShip with blocks of 6.
const BLOCKS: f64 = 0.27;
/// Seconds for one batch: its columns and values, then the entries of x that they name (assumed).
const BATCH_LATENCY: f64 = 0.8e-6;
/// The same when all of it is in the L2 cache (assumed).
const CACHED_BATCH_LATENCY: f64 = 0.4e-6;
/// Bytes of values a thread has in flight, which is a batch.
const BATCH: usize = 32;
/// Seconds from one kernel to the next.
const LAUNCH: f64 = 3e-6;
/// How much faster the L2 cache is than memory: its products are so short that starting and ending takes what
/// the bandwidth gives (FEMHarbor, 24 MB, 9.6 us).
const CACHE_SPEED: f64 = 1.0;
/// How much longer narrow columns take there, where bytes no longer decide: Epidemiology 10.4 against 9.1 us.
const NARROW_IN_CACHE: f64 = 1.2;

/// What a predicted time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes.
    Memory,
    /// The longest row.
    Latency,
    /// The launch itself.
    Launch,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Memory => "memory",
            Limit::Latency => "its longest row",
            Limit::Launch => "the launch",
        })
    }
}

/// What a candidate is expected to cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Which.
    pub candidate: Candidate,
    /// Seconds of one product, with the pass that it needs beyond it if it cannot fuse.
    pub seconds: f64,
    /// Seconds of its reading and waiting one after the other: decides between those that the launch makes equal.
    pub work: f64,
    /// Bytes that the map takes.
    pub bytes: f64,
    /// What decides.
    pub limit: Limit,
}

/// Predictions for all candidates, fastest first; of equals the one with less work.
pub fn rank(statistics: &Statistics, properties: &Properties) -> Vec<Prediction> {
    let candidates = candidate::enumerate(statistics);
    let mut ranked: Vec<Prediction> =
        candidates.into_iter().filter_map(|candidate| predict(candidate, statistics, properties)).collect();
    ranked.sort_by(|a, b| a.seconds.total_cmp(&b.seconds).then(a.work.total_cmp(&b.work)));
    ranked
}

/// Bytes per second that reading gives at best; 4.6 TB/s is measured, the others are from data sheets.
pub fn read_bandwidth(properties: &Properties) -> f64 {
    match (properties.capability.0, properties.memory >> 30) {
        (10.., _) => 7.0e12,
        (9, 100..) => 4.6e12,
        (9, _) => 3.1e12,
        (8, 60..) => 1.8e12,
        (8, 36..) => 1.4e12,
        _ => 0.7e12,
    }
}

fn predict(candidate: Candidate, statistics: &Statistics, properties: &Properties) -> Option<Prediction> {
    let Cost { bytes, efficiency, chain } = cost(candidate, statistics)?;
    let narrow = is_narrow(candidate, statistics);
    let vector = (statistics.rows * statistics.scalar) as f64;
    let x = (statistics.cols * statistics.scalar) as f64;
    let cache = properties.l2 as f64;
    let gathered = if x <= cache / 2.0 { x } else { x.max(statistics.scattered) };
    let moved = bytes + reordering_bytes(candidate, statistics, gathered > x) + gathered + vector;
    let cached = moved <= 0.75 * cache;
    let bandwidth = read_bandwidth(properties) * if cached { CACHE_SPEED } else { 1.0 };
    let unpacking = if cached && narrow { NARROW_IN_CACHE } else { 1.0 };
    let memory = unpacking * moved / (efficiency * bandwidth);
    let latency = chain * if cached { CACHED_BATCH_LATENCY } else { BATCH_LATENCY };
    let limits = [(memory, Limit::Memory), (latency, Limit::Latency), (LAUNCH, Limit::Launch)];
    let (longest, limit) = limits.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let alone = if candidate.fuses() { 0.0 } else { LAUNCH + 2.0 * vector / bandwidth };
    Some(Prediction { candidate, seconds: longest + alone, work: memory + latency, bytes, limit })
}

/// Writing y through an order: its numbers, and whole sectors of 32 bytes where neighbours lie apart. Rows sorted over
/// the whole matrix also lose the locality of x, where it had any to lose.
fn reordering_bytes(candidate: Candidate, statistics: &Statistics, scattered: bool) -> f64 {
    let rows = statistics.rows as f64;
    match candidate.format {
        Format::Sell { sigma: 2.., .. } => 4.0 * rows,
        Format::EllWarp { .. } => {
            let again = if scattered { statistics.scattered } else { 0.0 };
            (4.0 + (32.0 - statistics.scalar as f64).max(0.0)) * rows + again
        }
        _ => 0.0,
    }
}

/// Whether a candidate's columns have 16 bits.
fn is_narrow(candidate: Candidate, statistics: &Statistics) -> bool {
    let sliced = matches!(candidate.format, Format::Sell { .. } | Format::EllWarp { .. });
    sliced && candidate.tuning.narrow != Some(false) && statistics.fits_narrow(candidate.format)
}

/// What a candidate stores, how fast its kernel reads that, and the batches of its busiest thread.
struct Cost {
    bytes: f64,
    efficiency: f64,
    chain: f64,
}

fn cost(candidate: Candidate, statistics: &Statistics) -> Option<Cost> {
    let slots = statistics.slots_of(candidate.format)? as f64;
    let (rows, scalar) = (statistics.rows as f64, statistics.scalar as f64);
    let batch = (BATCH / statistics.scalar).max(1) as f64;
    let batches = |entries: f64| (entries / batch).ceil();
    let longest = statistics.longest as f64;
    let narrow = is_narrow(candidate, statistics);
    let column = if narrow { 2.0 + 4.0 / 32.0 } else { 4.0 };
    let compressed = slots * (4.0 + scalar) + 8.0 * rows;
    Some(match candidate.format {
        Format::Csr if candidate.tuning.balanced == Some(true) => {
            Cost { bytes: compressed + 4.0 * (slots + rows) / 1280.0, efficiency: BALANCED, chain: batches(5.0) }
        }
        Format::Csr => {
            let lanes = candidate.tuning.lanes?;
            let efficiency = team_efficiency(lanes, slots / rows.max(1.0), waiting(statistics, lanes));
            Cost { bytes: compressed, efficiency, chain: batches(longest / lanes as f64) }
        }
        Format::Sell { height, .. } => Cost {
            bytes: slots * (column + scalar) + 8.0 * rows / height as f64,
            efficiency: SLICED,
            chain: batches(longest),
        },
        Format::EllWarp { variant: Variant::K1, warp, .. } => Cost {
            bytes: slots * (column + scalar) + 8.0 * rows / warp as f64,
            efficiency: SLICED,
            chain: batches(longest),
        },
        Format::EllWarp { warp, threshold, .. } => {
            let lane = longest.min((longest / warp as f64).max(threshold as f64));
            let warps = slots / (warp * threshold) as f64 + rows / warp as f64;
            Cost { bytes: slots * (column + scalar) + 16.0 * warps, efficiency: SPLIT_ROWS, chain: batches(lane) }
        }
        Format::Hyb { .. } => {
            let (width, overflow) = statistics.hyb;
            let bytes = slots * (4.0 + scalar) + 12.0 * (overflow as f64).min(rows);
            Cost { bytes, efficiency: HYBRID, chain: batches(width as f64) + batches(5.0) }
        }
        Format::Bsr { block } => {
            let length = slots / rows.max(1.0);
            let lanes = ((length / 4.0).ceil().clamp(1.0, 32.0) as usize).next_power_of_two();
            let size = (block * block) as f64;
            let bytes = slots * scalar + 4.0 * slots / size + 8.0 * rows / block as f64;
            let efficiency = BLOCKS / TEAMS[3].1 * team_efficiency(lanes, length, 1.0);
            Cost { bytes, efficiency, chain: batches(longest / lanes as f64) }
        }
        _ => return None,
    })
}

fn waiting(statistics: &Statistics, lanes: usize) -> f64 {
    statistics.teams.iter().find(|(known, _)| *known == lanes).map_or(1.0, |(_, waiting)| *waiting)
}

/// The part of the bandwidth that teams of lanes reach on rows of a mean length.
fn team_efficiency(lanes: usize, length: f64, waiting: f64) -> f64 {
    let most = TEAMS.iter().rfind(|(known, _)| *known <= lanes).map_or(TEAMS[0].1, |(_, part)| *part);
    let busy = (length / lanes as f64 / BUSY).min(1.0).powf(STARVING);
    most * busy / waiting.powf(WAITING)
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
