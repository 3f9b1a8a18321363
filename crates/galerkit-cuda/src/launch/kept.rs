//! Device memory that was freed and is kept for the next buffer of about its size: getting a gigabyte from the driver, or giving it back,
//! takes as long as 40 products with a matrix of that size. What is kept counts as free, and goes back to the driver when
//! somebody needs it in another shape.

use cudarc::driver::{result, sys};
use std::sync::{Mutex, PoisonError};

/// The part of a GPU's memory that may be kept.
const SHARE: usize = 16;
/// Blocks that are looked through.
const MOST: usize = 256;
/// The driver has smaller ones at hand.
pub(super) const LEAST: usize = 1 << 20;

/// Memory that nobody uses.
struct Block {
    ordinal: usize,
    pointer: sys::CUdeviceptr,
    bytes: usize,
}

static BLOCKS: Mutex<Vec<Block>> = Mutex::new(Vec::new());

fn blocks<R>(work: impl FnOnce(&mut Vec<Block>) -> R) -> R {
    work(&mut BLOCKS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A block of a GPU that has room for so many bytes and not much more; and its size.
pub(super) fn take(ordinal: usize, bytes: usize) -> Option<(sys::CUdeviceptr, usize)> {
    blocks(|blocks| {
        let place = best(blocks.iter().map(|block| (block.ordinal == ordinal).then_some(block.bytes)), bytes)?;
        let Block { pointer, bytes, .. } = blocks.swap_remove(place);
        Some((pointer, bytes))
    })
}

/// The place of the smallest size that is enough and wastes little.
fn best(sizes: impl Iterator<Item = Option<usize>>, bytes: usize) -> Option<usize> {
    let most = bytes + bytes / 8;
    let fits = sizes.enumerate().filter_map(|(place, size)| Some((size?, place)));
    fits.filter(|(size, _)| (bytes..=most).contains(size)).min().map(|(_, place)| place)
}

/// Keeps a block that no work uses any more, on a GPU of so much memory; false if there is enough of that already.
pub(super) fn keep(ordinal: usize, memory: usize, pointer: sys::CUdeviceptr, bytes: usize) -> bool {
    blocks(|blocks| {
        let held: usize = blocks.iter().filter(|block| block.ordinal == ordinal).map(|block| block.bytes).sum();
        let keeps = held + bytes <= memory / SHARE && blocks.len() < MOST;
        if keeps {
            blocks.push(Block { ordinal, pointer, bytes });
        }
        keeps
    })
}

/// Bytes that are kept of a GPU.
pub(super) fn held(ordinal: usize) -> usize {
    blocks(|blocks| blocks.iter().filter(|block| block.ordinal == ordinal).map(|block| block.bytes).sum())
}

/// Gives everything that is kept of a GPU back to the driver; its context must be the thread's. Whether there was anything.
pub(super) fn give_back(ordinal: usize) -> bool {
    let gone: Vec<Block> = blocks(|blocks| {
        let (gone, others) = blocks.drain(..).partition(|block| block.ordinal == ordinal);
        *blocks = others;
        gone
    });
    for block in &gone {
        // SAFETY: allocated by a buffer that is gone, and taken from the list: freed once; no work uses it.
        let _ = unsafe { result::free_sync(block.pointer) }; // a lost context has freed it already
    }
    !gone.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_block_that_is_enough_and_wastes_little() {
        let sizes = [Some(4096), Some(1000), None, Some(1100), Some(8192)];
        let found = |bytes| best(sizes.into_iter(), bytes);
        assert_eq!(found(1000), Some(1));
        assert_eq!(found(1001), Some(3));
        assert_eq!([found(2000), found(9000), found(7400)], [None, None, Some(4)]);
    }
}
