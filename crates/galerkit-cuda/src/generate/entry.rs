//! The instructions of a pass for entry i: every vector is loaded once, before any arithmetic, and stored once, after
//! all of it. Behind a product by rows they are a function that loads and returns one that takes the row's sum and does
//! all else: a map whose rows are short calls the first before it has the sum, so that nothing waits for the sum that
//! need not.

use super::ir::{Assignment, Expression, Lambda, Statement, Type, Variable};
use super::ir::{call, element, name, of_map, single, widen};
use super::variables::{Index, map_entry, scalar, sum, variable};
use super::{Names, multi, pointwise};
use crate::map::Interface;
use galerkit_linalg::program::{Instruction, MapId, Vector};

const I: Index = Index { name: "i", entry: "xi" };
const J: Index = Index { name: "j", entry: "xj" };

/// The statements for one entry. If the first instruction is a product of a map that works by rows, its sum comes as
/// `sum`. Scalars are read as `k<n>`, those of multi-axpys as in multi.rs; dots are added to `d[n]`, counted from 0 in
/// the order of the instructions.
pub fn entry(pass: &[Instruction], names: &Names, interface: &dyn Fn(MapId) -> Interface) -> Vec<Statement> {
    entries(pass, names, interface, &[I]).in_one()
}

/// The statements for entries `i` and `j`: all loads first, so that twice as many are under way.
pub fn two_entries(pass: &[Instruction], names: &Names, interface: &dyn Fn(MapId) -> Interface) -> Vec<Statement> {
    entries(pass, names, interface, &[I, J]).in_one()
}

/// The function for a row of the product at the head of a pass.
pub fn row(pass: &[Instruction], names: &Names, interface: &dyn Fn(MapId) -> Interface) -> Expression {
    let Entries { load: mut body, loaded, rest, .. } = entries(pass, names, interface, &[I]);
    let copies = [name("i")].into_iter().chain(loaded.iter().map(Variable::value)).collect();
    let parameters = vec![(names.kind(pass[0].rows_of()), "sum")];
    let with_sum = Lambda { copies, parameters, mutable: true, body: rest };
    body.push(Statement::Return(Some(Expression::Lambda(Box::new(with_sum)))));
    let parameters = vec![(Type::Offset, "i")];
    Expression::Lambda(Box::new(Lambda { copies: Vec::new(), parameters, mutable: false, body }))
}

/// What is done with some entries.
#[derive(Default)]
struct Entries {
    /// The loads.
    load: Vec<Statement>,
    /// The variables that hold what was loaded.
    loaded: Vec<Variable>,
    /// Arithmetic and stores.
    rest: Vec<Statement>,
    known: Vec<Vector>,
    written: Vec<Vector>,
    maps: Vec<MapId>,
}

fn entries(pass: &[Instruction], names: &Names, interface: &dyn Fn(MapId) -> Interface, at: &[Index]) -> Entries {
    let head = pass.first().filter(|it| it.map().is_some_and(|A| interface(A).of(it) == Interface::Rows));
    let axpys = multi::axpys(pass, names);
    let mut entries = Entries::default();
    let mut dots = 0;
    for (l, instruction) in pass.iter().enumerate() {
        let is_head = l == 0 && head.is_some();
        let run = axpys.iter().find(|run| run.contains(&l));
        let reads = if run.is_some() { vec![instruction.rows_of()] } else { entry_reads(instruction, is_head) };
        entries.mention(&reads, instruction.writes(), names, at);
        if let Some(A) = instruction.map().filter(|_| !is_head) {
            entries.load_map(A, names.kind(instruction.rows_of()), names, at);
        }
        match run {
            Some(run) if run.start == l => entries.rest.push(multi::axpy_loop(pass, run, names, at)),
            Some(_) => (),
            None => entries.rest.extend(at.iter().map(|&at| arithmetic(instruction, is_head, names, dots, at))),
        }
        dots += usize::from(instruction.reduces());
    }
    entries.store(names, at);
    entries
}

impl Entries {
    fn in_one(self) -> Vec<Statement> {
        self.load.into_iter().chain(self.rest).collect()
    }

