//! Instructions on scalars: for one thread, or for the first warp of a block, whose first lane does what cannot be
//! shared out. Where the same ones come again and again with other scalars they are rerolled; rounds that need nothing
//! of each other are for lanes. Their order stays otherwise, so nothing has to be proved.

use super::ir::{Statement, name};
use super::passes::forward::{self, Forward};
use super::passes::reroll::{self, Assigned};
use super::scalar::{assignment, condition};
use galerkit_linalg::program::{Instruction, Slot};

/// What a caller decides.
pub struct Context<'a> {
    /// Where a scalar is in the array `c`.
    pub index: &'a dyn Fn(Slot) -> usize,
    /// What is done when a test fails, by the code of its outcome. It must leave, by `break`, the block around the
    /// statements.
    pub failure: &'a dyn Fn(usize) -> Vec<Statement>,
    /// Whether registers are few.
    pub saves_registers: bool,
}

/// A part of the statements.
struct Part {
    statements: Vec<Statement>,
    /// Whether it is for all lanes of a warp, each of which takes some rounds of a loop; else it is for one thread.
    is_for_lanes: bool,
    /// Whether a test in it may fail.
    tests: bool,
}

/// The statements for one thread. `id` makes the names of tables unique.
pub fn for_thread(instructions: &[Instruction], id: &str, context: &Context<'_>) -> Vec<Statement> {
    parts(instructions, id, context, false).into_iter().flat_map(|part| part.statements).collect()
}

/// The statements for the first warp of a block; its first lane does what cannot be shared out. `first` is done before,
/// by that lane. A test that fails sets `failed`.
pub fn for_warp(
    first: Vec<Statement>,
    instructions: &[Instruction],
    id: &str,
    context: &Context<'_>,
) -> Vec<Statement> {
    let parts = parts(instructions, id, context, true);
    let by_first_lane = |body| Statement::when(name("threadIdx.x").equals(0), [Statement::Once(body)]);
    if !parts.iter().any(|part| part.is_for_lanes) {
        let rest = parts.into_iter().flat_map(|part| part.statements);
        return vec![by_first_lane(first.into_iter().chain(rest).collect())];
    }
    let mut body = if first.is_empty() { Vec::new() } else { vec![by_first_lane(first)] };
    body.push(Statement::Fixed("__syncwarp();"));
    for Part { statements, is_for_lanes, tests } in parts {
        if is_for_lanes {
            body.extend(statements);
        } else {
            body.push(by_first_lane(statements));
        }
        body.push(Statement::Fixed("__syncwarp();"));
        body.extend(tests.then(|| Statement::when(name("failed"), [Statement::Break])));
    }
    vec![Statement::Once(body)]
}

fn parts(instructions: &[Instruction], id: &str, context: &Context<'_>, by_lanes: bool) -> Vec<Part> {
    let statements: Vec<Statement> =
        instructions.iter().filter_map(|instruction| statement(instruction, context)).collect();
    let assigned: Vec<Option<Assigned>> = statements.iter().map(Assigned::new).collect();
    let alone = |(statements, tests)| Part { statements, is_for_lanes: false, tests };
    let mut parts = Vec::new();
    let mut forward = Forward::new(context.saves_registers);
    let mut at = 0;
    while at < statements.len() {
        let Some((rerolled, is_for_lanes, length)) = repeated(&assigned[at..], &format!("{id}_{at}"), by_lanes) else {
            forward.push(statements[at].clone());
            at += 1;
            continue;
        };
        if is_for_lanes {
            parts.extend(forward.taken().map(alone));
            parts.push(Part { statements: vec![rerolled], is_for_lanes, tests: false });
        } else {
            forward.push_loop(rerolled);
        }
        at += length;
    }
    parts.extend(forward.taken().map(alone));
    parts
}

/// An instruction on the array `c`.
fn statement(instruction: &Instruction, context: &Context<'_>) -> Option<Statement> {
    let read = |slot| forward::scalar((context.index)(slot));
    if let Some((slot, value)) = assignment(instruction, &read) {
        return Some(Statement::set(read(slot), value));
    }
    let (holds, code) = condition(instruction, &read)?;
    Some(Statement::when(!holds, (context.failure)(code)))
}

/// Statements at the beginning as a loop, whether it is for lanes, and how many they are: one for lanes if there is
/// one, else the one of the shortest rounds.
fn repeated(assigned: &[Option<Assigned>], id: &str, by_lanes: bool) -> Option<(Statement, bool, usize)> {
    let rerolled = |(period, times): (usize, usize)| {
        let length = period * times;
        let (statement, is_for_lanes) = reroll::rerolled(&assigned[..length], period, id, by_lanes);
        (statement, is_for_lanes, length)
    };
    let mut shortest = None;
    for found in reroll::repetitions(assigned).map(rerolled) {
        if found.1 {
            return Some(found);
        }
        shortest = shortest.or(Some(found));
        if !by_lanes {
            break;
        }
    }
    shortest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::print_statements;
    use galerkit_linalg::krylov::Outcome;
    use galerkit_linalg::program::Arithmetic::{self, Mul, Sub};
    use galerkit_linalg::program::Test;

    fn scalar(op: Arithmetic, a: usize, b: usize, out: usize) -> Instruction {
        Instruction::Scalar { op, a: Slot(a), b: Slot(b), out: Slot(out) }
    }

    const CONTEXT: Context<'static> =
        Context { index: &|slot| slot.0, failure: &|_| vec![Statement::Break], saves_registers: false };

    /// Signs of coefficients, and their quotients: nobody needs another's.
    #[test]
    fn rounds_that_need_nothing_of_each_other_are_for_lanes() {
        let of = |instructions: &[Instruction]| {
            print_statements(&for_warp(vec![Statement::Fixed("first;")], instructions, "7", &CONTEXT))
        };
        let quotients: Vec<Instruction> = (0..6).map(|i| scalar(Mul, i, 10 + i, 20 + i)).collect();
        let source = of(&quotients);
        assert!(source.contains("for (unsigned t = threadIdx.x; t < 6; t += 32)"), "{source}");
        assert!(source.find("first;") < source.find("__syncwarp();"), "{source}");
        let twice: Vec<Instruction> =
            (0..6).flat_map(|i| [scalar(Mul, i, 10 + i, 20 + i), scalar(Mul, 20 + i, 10 + i, 30 + i)]).collect();
        assert!(of(&twice).contains("t < 6; t += 32"), "two need each other, but not those of other rounds");
        let chain: Vec<Instruction> = (0..6).map(|i| scalar(Mul, 30 + i, i, i + 1)).collect();
        assert!(!of(&chain).contains("__syncwarp"), "each needs the one before");
        let sums: Vec<Instruction> = (0..6).map(|i| scalar(Sub, 40, i, 40)).collect();
        assert!(!of(&sums).contains("__syncwarp"), "all write one scalar");
        let test = Instruction::Require { test: Test::Positive(Slot(20)), otherwise: Outcome::Breakdown };
        let source = of(&[vec![test], quotients].concat());
        let left = "} while (false);\n    }\n    __syncwarp();\n    if (failed) {\n        break;\n    }\n";
        assert!(source.contains("if (!positive(c[20])) {") && source.contains(left), "{source}");
    }
}
