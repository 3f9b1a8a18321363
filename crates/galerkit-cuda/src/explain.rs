//! What a loop does on the GPU, in words: which lines became which kernel, and the bytes each must move.

use crate::error::Amount;
use crate::executor::Cuda;
use crate::generate::Names;
use crate::plan::Stage;
use crate::program::Ready;
use galerkit_linalg::program::{Instruction, inspect};
use galerkit_linalg::{Scalar, per_scalar};
use std::fmt;

/// One kernel of an iteration, or one part of the persistent kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The lines of its pass over memory.
    pub pass: Vec<String>,
    /// How many scalar lines run inside it.
    pub scalar_lines: usize,
    /// Bytes it must read and write.
    pub bytes: usize,
    /// Blocks and threads of its launch.
    pub shape: (usize, usize),
    /// Registers a thread.
    pub registers: usize,
}

/// A loop as it ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// How the iterations reach the GPU.
    pub form: String,
    /// The kernels of a usual iteration.
    pub parts: Vec<Part>,
    /// Where the machine code of all kernels came from.
    pub machine_code: String,
}

impl Explanation {
    /// Bytes that an iteration must move.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}; an iteration must move {}", self.form, Amount(self.bytes()))?;
        for (k, part) in self.parts.iter().enumerate() {
            let (blocks, threads) = part.shape;
            let Part { scalar_lines, registers, .. } = part;
            let amount = Amount(part.bytes).to_string();
            writeln!(f, "  kernel {}  {amount:>10}  {blocks} x {threads} threads, {registers} registers", k + 1)?;
            part.pass.iter().try_for_each(|line| writeln!(f, "      {line}"))?;
            if *scalar_lines > 0 {
                writeln!(f, "      and {scalar_lines} lines on numbers")?;
            }
        }
        writeln!(f, "{}", self.machine_code)
    }
}

/// Bytes that a pass must move: each vector it reads and each it writes once, unless it is never in memory, and what
/// its maps store.
pub fn pass_bytes<S: Scalar>(stage: &Stage, cuda: &Cuda<S>, names: &Names) -> usize {
    let vector = |x| if names.is_temporary(x) { 0 } else { cuda.vector_bytes(x) };
    inspect::pass_bytes(&stage.pass, &vector, &|A| cuda.loaded(A).bytes)
}

per_scalar! {
    fn explained<S>(cuda: &Cuda<S>) -> Option<Explanation> = Cuda::explained;
}

impl<S: Scalar> Cuda<S> {
    /// The last loop, if one has run.
    pub fn explain(&self) -> Option<Explanation> {
        explained(self)
    }

    fn explained(&self) -> Option<Explanation> {
        let compiled = self.compiled()?;
        let (stages, launches) = (&compiled.generated.plans[0].stages, &compiled.launches[0]);
        let form = match &compiled.persistent {
            Some(ready) => {
                let fits = "matrix and vectors fit the L2 cache";
                format!("one persistent kernel of {} blocks for the whole loop ({fits})", ready.shape.blocks)
            }
            None => format!(
                "graphs of {} iterations, {} launched ahead; {} kernels an iteration",
                self.settings.chunk,
                self.settings.ahead,
                launches.len()
            ),
        };
        let part = |stage: &Stage, launch: &Ready| Part {
            pass: stage.pass.iter().map(Instruction::to_string).collect(),
            scalar_lines: stage.before.len() + stage.after.len(),
            bytes: pass_bytes(stage, self, &compiled.generated.names),
            shape: (launch.shape.blocks, launch.shape.threads),
            registers: launch.kernel.registers,
        };
        let parts = match &compiled.persistent {
            Some(ready) => stages.iter().map(|stage| part(stage, ready)).collect(),
            None => launches.iter().map(|ready| part(&stages[ready.stage], ready)).collect(),
        };
        Some(Explanation { form, parts, machine_code: self.jit().facts().to_string() })
    }
}
