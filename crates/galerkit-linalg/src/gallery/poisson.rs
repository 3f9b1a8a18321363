//! Poisson's equation -lap u = f on a line, square or cube of n points a side, without the factor 1/h^2.
//! 3, 5 and 7 points: Kronecker sums of T = tridiag(-1, 2, -1), so A = T x I + I x T in two dimensions.
//! 9 and 27 points: diagonal 8 or 26 and -1 for each neighbour, corners included: the classic box stencils, not the
//! bilinear or trilinear element matrices (whose face couplings in 3D vanish).
//! Anisotropic: -eps u_xx - u_yy (- u_zz), 5 or 7 points; eps far from 1 defeats point-wise preconditioners.

use super::check::{check_positive, check_real};
use super::grid::GridMatrix;
use super::stencils::{cube, full_box, star};
use crate::error::{Error, Result};
use crate::sparse::Csr;

/// How many points a difference stencil joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stencil {
    /// 2D, axis neighbours.
    Points5,
    /// 3D, axis neighbours.
    Points7,
    /// 2D, all 8 neighbours.
    Points9,
    /// 3D, all 26 neighbours.
    Points27,
}

impl Stencil {
    /// Number of points.
    pub fn points(self) -> usize {
        match self {
            Stencil::Points5 => 5,
            Stencil::Points7 => 7,
            Stencil::Points9 => 9,
            Stencil::Points27 => 27,
        }
    }
}

/// tridiag(-1, 2, -1) of order n.
pub fn poisson1d(n: usize) -> Result<Csr<f64>> {
    on_line(n)?.to_csr()
}

/// Poisson on n x n points, with 5 or 9 of them in the stencil.
pub fn poisson2d(n: usize, stencil: Stencil) -> Result<Csr<f64>> {
    on_square(n, stencil)?.to_csr()
}

/// Poisson on n x n x n points, with 7 or 27 of them in the stencil.
pub fn poisson3d(n: usize, stencil: Stencil) -> Result<Csr<f64>> {
    on_cube(n, stencil)?.to_csr()
}

/// -eps u_xx - u_yy on n x n points.
pub fn anisotropic2d(n: usize, eps: f64) -> Result<Csr<f64>> {
    anisotropic_on_square(n, eps)?.to_csr()
}

/// -eps u_xx - u_yy - u_zz on n x n x n points.
pub fn anisotropic3d(n: usize, eps: f64) -> Result<Csr<f64>> {
    anisotropic_on_cube(n, eps)?.to_csr()
}

pub(super) fn on_line(n: usize) -> Result<GridMatrix<f64>> {
    check_positive("n", n)?;
    GridMatrix::new(cube(1, n), star(2.0, &[(-1.0, -1.0)]))
}

pub(super) fn on_square(n: usize, stencil: Stencil) -> Result<GridMatrix<f64>> {
    check_positive("n", n)?;
    let points = match stencil {
        Stencil::Points5 => star(4.0, &[(-1.0, -1.0); 2]),
        Stencil::Points9 => full_box(2),
        other => return wrong_stencil(other, "5 or 9 in two dimensions"),
    };
    GridMatrix::new(cube(2, n), points)
}

pub(super) fn on_cube(n: usize, stencil: Stencil) -> Result<GridMatrix<f64>> {
    check_positive("n", n)?;
    let points = match stencil {
        Stencil::Points7 => star(6.0, &[(-1.0, -1.0); 3]),
        Stencil::Points27 => full_box(3),
        other => return wrong_stencil(other, "7 or 27 in three dimensions"),
    };
    GridMatrix::new(cube(3, n), points)
}

pub(super) fn anisotropic_on_square(n: usize, eps: f64) -> Result<GridMatrix<f64>> {
    check_anisotropic(n, eps)?;
    GridMatrix::new(cube(2, n), star(2.0 * eps + 2.0, &[(-eps, -eps), (-1.0, -1.0)]))
}

pub(super) fn anisotropic_on_cube(n: usize, eps: f64) -> Result<GridMatrix<f64>> {
    check_anisotropic(n, eps)?;
    GridMatrix::new(cube(3, n), star(2.0 * eps + 4.0, &[(-eps, -eps), (-1.0, -1.0), (-1.0, -1.0)]))
}

fn check_anisotropic(n: usize, eps: f64) -> Result<()> {
    check_positive("n", n)?;
    check_real("eps", eps, eps > 0.0, "a positive number")
}

fn wrong_stencil(stencil: Stencil, expected: &'static str) -> Result<GridMatrix<f64>> {
    Err(Error::InvalidParameter { name: "stencil", value: stencil.points().to_string(), expected })
}
