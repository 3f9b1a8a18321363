//! A fused group on the CPU: each thread walks its rows block by block and runs every line of the group on the block
//! while it is in the first-level cache, so each vector is read from memory once for the whole group.
//!
//! Bits are those of the unfused lines: updates are elementwise, and a dot product's partial sums are those of the same
//! blocks.

use super::blas1::{Update, block_dot, block_dot_low, pairwise_sum, update};
use super::loaded::Loaded;
use super::partition::{BLOCK, even, split_mut};
use crate::backend::largest;
use crate::engine::record::{Group, Line, Role, VectorId};
use crate::linear::Linear;
use crate::scalar::Scalar;
use rayon::prelude::*;
use std::ops::Range;

/// What one thread sees of a vector.
enum View<'a, S: Scalar> {
    /// The whole vector, only read in this group.
    Shared(&'a [S]),
    /// This thread's rows of a vector that the group writes.
    Own(&'a mut [S]),
    /// The whole vector, which is in single precision.
    Low(&'a [S::Low]),
}

/// Vectors by name, in the precision of a group and in single precision; each is empty in one of them.
type Vectors<'a, S> = (&'a mut [Vec<S>], &'a [Vec<<S as Scalar>::Low>]);

/// One thread's share of a group.
struct Share<'a, S: Scalar> {
    rows: Range<usize>,
    views: Vec<View<'a, S>>,
    /// For each dot of the group, one partial sum for each block of these rows.
    partial: Vec<Vec<S>>,
}

/// Runs the group on all threads and stores the results of its dots.
pub fn run<S: Scalar>(group: &Group, maps: &[Loaded<S>], vectors: Vectors<'_, S>, slots: &mut [S]) {
    let rows = group.lines.first().map_or(0, |line| vectors.0[line.rows_of().0].len());
    let parts = match group.lines.first() {
        Some(head) if head.map().is_some_and(|A| maps[A.0].role() == Role::Head) => {
            maps[head.map().expect("checked by the guard").0].parts().to_vec()
        }
        _ => even(rows),
    };
    let mut shares = share(group, &parts, vectors);
    let scalars = &*slots;
    match &mut shares[..] {
        [only] => only.walk(group, maps, scalars),
        several => several.par_iter_mut().for_each(|share| share.walk(group, maps, scalars)),
    }
    let mut dots = 0;
    for line in &group.lines {
        if let (Line::Dot { .. } | Line::Largest { .. }, Some(out)) = (line, line.scalar_write()) {
            let partial: Vec<S> = shares.iter().flat_map(|share| share.partial[dots].iter().copied()).collect();
            let is_dot = matches!(line, Line::Dot { .. });
            slots[out.0] = if is_dot { pairwise_sum(&partial) } else { S::from_real(largest(&partial)) };
            dots += 1;
        }
    }
}

/// Hands each thread its rows of the written vectors and all of the others.
fn share<'a, S: Scalar>(group: &Group, parts: &[Range<usize>], (vectors, low): Vectors<'a, S>) -> Vec<Share<'a, S>> {
    let written: Vec<bool> = (0..vectors.len()).map(|v| group.writes(VectorId(v))).collect();
    let mut shares: Vec<Share<'a, S>> = parts
        .iter()
        .map(|rows| Share { rows: rows.clone(), views: Vec::with_capacity(written.len()), partial: Vec::new() })
        .collect();
    for (v, (vector, written)) in vectors.iter_mut().zip(written).enumerate() {
        if let Some(low) = low.get(v).filter(|low| !low.is_empty()) {
            shares.iter_mut().for_each(|share| share.views.push(View::Low(low)));
        } else if written {
            let pieces = split_mut(parts, vector);
            shares.iter_mut().zip(pieces).for_each(|(share, piece)| share.views.push(View::Own(piece)));
        } else {
            let whole = &vector[..];
            shares.iter_mut().for_each(|share| share.views.push(View::Shared(whole)));
        }
    }
    shares
}

impl<S: Scalar> Share<'_, S> {
    /// Runs every line on one block after the other.
    fn walk(&mut self, group: &Group, maps: &[Loaded<S>], slots: &[S]) {
        let dots = group.lines.iter().filter(|line| line.reduces()).count();
        self.partial = vec![Vec::with_capacity(self.rows.len().div_ceil(BLOCK)); dots];
        let mut first = self.rows.start;
        while first < self.rows.end {
            let block = first..(first + BLOCK).min(self.rows.end);
            let mut dot = 0;
            for line in &group.lines {
                if let Line::Dot { x, y, .. } = line {
                    let y = self.block(*y, &block);
                    let sum = match &self.views[x.0] {
                        View::Low(x) => block_dot_low(&x[block.clone()], y),
                        _ => block_dot(self.block(*x, &block), y),
                    };
                    self.partial[dot].push(sum);
                    dot += 1;
                } else if let Line::Largest { x, .. } = line {
                    let most = largest(self.block(*x, &block));
                    self.partial[dot].push(S::from_real(most));
                    dot += 1;
                } else {
                    self.run_update(line, &block, maps, slots);
                }
            }
            first = block.end;
        }
    }

    /// The rows of a block in a vector.
    fn block(&self, x: VectorId, block: &Range<usize>) -> &[S] {
        match &self.views[x.0] {
            View::Shared(whole) => &whole[block.clone()],
            View::Own(rows) => &rows[block.start - self.rows.start..block.end - self.rows.start],
            View::Low(_) => unreachable!("only dot products and updates y + a x read another precision"),
        }
    }

    /// A vector of which the group's head needs every row: never one that the group writes.
    fn whole(&self, x: VectorId) -> &[S] {
        match &self.views[x.0] {
            View::Shared(whole) => whole,
            _ => unreachable!("a group never writes the input of its own matrix product, and has it in its precision"),
        }
    }

    fn run_update(&mut self, line: &Line, block: &Range<usize>, maps: &[Loaded<S>], slots: &[S]) {
        let target = line.rows_of().0;
        let mut view = std::mem::replace(&mut self.views[target], View::Shared(&[]));
        if let View::Own(rows) = &mut view {
            let y = &mut rows[block.start - self.rows.start..block.end - self.rows.start];
            match *line {
                Line::Apply { A, x, .. } => match maps[A.0].linear() {
                    Linear::Diagonal(d) => update(Update::Multiply(&d[block.clone()], self.block(x, block)), y),
                    _ => maps[A.0].block_product(block.start, self.whole(x), y),
                },
                Line::Residual { A, b, x, .. } => {
                    maps[A.0].block_product(block.start, self.whole(x), y);
                    update(Update::SubtractFrom(self.block(b, block)), y);
                }
                Line::Copy { x, .. } => update(Update::Copy(self.block(x, block)), y),
                Line::Axpby { a, x, b, .. } => {
                    update(Update::Axpby(slots[a.0], self.block(x, block), slots[b.0]), y);
                }
                Line::Axpy { a, x, .. } => match &self.views[x.0] {
                    View::Low(x) => update(Update::AxpyLow(slots[a.0], &x[block.clone()]), y),
                    _ => update(Update::Axpy(slots[a.0], self.block(x, block)), y),
                },
                Line::Xpby { x, b, .. } => update(Update::Xpby(self.block(x, block), slots[b.0]), y),
                Line::Scale { a, .. } => update(Update::Scale(slots[a.0]), y),
                _ => unreachable!("only vector lines are fused"),
            }
        }
        self.views[target] = view;
    }
}
