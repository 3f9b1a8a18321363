//! Incomplete factorisations and their solves, timed: making the factors on the host and, where one solves, on the GPU,
//! one application, and a whole solve, in one ordering. What an ordering saves in steps it may cost in iterations, so
//! the time to the solution is what counts.

use crate::error::Result;
use crate::timing::{host_product, median};
use galerkit::layout::Layout;
use galerkit::triangular::probe::{product_seconds, triangles};
use galerkit::{Choice, Device, Error, Method, Ordering, Report, Solver, TriangularSolve};
use galerkit_cuda::factor::factoriser;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::krylov::Krylov;
use galerkit_linalg::map::{Diagonal, LinearMap};
use galerkit_linalg::precond::{Class, Preconditioner, Prepared, Recipe};
use galerkit_linalg::sparse::{Csr, Format, Levels};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;
use std::time::Instant;

/// What to time.
#[derive(Clone, Copy, Debug)]
pub struct Triangular {
    /// The method of the solve.
    pub method: Krylov,
    /// The preconditioner.
    pub preconditioner: Preconditioner,
    /// The order of rows and columns.
    pub ordering: Choice<Ordering>,
    /// What computes.
    pub device: Device,
    /// Relative tolerance of the solve.
    pub rtol: f64,
    /// Its most iterations.
    pub max_iterations: usize,
    /// Timed factorisations and applications; medians count.
    pub repetitions: usize,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The order that was taken.
    pub ordering: Ordering,
    /// Levels of the lower triangle of A in that order.
    pub levels: usize,
    /// Seconds of the factorisation on the host, pattern included; none if there is nothing to factorise.
    pub host_seconds: Option<f64>,
    /// Seconds of its kernels on the GPU: the cost of new values with the same pattern, but for their upload.
    pub gpu_seconds: Option<f64>,
    /// Seconds of one application; none if it has no part that could be timed by itself.
    pub application_seconds: Option<f64>,
    /// The solve, after one that has compiled what it needs.
    pub report: Report,
}

impl Timed {
    /// Seconds of making the factors where they are made, and of solving.
    pub fn to_solution(&self) -> f64 {
        self.gpu_seconds.or(self.host_seconds).unwrap_or(0.0) + self.report.solve_seconds
    }
}

per_scalar! {
    /// Times a preconditioner in an ordering.
    pub fn triangular<S>(A: &Csr<S>, b: &[S], how: Triangular) -> Result<Timed> = triangular_of;
}

fn triangular_of<S: Scalar>(A: &Csr<S>, b: &[S], how: Triangular) -> Result<Timed> {
    let layout = Layout::new(A, how.ordering, Format::Csr, how.device)?;
    let gpu = if let Device::Cuda(number) = how.device { Some(Gpu::open(number)?) } else { None };
    let (ordered, recipe) = (layout.ordered()?, how.preconditioner.recipe());
    let host_seconds = recipe.map(|recipe| on_host(ordered, recipe, how.repetitions)).transpose()?;
    let gpu_seconds = match (&gpu, recipe) {
        (Some(gpu), Some(recipe)) => Some(on_gpu(gpu, ordered, recipe, how.repetitions)?),
        _ => None,
    };
    let application_seconds = application(gpu.as_ref(), ordered, how)?;
    let solver = Solver::new()
        .method(Method::Krylov(how.method))
        .preconditioner(how.preconditioner)
        .ordering(how.ordering)
        .triangular(TriangularSolve::by_name(how.preconditioner))
        .rtol(how.rtol)
        .max_iterations(how.max_iterations)
        .device(how.device);
    let mut report = solver.solve(A, b)?.report;
    if gpu.is_some() {
        report = solver.solve(A, b)?.report; // the first has compiled
    }
    let levels = Levels::lower(ordered).count();
    let ordering = layout.ordering.value;
    Ok(Timed { ordering, levels, host_seconds, gpu_seconds, application_seconds, report })
}

