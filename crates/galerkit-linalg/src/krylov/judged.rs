//! How good an answer is, in double precision whatever the scalar: norms, and b - A x.

use crate::parallel;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

/// Entries that one thread sums. Parts of a fixed length, added in their order, are the same bits on any number of
/// threads.
const PART: usize = 1 << 16;

per_scalar! {
    /// Euclidean norm, scaled so that squares neither overflow nor vanish.
    pub fn norm<S>(x: &[S]) -> f64 = norm_of;
    /// b - A x.
    pub fn residual<S>(A: &Csr<S>, b: &[S], x: &[S]) -> Vec<S> = residual_of;
    /// The first entry that is not finite.
    pub fn first_not_finite<S>(x: &[S]) -> Option<usize> = first_not_finite_of;
}

fn norm_of<S: Scalar>(x: &[S]) -> f64 {
    let modulus = |value: &S| match value.parts() {
        (re, 0.0) => re.abs(), // the same bits, and hypot is slow
        (re, im) => re.hypot(im),
    };
    let largest = parts(x, &|part| part.iter().map(modulus).fold(0.0, larger)).into_iter().fold(0.0, larger);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let squares = parts(x, &|part| part.iter().map(|value| (modulus(value) / largest).powi(2)).sum());
    largest * squares.iter().sum::<f64>().sqrt()
}

/// The larger of two numbers; NaN if one is, which `f64::max` would hide.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// One number for each part of a vector.
fn parts<S: Scalar>(x: &[S], number: &(dyn Fn(&[S]) -> f64 + Sync)) -> Vec<f64> {
    let mut numbers = vec![0.0; x.len().div_ceil(PART)];
    parallel::each_chunk(&mut numbers, 1, &|k, out| out[0] = number(&x[k * PART..x.len().min((k + 1) * PART)]));
    numbers
}

fn residual_of<S: Scalar>(A: &Csr<S>, b: &[S], x: &[S]) -> Vec<S> {
    parallel::collect(A.rows(), &|i| {
        let (re, im) = A.row(i).fold(b[i].parts(), |(re, im), (j, a)| {
            let ((a, b), (c, d)) = (a.parts(), x[j].parts());
            (re - (a * c - b * d), im - (a * d + b * c))
        });
        S::from_parts(re, im)
    })
}

fn first_not_finite_of<S: Scalar>(x: &[S]) -> Option<usize> {
    let is_found = parts(x, &|part| f64::from(u8::from(part.iter().any(|value| !value.finite()))));
    let part = is_found.iter().position(|&found| found > 0.0)? * PART;
    x[part..].iter().position(|value| !value.finite()).map(|at| part + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn norms_neither_overflow_nor_vanish() {
        for unit in [1.0, 1e200, 1e-200] {
            assert!((norm(&[3.0 * unit, 4.0 * unit]) / unit - 5.0).abs() < 1e-14, "{unit}");
        }
        assert_eq!(norm::<f64>(&[]), 0.0);
        assert_eq!(norm(&vec![1.0; 4 * PART]), 2.0 * (PART as f64).sqrt(), "in parts");
    }

    /// Nothing but NaN had the norm 0, so that a solve without an answer had converged.
    #[test]
    fn the_norm_of_nan_is_nan() {
        for x in [vec![f64::NAN; 3], vec![f64::NAN; 2 * PART], vec![0.0, f64::NAN, 1.0]] {
            assert!(norm(&x).is_nan());
        }
        assert_eq!(norm(&[1.0, f64::INFINITY]), f64::INFINITY);
    }

    #[test]
    fn the_first_entry_that_is_not_finite() {
        let mut x = vec![1.0; 2 * PART + 9];
        assert_eq!(first_not_finite(&x), None);
        (x[PART + 7], x[PART + 9]) = (f64::NAN, f64::INFINITY);
        assert_eq!(first_not_finite(&x), Some(PART + 7));
    }

    #[test]
    fn a_residual_by_rows() {
        let A = Csr::new(2, 2, vec![0, 2, 3], vec![0, 1, 1], vec![2.0, 1.0, 3.0]).unwrap();
        assert_eq!(residual(&A, &[4.0, 5.0], &[1.0, 1.0]), [1.0, 2.0]);
    }
}
