//! Events: places in a stream's work that others can wait for; and the GPU's own clock.

use super::{Gpu, refused};
use crate::error::Result;
use cudarc::driver::{result, sys};
use std::time::Duration;

/// An event that is destroyed when it goes.
pub(super) struct Event(sys::CUevent);

// SAFETY: events belong to the context; the driver lets any thread record, wait for and destroy them.
unsafe impl Send for Event {}
// SAFETY: as above; the driver locks its own state.
unsafe impl Sync for Event {}

impl Event {
    /// One that only says that it has passed, which is cheaper than one that also says when. Before it is recorded it
    /// counts as passed.
    pub(super) fn without_time() -> Result<Self> {
        refused("cuEventCreate", result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)).map(Self)
    }

    fn with_time() -> Result<Self> {
        refused("cuEventCreate", result::event::create(sys::CUevent_flags::CU_EVENT_DEFAULT)).map(Self)
    }

    /// Passes when everything queued on the stream so far is done.
    pub(super) fn record(&self, stream: sys::CUstream) -> Result<()> {
        // SAFETY: the event is alive; the stream is of whoever calls.
        refused("cuEventRecord", unsafe { result::event::record(self.0, stream) })
    }

    /// The host waits until it has passed.
    pub(super) fn wait(&self) -> Result<()> {
        // SAFETY: the event is alive.
        refused("cuEventSynchronize", unsafe { result::event::synchronize(self.0) })
    }

    /// What is queued on the stream from now on waits until it has passed; the host does not.
    pub(super) fn hold(&self, stream: sys::CUstream) -> Result<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: the event is alive; the stream is of whoever calls.
        refused("cuStreamWaitEvent", unsafe { result::stream::wait_event(stream, self.0, flags) })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: created once, destroyed once.
        let _ = unsafe { result::event::destroy(self.0) };
    }
}

impl Gpu {
    /// How long the GPU takes for what `work` queues, by its own clock; waits for it.
    pub fn time(&self, work: impl FnOnce()) -> Result<Duration> {
        let begin = self.timed_mark()?;
        work();
        self.elapsed_since(&begin)
    }

    fn timed_mark(&self) -> Result<Event> {
        self.enter();
        let event = Event::with_time()?;
        event.record(self.stream)?;
        Ok(event)
    }

    fn elapsed_since(&self, begin: &Event) -> Result<Duration> {
        let end = self.timed_mark()?;
        self.synchronize()?;
        // SAFETY: both events are alive and have passed.
        let milliseconds = refused("cuEventElapsedTime", unsafe { result::event::elapsed(begin.0, end.0) })?;
        Ok(Duration::from_secs_f64(f64::from(milliseconds) / 1e3))
    }

    /// An event that passes when everything queued so far is done.
    pub(super) fn mark(&self) -> Result<Event> {
        self.enter();
        let event = Event::without_time()?;
        event.record(self.stream)?;
        Ok(event)
    }
}
