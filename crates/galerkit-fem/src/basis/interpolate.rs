//! Projection-based interpolation (Demkowicz) on a vertex, an edge or a face: vertices by value, edges by projection of
//! the remainder in the H1 seminorm, then faces. Data are first interpolated at Chebyshev-Lobatto points by a
//! polynomial of higher degree, whose projection is exact: on an edge it keeps the first coefficients, because bubbles
//! are orthonormal; on a face it is a small system with K (x) M + M (x) K.

use super::MAX_DEGREE;
use super::dense::Dense;
use super::hierarchical::values;
use super::interval::Interval;
use super::tensor::Tensor;
use galerkit_direct::textbook;
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

/// The coefficients of hierarchical functions on [-1, 1]^dim from samples on the tensor of sample points, the first
/// axis slowest. On an edge the projection of the remainder keeps those of its bubbles up to its degree.
pub fn coefficients(dim: usize, samples: Vec<f64>) -> Vec<f64> {
    Tensor::cube(dim, SAMPLED_DEGREE + 1, samples).along_each(std::iter::repeat_n(from_samples(), dim)).val
}

/// The bubbles v of a face that are nearest to a remainder r: (grad v, grad w) = (grad r, grad w) for all bubbles w of
/// degree p.
pub fn project_on_face(p: usize, r: &Dense) -> Vec<f64> {
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
