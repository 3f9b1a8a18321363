//! Meshes, finite element spaces, forms and assembly: from geometry to operators. Stands on `galerkit-linalg` and, for
//! small systems, `galerkit-direct`.
//!
//! | module | what it holds |
//! |---|---|
//! | [`io`] | mesh files: Gmsh, VTK, VTU, Medit in; VTU, PVD, Gmsh out |
//! | [`mesh`] | points, cells and their tags; generators, checks |
//! | [`domain`] | model domains as coarse meshes |
//! | [`forest`] | octrees and quadtrees over a coarse mesh, 1-irregular |
//! | [`quadrature`] | Gauss rules, also graded towards a corner |
//! | [`basis`] | hierarchical shape functions on the interval and their products |
//! | [`space`] | continuous hp spaces: degree by cell, hanging nodes by constraints |
//! | [`form`] | integrands: diffusion, mass, source, boundary terms |
//! | [`expression`] | data as text, with derivatives |
//! | [`assemble`] | from spaces and forms to matrices |
//! | [`problem`] | boundary value problems, their systems and solutions |
//! | [`matrix_free`] | the operator of a problem without its matrix, on CPU and GPU |
//! | [`multigrid`] | p-multigrid: a hierarchy of spaces for the V-cycle; block Jacobi by mesh entity |
//! | [`picture`] | meshes and fields as PNG, without a display |
//! | [`norm`] | errors and energies |
//! | [`acoustics`] | Helmholtz equation: walls, truncated and unbounded domains, waves in closed form |
//! | [`adapt`] | automatic hp-adaptivity |
//! | [`elasticity`] | solid bodies under load: displacements and stresses |
//! | [`collocation`] | Hermite collocation in space and time for the invasion of tumours |
//! | [`simplex`] | Lagrange spaces on triangles and tetrahedra |
//! | [`cardiac`] | the electrical heart: monodomain equation in whole steps |
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices and operators keep the paper's capital letter

pub mod acoustics;
pub mod adapt;
pub mod assemble;
pub mod basis;
pub mod cardiac;
pub mod collocation;
pub mod domain;
pub mod elasticity;
pub mod error;
pub mod expression;
pub mod forest;
pub mod form;
pub mod io;
mod key_map;
pub mod matrix_free;
pub mod mesh;
pub mod multigrid;
pub mod norm;
pub mod picture;
pub mod problem;
pub mod quadrature;
pub mod simplex;
pub mod space;

pub use error::{Error, Result};
pub use expression::Expression;
pub use forest::Forest;
pub use matrix_free::{KernelVariant, MatrixFree};
pub use mesh::Mesh;
pub use multigrid::Multigrid;
pub use problem::{Problem, Solution};
pub use space::Space;
