//! What a recording engine asks of the executor.

use super::Cuda;
use crate::generate::Place;
use crate::launch::Buffer;
use crate::map::Map;
use galerkit_linalg::engine::record::{Executor, Loop, MapId, Program, Slot, VectorId};
use galerkit_linalg::krylov::{Monitor, Outcome, Run};
use galerkit_linalg::{Linear, Scalar};
use std::sync::Arc;

impl<S: Scalar> Executor<S> for Cuda<S> {
    fn load(&mut self, map: Arc<Linear<S>>) -> MapId {
        let loaded = Map::load(&self.gpu, &map, &self.settings.tuning);
        self.maps.push(self.gpu.note(loaded));
        MapId(self.maps.len() - 1)
    }
    fn load_lower(&mut self, map: Arc<Linear<S::Low>>) -> MapId {
        let loaded = Map::load(&self.gpu, &map, &self.settings.tuning);
        self.maps.push(self.gpu.note(loaded));
        MapId(self.maps.len() - 1)
    }
    fn upload(&mut self, host: &[S]) -> VectorId {
        let made = Buffer::from_slice(&self.gpu, "a vector", host);
        self.push_vector(made, host.len(), false)
    }
    fn upload_like(&mut self, host: &[S], like: VectorId) -> VectorId {
        if !self.is_low(like) {
            return self.upload(host);
        }
        let rounded: Vec<S::Low> = host.iter().map(|x| x.lower()).collect();
        let made = Buffer::from_slice(&self.gpu, "a vector", &rounded);
        self.push_vector(made, host.len(), true)
    }
    fn length_of(&self, x: VectorId) -> usize {
        self.length(x)
    }
    fn zeros_like(&mut self, x: VectorId) -> VectorId {
        if self.is_low(x) {
            return self.lower_like(x);
        }
        let length = self.length(x);
        let made = Buffer::zeroed(&self.gpu, "a vector", length * size_of::<S>());
        self.push_vector(made, length, false)
    }
    fn lower_like(&mut self, x: VectorId) -> VectorId {
        let length = self.length(x);
        let made = Buffer::zeroed(&self.gpu, "a vector", length * size_of::<S::Low>());
        self.push_vector(made, length, true)
    }
    fn confine(&mut self, x: VectorId) {
        if let Some(vector) = &mut self.vectors[x.0] {
            vector.is_confined = true;
        }
    }
    fn download(&mut self, x: VectorId) -> Vec<S> {
        let length = self.length(x);
        let entries = self.try_download(x);
        self.gpu.note(entries).unwrap_or_else(|| vec![S::zero(); length])
    }
    fn number(&mut self, slot: Slot) -> S {
        let number = self.try_number(slot);
        self.gpu.note(number).unwrap_or_default()
    }
    fn run(&mut self, program: &Program, slots: usize) -> Option<Outcome> {
        let outcome = self.try_run(program, slots);
        self.gpu.note(outcome).unwrap_or(Some(Outcome::Interrupted))
    }
    fn iterate(&mut self, body: &Program, slots: usize, repeat: &Loop<'_>) -> Run {
        let run = self.try_iterate(body, slots, repeat);
        let nothing = || Monitor::new(repeat.stop, 0.0).finish(Some(Outcome::Interrupted));
        self.gpu.note(run).unwrap_or_else(nothing)
    }
}
