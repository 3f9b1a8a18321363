//! A program made ready to run: its text compiled, with the shape of every launch.

mod pace;
mod room;

use crate::error::Result;
use crate::generate::{Call, Generated, Place, classes};
use crate::launch::{Buffer, Graph, Kernel, Module, Shape};
use crate::map::{Interface, MAX_BLOCKS, Map};
use crate::plan::Stage;
use galerkit_linalg::map::Grid;
use galerkit_linalg::program::{Binding, variants};
pub(crate) use pace::Pace;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// One launch.
pub struct Ready {
    /// What.
    pub kernel: Kernel,
    /// How many threads.
    pub shape: Shape,
    /// Rows that its pass goes through.
    pub rows: usize,
    /// Which stage of its plan it belongs to.
    pub stage: usize,
    /// The words that its launches bring along, behind all others.
    pub own: Vec<u64>,
}

impl Ready {
    /// The words of a launch, with its own in their place.
    pub(crate) fn with_own(&self, mut words: Vec<u64>) -> Vec<u64> {
        let begin = words.len() - self.own.len();
        words[begin..].copy_from_slice(&self.own);
        words
    }
}

/// A program, compiled.
pub struct Compiled {
    /// Its text, with the names under which its kernels know what they work on.
    pub generated: Arc<Generated>,
    /// What those names stand for.
    pub binding: Binding,
    /// The launches of each way an iteration can go, in order.
    pub launches: Vec<Vec<Ready>>,
    /// The whole loop as one kernel, if it is to be.
    pub persistent: Option<Ready>,
    /// Tells the host the norms, or of a failed test.
    pub publish: Ready,
    /// How long its iterations took when they were last timed.
    pub(crate) pace: Pace,
    /// Most blocks that a launch has.
    pub blocks: usize,
    /// The lists that launches bring along.
    _tables: Option<Buffer>,
    /// Graphs of some iterations, by their plans; for the addresses that were theirs when they were recorded.
    pub(crate) graphs: Mutex<HashMap<Vec<usize>, Graph>>,
}

impl Compiled {
    /// Decides on the launches of a text whose sources were compiled to these modules; `binding` is what its names
    /// stand for.
    pub(crate) fn new(
        generated: Arc<Generated>,
        place: &dyn Place,
        binding: Binding,
        modules: &[Arc<Module>],
        (waves, share): (usize, Option<Share>),
    ) -> Result<Self> {
        let module = &modules[0];
        let cut = [generated.threads, waves];
        let tables = tables(&generated, module)?;
        let mut begin = tables.as_ref().map_or(0, Buffer::address);
        let mut own = |call: &Call| {
            let words = own_words(call, generated.names.own_words(), begin);
            begin += size_of_val(&call.own.tables[..]) as u64;
            words
        };
        let launches = generated.plans.iter().map(|plan| {
            let ready = |call: &Call| {
                let ready = ready(&modules[call.source], call, &plan.stages[call.stage], place, cut)?;
                Ok(Ready { own: own(call), ..ready })
            };
            plan.calls.iter().map(ready).collect()
        });
        let launches = launches.collect::<Result<Vec<Vec<Ready>>>>()?;
        let passes = generated.plans.iter().flat_map(|plan| &plan.stages).filter_map(|stage| stage.pass.first());
        let rows = passes.map(|line| line.rows_of().length).max().unwrap_or(0);
        let lanes = generated.names.maps().iter().map(|&A| place.loaded(A).lanes).max().unwrap_or(1);
        let own = generated.persistent.zip(share);
        let held: Vec<&Map> =
            generated.names.held_maps().filter(|held| !held.3).map(|held| place.loaded(held.0)).collect();
        let own = own.map(|(most, share)| {
            persistent(module, (rows, rows * lanes), share.at_most(most), (generated.shared, &held))
        });
        let persistent = own.transpose()?;
        let blocks = launches.iter().flatten().chain(&persistent).map(|ready| ready.shape.blocks).max().unwrap_or(1);
        let kernel = module.kernel("publish_norms")?;
        let publish = Ready { kernel, shape: Shape::new(1, 32), rows: 0, stage: 0, own: Vec::new() };
        let graphs = Mutex::default();
        let pace = Pace::default();
        Ok(Self { generated, binding, launches, persistent, publish, pace, blocks, _tables: tables, graphs })
    }

