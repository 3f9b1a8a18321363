//! Products and transposes on the GPU: every array is the one that the host makes.

use galerkit_cuda::convert::DeviceCsr;
use galerkit_cuda::jit::Jit;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::product::{conjugate_transpose, multiplications, product, transpose};
use galerkit_cuda::testing;
use galerkit_linalg::gallery::{self, Built};
use galerkit_linalg::sparse::{Coo, Csr};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, strategies};
use proptest::test_runner::TestRunner;
use std::sync::Arc;

fn same<S: Scalar>(what: &str, there: &DeviceCsr<S>, host: &Csr<S>) {
    assert_eq!((there.shape(), there.nnz()), ((host.rows(), host.cols()), host.nnz()), "{what}");
    let there = there.download().unwrap();
    assert!(there.start() == host.start(), "{what}: row starts differ");
    assert!(there.col() == host.col(), "{what}: columns differ");
    assert_eq!(bits(there.val()), bits(host.val()), "{what}: values differ");
}

fn multiplied<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>, B: &Csr<S>) {
    let what = format!("{} x {} times {} x {}", A.rows(), A.cols(), B.rows(), B.cols());
    let [left, right] = [A, B].map(|matrix| DeviceCsr::upload(gpu, matrix).unwrap());
    same(&what, &product(gpu, jit, &left, &right).unwrap(), &A.multiply(B).unwrap());
    assert_eq!(multiplications(gpu, jit, &left, &right).unwrap() as u128, A.multiplications(B), "{what}");
}

fn transposed<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>) {
    let there = DeviceCsr::upload(gpu, A).unwrap();
    same("transpose", &transpose(gpu, jit, &there).unwrap(), &A.transpose());
    same("adjoint", &conjugate_transpose(gpu, jit, &there).unwrap(), &A.conjugate_transpose());
}

/// Entries without a pattern, whose sums depend on their order; some rows are long.
fn scattered(rows: usize, cols: usize, longest: usize) -> Csr<f64> {
    let length = |i: usize| if i % 11 == 3 { longest } else { i % 7 };
    let entries = (0..rows).flat_map(|i| (0..length(i)).map(move |k| (i, (i * 37 + k * 101) % cols, k)));
    let value = |(i, j, k): (usize, usize, usize)| (i, j, 1.0 / (1.0 + (i * 13 + j * 7 + k) as f64));
    Coo::from_triples(rows, cols, &entries.map(value).collect::<Vec<_>>()).unwrap().to_csr().0
}

fn real(name: &str) -> Csr<f64> {
    match gallery::build(name).unwrap() {
        Built::Real(A) => A,
        Built::Complex(_) => panic!("{name} is complex"),
    }
}

#[test]
fn products_of_grids_and_of_matrices_without_a_pattern() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let grid = real("gallery:poisson3d?n=5&stencil=27");
    multiplied(&gpu, &jit, &grid, &grid);
    multiplied(&gpu, &jit, &scattered(60, 90, 40), &scattered(90, 70, 30));
    let A = scattered(33, 40, 20);
    multiplied::<f32>(&gpu, &jit, &A.map_values(|a| a as f32), &A.transpose().map_values(|a| a as f32));
    multiplied::<c64>(
        &gpu,
        &jit,
        &A.map_values(|a| c64::new(a, 2.0 - a)),
        &A.transpose().map_values(|a| c64::new(1.0, a)),
    );
    multiplied::<c32>(
        &gpu,
        &jit,
        &A.map_values(|a| c32::new(a as f32, 1.0)),
        &A.transpose().map_values(|a| c32::new(0.3, a as f32)),
    );
}

/// Rows for every size of table, and such as no table takes.
#[test]
fn long_rows_are_passed_on() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    for longest in [60, 250, 700, 2500] {
        let (A, B) = (scattered(23, 23, 9), scattered(23, 3000, longest));
        multiplied(&gpu, &jit, &A, &B);
        transposed(&gpu, &jit, &B.transpose());
    }
}

#[test]
fn edge_cases() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let empty: Csr<f64> = Coo::from_triples(4, 6, &[]).unwrap().to_csr().0;
    let nothing: Csr<f64> = Coo::from_triples(0, 4, &[]).unwrap().to_csr().0;
    multiplied(&gpu, &jit, &empty, &scattered(6, 3, 3));
    multiplied(&gpu, &jit, &nothing, &empty);
    multiplied::<f64>(&gpu, &jit, &Csr::identity(1), &Csr::identity(1));
    transposed(&gpu, &jit, &empty);
    transposed(&gpu, &jit, &nothing);
    let [left, right] = [&empty, &empty].map(|matrix| DeviceCsr::upload(&gpu, matrix).unwrap());
    let Err(refusal) = product(&gpu, &jit, &left, &right) else { panic!("shapes do not fit") };
    assert!(refusal.to_string().contains("the right factor"), "{refusal}");
}

#[test]
fn small_matrices() {
    let Some(gpu) = testing::gpu() else { return };
    let jit = Jit::new(&gpu);
    let mut runner = TestRunner::new(strategies::config(12));
    runner
        .run(&strategies::square::<f64>(40), |A| {
            multiplied(&gpu, &jit, &A, &A.transpose());
            transposed(&gpu, &jit, &A);
            transposed::<c64>(&gpu, &jit, &A.map_values(|a| c64::new(a, a + 1.0)));
            Ok(())
        })
        .unwrap();
}
