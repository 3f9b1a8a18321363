//! What executes a prepared solve, decided at run time: methods are recorded for this one type, whatever the device.

use galerkit_cuda::Cuda;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Executor, Interpreter, Recorded};
use std::ops::{Deref, DerefMut};

/// The engine of a prepared solve.
pub type Engine<S> = Recorded<S, Machine<S>>;

/// One of the executors.
pub enum Machine<S: Scalar> {
    /// Threads of this machine.
    Cpu(Box<Interpreter<S, Cpu>>),
    /// The reference.
    Reference(Box<Interpreter<S, Reference>>),
    /// A GPU.
    Cuda(Box<Cuda<S>>),
}

impl<S: Scalar> Machine<S> {
    pub(crate) fn cpu() -> Self {
        Machine::Cpu(Box::new(Interpreter::new(Cpu)))
    }
    pub(crate) fn reference() -> Self {
        Machine::Reference(Box::new(Interpreter::new(Reference)))
    }
    /// The GPU, if it is one.
    pub(crate) fn cuda(&self) -> Option<&Cuda<S>> {
        if let Machine::Cuda(cuda) = self { Some(cuda) } else { None }
    }
}

impl<S: Scalar> Deref for Machine<S> {
    type Target = dyn Executor<S>;
    fn deref(&self) -> &Self::Target {
        match self {
            Machine::Cpu(executor) => &**executor,
            Machine::Reference(executor) => &**executor,
            Machine::Cuda(executor) => &**executor,
        }
    }
}

impl<S: Scalar> DerefMut for Machine<S> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Machine::Cpu(executor) => &mut **executor,
            Machine::Reference(executor) => &mut **executor,
            Machine::Cuda(executor) => &mut **executor,
        }
    }
}