    /// Forgets graphs: something that they have the address of has moved.
    pub(crate) fn forget_graphs(&self) {
        self.graphs.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The plan of an iteration, counted from 0.
    pub fn plan_of(&self, iteration: usize) -> usize {
        variants::variant(&self.generated.periodic, iteration)
    }
}

/// The lists that launches bring along, in the order of the calls.
fn tables(generated: &Generated, module: &Arc<Module>) -> Result<Option<Buffer>> {
    let calls = generated.plans.iter().flat_map(|plan| &plan.calls);
    let all: Vec<u32> = calls.flat_map(|call| &call.own.tables).copied().collect();
    let upload = || Buffer::from_slice(module.kernel("publish_norms")?.gpu(), "lists of kernels", &all);
    (!all.is_empty()).then(upload).transpose()
}

/// The words that the launches of a call bring along: so many, literals first, then where its lists begin.
fn own_words(call: &Call, count: usize, tables: u64) -> Vec<u64> {
    let mut words = call.own.literals.clone();
    if count > 0 {
        words.resize(count - 1, 0);
        words.push(tables);
    }
    words
}

/// How many times the blocks that fit at once a launch may have when its blocks do not report: on an H200 a product of
/// a 200^3 grid then reads 4230 instead of 4145 GB/s. Blocks that report cost a fence each, and are better few.
const FREE_WAVES: usize = 64;

/// Enough threads for the rows, but no more blocks than fit the GPU `waves` times: the loops stride, and sums over
/// blocks stay short.
fn ready(module: &Arc<Module>, call: &Call, stage: &Stage, place: &dyn Place, cut: [usize; 2]) -> Result<Ready> {
    let [threads, waves] = cut;
    let kernel = module.kernel(&call.name)?;
    let rows = stage.pass.first().map_or(0, |line| line.rows_of().length);
    let lanes = call.head.map_or(1, |(A, interface)| lanes(place.loaded(A), interface));
    let fits = kernel.resident_blocks(threads, 0)?.max(1);
    let most = match call.head {
        Some((_, Interface::Split)) => (fits * waves).min(MAX_BLOCKS),
        Some((_, Interface::Passes(_) | Interface::Elements { .. })) => fits,
        // Nobody waits for these blocks, and handing out many small ones lets faster multiprocessors take more.
        Some((A, _)) if place.loaded(A).grid == Grid::Fitting => fits,
        _ if !call.arrives => fits * waves.max(FREE_WAVES),
        _ => fits * waves,
    };
    let overlapped = kernel.gpu().properties().capability >= (9, 0);
    let shape = Shape { overlapped, ..Shape::new((rows * lanes).div_ceil(threads).clamp(1, most), threads) };
    Ok(Ready { kernel, shape, rows, stage: call.stage, own: Vec::new() })
}

/// Threads a row: where a product goes by elements those are for the elements, and its sums are short.
fn lanes(map: &Map, interface: Interface) -> usize {
    if map.interface == interface { map.lanes } else { 1 }
}

/// Blocks that every GPU that has clusters can hold in one.
pub const CLUSTER: usize = 8;

/// What a persistent kernel asks of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// Threads that there is work for.
    pub(crate) threads: usize,
    /// Its blocks are one cluster.
    pub(crate) clustered: bool,
}

impl Share {
    /// The size of a block, of at most so many threads.
    fn at_most(self, most: usize) -> Self {
        Self { threads: classes::threads_for(self.threads).min(most), ..self }
    }
}

/// One block for each multiprocessor that has some of the work, which is for so many threads; no more than a cluster
/// has, if they are to be one. Each brings so many bytes of shared memory, and room for its part of these maps.
fn persistent(
    module: &Arc<Module>,
    (rows, work): (usize, usize),
    share: Share,
    (scalars, held): (usize, &[&Map]),
) -> Result<Ready> {
    let Share { threads, clustered } = share;
    let kernel = module.kernel("persistent")?;
    let properties = kernel.gpu().properties();
    let most = if clustered { CLUSTER } else { properties.sm_count };
    let wanted = most.min(work.div_ceil(threads).max(1));
    let held = if threads <= classes::HOLDING_THREADS { held } else { &[] };
    let parts = held.iter().map(|map| room::of(map, wanted, threads)).sum::<usize>();
    let shared = scalars + parts.min(properties.shared.saturating_sub(scalars + room::OWN));
    if shared > 0 {
        kernel.allow_shared(shared)?;
    }
    // Fewer blocks meet sooner: none without rows of its own.
    let blocks = kernel.resident_blocks(threads, shared)?.min(wanted);
    let shape = Shape { cooperative: !clustered, clustered, shared, ..Shape::new(blocks, threads) };
    Ok(Ready { kernel, shape, rows, stage: 0, own: Vec::new() })
}
