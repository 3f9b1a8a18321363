//! Sum factorisation for several cells side by side: a matrix along one axis of an array whose entries are lanes, one
//! number of each cell. Loops of known length keep a line of the array in registers for all rows of the matrix; where a
//! matrix has many zeros, as mass and stiffness of the interval, they are left out instead.

#![allow(clippy::needless_range_loop)] // loops over lanes become vector instructions

use super::cells::LANES;
use crate::basis::dense;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::cpu::simd;

/// A number of each cell of a batch.
pub type Lane<S> = [S; LANES];

/// A small matrix by rows, with its zeros or without.
#[derive(Clone, Debug)]
pub struct Contraction<S> {
    rows: usize,
    cols: usize,
    start: Vec<u32>,
    entries: Vec<(u32, S)>,
    /// All entries, where few of them are zero and loops over a row are written out.
    dense: Vec<S>,
}

impl<S: Scalar> Contraction<S> {
    /// A matrix.
    pub fn new(A: &dense::Dense) -> Self {
        let (mut start, mut entries) = (vec![0], Vec::new());
        for i in 0..A.rows {
            let row = A.row(i).iter().enumerate().filter(|(_, a)| **a != 0.0);
            entries.extend(row.map(|(j, &a)| (j as u32, S::from_f64(a))));
            start.push(entries.len() as u32);
        }
        let is_full = is_known::<S>(A.cols) && 4 * entries.len() >= 3 * A.rows * A.cols;
        let all = || (0..A.rows).flat_map(|i| A.row(i)).map(|&a| S::from_f64(a)).collect();
        let dense = if is_full { all() } else { Vec::new() };
        Self { rows: A.rows, cols: A.cols, start, entries, dense }
    }

    /// Calls `put` with the place and the value of each entry of A x along an axis: `shape` is that of x, first axis
    /// slowest.
    #[inline(always)]
    pub fn along(&self, axis: usize, shape: [usize; 3], x: &[Lane<S>], mut put: impl FnMut(usize, Lane<S>)) {
        let [before, after] = around(axis, shape);
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
        match self.dense.is_empty() {
            true => self.along(axis, shape, x, |place, sum| y[place] = sum),
            false => simd::run(Dense { A: self, adds: false, around: around(axis, shape), x, y }),
        }
        shape[axis] = self.rows;
        shape
    }
    /// y = y + A x along an axis.
    #[inline(always)]
    pub fn add(&self, axis: usize, shape: [usize; 3], x: &[Lane<S>], y: &mut [Lane<S>]) {
        match self.dense.is_empty() {
            true => self.along(axis, shape, x, |place, sum| y[place] = plus(y[place], sum)),
            false => simd::run(Dense { A: self, adds: true, around: around(axis, shape), x, y }),
        }
    }
    /// y = y + s A x along an axis.
    #[inline(always)]
    pub fn add_scaled(&self, s: &Lane<S>, axis: usize, shape: [usize; 3], x: &[Lane<S>], y: &mut [Lane<S>]) {
        self.along(axis, shape, x, |place, sum| y[place] = plus(y[place], times(s, &sum)));
    }
}

/// How many lines there are before an axis, and after it.
#[inline(always)]
fn around(axis: usize, shape: [usize; 3]) -> [usize; 2] {
    [shape[..axis].iter().product(), shape[axis + 1..].iter().product()]
}

/// A matrix with all entries along an axis: y = A x, or y = y + A x. Compiled once for each instruction set, not where it
/// is used, and for few sizes of real numbers: loops of known length take long to compile.
struct Dense<'a, S> {
    A: &'a Contraction<S>,
    adds: bool,
    around: [usize; 2],
    x: &'a [Lane<S>],
    y: &'a mut [Lane<S>],
}

/// Columns for which there is a loop of known length: those of degrees 2 to 6.
fn is_known<S: Scalar>(cols: usize) -> bool {
    let is_real = const { !S::KIND.is_complex() };
    is_real && (3..=7).contains(&cols)
}

impl<S: Scalar> simd::Kernel for Dense<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        if const { S::KIND.is_complex() } {
            unreachable!("complex matrices are multiplied without their zeros");
        }
        match self.A.cols {
            3 => self.known::<3>(),
            4 => self.known::<4>(),
            5 => self.known::<5>(),
            6 => self.known::<6>(),
            7 => self.known::<7>(),
            cols => unreachable!("no loop for {cols} columns"),
        }
    }
}

impl<S: Scalar> Dense<'_, S> {
    /// For so many columns: what a line of x has stays in registers for all rows.
    #[inline(always)]
    fn known<const COLS: usize>(self) {
        let Self { A, adds, around: [before, after], x, y } = self;
        for b in 0..before {
            let x = &x[b * COLS * after..(b + 1) * COLS * after];
            let y = &mut y[b * A.rows * after..(b + 1) * A.rows * after];
            for k in 0..after {
                let mut line = [[S::zero(); LANES]; COLS];
                for j in 0..COLS {
                    line[j] = x[j * after + k];
                }
                for i in 0..A.rows {
                    let row: &[S; COLS] = A.dense[i * COLS..(i + 1) * COLS].try_into().expect("a row");
                    let mut sum = [S::zero(); LANES];
                    for j in 0..COLS {
                        add(&mut sum, row[j], &line[j]);
                    }
                    let y = &mut y[i * after + k];
                    *y = if adds { plus(*y, sum) } else { sum };
                }
            }
        }
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
