//! A recorded closure as CUDA source for one entry: a constant for each node, in a block of its own, then the results where the
//! entries of its vectors stand. Vectors in single precision are widened before it and rounded behind it.

use super::Names;
use galerkit_linalg::program::pointwise::{Binary, Node, Unary};
use galerkit_linalg::program::{Tape, Vector};
use std::fmt::Write;

/// The statements for entry `at`, on the variables `e<k><at>` of the pass.
pub fn text((update, read, tape): (&[Vector], &[Vector], &Tape), names: &Names, at: &str) -> String {
    let input = |k: usize| {
        let x = if k < update.len() { update[k] } else { read[k - update.len()] };
        let entry = format!("e{}{at}", names.vector(x));
        if x.is_single() { format!("raise({entry})") } else { entry }
    };
    let mut text = String::from("{ ");
    for (n, node) in tape.nodes.iter().enumerate() {
        let kind = if node.is_condition() { "bool" } else { "Scalar" };
        let value = match *node {
            Node::Input(k) => input(k),
            Node::Constant(value) => constant(value),
            Node::Slot(slot) => format!("k{}", names.slot(slot)),
            Node::Unary(op, a) => unary(op, a),
            Node::Binary(op, a, b) => binary(op, a, b),
            Node::Not(a) => format!("!t{a}"),
            Node::Select(condition, a, b) => format!("t{condition} ? t{a} : t{b}"),
        };
        let _ = write!(text, "const {kind} t{n} = {value}; ");
    }
    for (&y, &node) in update.iter().zip(&tape.out) {
        let made = if y.is_single() { format!("lower(t{node})") } else { format!("t{node}") };
        let _ = write!(text, "e{}{at} = {made}; ", names.vector(y));
    }
    text + "} "
}

/// A constant as source; the last digits decide about bits.
fn constant(value: f64) -> String {
    match value {
        value if value.is_nan() => "scalar(__longlong_as_double(0x7ff8000000000000ll))".into(),
        value if value.is_infinite() => {
            format!("scalar({}__longlong_as_double(0x7ff0000000000000ll))", if value < 0.0 { "-" } else { "" })
        }
        value => format!("scalar({value:e})"),
    }
}

fn unary(op: Unary, a: usize) -> String {
    match op {
        Unary::Neg => format!("-t{a}"),
        Unary::Sqrt => format!("square_root(t{a})"),
        Unary::Exp => format!("exponential(t{a})"),
        Unary::Ln => format!("logarithm(t{a})"),
        Unary::Abs => format!("scalar(modulus(t{a}))"),
        Unary::Conj => format!("conj(t{a})"),
        Unary::Re => format!("scalar(real(t{a}))"),
    }
}

fn binary(op: Binary, a: usize, b: usize) -> String {
    match op {
        Binary::Add => format!("t{a} + t{b}"),
        Binary::Sub => format!("t{a} - t{b}"),
        Binary::Mul => format!("t{a} * t{b}"),
        Binary::Div => format!("t{a} / t{b}"),
        Binary::Pow => format!("power(t{a}, t{b})"),
        Binary::Min => format!("real(t{b}) < real(t{a}) ? t{b} : t{a}"),
        Binary::Max => format!("real(t{b}) > real(t{a}) ? t{b} : t{a}"),
        Binary::Less => format!("real(t{a}) < real(t{b})"),
        Binary::LessEqual => format!("real(t{a}) <= real(t{b})"),
        Binary::And => format!("t{a} && t{b}"),
        Binary::Or => format!("t{a} || t{b}"),
    }
}
