//! A forest of octrees (in the plane: quadtrees) over a coarse mesh of hexahedra (quadrilaterals): its leaves are the
//! cells that spaces stand on. One code for both dimensions; coordinates beyond the dimension are 0.
//!
//! | file | what |
//! |---|---|
//! | [`part`] | vertices, edges, faces and interior of the cube, by axis |
//! | [`cell`] | a leaf: tree, level and integer coordinates |
//! | [`key`] | a name for a part of a cell that all cells around it agree on |
//! | [`coarse`] | parts of trees that trees share, and how their axes lie to each other |
//! | [`geometry`] | the map from reference coordinates to points |
//! | [`closure`] | leaves that must be cut to keep the forest 1-irregular |
//! | [`leaves`] | the forest itself |
//! | `coarsen` | parents in the place of their children |
//! | [`grading`] | geometric refinement towards points |
//! | [`size`] | memory that cells and unknowns will take |

pub mod cell;
pub mod closure;
pub mod coarse;
mod coarsen;
pub mod geometry;
pub mod grading;
pub mod key;
pub mod leaves;
pub mod part;
pub mod size;

pub use cell::{Cell, MAX_LEVEL};
pub use geometry::CellMap;
pub use leaves::Forest;
pub use part::Part;
pub use size::Size;
