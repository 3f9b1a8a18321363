//! Runs recorded programs on a GPU: lines outside of loops as single launches, loops as replayed graphs (replay.rs) or
//! as one resident kernel (resident.rs).

mod verbs;

use crate::by_host::Kept;
use crate::error::{Error, Result};
use crate::generate::{Arguments, Form, Place, kept};
use crate::jit::Jit;
use crate::launch::{Buffer, Gpu, Graph};
use crate::map::{Map, Protocol, Tuning};
use crate::plan::is_plain;
use crate::program::{Compiled, Ready};
use crate::resident::Share;
use crate::ring::{Ring, Told};
use crate::tune::measure::Offers;
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::record::{Line, Loop, MapId, Program, Slot, VectorId, inspect};
use galerkit_linalg::krylov::{Monitor, Outcome, Run};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

/// How loops are run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// One resident kernel for the whole loop; none: if everything fits the second-level cache.
    pub resident: Option<bool>,
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
        Self { resident: None, chunk: 10, ahead: 3, form: None, waves: 1, tuning: Tuning::default(), tune: true }
    }
}

pub(crate) struct Vector {
    buffer: Buffer,
    length: usize,
    is_low: bool,
    /// Nobody reads it outside of the loop that it was made for.
    is_confined: bool,
}

/// The executor.
pub struct Cuda<S: Scalar> {
    pub(crate) gpu: Arc<Gpu>,
    pub(crate) jit: Jit,
    pub(crate) settings: Settings,
    pub(crate) maps: Vec<Option<Map>>,
    pub(crate) offers: Offers,
    pub(crate) vectors: Vec<Option<Vector>>,
    slots: Option<Buffer>,
    pub(crate) ring: Ring,
    scratch: Scratch,
    pub(crate) last: Option<Rc<Compiled>>,
    /// Programs that the parts of an outer iteration were compiled to, while the host runs it.
    pub(crate) kept: Option<Vec<Kept>>,
    /// What follows the loop inside that is next: it is compiled while that loop runs.
    pub(crate) upcoming: Option<Program>,
    /// The vectors that are momentary in that outer iteration as a whole.
    pub(crate) momentary: Option<Arc<Vec<VectorId>>>,
    scalar: PhantomData<S>,
}

/// Room that kernels share: partial sums, and what they count with.
struct Scratch {
    partials: Buffer,
    control: Buffer,
}

/// The control block holds the ticket of graphs and, each on a line of its own, the barrier of resident kernels (blocks
/// that have arrived) and its epoch.
const ARRIVED_AT: u64 = 128;
const EPOCH_AT: u64 = 256;
const CONTROL_BYTES: usize = 384;

/// Bytes for partial sums to begin with: enough for most programs, because more room takes longer to get than some of them to run.
const PARTIALS: usize = 1 << 20;

impl<S: Scalar> Cuda<S> {
    /// An executor on a GPU.
    pub fn new(gpu: &Arc<Gpu>, settings: Settings) -> Result<Self> {
        let control = Buffer::zeroed(gpu, "the barrier", CONTROL_BYTES)?;
        Ok(Self {
            gpu: gpu.clone(),
            jit: Jit::new(gpu),
            settings,
            maps: Vec::new(),
            offers: Offers::default(),
            vectors: Vec::new(),
            slots: None,
            ring: Ring::new(gpu)?,
            scratch: Scratch { partials: Buffer::new(gpu, "partial sums", PARTIALS)?, control },
            last: None,
            kept: None,
            upcoming: None,
            momentary: None,
            scalar: PhantomData,
        })
    }

