//! Timed products compute what they should, ours and cuSPARSE's; skipped without a GPU.

use galerkit_cuda::map::Tuning;
use galerkit_cuda::peer::{Peer, Way};
use galerkit_cuda::testing::gpu;
use galerkit_cuda::timing::Product;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Linear, Scalar, c32, c64};
use galerkit_testkit::problems;

/// Integer-valued, so that any order of sums gives the same bits.
fn operands<S: Scalar>() -> (Csr<S>, Vec<S>, Vec<S>) {
    let A = problems::laplacian::<S>(40, 2);
    let x: Vec<S> = (0..A.cols()).map(|j| S::from_f64((j % 17) as f64 - 8.0)).collect();
    let y = (0..A.rows()).map(|i| A.row(i).fold(S::zero(), |sum, (j, a)| sum + a * x[j])).collect();
    (A, x, y)
}

#[test]
fn a_timed_product_is_the_product() {
    let Some(gpu) = gpu() else { return };
    let (A, x, y) = operands::<f64>();
    for format in ["csr", "sell:32:1", "coo", "k2rs"] {
        let matrix = Matrix::from_csr(&A, format.parse().unwrap()).unwrap();
        let order = matrix.order().cloned();
        let inward = order.as_ref().map_or(x.clone(), |order| order.gather(&x).unwrap());
        let mut product = Product::new(&gpu, &Linear::Matrix(matrix), Tuning::default(), &inward).unwrap();
        let outward = |y: Vec<f64>| order.as_ref().map_or(y.clone(), |order| order.scatter(&y).unwrap());
        assert_eq!(outward(product.result().unwrap()), y, "{format}");
        let times = product.time(5).unwrap();
        assert_eq!(times.seconds.len(), 5);
        assert!(times.products > 1 && times.median() > 0.0 && times.median() < 1e-3, "{format}: {times:?}");
        assert!(times.cached, "a small matrix fits the cache");
        assert_eq!(outward(product.result().unwrap()), y, "{format}, after it was timed");
    }
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
        Err(error) => eprintln!("skipped: {error}"),
    }
}
