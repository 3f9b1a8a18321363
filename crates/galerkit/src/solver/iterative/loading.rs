//! Loading: the matrix from the host or from where it was converted, the forms of it that are to be timed, and what
//! that is spent on.

use super::super::machine::{Engine as Recorded, Machine};
use crate::error::Result;
use crate::layout::Stored;
use crate::matrix::MatrixRef;
use crate::stages::{Stage, Stages};
use crate::uploaded::Uploaded;
use galerkit_cuda::Cuda;
use galerkit_cuda::launch::Gpu;
use galerkit_cuda::tune::Plan;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Engine, Resident};
use galerkit_linalg::map::matrix_map;
use galerkit_linalg::program::MapId;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Loading is conversion to what the engine stores, and on a GPU copies of it, which the GPU counts.
pub(super) struct Loading<'a> {
    begun: Instant,
    gpu: Option<(&'a Gpu, Duration)>,
}

impl<'a> Loading<'a> {
    pub(super) fn begin(gpu: Option<&'a Arc<Gpu>>) -> Self {
        Self { begun: Instant::now(), gpu: gpu.map(|gpu| (&**gpu, gpu.copying())) }
    }

    pub(super) fn end(self, stages: &mut Stages) {
        let all = self.begun.elapsed();
        let copying = self.gpu.map(|(gpu, before)| gpu.copying().saturating_sub(before).min(all));
        stages.add(Stage::Conversion, (all - copying.unwrap_or_default()).as_secs_f64());
        if let Some(copying) = copying {
            stages.add(Stage::Transfer, copying.as_secs_f64());
        }
    }
}

/// Builds the alternatives that are worth timing in so many iterations and offers them for a loaded matrix. One that
/// cannot be built is left out.
pub(super) fn offer<S: Scalar>(
    plan: &Plan,
    cuda: &mut Cuda<S>,
    matrix: MapId,
    (A, uploaded): (MatrixRef<'_, S>, Option<&Uploaded<S>>),
    iterations: usize,
) -> Result<()> {
    let gpu = cuda.gpu().clone();
    for candidate in plan.alternatives(A.rows(), iterations, &gpu)? {
        let made = uploaded.and_then(|uploaded| uploaded.stored(candidate.format, &candidate.tuning).ok().flatten());
        // What only the host makes is no candidate where it has no rows.
        let by_host = || A.is_on_host().then(|| candidate.build(&gpu, A.host().ok()?).ok()).flatten();
        if let Some(map) = made.or_else(by_host) {
            cuda.offer(matrix, candidate.to_string(), map);
        }
    }
    Ok(())
}

/// The matrix as the engine has it, from the host or from where it was converted.
pub(super) fn bring<S: Scalar>(engine: &mut Recorded<S>, stored: Stored<S>) -> Resident<Recorded<S>> {
    match stored {
        Stored::Host(matrix) => engine.load(matrix_map(*matrix)),
        Stored::Gpu(map) => {
            let cuda = engine.executor_mut().cuda_mut().expect("only a GPU converts, the one that solves");
            let adopted = cuda.adopt(*map);
            engine.adopt(adopted)
        }
    }
}
