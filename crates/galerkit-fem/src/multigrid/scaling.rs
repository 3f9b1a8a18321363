//! N D^-1 N^T within each entity, where N leads from functions that are nodal at Gauss-Lobatto points to hierarchical
//! ones: a matrix for each axis, one after the other. With N on both sides the diagonal D of nodal functions does what
//! the inverse of a dense block would, without storing one.

use super::blocks::Block;
use crate::basis::nodal::Nodal;
use galerkit_linalg::map::{DeviceSource, Grid, Protocol, Word};
use galerkit_linalg::parallel;
use galerkit_linalg::{LinearMap, Scalar};
use std::iter::repeat_n;
use std::ops::Range;
use std::sync::Arc;

const SOURCE: &str = include_str!("../../kernels/nodal_scaling.cu");

/// About so many unknowns, in whole entities, are one task.
const UNKNOWNS: usize = 4096;

/// The map; the entries of D^-1 are its values.
#[derive(Clone, Debug)]
pub struct NodalScaling<S> {
    blocks: Arc<Vec<Block>>,
    N: Arc<Vec<Vec<S>>>, // of each degree, row by row
    transposed: Arc<Vec<Vec<S>>>,
    rows: usize,
    inverse: Vec<S>,
}

impl NodalScaling<f64> {
    /// For unknowns in blocks, all of them, with the diagonal D.
    pub fn new(blocks: Vec<Block>, diagonal: &[f64]) -> Self {
        let highest = blocks.iter().map(|block| block.degree as usize).max().unwrap_or(1);
        let tables =
            |of: fn(usize) -> Vec<f64>| Arc::new((0..=highest).map(|q| if q > 1 { of(q) } else { vec![] }).collect());
        let N = tables(|q| Nodal::of(q).inner.val.clone());
        let transposed = tables(|q| Nodal::of(q).inner.transposed().val);
        let inverse: Vec<f64> = diagonal.iter().map(|d| 1.0 / d).collect();
        Self { blocks: Arc::new(blocks), N, transposed, rows: inverse.len(), inverse }
    }
}

impl<S: Scalar> NodalScaling<S> {
    /// The unknowns of some blocks, which x, y and D^-1 begin with.
    fn apply_blocks(&self, blocks: &[Block], inverse: &[S], x: &[S], y: &mut [S]) {
        let start = blocks.first().map_or(0, |block| block.first as usize);
        let mut other = Vec::new();
        for block in blocks {
            let (own, n) = (block.first as usize - start..block.first as usize - start + block.len(), block.bubbles());
            let (x, y, inverse) = (&x[own.clone()], &mut y[own.clone()], &inverse[own]);
            y.copy_from_slice(x);
            other.resize(y.len(), S::zero());
            let (mut from, mut into) = (&mut *y, &mut other[..]);
            for (table, scales) in [(&self.N, true), (&self.transposed, false)] {
                for _ in 0..block.dim {
                    rotate(n, &table[block.degree as usize], from, into);
                    std::mem::swap(&mut from, &mut into); // after both rounds the result is in y
                }
                if scales {
                    from.iter_mut().zip(inverse).for_each(|(y, d)| *y *= *d);
                }
            }
        }
    }

    /// The members of the kernels' `struct Map`.
    fn words(&self) -> Vec<Word> {
        let ends = |q: usize| self.N[..q].iter().map(Vec::len).sum::<usize>() as u32;
        let start: Vec<u32> = (0..self.N.len()).map(ends).collect();
        let of_block = |block: &Block| {
            let table = start[block.degree as usize];
            [block.first, block.bubbles().max(1) as u32, u32::from(block.dim), table]
        };
        let block_of = self.blocks.iter().enumerate().flat_map(|(k, block)| repeat_n(k as u32, block.len()));
        let mut tables = self.N.concat();
        tables.push(S::zero()); // an array has entries
        vec![
            Word::Number(self.rows as u64),
            Word::array(&block_of.collect::<Vec<_>>()),
            Word::array(&self.blocks.iter().flat_map(of_block).collect::<Vec<_>>()),
            Word::array(&tables),
            Word::Values,
            Word::Room(self.rows * size_of::<S>()),
        ]
    }

