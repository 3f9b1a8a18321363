//! What the long recurrences share: the length of a cycle, Gram-Schmidt, and the least-squares problem of GMRES.
//!
//! GMRES minimises || beta e_0 - H y || with H the (j+2) x (j+1) Hessenberg matrix of Arnoldi's process. Each new
//! column (.., a, b), b >= 0, is made triangular by the unitary reflection [conj(c) s; s -c], c = a / rho, s = b / rho,
//! rho = sqrt(|a|^2 + b^2) (Saad 2003, section 6.5.9, for complex numbers; a reflection, so that no sign is needed).
//! Applied to the right-hand side it leaves g_j = conj(c) ||r|| in place and s ||r|| below it: the next residual norm.

use crate::engine::{
    Engine, Number, Operator, Register,
    Test::{Finite, Positive},
};
use crate::program::{Outcome, Run, Stop};
use crate::scalar::Scalar;

/// What is left of a vector orthogonalised against others, in units of its length before and of the unit round-off,
/// when nothing but rounding errors is left.
const NOISE: f64 = 10.0;

/// The length of a cycle: no place is recorded that the limit keeps from being reached.
pub(super) fn cycle(restart: usize, stop: &Stop) -> usize {
    restart.min(stop.limit).max(1)
}

/// So many vectors like b.
pub(super) fn vectors<E: Engine>(e: &mut E, count: usize, b: &E::Vector) -> Vec<E::Vector> {
    (0..count).map(|_| e.zeros_like(b)).collect()
}

/// The first j vectors, and the one after them.
pub(super) fn kept<V>(vectors: &mut [V], j: usize) -> (&[V], &mut V) {
    let (kept, rest) = vectors.split_at_mut(j);
    (kept, &mut rest[0])
}

/// The length at or below which a vector that had the length `before` is made of rounding errors, which are of the size
/// `eps`.
fn noise<E: Engine>(e: &mut E, eps: f64, before: E::Num) -> E::Num {
    e.number(NOISE * eps) * before
}

/// The same in the working precision.
pub(super) fn exhausted<E: Engine>(e: &mut E, before: E::Num) -> E::Num {
    noise(e, E::Scalar::eps(), before)
}

/// (q_i, w) for all i, next to each other.
pub(super) fn dots<E: Engine>(e: &mut E, Q: &[E::Vector], w: &E::Vector) -> Vec<E::Num> {
    Q.iter().map(|q| e.dot(q, w)).collect()
}

/// What may be lost of a vector's square length to Q before Gram-Schmidt is applied once more: orthogonality then holds
/// to ten times the unit round-off (Daniel, Gragg, Kaufman, Stewart 1976).
const KEPT: f64 = 0.01;

/// Takes from w, whose square length is `before`, what it has of the orthonormal Q: by classical Gram-Schmidt, applied
/// a second time if the first has left w much shorter. The coefficients, the square length at the end, and (w, r) in
/// the pass of that.
pub(super) fn orthogonalise_with<E: Engine>(
    e: &mut E,
    Q: &[E::Vector],
    w: &mut E::Vector,
    before: E::Num,
    r: &E::Vector,
) -> (Vec<E::Num>, E::Num, E::Num) {
    let (h, found) = orthogonalised(e, Q, w, before, |e, w| [e.dot(w, w), e.dot(w, r)]);
    (h, found[0], found[1])
}

/// The same; `found` is what is asked of w in the passes that change it, its square length first.
fn orthogonalised<E: Engine, const N: usize>(
    e: &mut E,
    Q: &[E::Vector],
    w: &mut E::Vector,
    before: E::Num,
    mut found: impl FnMut(&mut E, &E::Vector) -> [E::Num; N],
) -> (Vec<E::Num>, [E::Num; N]) {
    let first = project(e, Q, w);
    let left = found(e, w);
    let h: Vec<E::Reg> = first.into_iter().map(|h| e.carry(h)).collect();
    let at_end = left.map(|number| e.carry(number));
    let least = e.number(KEPT) * before;
    e.unless(Positive(left[0] - least), |e| {
        let second = project(e, Q, w);
        h.iter().zip(second).for_each(|(h, more)| h.set(h.get() + more));
        at_end.iter().zip(found(e, w)).for_each(|(number, again)| number.set(again));
    });
    (h.iter().map(Register::get).collect(), at_end.each_ref().map(Register::get))
}

/// w = w - sum (q_i, w) q_i with all coefficients taken first.
fn project<E: Engine>(e: &mut E, Q: &[E::Vector], w: &mut E::Vector) -> Vec<E::Num> {
    let coefficients = dots(e, Q, w);
    subtract(e, &coefficients, Q, w);
    coefficients
}

/// w = w - sum h_i q_i
pub(super) fn subtract<E: Engine>(e: &mut E, h: &[E::Num], Q: &[E::Vector], w: &mut E::Vector) {
    for (&h, q) in h.iter().zip(Q) {
        e.axpy(-h, q, w);
    }
}

/// v = b - A x and its length.
#[rustfmt::skip]
pub(super) fn begin<E: Engine>(e: &mut E, A: &dyn Operator<E>, b: &E::Vector, x: &E::Vector, v: &mut E::Vector) -> E::Num {
    e.residual(A, b, x, v);
    e.norm(v)
}

