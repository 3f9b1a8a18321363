//! Whether gathers by instruction are faster than loads one by one. On Intel's machines from Skylake to Ice Lake microcode
//! against Downfall (2023) makes them several times as slow: sliced ELL then takes 23 ms for what CSR does in 15 (27
//! points on 100^3, two cores of a Cascade Lake). A small product in cache finds out, once; its bits are the same.

use super::sell::PreparedSell;
use super::{Beside, PreparedMatrix, sell_avx512};
use crate::sparse::{Csr, Matrix, Sell};
use std::sync::OnceLock;
use std::time::Instant;

/// Rows of the product, entries of each, and how often it is done: the shortest time counts.
const ROWS: usize = 256;
const ENTRIES: usize = 32;
const TIMES: usize = 9;

/// Whether they are, on this machine.
pub fn are_faster() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| sell_avx512::is_available() && seconds(true) <= seconds(false))
}

fn seconds(by_gathers: bool) -> f64 {
    let row = |i: usize| (i..i + ENTRIES).map(|j| (2 * j, 1.0)); // no two columns follow each other
    let A: Csr<f64> = Csr::collect_rows(2 * (ROWS + ENTRIES), ROWS * ENTRIES, (0..ROWS).map(row));
    let (x, mut y) = (vec![1.0; A.cols()], vec![0.0; ROWS]);
    let Ok(A) = Sell::from_csr(&A, 8, 1) else { return 0.0 };
    let prepared = PreparedMatrix { scatter: None, beside: Beside::Sell(PreparedSell::new(&A, by_gathers)) };
    let (val, A) = (A.val().to_vec(), Matrix::Sell(A));
    let once = |_| {
        let began = Instant::now();
        prepared.block_product((&A, &val), 0, &x, &mut y);
        began.elapsed().as_secs_f64()
    };
    (0..TIMES).map(once).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_are_timed_and_one_answer_stays() {
        assert!(seconds(false) > 0.0 && seconds(true) > 0.0);
        assert_eq!(are_faster(), are_faster());
        assert!(sell_avx512::is_available() || !are_faster());
    }
}
