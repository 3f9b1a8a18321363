//! The verbs one by one on slices in host memory: each call uploads, runs a program of one or two lines and downloads.
//! Slow by design; it is how the conformance suite holds the GPU against the reference.

use crate::error::Result;
use crate::executor::{Cuda, Settings};
use crate::launch::Gpu;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Backend, Placed};
use galerkit_linalg::engine::Executor;
use galerkit_linalg::map::LinearMap;
use galerkit_linalg::program::{Instruction, MapId, Precision, Program, Slot, Vector};
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

    /// Uploads vectors, runs the instructions made for them, and gives back what the last vector and the third slot
    /// hold.
    fn run(&self, [a, b]: [S; 2], vectors: &[&[S]], made: impl FnOnce(&[Vector]) -> Vec<Instruction>) -> (Vec<S>, S) {
        let executor = &mut *self.executor.borrow_mut();
        let fine = executor.set_slots(&[a, b, S::zero()]);
        let ids: Vec<Vector> = vectors.iter().map(|host| executor.upload(host, Precision::Full)).collect();
        let code = executor.compile(&Program { instructions: made(&ids) }, None);
        executor.run(code);
        executor.discard(code);
        let last = executor.download(*ids.last().expect("every verb has a vector"));
        let number = executor.number(OUT);
        ids.into_iter().for_each(|x| executor.free(x));
        let failure = fine.err().or_else(|| executor.failure());
        assert!(failure.is_none(), "the GPU failed: {}", failure.expect("just looked"));
        (last, number)
    }

    /// Gives a map its values.
    fn set_values(&self, A: MapId, values: &[S]) {
        self.executor.borrow_mut().write(A.values, values);
    }
}

impl<S: Scalar> Backend<S> for Verbs<S> {
    type Map = MapId;
    type Single = Verbs<S::Single>;

    fn in_single(&self) -> Self::Single {
        let executor = self.executor.borrow();
        Verbs::new(executor.gpu(), executor.settings).expect("room for a few kilobytes")
    }

    fn load(&self, map: Box<dyn LinearMap<S>>) -> Placed<MapId, S> {
        let executor = &mut *self.executor.borrow_mut();
        let map = executor.load(map);
        Placed { map, values: executor.download(map.values) }
    }
    fn apply(&self, A: &MapId, values: &[S], x: &[S], y: &mut [S]) {
        self.set_values(*A, values);
        let (A, none) = (*A, [S::zero(); 2]);
        y.copy_from_slice(&self.run(none, &[x, y], |v| vec![Instruction::Apply { A, x: v[0], y: v[1] }]).0);
    }
    fn residual(&self, A: &MapId, values: &[S], b: &[S], x: &[S], r: &mut [S]) {
        self.set_values(*A, values);
        let (A, none) = (*A, [S::zero(); 2]);
        if !self.executor.borrow().has_residual(A) {
            r.copy_from_slice(b);
            return self.spmv(-S::one(), &A, values, x, S::one(), r);
        }
        let line = |v: &[Vector]| vec![Instruction::Residual { A, b: v[0], x: v[1], r: v[2] }];
        r.copy_from_slice(&self.run(none, &[b, x, r], line).0);
    }
    fn spmv(&self, alpha: S, A: &MapId, values: &[S], x: &[S], beta: S, y: &mut [S]) {
        self.set_values(*A, values);
        let A = *A;
        let lines = |v: &[Vector]| {
            vec![
                Instruction::Apply { A, x: v[0], y: v[1] },
                Instruction::Axpby { a: FIRST, x: v[1], b: SECOND, y: v[2] },
            ]
        };
        let product = vec![S::zero(); y.len()];
        y.copy_from_slice(&self.run([alpha, beta], &[x, &product, y], lines).0);
    }
    fn copy(&self, x: &[S], y: &mut [S]) {
        y.copy_from_slice(&self.run([S::zero(); 2], &[x, y], |v| vec![Instruction::Copy { x: v[0], y: v[1] }]).0);
    }
    fn axpby(&self, a: S, x: &[S], b: S, y: &mut [S]) {
        y.copy_from_slice(
            &self.run([a, b], &[x, y], |v| vec![Instruction::Axpby { a: FIRST, x: v[0], b: SECOND, y: v[1] }]).0,
        );
    }
    fn axpy(&self, a: S, x: &[S], y: &mut [S]) {
        y.copy_from_slice(&self.run([a, a], &[x, y], |v| vec![Instruction::Axpy { a: FIRST, x: v[0], y: v[1] }]).0);
    }
    fn xpby(&self, x: &[S], b: S, y: &mut [S]) {
        y.copy_from_slice(&self.run([b, b], &[x, y], |v| vec![Instruction::Xpby { x: v[0], b: SECOND, y: v[1] }]).0);
    }
    fn scale(&self, a: S, y: &mut [S]) {
        y.copy_from_slice(&self.run([a, a], &[y], |v| vec![Instruction::Scale { a: FIRST, y: v[0] }]).0);
    }
    fn dot(&self, x: &[S], y: &[S]) -> S {
        self.run([S::zero(); 2], &[x, y], |v| vec![Instruction::Dot { x: v[0], y: v[1], out: OUT }]).1
    }
}
