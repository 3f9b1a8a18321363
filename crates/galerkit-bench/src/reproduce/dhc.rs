//! Source 003 (Vilanakis and Mathioudakis): steps of discontinuous Hermite collocation at its four sizes, timed on the CPU, on a GPU, and
//! on a GPU with triangular solves by the host, which is how the source splits the work.

use super::place::Place;
use crate::Result;
use galerkit::fem::collocation::{Collocation, Evolution, Layers, Line, Method, Scheme, Settings, Source, Start, Step};
use galerkit::{Device, on_threads};
use serde::Serialize;
use std::time::Instant;

/// Elements a side: 400 to 25,600 elements, 1,600 to 102,400 unknowns.
pub const SIDES: [usize; 4] = [20, 40, 80, 160];
/// Elements of a unit of length, and the length of a step.
const DENSITY: f64 = 16.0;
const DT: f64 = 0.05;
const RTOL: f64 = 1e-10;

/// How a step is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variant {
    /// How systems are solved.
    pub method: Method,
    /// The arrangement of a step.
    pub scheme: Scheme,
    /// Where.
    pub place: Place,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Elements.
    pub elements: usize,
    /// Unknowns.
    pub unknowns: usize,
    /// Sixteen for each element, as the source counts.
    pub dofs: usize,
    /// How systems are solved.
    pub solver: String,
    /// The arrangement of a step.
    pub scheme: String,
    /// Where.
    pub place: String,
    /// Seconds until the first step begins.
    pub setup: f64,
    /// Seconds of a step.
    pub step: f64,
    /// Iterations of a step, on the average.
    pub iterations: f64,
    /// The largest true residual.
    pub true_residual: f64,
    /// Mass after the last step relative to what its law says, less one.
    pub mass_error: f64,
}

impl Row {
    /// Whether systems were solved and the mass is right.
    pub fn good(&self) -> bool {
        self.true_residual < 10.0 * RTOL && self.mass_error.abs() < 1e-6
    }
}

/// The source's arrangement in each place, the same with triangular solves by the host on a GPU, ours, and modes.
pub fn variants(places: &[Place]) -> Vec<Variant> {
    let mut variants = Vec::new();
    for &place in places {
        let mut add = |method, scheme| variants.push(Variant { method, scheme, place });
        add(Method::Ilu, Scheme::DirkSource);
        if matches!(place.device, Device::Cuda(_)) {
            add(Method::HostIlu, Scheme::DirkSource);
        }
        add(Method::Ilu, Scheme::Dirk);
        add(Method::Modal, Scheme::Dirk);
    }
    variants
}

/// Times steps of a variant with so many elements a side.
pub fn measure(side: usize, variant: Variant, steps: usize) -> Result<Row> {
    Ok(on_threads(variant.place.threads, || timed(side, variant, steps))?)
}

fn timed(side: usize, variant: Variant, steps: usize) -> galerkit::Result<Row> {
    let length = side as f64 / DENSITY;
    let x = Line::uniform([0.0, length], side, &Layers::equal(&[1.0, 0.2])?)?;
    let y = Line::uniform([0.0, length], side, &Layers::equal(&[1.0])?)?;
    let space = Collocation::rectangle(x, y);
    let a = space.sources(&[Source { centre: vec![0.4 * length, 0.5 * length], eta: 0.2 }], Start::Interpolated)?;
    let begun = Instant::now();
    let settings = Settings { rho: 1.0, method: variant.method, rtol: RTOL, threshold: None };
    let mut evolution = Evolution::new(variant.place.device.executor()?, &space, settings, &a)?;
    let start = evolution.measure().mass;
    let setup = begun.elapsed().as_secs_f64();
    let step = |scheme| Step { scheme, dt: DT };
    evolution.advance(step(Scheme::BackwardEuler), 2)?;
    evolution.advance(step(variant.scheme), 1)?; // compiles, where something must be
    let begun = Instant::now();
    let measured = evolution.advance(step(variant.scheme), steps)?;
    let seconds = begun.elapsed().as_secs_f64();
    let growth = Scheme::BackwardEuler.growth(DT).powi(2) * variant.scheme.growth(DT).powi(steps as i32 + 1);
    let count = steps as f64;
    Ok(Row {
        elements: space.elements(),
        unknowns: space.unknowns(),
        dofs: 16 * space.elements(),
        solver: variant.method.to_string(),
        scheme: variant.scheme.to_string(),
        place: variant.place.to_string(),
        setup,
        step: seconds / count,
        iterations: measured.iter().map(|step| step.iterations as f64).sum::<f64>() / count,
        true_residual: measured.iter().map(|step| step.residual).fold(0.0, f64::max),
        mass_error: measured.last().map_or(0.0, |step| step.mass) / (start * growth) - 1.0,
    })
}
