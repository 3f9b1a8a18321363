//! Matrix products timed by the GPU's own clock: a graph of so many products that a replay lasts at least 2 ms,
//! replayed several times, so that neither launches nor clocks are in the result. All vectors stay on the GPU.

use crate::error::{Error, Result};
use crate::executor::{Cuda, Settings};
use crate::launch::{Gpu, Graph};
use crate::map::{Map, Tuning};
use galerkit_linalg::engine::Executor;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::program::{Instruction, MapId, Precision, Program, Scope, Vector};
use galerkit_linalg::{Scalar, per_scalar};
use std::sync::Arc;

/// What one replay should last, in seconds.
const REPLAY: f64 = 2e-3;
/// Most products in one graph.
const MOST: usize = 1024;
/// Products of the graph that tells how long one takes.
const FIRST: usize = 4;

/// Seconds of a product, from several replays.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Seconds of one product in each replay, ascending.
    pub seconds: Vec<f64>,
    /// Products in one replay.
    pub products: usize,
    /// Bytes that a product must move: the map, x and y.
    pub bytes: usize,
    /// Whether those fit the L2 cache, whose bandwidth is then what was measured.
    pub cached: bool,
}

impl Times {
    /// The median.
    pub fn median(&self) -> f64 {
        self.seconds[self.seconds.len() / 2]
    }
    /// How far the slowest replay was from the fastest, relative to the median.
    pub fn spread(&self) -> f64 {
        (self.seconds[self.seconds.len() - 1] - self.seconds[0]) / self.median()
    }
}

/// A map on the GPU with an x and a y.
pub struct Product<S: Scalar> {
    executor: Cuda<S>,
    A: MapId,
    x: Vector,
    y: Vector,
}

per_scalar! {
    fn make<S>(gpu: &Arc<Gpu>, map: Map, x: &[S], settings: Settings) -> Result<Product<S>> = Product::make;
    fn result<S>(product: &mut Product<S>) -> Result<Vec<S>> = Product::compute;
    fn time<S>(product: &mut Product<S>, replays: usize) -> Result<Times> = Product::replay;
}

impl<S: Scalar> Product<S> {
    /// Loads a map as `tuning` says; x is as long as it has columns.
    pub fn new(gpu: &Arc<Gpu>, map: &dyn LinearMap<S>, tuning: Tuning, x: &[S]) -> Result<Self> {
        // Not through the executor, which would keep a refusal as the GPU's first error.
        Self::of_map(gpu, Map::load(gpu, map, &tuning)?, x)
    }

    /// A map that is on the GPU already.
    pub fn of_map(gpu: &Arc<Gpu>, map: Map, x: &[S]) -> Result<Self> {
        Self::with_settings(gpu, map, x, Settings::default())
    }

    /// The same with launches of one's own.
    pub fn with_settings(gpu: &Arc<Gpu>, map: Map, x: &[S], settings: Settings) -> Result<Self> {
        make(gpu, map, x, settings)
    }

    fn make(gpu: &Arc<Gpu>, map: Map, x: &[S], settings: Settings) -> Result<Self> {
        let (rows, cols) = map.shape;
        assert_eq!(x.len(), cols, "x is as long as the map has columns");
        gpu.require_memory("x and y", (rows + cols) * size_of::<S>())?;
        let mut executor = Cuda::new(gpu, settings)?;
        let A = executor.adopt(map);
        let y = executor.zeros(rows, Precision::Full, Scope::Shared);
        let x = executor.upload(x, Precision::Full);
        executor.failure().map_or(Ok(()), Err)?;
        Ok(Self { executor, A, x, y })
    }

    fn program(&self) -> Program {
        Program { instructions: vec![Instruction::Apply { A: self.A, x: self.x, y: self.y }] }
    }

    /// y = A x, computed once.
    pub fn result(&mut self) -> Result<Vec<S>> {
        result(self)
    }

    fn compute(&mut self) -> Result<Vec<S>> {
        let code = self.executor.compile(&self.program(), None);
        self.executor.run(code);
        self.executor.discard(code);
        let y = self.executor.download(self.y);
        self.executor.failure().map_or(Ok(y), Err)
    }

    /// Bytes that a product must move.
    pub fn bytes(&self) -> usize {
        let (map, (rows, cols)) = self.executor.map(self.A).map_or((0, (0, 0)), |map| (map.bytes, map.shape));
        map + (rows + cols) * size_of::<S>()
    }

    /// Times so many replays.
    pub fn time(&mut self, replays: usize) -> Result<Times> {
        time(self, replays)
    }

    fn replay(&mut self, replays: usize) -> Result<Times> {
        let (gpu, program) = (self.executor.gpu().clone(), self.program());
        let bytes = self.bytes();
        let executor = &mut self.executor;
        let mut record = |count| executor.repeated(&program, count);
        let (seconds, products) = time_repeated(&gpu, replays, &mut record)?;
        Ok(Times { seconds, products, bytes, cached: bytes <= gpu.properties().l2 })
    }
}

/// Times anything that can be recorded: `record(n)` is a graph of it n times over. Seconds of one, ascending, and how
/// many one replay had.
pub fn time_repeated(
    gpu: &Arc<Gpu>,
    replays: usize,
    record: &mut dyn FnMut(usize) -> Result<Graph>,
) -> Result<(Vec<f64>, usize)> {
    let few = record(FIRST)?;
    gpu.time(|| few.launch())?; // the first warms up
    let rough = gpu.time(|| few.launch())?.as_secs_f64() / FIRST as f64;
    drop(few);
    let count = repeats(rough);
    let graph = record(count)?;
    gpu.time(|| graph.launch())?;
    let mut seconds = Vec::new();
    for _ in 0..replays.max(1) {
        seconds.push(gpu.time(|| graph.launch())?.as_secs_f64() / count as f64);
    }
    seconds.sort_by(f64::total_cmp);
    match seconds[0] > 0.0 {
        true => Ok((seconds, count)),
        false => Err(Error::Driver { call: "timing a graph".into(), reason: "it took no time at all".into() }),
    }
}

/// How many of something that takes so many seconds make a replay long enough.
pub fn repeats(seconds: f64) -> usize {
    ((REPLAY / seconds.max(1e-9)).ceil() as usize).clamp(1, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_are_long_enough_and_graphs_not_too_large() {
        assert_eq!(repeats(1e-3), 2);
        assert_eq!(repeats(0.5), 1);
        assert_eq!(repeats(3e-6), 667);
        assert_eq!(repeats(0.0), MOST);
        assert_eq!(repeats(1e-9), MOST);
    }

    #[test]
    fn median_and_spread() {
        let times = Times { seconds: vec![1.0, 2.0, 2.5], products: 1, bytes: 1, cached: false };
        assert_eq!((times.median(), times.spread()), (2.0, 0.75));
    }
}
