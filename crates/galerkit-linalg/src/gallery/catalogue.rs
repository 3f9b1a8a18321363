//! What the gallery has: one line for each problem, from which URIs are read and help is written.

use super::arguments::Arguments;
use super::convection_diffusion::upwind;
use super::poisson::{anisotropic_on_cube, anisotropic_on_square, on_cube, on_line, on_square};
use super::shifted_laplace::shifted;
use super::toeplitz::banded;
use super::{Built, OnGrid, Parameter};
use crate::error::Result;
use Matrix::{Grid, Rows};

/// A problem of the gallery.
#[derive(Debug)]
pub struct Problem {
    /// The name in a URI.
    pub name: &'static str,
    /// One line for a list.
    pub description: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    pub(super) matrix: Matrix,
}

/// How the matrix of a problem is made.
#[derive(Debug)]
pub(super) enum Matrix {
    /// From a stencil on a grid.
    Grid(fn(&Arguments) -> Result<OnGrid>),
    /// Row by row.
    Rows(fn(&Arguments) -> Result<Built>),
}

/// All problems, in the order of a list.
pub fn list() -> &'static [Problem] {
    &PROBLEMS
}

const fn parameter(name: &'static str, default: &'static str, description: &'static str) -> Parameter {
    Parameter { name, default, description }
}

const fn points(default: &'static str) -> Parameter {
    parameter("n", default, "grid points along each side")
}

const fn order_of_matrix(default: &'static str) -> Parameter {
    parameter("n", default, "rows")
}

const SEED: Parameter = parameter("seed", "1", "seed of the random numbers");
const EPS: Parameter = parameter("eps", "0.01", "diffusion, above 0");

static PROBLEMS: [Problem; 13] = [
    Problem {
        name: "poisson1d",
        description: "-u'' on a line: tridiag(-1, 2, -1)",
        parameters: &[points("1000")],
        matrix: Grid(|a| on_line(a.size("n")?).map(OnGrid::Real)),
    },
    Problem {
        name: "poisson2d",
        description: "-lap u on a square, differences",
        parameters: &[points("256"), parameter("stencil", "5", "5 or 9 points")],
        matrix: Grid(|a| on_square(a.size("n")?, a.stencil()?).map(OnGrid::Real)),
    },
    Problem {
        name: "poisson3d",
        description: "-lap u on a cube, differences",
        parameters: &[points("64"), parameter("stencil", "27", "7 or 27 points")],
        matrix: Grid(|a| on_cube(a.size("n")?, a.stencil()?).map(OnGrid::Real)),
    },
    Problem {
        name: "anisotropic2d",
        description: "-eps u_xx - u_yy on a square",
        parameters: &[points("256"), EPS],
        matrix: Grid(|a| anisotropic_on_square(a.size("n")?, a.real("eps")?).map(OnGrid::Real)),
    },
    Problem {
        name: "anisotropic3d",
        description: "-eps u_xx - u_yy - u_zz on a cube",
        parameters: &[points("64"), EPS],
        matrix: Grid(|a| anisotropic_on_cube(a.size("n")?, a.real("eps")?).map(OnGrid::Real)),
    },
    Problem {
        name: "convection_diffusion2d",
        description: "-eps lap u + wind . grad u on a square, upwind; not symmetric",
        parameters: &[points("256"), EPS, parameter("wind", "1,0.5", "velocity x,y")],
        matrix: Grid(|a| upwind(a.size("n")?, a.real("eps")?, &a.reals::<2>("wind")?).map(OnGrid::Real)),
    },
    Problem {
        name: "convection_diffusion3d",
        description: "-eps lap u + wind . grad u on a cube, upwind; not symmetric",
        parameters: &[points("64"), EPS, parameter("wind", "1,0.5,0.25", "velocity x,y,z")],
        matrix: Grid(|a| upwind(a.size("n")?, a.real("eps")?, &a.reals::<3>("wind")?).map(OnGrid::Real)),
    },
    Problem {
        name: "shifted_laplace2d",
        description: "-lap u - k^2 (1 - i beta) u on a square; complex symmetric",
        parameters: &[points("128"), K, BETA],
        matrix: Grid(|a| shifted(2, a.size("n")?, a.real("k")?, a.real("beta")?).map(OnGrid::Complex)),
    },
    Problem {
        name: "shifted_laplace3d",
        description: "-lap u - k^2 (1 - i beta) u on a cube; complex symmetric",
        parameters: &[points("32"), K, BETA],
        matrix: Grid(|a| shifted(3, a.size("n")?, a.real("k")?, a.real("beta")?).map(OnGrid::Complex)),
    },
    Problem {
        name: "toeplitz",
        description: "banded Toeplitz: 2 on the diagonal, 1 above it, gamma two below; not symmetric",
        parameters: &[order_of_matrix("2048"), parameter("gamma", "0.8", "Jacobi converges below 1")],
        matrix: Grid(|a| banded(a.size("n")?, a.real("gamma")?).map(OnGrid::Real)),
    },
    Problem {
        name: "random_spd",
        description: "random pattern, symmetric, diagonally dominant, positive definite",
        parameters: &[order_of_matrix("100000"), parameter("k", "10", "entries in a row, on average"), SEED],
        matrix: Rows(|a| super::random_spd(a.size("n")?, a.size("k")?, a.seed()?).map(Built::Real)),
    },
    Problem {
        name: "tetra",
        description: "-lap u with linear elements on jittered tetrahedra",
        parameters: &[points("64"), parameter("order", "random", "natural or random numbering"), SEED],
        matrix: Rows(|a| super::tetra(a.size("n")?, a.order()?, a.seed()?).map(Built::Real)),
    },
    Problem {
        name: "williams",
        description: "stand-in with the row lengths of a matrix of the Williams set or of a heart mesh",
        parameters: &[parameter("name", "Circuit", "which of the 15 matrices"), SEED],
        matrix: Rows(|a| super::williams(a.text("name"), a.seed()?).map(Built::Real)),
    },
];

const K: Parameter = parameter("k", "20", "wave number, at least 0");
const BETA: Parameter = parameter("beta", "0.5", "damping");
