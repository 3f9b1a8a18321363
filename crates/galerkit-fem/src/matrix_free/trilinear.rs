//! Cells between eight vertices with one coefficient: the map x(t) = c_0 + c_1 t_1 + c_2 t_2 + c_3 t_3 + c_4 t_1 t_2 +
//! c_5 t_1 t_3 + c_6 t_2 t_3 + c_7 t_1 t_2 t_3 has 21 numbers that matter, D at (p + 1)^3 points six times as many as
//! it has unknowns. Where memory is slow beside arithmetic, D is computed from the map again and again.

use super::kind::Kind;
use crate::error::Result;
use crate::forest::geometry::Point;
use crate::form::{Integrand, Site};
use crate::problem::Problem;
use crate::quadrature::{Line, gauss};
use galerkit_linalg::Scalar;
use galerkit_linalg::parallel;

/// Numbers of a cell: c_1 to c_7, kappa, and the coefficient of u.
pub const NUMBERS: usize = 23;

/// How far points of the map may lie from the polynomial, relative to the cell.
const ROUNDING: f64 = 1e-13;

/// The numbers of cell e, if it is one.
pub fn numbers(problem: &Problem, e: usize) -> Result<Option<[f64; NUMBERS]>> {
    let forest = problem.space().forest();
    let is_constant = problem.forms.iter().all(|form| form.is_constant_in_cells());
    if forest.dim() != 3 || !is_constant {
        return Ok(None);
    }
    let map = forest.map(e);
    let c = coefficients(&|t: &[f64; 3]| map.at(t).0);
    if !map.is_of_corners() && !is_polynomial(&c, &|t: &[f64; 3]| map.at(t).0) {
        return Ok(None);
    }
    let site = Site { point: c[0], region: forest.region(e) };
    let mut sum = Integrand::default();
    for form in &problem.forms {
        sum = sum.plus(&form.at(&site)?);
    }
    let kappa = sum.diffusion[0][0];
    let is_scalar = |a: usize, b: usize| sum.diffusion[a][b] == if a == b { kappa } else { 0.0 };
    if !(0..3).all(|a| (0..3).all(|b| is_scalar(a, b))) {
        return Ok(None);
    }
    let mut all = [0.0; NUMBERS];
    all[..21].copy_from_slice(c[1..].as_flattened());
    (all[21], all[22]) = (kappa, sum.reaction);
    Ok(Some(all))
}

/// Whether a map is the polynomial through its vertices: a curve would show in the middle of edges, faces and the cell.
fn is_polynomial(c: &[Point; 8], map: &dyn Fn(&[f64; 3]) -> Point) -> bool {
    let between =
        [[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0], [0.3, -0.4, 0.7]];
    let size = c.iter().flatten().fold(0.0f64, |most, value| most.max(value.abs()));
    let apart = |t: &[f64; 3]| (0..3).map(|a| (map(t)[a] - at(c, t, a)).abs()).fold(0.0, f64::max);
    between.iter().all(|t| apart(t) <= ROUNDING * size)
}

/// The factors of cells of one kind from the numbers of their maps, one cell after the other.
pub fn factors<S: Scalar>(kind: &Kind, maps: &[S]) -> Vec<S> {
    let (rule, size) = (gauss(kind.points()), kind.factors(3));
    let mut all = vec![S::zero(); maps.len() / NUMBERS * size];
    let points = kind.points().pow(3);
    parallel::each_chunk(&mut all, 64 * size, &|first, cells| {
        for (into, numbers) in cells.chunks_mut(size).zip(maps[first / size * NUMBERS..].chunks(NUMBERS)) {
            each_point(&rule, numbers, |k, weight, J| {
                let D = pulled_back(J, weight * numbers[21]);
                D.iter().enumerate().for_each(|(entry, d)| into[entry * points + k] = *d);
                if kind.reacts {
                    into[6 * points + k] = weight * numbers[22] * determinant(J);
                }
            });
        }
    });
    all
}

