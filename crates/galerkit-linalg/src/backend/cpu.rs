//! Threads and SIMD on the CPU: rayon with a static partition by non-zeros, kernels compiled for the instruction sets
//! found at run time, streams prefetched. Runs in whatever rayon pool is current.
//!
//! Deterministic: every result has the same bits whatever the number of threads, because rows are summed whole and dot
//! products are pairwise sums over fixed blocks.

mod blas1;
mod fused;
mod loaded;
mod partition;
mod pointwise;
pub mod simd;
mod spmv;
pub(crate) mod sweep;

pub use loaded::Loaded;

use super::{Backend, Placed};
use crate::map::LinearMap;
use crate::parallel;
use crate::program::{Group, Role, Tape};
use crate::scalar::Scalar;
use blas1::{Update, block_dot, pairwise_sum, update};
use partition::{BLOCK, even, in_parts, split_mut};

/// The fast CPU backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl<S: Scalar> Backend<S> for Cpu {
    type Map = Loaded<S>;
    type Single = Cpu;

    fn in_single(&self) -> Cpu {
        Cpu
    }
    fn load(&self, map: Box<dyn LinearMap<S>>) -> Placed<Loaded<S>, S> {
        Loaded::place(map)
    }
    fn apply(&self, A: &Loaded<S>, values: &[S], x: &[S], y: &mut [S]) {
        A.apply(values, x, y);
    }
    fn residual(&self, A: &Loaded<S>, values: &[S], b: &[S], x: &[S], r: &mut [S]) {
        A.product(values, x, r, |first, r| update(Update::SubtractFrom(&b[first..first + r.len()]), r));
    }
    fn spmv(&self, alpha: S, A: &Loaded<S>, values: &[S], x: &[S], beta: S, y: &mut [S]) {
        if beta == S::zero() {
            return A.product(values, x, y, |_, y| update(Update::Scale(alpha), y));
        }
        let before = y.to_vec();
        A.product(values, x, y, |first, y| update(Update::Axpby(beta, &before[first..first + y.len()], alpha), y));
    }
    fn copy(&self, x: &[S], y: &mut [S]) {
        in_parts(y, |first, y| update(Update::Copy(&x[first..first + y.len()]), y));
    }
    fn axpby(&self, a: S, x: &[S], b: S, y: &mut [S]) {
        in_parts(y, |first, y| update(Update::Axpby(a, &x[first..first + y.len()], b), y));
    }
    fn axpy(&self, a: S, x: &[S], y: &mut [S]) {
        in_parts(y, |first, y| update(Update::Axpy(a, &x[first..first + y.len()]), y));
    }
    fn xpby(&self, x: &[S], b: S, y: &mut [S]) {
        in_parts(y, |first, y| update(Update::Xpby(&x[first..first + y.len()], b), y));
    }
    fn scale(&self, a: S, y: &mut [S]) {
        in_parts(y, |_, y| update(Update::Scale(a), y));
    }
    fn dot(&self, x: &[S], y: &[S]) -> S {
        let mut partial = vec![S::zero(); x.len().div_ceil(BLOCK)];
        let blocks = |partial: &mut [S], first: usize| {
            for (k, sum) in partial.iter_mut().enumerate() {
                let range = (first + k) * BLOCK..((first + k + 1) * BLOCK).min(x.len());
                *sum = block_dot(&x[range.clone()], &y[range]);
            }
        };
        let parts: Vec<_> = even(x.len()).iter().map(|p| p.start / BLOCK..p.end.div_ceil(BLOCK)).collect();
        let pieces = split_mut(&parts, &mut partial);
        let starts = parts.iter().map(|part| part.start);
        parallel::each_piece(starts.zip(pieces).collect(), &|(first, piece)| blocks(piece, first));
        pairwise_sum(&partial)
    }

    fn pointwise<const U: usize, const R: usize>(
        &self,
        update: [&mut [S]; U],
        read: [&[S]; R],
        f: &(impl Fn([S; U], [S; R]) -> [S; U] + Sync),
    ) {
        pointwise::run(update, read, f);
    }
    fn evaluate(&self, tape: &Tape, update: &mut [Vec<S>], read: &[&[S]], slots: &[S]) {
        pointwise::evaluate(tape, update, read, slots);
    }

    fn run_group(
        &self,
        group: &Group,
        maps: &[Option<Loaded<S>>],
        vectors: &mut [Vec<S>],
        single: &[Vec<S::Single>],
        slots: &mut [S],
    ) {
        fused::run(group, maps, (vectors, single), slots);
    }
    fn role(&self, map: &Loaded<S>) -> Role {
        map.role()
    }
    fn fuses(&self) -> bool {
        true
    }
}
