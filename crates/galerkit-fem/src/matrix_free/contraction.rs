//! Sum factorisation for several cells side by side: a matrix along one axis of an array whose entries are lanes, one
//! number of each cell. Loops of known length keep a line of the array in registers for all rows of the matrix; where a
//! matrix has many zeros, as mass and stiffness of the interval, they are left out instead.

#![allow(clippy::needless_range_loop)] // loops over lanes become vector instructions

use super::cells::LANES;
use crate::basis::dense::Dense;
use galerkit_linalg::Scalar;

/// A number of each cell of a batch.
pub type Lane<S> = [S; LANES];

/// A small matrix by rows, with its zeros or without.
#[derive(Clone, Debug)]
pub struct Contraction<S> {
    rows: usize,
    cols: usize,
    start: Vec<u32>,
    entries: Vec<(u32, S)>,
    /// All entries, where few of them are zero.
    dense: Vec<S>,
}

impl<S: Scalar> Contraction<S> {
    /// A matrix.
    pub fn new(A: &Dense) -> Self {
        let (mut start, mut entries) = (vec![0], Vec::new());
        for i in 0..A.rows {
            let row = A.row(i).iter().enumerate().filter(|(_, a)| **a != 0.0);
            entries.extend(row.map(|(j, &a)| (j as u32, S::from_f64(a))));
            start.push(entries.len() as u32);
        }
        let is_full = 4 * entries.len() >= 3 * A.rows * A.cols;
        let all = || (0..A.rows).flat_map(|i| A.row(i)).map(|&a| S::from_f64(a)).collect();
        let dense = if is_full { all() } else { Vec::new() };
        Self { rows: A.rows, cols: A.cols, start, entries, dense }
    }

    /// Calls `put` with the place and the value of each entry of A x along an axis: `shape` is that of x, first axis
    /// slowest.
    #[inline(always)]
    pub fn along(&self, axis: usize, shape: [usize; 3], x: &[Lane<S>], put: impl FnMut(usize, Lane<S>)) {
        let after: usize = shape[axis + 1..].iter().product();
        let before: usize = shape[..axis].iter().product();
        match self.dense.len() / self.rows.max(1) {
            2 => self.dense::<2>(before, after, x, put),
            3 => self.dense::<3>(before, after, x, put),
            4 => self.dense::<4>(before, after, x, put),
            5 => self.dense::<5>(before, after, x, put),
            6 => self.dense::<6>(before, after, x, put),
            7 => self.dense::<7>(before, after, x, put),
            8 => self.dense::<8>(before, after, x, put),
            9 => self.dense::<9>(before, after, x, put),
            _ => self.sparse(before, after, x, put),
        }
    }

    /// The same for so many columns: what a line of x has stays in registers for all rows.
    #[inline(always)]
    fn dense<const COLS: usize>(
        &self,
        before: usize,
        after: usize,
        x: &[Lane<S>],
        mut put: impl FnMut(usize, Lane<S>),
    ) {
        for b in 0..before {
            let x = &x[b * COLS * after..(b + 1) * COLS * after];
            for k in 0..after {
                let mut line = [[S::zero(); LANES]; COLS];
                for j in 0..COLS {
                    line[j] = x[j * after + k];
                }
                for i in 0..self.rows {
                    let row: &[S; COLS] = self.dense[i * COLS..(i + 1) * COLS].try_into().expect("a row");
                    let mut sum = [S::zero(); LANES];
                    for j in 0..COLS {
                        add(&mut sum, row[j], &line[j]);
                    }
                    put((b * self.rows + i) * after + k, sum);
                }
            }
        }
    }

    #[inline(always)]
    fn sparse(&self, before: usize, after: usize, x: &[Lane<S>], mut put: impl FnMut(usize, Lane<S>)) {
        let mut place = 0;
        for b in 0..before {
            let x = &x[b * self.cols * after..(b + 1) * self.cols * after];
            for i in 0..self.rows {
                let row = &self.entries[self.start[i] as usize..self.start[i + 1] as usize];
                for k in 0..after {
                    let mut sum = [S::zero(); LANES];
                    for &(j, a) in row {
                        add(&mut sum, a, &x[j as usize * after + k]);
                    }
                    put(place, sum);
                    place += 1;
                }
            }
        }
    }

    /// y = A x along an axis; the shape of y.
    #[inline(always)]
    pub fn set(&self, axis: usize, mut shape: [usize; 3], x: &[Lane<S>], y: &mut [Lane<S>]) -> [usize; 3] {
        self.along(axis, shape, x, |place, sum| y[place] = sum);
        shape[axis] = self.rows;
        shape
    }
    /// y = y + A x along an axis.
    #[inline(always)]
    pub fn add(&self, axis: usize, shape: [usize; 3], x: &[Lane<S>], y: &mut [Lane<S>]) {
        self.along(axis, shape, x, |place, sum| y[place] = plus(y[place], sum));
    }
    /// y = y + s A x along an axis.
    #[inline(always)]
    pub fn add_scaled(&self, s: &Lane<S>, axis: usize, shape: [usize; 3], x: &[Lane<S>], y: &mut [Lane<S>]) {
        self.along(axis, shape, x, |place, sum| y[place] = plus(y[place], times(s, &sum)));
    }
}

// Plain loops: closures and adapters would be functions of their own, without the instruction set of the kernel around
// them.

/// sum += a x.
#[inline(always)]
pub fn add<S: Scalar>(sum: &mut Lane<S>, a: S, x: &Lane<S>) {
    for l in 0..LANES {
        sum[l] += a * x[l];
    }
}
/// x + y.
#[inline(always)]
pub fn plus<S: Scalar>(mut x: Lane<S>, y: Lane<S>) -> Lane<S> {
    for l in 0..LANES {
        x[l] += y[l];
    }
    x
}
/// x y.
#[inline(always)]
pub fn times<S: Scalar>(x: &Lane<S>, y: &Lane<S>) -> Lane<S> {
    let mut product = *x;
    for l in 0..LANES {
        product[l] *= y[l];
    }
    product
}
/// Entry k of each list.
#[inline(always)]
pub fn entries<S: Scalar>(lists: &[&[S]; LANES], k: usize) -> Lane<S> {
    let mut lane = [S::zero(); LANES];
    for l in 0..LANES {
        lane[l] = lists[l][k];
    }
    lane
}
