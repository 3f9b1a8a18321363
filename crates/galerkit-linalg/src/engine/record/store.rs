//! Maps, vectors and numbers of one precision on a backend, and the vector lines on them.

use super::fuse::Group;
use super::program::{Line, MapId, Slot, VectorId};
use crate::backend::Backend;
use crate::scalar::Scalar;

/// What lines of one precision work on.
pub(super) struct Store<S: Scalar, B: Backend<S>> {
    pub(super) backend: B,
    pub(super) maps: Vec<B::Map>,
    /// By name; vectors of the other precision are empty here.
    pub(super) vectors: Vec<Vec<S>>,
    pub(super) slots: Vec<S>,
}

impl<S: Scalar, B: Backend<S>> Store<S, B> {
    pub(super) fn new(backend: B) -> Self {
        Self { backend, maps: Vec::new(), vectors: Vec::new(), slots: Vec::new() }
    }

    /// Lines in one pass; some may read vectors in single precision, where this is not that.
    pub(super) fn run_group(&mut self, group: &Group, low: &[Vec<S::Low>]) {
        self.backend.run_group(group, &self.maps, &mut self.vectors, low, &mut self.slots);
    }

    /// One vector line.
    pub(super) fn run_line(&mut self, line: &Line) {
        match *line {
            Line::Dot { x, y, out } => {
                self.slots[out.0] = self.backend.dot(&self.vectors[x.0], &self.vectors[y.0]);
                return;
            }
            Line::Largest { x, out } => {
                self.slots[out.0] = self.backend.largest(&self.vectors[x.0]);
                return;
            }
            _ => (),
        }
        let slot = |s: Slot| self.slots[s.0];
        let map = |A: MapId| &self.maps[A.0];
        let target = line.rows_of();
        let mut y = std::mem::take(&mut self.vectors[target.0]);
        let vector = |x: VectorId| &self.vectors[x.0][..];
        match *line {
            Line::Apply { A, x, .. } => self.backend.apply(map(A), vector(x), &mut y),
            Line::Residual { A, b, x, .. } => self.backend.residual(map(A), vector(b), vector(x), &mut y),
            Line::Copy { x, .. } => self.backend.copy(vector(x), &mut y),
            Line::Axpby { a, x, b, .. } => self.backend.axpby(slot(a), vector(x), slot(b), &mut y),
            Line::Axpy { a, x, .. } => self.backend.axpy(slot(a), vector(x), &mut y),
            Line::Xpby { x, b, .. } => self.backend.xpby(vector(x), slot(b), &mut y),
            Line::Scale { a, .. } => self.backend.scale(slot(a), &mut y),
            _ => unreachable!("whoever calls this has looked that the line is one on vectors"),
        }
        self.vectors[target.0] = y;
    }
}
