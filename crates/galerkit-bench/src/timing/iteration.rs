//! What one iteration of a Krylov method takes once everything is loaded, compiled and recorded: the difference of a
//! long and a short loop, divided by the iterations between them, so that neither set-up nor the last look at the
//! residual is in it. Loops of a millisecond scatter by as much as that difference: of those the median of many is
//! taken. The loops have no tolerance, they run to their limits, and never replace the residual by the exact one: every
//! iteration is a usual one, whose bytes `Report::iteration_bytes` counts.

use crate::error::Result;
use crate::timing::median;
use galerkit::layout::{Layout, Tuner};
use galerkit::linalg::sparse::Format;
use galerkit::preconditioning::prepare;
use galerkit::{Autotuning, Choice, Device, Ordering};
use galerkit_cuda::Settings;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::engine::{AnyExecutor, Engine, Recorded, cpu_executor, reference_executor};
use galerkit_linalg::krylov::{Krylov, Stop, run_any};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::precond::{Class, Preconditioner, Prepared, load_any};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, per_scalar};
use std::time::Instant;

/// How to time an iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The method; loops of one that starts anew after some directions are best whole cycles.
    pub method: Krylov,
    /// The format of the products.
    pub format: Choice<Format>,
    /// The order of rows and columns.
    pub ordering: Choice<Ordering>,
    /// The preconditioner.
    pub preconditioner: Preconditioner,
    /// What computes.
    pub device: Device,
    /// Iterations of the short loop and of the long one.
    pub iterations: (usize, usize),
    /// Iterations that the long loop has instead if it is over too soon to be timed and these are more; beyond
    /// convergence, so only for methods that allow it.
    pub most: usize,
    /// Figures that are wanted; each is made of a pair of loops, or of many pairs if loops are short. Fewer, but one,
    /// if they take seconds.
    pub repetitions: usize,
}

per_scalar! {
    /// Seconds of an iteration, ascending: so many figures as there are repetitions.
    pub fn iteration<S>(A: &Csr<S>, b: &[S], how: &Iteration) -> Result<Vec<f64>> = iteration_of;
}

fn iteration_of<S: Scalar>(A: &Csr<S>, b: &[S], how: &Iteration) -> Result<Vec<f64>> {
    let gpu = if let Device::Cuda(number) = how.device { Some(Gpu::open(number)?) } else { None };
    let tuner = gpu.as_ref().map(|gpu| Tuner::new(gpu.properties(), Autotuning::Timed));
    let ordering = match how.ordering {
        Choice::Auto if how.preconditioner.depends_on_order() => Ordering::Natural.into(), // as a solve keeps it
        asked => asked,
    };
    let layout = Layout::tuned(A, ordering, how.format, how.device, tuner)?;
    let tuning = layout.plan.as_ref().map(|plan| plan.first.tuning).unwrap_or_default();
    let M = prepare(how.preconditioner, layout.ordered()?, Class::of(how.method), gpu.as_ref())?;
    let b = layout.inward(b)?;
    let maps = (layout.into_matrix()?, M);
    let executor = match &gpu {
        None if how.device == Device::Reference => reference_executor(),
        None => cpu_executor(),
        Some(gpu) => galerkit_cuda::executor(gpu, Settings { tuning, ..Settings::default() })?,
    };
    let seconds = pairs(executor, maps, &b, how);
    gpu.and_then(|gpu| gpu.failure()).map_or(Ok(seconds), |error| Err(error.into()))
}

