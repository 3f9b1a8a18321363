//! The one tolerance: 64 eps, relative in norm. A test that needs more multiplies by a named factor.

use galerkit_linalg::Scalar;

/// 64 times the unit round-off of the scalar.
pub fn tol<S: Scalar>() -> f64 {
    64.0 * S::eps()
}

/// ||x - y|| / ||y|| in double precision; ||x|| if y is zero. Infinite if the lengths differ or x is not finite.
pub fn distance<S: Scalar>(x: &[S], y: &[S]) -> f64 {
    if x.len() != y.len() || !x.iter().all(|value| value.finite()) {
        return f64::INFINITY;
    }
    let square = |(re, im): (f64, f64)| re * re + im * im;
    let norm: f64 = y.iter().map(|value| square(value.parts())).sum();
    let difference = |(x, y): (&S, &S)| square((x.parts().0 - y.parts().0, x.parts().1 - y.parts().1));
    let error: f64 = x.iter().zip(y).map(difference).sum();
    if norm == 0.0 { error.sqrt() } else { (error / norm).sqrt() }
}

/// Fails unless x is y within `factor` tolerances, relative in norm.
#[track_caller]
pub fn assert_close<S: Scalar>(x: &[S], y: &[S], factor: f64, what: &str) {
    let (found, allowed) = (distance(x, y), factor * tol::<S>());
    assert!(found <= allowed, "{what} ({}): relative error {found:e}, allowed {allowed:e}", S::KIND.name());
}
