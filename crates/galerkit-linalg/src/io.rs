//! Files: Matrix Market in and out, and writing that never leaves half a file behind.

mod atomic;
pub mod matrix_market;

pub use atomic::{atomic_write, discard_unfinished};