/// Whether the map of a cell keeps its orientation at the points of a rule.
pub fn is_oriented(rule: &Line, numbers: &[f64]) -> bool {
    let mut is_oriented = true;
    each_point(rule, numbers, |_, _, J| is_oriented &= determinant(J) > 0.0);
    is_oriented
}

/// Tells each point of a rule, the first axis slowest: its number, its weight, and the columns of J there.
fn each_point<S: Scalar>(rule: &Line, c: &[S], mut tell: impl FnMut(usize, S, &[[S; 3]; 3])) {
    let (points, weights) = (&rule.points, &rule.weights);
    let column = |k: usize| -> [S; 3] { [c[3 * k], c[3 * k + 1], c[3 * k + 2]] };
    let [X, Y, Z, XY, XZ, YZ, XYZ] = std::array::from_fn(column);
    let mut k = 0;
    for (x, wx) in points.iter().zip(weights) {
        for (y, wy) in points.iter().zip(weights) {
            for (z, wz) in points.iter().zip(weights) {
                let [x, y, z] = [*x, *y, *z].map(S::from_f64);
                let J = [
                    [0, 1, 2].map(|a| X[a] + XY[a] * y + (XZ[a] + XYZ[a] * y) * z),
                    [0, 1, 2].map(|a| Y[a] + XY[a] * x + (YZ[a] + XYZ[a] * x) * z),
                    [0, 1, 2].map(|a| Z[a] + XZ[a] * x + (YZ[a] + XYZ[a] * x) * y),
                ];
                tell(k, S::from_f64(wx * wy * wz), &J);
                k += 1;
            }
        }
    }
}

fn cross<S: Scalar>(a: &[S; 3], b: &[S; 3]) -> [S; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot<S: Scalar>(a: &[S; 3], b: &[S; 3]) -> S {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn determinant<S: Scalar>([X, Y, Z]: &[[S; 3]; 3]) -> S {
    dot(X, &cross(Y, Z))
}

/// |J| J^-1 J^-T times a number, on and above its diagonal: k k^T / det with the rows k of det J^-1.
fn pulled_back<S: Scalar>(J: &[[S; 3]; 3], times: S) -> [S; 6] {
    let [X, Y, Z] = J;
    let k = [cross(Y, Z), cross(Z, X), cross(X, Y)];
    let scale = times / determinant(J);
    [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]].map(|[a, b]: [usize; 2]| scale * dot(&k[a], &k[b]))
}
/// Products of coordinates that belong to c_0, c_1, ...
fn products(t: &[f64; 3]) -> [f64; 8] {
    let [x, y, z] = *t;
    [1.0, x, y, z, x * y, x * z, y * z, x * y * z]
}

fn at(c: &[Point; 8], t: &[f64; 3], axis: usize) -> f64 {
    products(t).iter().zip(c).map(|(product, c)| product * c[axis]).sum()
}

/// c_0 to c_7 from the vertices: at corners the products are orthogonal.
fn coefficients(vertex: &dyn Fn(&[f64; 3]) -> Point) -> [Point; 8] {
    let mut c = [[0.0; 3]; 8];
    for corner in 0..8 {
        let t = [0, 1, 2].map(|a| if corner >> a & 1 == 1 { 1.0 } else { -1.0 });
        let x = vertex(&t);
        for (c, product) in c.iter_mut().zip(products(&t)) {
            (0..3).for_each(|a| c[a] += product * x[a] / 8.0);
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_determine_the_map() {
        let known: [Point; 8] = std::array::from_fn(|k| [k as f64, 1.0 / (1 + k) as f64, (k * k) as f64 - 3.0]);
        let found = coefficients(&|t| [0, 1, 2].map(|a| at(&known, t, a)));
        for (known, found) in known.iter().zip(found) {
            (0..3).for_each(|a| assert!((known[a] - found[a]).abs() < 1e-13, "{known:?} {found:?}"));
        }
    }
}
