//! Scalar lines as CUDA text.

use crate::ring::code;
use galerkit_linalg::program::Test;
use galerkit_linalg::program::{Arithmetic, Instruction, Slot};

/// What a scalar line computes, and where to; none for tests.
pub fn assignment(line: &Instruction, read: &dyn Fn(Slot) -> String) -> Option<(Slot, String)> {
    Some(match *line {
        Instruction::Constant { value, out } => (out, format!("scalar({value:e})")),
        Instruction::Move { from, to } => (to, read(from)),
        Instruction::Scalar { op, a, b, out } => (out, operation(op, &read(a), &read(b))),
        _ => return None,
    })
}

fn operation(op: Arithmetic, a: &str, b: &str) -> String {
    match op {
        Arithmetic::Add => format!("{a} + {b}"),
        Arithmetic::Sub => format!("{a} - {b}"),
        Arithmetic::Mul => format!("{a} * {b}"),
        Arithmetic::Div => format!("{a} / {b}"),
        Arithmetic::Neg => format!("-{a}"),
        Arithmetic::Sqrt => format!("square_root({a})"),
        Arithmetic::Conj => format!("conj({a})"),
        Arithmetic::Abs => format!("scalar(modulus({a}))"),
        Arithmetic::Over => format!("(is_zero({b}) ? zero() : {a} / {b})"),
    }
}

/// The condition of a test and the code of its outcome; none for other lines.
pub fn condition(line: &Instruction, read: &dyn Fn(Slot) -> String) -> Option<(String, usize)> {
    let Instruction::Require { test, otherwise } = line else { return None };
    Some((holds(test, read), code(*otherwise)))
}

/// Whether a test holds.
pub fn holds(test: &Test<Slot>, read: &dyn Fn(Slot) -> String) -> String {
    let number = read(test.number());
    match test {
        Test::Positive(_) => format!("positive({number})"),
        Test::Nonzero(_) => format!("nonzero({number})"),
        Test::Finite(_) => format!("is_finite({number})"),
    }
}
