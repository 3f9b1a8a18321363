//! What a recording engine asks of the executor.

use super::memory::rounded;
use super::{Cuda, Unit};
use crate::launch::Buffer;
use crate::map::{Interface, Map};
use galerkit_linalg::Scalar;
use galerkit_linalg::engine::{Code, Counters, Executor, Loop, Viewer};
use galerkit_linalg::map::{InSingle, LinearMap};
use galerkit_linalg::program::{MapId, Monitor, Outcome, Precision, Program, Run, Scope, Slot, Vector};
use std::any::Any;
use std::sync::Arc;

impl<S: Scalar> Cuda<S> {
    /// A map that could not be loaded has a name all the same: the GPU has noted the error, and nothing runs any more.
    fn load_in(&mut self, loaded: crate::Result<Map>, precision: Precision) -> MapId {
        match self.gpu.note(loaded) {
            Some(map) => self.adopt_in(map, precision),
            None => {
                let values = self.push_vector(None, 0, precision, Scope::Shared);
                self.count(|counters| counters.maps += 1);
                self.maps.push(None);
                self.host_maps.push(None);
                MapId { id: self.maps.len() - 1, values }
            }
        }
    }
}

impl<S: Scalar> Cuda<S> {
    /// A name for a program, which is compiled when it first runs.
    fn keep(&mut self, unit: Arc<Unit>) -> Code {
        self.count(|counters| (counters.programs, counters.codes) = (counters.programs + 1, counters.codes + 1));
        match self.codes.iter().position(Option::is_none) {
            Some(place) => {
                self.codes[place] = Some(unit);
                Code(place)
            }
            None => {
                self.codes.push(Some(unit));
                Code(self.codes.len() - 1)
            }
        }
    }
}

impl<S: Scalar> Executor<S> for Cuda<S> {
    fn load(&mut self, map: Box<dyn LinearMap<S>>) -> MapId {
        self.count(|counters| counters.allocations += 1);
        let A = match map.known::<InSingle<S>>() {
            Some(single) => {
                let loaded = Map::load(&self.gpu, &*single.0, &self.settings.tuning);
                self.load_in(loaded, Precision::Single)
            }
            None => {
                let loaded = Map::load(&self.gpu, &*map, &self.settings.tuning);
                self.load_in(loaded, Precision::Full)
            }
        };
        if self.maps[A.id].as_ref().is_some_and(|loaded| loaded.interface == Interface::Host) {
            self.host_maps[A.id] = Some(map);
        }
        A
    }
    fn unload(&mut self, A: MapId) {
        self.count(|counters| counters.maps -= 1);
        (self.maps[A.id], self.host_maps[A.id]) = (None, None);
    }
    fn zeros(&mut self, length: usize, precision: Precision, scope: Scope) -> Vector {
        let x = Vector { scope, ..Vector::new(0, length, precision) };
        let made = Buffer::zeroed(&self.gpu, "a vector", self.vector_bytes(x));
        let buffer = self.gpu.note(made);
        self.push_vector(buffer, length, precision, scope)
    }
    fn upload(&mut self, host: &[S], precision: Precision) -> Vector {
        let made = match precision {
            Precision::Full => Buffer::from_slice(&self.gpu, "a vector", host),
            Precision::Single => Buffer::from_parts(&self.gpu, "a vector", host.len(), &rounded(host)),
        };
        let buffer = self.gpu.note(made);
        self.push_vector(buffer, host.len(), precision, Scope::Shared)
    }
    fn free(&mut self, x: Vector) {
        self.drop_vector(x);
    }
    fn write(&mut self, x: Vector, host: &[S]) {
        let written = self.try_write(x, host);
        self.gpu.note(written);
    }
    fn download(&mut self, x: Vector) -> Vec<S> {
        let entries = self.try_download(x);
        self.gpu.note(entries).unwrap_or_else(|| vec![S::zero(); x.length])
    }
    fn number(&mut self, slot: Slot) -> S {
        let number = self.try_number(slot);
        self.gpu.note(number).unwrap_or_default()
    }
    fn compile(&mut self, program: &Program, watched: Option<Slot>) -> Code {
        self.keep(Unit::new(program.instructions.clone(), watched))
    }
    fn compile_framed(&mut self, body: &Program, watched: Slot, frame: [&Program; 2]) -> Code {
        let frame = frame.map(|program| program.instructions.clone());
        self.keep(Unit::framed(body.instructions.clone(), Some(watched), Some(frame)))
    }
    fn discard(&mut self, code: Code) {
        self.count(|counters| counters.codes -= 1);
        self.codes[code.0] = None;
    }
    fn run(&mut self, code: Code) -> Option<Outcome> {
        let unit = self.unit(code);
        let outcome = self.try_run(&unit);
        self.gpu.note(outcome).unwrap_or(Some(Outcome::Interrupted))
    }
    fn iterate(&mut self, code: Code, repeat: &Loop<'_>) -> Run {
        let unit = self.unit(code);
        let run = self.try_iterate(&unit, repeat);
        let nothing = || Monitor::new(repeat.stop, 0.0).finish(Some(Outcome::Interrupted));
        self.gpu.note(run).unwrap_or_else(nothing)
    }
    fn has_residual(&self, A: MapId) -> bool {
        // Kernels that take several passes write y as they like: nothing can be subtracted meanwhile.
        !self.maps[A.id].as_ref().is_some_and(|loaded| matches!(loaded.interface, Interface::Passes(_)))
    }
    fn set_viewer(&mut self, viewer: Option<Viewer<S>>) {
        self.viewer = viewer;
    }
    fn counters(&self) -> Counters {
        self.counters.get()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
