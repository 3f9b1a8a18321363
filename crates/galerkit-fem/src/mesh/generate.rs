//! Meshes of simple domains. Cells stand x slow, z fast; every mesh has its boundary listed, tagged and named, and its
//! cells in region 1.
//!
//! | generator | domain |
//! |---|---|
//! | [`rectangle`], [`brick`] | rectangle and box |
//! | [`l_shape`], [`l_prism`] | (-1,1)² without \[0,1\] x \[-1,0\], and its prism |
//! | [`fichera`] | (-1,1)³ without \[0,1\]³ |
//! | [`ball`], [`cylinder`], [`thick_shell`] | curved hexahedra of degree 1 to 4 |
//! | [`to_simplices`] | quadrilaterals and hexahedra of a grid cut into triangles and tetrahedra |

mod ball;
mod brick;
mod cylinder;
mod fichera;
mod grid;
pub(crate) mod kuhn;
mod l_shape;
mod onion;
mod parameter;
mod thick_shell;

pub use ball::ball;
pub use brick::{brick, rectangle};
pub use cylinder::cylinder;
pub use fichera::fichera;
pub use kuhn::to_simplices;
pub use l_shape::{l_prism, l_shape};
pub use thick_shell::thick_shell;
