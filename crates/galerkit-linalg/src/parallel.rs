//! Loops over the threads of the current pool. Work is a `&dyn Fn`, called a few times for each thread: it costs nothing there, and
//! rayon's splitting and joining is compiled once instead of once for each closure and scalar, which took a quarter of
//! the time to build.

use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Calls `work` for each number below `count`, on any thread.
pub(crate) fn each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    if count == 1 {
        return work(0);
    }
    (0..count).into_par_iter().with_max_len(1).for_each(work);
}

/// Calls `work` with each of the pieces, on any thread.
pub(crate) fn each_piece<T: Send>(pieces: Vec<T>, work: &(dyn Fn(T) + Sync)) {
    let pieces: Vec<Mutex<Option<T>>> = pieces.into_iter().map(|piece| Mutex::new(Some(piece))).collect();
    each(pieces.len(), &|k| {
        let piece = pieces[k].lock().unwrap_or_else(PoisonError::into_inner).take();
        piece.into_iter().for_each(work);
    });
}

/// Calls `work` with the first index and the entries of each chunk of so many, on any thread.
pub(crate) fn each_chunk<T: Send>(all: &mut [T], size: usize, work: &(dyn Fn(usize, &mut [T]) + Sync)) {
    let chunks = all.chunks_mut(size).enumerate().map(|(k, chunk)| (k * size, chunk)).collect();
    each_piece(chunks, &|(first, chunk)| work(first, chunk));
}

/// One value for each number below `count`, in order.
pub(crate) fn collect<T: Send + Default + Clone>(count: usize, value: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let mut all = vec![T::default(); count];
    each_chunk(&mut all, 1024, &|first, chunk| chunk.iter_mut().zip(first..).for_each(|(out, i)| *out = value(i)));
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
        each_chunk(&mut [0u8; 0], 4, &|_, _| panic!("nothing to do"));
    }
}
