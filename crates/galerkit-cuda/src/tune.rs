//! The tuner: which format, and which parameters of its kernel, a product should have. A [`model`] ranks [`candidate`]s
//! from row statistics before any of them is built; the best few can be timed inside a solve ([`measure`]); what was
//! measured is kept on disk ([`cache`]) under a fingerprint of the sparsity pattern ([`key`]).
//!
//! Any decision gives the right product, but sums differ in their last bits from one to the next: the bits of a solve
//! are the same for the same decision. The measured decision is cached, and the model's own pick stays unless another
//! is clearly faster, so a decision rarely depends on noise and, once made on a machine, is kept.

pub mod cache;
pub mod candidate;
mod choice;
pub mod key;
pub mod measure;
pub mod model;
mod offers;
mod statistics;

pub use candidate::Candidate;
pub use choice::{Choice, Origin};
pub use key::Key;
pub use model::{Limit, Prediction, rank, read_bandwidth};
pub(crate) use offers::Offers;
pub use statistics::Statistics;

use crate::error::Result;
use crate::launch::{Gpu, Properties};
use cache::Cache;
use galerkit_linalg::ScalarKind;
use galerkit_linalg::sparse::Pattern;
use std::sync::Arc;

/// Matrices with fewer rows are not measured: a product takes about as long as its launch, whatever the format.
const LEAST_ROWS: usize = 20_000;
/// Solves that may take fewer iterations are not measured: building and timing costs about as much as 40 products.
const LEAST_ITERATIONS: usize = 50;
/// Most candidates beside the model's own pick that are built.
const MOST_OFFERED: usize = 3;
/// Candidates that the model thinks slower than its pick by more than this are not built.
const WORTH_TRYING: f64 = 1.5;
/// The part of the free memory that all candidates may take together.
const MEMORY_SHARE: f64 = 0.5;

/// What to build first, what else to try, and why.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is built first.
    pub first: Candidate,
    /// Why: the model, or a decision from the cache.
    pub from: Origin,
    /// The model's ranking, best first; empty if the cache had a decision.
    pub predictions: Vec<Prediction>,
    /// The decision that the cache had.
    cached: Option<Choice>,
    key: Key,
    cache: Cache,
}

impl Plan {
    /// The plan for a matrix on a GPU: from the cache of this user if it knows the pattern, otherwise by the model.
    pub fn new(A: &dyn Pattern, scalar: ScalarKind, properties: &Properties) -> Self {
        Self::with_cache(A, scalar, properties, Cache::of_environment())
    }

    /// The plan of the model alone; nothing is read from a cache or written to one.
    pub fn by_model(A: &dyn Pattern, scalar: ScalarKind, properties: &Properties) -> Self {
        Self::with_cache(A, scalar, properties, Cache::none())
    }

    /// The plan with a cache of one's own.
    pub fn with_cache(A: &dyn Pattern, scalar: ScalarKind, properties: &Properties, cache: Cache) -> Self {
        let key = Key::new(A, scalar, &properties.name);
        if let Some((first, cached)) = cache.read(&key) {
            return Self { first, from: Origin::Cached, predictions: Vec::new(), cached: Some(cached), key, cache };
        }
        let predictions = rank(&Statistics::of(A, scalar), properties);
        let first = predictions.first().map_or_else(Candidate::csr, |best| best.candidate);
        Self { first, from: Origin::Model, predictions, cached: None, key, cache }
    }

    /// Why the first candidate is the first, in words.
    pub fn reason(&self) -> String {
        match (&self.cached, self.predictions.first()) {
            (Some(_), _) => "measured in an earlier solve with this sparsity pattern on this GPU".into(),
            (None, Some(best)) => format!(
                "the model's best of {} is {}: {:.1} us a product, limited by {}",
                self.predictions.len(),
                best.candidate,
                1e6 * best.seconds,
                best.limit
            ),
            (None, None) => "nothing to choose from".into(),
        }
    }

