//! What an iteration does on the CPU, in words: which lines share a pass over memory, and the bytes each pass must move.
//! The same text for a GPU is [`galerkit_cuda::explain`]'s.

use crate::device::current_threads;
use galerkit_cuda::error::Amount;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::Backend;
use galerkit_linalg::engine::Recorded;
use galerkit_linalg::engine::record::{Interpreter, Line, MapId, Step, VectorId, inspect};
use std::fmt::Write;

/// A text, and the bytes of an iteration.
pub(crate) struct Explained {
    pub(crate) text: String,
    pub(crate) bytes: usize,
}

/// Explains the last loop of an engine; `maps` are the bytes of its maps, in the order they were loaded.
pub(crate) fn explain<S: Scalar, B: Backend<S>>(engine: &Recorded<S, Interpreter<S, B>>, maps: &[usize]) -> Explained {
    let executor = engine.executor();
    let vector = |x: VectorId| executor.length(x) * size_of::<S>();
    let passes = passes(executor.plan(&engine.program().lines, 0));
    let bytes = |pass: &[Line]| inspect::pass_bytes(pass, &vector, &|A: MapId| maps[A.0]);
    let total = passes.iter().map(|(pass, _)| bytes(pass)).sum();
    let mut text = String::new();
    let (count, threads) = (passes.len(), current_threads());
    let _ =
        writeln!(text, "{count} passes an iteration on {threads} threads; an iteration must move {}", Amount(total));
    for (k, (pass, numbers)) in passes.iter().enumerate() {
        let amount = Amount(bytes(pass)).to_string();
        let _ = writeln!(text, "  pass {}  {amount:>10}", k + 1);
        pass.iter().for_each(|line| {
            let _ = writeln!(text, "      {line}");
        });
        if *numbers > 0 {
            let _ = writeln!(text, "      and {numbers} lines on numbers");
        }
    }
    Explained { text, bytes: total }
}

/// The vector lines of each pass, and how many lines on numbers follow it; those before the first are counted with it.
fn passes(steps: Vec<Step>) -> Vec<(Vec<Line>, usize)> {
    let (mut passes, mut leading): (Vec<(Vec<Line>, usize)>, usize) = (Vec::new(), 0);
    for step in steps {
        match (step, passes.last_mut()) {
            (Step::Group(group), _) => passes.push((group.lines, std::mem::take(&mut leading))),
            (Step::Line(line), _) if line.is_vector() => passes.push((vec![line], std::mem::take(&mut leading))),
            (Step::Line(_), Some((_, numbers))) => *numbers += 1,
            (Step::Line(_), None) => leading += 1,
        }
    }
    passes
}
