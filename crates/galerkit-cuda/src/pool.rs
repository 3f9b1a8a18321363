//! Memory for what is needed for a moment: buffers that are taken, given back when dropped, and taken again. All work
//! is on one stream, so a buffer may have its next use queued while its last one still runs; the driver, whose
//! allocations wait, is asked seldom.

use crate::error::Result;
use crate::launch::{Buffer, Gpu};
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A buffer that is too large by more than this factor is left for others.
const MOST_WASTE: usize = 4;
/// Bytes below which waste does not matter.
const SMALL: usize = 1 << 20;

/// Buffers that nobody uses.
pub(crate) struct Pool {
    gpu: Arc<Gpu>,
    what: &'static str,
    free: RefCell<Vec<Buffer>>,
}

/// A buffer of a pool, at least as large as was asked for.
pub(crate) struct Piece<'a> {
    buffer: Option<Buffer>,
    pool: &'a Pool,
}

impl Pool {
    /// An empty pool; `what` is for messages.
    pub(crate) fn new(gpu: &Arc<Gpu>, what: &'static str) -> Self {
        Self { gpu: gpu.clone(), what, free: RefCell::default() }
    }

    /// Room for so many bytes, contents undefined.
    pub(crate) fn piece(&self, bytes: usize) -> Result<Piece<'_>> {
        let found = self.take(bytes);
        let buffer = match found {
            Some(buffer) => buffer,
            None => self.make(bytes)?,
        };
        Ok(Piece { buffer: Some(buffer), pool: self })
    }

    /// The same with the first so many bytes zero.
    pub(crate) fn cleared(&self, bytes: usize) -> Result<Piece<'_>> {
        let piece = self.piece(bytes)?;
        piece.clear_first(bytes);
        Ok(piece)
    }

    /// The smallest free buffer that fits.
    fn take(&self, bytes: usize) -> Option<Buffer> {
        let mut free = self.free.borrow_mut();
        let fits = |buffer: &Buffer| (bytes..=(MOST_WASTE * bytes).max(SMALL)).contains(&buffer.bytes());
        let best = (0..free.len()).filter(|&k| fits(&free[k])).min_by_key(|&k| free[k].bytes())?;
        Some(free.swap_remove(best))
    }

    /// A new buffer; where there is no room, those that nobody uses are given back first.
    fn make(&self, bytes: usize) -> Result<Buffer> {
        Buffer::new(&self.gpu, self.what, bytes).or_else(|_| {
            self.release();
            Buffer::new(&self.gpu, self.what, bytes)
        })
    }

    /// Gives what nobody uses back to the driver.
    pub(crate) fn release(&self) {
        self.free.borrow_mut().clear();
    }
}

impl Deref for Piece<'_> {
    type Target = Buffer;
    fn deref(&self) -> &Buffer {
        self.buffer.as_ref().expect("taken when dropped only")
    }
}

impl DerefMut for Piece<'_> {
    fn deref_mut(&mut self) -> &mut Buffer {
        self.buffer.as_mut().expect("taken when dropped only")
    }
}

impl Drop for Piece<'_> {
    fn drop(&mut self) {
        self.pool.free.borrow_mut().extend(self.buffer.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_is_taken_again() {
        let Some(gpu) = crate::testing::gpu() else { return };
        let pool = Pool::new(&gpu, "a test");
        let first = pool.piece(8 * SMALL).unwrap();
        let (address, second) = (first.address(), pool.piece(4 * SMALL).unwrap());
        assert_ne!(address, second.address(), "it is in use");
        drop(first);
        assert_eq!(pool.piece(7 * SMALL).unwrap().address(), address);
        assert_ne!(pool.piece(SMALL).unwrap().address(), address, "too large for that");
        pool.release();
        assert!(pool.free.borrow().is_empty());
    }
}
