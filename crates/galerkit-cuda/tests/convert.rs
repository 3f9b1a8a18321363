//! CSR to ELL-WARP on the GPU: the maps must be those that the host's conversion gives, array for array.

use super::products::product;
use galerkit_cuda::convert::{Converted, DeviceCsr, convert};
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::{Buffer, Gpu};
use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{self, Built};
use galerkit_linalg::sparse::{Coo, Csr, EllWarp, Matrix, Variant};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::conformance::integers;
use galerkit_testkit::{problems, strategies};
use proptest::test_runner::TestRunner;
use std::sync::Arc;

fn bytes(buffer: &Buffer) -> Vec<u8> {
    buffer.download(buffer.bytes()).unwrap()
}

/// Converts on both sides, compares everything, and returns the converted matrix.
fn same<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>, form: (Variant, usize, usize)) -> Converted<S> {
    let (variant, warp, threshold) = form;
    let what = format!("{} x {} as {}:{warp}:{threshold}", A.rows(), A.cols(), variant.name());
    let host = EllWarp::from_csr(A, variant, warp, threshold).unwrap();
    let slot_of = host.slot_of(A).unwrap();
    let order = host.row_order().old().to_vec();
    let tuning = if variant.splits() { Tuning::default() } else { Tuning::in_batches::<S>() };
    let expected = Map::load(gpu, &Matrix::EllWarp(host), &tuning).unwrap();
    let device = DeviceCsr::upload(gpu, A).unwrap();
    let found = convert(gpu, jit, &device, variant, warp, threshold).unwrap();
    let map = &found.map;
    assert_eq!((&map.source, map.shape, map.bytes), (&expected.source, expected.shape, expected.bytes), "{what}");
    assert_eq!((map.lanes, map.words.len(), map.interface), (expected.lanes, expected.words.len(), expected.interface));
    for (k, (found, expected)) in map.buffers.iter().zip(&expected.buffers).enumerate() {
        assert!(bytes(found) == bytes(expected), "{what}: array {k} differs");
    }
    assert!(found.slot_of().download::<u64>(A.nnz()).unwrap() == slot_of, "{what}: slots");
    assert!(found.order().download::<u32>(A.rows()).unwrap() == order, "{what}: order");
    found
}

fn all_forms<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>) {
    for variant in Variant::ALL.into_iter().filter(|variant| A.rows() == A.cols() || !variant.renumbers()) {
        for (warp, threshold) in [(2, 1), (4, 2), (32, 1), (32, 16)] {
            same(gpu, jit, A, (variant, warp, threshold));
        }
        if !variant.splits() {
            same(gpu, jit, A, (variant, 64, 1));
        }
    }
}

/// The example of spec 07, section 4.
fn worked_example<S: Scalar>() -> Csr<S> {
    problems::dense(&[
        &[4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        &[7.0, 8.0, 0.0, 9.0, 10.0, 2.0, 0.0],
        &[0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0],
        &[0.0, 0.0, 0.0, 6.0, 0.0, 0.0, 0.0],
        &[0.0, 1.0, 0.0, 2.0, 5.0, 0.0, 3.0],
        &[0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0],
        &[2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 8.0],
    ])
}

/// Short rows of uneven lengths and a few long ones, far apart.
fn long_rows(n: usize) -> Csr<f64> {
    let short = (0..n).flat_map(|i| (0..i % 5).map(move |k| (i, (i * 31 + k * 977) % n, 1.0 + k as f64)));
    let long = [(n / 3, 1), (n / 2, 2), (n - 1, 3)];
    let long = long.into_iter().flat_map(|(i, step)| (0..n).step_by(step).map(move |j| (i, j, 2.0)));
    Coo::from_triples(n, n, &short.chain(long).collect::<Vec<_>>()).unwrap().to_csr().0
}

#[test]
fn the_worked_example_in_every_scalar() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    all_forms::<f32>(&gpu, &jit, &worked_example());
    all_forms::<f64>(&gpu, &jit, &worked_example());
    all_forms::<c32>(&gpu, &jit, &worked_example());
    all_forms::<c64>(&gpu, &jit, &worked_example());
}

