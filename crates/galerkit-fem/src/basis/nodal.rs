//! Lagrange functions at the q + 1 Gauss-Lobatto points, in terms of N_0, N_1 and phi_j. Each is N_0, N_1 or nothing
//! plus sum_j a_j phi_j with a_j = int l' phi_j', because the phi_j' are orthonormal; by parts, with the Gauss-Lobatto
//! rule, which is exact here,
//!
//! ```text
//! l_k, 0 < k < q:   a_j = -s_j w_k P_{j-1}'(t_k)                                s_j = sqrt((2 j - 1) / 2)
//! l_0:              a_j = (-1)^j s_j (1 - j (j - 1) / (q (q + 1)))    l_q: the same without the sign
//! ```
//!
//! l_0 falls from 1 to about 0 within a distance of 1/q^2: the extension of a vertex with nearly the least energy,
//! which N_0 is far from.

use super::MAX_DEGREE;
use super::dense::Dense;
use super::legendre::legendre_with_derivative;
use crate::quadrature::lobatto;
use std::sync::OnceLock;

/// The Lagrange functions of one degree.
#[derive(Clone, Debug)]
pub struct Nodal {
    /// a_j of l_0 and of l_q, for j = 2, ..., q.
    pub ends: Vec<[f64; 2]>,
    /// a_j of l_k: one row for each j = 2, ..., q, one column for each inner point k.
    pub inner: Dense,
}

impl Nodal {
    fn new(q: usize) -> Self {
        let (rule, degree) = (lobatto(q), (q * (q + 1)) as f64);
        let scale = |j: usize| ((2 * j - 1) as f64 / 2.0).sqrt();
        let end = |j: usize| scale(j) * (1.0 - (j * (j - 1)) as f64 / degree);
        let ends = (2..=q).map(|j| [if j % 2 == 0 { end(j) } else { -end(j) }, end(j)]).collect();
        let inner = Dense::new(q - 1, q - 1, |row, k| {
            let (j, t, w) = (row + 2, rule.points[k + 1], rule.weights[k + 1]);
            -scale(j) * w * legendre_with_derivative(j - 1, t).1
        });
        Self { ends, inner }
    }
    /// Those of degree q from 1 on, computed once.
    pub fn of(q: usize) -> &'static Self {
        static KNOWN: [OnceLock<Nodal>; MAX_DEGREE + 1] = [const { OnceLock::new() }; MAX_DEGREE + 1];
        KNOWN[q].get_or_init(|| Self::new(q))
    }
}
