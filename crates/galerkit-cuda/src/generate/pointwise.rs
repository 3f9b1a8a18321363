//! A recorded closure for one entry: a constant for each node, in a block of its own, then the results where the
//! entries of its vectors stand. Vectors in single precision are widened before it and rounded behind it.

use super::Names;
use super::ir::{self, Expression, Statement, Type, Variable, call, single, widen};
use super::scalar::constant;
use super::variables::{Index, scalar, variable};
use galerkit_linalg::program::pointwise::{Binary, Node, Unary};
use galerkit_linalg::program::{Tape, Vector};

/// The statements for an entry, on the variables of the pass.
pub fn block((update, read, tape): (&[Vector], &[Vector], &Tape), names: &Names, at: Index) -> Statement {
    let input = |k: usize| {
        let x = if k < update.len() { update[k] } else { read[k - update.len()] };
        let entry = variable(x, names, at).value();
        if x.is_single() { widen(entry) } else { entry }
    };
    let mut body = Vec::new();
    for (n, node) in tape.nodes.iter().enumerate() {
        let kind = if node.is_condition() { Type::Bool } else { Type::Scalar };
        let value = match *node {
            Node::Input(k) => input(k),
            Node::Constant(value) => constant(value),
            Node::Slot(slot) => scalar(names.slot(slot)).value(),
            Node::Unary(op, a) => unary(op, t(a)),
            Node::Binary(op, a, b) => binary(op, t(a), t(b)),
            Node::Not(a) => !t(a),
            Node::Select(condition, a, b) => t(condition).select(t(a), t(b)),
        };
        body.push(Statement::constant(kind, Variable::new("t", n), value));
    }
    for (&y, &node) in update.iter().zip(&tape.out) {
        let made = if y.is_single() { single(t(node)) } else { t(node) };
        body.push(Statement::set(variable(y, names, at).value(), made));
    }
    Statement::Block(body)
}

/// The value of a node.
fn t(node: usize) -> Expression {
    Variable::new("t", node).value()
}

fn unary(op: Unary, a: Expression) -> Expression {
    match op {
        Unary::Neg => -a,
        Unary::Sqrt => call("square_root", [a]),
        Unary::Exp => call("exponential", [a]),
        Unary::Ln => call("logarithm", [a]),
        Unary::Abs => call("scalar", [call("modulus", [a])]),
        Unary::Conj => call("conj", [a]),
        Unary::Re => call("scalar", [call("real", [a])]),
    }
}

fn binary(op: Binary, a: Expression, b: Expression) -> Expression {
    let real = |a: &Expression| call("real", [a.clone()]);
    match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Pow => call("power", [a, b]),
        Binary::Min => real(&b).less(real(&a)).select(b, a),
        Binary::Max => real(&b).binary(ir::Binary::Greater, real(&a)).select(b, a),
        Binary::Less => real(&a).less(real(&b)),
        Binary::LessEqual => real(&a).binary(ir::Binary::LessEqual, real(&b)),
        Binary::And => a.and(b),
        Binary::Or => a.binary(ir::Binary::Or, b),
    }
}
