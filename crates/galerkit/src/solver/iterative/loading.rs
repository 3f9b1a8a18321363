//! What loading is spent on.

use crate::stages::{Stage, Stages};
use galerkit_cuda::launch::Gpu;
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
