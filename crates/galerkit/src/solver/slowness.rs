//! Iterations that are not worth waiting for where elimination is at hand: after as much work as that would take, the
//! rate so far says how much is left.

use super::watcher::Watcher;
use crate::progress::{Go, Progress};
use crate::report::Report;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How often the rate is looked at, and the fewest iterations before that means anything.
const PERIOD: usize = 100;
const FEWEST: usize = 1000;
/// Iterations before another method is tried where elimination is not affordable.
pub(super) const PATIENCE: usize = 4000;
/// The rest of the iterations is an estimate, so it must exceed what has been spent by far.
const TIMES: f64 = 5.0;

/// Says how many iterations more a solve would need that had too few.
pub(super) fn advise_patience(report: &mut Report) {
    let rest = rest(&report.history, report.tolerance()).filter(|&rest| rest < 100 * report.iterations);
    if let (Some(rest), Some(advice)) = (rest, &mut report.advice) {
        *advice = format!(
            "after {} iterations, by the rate of the last half some {rest} more are needed; {advice}",
            report.iterations
        );
    }
}

/// Iterations that are still needed, by the rate of the last half of a history of relative norms; none where it shows no
/// rate.
fn rest(history: &[f64], tolerance: f64) -> Option<usize> {
    let least = |norms: &[f64]| norms.iter().copied().fold(f64::INFINITY, f64::min);
    let half = history.len() / 2;
    let (before, now) = (least(&history[..half]), least(history));
    let rate = (before / now).ln() / (history.len() - half) as f64;
    let rest = (now / tolerance).ln() / rate;
    (rate > 0.0 && rest.is_finite() && rest > 0.0).then_some(rest.ceil() as usize)
}

/// The least norms of a solve, one for each period.
#[derive(Debug)]
struct Norms {
    least: f64,
    seen: Vec<f64>,
}

/// Whoever looks at the rate of a solve.
#[derive(Clone, Debug)]
pub(super) struct Slowness {
    threshold: f64,
    /// Iterations that cost as much as elimination.
    patience: usize,
    norms: Arc<Mutex<Norms>>,
    gave_up: Arc<AtomicBool>,
}

impl Slowness {
    /// For iterations down to this norm.
    pub(super) fn new(threshold: f64, patience: usize) -> Self {
        let norms = Norms { least: f64::INFINITY, seen: Vec::new() };
        let patience = patience.max(FEWEST);
        Self { threshold, patience, norms: Arc::new(Mutex::new(norms)), gave_up: Arc::default() }
    }

    /// Whether it has ended a solve.
    pub(super) fn gave_up(&self) -> bool {
        self.gave_up.load(Ordering::Relaxed)
    }

    /// The observer of a solve, after whom the user's is asked.
    pub(super) fn watcher(&self, user: Option<Watcher>) -> Watcher {
        let slowness = self.clone();
        Watcher(Arc::new(move |progress: &Progress<'_>| {
            let go = user.as_ref().map_or(Go::On, |user| (user.0)(progress));
            if go == Go::On && slowness.is_hopeless(progress.iteration, progress.residual_norm) {
                slowness.gave_up.store(true, Ordering::Relaxed);
                return Go::Stop;
            }
            go
        }))
    }

    /// Whether the rest would take many times what has been done, by the rate of the last half.
    fn is_hopeless(&self, iteration: usize, norm: f64) -> bool {
        let mut norms = self.norms.lock().unwrap_or_else(PoisonError::into_inner);
        norms.least = norms.least.min(norm);
        if iteration == 0 || !iteration.is_multiple_of(PERIOD) {
            return false;
        }
        let least = norms.least;
        norms.seen.push(least);
        let half = norms.seen[norms.seen.len() / 2];
        let (gained, left) = ((half / least).ln(), (least / self.threshold).ln());
        iteration >= self.patience && left * iteration as f64 / 2.0 > TIMES * iteration as f64 * gained
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The iteration that ends a solve to 1e-8, at this rate.
    fn ends(rate: f64, patience: usize) -> Option<usize> {
        let slowness = Slowness::new(1e-8, patience);
        (1..10_000).find(|&k| slowness.is_hopeless(k, rate.powi(k as i32).max(1e-8)))
    }

    #[test]
    fn what_converges_is_left_alone_and_what_crawls_is_not() {
        assert_eq!(ends(0.99, 0), None);
        assert_eq!(ends(0.995, 0), None, "3680 iterations in all");
        assert_eq!(ends(0.998, 0), Some(1000), "of 9200");
        assert_eq!(ends(0.99999, 0), Some(1000));
        assert_eq!(ends(0.99999, 3000), Some(3000));
        assert_eq!(ends(1.0, 0), Some(1000));
    }

    #[test]
    fn the_rest_is_estimated_by_the_rate() {
        let history: Vec<f64> = (0..1000).map(|k| 0.99f64.powi(k)).collect();
        let rest = rest(&history, 1e-8).unwrap();
        assert!((800..900).contains(&rest), "{rest}: 1833 in all");
        assert_eq!(super::rest(&[1.0; 100], 1e-8), None);
        assert_eq!(super::rest(&[1.0], 1e-8), None);
    }

    #[test]
    fn the_user_is_asked_first() {
        let slowness = Slowness::new(1e-8, 0);
        let stop = slowness.watcher(Some(Watcher(Arc::new(|_: &Progress<'_>| Go::Stop))));
        assert_eq!((stop.0)(&Progress::new(1000, 1.0)), Go::Stop);
        assert!(!slowness.gave_up());
        let alone = slowness.watcher(None);
        assert_eq!((alone.0)(&Progress::new(1000, 1.0)), Go::Stop);
        assert!(slowness.gave_up());
    }
}