#[test]
fn edge_cases() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for n in [0, 1, 31, 32, 33, 65] {
        all_forms::<f64>(&gpu, &jit, &Csr::identity(n));
        all_forms::<f64>(&gpu, &jit, &Coo::from_triples(n, n, &[]).unwrap().to_csr().0); // empty rows only
    }
    all_forms::<f64>(&gpu, &jit, &Coo::from_triples(3, 90_000, &[(1, 0, 1.0), (1, 89_999, 2.0)]).unwrap().to_csr().0);
    all_forms(&gpu, &jit, &long_rows(1700));
    all_forms(&gpu, &jit, &long_rows(70_000)); // three digits of columns, and columns too far apart for 16 bits
}

#[test]
fn small_matrices_of_integers() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let mut runner = TestRunner::new(strategies::config(24));
    runner
        .run(&strategies::square::<f64>(70), |A| {
            all_forms(&gpu, &jit, &A);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_tetrahedral_mesh_in_random_order() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let Built::Real(A) = gallery::build("gallery:tetra?n=40&order=random").unwrap() else { panic!("a real problem") };
    for variant in Variant::ALL {
        let found = same(&gpu, &jit, &A, (variant, 32, 8));
        let costs = found.costs;
        assert!(costs.analysis > 0.0 && costs.structure > 0.0 && costs.refill > 0.0);
        assert!((costs.total() - costs.analysis - costs.structure - costs.refill).abs() < 1e-12);
    }
}

#[test]
fn products_refills_and_permutations() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let A = long_rows(1000);
    let x: Vec<f64> = integers(A.rows(), 1);
    let twice = A.map_values(|a| 2.0 * a);
    let expected: Vec<f64> = (0..A.rows()).map(|i| A.row(i).map(|(j, a)| 2.0 * a * x[j]).sum()).collect();
    for variant in Variant::ALL {
        let found = same(&gpu, &jit, &A, (variant, 32, 4));
        found.refill(DeviceCsr::upload(&gpu, &twice).unwrap().val());
        let mut y = if variant.renumbers() { permuted(&gpu, &found, &x, true) } else { x.clone() };
        y = product(&gpu, &jit, &found.map, &y, usize::MAX);
        if variant.renumbers() {
            y = permuted(&gpu, &found, &y, false);
        }
        assert_eq!(y, expected, "{}", variant.name());
    }
}

fn permuted(gpu: &Arc<Gpu>, found: &Converted<f64>, x: &[f64], into: bool) -> Vec<f64> {
    let from = Buffer::from_slice(gpu, "x", x).unwrap();
    let mut to = Buffer::zeroed(gpu, "y", from.bytes()).unwrap();
    if into {
        found.gather(&from, &mut to)
    } else {
        found.scatter(&from, &mut to)
    }
    to.download(x.len()).unwrap()
}

#[test]
fn what_cannot_be_converted_is_refused() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let wide: Csr<f64> = Coo::from_triples(2, 3, &[(0, 2, 1.0)]).unwrap().to_csr().0;
    let wide = DeviceCsr::upload(&gpu, &wide).unwrap();
    let square = DeviceCsr::upload(&gpu, &Csr::<f64>::identity(3)).unwrap();
    let refusal = |A, variant, warp, threshold| match convert(&gpu, &jit, A, variant, warp, threshold) {
        Ok(_) => panic!("was converted"),
        Err(error) => error.to_string(),
    };
    assert!(refusal(&wide, Variant::K1r, 32, 1).contains("square"));
    assert!(refusal(&square, Variant::K2, 64, 1).contains("k2:32"));
    assert!(refusal(&square, Variant::K2, 3, 1).contains("power of two"));
    assert!(refusal(&square, Variant::K2, 32, 0).contains("at least 1"));
}
