//! How a pass goes through all of its rows: by the product at its head, or entry by entry.

use super::entry::{entry, row, two_entries};
use super::ir::{Assignment, Declaration, Expression, Lambda, Loop, Statement, Storage, Type, Unroll, Variable};
use super::ir::{call, element, name, of_map};
use super::{Call, Names, multi};
use crate::map::Interface;
use galerkit_linalg::program::{Instruction, MapId};

/// Which scalars that a pass makes, by bits, are infinity norms and not sums.
pub fn norms_inf(pass: &[Instruction]) -> usize {
    let reductions = pass.iter().filter(|instruction| instruction.reduces());
    reductions
        .enumerate()
        .map(|(d, instruction)| usize::from(matches!(instruction, Instruction::NormInf { .. })) << d)
        .sum()
}

/// The sums of a pass, one for each of its dots.
pub fn declare_dots(dots: usize) -> Option<Statement> {
    let value = Some(Expression::List(vec![call("zero", []); dots]));
    let size = Some(dots.into());
    let array = Declaration { storage: Storage::Register, kind: Type::Scalar, name: Variable::only("d"), size, value };
    (dots > 0).then_some(Statement::Declare(array))
}

/// The statements that go through all rows of a pass that is no multi-dot. Many updates, which usually follow many dot
/// products, go backwards: what was read last is still in the cache.
pub fn walk(
    call: &Call,
    pass: &[Instruction],
    names: &Names,
    interface: &dyn Fn(MapId) -> Interface,
) -> Vec<Statement> {
    let input = || names.pointer(pass[0].product_input().expect("a product has an input"));
    let product = match call.head {
        Some((A, Interface::Rows)) => {
            of_map(names.arrays(A), "each_row", None, vec![input(), row(pass, names, interface)])
        }
        Some((A, Interface::Split)) => {
            let (write, add) = split_lambdas(&pass[0], names);
            of_map(names.arrays(A), "product", None, vec![input(), write, add])
        }
        Some((A, Interface::Elements { energy, .. })) => {
            let elements = of_map(names.arrays(A), "elements", Some(call.pass), vec![input()]);
            if call.dots > 0 && call.pass == energy {
                return vec![Statement::Assign(element(name("d"), 0), Assignment::Add, elements)];
            }
            elements
        }
        Some((A, Interface::Passes(_))) => {
            let Instruction::Apply { x, y, .. } = pass[0] else {
                unreachable!("maps in passes approximate inverses, of which no residual is taken")
            };
            of_map(names.arrays(A), "apply", Some(call.pass), vec![names.pointer(x), names.pointer(y)])
        }
        _ => return by_entries(pass, names, interface),
    };
    vec![Statement::Evaluate(product)]
}

/// Two entries at a time.
fn by_entries(pass: &[Instruction], names: &Names, interface: &dyn Fn(MapId) -> Interface) -> Vec<Statement> {
    let n = names.rows(pass);
    let (one, two) = (entry(pass, names, interface), two_entries(pass, names, interface));
    if multi::axpys(pass, names).is_empty() { vec![forwards(n, one, two)] } else { backwards(&n, one, two) }
}

fn forwards(n: Expression, one: Vec<Statement>, two: Vec<Statement>) -> Statement {
    let [i, j] = ["i", "j"].map(Variable::only);
    let behind = |index: &Variable| index.value() + call("thread_count", []);
    Statement::For(Box::new(Loop {
        unroll: Unroll::AsItLikes,
        kind: Type::Offset,
        start: vec![(i.clone(), call("thread_index", [])), (j.clone(), behind(&i))],
        condition: i.value().less(n.clone()),
        step: vec![(i.value(), Assignment::Set, behind(&j)), (j.value(), Assignment::Set, behind(&i))],
        body: vec![Statement::If(j.value().less(n), two, one)],
    }))
}

/// A block has a contiguous part of the rows, from its last to its first.
fn backwards(n: &Expression, one: Vec<Statement>, two: Vec<Statement>) -> Vec<Statement> {
    let offset = |stem, value| Statement::constant(Type::Offset, Variable::only(stem), value);
    let (block, threads) = (|| name("blockIdx.x"), || name("blockDim.x"));
    let first_row = |block| call("first_row", [n.clone(), block, name("gridDim.x")]);
    let count = || name("last") - name("first");
    let k = Variable::only("k");
    let body = vec![
        offset("i", name("last") - 1 - k.value()),
        offset("j", name("i") - threads()),
        Statement::If((k.value() + threads()).less(count()), two, one),
    ];
    let all = Loop {
        unroll: Unroll::AsItLikes,
        kind: Type::Offset,
        condition: k.value().less(count()),
        step: vec![(k.value(), Assignment::Add, Expression::from(2) * threads())],
        start: vec![(k, name("threadIdx.x"))],
        body,
    };
    vec![offset("first", first_row(block())), offset("last", first_row(block() + 1)), Statement::For(Box::new(all))]
}

/// What a split product does with a sum, and with the rest of one that comes later.
pub fn split_lambdas(instruction: &Instruction, names: &Names) -> (Expression, Expression) {
    let v = |x| element(names.pointer(x), name("i"));
    let lambda = |target, operator, value| {
        let parameters = vec![(Type::Offset, "i"), (names.kind(instruction.rows_of()), "sum")];
        let body = vec![Statement::Assign(target, operator, value)];
        Expression::Lambda(Box::new(Lambda { copies: Vec::new(), parameters, mutable: false, body }))
    };
    let sum = || name("sum");
    match *instruction {
        Instruction::Apply { y, .. } => (lambda(v(y), Assignment::Set, sum()), lambda(v(y), Assignment::Add, sum())),
        Instruction::Residual { b, r, .. } => {
            (lambda(v(r), Assignment::Set, v(b) - sum()), lambda(v(r), Assignment::Subtract, sum()))
        }
        _ => unreachable!("only products are split"),
    }
}
