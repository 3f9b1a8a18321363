//! Every size up to three tiles, every stride that faer has, against the definition: integers, so that nothing is
//! rounded.

use crate::{Entry, Product, product};
use num_complex::Complex;
use std::fmt::Debug;

/// Strides of a matrix of so many rows and columns, and where its entry (0, 0) is: by columns, by rows, both backwards,
/// with gaps.
fn layouts([rows, columns]: [usize; 2]) -> [(isize, [isize; 2]); 5] {
    let [m, n] = [rows as isize, columns as isize];
    let last = m * n - 1;
    [(0, [1, m]), (0, [n, 1]), (last, [-1, -m]), (last, [-n, -1]), (0, [2, 2 * m])]
}

/// Whole numbers that differ from entry to entry.
fn whole(k: usize, factor: usize) -> f64 {
    ((k * factor) % 13) as f64 - 6.0
}

struct Case<E> {
    size: [usize; 3],
    alpha: E,
    beta: E,
    conjugated: [bool; 2],
}

fn check<E: Entry + Debug>(case: &Case<E>, of: fn(f64, f64) -> E, conjugate: fn(E) -> E) {
    let [m, n, k] = case.size;
    let all =
        |factor: usize| (0..2 * 13 * 13 * 2).map(|i| of(whole(i, factor), whole(i, factor + 2))).collect::<Vec<E>>();
    let (lhs, rhs, before) = (all(5), all(7), all(3));
    let at = |array: &[E], (first, [down, right]): (isize, [isize; 2]), i: usize, j: usize| {
        array[(first + i as isize * down + j as isize * right) as usize]
    };
    for of_lhs in layouts([m, k]) {
        for of_rhs in layouts([k, n]) {
            for of_dst in layouts([m, n]) {
                let mut dst = before.clone();
                let [left, right] = case.conjugated.map(|conjugated| if conjugated { conjugate } else { |e| e });
                // SAFETY: the arrays hold twice 13 by 13 entries, the first of them at `of_*.0`.
                unsafe {
                    product(Product {
                        rows: m,
                        columns: n,
                        depth: k,
                        dst: dst.as_mut_ptr().offset(of_dst.0),
                        dst_strides: of_dst.1,
                        lhs: lhs.as_ptr().offset(of_lhs.0),
                        lhs_strides: of_lhs.1,
                        rhs: rhs.as_ptr().offset(of_rhs.0),
                        rhs_strides: of_rhs.1,
                        alpha: case.alpha,
                        beta: case.beta,
                        conjugated: case.conjugated,
                    });
                }
                for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                    let term = |p: usize| left(at(&lhs, of_lhs, i, p)) * right(at(&rhs, of_rhs, p, j));
                    let sum = (0..k).fold(E::ZERO, |sum, p| sum + term(p));
                    let expected = case.alpha * at(&before, of_dst, i, j) + case.beta * sum;
                    assert_eq!(at(&dst, of_dst, i, j), expected, "{:?}: ({i}, {j})", case.size);
                }
                let count = dst.iter().zip(&before).filter(|(now, before)| now != before).count();
                assert!(count <= m * n, "{:?}: wrote beside dst", case.size);
            }
        }
    }
}

fn sizes() -> impl Iterator<Item = [usize; 3]> {
    let some = [0, 1, 2, 3, 4, 5, 8, 11, 13];
    some.into_iter().flat_map(move |m| some.into_iter().flat_map(move |n| [0, 1, 4, 7].map(|k| [m, n, k])))
}

#[test]
fn real_products_of_every_size_and_stride() {
    for size in sizes() {
        for (alpha, beta) in [(0.0, 1.0), (1.0, -1.0), (2.0, 3.0)] {
            check(&Case { size, alpha, beta, conjugated: [false; 2] }, |re, _| re, |e| e);
        }
        check(&Case { size, alpha: 1.0, beta: -1.0, conjugated: [true; 2] }, |re, _| re as f32, |e| e);
    }
}

#[test]
fn complex_products_conjugate_either_factor() {
    let number = |re: f64, im: f64| Complex::new(re, im);
    for size in sizes() {
        for conjugated in [[false, false], [true, false], [false, true], [true, true]] {
            let case = Case { size, alpha: number(1.0, 0.0), beta: number(-1.0, 2.0), conjugated };
            check(&case, Complex::new, |e| e.conj());
        }
    }
}

/// What dst held does not matter where alpha is zero.
#[test]
fn zero_times_nan_is_not_read() {
    let (lhs, rhs, mut dst) = ([1.0, 2.0], [3.0, 4.0], [f64::NAN; 4]);
    // SAFETY: a column times a row of two entries each.
    unsafe {
        let dst = dst.as_mut_ptr();
        crate::planless::execute_f64(
            2,
            2,
            1,
            dst,
            1,
            2,
            lhs.as_ptr(),
            1,
            2,
            rhs.as_ptr(),
            1,
            1,
            0.0,
            1.0,
            false,
            false,
        );
    }
    assert_eq!(dst, [3.0, 6.0, 4.0, 8.0]);
}
