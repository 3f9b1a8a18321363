//! A stable sort of (key, item) pairs on the GPU, 8 bits of the key at a time: one pass is a counting sort, which is
//! all that rows of fewer than 256 entries need. Kernels: sort.cu.

use super::kernels::Kernels;
use crate::error::Result;
use crate::launch::Buffer;

/// Pairs of 64-bit numbers with room to sort them.
pub(super) struct Pairs {
    count: usize,
    run: usize,
    key: [Buffer; 2],
    item: [Buffer; 2],
    counts: Buffer,
}

const DIGITS: usize = 256;

impl Pairs {
    pub(super) fn new(kernels: &Kernels, count: usize) -> Result<Self> {
        let gpu = kernels.gpu();
        let room = |entries: usize| Buffer::new(gpu, "sorting on the GPU", 8 * entries);
        let run = run_length(count, gpu.properties().sm_count);
        let counts = room(DIGITS * count.div_ceil(run) + 1)?;
        Ok(Self { count, run, key: [room(count)?, room(count)?], item: [room(count)?, room(count)?], counts })
    }

    /// The keys, to be written before and read after sorting.
    pub(super) fn key(&self) -> &Buffer {
        &self.key[0]
    }
    /// The items, likewise.
    pub(super) fn item(&self) -> &Buffer {
        &self.item[0]
    }

    /// Queues a stable sort by the 8 bits from each shift on, first shift first.
    pub(super) fn sort(&mut self, kernels: &Kernels, shifts: impl Iterator<Item = u32>) {
        let runs = self.count.div_ceil(self.run);
        for shift in shifts {
            let [key, key_out] = [&self.key[0], &self.key[1]].map(Buffer::address);
            let [item, item_out] = [&self.item[0], &self.item[1]].map(Buffer::address);
            let sizes = [self.count, self.run, runs, shift as usize].map(|size| size as u64);
            let words = [&sizes[..], &[key, item, self.counts.address(), key_out, item_out]].concat();
            kernels.launch("sort_count", 32 * runs, &words);
            kernels.scan(&self.counts, DIGITS * runs);
            kernels.launch("sort_scatter", 32 * runs, &words);
            self.key.swap(0, 1);
            self.item.swap(0, 1);
        }
    }
}

/// Pairs that one warp counts: whole warps of them, and so many that the counts stay few.
fn run_length(count: usize, sm_count: usize) -> usize {
    count.div_ceil(16 * sm_count.max(1)).max(1).next_multiple_of(32)
}

/// The shifts that sort numbers up to `largest`, from bit `first` on.
pub(super) fn shifts(first: u32, largest: u64) -> impl Iterator<Item = u32> {
    (0..64 - largest.leading_zeros()).step_by(8).map(move |shift| first + shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One pass as the kernels do it: digits of each run counted, counts summed digit by digit, pairs placed run by
    /// run.
    fn pass(pairs: &[(u64, u64)], run: usize, shift: u32) -> Vec<(u64, u64)> {
        let runs = pairs.len().div_ceil(run);
        let digit = |key: u64| (key >> shift) as u32 as usize % DIGITS;
        let mut counts = vec![0; DIGITS * runs + 1];
        for (w, pairs) in pairs.chunks(run).enumerate() {
            pairs.iter().for_each(|pair| counts[digit(pair.0) * runs + w] += 1);
        }
        let mut sum = 0;
        counts.iter_mut().for_each(|count| (*count, sum) = (sum, sum + *count));
        let mut out = vec![None; pairs.len()];
        for (w, pairs) in pairs.chunks(run).enumerate() {
            for pair in pairs {
                let place = &mut counts[digit(pair.0) * runs + w];
                assert!(out[*place].replace(*pair).is_none());
                *place += 1;
            }
        }
        out.into_iter().map(|pair| pair.expect("every place is taken")).collect()
    }

    #[test]
    fn shifts_cover_the_bits() {
        assert_eq!(shifts(0, 0).count(), 0);
        assert_eq!(shifts(0, 255).collect::<Vec<_>>(), [0]);
        assert_eq!(shifts(0, 256).collect::<Vec<_>>(), [0, 8]);
        assert_eq!(shifts(32, 1 << 16).collect::<Vec<_>>(), [32, 40, 48]);
        assert_eq!(shifts(0, u32::MAX as u64).count(), 4);
    }

    #[test]
    fn runs_are_whole_warps() {
        for count in [0, 1, 31, 33, 100_000, 3_000_000_000] {
            let run = run_length(count, 132);
            assert!(run >= 32 && run.is_multiple_of(32) && count.div_ceil(run) <= 16 * 132);
        }
    }

    proptest! {
        #[test]
        fn passes_sort_stably(keys in prop::collection::vec(0u64..100_000, 0..300), sm_count in 1usize..4) {
            let mut pairs: Vec<(u64, u64)> = keys.into_iter().zip(0..).collect();
            let mut expected = pairs.clone();
            expected.sort_by_key(|pair| pair.0);
            for shift in shifts(0, 99_999) {
                pairs = pass(&pairs, run_length(pairs.len(), sm_count), shift);
            }
            prop_assert_eq!(pairs, expected);
        }
    }
}
