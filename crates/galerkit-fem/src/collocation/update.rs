//! The matrices of another step, where they are: A = A0 - tau B and dt B in an engine's verbs, compiled once. tau and
//! dt come as a vector, so that no step is compiled for.

use super::krylov::{StepEngine, StepVector};
use galerkit_linalg::engine::{Engine, Resident, Routine};

/// Renews the values of matrices that share a pattern.
pub struct Update {
    step: StepVector,
    routine: Routine,
}

impl Update {
    /// For loaded matrices; B in the order of its rows.
    pub fn new(
        e: &mut StepEngine,
        A0: &Resident<StepEngine>,
        A: &mut Resident<StepEngine>,
        dtB: &mut Resident<StepEngine>,
        B: &[f64],
    ) -> Self {
        let [step, first, second] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|numbers| e.upload(&numbers));
        let B = e.upload(B);
        let routine = e.compile(|e| {
            let (tau, dt) = (e.dot(&step, &first), e.dot(&step, &second));
            e.copy(&A0.values, &mut A.values);
            e.axpy(-tau, &B, &mut A.values); // A = A0 - tau B
            e.copy(&B, &mut dtB.values);
            e.scale(dt, &mut dtB.values);
            Vec::new()
        });
        Self { step, routine }
    }

    /// The matrices of a step.
    pub fn run(&mut self, e: &mut StepEngine, tau: f64, dt: f64) {
        e.write(&mut self.step, &[tau, dt]);
        let _ = e.run(&self.routine);
    }
}
