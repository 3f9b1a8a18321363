//! More than 2^31 stored entries in one matrix. Needs about 45 GB of memory on host and GPU and half a minute, so it is
//! run only when asked for: `--ignored`.

use galerkit_cuda::map::Tuning;
use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::Linear;
use galerkit_linalg::engine::record::{Executor, Line, Program};
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use std::sync::Arc;

const ROWS: usize = 130_000_000;
const WIDTH: usize = 17;

/// Row i has ones in columns i, i + 1, ..., i + 16, wrapped around.
fn circulant() -> Csr<f32> {
    let start = (0..=ROWS).map(|i| (i * WIDTH) as u64).collect();
    let mut col = Vec::with_capacity(ROWS * WIDTH);
    for i in 0..ROWS {
        let wrapped = (i + WIDTH).saturating_sub(ROWS);
        col.extend(0..wrapped as u32);
        col.extend(i as u32..(i + WIDTH - wrapped) as u32);
    }
    Csr::new(ROWS, ROWS, start, col, vec![1.0; ROWS * WIDTH]).expect("columns ascend in every row")
}

#[test]
#[ignore = "needs 45 GB of memory on host and GPU"]
fn more_than_two_to_the_31_entries() {
    let Some(gpu) = testing::gpu() else { return };
    let A = circulant();
    assert!(A.nnz() > 1 << 31);
    let x: Vec<f32> = (0..ROWS).map(|i| (i % 5) as f32).collect();
    let expected = |i: usize| (0..WIDTH).map(|e| ((i + e) % ROWS % 5) as f32).sum::<f32>();
    let mut matrix = Matrix::Csr(A);
    for (name, balanced) in [("csr", false), ("csr balanced", true), ("sell:32:1", false)] {
        if name == "sell:32:1" {
            matrix = Matrix::from_csr(&matrix.to_csr(), Format::Sell { height: 32, sigma: 1 }).expect("equal rows");
        }
        let tuning = Tuning { balanced: Some(balanced), ..Tuning::default() };
        let mut cuda = Cuda::new(&gpu, Settings { tuning, ..Settings::default() }).expect("room for a few kilobytes");
        let linear = Arc::new(Linear::Matrix(matrix));
        let map = cuda.load(linear.clone());
        let (from, to) = (cuda.upload(&x), cuda.upload(&vec![f32::NAN; ROWS]));
        cuda.run(&Program { lines: vec![Line::Apply { A: map, x: from, y: to }] }, 0);
        let y = cuda.download(to);
        assert!(cuda.failure().is_none(), "{name}: {}", cuda.failure().expect("just seen"));
        let wrong = (0..ROWS).find(|&i| y[i] != expected(i));
        assert!(wrong.is_none(), "{name}: row {wrong:?} is {:?}", wrong.map(|i| y[i]));
        drop(cuda);
        matrix = match Arc::into_inner(linear) {
            Some(Linear::Matrix(matrix)) => matrix,
            _ => unreachable!("the executor keeps no reference to what it has loaded"),
        };
    }
}
