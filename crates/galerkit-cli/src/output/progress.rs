//! The progress bar of an iteration. A residual falls about linearly on a logarithmic scale, so the share of decades
//! already won gives a fair bar and a fair time to wait. Shown only where somebody watches.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const STEPS: u64 = 1000;
/// Solves that are over sooner show no bar.
const PATIENCE: Duration = Duration::from_millis(400);

/// A bar from the norm of b down to the tolerance.
pub struct Progress {
    bar: ProgressBar,
    begun: Instant,
    start: f64,
    target: f64,
    best: Mutex<f64>,
}

impl Progress {
    /// A bar, drawn on standard error if `shown`.
    pub fn new(start: f64, target: f64, shown: bool) -> Self {
        let stream = if shown { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(STEPS), stream);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}, {elapsed} so far, about {eta} to go") {
            bar.set_style(style.progress_chars("━╸ "));
        }
        Self { bar, begun: Instant::now(), start, target, best: Mutex::new(start) }
    }

    /// Takes the residual after an iteration.
    pub fn update(&self, iteration: usize, norm: f64) {
        if self.bar.is_hidden() || self.begun.elapsed() < PATIENCE {
            return;
        }
        let Ok(mut best) = self.best.lock() else { return };
        *best = best.min(norm);
        self.bar.set_message(format!("{iteration}: {:.1e}", norm / self.start));
        self.bar.set_position(position(self.start, self.target, *best));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Decades won, of those to win, in steps.
fn position(start: f64, target: f64, norm: f64) -> u64 {
    let share = (start / norm).ln() / (start / target.max(f64::MIN_POSITIVE)).ln();
    if share.is_finite() { (share.clamp(0.0, 1.0) * STEPS as f64) as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn half_of_the_decades_is_half_of_the_bar() {
        assert_eq!(position(1.0, 1e-8, 1e-4), 500);
        assert_eq!(position(1.0, 1e-8, 1.0), 0);
        assert_eq!(position(1.0, 1e-8, 1e-9), 1000);
    }

    #[test]
    fn degenerate_norms_do_not_move_the_bar() {
        assert_eq!(position(0.0, 0.0, 0.0), 0);
        assert_eq!(position(1.0, 1e-8, f64::NAN), 0);
    }
}
