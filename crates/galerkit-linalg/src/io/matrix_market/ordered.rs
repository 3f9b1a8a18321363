//! The fast way for files that list their entries row by row or column by column, as nearly all do.
//!
//! Blocks are parsed in any order, but take their places in the order of the file: a block knows where its entries go
//! as soon as all blocks before it have been counted, and then copies them straight into the final arrays. There is no
//! sorting, no list of triples and no second reading. Whatever does not fit (an entry out of order, a duplicate, an
//! illegal line, a wrong count) ends the attempt; the general way then reads the text again and says what is wrong.

use super::body::{for_each_block, lock};
use super::complain::{is_empty_line, split_line};
use super::header::{Field, Header, Symmetry};
use super::input::Input;
use super::line::{Before, check_diagonal};
use super::sort::Entry;
use crate::scalar::Scalar;
use std::collections::BTreeMap;
use std::mem::take;
use std::sync::{Mutex, PoisonError};

/// How the file lists its entries, each strictly ascending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Rows,
    Columns,
}

impl Order {
    /// How many rows (or columns) there are.
    fn count(self, header: &Header) -> usize {
        match self {
            Order::Rows => header.rows,
            Order::Columns => header.cols,
        }
    }
}

/// The entries as listed: those of row (or column) i are `start[i]..start[i + 1]`.
pub(super) struct Ordered<S> {
    pub(super) order: Order,
    pub(super) start: Vec<u64>,
    /// The column (or row) of each entry.
    pub(super) minor: Vec<u32>,
    pub(super) val: Vec<S>,
}

/// Entries of one block.
struct Block<S> {
    entries: Vec<Entry<S>>,
    facts: Facts,
}

/// Memory for the entries of a block, and the order they must have when it is known already.
struct Reuse<S> {
    entries: Vec<Entry<S>>,
    order: Option<Order>,
}

/// What is known of a run of entries.
#[derive(Clone, Copy)]
struct Facts {
    by_rows: bool,
    by_columns: bool,
    lower: bool,
    upper: bool,
}

/// Reads the entries, or nothing when the file must be read the general way.
pub(super) fn read<S: Scalar>(input: &mut Input, header: &Header) -> Option<Ordered<S>> {
    let text = input.text_bytes()?;
    let dimension = header.rows.max(header.cols);
    // The size line is believed only as far as the text can bear it out, so that memory stays within reason:
    // a line has four bytes at least, and rows (or columns) beyond one for each byte are rare enough.
    if header.stored as u64 > text / 4 + 1 || dimension as u64 > text.max(1 << 24) {
        return None;
    }
    let mut start = vec![0u64; dimension + 1];
    let (mut minor, mut val) = (vec![0u32; header.stored], vec![S::zero(); header.stored]);
    let assembly = Mutex::new(Assembly::new(&mut start, &mut minor, &mut val));
    let complete = for_each_block(input, &|index, text| {
        let reuse = lock(&assembly).reuse();
        match lines(header, text, reuse) {
            Some(block) => deliver(&assembly, index, block),
            None => false,
        }
    })
    .ok()?;
    if !complete {
        return None;
    }
    let assembly = assembly.into_inner().unwrap_or_else(PoisonError::into_inner);
    let order = assembly.finish(header)?;
    start.truncate(order.count(header) + 1);
    Some(Ordered { order, start, minor, val })
}

fn lines<S: Scalar>(header: &Header, text: &[u8], reuse: Reuse<S>) -> Option<Block<S>> {
    // Written out so that each loop is compiled for its field.
    match header.field {
        Field::Real => collect(header, Field::Real, text, reuse),
        Field::Integer => collect(header, Field::Integer, text, reuse),
        Field::Complex => collect(header, Field::Complex, text, reuse),
        Field::Pattern => collect(header, Field::Pattern, text, reuse),
    }
}

#[inline(always)]
fn collect<S: Scalar>(header: &Header, field: Field, mut text: &[u8], reuse: Reuse<S>) -> Option<Block<S>> {
    let Reuse { mut entries, order } = reuse;
    let mut before = Before::NOTHING;
    entries.clear();
    let (rows, cols) = (header.rows as u32, header.cols as u32); // checked by the size line
    while !text.is_empty() {
        let Some((row, col, val, rest)) = before.entry(text, field) else {
            let (this, rest) = split_line(text);
            if !is_empty_line(this) {
                return None;
            }
            text = rest;
            continue;
        };
        let (row, col) = (row.wrapping_sub(1), col.wrapping_sub(1));
        if row >= rows || col >= cols {
            return None;
        }
        entries.push(Entry { row, col, val });
        text = rest;
    }
    let facts = facts(header, order, &entries)?;
    Some(Block { entries, facts })
}

fn facts<S: Scalar>(header: &Header, order: Option<Order>, entries: &[Entry<S>]) -> Option<Facts> {
    let by = |wanted| order.is_none_or(|order| order == wanted) && ascending(wanted, entries);
    let mut facts = Facts { by_rows: by(Order::Rows), by_columns: by(Order::Columns), lower: false, upper: false };
    if header.symmetry != Symmetry::General {
        for entry in entries {
            facts.lower |= entry.row > entry.col;
            facts.upper |= entry.row < entry.col;
            if entry.row == entry.col {
                check_diagonal(header.symmetry, 0, entry.val).ok()?;
            }
        }
    }
    Some(facts)
}

