//! The transpose of the gather: each function on an interface sums the local results of its cells, in the order of the
//! cells, so that bits do not depend on threads. Interior functions have one cell, which writes their result itself.

use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The sign of a place or of a function, in the highest bit.
pub const SIGN: u32 = 1 << 31;
/// A local function that stands for none.
pub const NONE: u32 = u32::MAX;

/// Rows that a task sorts, and places that it counts.
const ROWS: usize = 4096;
const PLACES: usize = 1 << 16;

/// Counters, new memory written first by the threads that use it.
fn zeros(count: usize) -> Vec<AtomicU32> {
    (0..count).into_par_iter().map(|_| AtomicU32::new(0)).collect()
}

/// The places that each function sums, with signs.
#[derive(Clone, Debug)]
pub struct Sums {
    /// Where the places of each function begin.
    pub start: Vec<u32>,
    /// Places in the local results; the highest bit is the sign.
    pub place: Vec<u32>,
}

impl Sums {
    /// The transpose of a gather of `index`: `row` tells the row of a function, or none.
    pub fn new(rows: usize, index: &[u32], row: &(dyn Fn(u32) -> Option<usize> + Sync)) -> Self {
        let row_of = |bits: u32| if bits == NONE { None } else { row(bits & !SIGN) };
        let next = zeros(rows + 1);
        let parts = index.len().div_ceil(PLACES);
        let part = |k: usize| k * PLACES..index.len().min((k + 1) * PLACES);
        parallel::each(parts, &|k| {
            for row in index[part(k)].iter().filter_map(|&bits| row_of(bits)) {
                next[row].fetch_add(1, Relaxed);
            }
        });
        let (mut start, mut total) = (Vec::with_capacity(rows + 1), 0);
        for count in &next {
            start.push(total);
            total += count.swap(total, Relaxed);
        }
        let place = zeros(total as usize);
        parallel::each(parts, &|k| {
            for at in part(k) {
                if let Some(row) = row_of(index[at]) {
                    place[next[row].fetch_add(1, Relaxed) as usize].store(at as u32 | (index[at] & SIGN), Relaxed);
                }
            }
        });
        let place = parallel::collect(place.len(), &|k| place[k].load(Relaxed));
        let mut sums = Self { start, place };
        sums.sort();
        sums
    }

    /// Places of each row ascending: threads found them in any order.
    fn sort(&mut self) {
        let (mut rest, mut pieces) = (&mut self.place[..], Vec::new());
        for starts in self.start.windows(ROWS + 1).step_by(ROWS).chain(last(&self.start)) {
            let piece;
            (piece, rest) = rest.split_at_mut((starts[starts.len() - 1] - starts[0]) as usize);
            pieces.push((starts, piece));
        }
        parallel::each_piece(pieces, &|(starts, piece): (&[u32], &mut [u32])| {
            for ends in starts.windows(2) {
                let range = (ends[0] - starts[0]) as usize..(ends[1] - starts[0]) as usize;
                piece[range].sort_unstable_by_key(|place| place & !SIGN);
            }
        });
    }

    /// The same for a GPU: of each function its one or two places, NONE for a second that it has not; of one with more,
    /// NONE and where its list is. Lists are of four places each time, NONE where there are no more: the number of the
    /// first four times 16, plus how many fours there are; 0 where these are more than 15, and then the first four
    /// begin with their number. None if there are too many.
    pub fn pairs(&self) -> Option<(Vec<[u32; 2]>, Vec<u32>)> {
        let (mut pairs, mut lists) = (Vec::with_capacity(self.start.len()), Vec::new());
        for ends in self.start.windows(2) {
            let places = &self.place[ends[0] as usize..ends[1] as usize];
            pairs.push(match *places {
                [one] => [one, NONE],
                [one, other] => [one, other],
                _ => [NONE, listed(places, &mut lists)?],
            });
        }
        Some((pairs, lists))
    }

    /// The sum of row i.
    #[inline]
    pub fn of<S: Scalar>(&self, i: usize, local: &[S]) -> S {
        let places = &self.place[self.start[i] as usize..self.start[i + 1] as usize];
        let mut sum = S::zero();
        for &place in places {
            let value = local[(place & !SIGN) as usize];
            sum += if place & SIGN == 0 { value } else { -value };
        }
        sum
    }
}

/// Appends places by fours and returns where and how many; none where the number of the first does not fit 28 bits.
fn listed(places: &[u32], lists: &mut Vec<u32>) -> Option<u32> {
    let (first, fours) = (u32::try_from(lists.len() / 4).ok()?, places.len().div_ceil(4).max(1));
    if fours > 15 {
        lists.extend([fours as u32, NONE, NONE, NONE]);
    }
    lists.extend(places);
    lists.resize(lists.len() + 4 * fours - places.len(), NONE);
    (first < 1 << 28).then_some(first << 4 | if fours > 15 { 0 } else { fours as u32 })
}

/// The rows behind the last full piece.
fn last(start: &[u32]) -> Option<&[u32]> {
    let rows = start.len() - 1;
    (!rows.is_multiple_of(ROWS)).then(|| &start[rows / ROWS * ROWS..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_one_place_or_two_and_lists_the_others() {
        let many: Vec<u32> = (0..61).collect();
        let place = [&[7, 8, 9 | SIGN, 1, 2, 3], &many[..]].concat();
        let sums = Sums { start: vec![0, 1, 3, 3, 6, 67], place };
        let (pairs, lists) = sums.pairs().unwrap();
        assert_eq!(pairs, [[7, NONE], [8, 9 | SIGN], [NONE, 1], [NONE, 1 << 4 | 1], [NONE, 2 << 4]]);
        assert_eq!(lists[..12], [NONE, NONE, NONE, NONE, 1, 2, 3, NONE, 16, NONE, NONE, NONE]);
        assert_eq!((&lists[12..73], &lists[73..]), (&many[..], &[NONE; 3][..]));
    }

    #[test]
    fn every_function_sums_its_places_in_ascending_order() {
        let rows = 2 * ROWS + 5;
        let index: Vec<u32> = (0..5 * rows as u32).map(|k| k * 7 % (rows as u32 + 3)).collect();
        let index: Vec<u32> = index.iter().enumerate().map(|(k, &i)| if k % 11 == 0 { i | SIGN } else { i }).collect();
        let sums = Sums::new(rows, &index, &|i| (i < rows as u32).then_some(i as usize));
        for row in [0, 3, ROWS - 1, ROWS, 2 * ROWS - 1, 2 * ROWS, rows - 1] {
            let expected = (0..index.len() as u32).filter(|&k| index[k as usize] & !SIGN == row as u32);
            let expected: Vec<u32> = expected.map(|k| k | (index[k as usize] & SIGN)).collect();
            assert_eq!(sums.place[sums.start[row] as usize..sums.start[row + 1] as usize], expected);
        }
        let local: Vec<f64> = (0..index.len()).map(|k| k as f64).collect();
        let one: f64 = (0..index.len())
            .filter(|&k| index[k] & !SIGN == 3)
            .map(|k| if k % 11 == 0 { -local[k] } else { local[k] })
            .sum();
        assert_eq!(sums.of(3, &local), one);
    }
}
