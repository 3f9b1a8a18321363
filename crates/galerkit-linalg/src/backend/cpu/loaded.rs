//! A linear map prepared for the CPU: the map, its static partition, and what its kernel needs beside it.

use super::blas1::{Update, update};
use super::partition::{self, BLOCK, in_parts, split_mut};
use super::spmv::PreparedMatrix;
use crate::backend::Placed;
use crate::map::{Diagonal, LinearMap, into_known};
use crate::parallel;
use crate::program::Role;
use crate::scalar::Scalar;
use crate::sparse::Matrix;
use std::ops::Range;

/// A map with its partition.
pub struct Loaded<S: Scalar> {
    kind: Kind<S>,
    parts: Vec<Range<usize>>,
}

/// The maps that this backend knows something better for than what they bring along, with that.
enum Kind<S: Scalar> {
    Matrix(Box<Matrix<S>>, PreparedMatrix<S>),
    Diagonal,
    Other(Box<dyn LinearMap<S>>),
}

impl<S: Scalar> Loaded<S> {
    /// Prepares a map for the current number of threads.
    pub fn place(mut map: Box<dyn LinearMap<S>>) -> Placed<Self, S> {
        let rows = map.shape().0;
        map = match into_known::<S, Matrix<S>>(map) {
            Ok(A) => return Self::place_matrix(A),
            Err(other) => other,
        };
        let values = map.take_values();
        let kind = if map.known::<Diagonal<S>>().is_some() {
            Kind::Diagonal
        } else {
            map.schedule();
            Kind::Other(map)
        };
        Placed { map: Self { kind, parts: partition::even(rows) }, values }
    }

    fn place_matrix(mut A: Box<Matrix<S>>) -> Placed<Self, S> {
        let Placed { map: prepared, values } = PreparedMatrix::new(&mut A);
        let parts = partition::by_work(A.rows(), rayon::current_num_threads(), |i| prepared.work(&A, i));
        Placed { map: Self { kind: Kind::Matrix(A, prepared), parts }, values }
    }

    /// The rows of each thread.
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }
    /// How products with this map fuse with what follows.
    pub fn role(&self) -> Role {
        match &self.kind {
            Kind::Diagonal => Role::Elementwise,
            Kind::Matrix(_, prepared) if prepared.scatter().is_none() => Role::Head,
            _ => Role::Alone,
        }
    }
    /// Whether this is a diagonal: its values are what x is multiplied by.
    pub fn is_diagonal(&self) -> bool {
        matches!(self.kind, Kind::Diagonal)
    }

    /// y = A x
    pub fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        match &self.kind {
            Kind::Other(map) => map.apply_on_threads(values, x, y),
            Kind::Matrix(..) | Kind::Diagonal => self.product(values, x, y, |_, _| ()),
        }
    }

    /// y = A x; `finish(first, rows)` then sees each block of y while it is in cache.
    pub fn product(&self, values: &[S], x: &[S], y: &mut [S], finish: impl Fn(usize, &mut [S]) + Sync) {
        match &self.kind {
            Kind::Diagonal => in_parts(y, |first, y| {
                let rows = first..first + y.len();
                update(Update::Multiply(&values[rows.clone()], &x[rows]), y);
                finish(first, y);
            }),
            Kind::Matrix(_, prepared) => match prepared.scatter() {
                Some(position) => {
                    let mut sorted = vec![S::zero(); y.len()];
                    self.storage_product(values, x, &mut sorted, |_, _| ());
                    in_parts(y, |first, y| {
                        y.iter_mut().zip(&position[first..]).for_each(|(y, &s)| *y = sorted[s as usize]);
                        finish(first, y);
                    });
                }
                None => self.storage_product(values, x, y, finish),
            },
            Kind::Other(map) => {
                map.apply_on_threads(values, x, y);
                in_parts(y, finish);
            }
        }
    }

    /// The product in the order of storage, block by block on each thread.
    fn storage_product(&self, values: &[S], x: &[S], y: &mut [S], finish: impl Fn(usize, &mut [S]) + Sync) {
        let work = |part: &Range<usize>, piece: &mut [S]| {
            for (k, block) in piece.chunks_mut(BLOCK).enumerate() {
                let first = part.start + k * BLOCK;
                self.block_product(values, first, x, block);
                finish(first, block);
            }
        };
        match &self.parts[..] {
            [] => (),
            [only] => work(only, y),
            parts => {
                let pieces = split_mut(parts, y);
                parallel::each_piece(parts.iter().zip(pieces).collect(), &|(part, piece)| work(part, piece));
            }
        }
    }

    /// Rows `first..` of the product, as many as y is long, at most a block.
    pub fn block_product(&self, values: &[S], first: usize, x: &[S], y: &mut [S]) {
        if let Kind::Matrix(A, prepared) = &self.kind {
            prepared.block_product((A, values), first, x, y);
        }
    }
}
