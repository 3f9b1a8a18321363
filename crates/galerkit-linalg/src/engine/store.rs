//! Maps, vectors and scalars of one precision on a backend, and the vector instructions on them.

use crate::backend::{Backend, Placed};
use crate::error::Error;
use crate::map::{LinearMap, guarded};
use crate::program::{Group, Instruction, MapId, Slot, Vector};
use crate::scalar::Scalar;

/// What instructions of one precision work on.
pub(super) struct Store<S: Scalar, B: Backend<S>> {
    pub(super) backend: B,
    /// By name; those that were unloaded are gone.
    pub(super) maps: Vec<Option<B::Map>>,
    /// By name; vectors of the other precision are empty here.
    pub(super) vectors: Vec<Vec<S>>,
    pub(super) slots: Vec<S>,
    /// What maps are called, by name.
    names: Vec<&'static str>,
    /// Bytes that a product with each moves beside its vectors.
    pub(super) traffic: Vec<usize>,
    /// The first product that has failed.
    pub(super) failure: Option<Error>,
}

impl<S: Scalar, B: Backend<S>> Store<S, B> {
    pub(super) fn new(backend: B) -> Self {
        let (maps, vectors, slots) = (Vec::new(), Vec::new(), Vec::new());
        Self { backend, maps, vectors, slots, names: Vec::new(), traffic: Vec::new(), failure: None }
    }

    /// Keeps a map; its name, and its values.
    pub(super) fn load(&mut self, map: Box<dyn LinearMap<S>>) -> (usize, Vec<S>) {
        let (name, traffic) = (map.name(), map.traffic());
        let Placed { map, values } = self.backend.load(map);
        let id = self.maps.iter().position(Option::is_none).unwrap_or_else(|| {
            self.maps.push(None);
            self.names.push("");
            self.traffic.push(0);
            self.maps.len() - 1
        });
        (self.maps[id], self.names[id], self.traffic[id]) = (Some(map), name, traffic);
        (id, values)
    }

    /// A loaded map.
    pub(super) fn map(&self, A: MapId) -> &B::Map {
        self.maps[A.id].as_ref().expect("whoever names a map keeps it")
    }

    /// Instructions in one pass; some may read vectors in single precision, where this is not that.
    pub(super) fn run_group(&mut self, group: &Group, single: &[Vec<S::Single>]) {
        self.backend.run_group(group, &self.maps, &mut self.vectors, single, &mut self.slots);
    }

    /// One vector instruction.
    pub(super) fn run_instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Dot { x, y, out } => {
                self.slots[out.0] = self.backend.dot(&self.vectors[x.id], &self.vectors[y.id]);
            }
            Instruction::NormInf { x, out } => self.slots[out.0] = self.backend.norm_inf(&self.vectors[x.id]),
            Instruction::Pointwise { update, read, tape } => {
                let take = |y: &Vector| std::mem::take(&mut self.vectors[y.id]);
                let mut own: Vec<Vec<S>> = update.iter().map(take).collect();
                let read: Vec<&[S]> = read.iter().map(|x| &self.vectors[x.id][..]).collect();
                self.backend.evaluate(tape, &mut own, &read, &self.slots);
                update.iter().zip(own).for_each(|(y, own)| self.vectors[y.id] = own);
            }
            _ => self.run_update(instruction),
        }
    }

    /// An instruction that changes one vector.
    fn run_update(&mut self, instruction: &Instruction) {
        let slot = |s: Slot| self.slots[s.0];
        let target = instruction.rows_of();
        let mut y = std::mem::take(&mut self.vectors[target.id]);
        let vector = |x: Vector| &self.vectors[x.id][..];
        let backend = &self.backend;
        let mut failed = None;
        match *instruction {
            Instruction::Apply { A, x, .. } => {
                let product = || backend.apply(self.map(A), vector(A.values), vector(x), &mut y);
                failed = guarded(self.names[A.id], product).err();
            }
            Instruction::Residual { A, b, x, .. } => {
                let product = || backend.residual(self.map(A), vector(A.values), vector(b), vector(x), &mut y);
                failed = guarded(self.names[A.id], product).err();
            }
            Instruction::Copy { x, .. } => backend.copy(vector(x), &mut y),
            Instruction::Axpby { a, x, b, .. } => backend.axpby(slot(a), vector(x), slot(b), &mut y),
            Instruction::Axpy { a, x, .. } => backend.axpy(slot(a), vector(x), &mut y),
            Instruction::Xpby { x, b, .. } => backend.xpby(vector(x), slot(b), &mut y),
            Instruction::Scale { a, .. } => backend.scale(slot(a), &mut y),
            _ => unreachable!("whoever calls this has looked that the instruction is one on vectors"),
        }
        if let Some(error) = failed {
            y.fill(S::from_f64(f64::NAN)); // ends every loop that sees it
            self.failure.get_or_insert(error);
        }
        self.vectors[target.id] = y;
    }
}
