//! Direct solves. [`dense_lu`], [`sparse_lu`] and [`sparse_cholesky`] factorise with faer's products and are what to
//! use; [`textbook`] holds elimination and Cholesky as the textbooks print them, with pivoting that can be turned off,
//! to cross-check and to show what goes wrong without it.
//!
//! | function | for | cost |
//! |---|---|---|
//! | [`dense_lu`] | any regular A, small | n^3 |
//! | [`sparse_lu`] | any regular A | fill-in after AMD where the pattern is nearly symmetric and pivots within fronts are good, half of it where A = A^T; else after COLAMD |
//! | [`sparse_cholesky`] | Hermitian positive definite A; reads the lower triangle only | fill-in after AMD |
//! | [`least_squares`] | any square A, singular or not: least squares and the null space's dimension | sparse LU of A + delta I, or of twice the size |

#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the paper's capital letter

mod factor;
mod fill;
mod fronts;
mod singular;
pub mod textbook;
mod transposition;

pub use factor::{Factor, dense_lu, sparse_cholesky, sparse_lu};
pub use fill::Fill;
pub use singular::{LeastSquares, least_squares};
pub use transposition::Transposition;
