//! Many scalar instructions at the end of a kernel, as Gram-Schmidt and the end of a cycle have them. One thread would
//! wait for memory at every one, so the block that comes last brings all that they mention into shared memory at once,
//! and back. Registers are few there, so that scalars do not cost a pass its threads. Copies of many scalars, with one
//! sign, are made side by side by all threads.

use super::Names;
use super::ir::{Expression, Loop, Statement, Type, Unroll, Variable, call, element, name};
use super::passes::lookup::Lookup;
use super::passes::{forward, tables};
use super::scalar::report;
use super::scalars::{self, Context};
use super::variables::scalar;
use galerkit_linalg::program::{Arithmetic, Instruction, Slot};

/// Bytes of shared memory that scalars and tables may take: a kernel has 48 KiB, some of them for its sums. The end of
/// a cycle of 80 complex directions has more than that; there scalars stay where they are.
const ROOM: usize = 40 << 10;
/// Copies that are worth running side by side.
const SIDE_BY_SIDE: usize = 8;

/// The statements: `known` are slots whose values are in variables `k<n>` and not in memory; `watched` is for the
/// monitor.
pub fn statements(
    instructions: &[Instruction],
    known: &[Slot],
    watched: Option<Slot>,
    names: &Names,
) -> Vec<Statement> {
    let mentioned = instructions
        .iter()
        .flat_map(|instruction| instruction.scalar_reads().into_iter().chain(instruction.scalar_write()));
    let mut slots: Vec<usize> =
        mentioned.chain(known.iter().copied()).chain(watched).map(|slot| names.slot(slot)).collect();
    slots.sort_unstable();
    slots.dedup();
    let index = |slot: Slot| slots.binary_search(&names.slot(slot)).expect("it was put there above");
    let mut work = work_of(instructions, &index);
    let fits = names.bytes_of(slots.len()) + tables::bytes(&mut work) <= ROOM;
    let in_place = |slot: Slot| names.slot(slot);
    let index: &dyn Fn(Slot) -> usize = if fits { &index } else { &in_place };
    let (mut out, back) = if fits { brought(&slots) } else { (vec![Statement::Fixed("Scalar *c = a.s;")], None) };
    out.push(Statement::Fixed("__shared__ bool ended;"));
    let own = known.iter().map(|&slot| Statement::set(forward::scalar(index(slot)), scalar(names.slot(slot)).value()));
    let begin: Vec<Statement> = [Statement::Fixed("ended = false;")].into_iter().chain(own).collect();
    out.push(Statement::Fixed("__syncthreads();"));
    out.push(Statement::when(name("threadIdx.x").equals(0), begin));
    out.extend(if fits { tables::into_shared_memory(work) } else { work_of(instructions, index) });
    if let Some(slot) = watched {
        let ended = call("observe", [name("*a.state"), call("real", [forward::scalar(index(slot))])]);
        let by_one = name("threadIdx.x").equals(0).and(!name("ended")).and(ended);
        out.push(Statement::when(by_one, [Statement::Fixed("a.state->word = 1;")]));
    }
    out.push(Statement::Fixed("__syncthreads();"));
    out.extend(back);
    out
}

/// The scalars of some slots as an array `c` in shared memory, and the statement that brings them back.
fn brought(slots: &[usize]) -> (Vec<Statement>, Option<Statement>) {
    let (count, lookup) = (slots.len(), Lookup::new(Variable::only("slots"), slots));
    let (here, stored) = (|| forward::scalar(name("t")), || element(name("a.s"), lookup.at(name("t"))));
    let mut out: Vec<Statement> = lookup.declaration().into_iter().collect();
    out.push(Statement::shared(Type::Scalar, Variable::only("c"), Some(count.into())));
    out.push(by_all(count, Statement::set(here(), stored())));
    (out, Some(by_all(count, Statement::set(stored(), here()))))
}

/// The instructions on `c`.
fn work_of(instructions: &[Instruction], index: &dyn Fn(Slot) -> usize) -> Vec<Statement> {
    let segments = segments(instructions).into_iter().enumerate();
    segments.flat_map(|(number, segment)| segment_of(number, segment, index)).collect()
}

/// A statement for each `t` below a count, by all threads of the block.
fn by_all(count: usize, statement: Statement) -> Statement {
    let range = [name("threadIdx.x"), count.into()];
    Loop::counted("t", range, name("blockDim.x"), vec![statement]).unrolled(Unroll::AsItLikes)
}

fn segment_of(number: usize, segment: &[Instruction], index: &dyn Fn(Slot) -> usize) -> Vec<Statement> {
    let Some(minus) = side_by_side(segment) else { return vec![one_by_one(number, segment, index)] };
    let (ins, outs): (Vec<usize>, Vec<usize>) = segment.iter().map(|instruction| ends(instruction, index)).unzip();
    copied(number, &ins, &outs, minus)
}

/// By the first thread, until a test fails.
fn one_by_one(number: usize, instructions: &[Instruction], index: &dyn Fn(Slot) -> usize) -> Statement {
    let failure = |code: usize| {
        let ended = [Statement::Fixed("ended = true;"), Statement::Break];
        report(code.into()).into_iter().chain(ended).collect()
    };
    let context = Context { index, failure: &failure, saves_registers: true };
    let body = scalars::for_thread(instructions, &number.to_string(), &context);
    Statement::when(name("threadIdx.x").equals(0).and(!name("ended")), [Statement::Once(body)])
}