/// 1 / length, by which v becomes a unit vector; 0 of 0, where the loop ends before v is used.
pub(super) fn unit<E: Engine>(e: &mut E, length: E::Num) -> E::Num {
    e.number(1.0).over(length)
}

/// Divides a vector by its length.
pub(super) fn normalise<E: Engine>(e: &mut E, length: E::Num, v: &mut E::Vector) {
    let unit = unit(e, length);
    e.scale(unit, v);
}

/// What a step of Arnoldi's process has found.
pub(super) struct Column<N> {
    /// h_ij = (v_i, w)
    h: Vec<N>,
    /// h_{j+1,j}: the length of w when all that was taken from it; zero only if the residual will be, or A is singular.
    pub(super) length: N,
    /// Its square length before.
    before: N,
}

/// One step of Arnoldi's process: leaves of w = A M v_j what makes the basis vector that follows V = v_0 .. v_j, not
/// yet of length 1. `with` makes what it likes of w in the passes that change w.
pub(super) fn expand<E: Engine>(
    e: &mut E,
    V: &[E::Vector],
    w: &mut E::Vector,
    mut with: impl FnMut(&mut E, &E::Vector),
) -> Column<E::Num> {
    let before = e.dot(w, w);
    let (h, [square]) = orthogonalised(e, V, w, before, |e, w| {
        with(e, w);
        [e.dot(w, w)]
    }); // h_ij = (v_i, w), w = w - sum h_ij v_i
    Column { h, length: square.sqrt(), before }
}

/// The least-squares problem of a cycle, triangular as far as it is known: column j holds R_0j .. R_jj.
pub(super) struct LeastSquares<N> {
    cycle: usize,
    /// The unit round-off of the basis.
    eps: f64,
    columns: Vec<Vec<N>>,
    reflections: Vec<(N, N)>,
    rhs: Vec<N>,
}

impl<N: Number> LeastSquares<N> {
    /// For cycles of m columns, and a basis with this unit round-off.
    pub(super) fn new(m: usize, eps: f64) -> Self {
        let (columns, reflections, rhs) = (Vec::with_capacity(m), Vec::with_capacity(m), Vec::with_capacity(m));
        Self { cycle: m, eps, columns, reflections, rhs }
    }

    /// Takes column j. Given the residual norm before the step, returns the one after it.
    pub(super) fn extend<E: Engine<Num = N>>(&mut self, e: &mut E, j: usize, column: Column<N>, norm: N) -> N {
        let Column { h, length, before } = column;
        e.require(Finite(before), Outcome::NonFinite);
        let (a, rho) = self.reflect(j, h, length);
        let lost = noise(e, self.eps, before.sqrt());
        e.require(Positive(rho - lost), Outcome::Breakdown); // else the space is exhausted and A singular on it
        let (c, s) = (a / rho, length / rho);
        self.reflections.push((c, s));
        self.rhs.push(c.conj() * norm);
        s * norm
    }

    /// Applies the reflections so far to a new column and makes it column j of R; its entry above `length`, and R_jj.
    fn reflect(&mut self, j: usize, mut h: Vec<N>, length: N) -> (N, N) {
        self.columns.truncate(j); // what an earlier cycle has left
        self.reflections.truncate(j);
        self.rhs.truncate(j);
        for (i, &(c, s)) in self.reflections.iter().enumerate() {
            (h[i], h[i + 1]) = (c.conj() * h[i] + s * h[i + 1], s * h[i] - c * h[i + 1]);
        }
        let a = h[j];
        let modulus = a.abs();
        let rho = (modulus * modulus + length * length).sqrt();
        h[j] = rho;
        self.columns.push(h);
        (a, rho)
    }

    /// The minimiser over the first `count` columns: back substitution.
    pub(super) fn solve(&self, count: usize) -> Vec<N> {
        let mut y = self.rhs[..count].to_vec();
        for j in (0..count).rev() {
            y[j] = y[j] / self.columns[j][j];
            for i in 0..j {
                y[i] = y[i] - self.columns[j][i] * y[j];
            }
        }
        y
    }

    /// The minimiser at the end of a loop, over the columns that its last cycle has. Inside of another loop the host
    /// does not know how many those are: `taken` says it, and y_j is zero for all others.
    pub(super) fn finish<E: Engine<Num = N>>(&self, e: &mut E, run: &Run, taken: &E::Reg) -> Vec<N> {
        if !run.is_inside() {
            return self.solve(run.iterations % self.cycle);
        }
        let (zero, taken) = (e.number(0.0), taken.get());
        let y: Vec<E::Reg> = self.columns.iter().map(|_| e.carry(zero)).collect();
        let rest: Vec<E::Reg> = self.rhs.iter().map(|&g| e.carry(g)).collect();
        for (j, column) in self.columns.iter().enumerate().rev() {
            let beyond = e.number((j + 1) as f64) - taken;
            e.unless(Positive(beyond), |_| {
                let y_j = rest[j].get() / column[j];
                y[j].set(y_j);
                (0..j).for_each(|i| rest[i].set(rest[i].get() - column[i] * y_j));
            });
        }
        y.iter().map(Register::get).collect()
    }
}
