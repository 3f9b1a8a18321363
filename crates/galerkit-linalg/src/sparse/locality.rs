//! How scattered a product y = A x reads x, and whether reordering pays. The rows are cut into blocks of 65536 entries
//! on average: what such a block streams through a cache is about what the cache holds, so x is taken to be read from
//! memory once for each block and 64-byte line. Bytes of one product are then streamed (values, columns, row starts,
//! y) + 64 * lines touched; the least is one reading of x. The rule of [`reordering_pays`]: (1) the matrix is square and x
//! is larger than a cache (1 MiB); (2) with x read once, the product would move at least 1.25 times fewer bytes; (3) so
//! it does, measured, after reverse Cuthill-McKee. Those are facts of the matrix. What an order costs, and how many
//! products win that back, is for who knows the machine: (1) and (2) are [`may_gain`], (3) is [`Advice::of`], and
//! between them may stand a question.

use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::pattern::{self, Pattern};
use crate::sparse::{Csr, Permutation, reverse_cuthill_mckee};
use std::fmt;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Vectors up to this size are gathered from the cache of one core, in whatever order.
const CACHE_BYTES: usize = 1 << 20;
/// Entries in a block of rows.
const BLOCK_ENTRIES: u64 = 1 << 16;
/// Blocks that are looked at, evenly spread; the rest is extrapolated.
const SAMPLES: usize = 64;
/// The least ratio of bytes before and after that makes reordering worth its set-up (about 20 to 40 products).
const LEAST_GAIN: f64 = 1.25;

/// The memory traffic of one product, by the model of this module.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Locality {
    /// Bytes read and written in sequence: matrix, row starts and y.
    pub streamed_bytes: f64,
    /// Lines of x touched, counted once for each block of rows.
    pub lines_touched: f64,
    /// Lines of x.
    pub least_lines: f64,
}

impl Locality {
    /// How often each line of x is fetched on average; 1 is the least.
    pub fn scatter(&self) -> f64 {
        if self.least_lines == 0.0 { 1.0 } else { self.lines_touched / self.least_lines }
    }
    /// Bytes one product moves.
    pub fn bytes(&self) -> f64 {
        self.streamed_bytes + LINE as f64 * self.lines_touched
    }
    /// Bytes one product would move in the best order imaginable.
    pub fn least_bytes(&self) -> f64 {
        self.streamed_bytes + LINE as f64 * self.least_lines.min(self.lines_touched)
    }
}

/// Why reordering was chosen or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Reverse Cuthill-McKee makes the product cheaper.
    Pays,
    /// A rectangular matrix has no symmetric permutation.
    NotSquare,
    /// x fits the cache, so its order does not matter.
    FitsCache,
    /// The given order is close to the best.
    AlreadyLocal,
    /// Reverse Cuthill-McKee was tried and gained too little.
    NoGain,
}

/// The decision on reordering, with the numbers behind it.
#[derive(Clone, Debug)]
pub struct Advice {
    /// What was decided and why.
    pub verdict: Verdict,
    /// Traffic in the given order.
    pub before: Locality,
    /// Traffic after reverse Cuthill-McKee, where that was tried.
    pub after: Option<Locality>,
    /// The new order; there exactly when the verdict is [`Verdict::Pays`].
    pub permutation: Option<Permutation>,
}

impl Advice {
    /// What to do with an order that gives this traffic, where [`may_gain`] said that one may.
    pub fn of(order: Permutation, before: Locality, after: Locality) -> Self {
        let pays = before.bytes() >= LEAST_GAIN * after.bytes();
        let (verdict, permutation) = if pays { (Verdict::Pays, Some(order)) } else { (Verdict::NoGain, None) };
        Self { verdict, before, after: Some(after), permutation }
    }

    fn stay(verdict: Verdict, before: Locality) -> Self {
        Self { verdict, before, after: None, permutation: None }
    }

    /// Bytes before over bytes after; 1 where nothing was tried.
    pub fn expected_speedup(&self) -> f64 {
        self.after.map_or(1.0, |after| self.before.bytes() / after.bytes())
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, gain) = (self.before.scatter(), self.expected_speedup());
        let after = self.after.map_or(before, |after| after.scatter());
        match self.verdict {
            Verdict::Pays => write!(
                f,
                "reordered: lines of x fetched {before:.1} times each before, {after:.1} after, bytes / {gain:.2}"
            ),
            Verdict::NotSquare => write!(f, "not reordered: the matrix is not square"),
            Verdict::FitsCache => write!(f, "not reordered: x fits the cache"),
            Verdict::AlreadyLocal => write!(f, "not reordered: lines of x are fetched only {before:.1} times each"),
            Verdict::NoGain => write!(
                f,
                "not reordered: lines of x fetched {before:.1} times each before, {after:.1} after, bytes / {gain:.2}"
            ),
        }
    }
}

