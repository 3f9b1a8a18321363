//! Null vectors by inverse iteration with a block.

use super::regular::Regular;
use galerkit_linalg::krylov::{frobenius_norm, norm, residual};
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Result, Scalar};

/// Steps of inverse iteration: each lets null vectors gain sigma / delta over others.
const STEPS: usize = 3;
/// Singular values that vanish are below so many units of rounding.
const ROUNDING: f64 = 16.0;
/// The most sweeps of rotations; they converge quadratically.
const SWEEPS: usize = 30;

/// Orthonormal null vectors of B and of B^H.
pub struct NullVectors<D> {
    pub right: Vec<Vec<D>>,
    pub left: Vec<Vec<D>>,
}

impl<D: Scalar> NullVectors<D> {
    /// At most so many.
    pub fn search(regular: &Regular<D>, count: usize, eps: f64) -> Result<Self> {
        let mut random = Random::new(1);
        let mut block = || -> Vec<Vec<D>> {
            (0..count).map(|_| (0..regular.B.rows()).map(|_| D::from_f64(random.unit() - 0.5)).collect()).collect()
        };
        let (mut left, mut right) = (orthonormal(block()), orthonormal(block()));
        for _ in 0..STEPS {
            let pairs = left.iter().zip(&right).map(|(left, right)| regular.amplify(left, right));
            let (next_left, next_right) = pairs.collect::<Result<Vec<_>>>()?.into_iter().unzip();
            (left, right) = (orthonormal(next_left), orthonormal(next_right));
        }
        // What entries are known to moves B by their eps times its largest singular value, about the norm of a row; what
        // factors are known to moves it by that of a double times the norm of all.
        let (all, rows) = (frobenius_norm(&regular.B), (regular.B.rows() as f64).sqrt());
        let most = ROUNDING * (eps * all / rows).max(f64::EPSILON * all);
        Ok(Self { right: annihilated(&regular.B, right, most), left: annihilated(&regular.adjoint, left, most) })
    }
}

/// The subspace whose vectors B shortens below a limit: one-sided Jacobi rotations of B V and V (Hestenes 1958).
fn annihilated<D: Scalar>(B: &Csr<D>, mut V: Vec<Vec<D>>, most: f64) -> Vec<Vec<D>> {
    let zero = vec![D::zero(); B.rows()];
    let mut W: Vec<Vec<D>> = V.iter().map(|v| residual(B, &zero, v)).collect(); // -B V
    for _ in 0..SWEEPS {
        let mut has_rotated = false;
        for q in 1..V.len() {
            for p in 0..q {
                if let Some(rotation) = Rotation::between(&W[p], &W[q]) {
                    rotation.apply(&mut W, (p, q));
                    rotation.apply(&mut V, (p, q));
                    has_rotated = true;
                }
            }
        }
        if !has_rotated {
            break;
        }
    }
    V.into_iter().zip(W).filter(|(_, w)| norm(w) <= most).map(|(v, _)| v).collect()
}

/// Makes two vectors orthogonal.
struct Rotation<D> {
    c: D,
    s: D,
    /// What the second is multiplied with first, so that their product is real.
    phase: D,
}

impl<D: Scalar> Rotation<D> {
    /// None where they are orthogonal up to rounding.
    fn between(p: &[D], q: &[D]) -> Option<Self> {
        let (alpha, beta, product) = (norm(p), norm(q), dot(p, q));
        let (re, im) = product.parts();
        let size = f64::hypot(re, im);
        if size <= D::eps() * alpha * beta {
            return None;
        }
        let zeta = (beta * beta - alpha * alpha) / (2.0 * size);
        let t = zeta.signum() / (zeta.abs() + f64::hypot(1.0, zeta));
        let c = 1.0 / f64::hypot(1.0, t);
        Some(Self { c: D::from_f64(c), s: D::from_f64(c * t), phase: D::from_parts(re / size, -im / size) })
    }

    fn apply(&self, vectors: &mut [Vec<D>], (p, q): (usize, usize)) {
        let (before, after) = vectors.split_at_mut(q);
        for (x, y) in before[p].iter_mut().zip(&mut after[0]) {
            let turned = *y * self.phase;
            (*x, *y) = (self.c * *x - self.s * turned, self.s * *x + self.c * turned);
        }
    }
}

/// An orthonormal basis of what vectors span, by Gram and Schmidt, twice; what depends on others is left out.
pub fn orthonormal<D: Scalar>(vectors: Vec<Vec<D>>) -> Vec<Vec<D>> {
    let mut basis: Vec<Vec<D>> = Vec::with_capacity(vectors.len());
    for mut vector in vectors {
        let before = norm(&vector);
        remove(&basis, &mut vector);
        remove(&basis, &mut vector);
        let after = norm(&vector);
        if after.is_finite() && after > 1e-14 * before && after > 0.0 {
            vector.iter_mut().for_each(|value| *value *= D::from_f64(1.0 / after));
            basis.push(vector);
        }
    }
    basis
}

/// Takes the part in the span of an orthonormal basis out of x: its norm.
pub fn remove<D: Scalar>(basis: &[Vec<D>], x: &mut [D]) -> f64 {
    let mut squares = 0.0;
    for v in basis {
        let product = dot(v, x);
        let (re, im) = product.parts();
        squares += re * re + im * im;
        x.iter_mut().zip(v).for_each(|(x, &v)| *x -= product * v);
    }
    squares.sqrt()
}

/// v^H x
fn dot<D: Scalar>(v: &[D], x: &[D]) -> D {
    v.iter().zip(x).fold(D::zero(), |sum, (&v, &x)| sum + Scalar::conj(v) * x)
}
