//! The kernel's index arithmetic, transcribed, at block sizes around every number of lanes.

use super::*;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::sparse::{Coo, Csr};

/// Rows as the teams of lanes sum them; integers, so that the order does not matter.
fn emulate<S: Scalar>(B: &BlockDiagonal<S>, x: &[S]) -> Vec<S> {
    let (rows, block, lanes) = (B.rows(), B.block(), lanes(B.block()));
    let (val, team_rows, width) = (interleave(B, lanes), WARP / lanes, width(block, lanes));
    let mut y = vec![None; rows];
    for g in 0..rows.div_ceil(team_rows) {
        let mut sums = [S::zero(); WARP];
        for (thread, sum) in sums.iter_mut().enumerate() {
            let i = g * team_rows + thread / lanes;
            if i < rows {
                let begin = i - i % block;
                let size = (rows - begin).min(block);
                let mut at = g * width + thread;
                let mut j = thread % lanes;
                while j < size {
                    *sum += val[at] * x[begin + j];
                    (j, at) = (j + lanes, at + WARP);
                }
            }
        }
        for thread in (0..WARP).step_by(lanes).filter(|thread| g * team_rows + thread / lanes < rows) {
            let row = g * team_rows + thread / lanes;
            assert!(y[row].replace(sums[thread..thread + lanes].iter().copied().sum()).is_none(), "row {row} twice");
        }
    }
    y.into_iter().map(|sum| sum.expect("every row once")).collect()
}

/// Chains of three rows with 1 on and 2 beside the diagonal: the inverse of any of its blocks has integer entries.
fn chains(rows: usize) -> Csr<f64> {
    let beside = (1..rows).filter(|i| i % 3 != 0).map(|i| (i - 1, i, 2.0));
    let triples: Vec<_> = (0..rows).map(|i| (i, i, 1.0)).chain(beside).collect();
    Coo::from_triples(rows, rows, &triples).unwrap().to_csr().0
}

#[test]
fn the_drawing() {
    let A = Coo::from_triples(3, 3, &[(0, 0, 1.0), (0, 1, 2.0), (1, 1, 1.0), (2, 2, 0.5)]).unwrap().to_csr().0;
    let val = interleave(&BlockDiagonal::from_csr(&A, 2).unwrap(), 1);
    assert_eq!(val.len(), 64);
    assert_eq!((&val[..3], &val[32..35]), (&[1.0, 0.0, 2.0][..], &[-2.0, 1.0, 0.0][..]));
}

#[test]
fn lanes_follow_the_block() {
    let found: Vec<usize> = [1, 8, 9, 16, 17, 33, 65, 129, 1024].map(lanes).to_vec();
    assert_eq!(found, [1, 1, 2, 2, 4, 8, 16, 32, 32]);
}

#[test]
fn products_as_the_reference() {
    for rows in [0, 1, 2, 31, 32, 33, 65, 300] {
        for block in [1, 2, 3, 5, 8, 9, 16, 17, 32, 33, 64, 100, 129, 1024] {
            let B = BlockDiagonal::from_csr(&chains(rows), block).unwrap();
            let x: Vec<f64> = (0..rows).map(|i| (i % 11) as f64 - 5.0).collect();
            let mut y = vec![0.0; rows];
            LinearMap::apply(&B, B.val(), &x, &mut y);
            assert_eq!(emulate(&B, &x), y, "{rows} rows in blocks of {block}");
        }
    }
}
