//! Tiles of dst whose sums stay in registers: 8 by 4 real numbers are eight registers of AVX2, as many as hide the
//! latency of its multiplications. What is left at the edges are tiles of a half, a quarter and an eighth of the rows,
//! and of single columns.

use crate::entry::Real;
use crate::{Entry, Product};

/// Real columns of rhs that a tile covers: four real ones, or two complex ones.
const COLUMNS: usize = 4;

/// Every tile of dst.
///
/// # Safety
/// As for [`crate::product`]; FUSED only where the processor multiplies and adds at once.
#[inline(always)]
pub(crate) unsafe fn each<E: Entry, const FUSED: bool>(product: &Product<E>) {
    let wide = COLUMNS / E::PARTS;
    let mut column = 0;
    // SAFETY: rows and columns stay below those of dst.
    unsafe {
        while column + wide <= product.columns {
            rows::<E, COLUMNS, FUSED>(product, column);
            column += wide;
        }
        while column < product.columns {
            match E::PARTS {
                1 => rows::<E, 1, FUSED>(product, column),
                _ => rows::<E, 2, FUSED>(product, column),
            }
            column += 1;
        }
    }
}

/// The tiles below one another.
#[inline(always)]
unsafe fn rows<E: Entry, const N: usize, const FUSED: bool>(product: &Product<E>, column: usize) {
    let mut row = 0;
    // SAFETY: rows stay below those of dst.
    unsafe {
        if product.lhs_strides[0] == 1 {
            while row + 8 / E::PARTS <= product.rows {
                tile::<E, 8, N, true, FUSED>(product, row, column);
                row += 8 / E::PARTS;
            }
            if row + 4 / E::PARTS <= product.rows {
                tile::<E, 4, N, true, FUSED>(product, row, column);
                row += 4 / E::PARTS;
            }
            if row + 2 / E::PARTS <= product.rows {
                tile::<E, 2, N, true, FUSED>(product, row, column);
                row += 2 / E::PARTS;
            }
            if row < product.rows {
                tile::<E, 1, N, true, FUSED>(product, row, column); // of a complex matrix nothing is left
            }
        } else {
            while row + 4 / E::PARTS <= product.rows {
                tile::<E, 4, N, false, FUSED>(product, row, column);
                row += 4 / E::PARTS;
            }
            while row < product.rows {
                match E::PARTS {
                    1 => tile::<E, 1, N, false, FUSED>(product, row, column),
                    _ => tile::<E, 2, N, false, FUSED>(product, row, column),
                }
                row += 1;
            }
        }
    }
}

/// M real rows and N real columns; UNIT: the rows of lhs lie behind one another.
#[inline(always)]
unsafe fn tile<E: Entry, const M: usize, const N: usize, const UNIT: bool, const FUSED: bool>(
    product: &Product<E>,
    row: usize,
    column: usize,
) {
    let parts = E::PARTS as isize;
    let (row, column) = (row as isize, column as isize);
    let [across, along] = product.lhs_strides;
    let lhs = product.lhs.wrapping_offset(row * across).cast::<E::Real>();
    let rhs = product.rhs.wrapping_offset(column * product.rhs_strides[1]).cast::<E::Real>();
    let mut sums = [[E::Real::ZERO; M]; N];
    for k in 0..product.depth as isize {
        let mut left = [E::Real::ZERO; M];
        for (i, left) in (0..).zip(&mut left) {
            let of_row = if UNIT { i } else { i / parts * across * parts + i % parts };
            // SAFETY: part i of row `row + i / parts` and column k of lhs, which is in memory.
            *left = unsafe { *lhs.wrapping_offset(parts * k * along + of_row) };
        }
        for (j, sums) in (0..).zip(&mut sums) {
            let of_column = j / parts * product.rhs_strides[1] * parts + j % parts;
            // SAFETY: part j of row k and column `column + j / parts` of rhs, which is in memory.
            let right = unsafe { *rhs.wrapping_offset(parts * k * product.rhs_strides[0] + of_column) };
            for (sum, left) in sums.iter_mut().zip(left) {
                *sum = left.times_plus::<FUSED>(right, *sum);
            }
        }
    }
    for j in 0..N / E::PARTS {
        for i in 0..M / E::PARTS {
            let sum = |q: usize, p: usize| sums[(j * E::PARTS + q) % N][(i * E::PARTS + p) % M];
            let found = E::of_sums([[sum(0, 0), sum(0, 1)], [sum(1, 0), sum(1, 1)]], product.conjugated);
            let [down, right] = product.dst_strides;
            let dst = product.dst.wrapping_offset((row + i as isize) * down + (column + j as isize) * right);
            // SAFETY: the entry of dst is ours.
            unsafe {
                let kept = if product.alpha == E::ZERO { E::ZERO } else { product.alpha * *dst };
                *dst = kept + product.beta * found;
            }
        }
    }
}
