//! Published results, computed again: one module for each source.

pub mod alinea;
pub mod dhc;
pub mod heart;
pub mod hpfem;
mod place;
pub mod vpgcr;
