//! IDR(s), the variant with biorthogonal residuals (van Gijzen and Sonneveld 2011, algorithm 913), preconditioned from
//! the right. Residuals are forced into shrinking spaces G_j = (I - omega_j A M)(G_{j-1} and orthogonal to P), P being
//! s fixed random orthonormal vectors: s steps make r orthogonal to P, the next enters the new space with an omega that
//! minimises
//! ||r||, enlarged where the angle between r and A M r is poor (Sleijpen and van der Vorst 1995).
//! All products of a new g with P are taken at once and g is then made biorthogonal by a triangular solve, so that a
//! step has one reduction beside the norm (Collignon and van Gijzen 2011).
//!
//! An iteration is one product with A; x and r are updated in each. Keeps 3 s + 3 vectors; per cycle of s + 1
//! iterations s + 1 A, s + 1 M, s^2 + s + 3 dots, s + 1 norms, 2 s^2 + 2 s + 2 updates, s copies. The Euclidean norm of
//! r is watched, whatever `stop.watch` says; `stop.replacement` is not heeded, because a replaced r would leave the
//! spaces.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Nonzero},
};
use crate::program::{Outcome, Run, Stop};
use crate::random::Random;
use crate::scalar::Scalar;

/// Least cosine between r and A M r for which omega is left as it minimises ||r||.
const ANGLE: f64 = 0.7;
/// Seed of the shadow vectors.
const SEED: u64 = 913;

/// Solves A x = b for any A by induced dimension reduction with s shadow vectors; M approximates the inverse of A.
/// Starts from x. More shadow vectors than rows are not used.
#[rustfmt::skip]
pub fn idr<E: Engine>(e: &mut E, s: usize, A: &dyn Operator<E>, M: &dyn Operator<E>, b: &E::Vector, x: &mut E::Vector, stop: &Stop) -> Run {
    let [mut r, mut v, mut t] = e.vectors_like(b);
    e.residual(A, b, x, &mut r);                           // r = b - A x
    let norm = e.norm(&r);
    let mut spaces = Spaces::new(e, s, b);
    let s = spaces.P.len();

    e.iterate(stop, norm, |e| {
        e.cyclic(s + 1, |e, k| if k < s {
            let c = spaces.coefficients(e, k, &r);         // M_(k:s, k:s) c = f_(k:s), f = P* r
            let omega = spaces.omega.get();
            e.copy(&r, &mut v);
            for i in k..s { e.axpy(-c[i - k], &spaces.G[i], &mut v); } // v = r - G_(k:s) c
            e.apply(M, &v, &mut t);                        // t = M v
            spaces.direction(e, k, omega, &t, &c);         // u_k = omega t + U_(k:s) c
            e.apply(A, &spaces.U[k], &mut spaces.G[k]);    // g_k = A u_k
            let beta = spaces.biorthogonalise(e, k);       // g_k orthogonal to p_0 ... p_(k-1); beta = f_k / M_kk
            e.axpy(beta, &spaces.U[k], x);                 // x = x + beta u_k
            e.axpy(-beta, &spaces.G[k], &mut r);           // r = r - beta g_k
        } else {
            e.apply(M, &r, &mut v);                        // v = M r
            e.apply(A, &v, &mut t);                        // t = A v
            let omega = step::<E>(e, &t, &r);
            e.axpy(omega, &v, x);                          // x = x + omega v
            e.axpy(-omega, &t, &mut r);                    // r = r - omega t
            spaces.omega.set(omega);
        });
        e.norm(&r)
    })
}

/// What is carried from space to space.
struct Spaces<E: Engine> {
    /// Shadow vectors.
    P: Vec<E::Vector>,
    /// Directions.
    U: Vec<E::Vector>,
    /// g_k = A u_k
    G: Vec<E::Vector>,
    /// M_ik = (p_i, g_k), lower triangular.
    M: Vec<Vec<E::Reg>>,
    /// f_i = (p_i, r), of the cycle at hand.
    f: Vec<E::Num>,
    omega: E::Reg,
}

impl<E: Engine> Spaces<E> {
    fn new(e: &mut E, s: usize, b: &E::Vector) -> Self {
        let P: Vec<E::Vector> =
            shadow::<E::Scalar>(e.length(b), s).iter().map(|p| e.upload_in(p, e.precision(b))).collect();
        let [U, G] = [(); 2].map(|()| P.iter().map(|_| e.zeros_like(b)).collect());
        let (zero, one) = (e.number(0.0), e.number(1.0));
        let row = |i| (0..=i).map(|k| e.carry(if i == k { one } else { zero })).collect();
        let M = (0..P.len()).map(row).collect();
        Self { P, U, G, M, f: Vec::new(), omega: e.carry(one) }
    }

    /// The solution c of M_(k:s, k:s) c = f_(k:s); f is computed at the start of a cycle.
    fn coefficients(&mut self, e: &mut E, k: usize, r: &E::Vector) -> Vec<E::Num> {
        if k == 0 {
            self.f = self.P.iter().map(|p| e.dot(p, r)).collect();
        }
        self.solve(k, &self.f[k..])
    }

