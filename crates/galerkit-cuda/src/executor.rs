//! Runs recorded programs on a GPU. A program is compiled when it first runs, to pieces that follow each other: launches of fused
//! kernels, loops as replayed graphs (replay.rs), as one persistent kernel (persistent.rs) or driven by the host (by_host.rs). What it
//! was compiled to is kept as long as its [`Code`](galerkit_linalg::engine::Code).

mod bound;
mod memory;
mod run;
mod verbs;

pub(crate) use bound::Bound;
pub(crate) use run::Unit;

use crate::error::{Error, Result};
use crate::generate::{Form, cache};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu, Graph, Pinned};
use crate::map::{Map, Protocol, Tuning};
use crate::program::{Compiled, Ready};
use crate::ring::Ring;
use crate::strategy::Strategy;
use crate::tune::measure::Offers;
use galerkit_linalg::engine::{AnyExecutor, Counters, Viewer};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::program::{Instruction, MapId, Program, Slot, Vector, canonical, inspect};
use galerkit_linalg::{Scalar, per_scalar};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

/// How loops are run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How loops run that can run so; none: as suits them (strategy.rs).
    pub strategy: Option<Strategy>,
    /// Iterations in one graph.
    pub chunk: usize,
    /// Graphs launched ahead of the norms that were seen.
    pub ahead: usize,
    /// How kernels are cut; none: as usual for the scalar.
    pub form: Option<Form>,
    /// How many times the blocks that fit the GPU at once a launch may have.
    pub waves: usize,
    /// How maps are stored and multiplied with.
    pub tuning: Tuning,
    /// Whether alternatives that were offered are timed (tune/measure.rs).
    pub tune: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { strategy: None, chunk: 10, ahead: 3, form: None, waves: 1, tuning: Tuning::default(), tune: true }
    }
}

/// The executor.
pub struct Cuda<S: Scalar> {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) jit: Jit,
    pub(crate) settings: Settings,
    pub(crate) maps: Vec<Option<Map>>,
    /// Maps without kernel source, by the same names: the host multiplies with them.
    pub(crate) host_maps: Vec<Option<Box<dyn LinearMap<S>>>>,
    pub(crate) offers: Offers,
    pub(crate) vectors: Vec<Option<Buffer>>,
    /// Names of vectors that were freed.
    free: Vec<usize>,
    codes: Vec<Option<Arc<Unit>>>,
    slots: Option<Buffer>,
    pub(crate) ring: Ring,
    /// Where the host reads a scalar.
    mailbox: Pinned,
    scratch: Scratch,
    pub(crate) last: Option<Arc<Compiled>>,
    /// Depth of the loops that the host has taken apart.
    pub(crate) by_host: usize,
    pub(crate) host_products: usize,
    pub(crate) viewer: Option<Viewer<S>>,
    /// What follows the nested loop that is next: it is compiled while that loop runs.
    pub(crate) upcoming: Option<Arc<Unit>>,
    /// The vectors that are temporary in that outer iteration as a whole.
    pub(crate) temporary: Option<Arc<Vec<Vector>>>,
    counters: Cell<Counters>,
    scalar: PhantomData<S>,
}

/// Room that kernels share: partial sums, and what they count with.
struct Scratch {
    partials: Buffer,
    control: Buffer,
    /// Blocks that met at the barrier last.
    met: usize,
}

/// The control block holds the ticket of graphs and, each on a line of its own, the barrier of persistent kernels (blocks
/// that have arrived) and its epoch.
const ARRIVED_AT: u64 = 128;
const EPOCH_AT: u64 = 256;
const CONTROL_BYTES: usize = 384;

/// Bytes for partial sums to begin with: enough for most programs, because more room takes longer to get than some of them to run.
const PARTIALS: usize = 1 << 20;

per_scalar! {
    /// The same executor behind a trait object, compiled here once for each scalar.
    pub fn executor<S>(gpu: &Arc<Gpu>, settings: Settings) -> Result<AnyExecutor<S>> = boxed;
}

fn boxed<S: Scalar>(gpu: &Arc<Gpu>, settings: Settings) -> Result<AnyExecutor<S>> {
    Ok(Box::new(Cuda::new(gpu, settings)?))
}

impl<S: Scalar> Cuda<S> {
    /// An executor on a GPU.
    pub fn new(gpu: &Arc<Gpu>, settings: Settings) -> Result<Self> {
        let control = Buffer::zeroed(gpu, "the barrier", CONTROL_BYTES)?;
        Ok(Self {
            gpu: gpu.clone(),
            jit: Jit::new(gpu),
            settings,
            maps: Vec::new(),
            host_maps: Vec::new(),
            offers: Offers::default(),
            vectors: Vec::new(),
            free: Vec::new(),
            codes: Vec::new(),
            slots: None,
            ring: Ring::new(gpu)?,
            mailbox: Pinned::new(gpu, 2)?,
            scratch: Scratch { partials: Buffer::new(gpu, "partial sums", PARTIALS)?, control, met: 0 },
            last: None,
            by_host: 0,
            host_products: 0,
            viewer: None,
            upcoming: None,
            temporary: None,
            counters: Cell::default(),
            scalar: PhantomData,
        })
    }

