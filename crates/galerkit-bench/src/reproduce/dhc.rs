//! Source 003 (Vilanakis and Mathioudakis): steps of discontinuous Hermite collocation at its four sizes, timed on the
//! CPU, on a GPU, and on a GPU with triangular solves by the host, which is how the source splits the work.

use super::place::Place;
use crate::Result;
use crate::bandwidth::triad;
use galerkit::fem::collocation::{Collocation, Layers, Line, Method, Scheme, Settings, Source, Start, Step};
use galerkit::tumour::evolution;
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
    /// Steps that were timed.
    pub steps: usize,
    /// Seconds of a step.
    pub step: f64,
    /// Iterations of a step, on the average.
    pub iterations: f64,
    /// Bytes that a step must move, by [`bytes_a_step`].
    pub bytes: f64,
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

/// Bytes that a step must move if every operation that can share a pass over memory does, and nothing stays in a cache.
///
/// ```text
/// modal   a stage reads x, four factors, and writes, reads and writes y; DIRK has two, v = f(a, y1), a' = f(a, y1, v, y2), a mass
/// ilu     an iteration has two products, two pairs of triangular solves and 17 vectors: p = f(r, p, v), s = f(r, v), x and r = f(x, r,
///         p^, s^, s, t), and r~ twice and s beside them; around it a product with A0, two residuals and ten vectors for each solve
/// ```
pub fn bytes_a_step(space: &Collocation, variant: Variant, iterations: f64) -> f64 {
    const SIZE: f64 = 8.0;
    let n = space.unknowns() as f64;
    if variant.method == Method::Modal {
        return SIZE * n * (2.0 * 8.0 + 3.0 + 5.0 + 2.0);
    }
    let nnz: f64 = [0, 1].map(|axis| 4.0 * space.shape()[axis] as f64 - 4.0).iter().product();
    let product = 12.0 * nnz + SIZE * n + 2.0 * SIZE * n; // entries with 32-bit columns, row starts, x and y
    let triangular = product + 2.0 * SIZE * n; // the same entries, and the vector between both triangles
    let iteration = 2.0 * (product + triangular) + 17.0 * SIZE * n;
    let (solves, stages) = match variant.scheme {
        Scheme::DirkSource => (3.0, 2.0 * product + 10.0 * SIZE * n), // products with dt B
        Scheme::Dirk => (2.0, 8.0 * SIZE * n),
        Scheme::BackwardEuler | Scheme::CrankNicolson => (1.0, 3.0 * SIZE * n),
    };
    iterations * iteration + solves * (3.0 * product + 10.0 * SIZE * n) + stages + 2.0 * SIZE * n
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

/// Steps before those that are timed: two of backward Euler, and one that compiles.
const WARM_UP: usize = 3;

/// How many of so many steps a variant may take in a time, judged by its step at a smaller size; none if not one would
/// end.
///
/// A step in modes grows as the unknowns do; with ILU(0) iterations grow like elements a side, too.
pub fn affordable(rows: &[Row], side: usize, variant: Variant, steps: usize, seconds: f64) -> Option<usize> {
    let [method, scheme, place] = [variant.method.to_string(), variant.scheme.to_string(), variant.place.to_string()];
    let Some(before) =
        rows.iter().rev().find(|row| [&row.solver, &row.scheme, &row.place] == [&method, &scheme, &place])
    else {
        return Some(steps);
    };
    let grown = (4 * side * side) as f64 / before.unknowns as f64;
    let step = before.step * grown.powf(if variant.method == Method::Modal { 1.0 } else { 1.5 });
    let in_all = (seconds / step).min((steps + WARM_UP) as f64) as usize;
    in_all.checked_sub(WARM_UP).filter(|&steps| steps > 0)
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
    let mut evolution = evolution(variant.place.device, &space, settings, &a)?;
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
    let iterations = measured.iter().map(|step| step.iterations as f64).sum::<f64>() / count;
    Ok(Row {
        elements: space.elements(),
        unknowns: space.unknowns(),
        dofs: 16 * space.elements(),
        solver: variant.method.to_string(),
        scheme: variant.scheme.to_string(),
        place: variant.place.to_string(),
        setup,
        steps,
        step: seconds / count,
        iterations,
        bytes: bytes_a_step(&space, variant, iterations),
        true_residual: measured.iter().map(|step| step.residual).fold(0.0, f64::max),
        mass_error: measured.last().map_or(0.0, |step| step.mass) / (start * growth) - 1.0,
    })
}

/// Bytes a second that a place can move: a triad on threads, copies on a GPU; none if it cannot be measured.
pub fn bandwidth(place: Place) -> Option<f64> {
    match place.device {
        Device::Cuda(number) => {
            let gpu = galerkit::cuda::launch::Gpu::open(number).ok()?;
            let measured = galerkit::cuda::bandwidth::measure(&gpu, &galerkit::cuda::jit::Jit::new(&gpu)).ok()?;
            Some(measured.copy)
        }
        _ => on_threads(place.threads, || Ok(triad())).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_left_out_that_would_take_too_long() {
        let place = Place::ONE_CORE;
        let modal = Variant { method: Method::Modal, scheme: Scheme::Dirk, place };
        let ilu = Variant { method: Method::Ilu, ..modal };
        let rows = [modal, ilu].map(|variant| Row { step: 1.0, ..measure(4, variant, 1).unwrap() });
        let steps = |variant, side, seconds| affordable(&rows, side, variant, 20, seconds);
        assert_eq!([steps(modal, 8, 92.0), steps(modal, 8, 60.0), steps(ilu, 8, 92.0)], [Some(20), Some(12), Some(8)]);
        assert_eq!(
            [steps(ilu, 8, 31.0), steps(Variant { scheme: Scheme::DirkSource, ..ilu }, 8, 1.0)],
            [None, Some(20)]
        );
    }

    #[test]
    fn a_modal_step_moves_208_bytes_an_unknown() {
        let line = || Line::uniform([0.0, 1.0], 4, &Layers::equal(&[1.0])?);
        let space = Collocation::rectangle(line().unwrap(), line().unwrap());
        let variant = |method, scheme| Variant { method, scheme, place: Place::ONE_CORE };
        assert_eq!(bytes_a_step(&space, variant(Method::Modal, Scheme::Dirk), 0.0), 208.0 * 64.0);
        let [none, two] = [0.0, 2.0].map(|count| bytes_a_step(&space, variant(Method::Ilu, Scheme::Dirk), count));
        let nnz = space.A0().unwrap().nnz() as f64;
        assert_eq!(two - none, 2.0 * (48.0 * nnz + 8.0 * 64.0 * (4.0 * 3.0 + 2.0 * 2.0 + 17.0)));
    }
}