    /// Loads what is read, declares what is written, once each.
    fn mention(&mut self, reads: &[Vector], writes: &[Vector], names: &Names, at: &[Index]) {
        for (&x, is_read) in reads.iter().map(|x| (x, true)).chain(writes.iter().map(|y| (y, false))) {
            if self.known.contains(&x) {
                continue;
            }
            self.known.push(x);
            for &at in at {
                let (kind, variable) = (names.kind(x), variable(x, names, at));
                if is_read {
                    let value = element(names.pointer(x), name(at.name));
                    self.load.push(Statement::variable(kind, variable.clone(), value));
                    self.loaded.push(variable);
                } else {
                    self.rest.push(Statement::variable(kind, variable, None));
                }
            }
        }
        self.written.extend(writes.iter().filter(|y| !self.written.contains(y)).copied().collect::<Vec<_>>());
    }

    fn load_map(&mut self, A: MapId, kind: Type, names: &Names, at: &[Index]) {
        if self.maps.contains(&A) {
            return;
        }
        self.maps.push(A);
        for &at in at {
            let value = of_map(names.arrays(A), "entry", None, vec![name(at.name)]);
            let entry = map_entry(names.map(A), at);
            self.load.push(Statement::constant(kind, entry.clone(), value));
            self.loaded.push(entry);
        }
    }

    /// Stores what was written, as far as somebody reads it from memory.
    fn store(&mut self, names: &Names, at: &[Index]) {
        for &y in self.written.iter().filter(|&&y| !names.is_temporary(y)) {
            for &at in at {
                let target = element(names.pointer(y), name(at.name));
                self.rest.push(Statement::set(target, variable(y, names, at).value()));
            }
        }
    }
}

/// The vectors of which an instruction reads entry i itself.
fn entry_reads(instruction: &Instruction, is_head: bool) -> Vec<Vector> {
    match *instruction {
        Instruction::Apply { .. } if is_head => Vec::new(),
        Instruction::Residual { b, .. } if is_head => vec![b],
        _ => instruction.reads(),
    }
}

/// One instruction for an entry; `d` is the number of its sum, if it is one.
fn arithmetic(instruction: &Instruction, is_head: bool, names: &Names, d: usize, at: Index) -> Statement {
    let v = |x: Vector| variable(x, names, at).value();
    let is_single = names.is_single(instruction.rows_of());
    // x of a dot product or an update in the precision of the instruction.
    let wide = |x: Vector| if names.is_single(x) && !is_single { widen(v(x)) } else { v(x) };
    let k = |s| {
        let k = scalar(names.slot(s)).value();
        if is_single { single(k) } else { k }
    };
    let m = |A| map_entry(names.map(A), at).value();
    let set = |y, value| Statement::set(v(y), value);
    match *instruction {
        Instruction::Apply { y, .. } if is_head => set(y, name("sum")),
        Instruction::Residual { b, r, .. } if is_head => set(r, v(b) - name("sum")),
        Instruction::Apply { A, x, y } => set(y, m(A) * v(x)),
        Instruction::Residual { A, b, x, r } => set(r, v(b) - m(A) * v(x)),
        Instruction::Copy { x, y } if names.is_single(x) == is_single => set(y, v(x)),
        Instruction::Copy { x, y } => set(y, if is_single { single(v(x)) } else { widen(v(x)) }),
        Instruction::Axpby { a, x, b, y } => {
            set(y, call("is_zero", [k(b)]).select(k(a) * v(x), k(a) * v(x) + k(b) * v(y)))
        }
        Instruction::Axpy { a, x, y } => set(y, v(y) + k(a) * wide(x)),
        Instruction::Xpby { x, b, y } => set(y, v(x) + k(b) * v(y)),
        Instruction::Scale { a, y } => set(y, k(a) * v(y)),
        Instruction::Dot { x, y, .. } => {
            let product = match (x == y, is_single) {
                (true, _) => call("scalar", [call("modulus_squared", [v(x)])]),
                (false, false) => call("conj", [wide(x)]) * v(y),
                (false, true) => widen(call("conj", [v(x)]) * v(y)),
            };
            Statement::Assign(sum(d), Assignment::Add, product)
        }
        Instruction::Pointwise { ref update, ref read, ref tape } => pointwise::block((update, read, tape), names, at),
        Instruction::NormInf { x, .. } => {
            let modulus = call("Real", [call("modulus", [v(x)])]);
            Statement::set(sum(d), call("scalar", [call("larger", [call("real", [sum(d)]), modulus])]))
        }
        _ => unreachable!("a pass has vector instructions only"),
    }
}
