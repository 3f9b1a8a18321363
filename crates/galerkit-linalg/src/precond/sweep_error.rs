//! How far Jacobi sweeps are from the exact solves with the same triangles, for one vector: with y = M^-1 A v and v of
//! pseudo-random entries,
//!
//! ```text
//! error of K sweeps = ||y_K - y|| / ||y||
//! ```
//!
//! M^-1 A v and not M^-1 v: it has entries of the size of v however the rows are scaled, and it is what a method works
//! with. Sweeps are the same whatever scales a triangle, so they are done here on the triangles as they are stored.

use crate::map::Triangular;
use crate::parallel;
use crate::random::Random;
use crate::scalar::{Scalar, per_scalar};
use crate::sparse::Csr;

per_scalar! {
    /// The errors of so many sweeps for each triangle, on the host; not finite where one of the two solutions is not.
    pub fn sweep_errors<S>(M: &dyn Triangular<S>, A: &Csr<S>, counts: &[usize]) -> Vec<f64> = errors;
}

fn errors<S: Scalar>(M: &dyn Triangular<S>, A: &Csr<S>, counts: &[usize]) -> Vec<f64> {
    let v = scattered::<S>(A.cols());
    let x: Vec<S> = each_row(A.rows(), |i| A.row(i).map(|(j, a)| a * v[j]).sum());
    let mut exact = vec![S::zero(); x.len()];
    M.solve(&x, &mut exact);
    counts.iter().map(|&count| distance(&swept(M, &x, count), &exact)).collect()
}

/// U^-1 L^-1 x by so many sweeps for each triangle.
fn swept<S: Scalar>(M: &dyn Triangular<S>, x: &[S], count: usize) -> Vec<S> {
    let (lower, upper, scale) = (M.lower(), M.upper(), M.scale());
    let sum = |T: &Csr<S>, i: usize, u: &[S]| T.row(i).map(|(j, t)| t * u[j]).sum::<S>();
    let mut u = each_row(x.len(), |i| M.forward(scale[i], x[i], S::zero()));
    for _ in 0..count {
        u = each_row(x.len(), |i| M.forward(scale[i], x[i], sum(lower, i, &u)));
    }
    let mut y = each_row(x.len(), |i| M.backward(scale[i], u[i], S::zero()));
    for _ in 0..count {
        y = each_row(x.len(), |i| M.backward(scale[i], u[i], sum(upper, i, &y)));
    }
    y
}

fn each_row<S: Scalar>(rows: usize, row: impl Fn(usize) -> S + Sync + Send) -> Vec<S> {
    parallel::collect(rows, &row)
}

/// ||y - exact|| / ||exact||; 0 if both are the same.
fn distance<S: Scalar>(y: &[S], exact: &[S]) -> f64 {
    let square = |value: S| value.parts().0.powi(2) + value.parts().1.powi(2);
    let apart: f64 = y.iter().zip(exact).map(|(&y, &exact)| square(y - exact)).sum();
    let size: f64 = exact.iter().map(|&value| square(value)).sum();
    if apart == 0.0 { 0.0 } else { (apart / size).sqrt() }
}

/// Uniform entries in [-1, 1), both parts of complex ones, always the same.
fn scattered<S: Scalar>(rows: usize) -> Vec<S> {
    let mut random = Random::new(1);
    let mut part = || 2.0 * random.unit() - 1.0;
    (0..rows).map(|_| S::from_parts(part(), part())).collect()
}
