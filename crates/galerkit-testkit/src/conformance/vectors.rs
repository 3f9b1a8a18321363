//! Conformance of the verbs on vectors.

use super::{SIZES, assert_same, both, integers, poison, thirds};
use crate::{assert_close, tol};
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Backend, Reference};

/// Coefficients that have shortcuts of their own, and one that has none.
fn coefficients<S: Scalar>() -> [S; 4] {
    [S::zero(), S::one(), -S::one(), S::from_parts(2.0, -3.0)]
}

/// y = x
pub fn copy<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let x = thirds::<S>(n, 1);
        let mut y = poison(n);
        backend.copy(&x, &mut y);
        assert_same(&y, &x, "copy");
    }
}

/// y = a x + b y for every pair of special coefficients; NaN in y must not survive b = 0.
pub fn axpby<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let (x, y) = (integers::<S>(n, 2), integers::<S>(n, 3));
        for a in coefficients() {
            for b in coefficients() {
                let (found, expected) = both(backend, &y, |e, y| e.axpby(a, &x, b, y), |e, y| e.axpby(a, &x, b, y));
                assert_same(&found, &expected, &format!("axpby with a = {a}, b = {b}"));
            }
            let mut y = poison(n);
            backend.axpby(a, &x, S::zero(), &mut y);
            let expected: Vec<S> = x.iter().map(|&x| a * x).collect();
            assert_same(&y, &expected, &format!("axpby over NaN with a = {a}, b = 0"));
        }
    }
}

/// y = y + a x
pub fn axpy<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let (x, y) = (integers::<S>(n, 4), integers::<S>(n, 5));
        for a in coefficients() {
            let (found, expected) = both(backend, &y, |e, y| e.axpy(a, &x, y), |e, y| e.axpy(a, &x, y));
            assert_same(&found, &expected, &format!("axpy with a = {a}"));
        }
        let (x, a) = (thirds::<S>(n, 4), S::from_f64(0.1));
        let (found, expected) = both(backend, &y, |e, y| e.axpy(a, &x, y), |e, y| e.axpy(a, &x, y));
        assert_close(&found, &expected, 1.0, "axpy with a = 0.1");
    }
}

/// y = x + b y
pub fn xpby<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let (x, y) = (integers::<S>(n, 6), integers::<S>(n, 7));
        for b in coefficients() {
            let (found, expected) = both(backend, &y, |e, y| e.xpby(&x, b, y), |e, y| e.xpby(&x, b, y));
            assert_same(&found, &expected, &format!("xpby with b = {b}"));
        }
    }
}

/// y = a y
pub fn scale<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let y = integers::<S>(n, 8);
        for a in coefficients() {
            let (found, expected) = both(backend, &y, |e, y| e.scale(a, y), |e, y| e.scale(a, y));
            assert_same(&found, &expected, &format!("scale with a = {a}"));
        }
    }
}

/// conj(x) . y: exact on integers; on thirds within the tolerance of the sum of moduli; the same bits each time.
pub fn dot<S: Scalar, B: Backend<S>>(backend: &B) {
    for n in SIZES {
        let (x, y) = (integers::<S>(n, 9), integers::<S>(n, 10));
        assert_same(&[backend.dot(&x, &y)], &[Reference.dot(&x, &y)], &format!("dot of length {n}"));
        assert_same(&[backend.dot(&x, &y)], &[backend.dot(&y, &x).conj()], &format!("dot of length {n}, exchanged"));
        let (x, y) = (thirds::<S>(n, 11), thirds::<S>(n, 12));
        let found = backend.dot(&x, &y);
        assert_same(&[backend.dot(&x, &y)], &[found], &format!("dot of length {n}, again"));
        let modulus = |value: S| value.parts().0.hypot(value.parts().1);
        let moduli: f64 = x.iter().zip(&y).map(|(&x, &y)| modulus(x) * modulus(y)).sum();
        let error = modulus(found - thirds_dot(&x, &y));
        // The oracle is summed in double precision; n eps / 64 covers sequential sums in single precision.
        let allowed = tol::<S>() * moduli * (1.0 + n as f64 / 64.0);
        assert!(error <= allowed, "dot of length {n} ({}): error {error:e}, allowed {allowed:e}", S::KIND.name());
    }
}

/// conj(x) . y with products and sums in double precision.
fn thirds_dot<S: Scalar>(x: &[S], y: &[S]) -> S {
    let (mut re, mut im) = (0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let ((a, b), (c, d)) = (x.parts(), y.parts());
        re += a * c + b * d;
        im += a * d - b * c;
    }
    S::from_parts(re, im)
}
