//! The CUDA engine: recorded programs become fused kernels, compiled at run time by NVRTC, replayed as graphs or run as
//! one persistent kernel for a whole loop. Builds without any CUDA; whether a GPU is usable is found out when it is
//! asked for.
//!
//! | module | what it holds |
//! |---|---|
//! | [`launch`] | driver, memory, kernels, graphs, NVRTC: the only unsafe code |
//! | [`jit`] | kernels compiled on first use and cached on disk |
//! | [`map`] | matrices, preconditioners and open maps in device memory, with their kernel source |
//! | [`plan`], [`generate`], [`program`] | from instructions to stages, to kernel source, to launches |
//! | [`executor`](mod@executor) | [`Cuda`]: vectors, maps and codes of a GPU; runs programs in pieces |
//! | `strategy`, `replay`, `persistent`, `by_host` | loops as graphs, as one persistent kernel, or driven by the host; which |
//! | `ring` | what the monitor on the GPU tells the host |
//! | [`explain`] | what an iteration is made of, and the bytes it must move |
//! | [`convert`] | CSR to ELL-WARP on the device |
//! | [`amg`] | set-up of algebraic multigrid on the device |
//! | [`product`](mod@product) | products and transposes of sparse matrices on the device |
//! | [`ordering`] | reverse Cuthill-McKee on the device |
//! | [`factor`] | incomplete factorisations on the device |
//! | [`tune`] | which format and parameters a product should have |
//! | [`bandwidth`], [`timing`] | what the memory of a GPU gives at most; products timed by the GPU's own clock |
//! | [`backend`], [`testing`], [`sources`] | for tests: verbs one by one, a GPU if there is one, every kernel source |
#![deny(unsafe_code)]
#![allow(non_snake_case)] // matrices keep the capital letter of the papers

pub mod amg;
pub mod available;
pub mod backend;
pub mod bandwidth;
mod by_host;
pub mod convert;
pub mod error;
pub mod executor;
pub mod explain;
pub mod factor;
pub mod generate;
pub mod jit;
pub mod launch;
pub mod map;
pub mod ordering;
mod persistent;
pub mod plan;
mod pool;
pub mod product;
pub mod program;
mod replay;
mod ring;
pub mod sources;
mod strategy;
pub mod testing;
pub mod timing;
pub mod tune;

pub use error::{Error, Result};
pub use executor::{Cuda, Settings, Strategy, executor};
