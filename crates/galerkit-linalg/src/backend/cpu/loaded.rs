//! A linear map prepared for the CPU: the map, its static partition, and what its kernel needs beside it.

use super::partition::{self, BLOCK, split_mut};
use super::spmv::PreparedMatrix;
use super::sweep::Schedule;
use super::{Update, in_parts, update};
use crate::engine::record::Role;
use crate::linear::Linear;
use crate::scalar::Scalar;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// A map with its partition and schedule.
pub struct Loaded<S> {
    linear: Arc<Linear<S>>,
    prepared: Prepared<S>,
    parts: Vec<Range<usize>>,
}

enum Prepared<S> {
    Matrix(PreparedMatrix<S>),
    Direct,
    Sweeps(Schedule),
}

impl<S: Scalar> Loaded<S> {
    /// Prepares a map for the current number of threads.
    pub fn new(linear: Arc<Linear<S>>) -> Self {
        let threads = rayon::current_num_threads();
        let (prepared, parts) = match &*linear {
            Linear::Matrix(A) => {
                let prepared = PreparedMatrix::new(A);
                let parts = partition::by_work(A.rows(), threads, |i| prepared.work(A, i));
                (Prepared::Matrix(prepared), parts)
            }
            Linear::Ssor(M) => (Prepared::Sweeps(Schedule::new(M)), partition::even(M.rows())),
            Linear::Factors(M) => (Prepared::Sweeps(Schedule::new(M)), partition::even(M.rows())),
            other => (Prepared::Direct, partition::even(other.shape().0)),
        };
        Self { linear, prepared, parts }
    }

    /// The map itself.
    pub fn linear(&self) -> &Linear<S> {
        &self.linear
    }
    /// The rows of each thread.
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }
    /// How products with this map fuse with what follows.
    pub fn role(&self) -> Role {
        match (&*self.linear, &self.prepared) {
            (Linear::Diagonal(_), _) => Role::Elementwise,
            (_, Prepared::Matrix(A)) if A.scatter().is_none() => Role::Head,
            _ => Role::Alone,
        }
    }

    /// y = A x; `finish(first, rows)` then sees each block of y while it is in cache.
    pub fn product(&self, x: &[S], y: &mut [S], finish: impl Fn(usize, &mut [S]) + Sync) {
        match (&*self.linear, &self.prepared) {
            (Linear::Diagonal(d), _) => in_parts(y, |first, y| {
                let rows = first..first + y.len();
                update(Update::Multiply(&d[rows.clone()], &x[rows]), y);
                finish(first, y);
            }),
            (Linear::BlockDiagonal(B), _) => {
                let blocks = (BLOCK / B.block()).max(1); // whole blocks, about BLOCK rows a piece
                y.par_chunks_mut(blocks * B.block()).enumerate().for_each(|(k, y)| {
                    B.apply_blocks(k * blocks, x, y);
                    finish(k * blocks * B.block(), y);
                });
            }
            (Linear::Ssor(M), Prepared::Sweeps(schedule)) => {
                schedule.apply(M, x, y);
                in_parts(y, finish);
            }
            (Linear::Factors(M), Prepared::Sweeps(schedule)) => {
                schedule.apply(M, x, y);
                in_parts(y, finish);
            }
            (Linear::Matrix(_), Prepared::Matrix(A)) if A.scatter().is_some() => {
                let mut sorted = vec![S::zero(); y.len()];
                self.storage_product(x, &mut sorted, |_, _| ());
                let position = A.scatter().expect("checked by the guard");
                in_parts(y, |first, y| {
                    y.iter_mut().zip(&position[first..]).for_each(|(y, &s)| *y = sorted[s as usize]);
                    finish(first, y);
                });
            }
            _ => self.storage_product(x, y, finish),
        }
    }

    /// The product in the order of storage, block by block on each thread.
    fn storage_product(&self, x: &[S], y: &mut [S], finish: impl Fn(usize, &mut [S]) + Sync) {
        let work = |part: &Range<usize>, piece: &mut [S]| {
            for (k, block) in piece.chunks_mut(BLOCK).enumerate() {
                let first = part.start + k * BLOCK;
                self.block_product(first, x, block);
                finish(first, block);
            }
        };
        match &self.parts[..] {
            [] => (),
            [only] => work(only, y),
            parts => {
                let pieces = split_mut(parts, y);
                parts.par_iter().zip(pieces).for_each(|(part, piece)| work(part, piece));
            }
        }
    }

    /// Rows `first..` of the product, as many as y is long, at most a block.
    pub fn block_product(&self, first: usize, x: &[S], y: &mut [S]) {
        if let (Linear::Matrix(A), Prepared::Matrix(prepared)) = (&*self.linear, &self.prepared) {
            prepared.block_product(A, first, x, y);
        }
    }
}