    /// The candidates worth timing against the first in a solve of at most so many iterations: those that the model
    /// thinks nearly as fast, as far as they fit the GPU's memory together.
    pub fn alternatives(&self, rows: usize, iterations: usize, gpu: &Arc<Gpu>) -> Result<Vec<Candidate>> {
        if rows <= LEAST_ROWS || iterations <= LEAST_ITERATIONS {
            return Ok(Vec::new());
        }
        let free = gpu.free_memory()?.0;
        Ok(worth_trying(&self.predictions, (MEMORY_SHARE * free as f64) as usize, gpu.properties().l2 / 4 * 3))
    }

    /// The account of the decision, with what an executor measured (the first candidate under an empty name) and took;
    /// a new measurement is written to the cache.
    pub fn conclude(&self, measured: &[(String, f64)], taken: Option<&str>) -> Choice {
        if let Some(cached) = &self.cached {
            return Choice { from: Origin::Cached, ..cached.clone() };
        }
        let predicted = self.predictions.iter().map(|p| (p.candidate.to_string(), p.seconds)).collect();
        let named = |name: &str| if name.is_empty() { self.first.to_string() } else { name.into() };
        let measured: Vec<_> = measured.iter().map(|(name, seconds)| (named(name), *seconds)).collect();
        let from = if measured.is_empty() { Origin::Model } else { Origin::Measured };
        let choice = Choice { predicted, measured, taken: named(taken.unwrap_or_default()), from, note: None };
        match from {
            Origin::Measured => Choice { note: self.cache.write(&self.key, &choice).err(), ..choice },
            Origin::Model | Origin::Cached => choice,
        }
    }
}

/// The best predictions after the first that are near it and fit so many bytes together with it. None where the first
/// runs as one persistent kernel in the L2 cache: the time of a product by itself says little about it there.
fn worth_trying(predictions: &[Prediction], memory: usize, cache_bytes: usize) -> Vec<Candidate> {
    let Some((best, others)) = predictions.split_first() else { return Vec::new() };
    if best.candidate.fuses() && best.bytes as usize <= cache_bytes {
        return Vec::new();
    }
    let mut left = memory as f64 - best.bytes;
    let mut picked = Vec::new();
    for other in others.iter().filter(|other| other.seconds <= WORTH_TRYING * best.seconds) {
        let sensible = other.candidate.tuning.narrow.is_none();
        if picked.len() < MOST_OFFERED && sensible && other.bytes <= left {
            left -= other.bytes;
            picked.push(other.candidate);
        }
    }
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(name: &str, seconds: f64, bytes: f64) -> Prediction {
        Prediction { candidate: name.parse().unwrap(), seconds, work: seconds, bytes, limit: Limit::Memory }
    }

    #[test]
    fn only_near_candidates_that_fit_are_tried() {
        let ranked = [
            prediction("sell:32:1", 1.0, 100.0),
            prediction("sell:32:1 wide", 1.1, 100.0),
            prediction("k1:32", 1.2, 500.0),
            prediction("csr lanes 8", 1.3, 100.0),
            prediction("csr balanced", 1.4, 100.0),
            prediction("csr lanes 4", 1.45, 100.0),
            prediction("csr lanes 16", 1.49, 100.0),
            prediction("hyb", 1.51, 100.0),
        ];
        let names = |memory, cache| -> Vec<String> {
            worth_trying(&ranked, memory, cache).iter().map(Candidate::to_string).collect()
        };
        assert_eq!(names(10_000, 0), ["k1:32", "csr lanes 8", "csr balanced"]);
        assert!(names(10_000, 100).is_empty(), "in a persistent kernel products are not timed by themselves");
        assert_eq!(names(350, 0), ["csr lanes 8", "csr balanced"], "100 of 350 bytes are the first's");
        assert_eq!(names(0, 0), [""; 0]);
        assert!(worth_trying(&[], 100, 0).is_empty());
    }
}
