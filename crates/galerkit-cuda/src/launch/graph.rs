//! Launches recorded once and replayed as a whole.

use super::{Gpu, refused};
use crate::error::Result;
use cudarc::driver::{result, sys};
use std::sync::Arc;

/// A recorded sequence of launches.
pub struct Graph {
    gpu: Arc<Gpu>,
    graph: sys::CUgraph,
    executable: sys::CUgraphExec,
}

// SAFETY: the driver lets any thread launch and destroy a graph, one at a time; whoever shares one does it behind a
// lock.
unsafe impl Send for Graph {}

impl Graph {
    /// Records what `work` queues on the GPU's stream instead of running it.
    pub fn record(gpu: &Arc<Gpu>, work: impl FnOnce()) -> Result<Self> {
        Self::begin(gpu)?;
        work();
        Self::end(gpu)
    }

    fn begin(gpu: &Gpu) -> Result<()> {
        gpu.enter();
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream lives as long as the GPU and is not capturing: recordings do not nest.
        refused("cuStreamBeginCapture", unsafe { result::stream::begin_capture(gpu.stream, mode) })
    }

    fn end(gpu: &Arc<Gpu>) -> Result<Self> {
        // SAFETY: ends the capture just begun.
        let graph = refused("cuStreamEndCapture", unsafe { result::stream::end_capture(gpu.stream) })?;
        // SAFETY: the graph was just made.
        let made = unsafe { result::graph::instantiate(graph, sys::CUgraphInstantiate_flags(0)) };
        let executable = refused("cuGraphInstantiate", made)?;
        let recorded = Self { gpu: gpu.clone(), graph, executable };
        // SAFETY: both are alive; moves the graph to the GPU ahead of its first launch.
        refused("cuGraphUpload", unsafe { result::graph::upload(recorded.executable, gpu.stream) })?;
        Ok(recorded)
    }

    /// Queues the whole sequence.
    pub fn launch(&self) {
        self.gpu.enter();
        // SAFETY: graph and stream are alive.
        let queued = unsafe { result::graph::launch(self.executable, self.gpu.stream) };
        self.gpu.note(refused("cuGraphLaunch", queued));
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        let _ = self.gpu.synchronize(); // replays may be under way
        // SAFETY: made by `record`, destroyed once, idle.
        unsafe {
            let _ = result::graph::exec_destroy(self.executable);
            let _ = result::graph::destroy(self.graph);
        }
    }
}
