//! What an iteration does on the CPU, in words: which instructions share a pass over memory, and the bytes each pass
//! must move. The same text for a GPU is [`galerkit_cuda::explain`]'s.

use crate::device::current_threads;
use galerkit_cuda::error::Amount;
use galerkit_linalg::Scalar;
use galerkit_linalg::backend::Backend;
use galerkit_linalg::engine::Interpreter;
use galerkit_linalg::program::{Instruction, MapId, Program, Step, Vector, inspect, variants};
use std::fmt::Write;

/// A text, and the bytes of an iteration where they are known.
pub(crate) struct Explained {
    pub(crate) text: String,
    pub(crate) bytes: Option<u64>,
}

/// Explains a loop that has run; `maps` are the bytes of its first maps, in the order they were loaded, where a copy
/// that was made of them moves others than the map says. Iterations that differ with their position in a cycle are
/// shown by the middle one of a cycle and counted by their average; residual replacement is not.
pub(crate) fn explain<S: Scalar, B: Backend<S>>(
    program: &Program,
    executor: &Interpreter<S, B>,
    maps: &[usize],
) -> Explained {
    let usual: Vec<Instruction> = program.instructions.iter().filter(|line| !is_exceptional(line)).cloned().collect();
    let cycle = variants::variants(&usual);
    let vector = |x: Vector| x.length * if x.is_single() { size_of::<S::Single>() } else { size_of::<S>() };
    let known = |A: MapId| maps.get(A.id).filter(|_| !A.values.is_single()).copied();
    let map = |A: MapId| known(A).unwrap_or_else(|| executor.traffic(A));
    let bytes = |pass: &[Instruction]| inspect::pass_bytes(pass, &vector, &map);
    let at = |place: usize| passes(executor.plan(&usual, place));
    let total = |place: usize| at(place).iter().map(|(pass, _)| bytes(pass)).sum::<usize>();
    let average = (0..cycle).map(total).sum::<usize>() / cycle;
    let shown = at(cycle / 2);
    let mut text = String::new();
    let (count, threads) = (shown.len(), current_threads());
    let place = if cycle > 1 { format!(" (number {} of a cycle of {cycle})", cycle / 2 + 1) } else { String::new() };
    let _ = writeln!(
        text,
        "{count} passes an iteration{place} on {threads} threads; an iteration must move {}{}",
        Amount(average),
        if cycle > 1 { " on average" } else { "" }
    );
    for (k, (pass, numbers)) in shown.iter().enumerate() {
        let amount = Amount(bytes(pass)).to_string();
        let _ = writeln!(text, "  pass {}  {amount:>10}", k + 1);
        pass.iter().for_each(|line| {
            let _ = writeln!(text, "      {line}");
        });
        if *numbers > 0 {
            let _ = writeln!(text, "      and {numbers} scalar instructions");
        }
    }
    Explained { text, bytes: Some(average as u64) }
}

/// Whether a line is for some iterations only.
fn is_exceptional(line: &Instruction) -> bool {
    matches!(line, Instruction::Every { .. })
}

/// The vector instructions of each pass, and how many scalar instructions follow it; those before the first are counted
/// with it.
fn passes(steps: Vec<Step>) -> Vec<(Vec<Instruction>, usize)> {
    let (mut passes, mut leading): (Vec<(Vec<Instruction>, usize)>, usize) = (Vec::new(), 0);
    for step in steps {
        match (step, passes.last_mut()) {
            (Step::Group(group), _) => passes.push((group.instructions, std::mem::take(&mut leading))),
            (Step::Instruction(line), _) if line.is_vector() => passes.push((vec![line], std::mem::take(&mut leading))),
            (Step::Instruction(_), Some((_, numbers))) => *numbers += 1,
            (Step::Instruction(_), None) => leading += 1,
        }
    }
    passes
}
