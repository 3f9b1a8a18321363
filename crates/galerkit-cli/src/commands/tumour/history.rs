//! What was measured: at the start, and after each step.

use crate::plan::tumour::TumourPlan;
use galerkit::fem::collocation::Measured;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// Times and what was measured then. Lists have the start first, but for iterations, of which there are as many as
/// steps.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct History {
    /// Times.
    pub times: Vec<f64>,
    /// Masses.
    pub mass: Vec<f64>,
    /// Half the length, or the radius of the circle with the area, above the threshold.
    pub radius: Vec<f64>,
    /// Iterations of all solves of a step.
    pub iterations: Vec<usize>,
    /// The largest true residual of any solve, relative to its right-hand side.
    pub true_residual: f64,
    /// The length of the next step, where it is chosen.
    pub next_dt: Option<f64>,
    #[serde(skip)]
    dim: usize,
}

impl History {
    /// The start.
    pub fn new(plan: &TumourPlan, measured: Measured) -> Self {
        let dim = plan.space.dim();
        let (mass, radius) = (vec![measured.mass], vec![radius(dim, measured.visible)]);
        Self { times: vec![0.0], mass, radius, iterations: Vec::new(), true_residual: 0.0, next_dt: None, dim }
    }
    /// After it was read from a file.
    pub fn of_dimension(self, dim: usize) -> Self {
        Self { dim, ..self }
    }
    /// After a step.
    pub fn add(&mut self, time: f64, measured: &Measured) {
        self.times.push(time);
        self.mass.push(measured.mass);
        self.radius.push(radius(self.dim, measured.visible));
        self.iterations.push(measured.iterations);
        self.true_residual = self.true_residual.max(measured.residual);
    }
    /// The time now.
    pub fn time(&self) -> f64 {
        self.times[self.times.len() - 1]
    }
    /// Steps so far.
    pub fn steps(&self) -> usize {
        self.iterations.len()
    }
    /// Mass and radius now.
    pub fn last(&self) -> (f64, f64) {
        (self.mass[self.steps()], self.radius[self.steps()])
    }
}

fn radius(dim: usize, visible: f64) -> f64 {
    if dim == 1 { 0.5 * visible } else { (visible.max(0.0) / PI).sqrt() }
}