fn pairs<S: Scalar>(executor: AnyExecutor<S>, (A, M): (Matrix<S>, Prepared<S>), b: &[S], how: &Iteration) -> Vec<f64> {
    let e = &mut Recorded::over(executor);
    let A = e.load(matrix_map(A));
    let M = load_any(M, e, &A, Precision::Full);
    let b = e.upload(b);
    let mut run = |limit| {
        let stop = Stop { rtol: 0.0, atol: 0.0, limit, replacement: 0, divergence: f64::INFINITY, ..Stop::default() };
        let mut x = e.zeros_like(&b);
        let run = run_any(how.method, e, &A, &*M, &b, &mut x, &stop);
        (run.iterations, run.elapsed.as_secs_f64())
    };
    let (short, long) = how.iterations;
    run(short); // compiles
    let long = if how.most > long && run(long).1 < LONG_ENOUGH { how.most } else { long };
    let mut seconds = figures(how.repetitions, MOST_SECONDS, &mut || difference(&mut run, short, long));
    seconds.sort_by(f64::total_cmp);
    seconds
}

/// Seconds after which no further figure is begun: loops of seconds scatter little.
const MOST_SECONDS: f64 = 2.0;

/// So many figures, fewer if they take more than some seconds, at least one.
fn figures(count: usize, most_seconds: f64, figure: &mut dyn FnMut() -> f64) -> Vec<f64> {
    let begun = Instant::now();
    let mut figures = vec![figure()];
    while figures.len() < count && begun.elapsed().as_secs_f64() < most_seconds {
        figures.push(figure());
    }
    figures
}

/// Seconds for which pairs of loops are repeated, and how often at most.
const LONG_ENOUGH: f64 = 0.2;
const MOST_PAIRS: usize = 31;

/// Seconds of an iteration by the medians of short and long loops in turn; `run` gives the iterations and seconds of a
/// loop.
fn difference(run: &mut impl FnMut(usize) -> (usize, f64), short: usize, long: usize) -> f64 {
    let (mut shorts, mut longs) = (Vec::new(), Vec::new());
    let (mut between, mut spent) = (0.0, 0.0);
    while spent < LONG_ENOUGH && longs.len() < MOST_PAIRS {
        let (first, second) = (run(short), run(long));
        between = second.0 as f64 - first.0 as f64;
        spent += first.1 + second.1;
        shorts.push(first.1);
        longs.push(second.1);
    }
    (middle(longs) - middle(shorts)) / between
}

fn middle(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    median(&seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{self, Built};

    #[test]
    fn short_loops_are_measured_by_medians() {
        let mut calls = 0;
        // 3 us an iteration and 100 us besides, but every fifth loop is disturbed.
        let mut run = |limit: usize| {
            calls += 1;
            (limit, 1e-4 + 3e-6 * limit as f64 + if calls % 5 == 0 { 1e-3 } else { 0.0 })
        };
        assert!((difference(&mut run, 30, 60) - 3e-6).abs() < 1e-12);
        assert_eq!(calls, 2 * MOST_PAIRS);
        let mut calls = 0;
        let mut counted = |limit: usize| {
            calls += 1;
            (limit, limit as f64)
        };
        assert_eq!(difference(&mut counted, 1, 3), 1.0);
        assert_eq!(calls, 2, "long loops are taken as they are");
    }

    #[test]
    fn long_figures_are_taken_once() {
        let mut calls = 0;
        let mut figure = || {
            calls += 1;
            f64::from(calls)
        };
        assert_eq!(figures(3, f64::INFINITY, &mut figure), [1.0, 2.0, 3.0]);
        assert_eq!(figures(3, 0.0, &mut figure), [4.0]);
        assert_eq!(figures(0, 1.0, &mut figure), [5.0]);
    }

    #[test]
    fn an_iteration_takes_some_time() {
        let Built::Real(A) = gallery::build("gallery:poisson2d?n=60").unwrap() else { panic!("it is real") };
        let how = Iteration {
            method: Krylov::Cg,
            format: Choice::Auto,
            ordering: Ordering::Natural.into(),
            preconditioner: Preconditioner::Jacobi,
            device: Device::Cpu,
            iterations: (10, 200),
            most: 200,
            repetitions: 3,
        };
        let seconds = iteration(&A, &vec![1.0; A.rows()], &how).unwrap();
        assert_eq!(seconds.len(), 3);
        assert!(seconds.iter().all(|figure| figure.is_finite()) && seconds.is_sorted(), "{seconds:?}");
    }
}
