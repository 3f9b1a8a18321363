//! Multi-dot and multi-axpy: loops over many vectors in a pass, for the dot products (v_0, w), (v_1, w), ... and the
//! updates w = w + a_0 v_0 + a_1 v_1 + ... of Gram-Schmidt. Written out they would need registers for all of them,
//! passes in which there is room, and source that takes long to compile.

use super::Names;
use super::ir::{Declaration, Expression, Lambda, Loop, Statement, Static, Storage, Type, Unroll, Variable};
use super::ir::{call, element, name, single, template, widen};
use super::passes::lookup::Lookup;
use super::variables::{Index, variable};
use galerkit_linalg::program::fuse::{dot_run, update_run};
use galerkit_linalg::program::{Instruction, Slot, Vector};
use std::ops::Range;

/// The multi-axpys of a pass, by the numbers of their instructions. A loop goes through vectors of one precision.
pub fn axpys(pass: &[Instruction], names: &Names) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < pass.len() {
        let run = at..at + update_run(&pass[at..]);
        let others = inputs(&pass[run.clone()]);
        let is_read_only = others.iter().all(|x| pass.iter().all(|instruction| !instruction.writes().contains(x)));
        at += run.len().max(1);
        if run.len() >= names.many() && is_read_only && names.are_of_one_kind(&others) {
            found.push(run);
        }
    }
    found
}

/// Whether a pass is a multi-dot: nothing but dot products with one vector, enough of them for a loop.
pub fn is_dots(pass: &[Instruction], names: &Names) -> bool {
    pass.len() >= names.many() && dot_run(pass) == pass.len() && names.are_of_one_kind(&inputs(pass))
}

/// The lists of vectors that a pass goes through.
pub fn lists(pass: &[Instruction], names: &Names) -> Vec<Vec<Vector>> {
    if is_dots(pass, names) {
        return vec![inputs(pass)];
    }
    axpys(pass, names).into_iter().map(|run| inputs(&pass[run])).collect()
}

/// The vectors that the instructions of a loop go through.
pub fn inputs(run: &[Instruction]) -> Vec<Vector> {
    let input = |instruction: &Instruction| match *instruction {
        Instruction::Axpy { x, .. } | Instruction::Dot { x, .. } => Some(x),
        _ => None,
    };
    run.iter().filter_map(input).collect()
}

/// The scalars that a pass reads by name, not through a loop.
pub fn plain_reads(pass: &[Instruction], names: &Names) -> Vec<Slot> {
    let loops = axpys(pass, names);
    let plain = pass.iter().enumerate().filter(|(l, _)| !loops.iter().any(|run| run.contains(l)));
    plain.flat_map(|(_, instruction)| instruction.scalar_reads()).collect()
}

/// The coefficients of the multi-axpy that begins there, in shared memory.
pub fn coefficient(begin: usize) -> Variable {
    Variable::new("h", begin)
}

/// Its vectors, in shared memory.
fn vectors(begin: usize) -> Variable {
    Variable::new("v", begin)
}

fn lookup(name: Variable, slots: &[Slot], names: &Names) -> Lookup {
    Lookup::new(name, &slots.iter().map(|&slot| names.slot(slot)).collect::<Vec<_>>())
}

/// Brings the coefficients of a pass's multi-axpys into shared memory, and where their vectors are; `from` is the array
/// of all scalars.
pub fn coefficients(pass: &[Instruction], from: &'static str, names: &Names) -> Vec<Statement> {
    let mut out = Vec::new();
    for run in axpys(pass, names) {
        let (l, count) = (run.start, run.len());
        let instructions = &pass[run];
        let slots: Vec<Slot> = instructions.iter().flat_map(Instruction::scalar_reads).collect();
        let list = inputs(instructions);
        let at = lookup(Variable::new("at", l), &slots, names);
        out.extend(at.declaration());
        let (longest, t) = (|| Some(name("LONGEST_LIST")), || name("t"));
        out.push(Statement::shared(Type::Scalar, coefficient(l), longest()));
        out.push(Statement::shared(pointer(names, list[0]), vectors(l), longest()));
        let body = vec![
            Statement::set(element(coefficient(l).value(), t()), element(name(from), at.at(t()))),
            Statement::set(element(vectors(l).value(), t()), element(names.list(&list), t())),
        ];
        let range = [name("threadIdx.x"), count.into()];
        out.push(Loop::counted("t", range, name("blockDim.x"), body).unrolled(Unroll::AsItLikes));
    }
    if !out.is_empty() {
        out.push(Statement::Fixed("__syncthreads();"));
    }
    out
}

