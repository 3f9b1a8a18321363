//! Discontinuous Hermite collocation for c_t = div(D grad c) + rho c with D constant in layers: the model of how
//! tumours invade the white and grey matter of the brain. Cubic splines on an interval, bicubic ones on a rectangle,
//! collocated at Gauss points.
//!
//! Method: Athanasakis, Papadomanolaki, Papadopoulou, Saridakis 2013; on a GPU: Vilanakis and Mathioudakis.
//!
//! | file | what |
//! |---|---|
//! | [`hermite`] | cubic Hermite functions and Gauss points |
//! | [`layers`] | diffusion in layers |
//! | [`mod@line`] | a mesh of an interval, its unknowns, the rule at interfaces |
//! | [`bands`] | matrices of one dimension, and their factors without fill |
//! | [`tissue`] | diffusion by element: maps of white and grey matter, and what becomes of slopes at their corners |
//! | [`space`] | splines on intervals and rectangles: numbering, matrices A0 and B, values, masses |
//! | [`start`] | initial data: point sources, interpolated or collocated |
//! | [`exact`] | a solution that is known, to measure errors by |
//! | [`scheme`] | one step in time, in verbs |
//! | [`modes`], [`modal`] | eigenfunctions across the layers, and a stage in them |
//! | [`krylov`], [`on_host`] | solves inside of a step: BiCGSTAB with ILU(0); triangular solves and elimination by the host |
//! | [`update`], [`refactor`] | what depends on the step: matrices in an engine's verbs, incomplete factors by whoever can |
//! | [`method`], [`equations`] | the linear systems of a step, renewed when the step changes |
//! | [`measure`] | mass and visible size, measured where steps run |
//! | [`evolution`] | a state in an engine, and steps that are compiled once |
//! | [`clock`] | which steps lead to the end |
//! | [`picture`], [`files`] | maps with the contour that imaging shows, and VTU |

pub mod bands;
pub mod clock;
pub mod equations;
pub mod evolution;
pub mod exact;
pub mod files;
pub mod hermite;
pub mod krylov;
pub mod layers;
pub mod line;
pub mod measure;
pub mod method;
pub mod modal;
pub mod modes;
pub mod on_host;
pub mod picture;
pub mod refactor;
pub mod scheme;
pub mod space;
pub mod start;
pub mod tissue;
pub mod update;

pub use clock::{Clock, EulerLength, Leg};
pub use evolution::{Evolution, Measured, Settings, Step};
pub use exact::Eigenfunction;
pub use layers::Layers;
pub use line::Line;
pub use method::Method;
pub use scheme::Scheme;
pub use space::Collocation;
pub use start::{Source, Start};
