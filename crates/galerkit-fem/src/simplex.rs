//! Spaces of degree 1 to 4 on triangles and tetrahedra, straight or curved, with Lagrange or hierarchical functions.
//!
//! | file | what |
//! |---|---|
//! | [`lagrange`] | nodes and functions in barycentric coordinates |
//! | [`hierarchical`] | functions of vertices, edges, faces and interiors |
//! | [`mod@functions`] | which of both a space has |
//! | [`rule`] | quadrature by collapsed coordinates |
//! | [`placed`] | a point of a cell: gradients of barycentric coordinates, volume |
//! | [`map`] | a cell's map, straight or isoparametric |
//! | [`mod@reference`] | integrals over the reference simplex, and matrices of straight cells from them |
//! | [`cells`] | the cells of a mesh, boundary facets |
//! | [`space`] | functions of a mesh, numbered |
//! | [`traces`] | Dirichlet data as coefficients |
//! | [`element`] | matrices and right-hand sides of cells |
//! | [`system`] | assembly, solution |
//! | `errors` | norms of errors |

pub mod cells;
pub mod element;
mod errors;
pub mod functions;
pub mod hierarchical;
pub mod lagrange;
pub mod map;
pub mod placed;
pub mod reference;
pub mod rule;
pub mod space;
pub mod system;
pub mod traces;

pub use functions::Functions;
pub use space::SimplexSpace;
pub use system::SimplexSolution;
