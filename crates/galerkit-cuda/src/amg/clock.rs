//! How long each stage of a level took.

use crate::error::Result;
use crate::launch::Gpu;
use std::sync::Arc;
use std::time::Instant;

/// Seconds by the name of the stage, in the order of the stages.
pub type Stages = Vec<(&'static str, f64)>;

/// Runs from stage to stage.
pub(super) struct Clock {
    gpu: Arc<Gpu>,
    waits: bool,
    last: Instant,
    stages: Stages,
}

impl Clock {
    /// Starts; if it waits, the times are those of the GPU, otherwise those of the host, which runs ahead.
    pub(super) fn start(gpu: &Arc<Gpu>, waits: bool) -> Self {
        Self { gpu: gpu.clone(), waits, last: Instant::now(), stages: Vec::new() }
    }

    /// Ends a stage.
    pub(super) fn lap(&mut self, stage: &'static str) -> Result<()> {
        if self.waits {
            self.gpu.synchronize()?;
        }
        let now = Instant::now();
        self.stages.push((stage, (now - self.last).as_secs_f64()));
        self.last = now;
        Ok(())
    }

    /// What was not a stage is not counted.
    pub(super) fn skip(&mut self) {
        self.last = Instant::now();
    }

    pub(super) fn stages(self) -> Stages {
        self.stages
    }
}
