//! Loops over the threads of the current pool. Work is a `&dyn Fn`, called a few times for each thread: it costs
//! nothing there, and rayon's splitting and joining is compiled once instead of once for each closure and scalar, which
//! took a quarter of the time to build. Results are in order, whichever thread computed them.

use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Parts for each thread where values may take unlike times.
const PARTS: usize = 16;
/// Entries that are copied together.
const COPIED: usize = 1 << 18;

/// Calls `work` for each number below `count`, on any thread.
pub fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if count <= 1 {
        return (0..count).for_each(work); // nobody is woken
    }
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

/// Calls `work` once on each of so many threads, this one among them: those that come late may find nothing left to do.
pub fn on_threads(count: usize, work: &(dyn Fn() + Sync)) {
    rayon::scope(|scope| {
        (1..count).for_each(|_| scope.spawn(|_| work()));
        work();
    });
}

/// Calls `work` with each of the pieces, on any thread.
pub fn each_piece<T: Send>(pieces: Vec<T>, work: &(dyn Fn(T) + Sync)) {
    let mut slots = Vec::with_capacity(pieces.len());
    for piece in pieces {
        slots.push(Mutex::new(Some(piece)));
    }
    each(slots.len(), &|k| {
        let piece = slots[k].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(piece) = piece {
            work(piece);
        }
    });
}

/// Calls `work` with the number of each of many small pieces and the piece, several to a task; the first error of those
/// that were met.
pub fn try_each_piece<T: Send, E: Send>(
    pieces: Vec<T>,
    work: &(dyn Fn(usize, T) -> Result<(), E> + Sync),
) -> Result<(), E> {
    let size = pieces.len().div_ceil(PARTS * rayon::current_num_threads()).max(1);
    let mut groups: Vec<(usize, Vec<T>)> = Vec::new();
    for (k, piece) in pieces.into_iter().enumerate() {
        if k % size == 0 {
            groups.push((k, Vec::with_capacity(size)));
        }
        groups[k / size].1.push(piece);
    }
    let failed = Mutex::new(None);
    each_piece(groups, &|(first, group)| {
        for (k, piece) in (first..).zip(group) {
            if let Err(error) = work(k, piece) {
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                if failed.as_ref().is_none_or(|&(before, _)| k < before) {
                    *failed = Some((k, error));
                }
                return;
            }
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
}

/// Whether a number below `count` is such a one; those behind the first found may not be asked.
pub fn any(count: usize, is_one: &(dyn Fn(usize) -> bool + Sync)) -> bool {
    let (size, found) = (count.div_ceil(PARTS * rayon::current_num_threads()).max(1), AtomicBool::new(false));
    each(count.div_ceil(size), &|k| {
        if !found.load(Ordering::Relaxed) && (k * size..count.min((k + 1) * size)).any(is_one) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}

/// Calls `work` with the first index and the entries of each chunk of so many, on any thread.
pub fn each_chunk<T: Send>(all: &mut [T], size: usize, work: &(dyn Fn(usize, &mut [T]) + Sync)) {
    let chunks = all.chunks_mut(size).enumerate().map(|(k, chunk)| (k * size, chunk)).collect();
    each_piece(chunks, &|(first, chunk)| work(first, chunk));
}

/// One number for each one below `count`, in order; new memory is written first by the threads that fill it.
pub fn collect<T: Send + bytemuck::Zeroable>(count: usize, value: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut all = bytemuck::zeroed_vec(count);
    each_chunk(&mut all, 1024, &|first, chunk| chunk.iter_mut().zip(first..).for_each(|(out, i)| *out = value(i)));
    all
}

/// One value of any kind for each number below `count`, in order: what takes longer than moving it once.
pub fn values<T: Send>(count: usize, value: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let size = count.div_ceil(PARTS * rayon::current_num_threads()).max(1);
    let mut parts = Vec::new();
    parts.resize_with(count.div_ceil(size), || Mutex::new(Vec::new()));
    each(parts.len(), &|k| {
        let made = (k * size..count.min((k + 1) * size)).map(value).collect();
        *parts[k].lock().unwrap_or_else(PoisonError::into_inner) = made;
    });
    let mut all = Vec::with_capacity(count);
    for part in parts {
        all.append(&mut part.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    all
}

/// The values, or the first error.
pub fn try_values<T: Send, E: Send>(count: usize, value: &(dyn Fn(usize) -> Result<T, E> + Sync)) -> Result<Vec<T>, E> {
    let mut all = Vec::with_capacity(count);
    for value in values(count, value) {
        all.push(value?);
    }
    Ok(all)
}

/// Parts behind one another, copied on threads.
pub fn concatenated<T: Copy + Send + Sync + bytemuck::Zeroable>(mut parts: Vec<Vec<T>>) -> Vec<T> {
    if parts.len() == 1 {
        return std::mem::take(&mut parts[0]);
    }
    let mut all = bytemuck::zeroed_vec(parts.iter().map(Vec::len).sum());
    let (mut rest, mut pieces) = (&mut all[..], Vec::with_capacity(parts.len()));
    for part in parts.iter().flat_map(|part| part.chunks(COPIED)) {
        let piece;
        (piece, rest) = rest.split_at_mut(part.len());
        pieces.push((part, piece));
    }
    each_piece(pieces, &|(part, piece): (&[T], &mut [T])| piece.copy_from_slice(part));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_worked_on_once() {
        let mut all = vec![0usize; 2500];
        each_chunk(&mut all, 1000, &|first, chunk| chunk.iter_mut().zip(first..).for_each(|(out, i)| *out += i + 1));
        assert!(all.iter().zip(1..).all(|(&found, expected)| found == expected));
        assert_eq!(collect(5, &|i| i * i), [0, 1, 4, 9, 16]);
        assert_eq!(values(2500, &|i| vec![i]).concat(), (0..2500).collect::<Vec<_>>());
        let refused = try_values(100, &|i| if i % 40 == 39 { Err(i) } else { Ok(()) });
        assert_eq!(refused, Err(39), "the first of two errors");
        assert_eq!(values(0, &|i| i), []);
        let refuse = |i: usize, piece: usize| if piece % 80 == 78 { Err(i) } else { Ok(()) };
        assert_eq!(try_each_piece((0..200).step_by(2).collect(), &refuse), Err(39), "the first of two errors");
        assert_eq!(try_each_piece((0..70).collect(), &refuse), Ok(()));
        assert!(any(1000, &|i| i == 999) && !any(1000, &|i| i == 1000) && !any(0, &|_| true));
        assert_eq!(concatenated(vec![vec![1, 2], vec![], vec![3]]), [1, 2, 3]);
        each_chunk(&mut [0u8; 0], 4, &|_, _| panic!("nothing to do"));
    }
}
