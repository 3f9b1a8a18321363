//! What an executor keeps in device memory: vectors, maps, scalars, partial sums. Names are used again when they are
//! free.

use super::cuda::{Cuda, Scratch};
use crate::error::Result;
use crate::launch::Buffer;
use crate::map::Map;
use crate::program::Compiled;
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{MapId, Precision, Scope, Slot, Vector};

impl<S: Scalar> Cuda<S> {
    /// Takes a map that is on the GPU already; its values, if it has any, become a vector.
    pub fn adopt(&mut self, map: Map) -> MapId {
        self.adopt_in(map, Precision::Full)
    }

    pub(crate) fn adopt_in(&mut self, mut map: Map, precision: Precision) -> MapId {
        let size = if precision == Precision::Single { size_of::<S::Single>() } else { size_of::<S>() };
        let values = map.values.take();
        let length = values.as_ref().map_or(0, |buffer| buffer.bytes() / size);
        let values = self.push_vector(values, length, precision, Scope::Shared);
        self.count(|counters| counters.maps += 1);
        let id = self.maps.iter().position(Option::is_none).unwrap_or_else(|| {
            self.maps.push(None);
            self.host_maps.push(None);
            self.maps.len() - 1
        });
        self.maps[id] = Some(map);
        MapId { id, values }
    }

    /// Where a vector is; none where it could not be made.
    pub fn buffer(&self, x: Vector) -> Option<&Buffer> {
        self.vectors[x.id].as_ref()
    }

    /// Keeps a vector, under a name that is free; none where it could not be made.
    pub(crate) fn push_vector(
        &mut self,
        buffer: Option<Buffer>,
        length: usize,
        precision: Precision,
        scope: Scope,
    ) -> Vector {
        self.count(|counters| {
            (counters.vectors, counters.allocations) = (counters.vectors + 1, counters.allocations + 1)
        });
        let id = self.free.pop().unwrap_or_else(|| {
            self.vectors.push(None);
            self.vectors.len() - 1
        });
        self.vectors[id] = buffer;
        Vector { id, length, precision, scope }
    }

    /// Frees a vector.
    pub(crate) fn drop_vector(&mut self, x: Vector) {
        self.count(|counters| counters.vectors -= 1);
        self.vectors[x.id] = None;
        self.free.push(x.id);
    }

    /// The address of a slot.
    pub(crate) fn slot_address(&self, s: Slot) -> u64 {
        self.slots.as_ref().map_or(0, |buffer| buffer.address() + (s.0 * size_of::<S>()) as u64)
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

    /// Room for so many slots; values stay.
    pub(crate) fn reserve(&mut self, slots: usize) -> Result<()> {
        let needed = slots * size_of::<S>();
        if self.slots.as_ref().is_some_and(|buffer| buffer.bytes() >= needed) {
            return Ok(());
        }
        self.count(|counters| counters.allocations += 1);
        let mut larger = Buffer::zeroed(&self.gpu, "scalar slots", (2 * needed).max(1 << 12))?;
        if let Some(old) = &self.slots {
            larger.copy_from(old, old.bytes());
        }
        self.slots = Some(larger);
        self.moved();
        Ok(())
    }

    /// Makes room for the sums of a program.
    pub(crate) fn make_room(&mut self, compiled: &Compiled) -> Result<()> {
        let needed = 2 * compiled.generated.dots.max(1) * compiled.blocks * size_of::<S>();
        if self.scratch.partials.bytes() < needed {
            self.count(|counters| counters.allocations += 1);
            let control = std::mem::replace(&mut self.scratch.control, Buffer::zeroed(&self.gpu, "the barrier", 1)?);
            let partials = Buffer::new(&self.gpu, "partial sums", needed)?;
            self.scratch = Scratch { partials, control, met: 0 };
            self.moved();
        }
        Ok(())
    }

    /// The barrier of persistent kernels counts arrivals in units of the blocks of a launch, of which another may have
    /// had others.
    pub(crate) fn reset_barrier(&mut self, compiled: &Compiled) {
        let blocks = compiled.persistent.as_ref().map_or(0, |ready| ready.shape.blocks);
        if self.scratch.met != blocks {
            self.scratch.control.clear();
            self.scratch.met = blocks;
        }
    }

    /// Something that graphs have the address of has moved: those that were recorded are worthless.
    fn moved(&self) {
        self.codes.iter().flatten().for_each(|unit| unit.forget_graphs());
    }

    pub(crate) fn try_number(&self, slot: Slot) -> Result<S> {
        let Some(slots) = &self.slots else { return Ok(S::default()) };
        if let Some(number) = self.told_number(slot)? {
            return Ok(number);
        }
        slots.download_pinned(slot.0 * size_of::<S>(), size_of::<S>(), &self.mailbox.words)?;
        Ok(self.mailbox.number(0))
    }

    pub(crate) fn try_download(&self, x: Vector) -> Result<Vec<S>> {
        match (&self.vectors[x.id], x.precision) {
            (Some(buffer), Precision::Single) => buffer.download_as(x.length, S::widen),
            (Some(buffer), Precision::Full) => buffer.download(x.length),
            (None, _) => self.gpu.synchronize().map(|()| vec![S::zero(); x.length]),
        }
    }

    pub(crate) fn try_write(&mut self, x: Vector, host: &[S]) -> Result<()> {
        let Some(buffer) = &mut self.vectors[x.id] else { return Ok(()) };
        match x.precision {
            Precision::Full => buffer.upload(host),
            Precision::Single => buffer.upload_parts(host.len(), &rounded(host)),
        }
    }
}

/// Writes the entries from a place on, rounded to single precision.
pub(super) fn rounded<S: Scalar>(host: &[S]) -> impl Fn(usize, &mut [S::Single]) + Sync {
    |first, to| to.iter_mut().zip(&host[first..]).for_each(|(to, from)| *to = from.to_single())
}
