//! The electrical heart: the monodomain equation phi_t = div(D grad phi) + f(phi, r), r_t = g(phi, r) on linear
//! segments, triangles or tetrahedra, in millimetres and milliseconds. Whole steps are programs in the engine's verbs,
//! run by the hundred.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cell`] | what a cell does by itself: Aliev and Panfilov's model, Mitchell and Schaeffer's |
//! | [`tissue`] | simplices with fibres and conductivities, checked |
//! | [`matrices`] | stiffness K and half-lumped mass M |
//! | [`increment`] | A delta = b by CG from an extrapolated guess |
//! | [`crossings`] | when each node was activated and repolarised |
//! | [`scheme`] | what every scheme can do |
//! | [`strang`] | the scheme `strang`: reaction by nodes, Crank-Nicolson diffusion |
//! | [`halving`] | the same with steps that are halved where they fail |
//! | [`newton`] | the scheme `newton`: backward Euler, r by element, assembly in the program |
//! | [`surface`], [`frame`] | what can be seen of a tissue, and its numbers in bytes |
//! | [`front`] | the exact travelling front |
//! | [`geometry`] | cable, sheet, slab, ventricles |
//! | [`fibres`] | fibres of ventricles by rule |
//! | [`region`], [`stimulus`] | where, how and when cells are excited |
//! | [`functional`] | probes and electrograms as weights of phi |
//! | [`phase`] | how far cells are round their loop, and where waves turn |
//! | [`leads`] | the twelve leads of an electrocardiogram |
//! | [`simulation`] | a run: scheme, stimuli, observations |
//! | [`checksum`] | whether the bytes of a saved run have changed |

pub mod cell;
pub mod checksum;
pub mod crossings;
pub mod fibres;
pub mod frame;
pub mod front;
pub mod functional;
pub mod geometry;
pub mod halving;
pub mod increment;
pub mod leads;
pub mod matrices;
pub mod newton;
pub mod phase;
pub mod region;
pub mod scheme;
pub mod simulation;
pub mod stimulus;
pub mod strang;
pub mod surface;
pub mod tissue;

pub use cell::{Cell, Model};
pub use halving::Halving;
pub use newton::Newton;
pub use region::Region;
pub use scheme::Scheme;
pub use simulation::Simulation;
pub use stimulus::Stimulus;
pub use strang::Strang;
pub use tissue::{Conductivity, Tissue};
