//! A fused group on the CPU: each thread walks its rows block by block and runs every instruction of the group on the
//! block while it is in the first-level cache, so each vector is read from memory once for the whole group.
//!
//! Bits are those of the unfused instructions: updates are elementwise, and a dot product's partial sums are those of
//! the same blocks.

use super::blas1::{Update, block_dot, block_dot_single, pairwise_sum, update};
use super::loaded::Loaded;
use super::partition::{BLOCK, even, split_mut};
use super::pointwise::evaluate_slices;
use crate::backend::norm_inf;
use crate::parallel;
use crate::program::{Group, Instruction, MapId, Role, Tape, Vector};
use crate::scalar::Scalar;
use std::ops::Range;

/// What one thread sees of a vector.
enum View<'a, S: Scalar> {
    /// The whole vector, only read in this group.
    Shared(&'a [S]),
    /// This thread's rows of a vector that the group writes.
    Own(&'a mut [S]),
    /// The whole vector, which is in single precision.
    Single(&'a [S::Single]),
}

/// Vectors by name, in the precision of a group and in single precision; each is empty in one of them.
type Vectors<'a, S> = (&'a mut [Vec<S>], &'a [Vec<<S as Scalar>::Single>]);

/// One thread's share of a group.
struct Share<'a, S: Scalar> {
    rows: Range<usize>,
    views: Vec<View<'a, S>>,
    /// For each dot of the group, one partial sum for each block of these rows.
    partial: Vec<Vec<S>>,
}

/// Runs the group on all threads and stores the results of its dots.
pub fn run<S: Scalar>(group: &Group, maps: &[Option<Loaded<S>>], vectors: Vectors<'_, S>, slots: &mut [S]) {
    let rows = group.instructions.first().map_or(0, |instruction| instruction.rows_of().length);
    let head = group.instructions.first().and_then(Instruction::map).map(|A| loaded(maps, A));
    let parts = match head.filter(|A| A.role() == Role::Head) {
        Some(A) => A.parts().to_vec(),
        None => even(rows),
    };
    let mut shares = share(group, &parts, vectors);
    let scalars = &*slots;
    match &mut shares[..] {
        [only] => only.walk(group, maps, scalars),
        several => parallel::each_piece(several.iter_mut().collect(), &|share: &mut Share<'_, S>| {
            share.walk(group, maps, scalars);
        }),
    }
    let mut dots = 0;
    for instruction in &group.instructions {
        if let (true, Some(out)) = (instruction.reduces(), instruction.scalar_write()) {
            let partial: Vec<S> = shares.iter().flat_map(|share| share.partial[dots].iter().copied()).collect();
            let is_dot = matches!(instruction, Instruction::Dot { .. });
            slots[out.0] = if is_dot { pairwise_sum(&partial) } else { S::from_real(norm_inf(&partial)) };
            dots += 1;
        }
    }
}

/// A map that a group names.
fn loaded<S: Scalar>(maps: &[Option<Loaded<S>>], A: MapId) -> &Loaded<S> {
    maps[A.id].as_ref().expect("whoever names a map keeps it")
}

