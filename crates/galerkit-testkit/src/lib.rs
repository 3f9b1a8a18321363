//! Shared test tools, not published: one tolerance, the data files, proptest strategies, small problems, the
//! conformance suite that every backend must pass, and which file of a crate uses which.
#![forbid(unsafe_code)]
#![allow(non_snake_case)] // matrices and operators keep the paper's capital letter

pub mod amg;
pub mod conformance;
mod data;
mod modules;
pub mod problems;
pub mod rooms;
pub mod strategies;
mod system;
mod tolerance;

pub use data::{data_dir, data_file, skip};
pub use modules::assert_every_file_is_a_module;
pub use system::{Solved, System, bits, summary};
pub use tolerance::{assert_close, distance, tol};
