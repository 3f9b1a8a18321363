//! Solid bodies under load: -div sigma(u) = f, u given on pieces of the boundary, sigma n = t on others. Displacements
//! are of the degree of the mesh's geometry (isoparametric Lagrange elements of degree 1 to 4 on hexahedra, tetrahedra,
//! prisms and pyramids), three unknowns a node, one after the other.
//!
//! | file | what |
//! |---|---|
//! | [`solid`] | [`Solid`]: mesh, material, supports and loads |
//! | `cells` | cells around nodes, gradients at points |
//! | `elements` | matrices of cells |
//! | [`stiffness`] | rows of the matrix, node by node |
//! | [`load`] | forces on nodes |
//! | [`equations`] | the system of the nodes that can move |
//! | [`multigrid`] | a cycle for higher degrees: degree 1 on the same cells, then algebraic multigrid |
//! | [`displacement`] | what came out: energy, errors, the deformed body |
//! | [`stress`] | stresses at nodes |
//! | [`contents`] | all of that as a file |

mod cells;
pub mod contents;
pub mod displacement;
mod elements;
pub mod equations;
pub mod load;
pub mod multigrid;
pub mod solid;
pub mod stiffness;
pub mod stress;

pub use displacement::Displacement;
pub use equations::Equations;
pub use multigrid::BodyMultigrid;
pub use solid::{Solid, Traction};
