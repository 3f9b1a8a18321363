//! The verbs one by one on slices in host memory: each call uploads, runs a program of one or two lines and downloads.
//! Slow by design; it is how the conformance suite holds the GPU against the reference.

use crate::error::Result;
use crate::executor::{Cuda, Settings};
use crate::launch::Gpu;
use galerkit_linalg::backend::Backend;
use galerkit_linalg::engine::record::{Executor, Line, MapId, Program, Slot, VectorId};
use galerkit_linalg::{Linear, Scalar};
use std::cell::RefCell;
use std::sync::Arc;

/// A GPU as a backend. Panics where the GPU fails.
pub struct Verbs<S: Scalar> {
    executor: RefCell<Cuda<S>>,
}

/// The slots of the two coefficients and of the result.
const FIRST: Slot = Slot(0);
const SECOND: Slot = Slot(1);
const OUT: Slot = Slot(2);

impl<S: Scalar> Verbs<S> {
    /// The verbs on a GPU.
    pub fn new(gpu: &Arc<Gpu>, settings: Settings) -> Result<Self> {
        Ok(Self { executor: RefCell::new(Cuda::new(gpu, settings)?) })
    }

    /// Uploads vectors, runs the lines made for them, and gives back what the last vector and the third slot hold.
    fn run(&self, [a, b]: [S; 2], vectors: &[&[S]], lines: impl FnOnce(&[VectorId]) -> Vec<Line>) -> (Vec<S>, S) {
        let mut executor = self.executor.borrow_mut();
        executor.forget_vectors();
        let fine = executor.set_slots(&[a, b, S::zero()]);
        let ids: Vec<VectorId> = vectors.iter().map(|host| executor.upload(host)).collect();
        executor.run(&Program { lines: lines(&ids) }, 3);
        let last = executor.download(*ids.last().expect("every verb has a vector"));
        let number = executor.number(OUT);
        let failure = fine.err().or_else(|| executor.failure());
        assert!(failure.is_none(), "the GPU failed: {}", failure.expect("just looked"));
        (last, number)
    }
}

impl<S: Scalar> Backend<S> for Verbs<S> {
    type Map = MapId;
    type Lower = Verbs<S::Low>;

    fn lower(&self) -> Self::Lower {
        let executor = self.executor.borrow();
        Verbs::new(executor.gpu(), executor.settings).expect("room for a few kilobytes")
    }

    fn load(&self, map: Arc<Linear<S>>) -> MapId {
        self.executor.borrow_mut().load(map)
    }
    fn apply(&self, A: &MapId, x: &[S], y: &mut [S]) {
        let (A, none) = (*A, [S::zero(); 2]);
        y.copy_from_slice(&self.run(none, &[x, y], |v| vec![Line::Apply { A, x: v[0], y: v[1] }]).0);
    }
    fn residual(&self, A: &MapId, b: &[S], x: &[S], r: &mut [S]) {
        let (A, none) = (*A, [S::zero(); 2]);
        let line = |v: &[VectorId]| vec![Line::Residual { A, b: v[0], x: v[1], r: v[2] }];
        r.copy_from_slice(&self.run(none, &[b, x, r], line).0);
    }
    fn spmv(&self, alpha: S, A: &MapId, x: &[S], beta: S, y: &mut [S]) {
        let A = *A;
        let lines = |v: &[VectorId]| {
            vec![Line::Apply { A, x: v[0], y: v[1] }, Line::Axpby { a: FIRST, x: v[1], b: SECOND, y: v[2] }]
        };
        let product = vec![S::zero(); y.len()];
        y.copy_from_slice(&self.run([alpha, beta], &[x, &product, y], lines).0);
    }
    fn copy(&self, x: &[S], y: &mut [S]) {
        y.copy_from_slice(&self.run([S::zero(); 2], &[x, y], |v| vec![Line::Copy { x: v[0], y: v[1] }]).0);
    }
    fn axpby(&self, a: S, x: &[S], b: S, y: &mut [S]) {
        y.copy_from_slice(
            &self.run([a, b], &[x, y], |v| vec![Line::Axpby { a: FIRST, x: v[0], b: SECOND, y: v[1] }]).0,
        );
    }
    fn axpy(&self, a: S, x: &[S], y: &mut [S]) {
        y.copy_from_slice(&self.run([a, a], &[x, y], |v| vec![Line::Axpy { a: FIRST, x: v[0], y: v[1] }]).0);
    }
    fn xpby(&self, x: &[S], b: S, y: &mut [S]) {
        y.copy_from_slice(&self.run([b, b], &[x, y], |v| vec![Line::Xpby { x: v[0], b: SECOND, y: v[1] }]).0);
    }
    fn scale(&self, a: S, y: &mut [S]) {
        y.copy_from_slice(&self.run([a, a], &[y], |v| vec![Line::Scale { a: FIRST, y: v[0] }]).0);
    }
    fn dot(&self, x: &[S], y: &[S]) -> S {
        self.run([S::zero(); 2], &[x, y], |v| vec![Line::Dot { x: v[0], y: v[1], out: OUT }]).1
    }
}
