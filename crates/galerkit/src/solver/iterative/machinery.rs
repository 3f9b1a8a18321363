//! The executor of a prepared method, on a GPU with as many directions as its memory allows.

use super::super::Solver;
use super::super::fits::require_vectors;
use super::super::memory::{BESIDE, Room};
use crate::choice::Device;
use crate::error::Result;
use crate::precision::is_single;
use galerkit_cuda::Settings;
use galerkit_cuda::launch::Gpu;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{AnyExecutor, cpu_executor, reference_executor};
use galerkit_linalg::krylov::Krylov;
use std::sync::Arc;

/// What a solve needs beside the vectors of its method.
pub(super) struct Needed {
    /// Bytes of operator and preconditioner.
    pub(super) maps: usize,
    /// Vectors of the preconditioner.
    pub(super) vectors: usize,
    /// Entries of a vector.
    pub(super) rows: usize,
    /// Bytes of a GPU that are taken now and count as free: they become these maps, or are let go.
    pub(super) freed: usize,
}

impl Needed {
    /// The executor on a solver's device, the method with as many directions as fit there, and a sentence if those are
    /// fewer.
    pub(super) fn executor<S: Scalar>(
        &self,
        solver: &Solver,
        gpu: Option<&Arc<Gpu>>,
        method: Krylov,
        settings: Settings,
    ) -> Result<(AnyExecutor<S>, Krylov, Option<String>)> {
        let Some(gpu) = gpu else {
            let method_here = if is_single::<S>() { method.in_single() } else { method };
            require_vectors::<S>(method_here, self.rows, BESIDE + self.vectors)?;
            let executor = if solver.device == Device::Reference { reference_executor() } else { cpu_executor() };
            return Ok((executor, method, None));
        };
        let vector = self.rows * size_of::<S>();
        let (free, total) = gpu.free_memory()?;
        let (free, maps, is_single) = (free + self.freed, self.maps + self.vectors * vector, is_single::<S>());
        let (shorter, said) = Room { maps, vector, is_single, free, total }.shorten(method)?;
        Ok((galerkit_cuda::executor(gpu, settings)?, shorter, said))
    }
}