fn pointer(names: &Names, x: Vector) -> Type {
    if names.is_single(x) { Type::Singles } else { Type::Scalars }
}

/// A multi-dot by blocks of so many threads, in the names of the preamble, with that much room in shared memory; each
/// block leaves its sums in `partials`.
pub fn dots(
    pass: &[Instruction],
    names: &Names,
    (threads, room): (&'static str, usize),
    partials: Expression,
) -> Statement {
    let (list, y) = (names.list(&inputs(pass)), names.pointer(pass[0].reads()[1]));
    let shape = [Static::Name(threads), Static::Count(room)];
    Statement::Evaluate(template("many_dots", shape, [list, pass.len().into(), y, names.rows(pass), partials]))
}

/// The sums of a multi-dot go where they belong in `to`, the array of all scalars.
pub fn totals(pass: &[Instruction], partials: Expression, to: &'static str, names: &Names) -> Vec<Statement> {
    let outs: Vec<Slot> = pass.iter().filter_map(Instruction::scalar_write).collect();
    let at = lookup(Variable::only("outs"), &outs, names);
    let store = Expression::Lambda(Box::new(Lambda {
        copies: Vec::new(),
        parameters: vec![(Type::Unsigned, "t"), (Type::Scalar, "sum")],
        mutable: false,
        body: vec![Statement::set(element(name(to), at.at(name("t"))), name("sum"))],
    }));
    let sums = call("many_totals", [partials, outs.len().into(), names.rows(pass), store]);
    at.declaration().into_iter().chain([Statement::Evaluate(sums)]).collect()
}

/// One multi-axpy, for several entries at once. Of a single entry, which only small systems have, those of some vectors
/// are asked for before the first is used; otherwise the compiler arranges it.
pub fn axpy_loop(pass: &[Instruction], run: &Range<usize>, names: &Names, entries: &[Index]) -> Statement {
    let instructions = &pass[run.clone()];
    let axpy =
        Axpy { x: inputs(instructions)[0], y: instructions[0].rows_of(), begin: run.start, count: run.len(), names };
    if let [at] = entries { axpy.of_one(*at) } else { axpy.of_several(entries) }
}

struct Axpy<'a> {
    x: Vector,
    y: Vector,
    begin: usize,
    count: usize,
    names: &'a Names,
}

impl Axpy<'_> {
    /// `h` is the coefficient at an index.
    fn coefficient(&self, at: Expression) -> Statement {
        let h = element(coefficient(self.begin).value(), at);
        let h = if self.names.is_single(self.y) { single(h) } else { h };
        Statement::constant(self.names.kind(self.y), Variable::only("h"), h)
    }

    /// y = y + h x for one entry.
    fn add(&self, at: Index, x: Expression) -> Statement {
        let x = if self.names.is_single(self.x) == self.names.is_single(self.y) { x } else { widen(x) };
        let y = || variable(self.y, self.names, at).value();
        Statement::set(y(), y() + name("h") * x)
    }

    fn of_one(&self, at: Index) -> Statement {
        let (x, index) = (Variable::only(at.entry), || name("u") + name("t"));
        let each = |body: Vec<Statement>| {
            let inside = Statement::when(index().less(self.count), body);
            Loop::counted("t", [0.into(), name("UPDATES")], 1.into(), vec![inside]).unrolled(Unroll::Fully)
        };
        let (kind, size) = (self.names.kind(self.x), Some(name("UPDATES")));
        let array = Declaration { storage: Storage::Register, kind, name: x.clone(), size, value: None };
        let read = element(element(vectors(self.begin).value(), index()), name(at.name));
        let of_t = || element(x.value(), name("t"));
        let body = vec![
            Statement::Declare(array),
            each(vec![Statement::set(of_t(), read)]),
            each(vec![self.coefficient(index()), self.add(at, of_t())]),
        ];
        Loop::counted("u", [0.into(), self.count.into()], name("UPDATES"), body).unrolled(Unroll::By(1))
    }

    fn of_several(&self, entries: &[Index]) -> Statement {
        let from = element(vectors(self.begin).value(), name("u"));
        let mut body = vec![
            self.coefficient(name("u")),
            Statement::variable(pointer(self.names, self.x), Variable::only("x"), from),
        ];
        for at in entries {
            let entry = element(name("x"), name(at.name));
            body.push(Statement::constant(self.names.kind(self.x), Variable::only(at.entry), entry));
        }
        body.extend(entries.iter().map(|&at| self.add(at, name(at.entry))));
        Loop::counted("u", [0.into(), self.count.into()], 1.into(), body).unrolled(Unroll::By(8))
    }
}
