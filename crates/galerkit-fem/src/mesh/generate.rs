//! Meshes of simple domains. Cells stand x slow, z fast; every mesh has its boundary listed, tagged and named, and its
//! cells in region 1.
//!
//! | generator | domain |
//! |---|---|
//! | [`rectangle`], [`brick`], [`brick_of_order`] | rectangle and box |
//! | [`girder`] | a box with windows |
//! | [`l_shape`], [`l_prism`] | (-1,1)² without \[0,1\] x \[-1,0\], and its prism |
//! | [`fichera`] | (-1,1)³ without \[0,1\]³ |
//! | [`ball`], [`cylinder`], [`thick_shell`] | curved hexahedra of degree 1 to 4 |
//! | [`car`] | the compartment of a car with an open roof, and air above it |
//! | [`annulus`], [`shell`] | between ellipses and ellipsoids, ring by ring |
//! | [`kuhn_box`] | a box of tetrahedra, large ones too |
//! | [`to_simplices`] | quadrilaterals and hexahedra of a grid cut into triangles and tetrahedra |

mod ball;
mod brick;
mod car;
mod cylinder;
mod fichera;
mod girder;
mod grid;
pub(crate) mod kuhn;
mod kuhn_box;
mod l_shape;
mod onion;
mod parameter;
mod rings;
mod thick_shell;

pub use ball::ball;
pub use brick::{brick, brick_of_order, rectangle};
pub use car::{CAR_BOUNDARY, Car, LAYER_REGION, car};
pub use cylinder::cylinder;
pub use fichera::fichera;
pub use girder::girder;
pub use kuhn::to_simplices;
pub use kuhn_box::kuhn_box;
pub use l_shape::{l_prism, l_shape};
pub use rings::{Ring, annulus, shell};
pub use thick_shell::thick_shell;
