//! More than 2^31 stored entries in one matrix. Needs about 45 GB of memory on host and GPU and half a minute, so it is
//! run only when asked for: `--ignored`.

use galerkit_cuda::map::{Map, Tuning};
use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_linalg::engine::Executor;
use galerkit_linalg::program::{Instruction, Precision, Program};
use galerkit_linalg::sparse::{Csr, Format, Matrix};

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
        let map = cuda.adopt(Map::load(&gpu, &matrix, &tuning).expect("room on the GPU"));
        let from = cuda.upload(&x, Precision::Full);
        let to = cuda.upload(&vec![f32::NAN; ROWS], Precision::Full);
        let code = cuda.compile(&Program { instructions: vec![Instruction::Apply { A: map, x: from, y: to }] }, None);
        cuda.run(code);
        let y = cuda.download(to);
        assert!(cuda.failure().is_none(), "{name}: {}", cuda.failure().expect("just seen"));
        let wrong = (0..ROWS).find(|&i| y[i] != expected(i));
        assert!(wrong.is_none(), "{name}: row {wrong:?} is {:?}", wrong.map(|i| y[i]));
    }
}
