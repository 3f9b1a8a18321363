//! Pointwise closures on threads: each has its rows of every vector that is updated.

use super::partition::{even, split_mut};
use crate::backend;
use crate::parallel;
use crate::program::Tape;
use crate::scalar::Scalar;
use std::ops::Range;

/// Runs a compiled closure on every entry.
pub fn run<S: Scalar, const U: usize, const R: usize>(
    update: [&mut [S]; U],
    read: [&[S]; R],
    f: &(impl Fn([S; U], [S; R]) -> [S; U] + Sync),
) {
    let parts = even(update.first().map_or(0, |y| y.len()));
    let mut pieces: Vec<_> = update.into_iter().map(|y| split_mut(&parts, y).into_iter()).collect();
    let shares: Vec<(Range<usize>, [&mut [S]; U])> = parts
        .iter()
        .map(|part| {
            let own = std::array::from_fn(|k| pieces[k].next().expect("every vector is split into the same parts"));
            (part.clone(), own)
        })
        .collect();
    parallel::each_piece(shares, &|(rows, own): (Range<usize>, [&mut [S]; U])| {
        backend::pointwise(own, std::array::from_fn(|k| &read[k][rows.clone()]), f);
    });
}

/// Evaluates a recorded closure for every entry.
pub fn evaluate<S: Scalar>(tape: &Tape, update: &mut [Vec<S>], read: &[&[S]], slots: &[S]) {
    let parts = even(update.first().map_or(0, Vec::len));
    let mut pieces: Vec<_> = update.iter_mut().map(|y| split_mut(&parts, y).into_iter()).collect();
    let share = |part: &Range<usize>| {
        let own: Vec<&mut [S]> = pieces.iter_mut().filter_map(|pieces| pieces.next()).collect();
        (part.clone(), own)
    };
    let shares: Vec<(Range<usize>, Vec<&mut [S]>)> = parts.iter().map(share).collect();
    parallel::each_piece(shares, &|(rows, mut own): (Range<usize>, Vec<&mut [S]>)| {
        let read: Vec<&[S]> = read.iter().map(|x| &x[rows.clone()]).collect();
        evaluate_slices(tape, &mut own, &read, slots);
    });
}

/// The same for slices of one thread. Inputs are loaded before outputs of the same run are stored.
pub fn evaluate_slices<S: Scalar>(tape: &Tape, update: &mut [&mut [S]], read: &[&[S]], slots: &[S]) {
    let length = update.first().map_or(0, |y| y.len());
    let count = update.len();
    let own = std::cell::RefCell::new(update);
    let load = |input: usize, first: usize, to: &mut [S]| {
        let own = own.borrow();
        let from = if input < count { &*own[input] } else { read[input - count] };
        to.copy_from_slice(&from[first..first + to.len()]);
    };
    tape.evaluate(length, slots, &load, &mut |output: usize, first: usize, run: &[S]| {
        own.borrow_mut()[output][first..first + run.len()].copy_from_slice(run);
    });
}
