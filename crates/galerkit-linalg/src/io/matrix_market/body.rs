//! The lines below the header, in parallel: each worker in turn reads (and decompresses) the next block of lines and
//! parses it while others read on, so that the text goes through one core's cache and is never held as a whole.

use super::input::Input;
use crate::error::Result;
use crate::parallel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is wrong with a line, counted from 1 in its block.
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) expected: String,
    pub(super) found: String,
}

/// A block after parsing.
pub(super) trait Piece: Send {
    /// Entries listed in the block.
    fn entries(&self) -> usize;
    /// Blank and comment lines, counted from 1 in the block.
    fn skipped(&self) -> &[u32];
}

/// A parsed block and the lines of the file above it.
pub(super) struct Placed<P> {
    pub(super) above: usize,
    pub(super) piece: P,
}

impl<P: Piece> Placed<P> {
    fn lines(&self) -> usize {
        self.piece.entries() + self.piece.skipped().len()
    }
}

/// Parses all blocks; the pieces come in the order of the file, and the first fault of the file is the one reported.
pub(super) fn parse<P: Piece>(
    input: &mut Input,
    header_lines: usize,
    parse_block: impl Fn(&[u8]) -> std::result::Result<P, Fault> + Sync,
) -> Result<Vec<Placed<P>>> {
    let parsed = Mutex::new(Vec::new());
    let compressed = input.compressed();
    for_each_block(input, &|index, block| {
        let piece = parse_block(block);
        // Damaged gzip data make faulty lines: read on, because the damage is what the user should hear of.
        let go_on = piece.is_ok() || compressed;
        lock(&parsed).push((index, piece));
        go_on
    })?;
    let parsed: Vec<(usize, _)> = parsed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut in_order = Vec::new();
    in_order.resize_with(parsed.iter().map(|(index, _)| index + 1).max().unwrap_or(0), || None);
    parsed.into_iter().for_each(|(index, piece)| in_order[index] = Some(piece));
    let mut above = header_lines;
    let mut pieces = Vec::with_capacity(in_order.len());
    for piece in in_order.into_iter().flatten() {
        let piece = piece.map_err(|fault| input.error(above + fault.line, fault.expected, fault.found))?;
        let placed = Placed { above, piece };
        above += placed.lines();
        pieces.push(placed);
    }
    Ok(pieces)
}

/// Where the workers take their blocks from.
struct Supply<'a, 'b> {
    input: &'a mut Input<'b>,
    blocks: usize,
    result: Result<()>,
}

/// Calls `work` with every block and its number, from all threads at once, until there are no more or one call says no.
/// Says whether all of them said yes. Blocks are handed out in order: when one call says no, all blocks before have
/// been handed out and will be worked on.
pub(super) fn for_each_block(input: &mut Input, work: &(dyn Fn(usize, &[u8]) -> bool + Sync)) -> Result<bool> {
    let (stopped, refused) = (AtomicBool::new(false), AtomicBool::new(false));
    let supply = Mutex::new(Supply { input, blocks: 0, result: Ok(()) });
    let worker = || {
        let mut block = Vec::new(); // read by the core that parses it, and still in its cache then
        while let Some(index) = next_block(&supply, &stopped, &mut block) {
            if !work(index, &block) {
                refused.store(true, Ordering::Relaxed);
                stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    parallel::on_threads(rayon::current_num_threads(), &worker);
    supply.into_inner().unwrap_or_else(PoisonError::into_inner).result?;
    Ok(!refused.into_inner())
}

fn next_block(supply: &Mutex<Supply>, stopped: &AtomicBool, block: &mut Vec<u8>) -> Option<usize> {
    let mut supply = lock(supply);
    if stopped.load(Ordering::Relaxed) {
        return None;
    }
    match supply.input.block(block) {
        Ok(true) => {
            supply.blocks += 1;
            return Some(supply.blocks - 1);
        }
        Ok(false) => {}
        Err(error) => supply.result = Err(error),
    }
    stopped.store(true, Ordering::Relaxed);
    None
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Compares the number of entries with the one stated; the complaint names the first line too many, or the last one.
pub(super) fn check_count<P: Piece>(
    input: &Input,
    header_lines: usize,
    stated: usize,
    pieces: &[Placed<P>],
) -> Result<()> {
    let found: usize = pieces.iter().map(|placed| placed.piece.entries()).sum();
    let expected = || format!("{stated} entries, as the size line says");
    if found > stated {
        return Err(input.error(
            line_of_entry(pieces, stated),
            expected(),
            format!("{found}, this being one too many"),
        ));
    }
    if found < stated {
        let last = pieces.last().map_or(header_lines, |placed| placed.above + placed.lines());
        return Err(input.error(last, expected(), format!("only {found} up to the end of the file")));
    }
    Ok(())
}

/// Line, from 1, of the entry with index `k`, from 0.
pub(super) fn line_of_entry<P: Piece>(pieces: &[Placed<P>], mut k: usize) -> usize {
    for Placed { above, piece } in pieces {
        if k < piece.entries() {
            let skip = |line, &skipped: &u32| if skipped as usize <= line { line + 1 } else { line };
            return above + piece.skipped().iter().fold(k + 1, skip);
        }
        k -= piece.entries();
    }
    pieces.last().map_or(0, |placed| placed.above + placed.lines())
}