/// Hands each thread its rows of the written vectors and all of the others.
fn share<'a, S: Scalar>(group: &Group, parts: &[Range<usize>], (vectors, single): Vectors<'a, S>) -> Vec<Share<'a, S>> {
    let mut written = vec![false; vectors.len()];
    group.instructions.iter().flat_map(Instruction::writes).for_each(|y| written[y.id] = true);
    let mut shares: Vec<Share<'a, S>> = parts
        .iter()
        .map(|rows| Share { rows: rows.clone(), views: Vec::with_capacity(written.len()), partial: Vec::new() })
        .collect();
    for (v, (vector, written)) in vectors.iter_mut().zip(written).enumerate() {
        if let Some(single) = single.get(v).filter(|single| !single.is_empty()) {
            shares.iter_mut().for_each(|share| share.views.push(View::Single(single)));
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
    /// Runs every instruction on one block after the other.
    fn walk(&mut self, group: &Group, maps: &[Option<Loaded<S>>], slots: &[S]) {
        let dots = group.instructions.iter().filter(|instruction| instruction.reduces()).count();
        self.partial = vec![Vec::with_capacity(self.rows.len().div_ceil(BLOCK)); dots];
        let mut first = self.rows.start;
        while first < self.rows.end {
            let block = first..(first + BLOCK).min(self.rows.end);
            let mut dot = 0;
            for instruction in &group.instructions {
                if let Instruction::Dot { x, y, .. } = instruction {
                    let y = self.block(*y, &block);
                    let sum = match &self.views[x.id] {
                        View::Single(x) => block_dot_single(&x[block.clone()], y),
                        _ => block_dot(self.block(*x, &block), y),
                    };
                    self.partial[dot].push(sum);
                    dot += 1;
                } else if let Instruction::NormInf { x, .. } = instruction {
                    let most = norm_inf(self.block(*x, &block));
                    self.partial[dot].push(S::from_real(most));
                    dot += 1;
                } else {
                    self.run_update(instruction, &block, maps, slots);
                }
            }
            first = block.end;
        }
    }

    /// The rows of a block in a vector.
    fn block(&self, x: Vector, block: &Range<usize>) -> &[S] {
        match &self.views[x.id] {
            View::Shared(whole) => &whole[block.clone()],
            View::Own(rows) => &rows[block.start - self.rows.start..block.end - self.rows.start],
            View::Single(_) => unreachable!("only dot products and updates y + a x read another precision"),
        }
    }

    /// A vector of which the group's head needs every row: never one that the group writes.
    fn whole(&self, x: Vector) -> &[S] {
        match &self.views[x.id] {
            View::Shared(whole) => whole,
            _ => unreachable!("a group never writes the input of its own matrix product, and has it in its precision"),
        }
    }

    /// A recorded closure on a block.
    fn run_pointwise(
        &mut self,
        (update, read, tape): (&[Vector], &[Vector], &Tape),
        block: &Range<usize>,
        slots: &[S],
    ) {
        let take = |y: &Vector| std::mem::replace(&mut self.views[y.id], View::Shared(&[]));
        let mut views: Vec<View<'_, S>> = update.iter().map(take).collect();
        let here = block.start - self.rows.start..block.end - self.rows.start;
        let own = views.iter_mut().filter_map(|view| match view {
            View::Own(rows) => Some(&mut rows[here.clone()]),
            View::Shared(_) | View::Single(_) => None,
        });
        let mut own: Vec<&mut [S]> = own.collect();
        let read: Vec<&[S]> = read.iter().map(|&x| self.block(x, block)).collect();
        evaluate_slices(tape, &mut own, &read, slots);
        update.iter().zip(views).for_each(|(y, view)| self.views[y.id] = view);
    }

    fn run_update(&mut self, instruction: &Instruction, block: &Range<usize>, maps: &[Option<Loaded<S>>], slots: &[S]) {
        if let Instruction::Pointwise { update, read, tape } = instruction {
            return self.run_pointwise((update, read, tape), block, slots);
        }
        let target = instruction.rows_of().id;
        let mut view = std::mem::replace(&mut self.views[target], View::Shared(&[]));
        if let View::Own(rows) = &mut view {
            let y = &mut rows[block.start - self.rows.start..block.end - self.rows.start];
            match *instruction {
                Instruction::Apply { A, x, .. } => self.block_product(A, maps, x, block, y),
                Instruction::Residual { A, b, x, .. } => {
                    self.block_product(A, maps, x, block, y);
                    update(Update::SubtractFrom(self.block(b, block)), y);
                }
                Instruction::Copy { x, .. } => update(Update::Copy(self.block(x, block)), y),
                Instruction::Axpby { a, x, b, .. } => {
                    update(Update::Axpby(slots[a.0], self.block(x, block), slots[b.0]), y);
                }
                Instruction::Axpy { a, x, .. } => match &self.views[x.id] {
                    View::Single(x) => update(Update::AxpyLow(slots[a.0], &x[block.clone()]), y),
                    _ => update(Update::Axpy(slots[a.0], self.block(x, block)), y),
                },
                Instruction::Xpby { x, b, .. } => update(Update::Xpby(self.block(x, block), slots[b.0]), y),
                Instruction::Scale { a, .. } => update(Update::Scale(slots[a.0]), y),
                _ => unreachable!("only vector instructions are fused"),
            }
        }
        self.views[target] = view;
    }

    /// y = A x for the rows of a block.
    fn block_product(&self, A: MapId, maps: &[Option<Loaded<S>>], x: Vector, block: &Range<usize>, y: &mut [S]) {
        let map = loaded(maps, A);
        if map.is_diagonal() {
            return update(Update::Multiply(self.block(A.values, block), self.block(x, block)), y);
        }
        map.block_product(self.whole(A.values), block.start, self.whole(x), y);
    }
}
