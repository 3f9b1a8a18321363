//! Loops as graphs: some iterations are recorded as one graph, which is launched ahead of the norms that the host has
//! seen. When the monitor on the GPU ends the loop, what was launched beyond does nothing, so the count of iterations,
//! the history and x are those of the plain method.

use crate::error::Result;
use crate::executor::Cuda;
use crate::launch::Graph;
use crate::program::Compiled;
use crate::ring::Told;
use galerkit_linalg::Scalar;
use galerkit_linalg::krylov::{Monitor, Outcome};
use std::time::{Duration, Instant};

impl<S: Scalar> Cuda<S> {
    /// Replays until the monitor has a verdict.
    pub(crate) fn replay(&self, compiled: &Compiled, limit: usize, monitor: &mut Monitor<'_>) -> Result<Outcome> {
        let (chunk, ahead) = (self.settings.chunk.max(1), self.settings.ahead.max(1));
        self.follow([chunk, ahead, limit], monitor, |first| {
            let plans: Vec<usize> = (first..first + chunk).map(|i| compiled.plan_of(i)).collect();
            let graphs = &mut *compiled.graphs.borrow_mut();
            if !graphs.contains_key(&plans) {
                graphs.insert(plans.clone(), self.record(compiled, &plans)?);
            }
            graphs[&plans].launch();
            Ok(())
        })
    }

    /// Launches `chunk` iterations at a time, `ahead` chunks beyond the norms that were seen and none beyond `limit`,
    /// and shows the monitor each norm until it has a verdict. `launch` is given the first iteration of its chunk.
    pub(crate) fn follow(
        &self,
        [chunk, ahead, limit]: [usize; 3],
        monitor: &mut Monitor<'_>,
        mut launch: impl FnMut(usize) -> Result<()>,
    ) -> Result<Outcome> {
        let (mut launched, mut seen) = (0, 0);
        let mut interrupted = false;
        loop {
            while !interrupted && launched < limit && launched < seen + chunk * ahead {
                launch(launched)?;
                launched += chunk;
            }
            match self.wait_for(seen)? {
                Told::Failed(outcome) => return Ok(outcome),
                Told::Norm(norm) => {
                    seen += 1;
                    match monitor.observe(norm) {
                        // What is under way cannot be called back: x belongs to the last iteration launched.
                        Some(Outcome::Interrupted) => interrupted = true,
                        Some(outcome) => return Ok(outcome),
                        None => (),
                    }
                }
            }
            if interrupted && seen == launched {
                return Ok(Outcome::Interrupted);
            }
        }
    }

    /// The graph of some iterations.
    fn record(&self, compiled: &Compiled, plans: &[usize]) -> Result<Graph> {
        Graph::record(&self.gpu, || {
            for &plan in plans {
                compiled.plans[plan].launches.iter().for_each(|ready| self.launch(compiled, ready));
            }
            self.launch(compiled, &compiled.publish);
        })
    }

    /// What became of an iteration that was launched. Spins, because norms come every few microseconds; after a
    /// millisecond it also looks whether the GPU has failed, and sleeps in between.
    pub(crate) fn wait_for(&self, iteration: usize) -> Result<Told> {
        let begun = Instant::now();
        loop {
            for _ in 0..1000 {
                if let Some(told) = self.ring.take(iteration) {
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