    /// Blocks that a task has.
    fn tasks(&self) -> Vec<&[Block]> {
        let task = |block: &Block| block.first as usize / UNKNOWNS;
        self.blocks.chunk_by(|one, other| task(one) == task(other)).collect()
    }
}

/// y = A^T x along the slowest axis of a cube of n entries in each direction, which becomes the fastest: after as many
/// calls as there are axes each has had its turn, and the order is the old one. A by rows.
fn rotate<S: Scalar>(n: usize, A: &[S], x: &[S], y: &mut [S]) {
    let by_degree = [of_length::<S, 1>, of_length::<S, 2>, of_length::<S, 3>, of_length::<S, 4>, of_length::<S, 5>];
    let higher = [of_length::<S, 6>, of_length::<S, 7>, of_length::<S, 8>, of_length::<S, 9>];
    by_degree.iter().chain(&higher).nth(n - 1).expect("a degree of at most 10")(A, x, y);
}

/// The same for a length that the compiler knows.
fn of_length<S: Scalar, const N: usize>(A: &[S], x: &[S], y: &mut [S]) {
    let (rows, _) = A.as_chunks::<N>();
    let lines = x.len() / N;
    for (s, y) in y.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let mut sum = [S::zero(); N];
        for (j, row) in rows.iter().enumerate() {
            let x = x[j * lines + s];
            (0..N).for_each(|i| sum[i] += row[i] * x);
        }
        *y = sum;
    }
}

impl<S: Scalar> LinearMap<S> for NodalScaling<S> {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.rows)
    }
    fn name(&self) -> &'static str {
        "a scaling of nodal functions"
    }
    fn bytes(&self) -> usize {
        self.rows * size_of::<S>() + size_of_val(&self.blocks[..])
    }
    fn apply(&self, values: &[S], x: &[S], y: &mut [S]) {
        self.apply_blocks(&self.blocks, values, x, y);
    }
    fn apply_on_threads(&self, values: &[S], x: &[S], y: &mut [S]) {
        let mut rest = y;
        let piece = |blocks: &'_ [Block]| {
            let first = blocks[0].first as usize;
            let length = blocks.iter().map(Block::len).sum();
            let of_task = rest.split_off_mut(..length).expect("blocks have all unknowns");
            (first..first + length, of_task)
        };
        let tasks = self.tasks();
        let pieces: Vec<_> = tasks.iter().copied().map(piece).collect();
        let tasks = tasks.into_iter().zip(pieces).collect();
        parallel::each_piece(tasks, &|(blocks, (own, y)): (&[Block], (Range<usize>, &mut [S]))| {
            self.apply_blocks(blocks, &values[own.clone()], &x[own], y);
        });
    }
    fn device_source(&self) -> Option<DeviceSource> {
        if S::KIND.is_complex() || self.rows == 0 {
            return None;
        }
        let protocol = Protocol::Alone { passes: 2 };
        Some(DeviceSource { source: SOURCE.into(), protocol, words: self.words(), lanes: 1, grid: Grid::Rows })
    }
    fn take_values(&mut self) -> Vec<S> {
        std::mem::take(&mut self.inverse)
    }
    fn to_single(&self) -> Option<Box<dyn LinearMap<S::Single>>> {
        let low = |values: &Vec<S>| values.iter().map(|value| value.to_single()).collect::<Vec<_>>();
        let tables = |tables: &[Vec<S>]| Arc::new(tables.iter().map(low).collect());
        let (N, transposed) = (tables(&self.N), tables(&self.transposed));
        let (blocks, inverse) = (self.blocks.clone(), low(&self.inverse));
        Some(Box::new(NodalScaling { blocks, N, transposed, rows: self.rows, inverse }))
    }
    fn is_finite(&self) -> bool {
        self.inverse.iter().all(|value| value.finite())
    }
}
