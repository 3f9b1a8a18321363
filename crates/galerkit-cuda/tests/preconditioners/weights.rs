//! The weights of rows that bound Chebyshev's polynomial, made on the GPU.

use crate::products::product;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::testing;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::L1Weights;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems};
use std::sync::Arc;

/// Weights of Chebyshev's polynomial have the bits of the reference, also where entries stand in another order.
fn weighs_rows<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit) {
    for side in [1, 2, 9, 20] {
        let A = problems::hermitian::<S>(side);
        let turned = A.map_values(|a| a * S::from_parts(0.6, if S::KIND.is_complex() { 0.8 } else { 0.0 }));
        let weights = L1Weights::new(&A, (0..A.nnz() as u32).rev().collect()).unwrap();
        let x: Vec<S> = turned.val().iter().rev().copied().collect();
        let mut expected = vec![S::zero(); A.rows()];
        weights.apply(&[], &x, &mut expected);
        let map = Map::load::<S>(gpu, &weights, &Tuning::default()).unwrap();
        assert_eq!(bits(&product(gpu, jit, &map, &x, usize::MAX)), bits(&expected), "{} {side}", S::KIND.name());
    }
}

#[test]
fn weights_of_rows_are_made_anew_on_a_gpu() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    weighs_rows::<f32>(&gpu, &jit);
    weighs_rows::<f64>(&gpu, &jit);
    weighs_rows::<c32>(&gpu, &jit);
    weighs_rows::<c64>(&gpu, &jit);
}