/// By all threads.
fn copied(number: usize, ins: &[usize], outs: &[usize], minus: bool) -> Vec<Statement> {
    let (from, to) = (Lookup::new(Variable::new("from", number), ins), Lookup::new(Variable::new("to", number), outs));
    let at = |lookup: &Lookup| -> Expression { forward::scalar(lookup.at(name("t"))) };
    let value = if minus { -at(&from) } else { at(&from) };
    let copy = by_all(ins.len(), Statement::set(at(&to), value));
    let mut out = vec![Statement::Fixed("__syncthreads();")];
    out.extend(from.declaration().into_iter().chain(to.declaration()));
    out.push(Statement::when(!name("ended"), [copy]));
    out.push(Statement::Fixed("__syncthreads();"));
    out
}

/// Whether an instruction copies, and changes the sign (`true`) or not; none if it does something else.
fn copies(instruction: &Instruction) -> Option<bool> {
    match instruction {
        Instruction::Move { .. } => Some(false),
        Instruction::Scalar { op: Arithmetic::Neg, .. } => Some(true),
        _ => None,
    }
}

fn ends(instruction: &Instruction, index: &dyn Fn(Slot) -> usize) -> (usize, usize) {
    let out = instruction.scalar_write().expect("copies write a scalar");
    (index(instruction.scalar_reads()[0]), index(out))
}

/// Whether a segment is run side by side, and with which sign.
fn side_by_side(segment: &[Instruction]) -> Option<bool> {
    copies(&segment[0]).filter(|_| segment.len() >= SIDE_BY_SIDE && run(segment) == segment.len())
}

/// How many instructions at the beginning copy with one sign, none what another one writes.
fn run(instructions: &[Instruction]) -> usize {
    let (mut read, mut written): (Vec<Slot>, Vec<Slot>) = (Vec::new(), Vec::new());
    let kind = instructions.first().and_then(copies);
    let mut joins = |instruction: &Instruction| {
        let (from, to) = (instruction.scalar_reads(), instruction.scalar_write());
        let free = !from.iter().any(|slot| written.contains(slot))
            && !to.is_some_and(|slot| written.contains(&slot) || read.contains(&slot));
        read.extend(from);
        written.extend(to);
        kind.is_some() && copies(instruction) == kind && free
    };
    instructions.iter().take_while(|instruction| joins(instruction)).count()
}

/// Instructions in order, cut where many begin or end that can be run side by side.
fn segments(instructions: &[Instruction]) -> Vec<&[Instruction]> {
    let mut segments = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < instructions.len() {
        let together = run(&instructions[at..]);
        if together < SIDE_BY_SIDE {
            at += 1;
            continue;
        }
        segments.extend(Some(&instructions[begin..at]).filter(|instructions| !instructions.is_empty()));
        segments.push(&instructions[at..at + together]);
        at += together;
        begin = at;
    }
    segments.extend(Some(&instructions[begin..]).filter(|instructions| !instructions.is_empty()));
    segments
}

#[cfg(test)]
mod tests {
    use super::super::ir;
    use super::*;
    use galerkit_linalg::ScalarKind;

    fn copy(from: usize, to: usize) -> Instruction {
        Instruction::Move { from: Slot(from), to: Slot(to) }
    }

    #[test]
    fn copies_of_different_scalars_run_side_by_side() {
        let mut instructions = vec![Instruction::Constant { value: 1.0, out: Slot(90) }];
        instructions.extend((0..10).map(|i| copy(i, 20 + i)));
        instructions.push(copy(20, 40)); // reads what the first of them writes
        let cut: Vec<usize> = segments(&instructions).iter().map(|segment| segment.len()).collect();
        assert_eq!(cut, [1, 10, 1]);
        assert_eq!(
            segments(&instructions).into_iter().map(side_by_side).collect::<Vec<_>>(),
            [None, Some(false), None]
        );
        let few: Vec<Instruction> = (0..5).map(|i| copy(i, 20 + i)).collect();
        assert_eq!(segments(&few).len(), 1);
        assert_eq!(side_by_side(&few), None);
    }

    /// The end of a cycle of 80 complex directions did not compile: its scalars asked for more shared memory than there
    /// is.
    #[test]
    fn scalars_of_a_long_cycle_stay_where_they_are() {
        let text = |count: usize, kind| {
            let copies: Vec<Instruction> = (0..count).map(|k| copy(k, count + k)).collect();
            let mut names = Names::default();
            copies.iter().for_each(|copy| names.read(copy));
            names.note_scalar(kind);
            ir::print_statements(&statements(&copies, &[], Some(Slot(count)), &names))
        };
        let (long, short) = (text(1500, ScalarKind::C64), text(1500, ScalarKind::F64));
        assert!(long.contains("Scalar *c = a.s;") && !long.contains("__shared__ Scalar c"), "{long}");
        assert!(long.contains("c[1500 + 1 * t] = c[0 + 1 * t];"), "{long}");
        assert!(short.contains("__shared__ Scalar c[3000];") && !short.contains("*c = a.s"), "{short}");
    }
}
