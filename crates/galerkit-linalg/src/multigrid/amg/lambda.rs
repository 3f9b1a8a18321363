//! What the smoother divides by: the scaled l1 norms of rows, which need no eigenvalue, or lambda d_i with a bound
//! lambda of the eigenvalues of D^-1 A: the largest l_i/d_i, which is Gershgorin's, or from some steps of Lanczos'
//! method 1.1 times the largest Ritz value, and at most Gershgorin's bound. Sums have a fixed order, so the bits are
//! the same on any number of threads.

use super::choices::Scaling;
use super::hash::STEP;
use super::norms::Norms;
use crate::parallel;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use num_traits::Float;

/// What a Ritz value, which is below the largest eigenvalue, is multiplied with.
const SAFETY: f64 = 1.1;
/// Bisections of an interval of eigenvalues.
const HALVINGS: usize = 60;

/// l_i, or lambda d_i.
pub(super) fn bounds<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, scaling: Scaling) -> Vec<S::Real> {
    divisors(norms, bound(A, norms, scaling))
}

/// The same with lambda as it is known.
pub(super) fn divisors<R: Float>(norms: &Norms<R>, lambda: Option<R>) -> Vec<R> {
    match lambda {
        None => norms.l1.clone(),
        Some(lambda) => norms.diagonal.iter().map(|&d| lambda * d).collect(),
    }
}

/// lambda, where there is one.
pub(super) fn bound<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, scaling: Scaling) -> Option<S::Real> {
    let wide = |x: S::Real| Scalar::parts(x).0;
    let ratios = norms.l1.iter().zip(&norms.diagonal).map(|(&l, &d)| wide(l) / wide(d));
    let lambda = match scaling {
        Scaling::RowNorms => return None,
        Scaling::Gershgorin => ratios.fold(0.0, f64::max),
        Scaling::Lanczos(steps) => (SAFETY * largest_ritz(A, norms, steps)).min(ratios.fold(0.0, f64::max)),
    };
    Some(<S::Real as Scalar>::from_f64(lambda))
}

/// The largest Ritz value of D^-1/2 A D^-1/2.
#[rustfmt::skip]
fn largest_ritz<S: Scalar>(A: &Csr<S>, norms: &Norms<S::Real>, steps: usize) -> f64 {
    let root: Vec<S> = norms.diagonal.iter().map(|&d| S::from_real(Float::sqrt(d))).collect();
    let mut v: Vec<S> = (0..A.rows() as u64).map(start).collect();
    let mut before = vec![S::zero(); A.rows()];
    let (mut diagonal, mut beside): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let length = norm(&v);
    scale(&mut v, length);                                            // v = v / |v|
    for _ in 0..steps.min(A.rows()) {
        let mut w: Vec<S> = parallel::collect(A.rows(), &|i| {
            A.row(i).fold(S::zero(), |sum, (j, a)| sum + a * v[j] / root[j]) / root[i]
        });                                                           // w = D^-1/2 A D^-1/2 v
        let beta = beside.last().copied().unwrap_or(0.0);
        let alpha = dot(&v, &w);
        let (a, b) = (S::from_f64(alpha), S::from_f64(beta));
        for ((w, &v), &before) in w.iter_mut().zip(&v).zip(&before) {
            *w = *w - a * v - b * before;                             // w = w - alpha v - beta v_before
        }
        diagonal.push(alpha);
        let length = norm(&w);
        beside.push(length);
        if length <= S::eps() * alpha.abs() {
            break;                                                    // an invariant subspace
        }
        scale(&mut w, length);
        before = std::mem::replace(&mut v, w);
    }
    largest(&diagonal, &beside)
}

/// ((i + 1) STEP mod 2^64 >> 11)/2^52 - 1
fn start<S: Scalar>(i: u64) -> S {
    S::from_f64(((i + 1).wrapping_mul(STEP) >> 11) as f64 / (1u64 << 52) as f64 - 1.0)
}

fn dot<S: Scalar>(x: &[S], y: &[S]) -> f64 {
    x.iter().zip(y).map(|(&x, &y)| (x.conj() * y).parts().0).sum()
}

fn norm<S: Scalar>(x: &[S]) -> f64 {
    dot(x, x).sqrt()
}

fn scale<S: Scalar>(x: &mut [S], by: f64) {
    x.iter_mut().for_each(|x| *x /= S::from_f64(by));
}

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection.
fn largest(diagonal: &[f64], beside: &[f64]) -> f64 {
    let radius =
        |k: usize| if k == 0 { 0.0 } else { beside[k - 1] } + if k + 1 < diagonal.len() { beside[k] } else { 0.0 };
    let (mut low, mut high) = (0..diagonal.len()).fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |(low, high), k| {
        (low.max(diagonal[k]), high.max(diagonal[k] + radius(k)))
    });
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        let mut pivot = f64::INFINITY;
        let is_below = (0..diagonal.len()).all(|k| {
            let square = if k == 0 { 0.0 } else { beside[k - 1] * beside[k - 1] };
            pivot = middle - diagonal[k] - square / pivot; // middle - T is positive definite
            pivot > 0.0
        });
        if is_below { high = middle } else { low = middle }
    }
    high
}
