//! The map from a reference cell to a cell, x(xi) = sum_a N_a(xi) x_a, for Lagrange nodes of degree 1 to 4, and its
//! Jacobian.
//!
//! | shape | reference cell, xi |
//! |---|---|
//! | line, quadrilateral, hexahedron | [-1,1]^d |
//! | triangle, tetrahedron | xi_j = lambda_j, barycentric coordinates of corners 1 to d; lambda_0 = 1 - sum xi_j |
//! | prism | the triangle times [-1,1] |
//! | pyramid | base [-1,1]^2 at height 0, apex (0, 0, 1) |

mod affine;
mod functions;
mod mapped;
mod pyramid;

pub use mapped::Mapped;
pub(crate) use mapped::{cross, dot};

use super::{Shape, lattice};
use crate::error::{Error, Result};
use functions::{lagrange_1d, silvester};

/// The Lagrange functions of one shape and degree.
#[derive(Clone, Debug)]
pub struct Geometry {
    shape: Shape,
    order: usize,
    lattice: Vec<[usize; 3]>,
    pyramid: Option<pyramid::Coefficients>,
}

/// The functions and their gradients at one reference point: to be used for all cells of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// N_a(xi).
    pub values: Vec<f64>,
    /// dN_a / dxi_j.
    pub gradients: Vec<[f64; 3]>,
    dim: usize,
}

impl Geometry {
    /// The functions of a shape and degree.
    ///
    /// # Errors
    /// If the degree is 0 or higher than [`Shape::max_order`].
    pub fn new(shape: Shape, order: usize) -> Result<Self> {
        if order == 0 || order > shape.max_order() {
            let problem = format!("geometry of degree {order}: degrees 1 to {} are known", shape.max_order());
            return Err(Error::InvalidMesh { place: format!("cells of shape {}", shape.name()), problem });
        }
        let lattice = lattice::lattice(shape, order);
        let pyramid = (shape == Shape::Pyramid).then(|| pyramid::Coefficients::new(order, &lattice));
        Ok(Self { shape, order, lattice, pyramid })
    }

    /// Where the nodes lie in the reference cell.
    pub fn nodes(&self) -> Vec<[f64; 3]> {
        self.lattice.iter().map(|&position| self.reference_point(position)).collect()
    }

    fn reference_point(&self, [i, j, l]: [usize; 3]) -> [f64; 3] {
        let k = self.order as f64;
        let unit = |x: usize| x as f64 / k;
        let symmetric = |x: usize| 2.0 * unit(x) - 1.0;
        match self.shape {
            Shape::Vertex => [0.0; 3],
            Shape::Line => [symmetric(i), 0.0, 0.0],
            Shape::Quadrilateral => [symmetric(i), symmetric(j), 0.0],
            Shape::Hexahedron => [symmetric(i), symmetric(j), symmetric(l)],
            Shape::Triangle | Shape::Tetrahedron => [unit(i), unit(j), unit(l)],
            Shape::Prism => [unit(i), unit(j), symmetric(l)],
            Shape::Pyramid => pyramid::node(self.order, [i, j, l]),
        }
    }

    /// A point in the middle.
    pub fn centre(&self) -> [f64; 3] {
        match self.shape {
            Shape::Triangle | Shape::Prism => [1.0 / 3.0, 1.0 / 3.0, 0.0],
            Shape::Tetrahedron => [0.25; 3],
            Shape::Pyramid => [0.0, 0.0, 0.25],
            _ => [0.0; 3],
        }
    }

    /// The functions at a reference point.
    pub fn at(&self, xi: [f64; 3]) -> Evaluated {
        let dim = self.shape.dim();
        let both: Vec<(f64, [f64; 3])> = match (&self.pyramid, self.shape) {
            (Some(pyramid), _) => pyramid.at(xi),
            (None, Shape::Vertex) => vec![(1.0, [0.0; 3])],
            (None, Shape::Triangle | Shape::Tetrahedron) => self.simplex(xi),
            (None, Shape::Prism) => self.prism(xi),
            (None, _) => self.tensor(xi),
        };
        let (values, gradients) = both.into_iter().unzip();
        Evaluated { values, gradients, dim }
    }

    /// N = product of one-dimensional functions.
    fn tensor(&self, xi: [f64; 3]) -> Vec<(f64, [f64; 3])> {
        let constant = (vec![1.0], vec![0.0]);
        let axis = |d: usize| if d < self.shape.dim() { lagrange_1d(self.order, xi[d]) } else { constant.clone() };
        let [x, y, z] = [axis(0), axis(1), axis(2)];
        let product = |&[i, j, l]: &[usize; 3]| {
            let (a, b, c) = (x.0[i], y.0[j], z.0[l]);
            (a * b * c, [x.1[i] * b * c, a * y.1[j] * c, a * b * z.1[l]])
        };
        self.lattice.iter().map(product).collect()
    }

    /// N = product over corners b of P_{a_b}(lambda_b); d lambda_0 = -1 along every axis.
    fn simplex(&self, xi: [f64; 3]) -> Vec<(f64, [f64; 3])> {
        let dim = self.shape.dim();
        let lambda = [1.0 - xi[..dim].iter().sum::<f64>(), xi[0], xi[1], xi[2]];
        let factors: Vec<_> = lambda[..=dim].iter().map(|&l| silvester(self.order, l)).collect();
        let product = |position: &[usize; 3]| {
            let powers = [self.order - position.iter().sum::<usize>(), position[0], position[1], position[2]];
            let without = |b: usize| (0..=dim).filter(|&c| c != b).map(|c| factors[c].0[powers[c]]).product::<f64>();
            let slope = |b: usize| factors[b].1[powers[b]] * without(b);
            let mut gradient = [0.0; 3];
            (0..dim).for_each(|d| gradient[d] = slope(d + 1) - slope(0));
            (factors[0].0[powers[0]] * without(0), gradient)
        };
        self.lattice.iter().map(product).collect()
    }

    fn prism(&self, xi: [f64; 3]) -> Vec<(f64, [f64; 3])> {
        let lambda = [1.0 - xi[0] - xi[1], xi[0], xi[1]].map(|l| silvester(self.order, l));
        let height = lagrange_1d(self.order, xi[2]);
        let product = |&[i, j, l]: &[usize; 3]| {
            let powers = [self.order - i - j, i, j];
            let [p, q, r] = [0, 1, 2].map(|b| lambda[b].0[powers[b]]);
            let [dp, dq, dr] = [0, 1, 2].map(|b| lambda[b].1[powers[b]]);
            let (h, dh) = (height.0[l], height.1[l]);
            let along = [(p * dq - dp * q) * r * h, (p * dr - dp * r) * q * h, p * q * r * dh];
            (p * q * r * h, along)
        };
        self.lattice.iter().map(product).collect()
    }
}

impl Evaluated {
    /// The point and J of the cell with these nodes.
    pub fn map(&self, points: &[[f64; 3]], cell: &[u32]) -> Mapped {
        let (mut point, mut columns) = ([0.0; 3], [[0.0; 3]; 3]);
        for ((&node, &value), gradient) in cell.iter().zip(&self.values).zip(&self.gradients) {
            let x = points[node as usize];
            for d in 0..3 {
                point[d] += value * x[d];
                (0..3).for_each(|j| columns[j][d] += gradient[j] * x[d]);
            }
        }
        Mapped { point, columns, dim: self.dim }
    }
}