    /// Solves with the triangle of M that begins at row and column k.
    fn solve(&self, k: usize, f: &[E::Num]) -> Vec<E::Num> {
        let mut c: Vec<E::Num> = Vec::with_capacity(f.len());
        for (i, &f) in f.iter().enumerate() {
            let rest = c.iter().enumerate().fold(f, |rest, (j, &c)| rest - self.M[k + i][k + j].get() * c);
            c.push(rest / self.M[k + i][k + i].get());
        }
        c
    }

    /// u_k = omega t + U_(k:s) c
    fn direction(&mut self, e: &mut E, k: usize, omega: E::Num, t: &E::Vector, c: &[E::Num]) {
        let (first, others) = self.U[k..].split_first_mut().expect("k is below s");
        e.axpby(omega, t, c[0], first);
        others.iter().zip(&c[1..]).for_each(|(u, &c)| e.axpy(c, u, first));
    }

    /// Takes from g_k and u_k what makes (p_i, g_k) = 0 for i < k, sets column k of M and returns the step
    /// beta = f_k / M_kk that makes r orthogonal to p_k; f becomes that of the new r.
    fn biorthogonalise(&mut self, e: &mut E, k: usize) -> E::Num {
        let s = self.P.len();
        let products: Vec<E::Num> = self.P.iter().map(|p| e.dot(p, &self.G[k])).collect();
        let alpha = self.solve(0, &products[..k]);
        let reduced = |i: usize| (0..k).fold(products[i], |m, j| m - self.M[i][j].get() * alpha[j]);
        let column: Vec<E::Num> = (k..s).map(reduced).collect();
        e.require(Finite(column[0]), Outcome::NonFinite);
        e.require(Nonzero(column[0]), Outcome::Breakdown);
        for vectors in [&mut self.G, &mut self.U] {
            let (before, rest) = vectors.split_at_mut(k);
            before.iter().zip(&alpha).for_each(|(x, &alpha)| e.axpy(-alpha, x, &mut rest[0]));
        }
        let beta = self.f[k] / column[0];
        for (i, &m) in (k..s).zip(&column) {
            self.M[i][k].set(m);
            self.f[i] = self.f[i] - beta * m;
        }
        beta
    }
}

/// The omega that minimises ||r - omega t||, (t, r) / (t, t), times ANGLE / cosine where the cosine is below ANGLE.
fn step<E: Engine>(e: &mut E, t: &E::Vector, r: &E::Vector) -> E::Num {
    let (tr, tt, rr) = (e.dot(t, r), e.dot(t, t), e.dot(r, r));
    e.require(Finite(tr), Outcome::NonFinite);
    e.require(Finite(tt), Outcome::NonFinite);
    e.require(Nonzero(tr), Outcome::Breakdown);
    e.require(Nonzero(tt), Outcome::Breakdown);
    let (angle, half) = (e.number(ANGLE), e.number(0.5));
    let least = angle * tt.sqrt() * rr.sqrt();
    let larger = (tr.abs() + least + (tr.abs() - least).abs()) * half; // max(|(t, r)|, 0.7 ||t|| ||r||)
    (tr / tr.abs()) * (larger / tt)
}

/// At most s random orthonormal vectors, the same on every engine: modified Gram and Schmidt, twice.
fn shadow<S: Scalar>(length: usize, s: usize) -> Vec<Vec<S>> {
    let mut random = Random::new(SEED);
    let mut entry = || 2.0 * random.unit() - 1.0;
    let mut P: Vec<Vec<S>> = Vec::new();
    for _ in 0..s.min(length) {
        let mut p: Vec<S> = (0..length).map(|_| S::from_parts(entry(), entry())).collect();
        for q in P.iter().chain(&P) {
            let inner: S = q.iter().zip(&p).map(|(&q, &p)| q.conj() * p).sum();
            p.iter_mut().zip(q).for_each(|(p, &q)| *p -= inner * q);
        }
        let norm = S::from_f64(p.iter().map(|p| p.modulus_squared().parts().0).sum::<f64>().sqrt());
        p.iter_mut().for_each(|p| *p /= norm);
        P.push(p);
    }
    P
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Reference;
    use crate::engine::Immediate;
    use crate::scalar::c64;

    #[test]
    fn omega_minimises_or_keeps_the_angle() {
        let mut e = Immediate::<f64, _>::new(Reference);
        let mut omega = |t: [f64; 2], r: [f64; 2]| {
            let (t, r) = (e.upload(&t), e.upload(&r));
            step(&mut e, &t, &r)
        };
        assert_eq!(omega([2.0, 0.0], [3.0, 0.0]), 1.5);
        assert_eq!(omega([1.0, 0.0], [4.0, -3.0]), 4.0, "cosine 0.8");
        assert!((omega([1.0, 0.0], [-3.0, 4.0]) + 3.5).abs() <= 1e-15, "cosine -0.6: -3 times 0.7 / 0.6");
    }

    #[test]
    fn shadow_vectors_are_orthonormal() {
        assert_eq!(shadow::<f64>(3, 5).len(), 3);
        let P = shadow::<c64>(40, 6);
        for (i, p) in P.iter().enumerate() {
            for (j, q) in P.iter().enumerate() {
                let inner: c64 = p.iter().zip(q).map(|(p, q)| p.conj() * q).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((inner - expected).norm() <= 1e-14, "{i} {j}: {inner}");
            }
        }
    }
}
