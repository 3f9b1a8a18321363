//! From spaces and forms to a matrix and a right-hand side. Contributions of cells are computed independently of each
//! other; a fixed map sums them into the slots of the matrix, `values = S k`, in the same order on any number of
//! threads.
//!
//! | file | what |
//! |---|---|
//! | [`rules`] | which points a cell is integrated with |
//! | [`moments`] | integrals over a patch by sum factorisation |
//! | [`element`] | matrices of cells: Kronecker products on parallelepipeds, quadrature elsewhere |
//! | [`load`] | right-hand sides of cells, boundary terms |
//! | [`condense`] | elimination of interior functions in each cell |
//! | [`scatter`] | C_e: from local functions to unknowns |
//! | [`pattern`] | the pattern of the matrix and the map S |
//! | [`lift`] | Dirichlet data as coefficients of functions |

pub mod condense;
pub mod element;
pub mod lift;
pub mod load;
pub mod moments;
pub mod pattern;
pub mod rules;
pub mod scatter;
