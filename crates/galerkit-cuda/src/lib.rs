//! The CUDA engine.
#![deny(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

pub mod available;
pub mod backend;
pub mod bandwidth;
pub mod convert;
pub mod error;
pub mod executor;
pub mod explain;
pub mod generate;
pub mod jit;
pub mod launch;
pub mod map;
pub mod peer;
pub mod plan;
pub mod program;
mod replay;
mod resident;
mod ring;
pub mod sources;
pub mod testing;
pub mod timing;

pub use error::{Error, Result};
pub use executor::{Cuda, Settings};
