//! Block Jacobi: its blocks inverted on the GPU, and its products.

use crate::products::product;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::testing;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::precond::{BlockDiagonal, BlockInverses};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::bits;
use galerkit_testkit::conformance::integers;
use std::sync::Arc;

/// Blocks inverted on the GPU have the bits of the reference; singular ones are not numbers.
fn inverts_blocks<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit) {
    for (rows, block) in [(1, 1), (33, 1), (33, 4), (40, 7), (70, 32)] {
        let inverses = BlockInverses::new(rows, block);
        let slots = LinearMap::<S>::shape(&inverses).0;
        let mut x: Vec<S> = integers(slots, 5);
        x[0] = S::zero();
        if slots > 40 {
            x[slots - 1] = S::from_f64(1e-3);
        }
        let mut expected = x.clone();
        inverses.apply(&[], &x, &mut expected);
        let map = Map::load::<S>(gpu, &inverses, &Tuning::default()).unwrap();
        let found = product(gpu, jit, &map, &x, usize::MAX);
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let same = bits(&[*found]) == bits(&[*expected]) || (!found.finite() && !expected.finite());
            assert!(same, "{} {rows} rows in blocks of {block}, entry {k}: {found} {expected}", S::KIND.name());
        }
    }
}

#[test]
fn inverted_blocks_are_made_anew_on_a_gpu() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    inverts_blocks::<f32>(&gpu, &jit);
    inverts_blocks::<f64>(&gpu, &jit);
    inverts_blocks::<c32>(&gpu, &jit);
    inverts_blocks::<c64>(&gpu, &jit);
}

/// Chains of three rows with 1 on and 2 beside the diagonal: the inverse of any of its blocks has integer entries.
fn chains<S: Scalar>(rows: usize) -> Csr<S> {
    let two = S::from_f64(2.0);
    let beside = (1..rows).filter(|i| i % 3 != 0).map(|i| (i - 1, i, two));
    let triples: Vec<_> = (0..rows).map(|i| (i, i, S::one())).chain(beside).collect();
    Coo::from_triples(rows, rows, &triples).unwrap().to_csr().0
}

fn block_jacobi_as_reference<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for rows in [0, 1, 31, 33, 597, 10_000] {
        for block in [1, 2, 3, 4, 8, 9, 17, 33, 65, 100, 129, 1024] {
            if rows * block > 2_000_000 {
                continue; // the host would need long for the inverses
            }
            let B = BlockDiagonal::from_csr(&chains::<S>(rows), block).unwrap();
            let x: Vec<S> = integers(rows, 9);
            let mut expected = vec![S::zero(); rows];
            LinearMap::apply(&B, B.val(), &x, &mut expected);
            let map = Map::load(&gpu, &B, &Tuning::default()).unwrap();
            for blocks in [usize::MAX, 3] {
                let found = product(&gpu, &jit, &map, &x, blocks);
                assert!(found == expected, "{rows} rows in blocks of {block}, {} lanes", map.lanes);
            }
        }
    }
}

#[test]
fn block_jacobi_f32() {
    block_jacobi_as_reference::<f32>();
}
#[test]
fn block_jacobi_f64() {
    block_jacobi_as_reference::<f64>();
}
#[test]
fn block_jacobi_c32() {
    block_jacobi_as_reference::<c32>();
}
#[test]
fn block_jacobi_c64() {
    block_jacobi_as_reference::<c64>();
}
