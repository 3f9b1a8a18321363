//! What galerkit is measured by, for its command line and its developers: yardsticks, peers, published results and
//! timings. No solver needs any of it, so nothing but the command line depends on this crate.
//!
//! | module | what it holds |
//! |---|---|
//! | [`bandwidth`] | the STREAM triad that results on the CPU are measured against |
//! | [`peer`] | products by cuSPARSE |
//! | [`timing`] | matrix products, iterations, conversions and triangular solves, timed |
//! | [`reproduce`] | published results, computed again |
//! | [`error`] | [`Error`]: everything the facade can say, and what only measuring can |
//!
//! `benches/peers.rs` runs beside the CPU peers; `examples/` has the surveys behind choices that are made by a model.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the paper's capital letter

pub mod bandwidth;
pub mod error;
pub mod peer;
pub mod reproduce;
pub mod timing;

pub use error::{Error, Result};
