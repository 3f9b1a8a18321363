//! The lines below the header, in parallel: one worker reads (and decompresses) blocks of lines, all others parse them.
//! The reading worker parses too when every buffer is waiting, so it never runs far ahead and a single thread suffices.

use super::input::Input;
use crate::error::Result;
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
    let buffers = Mutex::new(vec![Vec::new(); 2 * rayon::current_num_threads() + 2]);
    let parsed = Mutex::new(Vec::new());
    let faulty = AtomicBool::new(false);
    rayon::scope(|scope| {
        for index in 0.. {
            let mut block = free_buffer(&buffers);
            // Damaged gzip data make faulty lines: read on, because the damage is what the user should hear of.
            if faulty.load(Ordering::Relaxed) && !input.compressed() || !input.block(&mut block)? {
                return Ok(());
            }
            let (buffers, parsed, faulty, parse_block) = (&buffers, &parsed, &faulty, &parse_block);
            scope.spawn(move |_| {
                let piece = parse_block(&block);
                faulty.fetch_or(piece.is_err(), Ordering::Relaxed);
                lock(parsed).push((index, piece));
                lock(buffers).push(block);
            });
        }
        Ok(())
    })?;
    let mut parsed = parsed.into_inner().unwrap_or_else(PoisonError::into_inner);
    parsed.sort_unstable_by_key(|piece: &(u32, _)| piece.0);
    let mut above = header_lines;
    let mut pieces = Vec::with_capacity(parsed.len());
    for (_, piece) in parsed {
        let piece = piece.map_err(|fault| input.error(above + fault.line, fault.expected, fault.found))?;
        let placed = Placed { above, piece };
        above += placed.lines();
        pieces.push(placed);
    }
    Ok(pieces)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn free_buffer(buffers: &Mutex<Vec<Vec<u8>>>) -> Vec<u8> {
    loop {
        if let Some(buffer) = lock(buffers).pop() {
            return buffer;
        }
        if rayon::yield_now() != Some(rayon::Yield::Executed) {
            std::thread::yield_now();
        }
    }
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
