//! The suite that every backend must pass, on the GPU.

use galerkit_cuda::backend::Verbs;
use galerkit_cuda::{Settings, testing};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance;

fn passes<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let verbs = Verbs::<S>::new(&gpu, Settings::default()).expect("a GPU that opens has room for a few kilobytes");
    conformance::all(&verbs);
}

#[test]
fn f32_passes() {
    passes::<f32>();
}

#[test]
fn f64_passes() {
    passes::<f64>();
}

#[test]
fn c32_passes() {
    passes::<c32>();
}

#[test]
fn c64_passes() {
    passes::<c64>();
}
