//! The executor itself: what it holds, and what can be asked of it at any time.

use super::mailbox::Mailbox;
use super::{Settings, Unit};
use crate::error::{Error, Result};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu};
use crate::map::{Interface, Map};
use crate::program::Compiled;
use crate::ring::Ring;
use crate::tune::Offers;
use galerkit_linalg::engine::{AnyExecutor, Counters, Viewer};
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::program::{Instruction, MapId, Slot, Vector, inspect};
use galerkit_linalg::{Scalar, per_scalar};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

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
    pub(super) free: Vec<usize>,
    pub(super) codes: Vec<Option<Arc<Unit>>>,
    pub(super) slots: Option<Buffer>,
    pub(crate) ring: Ring,
    /// Where the host reads scalars, and which of them were told there without being asked for.
    pub(super) mailbox: Mailbox,
    pub(super) told: Vec<Slot>,
    pub(super) scratch: Scratch,
    pub(crate) last: Option<Arc<Compiled>>,
    /// Depth of the loops that the host has taken apart.
    pub(crate) by_host: usize,
    pub(crate) host_products: usize,
    pub(crate) viewer: Option<Viewer<S>>,
    /// What follows the nested loop that is next: it is compiled while that loop runs.
    pub(crate) upcoming: Option<Arc<Unit>>,
    /// The vectors that are temporary in that outer iteration as a whole.
    pub(crate) temporary: Option<Arc<Vec<Vector>>>,
    pub(super) counters: Cell<Counters>,
    scalar: PhantomData<S>,
}

/// Room that kernels share: partial sums, and what they count with.
pub(super) struct Scratch {
    pub(super) partials: Buffer,
    pub(super) control: Buffer,
    /// Blocks that met at the barrier last.
    pub(super) met: usize,
}

/// The control block holds the ticket of graphs and, each on a line of its own, the barrier of persistent kernels
/// (blocks that have arrived) and its epoch.
pub(super) const ARRIVED_AT: u64 = 128;
pub(super) const EPOCH_AT: u64 = 256;
const CONTROL_BYTES: usize = 384;

/// Bytes for partial sums to begin with: enough for most programs, because more room takes longer to get than some of
/// them to run.
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
            mailbox: Mailbox::new(gpu)?,
            told: Vec::new(),
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

    /// Bytes of a vector.
    pub(crate) fn vector_bytes(&self, x: Vector) -> usize {
        x.length * if x.is_single() { size_of::<S::Single>() } else { size_of::<S>() }
    }

    /// Whether all products of instructions go by rows or entries.
    pub(crate) fn goes_by_rows(&self, instructions: &[Instruction]) -> bool {
        let by_rows = |A: MapId| matches!(self.loaded(A).interface, Interface::Rows | Interface::Entry);
        inspect::every_instruction(instructions).into_iter().filter_map(Instruction::map).all(by_rows)
    }

    /// A map that is in use.
    pub(crate) fn loaded(&self, A: MapId) -> &Map {
        self.maps[A.id].as_ref().expect("no program runs after a map could not be loaded")
    }
}
