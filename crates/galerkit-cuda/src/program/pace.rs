//! How long an iteration takes, by which launches are cut and how many are ahead. It decides when the host looks, never
//! what is computed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Seconds an iteration; 0: not known.
#[derive(Default)]
pub(crate) struct Pace(AtomicU64);

/// What is launched ahead lasts at most so long, where more than two iterations do: nothing can call it back, and whoever
/// presses Ctrl-C waits for it.
const LEAD_SECONDS: f64 = 0.25;

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

    /// Iterations that are launched together, by chunks if they are quick, and how many times that ahead: once as long as
    /// none was timed.
    pub(crate) fn lead(&self, chunk: usize, most: usize) -> [usize; 2] {
        match self.seconds() {
            0.0 => [chunk, 1],
            each => match (LEAD_SECONDS / each) as usize {
                few if few < chunk => [1, few.max(2)],
                many => [chunk, (many / chunk).min(most)],
            },
        }
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

    #[test]
    fn what_is_launched_ahead_is_soon_over() {
        let lead = |milliseconds| {
            let pace = Pace::default();
            pace.note(1, Duration::from_millis(milliseconds));
            pace.lead(10, 3)
        };
        assert_eq!(Pace::default().lead(10, 3), [10, 1]);
        assert_eq!([1, 12, 20].map(lead), [[10, 3], [10, 2], [10, 1]]);
        assert_eq!([50, 1300].map(lead), [[1, 5], [1, 2]]);
    }
}
