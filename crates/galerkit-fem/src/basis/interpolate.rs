//! Projection-based interpolation (Demkowicz) on a vertex, an edge or a face: vertices by value, edges by projection of the remainder in the
//! H1 seminorm, then faces. Data are first interpolated at Chebyshev-Lobatto points by a polynomial of higher degree, whose projection is exact:
//! on an edge it keeps the first coefficients, because bubbles are orthonormal; on a face it is a small system with K (x) M + M (x) K.

use super::MAX_DEGREE;
use super::dense::Dense;
use super::hierarchical::values;
use super::interval::Interval;
use super::tensor::Tensor;
use galerkit_linalg::direct::textbook;
use std::sync::OnceLock;

/// Degree of the polynomial that stands for the data.
pub const SAMPLED_DEGREE: usize = MAX_DEGREE + 6;

/// The points in [-1, 1] at which data are sampled along each axis.
pub fn sample_points() -> Vec<f64> {
    let step = std::f64::consts::PI / SAMPLED_DEGREE as f64;
    (0..=SAMPLED_DEGREE).map(|k| -(step * k as f64).cos()).collect()
}

/// Coefficients of the hierarchical functions from values at the sample points.
fn from_samples() -> &'static Dense {
    static KNOWN: OnceLock<Dense> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let n = SAMPLED_DEGREE + 1;
        let V: Vec<f64> = sample_points().into_iter().flat_map(|t| values(SAMPLED_DEGREE, t)).collect();
        let V = textbook::Dense::new(n, V).expect("a square matrix");
        let lu = textbook::Lu::new(V, textbook::Pivoting::Partial).expect("distinct points");
        let unit = |j: usize| (0..n).map(|i| f64::from(i == j)).collect::<Vec<_>>();
        let columns: Vec<_> = (0..n).map(|j| lu.solve(&unit(j)).expect("a vector of this length")).collect();
        Dense::new(n, n, |i, j| columns[j][i])
    })
}

/// The coefficients of the bubbles of degree p of an edge (dim 1) or a face (dim 2) from samples on its tensor of sample points, in
/// tensor order. On a face only that of the remainder, after the interpolants of degree `edges[axis][end]` on its sides: the side at
/// that end of that axis. Coefficients belong to functions on [-1, 1]^dim.
pub fn bubbles(dim: usize, p: usize, edges: [[usize; 2]; 2], samples: Vec<f64>) -> Vec<f64> {
    let n = SAMPLED_DEGREE + 1;
    let c = Tensor::cube(dim, n, samples).along_each(std::iter::repeat_n(from_samples(), dim));
    if dim == 1 {
        return c.val[2..=p].to_vec();
    }
    let rest = |i: usize, j: usize| match (i.min(2), j.min(2)) {
        (2, 2) => true,
        (2, end) => i > edges[1][end], // an edge along axis 0, at an end of axis 1
        (end, 2) => j > edges[0][end],
        _ => false,
    };
    let r = Dense::new(n, n, |i, j| if rest(i, j) { c.val[i * n + j] } else { 0.0 });
    project_on_face(p, &r)
}

/// The bubbles v of a face that are nearest to a remainder r: (grad v, grad w) = (grad r, grad w) for all bubbles w of degree p.
fn project_on_face(p: usize, r: &Dense) -> Vec<f64> {
    let (m, wide) = (p - 1, Interval::of(SAMPLED_DEGREE));
    let (K, M) = (&wide.stiffness, &wide.mass);
    let n = r.rows;
    let entry = |i: usize, j: usize, k: usize, l: usize| K[(i, k)] * M[(j, l)] + M[(i, k)] * K[(j, l)];
    let A = Dense::new(m * m, m * m, |a, b| entry(a / m + 2, a % m + 2, b / m + 2, b % m + 2));
    let against = |i: usize, j: usize| {
        let row = |k: usize| (0..n).map(|l| entry(i, j, k, l) * r[(k, l)]).sum::<f64>();
        (0..n).map(row).sum::<f64>()
    };
    let b: Vec<f64> = (0..m * m).map(|a| against(a / m + 2, a % m + 2)).collect();
    A.cholesky().expect("a definite form on bubbles").cholesky_solve(&b)
}
