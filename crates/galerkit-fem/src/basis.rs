//! Shape functions on [-1, 1]^d: products of integrated Legendre functions (Szabo and Babuska).
//!
//! | file | what |
//! |---|---|
//! | [`legendre`] | Legendre polynomials |
//! | [`hierarchical`] | N_0, N_1, phi_j and their derivatives |
//! | [`dense`] | small dense matrices |
//! | [`table`] | the functions at the points of a rule |
//! | [`interval`] | mass, stiffness and mixed matrices on the interval |
//! | [`halves`] | traces on half an interval: S^L and S^R |
//! | [`tensor`] | matrices applied along one axis of an array: sum factorisation |
//! | [`interpolate`] | projection-based interpolation |
//! | [`nodal`] | the functions that are 1 at one Gauss-Lobatto point |

pub mod dense;
pub mod halves;
pub mod hierarchical;
pub mod interpolate;
pub mod interval;
pub mod legendre;
pub mod nodal;
pub mod table;
pub mod tensor;

/// The highest degree of a cell.
pub const MAX_DEGREE: usize = 10;
