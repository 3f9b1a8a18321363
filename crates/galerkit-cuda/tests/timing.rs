//! Timed products compute what they should; skipped without a GPU.

use galerkit_cuda::map::Tuning;
use galerkit_cuda::testing::gpu;
use galerkit_cuda::timing::Product;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_testkit::problems;

/// Integer-valued, so that any order of sums gives the same bits.
fn operands() -> (Csr<f64>, Vec<f64>, Vec<f64>) {
    let A = problems::laplacian::<f64>(40, 2);
    let x: Vec<f64> = (0..A.cols()).map(|j| (j % 17) as f64 - 8.0).collect();
    let y = (0..A.rows()).map(|i| A.row(i).fold(0.0, |sum, (j, a)| sum + a * x[j])).collect();
    (A, x, y)
}

#[test]
fn a_timed_product_is_the_product() {
    let Some(gpu) = gpu() else { return };
    let (A, x, y) = operands();
    for format in ["csr", "sell:32:1", "coo", "k2rs"] {
        let matrix = Matrix::from_csr(&A, format.parse().unwrap()).unwrap();
        let order = matrix.order().cloned();
        let inward = order.as_ref().map_or(x.clone(), |order| order.gather(&x).unwrap());
        let mut product = Product::new(&gpu, &matrix, Tuning::default(), &inward).unwrap();
        let outward = |y: Vec<f64>| order.as_ref().map_or(y.clone(), |order| order.scatter(&y).unwrap());
        assert_eq!(outward(product.result().unwrap()), y, "{format}");
        let times = product.time(5).unwrap();
        assert_eq!(times.seconds.len(), 5);
        assert!(times.products >= 1 && times.median() > 0.0, "{format}: {times:?}");
        assert!(times.cached, "a small matrix fits the cache");
        assert_eq!(outward(product.result().unwrap()), y, "{format}, after it was timed");
    }
}
