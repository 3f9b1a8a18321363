//! The matrices of the interval that the product of a kind uses. At quadrature points functions are values first;
//! derivatives are those of the polynomial through the values at all points, which is exact for as many points as
//! functions or more.

use super::contraction::Contraction;
use super::kind::{Kind, Rule};
use crate::basis::dense::Dense;
use crate::basis::interval::Interval;
use crate::basis::table::Table;
use crate::quadrature::gauss;
use galerkit_linalg::Scalar;

/// The matrices of a kind.
#[derive(Clone, Debug)]
pub enum Tables<S> {
    /// Mass and stiffness of the interval.
    Box {
        /// M.
        mass: Contraction<S>,
        /// K.
        stiffness: Contraction<S>,
    },
    /// From coefficients to values, from values to derivatives, and both transposed.
    Points {
        /// B: values at points.
        values: Contraction<S>,
        /// B^T.
        moments: Contraction<S>,
        /// G: derivatives at points from values there.
        slopes: Contraction<S>,
        /// G^T.
        fluxes: Contraction<S>,
    },
    /// Nothing.
    Stored,
}

impl<S: Scalar> Tables<S> {
    /// The matrices of a kind.
    pub fn new(kind: &Kind) -> Self {
        match kind.rule {
            Rule::Box => {
                let Interval { mass, stiffness, .. } = Interval::of(kind.p);
                Self::Box { mass: Contraction::new(mass), stiffness: Contraction::new(stiffness) }
            }
            Rule::Points(q) => {
                let (B, G) = (values(kind.p, q), collocated(q));
                Self::Points {
                    values: Contraction::new(&B),
                    moments: Contraction::new(&B.transposed()),
                    slopes: Contraction::new(&G),
                    fluxes: Contraction::new(&G.transposed()),
                }
            }
            Rule::Stored => Self::Stored,
        }
    }
}

/// B: the functions of degree p at q Gauss points, one row a point.
pub fn values(p: usize, q: usize) -> Dense {
    Table::new(p, &gauss(q).points).values
}

/// The derivatives of the functions of degree p at q Gauss points, one row a point.
pub fn derivatives(p: usize, q: usize) -> Dense {
    Table::new(p, &gauss(q).points).derivatives
}

/// G: derivatives at Gauss points of the polynomial through given values there. With b_i = 1 / prod_{j != i} (t_i -
/// t_j), G_ij = b_j / b_i / (t_i - t_j); rows sum to 0 (Berrut & Trefethen, SIAM Review 46, 2004, section 9.3).
pub fn collocated(q: usize) -> Dense {
    let t = gauss(q).points;
    let b = |i: usize| 1.0 / (0..q).filter(|&j| j != i).map(|j| t[i] - t[j]).product::<f64>();
    let other = |i: usize, j: usize| b(j) / b(i) / (t[i] - t[j]);
    let own = |i: usize| -(0..q).filter(|&j| j != i).map(|j| other(i, j)).sum::<f64>();
    Dense::new(q, q, |i, j| if i == j { own(i) } else { other(i, j) })
}
