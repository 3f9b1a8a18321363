//! cuSPARSE computes the products that it is timed for, in every format and scalar; skipped without a GPU or without
//! cuSPARSE.
#![allow(non_snake_case)] // matrices keep their capital letter, as in the library

use galerkit_bench::peer::{Peer, Way};
use galerkit_cuda::testing::gpu;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{problems, skip};

/// Integer-valued, so that any order of sums gives the same bits.
fn operands<S: Scalar>() -> (Csr<S>, Vec<S>, Vec<S>) {
    let A = problems::laplacian::<S>(40, 2);
    let x: Vec<S> = (0..A.cols()).map(|j| S::from_f64((j % 17) as f64 - 8.0)).collect();
    let y = (0..A.rows()).map(|i| A.row(i).fold(S::zero(), |sum, (j, a)| sum + a * x[j])).collect();
    (A, x, y)
}

fn peer_agrees<S: Scalar>(peer: &Peer) {
    let (A, x, y) = operands::<S>();
    for way in Way::all(&A).into_iter().chain([Way::Bsr(2)]) {
        let product = peer.product(&A, way, &x).unwrap();
        assert!(product.result().unwrap() == y, "{way} {}", S::KIND.name());
        let (times, graph) = product.time(3).unwrap();
        eprintln!("{way} {}: {:.2} us, graph: {graph}", S::KIND.name(), times.median() * 1e6);
        assert!(product.result().unwrap() == y, "{way} {}, after it was timed", S::KIND.name());
    }
}

#[test]
fn cusparse_computes_the_same_products() {
    let Some(gpu) = gpu() else { return };
    match Peer::find(&gpu) {
        Ok(peer) => {
            peer_agrees::<f32>(&peer);
            peer_agrees::<f64>(&peer);
            peer_agrees::<c32>(&peer);
            peer_agrees::<c64>(&peer);
        }
        Err(error) => skip(&error.to_string()),
    }
}
