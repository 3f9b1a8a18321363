//! Whether a square pattern mirrors itself, (i, j) stored exactly when (j, i) is, without looking for any mirror image:
//! in one pass in stored order. Every entry above the diagonal adds a random-looking 128-bit number of its place, every
//! entry below takes that of its mirror image away. Patterns that mirror themselves leave zero; of others one in 2^128
//! would. Searching for mirror images, which are anywhere, would wait for memory at every entry.

use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// Rows that one thread takes at a time.
const ROWS: usize = 1 << 13;

impl<S: Scalar> Csr<S> {
    /// Whether it is square and stores (i, j) exactly where it stores (j, i), by one pass in stored order: wrong once in
    /// 2^128 patterns that do not.
    pub fn has_symmetric_pattern(&self) -> bool {
        self.rows() == self.cols() && is_mirrored(self.start(), self.col())
    }
}

/// Whether the pattern mirrors itself.
pub(super) fn is_mirrored(start: &[u64], col: &[u32]) -> bool {
    let rows = start.len() - 1;
    let mut sums = vec![[0u64; 2]; rows.div_ceil(ROWS)];
    parallel::each_chunk(&mut sums, 1, &|part, sums| {
        for i in part * ROWS..rows.min((part + 1) * ROWS) {
            for &j in &col[start[i] as usize..start[i + 1] as usize] {
                sums[0] = joined(sums[0], signed(i as u32, j));
            }
        }
    });
    sums.into_iter().fold([0; 2], joined) == [0; 2]
}

fn joined(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
}

/// The number of a place, with the sign of its triangle; zero on the diagonal.
fn signed(i: u32, j: u32) -> [u64; 2] {
    let place = u64::from(i.min(j)) << 32 | u64::from(i.max(j));
    let number = [mixed(place), mixed(place ^ 0x9e37_79b9_7f4a_7c15)];
    match i.cmp(&j) {
        std::cmp::Ordering::Less => number,
        std::cmp::Ordering::Equal => [0; 2],
        std::cmp::Ordering::Greater => number.map(u64::wrapping_neg),
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): one to one, every bit of the result hangs on every
/// bit of the place.
fn mixed(place: u64) -> u64 {
    let a = (place ^ place >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ b >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(full: &[Vec<bool>]) -> (Vec<u64>, Vec<u32>) {
        let (mut start, mut col) = (vec![0], Vec::new());
        for row in full {
            col.extend((0u32..).zip(row).filter(|(_, stored)| **stored).map(|(j, _)| j));
            start.push(col.len() as u64);
        }
        (start, col)
    }

    proptest! {
        #[test]
        fn as_the_definition_says(n in 0usize..7, bits in any::<u64>(), mirror in any::<bool>()) {
            let stored = |i: usize, j: usize| bits >> (i * 7 + j) & 1 == 1 || mirror && bits >> (j * 7 + i) & 1 == 1;
            let full: Vec<Vec<bool>> = (0..n).map(|i| (0..n).map(|j| stored(i, j)).collect()).collect();
            let expected = (0..n).all(|i| (0..n).all(|j| full[i][j] == full[j][i]));
            let (start, col) = rows(&full);
            prop_assert_eq!(is_mirrored(&start, &col), expected);
        }
    }

    #[test]
    fn one_entry_too_many_is_found_in_the_last_of_many_parts() {
        let n = 3 * ROWS + 5;
        let diagonal: (Vec<u64>, Vec<u32>) = ((0..=n as u64).collect(), (0..n as u32).collect());
        assert!(is_mirrored(&diagonal.0, &diagonal.1));
        let (mut start, mut col) = diagonal;
        col.insert(n - 1, 0); // (n - 1, 0), without (0, n - 1)
        start[n] += 1;
        assert!(!is_mirrored(&start, &col));
    }
}
