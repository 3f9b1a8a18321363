//! How long an iteration of a persistent kernel takes, by which launches are cut. It decides when the host looks, never
//! what is computed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Seconds an iteration; 0: not known.
#[derive(Default)]
pub(crate) struct Pace(AtomicU64);

impl Pace {
    /// Notes that so many iterations took so long. What the host waits for besides is in it, so the least counts.
    pub(crate) fn note(&self, iterations: usize, elapsed: Duration) {
        let each = elapsed.as_secs_f64() / iterations.max(1) as f64;
        let known = self.seconds();
        if iterations > 0 && (known == 0.0 || each < known) {
            self.0.store(each.to_bits(), Ordering::Relaxed);
        }
    }

    /// Seconds an iteration; 0 if no iteration was timed.
    pub(crate) fn seconds(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quickest_counts() {
        let pace = Pace::default();
        assert_eq!(pace.seconds(), 0.0);
        pace.note(0, Duration::from_secs(1));
        pace.note(4, Duration::from_secs(8));
        pace.note(10, Duration::from_secs(5));
        pace.note(1, Duration::from_secs(3));
        assert_eq!(pace.seconds(), 0.5);
    }
}
