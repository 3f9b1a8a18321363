//! Reverse Cuthill-McKee without leaving the GPU: the order of [`galerkit_linalg::sparse::reverse_cuthill_mckee`],
//! vertex for vertex, by one persistent kernel whose blocks wait for each other three times a level. Kernels:
//! ordering.cu, mirror.cu.
//!
//! A level costs the GPU some microseconds however small it is, and rows are compared entry by entry, so it leaves to
//! the host what has too many levels or components for its size, rows that are too long, and patterns that do not
//! mirror themselves: see [`Left`].

mod kernels;

use crate::error::Result;
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use galerkit_linalg::Scalar;
use galerkit_linalg::sparse::{Csr, Permutation};
use kernels::Kernels;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use kernels::source;

/// Entries of a row above which comparing its children with each other would take too long.
const LONGEST: u64 = 1024;
/// Levels of all sweeps that are always tried, and rows for each one more: at some 10 us a level, not much longer than
/// the host takes.
const LEVELS: usize = 1 << 10;
const ROWS_PER_LEVEL: usize = 1 << 8;
/// Components at most; each costs levels too.
const COMPONENTS: usize = 1 << 6;

/// A square pattern in device memory, in compressed rows: 64-bit row starts, 32-bit columns, ascending in each row.
#[derive(Clone, Copy)]
pub struct Pattern<'a> {
    /// Its rows.
    pub rows: usize,
    /// Where each row begins, and the end of the last.
    pub start: &'a Buffer,
    /// Columns.
    pub col: &'a Buffer,
}

/// Why an order was left to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// (i, j) is stored somewhere without (j, i).
    Unsymmetric,
    /// A row has so many entries.
    LongRow(u64),
    /// Its levels or components are too many for so few rows.
    Thin,
    /// Positions need more than 31 bits.
    Large,
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Left::Unsymmetric => write!(f, "the pattern is not symmetric"),
            Left::LongRow(length) => write!(f, "a row has {length} entries"),
            Left::Thin => write!(f, "its graph has many levels or components for its rows"),
            Left::Large => write!(f, "it has more than 2^31 rows"),
        }
    }
}

/// An order on the GPU.
pub struct Order {
    /// The old row at each new position, 32 bits each.
    pub old: Buffer,
    /// Levels of all sweeps.
    pub levels: usize,
    /// How long it took by the GPU's own clock, without allocations and copies.
    pub time: Duration,
    rows: usize,
}

impl Order {
    /// The same on the host.
    pub fn download(&self) -> Result<Permutation> {
        Ok(Permutation::from_old(self.old.download(self.rows)?)?)
    }
}

/// Copies the pattern of a square matrix onto the GPU and orders it there.
pub fn order_of<S: Scalar>(gpu: &Arc<Gpu>, jit: &Jit, A: &Csr<S>) -> Result<std::result::Result<Order, Left>> {
    A.require_square("reverse Cuthill-McKee")?;
    order_of_pattern(gpu, jit, A.start(), A.col())
}

fn order_of_pattern(gpu: &Arc<Gpu>, jit: &Jit, start: &[u64], col: &[u32]) -> Result<std::result::Result<Order, Left>> {
    let rows = start.len() - 1;
    let start = Buffer::from_slice(gpu, "the row starts of a pattern", start)?;
    let col = Buffer::from_slice(gpu, "the columns of a pattern", col)?;
    reverse_cuthill_mckee(gpu, jit, Pattern { rows, start: &start, col: &col })
}

/// Orders a pattern, or says why the host should.
pub fn reverse_cuthill_mckee(
    gpu: &Arc<Gpu>,
    jit: &Jit,
    pattern: Pattern<'_>,
) -> Result<std::result::Result<Order, Left>> {
    assert!(pattern.start.bytes() >= 8 * (pattern.rows + 1), "{} rows and fewer row starts", pattern.rows);
    if pattern.rows >= 1 << 31 {
        return Ok(Err(Left::Large));
    }
    let kernels = Kernels::new(gpu, jit)?;
    let room = |what: &str| Buffer::new(gpu, what, 4 * pattern.rows);
    let (offset, order, old) = (room("counting children")?, room("an order")?, room("an order")?);
    let parent = Buffer::filled(gpu, "the parents of vertices", 4 * pattern.rows, 0xff)?;
    let found = Buffer::zeroed(gpu, "the look at a pattern", 3 * 8)?;
    let state = Buffer::zeroed(gpu, "the state of an ordering", 3 * 8)?;
    let words = [pattern.start, pattern.col, &found].map(Buffer::address);
    let looked = gpu.time(|| kernels.look(pattern.rows, words))?;
    match found.download::<u64>(3)?[..] {
        [0, 0, longest] if longest <= LONGEST => (),
        [0, 0, longest] => return Ok(Err(Left::LongRow(longest))),
        _ => return Ok(Err(Left::Unsymmetric)),
    }
    let limits = [LEVELS + pattern.rows / ROWS_PER_LEVEL, COMPONENTS];
    let partial = Buffer::new(gpu, "counting children", 4 * kernels.blocks(pattern.rows))?;
    let words = [pattern.start, pattern.col, &parent, &offset, &order, &partial, &state].map(Buffer::address);
    let numbered = gpu.time(|| kernels.number(pattern.rows, limits, words))?;
    let reached = state.download::<u64>(2)?;
    if reached[0] < pattern.rows as u64 {
        return Ok(Err(Left::Thin));
    }
    let reversed = gpu.time(|| kernels.reverse(pattern.rows, &order, &old))?;
    Ok(Ok(Order { old, levels: reached[1] as usize, time: looked + numbered + reversed, rows: pattern.rows }))
}
