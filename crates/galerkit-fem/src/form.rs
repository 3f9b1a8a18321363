//! Forms: one integrand a file, in the paper's notation, without meshes and functions. Assembly and matrix-free
//! products evaluate the same ones.
//!
//! | file | form |
//! |---|---|
//! | [`diffusion`] | int (kappa grad u) . grad v |
//! | [`mass`] | int c u v |
//! | [`source`] | int f v |
//! | [`neumann`] | int_G g v |
//! | [`robin`] | int_G alpha u v |
//! | [`elasticity`] | int sigma(u) : eps(v), for displacements |

pub mod diffusion;
pub mod elasticity;
pub mod field;
pub mod integrand;
pub mod mass;
pub mod neumann;
pub mod robin;
pub mod source;

pub use diffusion::{Diffusion, Kappa};
pub use elasticity::{Elasticity, Lame, Tensor};
pub use field::{Field, Site};
pub use integrand::{Form, Integrand};
pub use mass::Mass;
pub use neumann::{Flux, Neumann};
pub use robin::Robin;
pub use source::Source;
