//! Solves with SSOR and with incomplete factors: against the reference, and the same bits whatever the number of
//! blocks.

use super::matrices;
use crate::products::product;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{self, Stencil};
use galerkit_linalg::map::{LinearMap, Triangular};
use galerkit_linalg::precond::{Ssor, ic0, ilu0, iluk};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::assert_close;
use galerkit_testkit::conformance::integers;
use std::sync::Arc;

/// Against the reference, and with the same bits whatever the number of blocks, and by one that does it all.
fn check<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, M: &dyn LinearMap<S>, solve: &dyn Triangular<S>, name: &str) {
    let x: Vec<S> = integers(M.shape().0, 3);
    let mut expected = x.clone();
    solve.solve(&x, &mut expected);
    let load = |one_block| Map::load(gpu, M, &Tuning { one_block, ..Tuning::default() }).unwrap();
    let together = load(Some(false));
    let first = product(gpu, jit, &together, &x, usize::MAX);
    if !x.is_empty() {
        assert_close(&first, &expected, 1.0, name);
    }
    for blocks in [1, 2, 7, usize::MAX, usize::MAX] {
        assert!(product(gpu, jit, &together, &x, blocks) == first, "{name}: other bits with {blocks} blocks");
    }
    let alone = load(Some(true));
    for blocks in [1, 7, 7] {
        assert!(product(gpu, jit, &alone, &x, blocks) == first, "{name}: other bits by one block of {blocks}");
    }
}

fn ssor_as_reference<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for (name, A) in matrices() {
        let M = Ssor::from_csr(&A.map_values(S::from_f64), 1.3).unwrap();
        check(&gpu, &jit, &M, &M, name);
    }
}

fn factors_as_reference<S: Scalar>() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for (name, A) in matrices() {
        let A = A.map_values(S::from_f64);
        let mut all = vec![("ILU(0)", ilu0(&A).unwrap()), ("ILU(1)", iluk(&A, 1).unwrap())];
        if name != "no symmetry" {
            all.push(("IC(0)", ic0(&A).unwrap()));
        }
        for (kind, M) in all {
            check(&gpu, &jit, &M, &M, &format!("{kind} of {name}"));
        }
    }
}

#[test]
fn factors_f32() {
    factors_as_reference::<f32>();
}
#[test]
fn factors_f64() {
    factors_as_reference::<f64>();
}
#[test]
fn factors_c32() {
    factors_as_reference::<c32>();
}
#[test]
fn factors_c64() {
    factors_as_reference::<c64>();
}

#[test]
fn ssor_f32() {
    ssor_as_reference::<f32>();
}
#[test]
fn ssor_f64() {
    ssor_as_reference::<f64>();
}
#[test]
fn ssor_c32() {
    ssor_as_reference::<c32>();
}
#[test]
fn ssor_c64() {
    ssor_as_reference::<c64>();
}

/// NaN of any sign and payload, also the one that means "not yet there", passes through and leaves nothing behind.
#[test]
fn ssor_with_nan() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let A = gallery::poisson2d(20, Stencil::Points5).unwrap();
    let M = Ssor::from_csr(&A, 1.0).unwrap();
    let clean: Vec<f64> = integers(A.rows(), 5);
    let map = Map::load(&gpu, &M.clone(), &Tuning::default()).unwrap();
    let before = product(&gpu, &jit, &map, &clean, usize::MAX);
    for bits in [u64::MAX, u64::MAX >> 1, 0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000] {
        let mut x = clean.clone();
        x[A.rows() - 30] = f64::from_bits(bits);
        let mut expected = x.clone();
        M.solve(&x, &mut expected);
        let found = product(&gpu, &jit, &map, &x, usize::MAX);
        assert!(found.iter().zip(&expected).all(|(a, b)| a.is_nan() == b.is_nan()));
        assert_eq!(product(&gpu, &jit, &map, &clean, usize::MAX), before);
    }
}