fn ascending<S: Scalar>(order: Order, entries: &[Entry<S>]) -> bool {
    entries.is_sorted_by(|one, other| key(order, one) < key(order, other))
}

/// Entries ascend when their keys do.
#[inline(always)]
fn key<S>(order: Order, entry: &Entry<S>) -> u64 {
    let (major, minor) = places(order, entry);
    u64::from(major) << 32 | u64::from(minor)
}

#[inline(always)]
fn places<S>(order: Order, entry: &Entry<S>) -> (u32, u32) {
    match order {
        Order::Rows => (entry.row, entry.col),
        Order::Columns => (entry.col, entry.row),
    }
}

/// Takes blocks in the order of the file and gives each its stretch of the final arrays.
struct Assembly<'a, S> {
    order: Option<Order>,
    next: usize,
    waiting: BTreeMap<usize, Block<S>>,
    spare: Vec<Vec<Entry<S>>>,
    facts: Facts,
    last: Option<u64>, // key of the last entry placed
    offset: u64,       // entries placed
    begun: usize,      // rows (or columns) whose start is known
    start: &'a mut [u64],
    minor: &'a mut [u32],
    val: &'a mut [S],
}

/// A block and its places.
struct Stretch<'a, S> {
    block: Block<S>,
    order: Order,
    offset: u64,
    begun: usize,
    start: &'a mut [u64],
    minor: &'a mut [u32],
    val: &'a mut [S],
}

/// Hands in a block and copies every block whose turn has come; false when the file does not fit.
fn deliver<S: Scalar>(assembly: &Mutex<Assembly<S>>, index: usize, block: Block<S>) -> bool {
    lock(assembly).waiting.insert(index, block);
    loop {
        let claimed = {
            let mut assembly = lock(assembly);
            let next = assembly.next;
            let Some(block) = assembly.waiting.remove(&next) else { return true };
            assembly.claim(block)
        };
        let Some(stretch) = claimed else { return false };
        let spare = stretch.fill();
        lock(assembly).spare.push(spare);
    }
}

impl<'a, S: Scalar> Assembly<'a, S> {
    fn new(start: &'a mut [u64], minor: &'a mut [u32], val: &'a mut [S]) -> Self {
        let facts = Facts { by_rows: true, by_columns: true, lower: false, upper: false };
        let (waiting, spare) = (BTreeMap::new(), Vec::new());
        let (order, last) = (None, None);
        Self { order, next: 0, waiting, spare, facts, last, offset: 0, begun: 0, start, minor, val }
    }

    fn reuse(&mut self) -> Reuse<S> {
        Reuse { entries: self.spare.pop().unwrap_or_default(), order: self.order }
    }

    fn claim(&mut self, block: Block<S>) -> Option<Stretch<'a, S>> {
        let first_order = if block.facts.by_rows { Order::Rows } else { Order::Columns };
        let order = *self.order.get_or_insert(first_order);
        self.facts.lower |= block.facts.lower;
        self.facts.upper |= block.facts.upper;
        let ordered = if order == Order::Rows { block.facts.by_rows } else { block.facts.by_columns };
        let follows = block.entries.first().is_none_or(|entry| self.last.is_none_or(|last| last < key(order, entry)));
        let count = block.entries.len();
        if !ordered || !follows || count > self.minor.len() || self.facts.lower && self.facts.upper {
            return None;
        }
        self.next += 1;
        let (begun, offset) = (self.begun, self.offset);
        if let Some(entry) = block.entries.last() {
            self.last = Some(key(order, entry));
            self.begun = places(order, entry).0 as usize + 1;
        }
        self.offset += count as u64;
        let (start, minor, val);
        (start, self.start) = take(&mut self.start).split_at_mut(self.begun - begun);
        (minor, self.minor) = take(&mut self.minor).split_at_mut(count);
        (val, self.val) = take(&mut self.val).split_at_mut(count);
        Some(Stretch { block, order, offset, begun, start, minor, val })
    }

    /// Closes the last rows; nothing when entries are missing.
    fn finish(self, header: &Header) -> Option<Order> {
        let order = self.order.unwrap_or(Order::Rows);
        self.start[..order.count(header) + 1 - self.begun].fill(self.offset);
        self.minor.is_empty().then_some(order)
    }
}

impl<S: Scalar> Stretch<'_, S> {
    /// Copies the entries; gives back the memory of the block.
    fn fill(self) -> Vec<Entry<S>> {
        match self.order {
            Order::Rows => self.fill_by(|entry| places(Order::Rows, entry)),
            Order::Columns => self.fill_by(|entry| places(Order::Columns, entry)),
        }
    }

    #[inline(always)]
    fn fill_by(self, places: impl Fn(&Entry<S>) -> (u32, u32)) -> Vec<Entry<S>> {
        let mut begun = 0;
        let slots = self.minor.iter_mut().zip(self.val.iter_mut());
        for (k, (entry, (minor, val))) in self.block.entries.iter().zip(slots).enumerate() {
            let major;
            (major, *minor) = places(entry);
            *val = entry.val;
            while self.begun + begun <= major as usize {
                self.start[begun] = self.offset + k as u64;
                begun += 1;
            }
        }
        self.block.entries
    }
}
