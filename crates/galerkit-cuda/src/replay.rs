//! Loops as graphs: some iterations are recorded as one graph, which is launched ahead of the norms that the host has
//! seen. When the monitor on the GPU ends the loop, what was launched beyond does nothing, so the count of iterations,
//! the history and x are those of the plain method. Loops inside others are too short for a recording to pay, and have
//! kernels that take longer than a launch (by_host.rs): those are launched one by one.

use crate::error::Result;
use crate::executor::Cuda;
use crate::launch::Graph;
use crate::program::Compiled;
use crate::ring::Message;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Monitor, Outcome};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

impl<S: Scalar> Cuda<S> {
    /// Launches what runs ahead of the first norm; how many iterations those are, and when the first was launched.
    pub(crate) fn launch_first(&self, compiled: &Compiled, limit: usize) -> Result<(usize, Instant)> {
        let [chunk, ahead] = self.pace(compiled);
        let (mut launched, begun) = (0, Instant::now());
        while launched < limit.min(chunk * ahead) {
            launched += self.launch_chunk(compiled, launched, chunk)?;
        }
        Ok((launched, begun))
    }

    /// Replays until the monitor has a verdict; so many iterations were launched, from then on.
    pub(crate) fn replay(
        &self,
        compiled: &Compiled,
        (launched, begun): (usize, Instant),
        limit: usize,
        monitor: &mut Monitor<'_>,
    ) -> Result<Outcome> {
        let lead = |seen| {
            compiled.pace.note(seen, begun.elapsed());
            let [chunk, ahead] = self.pace(compiled);
            seen + chunk * ahead
        };
        self.follow(lead, [launched, limit], monitor, |first| {
            self.launch_chunk(compiled, first, self.pace(compiled)[0])
        })
    }

    /// Iterations that are launched together, and how many times that ahead. Loops inside others end soon, and what was
    /// launched beyond their end costs time.
    fn pace(&self, compiled: &Compiled) -> [usize; 2] {
        let ahead = if self.by_host > 0 { self.settings.ahead.min(2) } else { self.settings.ahead };
        compiled.pace.lead(self.settings.chunk.max(1), ahead.max(1))
    }

    /// Launches so many iterations, or one: graphs begin at multiples of their length, as they did before. How many it
    /// was.
    fn launch_chunk(&self, compiled: &Compiled, first: usize, chunk: usize) -> Result<usize> {
        let count = if first.is_multiple_of(self.settings.chunk.max(1)) { chunk } else { 1 };
        let plans: Vec<usize> = (first..first + count).map(|i| compiled.plan_of(i)).collect();
        if self.by_host > 0 || count < self.settings.chunk {
            self.launch_plans(compiled, &plans);
            return Ok(count);
        }
        let graphs = &mut *compiled.graphs.lock().unwrap_or_else(PoisonError::into_inner);
        if !graphs.contains_key(&plans) {
            graphs.insert(plans.clone(), self.record(compiled, &plans)?);
        }
        graphs[&plans].launch();
        Ok(count)
    }

    /// Launches iterations up to the lead over the norms that were seen, and none beyond the limit, and shows the
    /// monitor each norm until it has a verdict; so many were launched before. `launch` is given the next iteration and
    /// tells how many it launched.
    pub(crate) fn follow(
        &self,
        lead: impl Fn(usize) -> usize,
        [mut launched, limit]: [usize; 2],
        monitor: &mut Monitor<'_>,
        mut launch: impl FnMut(usize) -> Result<usize>,
    ) -> Result<Outcome> {
        let mut seen = 0;
        let (mut interrupted, mut paused) = (false, false);
        loop {
            while !interrupted && !paused && launched < limit && launched < lead(seen) {
                launched += launch(launched)?;
            }
            match self.wait_for(seen)? {
                Message::Failed(outcome) => return Ok(outcome),
                Message::Norm(norm) => {
                    seen += 1;
                    match monitor.observe(norm) {
                        // What is under way cannot be called back: x belongs to the last iteration launched.
                        Some(Outcome::Interrupted) => interrupted = true,
                        Some(outcome) => return Ok(outcome),
                        None => paused = paused || self.is_awaited(),
                    }
                }
            }
            if interrupted && seen == launched {
                return Ok(Outcome::Interrupted);
            }
            if paused && seen == launched {
                if let Some(outcome) = self.show()? {
                    return Ok(outcome);
                }
                paused = false;
            }
        }
    }

    /// Whether the viewer wants to see its vector.
    fn is_awaited(&self) -> bool {
        self.viewer.as_ref().is_some_and(|viewer| (viewer.wants)())
    }

    /// Shows the viewer its vector, if it wants to see it; interrupted if it has seen enough. Nothing may be under way.
    pub(crate) fn show(&self) -> Result<Option<Outcome>> {
        match self.viewer.as_ref().filter(|_| self.is_awaited()) {
            Some(viewer) if !(viewer.show)(&self.try_download(viewer.x)?) => Ok(Some(Outcome::Interrupted)),
            _ => Ok(None),
        }
    }

    /// The graph of some iterations.
    fn record(&self, compiled: &Compiled, plans: &[usize]) -> Result<Graph> {
        Graph::record(&self.gpu, || self.launch_plans(compiled, plans))
    }

    /// Launches some iterations, and what tells the host of them.
    fn launch_plans(&self, compiled: &Compiled, plans: &[usize]) {
        for &plan in plans {
            compiled.launches[plan].iter().for_each(|ready| self.launch(compiled, ready));
        }
        self.launch(compiled, &compiled.publish);
    }

    /// What became of an iteration that was launched.
    pub(crate) fn wait_for(&self, iteration: usize) -> Result<Message> {
        self.wait(|| self.ring.take(iteration))
    }

    /// What a loop that was launched began with.
    pub(crate) fn wait_for_beginning(&self) -> Result<[f64; 2]> {
        self.wait(|| self.ring.begun())
    }

    /// Waits for what a kernel tells. Spins, because norms come every few microseconds; after a
    /// millisecond it also looks whether the GPU has failed, and sleeps in between.
    pub(crate) fn wait<T>(&self, told: impl Fn() -> Option<T>) -> Result<T> {
        let begun = Instant::now();
        loop {
            for _ in 0..1000 {
                if let Some(told) = told() {
                    return Ok(told);
                }
                std::hint::spin_loop();
            }
            if begun.elapsed() > Duration::from_millis(1) {
                self.gpu.failure().map_or(Ok(()), Err)?;
                self.gpu.poll()?;
                std::thread::sleep(Duration::from_micros(50));
            }
        }
    }
}
