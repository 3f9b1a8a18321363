//! The travelling front of Aliev and Panfilov's reaction without recovery, exact: phi = 1/(1 + exp((x - v t)/w)) with
//! w = sqrt(2 d/c), v = sqrt(c d/2)(1 - 2 alpha), d being D in the model's unit of time.

use super::cell::{AlievPanfilov, UNIT};

/// Speed and width of a front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Front {
    /// In mm a millisecond.
    pub speed: f64,
    /// In mm.
    pub width: f64,
}

impl Front {
    /// In tissue with this D (mm² a millisecond) along the way of the front.
    pub fn new(cell: &AlievPanfilov, D: f64) -> Self {
        let d = UNIT * D;
        Self { speed: (cell.c * d / 2.0).sqrt() * (1.0 - 2.0 * cell.alpha) / UNIT, width: (2.0 * d / cell.c).sqrt() }
    }
    /// phi at a distance ahead of the middle of the front.
    pub fn profile(&self, ahead: f64) -> f64 {
        1.0 / (1.0 + (ahead / self.width).exp())
    }
}
