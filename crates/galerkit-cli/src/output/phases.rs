//! Phases of a long command: each is timed and, where somebody watches, named while it runs.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// Phases so far.
pub struct Phases {
    shown: bool,
    seconds: Vec<(&'static str, f64)>,
}

impl Phases {
    /// None yet; named on standard error if `shown`.
    pub fn new(shown: bool) -> Self {
        Self { shown, seconds: Vec::new() }
    }

    /// Names a phase that begins; [`add`](Self::add) takes its time when it is over.
    pub fn begin(&self, name: &'static str, words: &str) -> ProgressBar {
        let stream = if self.shown { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, stream);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(format!("{name} {words}").trim_end().to_string());
        if self.shown {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        bar
    }

    /// Adds to the time of a phase.
    pub fn add(&mut self, name: &'static str, seconds: f64) {
        match self.seconds.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += seconds,
            None => self.seconds.push((name, seconds)),
        }
    }

    /// Phases with their seconds, in the order in which they began.
    pub fn seconds(&self) -> &[(&'static str, f64)] {
        &self.seconds
    }
}

#[cfg(test)]
mod tests {
    use super::Phases;

    #[test]
    fn phases_keep_their_order_and_add_up() {
        let mut phases = Phases::new(false);
        phases.add("mesh", 1.0);
        phases.begin("solve", "of much").finish_and_clear();
        phases.add("solve", 2.0);
        phases.add("mesh", 0.5);
        assert_eq!(phases.seconds(), [("mesh", 1.5), ("solve", 2.0)]);
    }
}
