//! The CUDA engine.
#![deny(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

pub mod convert;
pub mod error;
pub mod jit;
pub mod launch;
pub mod map;
pub mod testing;

pub use error::{Error, Result};
