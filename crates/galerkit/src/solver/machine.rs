//! What executes a prepared solve, decided at run time: methods are recorded for this one type, whatever the device.

use galerkit_cuda::{Cuda, Settings};
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{AnyEngine, AnyExecutor, Interpreter, cpu_executor, reference_executor};

/// The engine of a prepared solve.
pub type Engine<S> = AnyEngine<S>;

/// Which of the executors it is.
pub(crate) trait Machine<S: Scalar>: Sized {
    /// The GPU, if it is one.
    fn cuda(&self) -> Option<&Cuda<S>>;
    /// The same, to be told more.
    fn cuda_mut(&mut self) -> Option<&mut Cuda<S>>;
    /// The fast loops of the CPU, if it is those.
    fn cpu(&self) -> Option<&Interpreter<S, Cpu>>;
    /// Another one of the same kind, on the same GPU if it is one.
    fn another(&self) -> galerkit_cuda::Result<Self>;
}

impl<S: Scalar> Machine<S> for AnyExecutor<S> {
    fn cuda(&self) -> Option<&Cuda<S>> {
        self.as_any().downcast_ref()
    }
    fn cuda_mut(&mut self) -> Option<&mut Cuda<S>> {
        self.as_any_mut().downcast_mut()
    }
    fn cpu(&self) -> Option<&Interpreter<S, Cpu>> {
        self.as_any().downcast_ref()
    }
    fn another(&self) -> galerkit_cuda::Result<Self> {
        match self.cuda() {
            Some(cuda) => galerkit_cuda::executor(cuda.gpu(), Settings::default()),
            None if self.as_any().is::<Interpreter<S, Reference>>() => Ok(reference_executor()),
            None => Ok(cpu_executor()),
        }
    }
}
