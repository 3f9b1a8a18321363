//! Acoustics: Helmholtz's equation -div(grad u / rho) - k^2 u / (rho c^2) = f in two and three dimensions. Time factor
//! e^(-i omega t), outgoing waves e^(+ikr); A(k) = K - k^2 M - i k B is complex symmetric, not Hermitian, and
//! indefinite. K, M, B and whatever else a boundary adds are real matrices on one pattern, so that another k is a sum,
//! not an assembly.
//!
//! | file | what |
//! |---|---|
//! | [`bessel`] | Bessel, Hankel and Legendre functions |
//! | [`exact`] | plane waves, point sources, multipoles |
//! | [`series`] | scattering by circles and spheres |
//! | [`wave_space`] | what is asked of a space |
//! | `tensor_cells`, `simplices` | hp spaces, triangles and tetrahedra |
//! | [`layer`] | perfectly matched layers |
//! | [`medium`] | density, wave speed; parts of the operator as forms |
//! | [`gls`] | stabilised bilinear elements |
//! | [`condition`] | walls and truncations |
//! | [`beyond`] | the medium beyond a truncation |
//! | [`excitation`] | data and sources that drive a problem |
//! | [`infinite`] | conjugated infinite elements |
//! | [`helmholtz`] | the problem |
//! | [`term`] | terms of A(k) |
//! | `extras` | further unknowns of infinite elements |
//! | [`split`] | unknowns and fixed functions |
//! | [`equations`] | A(k) and b(k) |
//! | [`pressure`] | u_h |
//! | [`coarsening`] | spaces of lower degree, and the cycle over them |
//! | `smoothing` | what smooths on its levels |
//! | [`price`] | what elimination would take |

pub mod bessel;
pub mod beyond;
pub mod coarsening;
pub mod condition;
pub mod equations;
pub mod exact;
pub mod excitation;
mod extras;
pub mod gls;
pub mod helmholtz;
pub mod infinite;
pub mod layer;
mod loads;
pub mod medium;
pub mod pressure;
pub mod price;
pub mod series;
mod simplices;
mod smoothing;
pub mod split;
mod tensor_cells;
pub mod term;
pub mod wave_space;

pub use condition::{Condition, Data};
pub use equations::Equations;
pub use exact::Wave;
pub use excitation::{Excitation, PointSource};
pub use gls::Gls;
pub use helmholtz::Helmholtz;
pub use layer::Layer;
pub use medium::Medium;
pub use pressure::Pressure;
pub use wave_space::WaveSpace;
