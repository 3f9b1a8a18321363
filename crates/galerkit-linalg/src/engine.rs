//! The vocabulary solvers are written in. A solver says *what* each line computes; an engine decides where and when: at
//! once on a backend ([`Immediate`]), or recorded as a [`Program`](crate::program::Program) that is compiled once and
//! run often ([`Recorded`]). Vectors and scalars are opaque, so a solver cannot look at a number on the host by
//! accident; the tests that demand bit-identical iterates from both engines prove that none does.
//!
//! What a solver applies is an [`Operator`]: a loaded map is one; anything that can be said in an engine's verbs is
//! another, so preconditioners built from several steps are recorded into the same program as the method itself. Engine
//! and operator name each other, so they stand together.

mod any;
mod entry;
mod executor;
mod held;
mod identity;
mod immediate;
mod interpret;
mod number;
mod recorded;
mod routine;
mod store;
mod stored;
mod tape;
mod viewer;

pub use crate::program::{Nested, Test};
pub use any::{AnyEngine, AnyExecutor, cpu_executor, reference_executor};
pub use entry::{Entry, EntrySymbol};
pub use executor::{Code, Counters, Executor, Loop};
pub use held::Held;
pub use identity::Identity;
pub use immediate::{Immediate, Precise};
pub use interpret::Interpreter;
pub use number::{Number, Register};
pub use recorded::Recorded;
pub use routine::Routine;
pub use stored::Stored;
pub use tape::{SlotRegister, Symbol};
pub use viewer::Viewer;

use crate::map::LinearMap;
use crate::program::{Outcome, Precision, Run, Stop};
use crate::scalar::Scalar;

/// Executes or records the verbs of a solver.
pub trait Engine: Sized {
    /// What vectors are made of.
    type Scalar: Scalar;
    /// A vector living on this engine; freed when it is dropped.
    type Vector;
    /// A scalar living on this engine: a number, or the name of a slot.
    type Num: Number;
    /// A scalar carried from one iteration to the next.
    type Reg: Register<Self::Num>;
    /// The pattern of a linear map loaded into this engine; unloaded when it is dropped.
    type Map;
    /// An entry of a vector, inside a pointwise closure.
    type Entry: Entry<Num = Self::Num>;

    /// Makes a linear map usable here, its values as a vector. Called before a solve, never inside an iteration. A map
    /// in [single precision](crate::map::InSingle) is for vectors in single precision.
    fn load(&mut self, map: Box<dyn LinearMap<Self::Scalar>>) -> Resident<Self>;
    /// A zero vector of so many entries. Asked for inside a loop it is zero in every iteration.
    ///
    /// Everything that is computed into a vector in single precision is; what it is computed from must be too, except
    /// in [`copy`](Engine::copy), which converts. What is computed from it is in single precision as well, except that
    /// [`dot`](Engine::dot) and [`axpy`](Engine::axpy) may read it as x beside a y that is not: its entries are
    /// widened, and sums and result are y's.
    fn zeros(&mut self, length: usize, precision: Precision) -> Self::Vector;
    /// Replaces the entries of a vector, rounding where it is in single precision. Never inside an iteration.
    fn write(&mut self, x: &mut Self::Vector, host: &[Self::Scalar]);
    /// The entries of a vector; waits for everything before it.
    fn download(&mut self, x: &Self::Vector) -> Vec<Self::Scalar>;
    /// Entries of a vector.
    fn length(&self, x: &Self::Vector) -> usize;
    /// The precision of a vector.
    fn precision(&self, x: &Self::Vector) -> Precision;
    /// A vector with the given entries, rounded if it is to be in single precision. Asked for inside a loop it has them
    /// once, not in every iteration anew.
    fn upload_in(&mut self, host: &[Self::Scalar], precision: Precision) -> Self::Vector;
    /// A vector with the given entries.
    fn upload(&mut self, host: &[Self::Scalar]) -> Self::Vector {
        self.upload_in(host, Precision::Full)
    }
    /// A zero vector as long as another, in the same precision.
    fn zeros_like(&mut self, x: &Self::Vector) -> Self::Vector {
        self.zeros(self.length(x), self.precision(x))
    }
    /// Several zero vectors at once.
    fn vectors_like<const N: usize>(&mut self, x: &Self::Vector) -> [Self::Vector; N] {
        std::array::from_fn(|_| self.zeros_like(x))
    }

    /// y = A x for a loaded map.
    fn apply_map(&mut self, A: &Resident<Self>, x: &Self::Vector, y: &mut Self::Vector);
    /// r = b - A x for a loaded map.
    fn residual_map(&mut self, A: &Resident<Self>, b: &Self::Vector, x: &Self::Vector, r: &mut Self::Vector);
    /// y = A x
    fn apply(&mut self, A: &dyn Operator<Self>, x: &Self::Vector, y: &mut Self::Vector) {
        A.apply(self, x, y);
    }
    /// r = b - A x
    fn residual(&mut self, A: &dyn Operator<Self>, b: &Self::Vector, x: &Self::Vector, r: &mut Self::Vector) {
        A.residual(self, b, x, r);
    }

