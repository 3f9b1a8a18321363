//! The product of several cells of one kind, side by side in the lanes of a vector register.

#![allow(clippy::needless_range_loop)] // plain loops: a closure would be a function without the kernel's instruction set

use super::cells::{Cells, LANES, gathered};
use super::contraction::{Contraction, Lane, entries, plus, times};
use super::kind::{Kind, entry};
use super::tables::Tables;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::cpu::simd;

/// Local coefficients of the cells of a batch, and room for what products need in between.
#[derive(Debug)]
pub struct Batch<S> {
    /// Coefficients, then results.
    pub u: Vec<Lane<S>>,
    room: [Vec<Lane<S>>; 4],
}

impl<S: Scalar> Batch<S> {
    /// Room for all kinds of cells.
    pub fn new(cells: &Cells) -> Self {
        let most =
            cells.kinds.iter().map(|kind| kind.points().max(kind.p + 1).pow(cells.dim as u32)).max().unwrap_or(0);
        let lanes = || vec![[S::zero(); LANES]; most];
        Self { u: lanes(), room: [lanes(), lanes(), lanes(), lanes()] }
    }

    /// Gathers the coefficients of cells, of at most as many as there are lanes.
    pub fn gather(&mut self, cells: &Cells, some: &[u32], x: &[S], hanging: &[S]) {
        let index: [&[u32]; LANES] = std::array::from_fn(|l| cells.index_of(some[l.min(some.len() - 1)] as usize));
        if some.iter().all(|&e| cells.is_plain[e as usize]) {
            for (i, u) in self.u[..index[0].len()].iter_mut().enumerate() {
                for (u, index) in u.iter_mut().zip(index) {
                    *u = x[index[i] as usize];
                }
            }
        } else {
            for (i, u) in self.u[..index[0].len()].iter_mut().enumerate() {
                for (u, index) in u.iter_mut().zip(index) {
                    *u = gathered(index[i], x, hanging);
                }
            }
        }
    }

    /// u = K_e u for the cells of a batch, whose factors are given.
    pub fn multiply(&mut self, dim: usize, kind: &Kind, tables: &Tables<S>, factors: &[&[S]; LANES]) {
        simd::run(Multiply { batch: self, dim, kind, tables, factors });
    }

    /// K = D_0 K (x) M (x) M + D_1 M (x) K (x) M + D_2 M (x) M (x) K + r M (x) M (x) M, one axis after the other.
    #[inline(always)]
    fn in_boxes(&mut self, dim: usize, kind: &Kind, [M, K]: [&Contraction<S>; 2], factors: &[&[S]; LANES]) {
        let (shape, u) = (shape(dim, kind.p + 1), &mut self.u);
        let [a, b, c, d] = &mut self.room;
        let D = |axis: usize| -> Lane<S> { entries(factors, axis) };
        let (D0, D1, r) = (D(0), D(1), D(dim));
        M.set(0, shape, u, a);
        K.along(0, shape, u, |place, sum| b[place] = times(&D0, &sum));
        M.set(1, shape, a, c);
        K.along(1, shape, a, |place, sum| d[place] = plus(times(&D1, &sum), times(&r, &c[place])));
        M.add(1, shape, b, d);
        if dim == 2 {
            let all = shape.iter().product();
            return u[..all].copy_from_slice(&d[..all]);
        }
        M.set(2, shape, d, u);
        K.add_scaled(&D(2), 2, shape, c, u);
    }

    /// Values at points, in the first room.
    #[inline(always)]
    fn evaluate(&mut self, dim: usize, n: usize, values: &Contraction<S>) -> [usize; 3] {
        let ([v, w, ..], mut shape) = (&mut self.room, shape(dim, n));
        for axis in 0..dim {
            shape = values.set(axis, shape, if axis == 0 { &self.u } else { v }, w);
            std::mem::swap(v, w);
        }
        shape
    }

    /// Fluxes in the last rooms, reaction in the first: D grad u and r u.
    #[inline(always)]
    fn at_points(
        &mut self,
        dim: usize,
        kind: &Kind,
        shape: [usize; 3],
        slopes: &Contraction<S>,
        factors: &[&[S]; LANES],
    ) {
        let ([v, g @ ..], points) = (&mut self.room, shape.iter().product::<usize>());
        for axis in 0..dim {
            slopes.set(axis, shape, v, &mut g[axis]);
        }
        let count = dim * (dim + 1) / 2;
        for q in 0..points {
            // Each entry of D is read from its list once, and stands at its place in the square.
            let (mut slope, mut D) = ([[S::zero(); LANES]; 3], [[S::zero(); LANES]; 6]);
            for k in 0..count {
                D[k] = entries(factors, k * points + q);
            }
            for a in 0..dim {
                slope[a] = g[a][q];
            }
            for a in 0..dim {
                let mut flux = [S::zero(); LANES];
                for b in 0..dim {
                    flux = plus(flux, times(&D[entry(dim, a, b)], &slope[b]));
                }
                g[a][q] = flux;
            }
            v[q] = match kind.reacts {
                true => times(&entries(factors, count * points + q), &v[q]),
                false => [S::zero(); LANES],
            };
        }
    }

    /// Integrals against all local functions, from fluxes and reaction at points.
    #[inline(always)]
    fn integrate(&mut self, dim: usize, mut shape: [usize; 3], fluxes: &Contraction<S>, moments: &Contraction<S>) {
        let [v, g @ ..] = &mut self.room;
        for axis in 0..dim {
            fluxes.add(axis, shape, &g[axis], v);
        }
        for axis in (0..dim).rev() {
            shape = moments.set(axis, shape, v, &mut g[0]);
            std::mem::swap(v, &mut g[0]);
        }
        std::mem::swap(v, &mut self.u);
    }

    #[inline(always)]
    fn by_matrix(&mut self, n: usize, factors: &[&[S]; LANES]) {
        let v = &mut self.room[0];
        for (i, into) in v[..n].iter_mut().enumerate() {
            let mut sum = [S::zero(); LANES];
            for j in 0..n {
                sum = plus(sum, times(&entries(factors, i * n + j), &self.u[j]));
            }
            *into = sum;
        }
        std::mem::swap(v, &mut self.u);
    }
}

/// One product of a batch, compiled for several instruction sets.
struct Multiply<'a, S> {
    batch: &'a mut Batch<S>,
    dim: usize,
    kind: &'a Kind,
    tables: &'a Tables<S>,
    factors: &'a [&'a [S]; LANES],
}

impl<S: Scalar> simd::Kernel for Multiply<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { batch, dim, kind, tables, factors } = self;
        match tables {
            Tables::Box { mass, stiffness } => batch.in_boxes(dim, kind, [mass, stiffness], factors),
            Tables::Points { values, moments, slopes, fluxes } => {
                let shape = batch.evaluate(dim, kind.p + 1, values);
                batch.at_points(dim, kind, shape, slopes, factors);
                batch.integrate(dim, shape, fluxes, moments);
            }
            Tables::Stored => batch.by_matrix(kind.functions(dim), factors),
        }
    }
}

#[inline(always)]
fn shape(dim: usize, n: usize) -> [usize; 3] {
    [n, n, if dim == 3 { n } else { 1 }]
}
