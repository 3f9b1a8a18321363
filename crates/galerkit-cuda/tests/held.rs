//! Parts of matrices that the blocks of a persistent kernel keep in shared memory: products are those of the whole
//! matrix, and of its values of the moment.

use galerkit_cuda::{Cuda, Settings, Strategy, testing};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Executor, Recorded};
use galerkit_linalg::krylov::Stop;
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_testkit::{distance, problems};

/// Products in turn with a matrix and with one of the same format whose values every iteration halves.
fn powers<X: Executor<f64>>(e: &mut Recorded<f64, X>, A: &Csr<f64>, format: Format) -> Vec<f64> {
    let [fixed, mut halved] = [(); 2].map(|()| e.load(Box::new(Matrix::from_csr(A, format).expect("it fits"))));
    let [mut x, mut y] = [3, 5].map(|seed| e.upload(&problems::scattered::<f64>(A.rows(), seed)));
    let stop = Stop { rtol: 0.0, limit: 3, replacement: 0, patience: 0, ..Stop::default() };
    let start = e.number(1.0);
    let _ = e.iterate(&stop, start, |e| {
        e.apply(&fixed, &x, &mut y);
        e.apply(&halved, &y, &mut x);
        let (half, tenth) = (e.number(0.5), e.number(0.1));
        e.scale(half, &mut halved.values);
        e.scale(tenth, &mut x);
        e.norm(&x)
    });
    e.download(&x)
}

#[test]
fn blocks_multiply_with_the_parts_that_they_keep_and_with_values_of_the_moment() {
    let Some(gpu) = testing::gpu() else { return };
    let uneven: Vec<usize> = (0..597).map(|row| 9 + row % 14).collect();
    // By diagonals, in short rows of one length, in long ones, each in one block and in several, and sorted.
    let cases = [
        (problems::laplacian::<f64>(9, 3), Format::Sell { height: 32, sigma: 1 }),
        (problems::laplacian::<f64>(33, 2), Format::Sell { height: 32, sigma: 64 }),
        (problems::from_lengths(597, &uneven), Format::Sell { height: 32, sigma: 1 }),
        (problems::from_lengths(597, &uneven), Format::Sell { height: 8, sigma: 64 }),
        (problems::hermitian::<f64>(9), Format::Sell { height: 32, sigma: 1 }),
    ];
    for (A, format) in cases {
        let settings = Settings { strategy: Some(Strategy::Persistent), ..Settings::default() };
        let mut e = Recorded::over(Cuda::<f64>::new(&gpu, settings).expect("there is a GPU"));
        let found = powers(&mut e, &A, format);
        assert!(e.executor().failure().is_none(), "{format}: {}", e.executor().failure().unwrap());
        let away = distance(&found, &powers(&mut Recorded::new(Reference), &A, format));
        assert!(away <= 1e-13, "{format}, {} rows: {away:e}", A.rows());
    }
}
