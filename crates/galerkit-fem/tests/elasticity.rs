//! Linear elasticity: exact where it must be, with the right order where it cannot.
//!
//! | file | what |
//! |---|---|
//! | [`exact`] | constant strains, rigid motions, symmetry, equilibrium |
//! | [`multigrid`] | levels from degree 1 on |
//! | [`orders`] | observed orders, beams |
//! | [`refused`] | what is refused, by name |

mod exact;
mod multigrid;
mod orders;
mod refused;

use galerkit_direct::sparse_cholesky;
use galerkit_fem::elasticity::{Displacement, Solid};
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::generate::{brick, brick_of_order, to_simplices};

/// A box of hexahedra, and the same box of tetrahedra.
fn boxes(high: [f64; 3], n: [usize; 3]) -> [Mesh; 2] {
    let hexahedra = brick([0.0; 3], high, n).unwrap();
    let tetrahedra = to_simplices(&hexahedra).unwrap();
    [hexahedra, tetrahedra]
}

/// Points within the box moved, so that no cell is a brick.
fn distorted(mut mesh: Mesh, by: f64) -> Mesh {
    for x in &mut mesh.points {
        let bubble: f64 = x.iter().map(|x| x * (1.0 - x)).product();
        *x = [x[0] + by * bubble * (5.0 * x[1]).sin(), x[1] - by * bubble * (7.0 * x[2]).cos(), x[2] + by * bubble];
    }
    mesh
}

/// A curved mesh: order 2, with distorted sides.
fn curved(n: usize) -> Mesh {
    distorted(brick_of_order([0.0; 3], [1.0; 3], [n; 3], 2).unwrap(), 2.0)
}

/// Solved by elimination.
fn solved(solid: &Solid) -> Displacement {
    let equations = solid.assemble().unwrap();
    let x = sparse_cholesky(&equations.A).unwrap().solve(&equations.b).unwrap();
    equations.displacement(solid, &x).unwrap()
}
