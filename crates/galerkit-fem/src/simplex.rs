//! Lagrange spaces of degree 1 to 4 on triangles and tetrahedra with straight edges.
//!
//! | file | what |
//! |---|---|
//! | [`lagrange`] | nodes and functions in barycentric coordinates |
//! | [`rule`] | quadrature by collapsed coordinates |
//! | [`affine`] | a cell's map: gradients of barycentric coordinates |
//! | [`space`] | nodes of a mesh, numbered; boundary facets |
//! | [`element`] | matrices and right-hand sides of cells |
//! | [`system`] | assembly, solution, errors |

pub mod affine;
pub mod element;
pub mod lagrange;
pub mod rule;
pub mod space;
pub mod system;

pub use space::LagrangeSpace;
pub use system::LagrangeSolution;
