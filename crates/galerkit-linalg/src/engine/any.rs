//! The engine whose executor is decided on at run time. Solvers that are recorded for it are compiled once for each
//! scalar, here, and not once more for each executor and by each crate.

use super::{Executor, Interpreter, Recorded};
use crate::backend::{Cpu, Reference};
use crate::scalar::{Scalar, per_scalar};

/// Some executor.
pub type AnyExecutor<S> = Box<dyn Executor<S> + Send>;

/// An engine over some executor.
pub type AnyEngine<S> = Recorded<S, AnyExecutor<S>>;

per_scalar! {
    /// An executor that interprets programs on the CPU.
    pub fn cpu_executor<S>() -> AnyExecutor<S> = cpu;
    /// An executor that interprets programs by the reference loops.
    pub fn reference_executor<S>() -> AnyExecutor<S> = reference;
}

fn cpu<S: Scalar>() -> AnyExecutor<S> {
    Box::new(Interpreter::new(Cpu))
}

fn reference<S: Scalar>() -> AnyExecutor<S> {
    Box::new(Interpreter::new(Reference))
}