    /// y = x
    fn copy(&mut self, x: &Self::Vector, y: &mut Self::Vector);
    /// y = a x + b y
    fn axpby(&mut self, a: Self::Num, x: &Self::Vector, b: Self::Num, y: &mut Self::Vector);
    /// y = y + a x; x may be in single precision where y is not
    fn axpy(&mut self, a: Self::Num, x: &Self::Vector, y: &mut Self::Vector);
    /// y = x + b y
    fn xpby(&mut self, x: &Self::Vector, b: Self::Num, y: &mut Self::Vector);
    /// y = a y
    fn scale(&mut self, a: Self::Num, y: &mut Self::Vector);
    /// conj(x) . y; x may be in single precision where y is not
    fn dot(&mut self, x: &Self::Vector, y: &Self::Vector) -> Self::Num;
    /// Infinity norm, max |x_i|
    fn norm_inf(&mut self, x: &Self::Vector) -> Self::Num;
    /// Each entry of the vectors in `update` becomes f(update, read), in the engine's precision. All vectors have one
    /// length.
    fn pointwise<const U: usize, const R: usize>(
        &mut self,
        update: [&mut Self::Vector; U],
        read: [&Self::Vector; R],
        f: impl Fn([Self::Entry; U], [Self::Entry; R]) -> [Self::Entry; U] + Sync,
    );
    /// Euclidean norm
    fn norm(&mut self, x: &Self::Vector) -> Self::Num {
        self.dot(x, x).sqrt()
    }

    /// The real part of a number; waits for everything before it. For drivers between solves, never for an iteration.
    fn value(&mut self, number: Self::Num) -> f64;
    /// A constant.
    fn number(&mut self, value: f64) -> Self::Num;
    /// Keeps a number for the next iteration.
    fn carry(&mut self, start: Self::Num) -> Self::Reg;
    /// Ends the surrounding [`iterate`](Engine::iterate) with `otherwise` unless the test holds; nothing after a failed
    /// test changes a vector or a register.
    fn require(&mut self, test: Test<Self::Num>, otherwise: Outcome);
    /// Runs `body` in every `period`-th iteration (the last of each period); never if `period` is 0. Neither this nor
    /// [`cyclic`](Engine::cyclic) may stand inside the other or of [`unless`](Engine::unless), except in a loop of its
    /// own.
    fn every(&mut self, period: usize, body: impl FnOnce(&mut Self));
    /// Runs `body` with the position of the iteration in its cycle of `period`: 0, 1, ..., `period` - 1, 0, 1, ... An
    /// engine that records calls it once for each position; scalars of one position may be read at later ones of the
    /// cycle.
    fn cyclic(&mut self, period: usize, body: impl FnMut(&mut Self, usize));
    /// Runs `body` unless the test holds.
    fn unless(&mut self, test: Test<Self::Num>, body: impl FnOnce(&mut Self));
    /// Repeats `body` until the monitor is content. `start` is the watched norm before the first iteration, the body
    /// returns it after each.
    ///
    /// Inside of another loop it ends by `rtol` (of `start`), `atol` and `limit` alone or when a test fails, which does
    /// not end the loop around it. Nobody on the host is told: the [`Run`] is empty, and [`nested`](Engine::nested) has
    /// what is known as numbers.
    fn iterate(&mut self, stop: &Stop, start: Self::Num, body: impl FnMut(&mut Self) -> Self::Num) -> Run;
    /// Runs `body`, whose loops belong to an operator and not to the method: where a method is compiled to a
    /// [`Routine`], they end by their own criteria wherever they stand, as loops inside others do.
    fn nest<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        body(self)
    }
    /// How the last loop has ended.
    fn nested(&mut self) -> Nested<Self::Num>;
}

/// A linear operator on an engine's vectors.
pub trait Operator<E: Engine> {
    /// y = A x
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector);
    /// r = b - A x
    fn residual(&self, e: &mut E, b: &E::Vector, x: &E::Vector, r: &mut E::Vector) {
        self.apply(e, x, r);
        let one = e.number(1.0);
        e.axpby(one, b, -one, r);
    }
    /// Whether an application is a solve of its own. Methods apply others as soon as x is known, where they may share
    /// the pass that makes it; the last one is in vain.
    fn is_solve(&self) -> bool {
        false
    }
    /// Whether entry i of y needs only entry i of x: the pass that makes x can then make y, as often as x changes.
    fn is_elementwise(&self) -> bool {
        false
    }
}

impl<E: Engine, A: Operator<E> + ?Sized> Operator<E> for &A {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        (**self).apply(e, x, y);
    }
    fn residual(&self, e: &mut E, b: &E::Vector, x: &E::Vector, r: &mut E::Vector) {
        (**self).residual(e, b, x, r);
    }
    fn is_solve(&self) -> bool {
        (**self).is_solve()
    }
    fn is_elementwise(&self) -> bool {
        (**self).is_elementwise()
    }
}

/// A map that was loaded into the engine: its pattern, and the vector of its values, which verbs may read and write.
pub struct Resident<E: Engine> {
    /// The engine's own handle of the pattern.
    pub map: E::Map,
    /// The values in the engine's order of slots; of length 0 for a map without.
    pub values: E::Vector,
    /// Whether entry i of a product needs only entry i of what is multiplied.
    pub elementwise: bool,
}

impl<E: Engine> Operator<E> for Resident<E> {
    fn apply(&self, e: &mut E, x: &E::Vector, y: &mut E::Vector) {
        e.apply_map(self, x, y);
    }
    fn residual(&self, e: &mut E, b: &E::Vector, x: &E::Vector, r: &mut E::Vector) {
        e.residual_map(self, b, x, r);
    }
    fn is_elementwise(&self) -> bool {
        self.elementwise
    }
}