/// Estimates the traffic of y = A x in the order the matrix has.
pub fn locality<S: Scalar>(A: &Csr<S>) -> Locality {
    pattern_locality(A, size_of::<S>())
}

/// The same for values of so many bytes.
pub fn pattern_locality(A: &dyn Pattern, scalar: usize) -> Locality {
    traffic(A, scalar, None)
}

/// Estimates the traffic of y = A x in another order, without permuting.
pub fn locality_in<S: Scalar>(A: &Csr<S>, order: &Permutation) -> Locality {
    traffic(A, size_of::<S>(), Some(order))
}

/// The traffic of y = A x where another order may make it less; the advice to stay otherwise. Values have so many
/// bytes. Computes no order.
pub fn may_gain(A: &dyn Pattern, scalar: usize) -> Result<Locality, Advice> {
    let before = pattern_locality(A, scalar);
    let verdict = if A.rows() != A.cols() {
        Verdict::NotSquare
    } else if A.cols() * scalar <= CACHE_BYTES {
        Verdict::FitsCache
    } else if before.bytes() < LEAST_GAIN * before.least_bytes() {
        Verdict::AlreadyLocal
    } else {
        return Ok(before);
    };
    Err(Advice::stay(verdict, before))
}

/// Decides by the rule of this module, computing reverse Cuthill-McKee only where it may pay.
pub fn reordering_pays<S: Scalar>(A: &Csr<S>) -> Advice {
    let before = match may_gain(A, size_of::<S>()) {
        Ok(before) => before,
        Err(stay) => return stay,
    };
    match reverse_cuthill_mckee(A) {
        Ok(order) => {
            let after = locality_in(A, &order);
            Advice::of(order, before, after)
        }
        Err(_) => Advice::stay(Verdict::NotSquare, before),
    }
}

/// Different numbers, counted: a table of twice as many places, each number in the first free one from its own on.
struct Distinct {
    table: Vec<u32>,
    shift: u32,
    count: u64,
}

impl Distinct {
    const NONE: u32 = u32::MAX;

    fn of_at_most(count: usize) -> Self {
        let places = (2 * count).max(2).next_power_of_two();
        Self { table: vec![Self::NONE; places], shift: 32 - places.trailing_zeros().min(32), count: 0 }
    }

    fn insert(&mut self, number: u32) {
        let mask = self.table.len() - 1;
        let mut place = number.wrapping_mul(0x9e37_79b1).checked_shr(self.shift).unwrap_or(0) as usize & mask;
        while self.table[place] != number {
            if self.table[place] == Self::NONE {
                (self.table[place], self.count) = (number, self.count + 1);
                return;
            }
            place = (place + 1) & mask;
        }
    }
}

/// Traffic in an order, or in the one that the matrix has.
fn traffic(A: &dyn Pattern, scalar: usize, order: Option<&Permutation>) -> Locality {
    let per_line = LINE / scalar;
    let shift = per_line.trailing_zeros(); // scalars have 4, 8 or 16 bytes
    let old = |s: usize| order.map_or(s, |order| order.old()[s] as usize);
    let blocks = (A.nnz() as u64).div_ceil(BLOCK_ENTRIES) as usize;
    let rows_per_block = A.rows().div_ceil(blocks.max(1));
    let samples = blocks.min(SAMPLES);
    let mut counts = vec![(0u64, 0u64); samples];
    parallel::each_chunk(&mut counts, 1, &|sample, counts| {
        let first = sample * blocks / samples * rows_per_block;
        let rows = first..(first + rows_per_block).min(A.rows());
        let mut room = Vec::new();
        let entries = rows.clone().map(|s| A.columns(old(s), &mut room).len()).sum();
        let mut lines = Distinct::of_at_most(entries);
        for s in rows {
            let columns = A.columns(old(s), &mut room).iter();
            match order {
                None => columns.for_each(|&j| lines.insert(j >> shift)),
                Some(order) => columns.for_each(|&j| lines.insert(order.new_position()[j as usize] >> shift)),
            }
        }
        counts[0] = (lines.count, entries as u64);
    });
    let (lines, entries) = counts.iter().fold((0, 0), |(lines, entries), count| (lines + count.0, entries + count.1));
    let scale = if entries == 0 { 0.0 } else { A.nnz() as f64 / entries as f64 };
    Locality {
        streamed_bytes: (pattern::bytes(A, scalar) + A.rows() * scalar) as f64,
        lines_touched: lines as f64 * scale,
        least_lines: A.cols().div_ceil(per_line) as f64,
    }
}
