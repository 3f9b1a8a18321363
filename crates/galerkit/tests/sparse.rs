//! Products and transposes of matrices on every device: the same patterns and the same bits as obvious loops.

use galerkit::cuda::testing;
use galerkit::linalg::Error::DimensionMismatch;
use galerkit::prelude::*;
use galerkit::sparse::{conjugate_transpose, product, transpose};
use galerkit::{Error, on_threads};
use galerkit_testkit::problems::{from_triples, scattered};

/// Rows of 0, 1 and many entries, shuffled over the columns, with values that round.
fn uneven<S: Scalar>(rows: usize, cols: usize) -> Csr<S> {
    let length = |i: usize| [0, 1, 5, 2, 17, 3][i % 6].min(cols);
    let places: Vec<(usize, usize)> =
        (0..rows).flat_map(|i| (0..length(i)).map(move |k| (i, (i * 7 + k * 3) % cols))).collect();
    let values = scattered::<S>(places.len(), 7);
    let triples: Vec<(usize, usize, S)> = places.into_iter().zip(values).map(|((i, j), value)| (i, j, value)).collect();
    from_triples(rows, cols, &triples)
}

/// Of every pair, what another device makes of it against the loops.
fn check<S: Scalar>(device: Device) {
    let grid = galerkit::load("gallery:poisson3d?n=6&stencil=27").unwrap().into_real().unwrap();
    let grid = grid.map_values(|a| S::from_f64(a / 3.0));
    let (A, B) = (uneven::<S>(97, 40), uneven::<S>(40, 61));
    for (A, B) in [(&A, &B), (&grid, &grid)] {
        assert_eq!(product(A, B, device).unwrap(), product(A, B, Device::Reference).unwrap(), "{device}");
        assert_eq!(transpose(A, device).unwrap(), transpose(A, Device::Reference).unwrap(), "{device}");
        let [found, expected] = [device, Device::Reference].map(|device| conjugate_transpose(B, device).unwrap());
        assert_eq!(found, expected, "{device}");
    }
    let nothing = Csr::<S>::new(0, 0, vec![0], Vec::new(), Vec::new()).unwrap();
    assert_eq!(product(&nothing, &nothing, device).unwrap(), nothing);
    assert_eq!(transpose(&nothing, device).unwrap(), nothing);
    let said = product(&A, &A, device).unwrap_err();
    assert!(matches!(said, Error::Linalg(DimensionMismatch { expected: 40, found: 97, .. })), "{said}");
}

#[test]
fn on_one_thread_and_on_several() {
    for threads in [1, 2, 5] {
        let work = || {
            check::<f64>(Device::Cpu);
            check::<c32>(Device::Cpu);
            Ok(())
        };
        on_threads(Some(threads), work).unwrap();
    }
}

#[test]
fn products_and_transposes_anew_on_a_gpu() {
    if testing::gpu().is_some() {
        check::<f64>(Device::Cuda(0));
        check::<c32>(Device::Cuda(0));
    }
}

/// By hand: [0 2; 3 0] squared, and a product whose terms cancel.
#[test]
fn what_cancels_stays_stored() {
    for device in [Device::Reference, Device::Cpu] {
        let A = from_triples(2, 2, &[(0, 1, 2.0), (1, 0, 3.0)]);
        assert_eq!(product(&A, &A, device).unwrap(), from_triples(2, 2, &[(0, 0, 6.0), (1, 1, 6.0)]));
        let (row, column) = (from_triples(1, 2, &[(0, 0, 1.0), (0, 1, 1.0)]), [(0, 0, 1.0), (1, 0, -1.0)]);
        let zero = product(&row, &from_triples(2, 1, &column), device).unwrap();
        assert_eq!((zero.nnz(), zero.val()), (1, &[0.0][..]), "{device}");
    }
}
