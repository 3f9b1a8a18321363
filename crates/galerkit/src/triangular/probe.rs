//! Seconds of triangular solves and of their sweeps on the GPU that will solve: what the model is corrected by where a
//! solve is long enough to wait for times. Hidden rather than private, because benchmarks time the same applications.

use crate::error::Result;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::Tuning;
use galerkit_cuda::timing::Product;
use galerkit_linalg::precond::Factors;
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{LinearMap, Scalar};
use std::sync::Arc;

/// Replays that are timed where a solve waits for the times.
const FEW: usize = 3;

/// Seconds of one application of a map on a GPU.
pub(crate) fn exact_seconds<S: Scalar>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>) -> Result<f64> {
    product_seconds(gpu, map, FEW)
}

/// Seconds of one sweep of both triangles on a GPU.
pub(crate) fn sweep_seconds<S: Scalar>(gpu: &Arc<Gpu>, factors: &Factors<S>) -> Result<f64> {
    let [lower, upper] = triangles(factors);
    Ok(product_seconds(gpu, &lower, FEW)? + product_seconds(gpu, &upper, FEW)?)
}

/// What sweeps multiply with.
pub fn triangles<S: Scalar>(factors: &Factors<S>) -> [Matrix<S>; 2] {
    [factors.lower(), factors.upper()].map(|T| Matrix::Csr(T.clone()))
}

/// Seconds of one application of a map on a GPU, the median of so many replays.
pub fn product_seconds<S: Scalar>(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>, replays: usize) -> Result<f64> {
    let x = vec![S::one(); map.shape().1];
    Ok(Product::new(gpu, map, Tuning::default(), &x)?.time(replays)?.median())
}