    /// The first error that happened; what was computed since is without meaning.
    pub fn failure(&self) -> Option<Error> {
        self.gpu.failure()
    }
    /// SpMVs that the host has computed so far, with maps that have no kernel source.
    pub fn host_products(&self) -> usize {
        self.host_products
    }
    /// The GPU.
    pub fn gpu(&self) -> &Arc<Gpu> {
        &self.gpu
    }
    /// The compiler, with its account of what was compiled.
    pub fn jit(&self) -> &Jit {
        &self.jit
    }
    /// A loaded map.
    pub fn map(&self, A: MapId) -> Option<&Map> {
        self.maps[A.id].as_ref()
    }
    /// The program of the last loop, as it ran.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.last.as_deref()
    }
    pub(crate) fn count(&self, change: impl FnOnce(&mut Counters)) {
        let mut counters = self.counters.get();
        change(&mut counters);
        self.counters.set(counters);
    }

    /// A graph of instructions, so many times over; for timing. It must not outlive this executor.
    pub(crate) fn repeated(&mut self, program: &Program, times: usize) -> Result<Graph> {
        let compiled = self.prepare(program, None)?;
        self.ring.rest();
        Graph::record(&self.gpu, || (0..times).for_each(|_| self.launch_once(&compiled)))
    }

    /// Compiles a program and makes room for its scalars and sums.
    pub(crate) fn prepare(&mut self, program: &Program, watched: Option<Slot>) -> Result<Compiled> {
        self.reserve(inspect::slot_count(&program.instructions))?;
        let compiled = self.compile_program(program, watched)?;
        self.make_room(&compiled)?;
        Ok(compiled)
    }

    /// Compiles a program. What is running is not disturbed.
    pub(crate) fn compile_program(&self, program: &Program, watched: Option<Slot>) -> Result<Compiled> {
        self.gpu.failure().map_or(Ok(()), Err)?;
        let is_persistent = watched.is_some() && self.strategy(program) == Strategy::Persistent;
        let share = is_persistent.then(|| self.share(program));
        if share.is_none() && inspect::nests(&program.instructions) {
            let reason = "the host has to drive it".into();
            return Err(Error::Unsupported { what: "a nested loop in one kernel".into(), reason });
        }
        let by_rows = self.goes_by_rows(program);
        let (program, watched, binding) = canonical(program, watched);
        let bound = Bound { cuda: self, binding: &binding };
        // Blocks that sum something are better large and few, others small and many.
        let sums = inspect::every_instruction(&program.instructions).into_iter().any(|line| line.reduces());
        let usual = Form::usual(S::KIND, sums && by_rows);
        let usual = self.settings.form.unwrap_or(usual);
        let form = share.map_or(usual, |share| usual.with_persistent(S::KIND, share.threads, share.clustered));
        self.count(|counters| counters.hashed += 1);
        let generated = cache::program(&bound, S::KIND, &program, watched, form);
        self.count(|counters| counters.compiled += generated.sources.len());
        Compiled::new(generated, &bound, &self.jit, self.settings.waves.max(1))
    }

    /// Bytes of a vector.
    pub(crate) fn vector_bytes(&self, x: Vector) -> usize {
        x.length * if x.is_single() { size_of::<S::Single>() } else { size_of::<S>() }
    }

    /// Whether all products of a program go by rows or entries.
    pub(crate) fn goes_by_rows(&self, program: &Program) -> bool {
        let by_rows = |A: MapId| matches!(self.loaded(A).protocol, Protocol::Rows | Protocol::Entry);
        inspect::every_instruction(&program.instructions).into_iter().filter_map(Instruction::map).all(by_rows)
    }

    /// A map that is in use.
    pub(crate) fn loaded(&self, A: MapId) -> &Map {
        self.maps[A.id].as_ref().expect("no program runs after a map could not be loaded")
    }

    /// The words of a launch's arguments, with the state of a loop or of instructions outside of them.
    pub(crate) fn words(&self, compiled: &Compiled, state: u64, most: usize) -> Vec<u64> {
        let control = self.scratch.control.address();
        let mut words = vec![
            state,
            self.scratch.partials.address(),
            control,
            control + ARRIVED_AT,
            control + EPOCH_AT,
            most as u64,
        ];
        words.extend(compiled.generated.names.words(&Bound { cuda: self, binding: &compiled.binding }));
        words
    }

    /// Queues one launch of a loop.
    pub(crate) fn launch(&self, compiled: &Compiled, ready: &Ready) {
        ready.kernel.launch(ready.shape, &self.words(compiled, self.ring.state(), 0));
    }
    /// Queues instructions outside of loops.
    pub(crate) fn launch_once(&self, compiled: &Compiled) {
        let words = self.words(compiled, self.ring.once(), 0);
        compiled.launches[0].iter().for_each(|ready| ready.kernel.launch(ready.shape, &words));
    }
}
