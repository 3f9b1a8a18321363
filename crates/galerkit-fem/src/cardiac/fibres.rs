//! Fibres of ventricles by rule, after Bayer, Blake, Plank and Trayanova 2012 (LDRB): four Laplace problems say where
//! an element lies between the surfaces and which way the apex is; fibres turn from one angle at the endocardium to
//! another at the epicardium.
//!
//! | module | what it holds |
//! |---|---|
//! | [`surfaces`] | epicardium, the two endocardia and the base, by tags, by names or by shape |
//! | [`laplace`] | harmonic functions with given values at some nodes |
//! | [`frame`] | orthonormal frames, and their interpolation with a choice of signs |
//! | [`rule`] | the fibres |

pub mod frame;
pub mod laplace;
pub mod rule;
pub mod surfaces;

pub use rule::{Angles, fibres};
pub use surfaces::Surfaces;