    /// The first error that happened; what was computed since is without meaning.
    pub fn failure(&self) -> Option<Error> {
        self.gpu.failure()
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
        self.maps[A.0].as_ref()
    }
    /// The program of the last loop, as it ran.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.last.as_deref()
    }

    /// Takes a map that is on the GPU already.
    pub fn adopt(&mut self, map: Map) -> MapId {
        self.maps.push(Some(map));
        MapId(self.maps.len() - 1)
    }
    /// A graph of lines, so many times over; for timing. It must not outlive this executor.
    pub(crate) fn repeated(&mut self, program: &Program, slots: usize, times: usize) -> Result<Graph> {
        let compiled = self.prepare(program, slots, None)?;
        self.ring.begin(None, f64::INFINITY)?;
        Graph::record(&self.gpu, || {
            for _ in 0..times {
                compiled.launches[0].iter().for_each(|ready| self.launch(&compiled, ready));
            }
        })
    }

    /// Drops all vectors; their names become invalid.
    pub(crate) fn forget_vectors(&mut self) {
        self.vectors.clear();
    }

    /// Sets some slots; those that stand side by side at once.
    pub(crate) fn set_numbers(&mut self, values: &[(Slot, f64)]) -> Result<()> {
        let Some(slots) = &mut self.slots else { return Ok(()) };
        for side_by_side in values.chunk_by(|one, next| one.0.0 + 1 == next.0.0) {
            let numbers: Vec<S> = side_by_side.iter().map(|&(_, value)| S::from_f64(value)).collect();
            slots.upload_at(side_by_side[0].0.0, &numbers)?;
        }
        Ok(())
    }

    /// Sets the first slots.
    pub(crate) fn set_slots(&mut self, values: &[S]) -> Result<()> {
        self.reserve(values.len())?;
        self.slots.as_mut().map_or(Ok(()), |slots| slots.upload(values))
    }

    pub(crate) fn push_vector(&mut self, made: Result<Buffer>, length: usize, is_low: bool) -> VectorId {
        let buffer = self.gpu.note(made);
        self.vectors.push(buffer.map(|buffer| Vector { buffer, length, is_low, is_confined: false }));
        VectorId(self.vectors.len() - 1)
    }

    /// Room for so many slots; values stay.
    fn reserve(&mut self, slots: usize) -> Result<()> {
        let needed = slots * size_of::<S>();
        if self.slots.as_ref().is_some_and(|buffer| buffer.bytes() >= needed) {
            return Ok(());
        }
        let mut larger = Buffer::zeroed(&self.gpu, "scalar slots", (2 * needed).max(1 << 12))?;
        if let Some(old) = &self.slots {
            larger.copy_from(old, old.bytes());
        }
        self.slots = Some(larger);
        Ok(())
    }

    /// Compiles a program and makes room for its numbers and sums.
    pub(crate) fn prepare(&mut self, program: &Program, slots: usize, watched: Option<Slot>) -> Result<Compiled> {
        self.reserve(slots)?;
        let compiled = self.compile(program, watched)?;
        self.make_room(&compiled)?;
        Ok(compiled)
    }

    /// Compiles a program. What is running is not disturbed.
    pub(crate) fn compile(&self, program: &Program, watched: Option<Slot>) -> Result<Compiled> {
        self.gpu.failure().map_or(Ok(()), Err)?;
        let resident = if watched.is_some() { self.resident_share(program) } else { None };
        self.check_nested(program, resident)?;
        // Blocks that sum something are better large and few, others small and many.
        let sums = inspect::every_line(&program.lines).into_iter().any(|line| line.reduces());
        let usual = Form::usual(S::KIND, sums && self.goes_by_rows(program));
        let usual = self.settings.form.unwrap_or(usual);
        let form = resident.map_or(usual, |share| usual.residing(S::KIND, share.threads, share.clustered));
        let generated = kept::program(self, S::KIND, program, watched, form);
        Compiled::new(generated, self, &self.jit, self.settings.waves.max(1))
    }

    /// Makes room for the sums of a program.
    pub(crate) fn make_room(&mut self, compiled: &Compiled) -> Result<()> {
        let needed = 2 * compiled.generated.dots.max(1) * compiled.blocks * size_of::<S>();
        if self.scratch.partials.bytes() < needed {
            self.scratch.partials = Buffer::new(&self.gpu, "partial sums", needed)?;
        }
        Ok(())
    }

    /// Loops inside of iterations run in the resident kernel or not at all.
    fn check_nested(&self, program: &Program, resident: Option<Share>) -> Result<()> {
        let splits = |A: MapId| self.loaded(A).protocol == Protocol::Split;
        let split = inspect::every_line(&program.lines).into_iter().filter_map(Line::map).any(splits);
        if !inspect::nests(&program.lines) || (resident.is_some() && !split) {
            return Ok(());
        }
        let reason =
            "its matrix is stored in a format whose rows are summed in parts, or not square: choose sell:32:1 or csr";
        Err(Error::Unsupported { what: "a solve inside of an iteration".into(), reason: reason.into() })
    }

    /// Bytes of a vector.
    pub(crate) fn vector_bytes(&self, x: VectorId) -> usize {
        self.length(x) * if self.is_low(x) { size_of::<S::Low>() } else { size_of::<S>() }
    }

    /// Whether all products of a program go by rows or entries.
    pub(crate) fn goes_by_rows(&self, program: &Program) -> bool {
        let by_rows = |A: MapId| matches!(self.loaded(A).protocol, Protocol::Rows | Protocol::Entry);
        inspect::every_line(&program.lines).into_iter().filter_map(Line::map).all(by_rows)
    }

    /// The words of a launch's arguments.
    pub(crate) fn words(&self, compiled: &Compiled, rows: usize, most: usize) -> Vec<u64> {
        let control = self.scratch.control.address();
        let mut words = vec![
            self.ring.state(),
            self.scratch.partials.address(),
            control,
            control + ARRIVED_AT,
            control + EPOCH_AT,
            most as u64,
            rows as u64,
        ];
        words.extend(compiled.generated.names.words(self));
        words
    }

    /// Queues one launch.
    pub(crate) fn launch(&self, compiled: &Compiled, ready: &Ready) {
        ready.kernel.launch(ready.shape, &self.words(compiled, ready.rows, 0));
    }

    /// Lines outside of loops. The host looks where a loop is under a condition, and at the end of a loop.
    pub(crate) fn try_run(&mut self, program: &Program, slots: usize) -> Result<Option<Outcome>> {
        let mut parts = program.lines.chunk_by(|one, other| is_plain(one) && is_plain(other)).peekable();
        while let Some(part) = parts.next() {
            let outcome = match &part[0] {
                Line::Unless { test, body } if inspect::nests(body) => {
                    let number = self.try_number(test.number())?;
                    let body = Program { lines: body.clone() };
                    if test.with(number).holds() { None } else { self.try_run(&body, slots)? }
                }
                Line::Repeat { until, body } => {
                    let next = parts.peek().filter(|next| is_plain(&next[0]));
                    self.upcoming = next.map(|next| Program { lines: next.to_vec() });
                    self.run_inside(until, body, slots)?;
                    None
                }
                _ => self.run_part(&Program { lines: part.to_vec() }, slots)?,
            };
            if outcome.is_some() {
                return Ok(outcome);
            }
        }
        Ok(None)
    }

    fn run_part(&mut self, program: &Program, slots: usize) -> Result<Option<Outcome>> {
        let compiled = self.prepared(program, slots, None)?;
        self.ring.begin(None, f64::INFINITY)?;
        compiled.launches[0].iter().for_each(|ready| self.launch(&compiled, ready));
        if !inspect::every_line(&program.lines).iter().any(|line| matches!(line, Line::Require { .. })) {
            return Ok(None);
        }
        self.launch(&compiled, &compiled.publish);
        self.gpu.synchronize()?;
        Ok(self.ring.take(0).and_then(|told| if let Told::Failed(outcome) = told { Some(outcome) } else { None }))
    }

    pub(crate) fn try_iterate(&mut self, body: &Program, slots: usize, repeat: &Loop<'_>) -> Result<Run> {
        self.reserve(slots)?;
        let start = self.try_number(repeat.start)?.parts().0;
        let mut monitor = Monitor::new(repeat.stop, start);
        if let Some(verdict) = repeat.before.or_else(|| monitor.verdict()) {
            return Ok(monitor.finish(Some(verdict)));
        }
        self.settle(body, slots)?;
        if self.is_for_host(body) {
            let verdict = self.iterate_by_host(body, slots, repeat.watched, &mut monitor)?;
            return Ok(monitor.finish(Some(verdict)));
        }
        let compiled = self.prepared(body, slots, Some(repeat.watched))?;
        self.ring.begin(Some(repeat.stop), start)?;
        let verdict = if compiled.resident.is_some() {
            // The barrier counts arrivals in units of the blocks of a launch, which another program may have had fewer of.
            self.scratch.control.upload(&[0u8; CONTROL_BYTES])?;
            self.run_resident(&compiled, repeat.stop.limit, &mut monitor)?
        } else {
            let launched = self.launch_first(&compiled, repeat.stop.limit)?;
            self.compile_upcoming()?;
            self.replay(&compiled, launched, repeat.stop.limit, &mut monitor)?
        };
        self.last = Some(compiled);
        Ok(monitor.finish(Some(verdict)))
    }

    pub(crate) fn try_number(&self, slot: Slot) -> Result<S> {
        let found = self.slots.as_ref().map_or(Ok(Vec::new()), |buffer| buffer.download_at::<S>(slot.0, 1))?;
        Ok(found.first().copied().unwrap_or_default())
    }

    fn try_download(&self, x: VectorId) -> Result<Vec<S>> {
        match &self.vectors[x.0] {
            Some(vector) if vector.is_low => {
                let low = vector.buffer.download::<S::Low>(vector.length)?;
                Ok(low.into_iter().map(S::raise).collect())
            }
            Some(vector) => vector.buffer.download(vector.length),
            None => self.gpu.synchronize().map(|()| Vec::new()),
        }
    }
}

impl<S: Scalar> Arguments for Cuda<S> {
    fn vector(&self, x: VectorId) -> u64 {
        self.vectors[x.0].as_ref().map_or(0, |vector| vector.buffer.address())
    }
    fn slot(&self, s: Slot) -> u64 {
        self.slots.as_ref().map_or(0, |buffer| buffer.address() + (s.0 * size_of::<S>()) as u64)
    }
    fn map(&self, A: MapId) -> &[u64] {
        &self.loaded(A).words
    }
}

impl<S: Scalar> Place for Cuda<S> {
    fn loaded(&self, A: MapId) -> &Map {
        self.maps[A.0].as_ref().expect("no program runs after a map could not be loaded")
    }
    fn length(&self, x: VectorId) -> usize {
        self.vectors[x.0].as_ref().map_or(0, |vector| vector.length)
    }
    fn is_low(&self, x: VectorId) -> bool {
        self.vectors[x.0].as_ref().is_some_and(|vector| vector.is_low)
    }
    fn is_confined(&self, x: VectorId) -> bool {
        let known = self.momentary.as_ref().is_none_or(|known| known.contains(&x));
        known && self.vectors[x.0].as_ref().is_some_and(|vector| vector.is_confined)
    }
}