/// The median of what `once` gives so often.
fn often(repetitions: usize, mut once: impl FnMut() -> Result<f64>) -> Result<f64> {
    let mut seconds = (0..repetitions.max(1)).map(|_| once()).collect::<Result<Vec<f64>>>()?;
    seconds.sort_by(f64::total_cmp);
    Ok(median(&seconds))
}

fn on_host<S: Scalar>(A: &Csr<S>, recipe: Recipe, repetitions: usize) -> Result<f64> {
    often(repetitions, || {
        let begun = Instant::now();
        std::hint::black_box(recipe.factorise(A)?);
        Ok(begun.elapsed().as_secs_f64())
    })
}

fn on_gpu<S: Scalar>(gpu: &Arc<Gpu>, A: &Csr<S>, recipe: Recipe, repetitions: usize) -> Result<f64> {
    let said = |error: galerkit_cuda::Error| error.into_linalg().map_or_else(Error::Cuda, Error::Linalg);
    let mut factoriser = factoriser(gpu, &Jit::new(gpu), A, recipe).map_err(said)?;
    often(repetitions, || Ok(factoriser.compute(A).map_err(said)?.as_secs_f64()))
}

/// Seconds of one application: of the map, or of the products that its sweeps are made of.
fn application<S: Scalar>(gpu: Option<&Arc<Gpu>>, A: &Csr<S>, how: Triangular) -> Result<Option<f64>> {
    let product = |map: Box<dyn LinearMap<S>>| match gpu {
        Some(gpu) => Ok(product_seconds(gpu, &*map, how.repetitions)?),
        None => on_cpu(map, how),
    };
    Ok(match (how.preconditioner.prepare(A, Class::of(how.method))?, how.preconditioner.recipe()) {
        (Prepared::Map(M), _) => Some(product(M)?),
        (Prepared::Sweeps(M), Some(recipe)) => {
            let factors = recipe.factorise(A)?;
            let [lower, upper] = triangles(&factors);
            let both = product(Box::new(lower))? + product(Box::new(upper))?;
            Some(M.sweeps() as f64 * both + product(Box::new(Diagonal::new(factors.inverse().to_vec())))?)
        }
        _ => None,
    })
}

fn on_cpu<S: Scalar>(map: Box<dyn LinearMap<S>>, how: Triangular) -> Result<f64> {
    let (rows, cols) = map.shape();
    let (x, mut y) = (vec![S::one(); cols], vec![S::zero(); rows]);
    let product = host_product(map, how.device);
    product(&x, &mut y);
    often(how.repetitions, || {
        let begun = Instant::now();
        product(&x, &mut y);
        Ok(begun.elapsed().as_secs_f64())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::gallery::{Stencil, poisson2d};

    #[test]
    fn fewer_levels_and_more_iterations_by_colours() {
        let A = poisson2d(24, Stencil::Points5).unwrap();
        let time = |name: &str, ordering: Ordering| {
            let ordering = ordering.into();
            let preconditioner = name.parse().unwrap();
            let (method, device, rtol) = (Krylov::Cg, Device::Cpu, 1e-8);
            let how =
                Triangular { method, preconditioner, ordering, device, rtol, max_iterations: 500, repetitions: 2 };
            triangular(&A, &vec![1.0; A.rows()], how).unwrap()
        };
        let (natural, coloured) = (time("ilu0", Ordering::Natural), time("ilu0", Ordering::Colours));
        assert_eq!((natural.levels, coloured.levels), (47, 2));
        assert!(natural.report.iterations < coloured.report.iterations);
        assert!(natural.host_seconds.is_some() && natural.gpu_seconds.is_none());
        assert!(natural.application_seconds.is_some_and(|seconds| seconds > 0.0));
        assert!(natural.to_solution() > natural.report.solve_seconds);
        let swept = time("parilu0:3:2", Ordering::Natural);
        assert!(swept.report.converged && swept.application_seconds.is_some());
        let jacobi = time("jacobi", Ordering::Natural);
        assert!(jacobi.host_seconds.is_none() && jacobi.to_solution() == jacobi.report.solve_seconds);
    }
}
