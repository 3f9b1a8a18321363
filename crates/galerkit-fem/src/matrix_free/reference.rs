//! The product in obvious loops: one cell after the other, all functions at all points. The oracle of the others.

use super::cells::{Cells, gathered};
use super::kind::{Kind, Rule, entry};
use super::numbers::Numbers;
use super::sums::{NONE, SIGN};
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
use crate::basis::table::Table;
use crate::quadrature::gauss;
use galerkit_linalg::Scalar;

/// y = A x.
pub(super) fn apply<S: Scalar>(cells: &Cells, numbers: &Numbers<S>, x: &[S], y: &mut [S]) {
    let count = numbers.constraints.len();
    let hanging: Vec<S> = (0..count).map(|i| numbers.constraints.times(i, x)).collect();
    let mut all = vec![S::zero(); x.len() + count]; // results of unknowns, then of hanging functions
    for (k, kind) in cells.kinds.iter().enumerate() {
        for (&e, factors) in kind.cells.iter().zip(numbers.factors(kind, k).chunks(kind.factors(cells.dim))) {
            let index = cells.index_of(e as usize);
            let u: Vec<S> = index.iter().map(|&bits| gathered(bits, x, &hanging)).collect();
            for (&bits, value) in index.iter().zip(product(cells.dim, kind, factors, &u)) {
                if bits != NONE {
                    all[(bits & !SIGN) as usize] += if bits & SIGN == 0 { value } else { -value };
                }
            }
        }
    }
    let (unknowns, hanging) = all.split_at(x.len());
    y.copy_from_slice(unknowns);
    for (i, &sum) in hanging.iter().enumerate() {
        numbers.constraints.row(i).for_each(|(j, c)| y[j] += c * sum);
    }
}

/// K_e u.
fn product<S: Scalar>(dim: usize, kind: &Kind, factors: &[S], u: &[S]) -> Vec<S> {
    match kind.rule {
        Rule::Box => in_box(dim, kind.p, factors, u),
        Rule::Points(q) => at_points(dim, kind, q, factors, u),
        Rule::Stored => factors.chunks(u.len()).map(|row| dot(row, u)).collect(),
    }
}

fn dot<S: Scalar>(a: &[S], b: &[S]) -> S {
    a.iter().zip(b).fold(S::zero(), |sum, (&a, &b)| sum + a * b)
}

/// The index along an axis of a place in an array of n entries along each; the first axis is the slowest.
fn along(place: usize, axis: usize, n: usize, dim: usize) -> usize {
    place / n.pow((dim - 1 - axis) as u32) % n
}

fn in_box<S: Scalar>(dim: usize, p: usize, D: &[S], u: &[S]) -> Vec<S> {
    let Interval { mass, stiffness, .. } = Interval::of(p);
    let entry = |i: usize, j: usize| {
        let term = |derived: usize| -> f64 {
            let factor = |axis: usize| {
                let A: &Dense = if axis == derived { stiffness } else { mass };
                A[(along(i, axis, p + 1, dim), along(j, axis, p + 1, dim))]
            };
            (0..dim).map(factor).product()
        };
        (0..=dim).fold(S::zero(), |sum, derived| sum + D[derived] * S::from_f64(term(derived)))
    };
    (0..u.len()).map(|i| (0..u.len()).fold(S::zero(), |sum, j| sum + entry(i, j) * u[j])).collect()
}

fn at_points<S: Scalar>(dim: usize, kind: &Kind, q: usize, factors: &[S], u: &[S]) -> Vec<S> {
    let (table, points) = (Table::new(kind.p, &gauss(q).points), q.pow(dim as u32));
    // The derivative of function i along an axis at point k; its value for the axis beyond the last.
    let function = |i: usize, k: usize, derived: usize| {
        let factor = |axis: usize| {
            let A = if axis == derived { &table.derivatives } else { &table.values };
            A[(along(k, axis, q, dim), along(i, axis, kind.p + 1, dim))]
        };
        S::from_f64((0..dim).map(factor).product())
    };
    let mut y = vec![S::zero(); u.len()];
    for k in 0..points {
        let at =
            |derived: usize| u.iter().enumerate().fold(S::zero(), |sum, (i, &u)| sum + function(i, k, derived) * u);
        let slopes: Vec<S> = (0..dim).map(at).collect();
        for a in 0..dim {
            let flux = (0..dim).fold(S::zero(), |sum, b| sum + factors[entry(dim, a, b) * points + k] * slopes[b]);
            y.iter_mut().enumerate().for_each(|(i, y)| *y += function(i, k, a) * flux);
        }
        if kind.reacts {
            let value = factors[dim * (dim + 1) / 2 * points + k] * at(dim);
            y.iter_mut().enumerate().for_each(|(i, y)| *y += function(i, k, dim) * value);
        }
    }
    y
}
