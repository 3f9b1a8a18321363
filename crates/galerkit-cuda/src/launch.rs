//! The one place that talks to foreign code: driver, NVRTC and, for benchmarks, cuSPARSE. Every `unsafe` of this crate
//! is below here; what it offers upwards is safe to call from one thread at a time.
//!
//! | file | what |
//! |---|---|
//! | `context` | which GPUs there are; one of them, opened, with its stream |
//! | `memory` | device buffers, pinned host words |
//! | `transfer` | arrays of the host into buffers and back |
//! | `staging`, `lane` | the same for large ones, through pinned buffers by several threads |
//! | `module` | loaded kernels and launching them |
//! | `graph` | launches recorded once and replayed |
//! | `event` | places in a stream's work, the GPU's own clock |
//! | `nvrtc` | the compiler |
//! | `cusparse` | products by cuSPARSE, to compare with |
#![allow(unsafe_code)]

mod context;
mod cusparse;
mod event;
mod graph;
mod lane;
mod memory;
mod module;
mod nvrtc;
mod staging;
mod transfer;

pub use context::{Gpu, Properties, gpus};
pub use cusparse::{Cusparse, Multiplication, PeerLayout, PeerMatrix};
pub use graph::Graph;
pub use memory::{Buffer, Pinned};
pub use module::{Code, Kernel, Module, Shape};
pub use nvrtc::Nvrtc;
pub use staging::Staging;

use crate::error::{Error, Result};
use cudarc::driver::DriverError;

/// Names the call that the driver refused.
fn refused<T>(call: &str, result: std::result::Result<T, DriverError>) -> Result<T> {
    result.map_err(|error| {
        let words = error.error_string().ok().map(|text| text.to_string_lossy().into_owned());
        Error::Driver { call: call.into(), reason: words.unwrap_or_else(|| format!("{:?}", error.0)) }
    })
}
