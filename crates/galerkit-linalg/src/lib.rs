//! Everything algebraic in galerkit: scalars, sparse formats, engines, Krylov methods, preconditioners,
//! direct solves, Matrix Market and a gallery of test matrices. Builds with nothing but Rust.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scalar`] | `f32`, `f64`, `c32`, `c64` behind one sealed trait |
//! | [`random`] | a seeded stream of pseudo-random numbers, the same on every machine |
//! | [`parallel`] | loops over threads, compiled once |
//! | [`sparse`] | COO, CSR, BSR, ELL, ELL-R, SELL, HYB and the ELL-WARP family; permutations, products, statistics |
//! | [`map`] | linear maps: what can stand after `apply`; an open list |
//! | [`program`] | what solvers say, as data: instructions, typed vectors, fusion |
//! | [`engine`] | the verbs solvers are written in; immediate and recorded execution |
//! | [`backend`] | what executes a verb: `reference` (obvious loops) and `cpu` (threads and SIMD) |
//! | [`krylov`] | the methods, and when they stop |
//! | [`precond`] | Jacobi, block Jacobi, SSOR, incomplete factorisations, Chebyshev |
//! | [`multigrid`] | the V-cycle over a hierarchy of systems |
//! | [`io`] | Matrix Market |
//! | [`gallery`] | model problems by name |
#![deny(unsafe_code)]
#![allow(non_snake_case)] // matrices and operators keep the paper's capital letter

pub mod backend;
pub mod engine;
pub mod error;
pub mod gallery;
pub mod io;
pub mod krylov;
pub mod map;
pub mod multigrid;
pub mod parallel;
pub mod precond;
pub mod program;
pub mod random;
pub mod scalar;
pub mod sparse;

pub use error::{Error, Result};
pub use map::{Diagonal, LinearMap};
pub use scalar::{Scalar, ScalarKind, c32, c64};
