//! Where the time of a run went, in seconds.

use serde::Serialize;
use std::time::Instant;

/// Seconds by what was done.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Wall {
    /// Meshes, fibres, regions.
    pub tissue: f64,
    /// Matrices and programs.
    pub programs: f64,
    /// Steps and observations.
    pub steps: f64,
    /// Films and files over time.
    pub pictures: f64,
}

fn timed<T>(sum: &mut f64, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let made = work();
    *sum += begun.elapsed().as_secs_f64();
    made
}

impl Wall {
    /// Before anything runs.
    pub fn setup(&self) -> f64 {
        self.tissue + self.programs
    }
    /// Times work on tissue.
    pub fn tissue<T>(&mut self, work: impl FnOnce() -> T) -> T {
        timed(&mut self.tissue, work)
    }
    /// Times work on programs.
    pub fn programs<T>(&mut self, work: impl FnOnce() -> T) -> T {
        timed(&mut self.programs, work)
    }
    /// Times steps.
    pub fn steps<T>(&mut self, work: impl FnOnce() -> T) -> T {
        timed(&mut self.steps, work)
    }
    /// Times pictures.
    pub fn pictures<T>(&mut self, work: impl FnOnce() -> T) -> T {
        timed(&mut self.pictures, work)
    }
}
