//! The CUDA engine.
#![deny(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

pub mod available;
pub mod bandwidth;
pub mod error;
pub mod jit;
pub mod launch;
pub mod map;
pub mod sources;

pub use error::{Error, Result};
