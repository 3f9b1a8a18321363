//! One instruction on scalars; what a failed test does.

use super::ir::{Binary, Expression, Statement, call, name};
use crate::ring::code;
use galerkit_linalg::program::Test;
use galerkit_linalg::program::{Arithmetic, Instruction, Slot};

/// What an instruction computes, and where to; none for tests.
pub fn assignment(instruction: &Instruction, read: &dyn Fn(Slot) -> Expression) -> Option<(Slot, Expression)> {
    Some(match *instruction {
        Instruction::Constant { value, out } => (out, constant(value)),
        Instruction::Move { from, to } => (to, read(from)),
        Instruction::Scalar { op, a, b, out } => (out, operation(op, read(a), || read(b))),
        _ => return None,
    })
}

/// A constant; the last digits decide about bits.
pub fn constant(value: f64) -> Expression {
    call("scalar", [Expression::real(value)])
}

fn operation(op: Arithmetic, a: Expression, b: impl Fn() -> Expression) -> Expression {
    match op {
        Arithmetic::Add => a + b(),
        Arithmetic::Sub => a - b(),
        Arithmetic::Mul => a * b(),
        Arithmetic::Div => a / b(),
        Arithmetic::Neg => -a,
        Arithmetic::Sqrt => call("square_root", [a]),
        Arithmetic::Conj => call("conj", [a]),
        Arithmetic::Abs => call("scalar", [call("modulus", [a])]),
        Arithmetic::Over => a.binary(Binary::Over, b()),
    }
}

/// The condition of a test and the code of its outcome; none for other instructions.
pub fn condition(instruction: &Instruction, read: &dyn Fn(Slot) -> Expression) -> Option<(Expression, usize)> {
    let Instruction::Require { test, otherwise } = instruction else { return None };
    Some((holds(test, read), code(*otherwise)))
}

/// Whether a test holds.
pub fn holds(test: &Test<Slot>, read: &dyn Fn(Slot) -> Expression) -> Expression {
    let function = match test {
        Test::Positive(_) => "positive",
        Test::Nonzero(_) => "nonzero",
        Test::Finite(_) => "is_finite",
    };
    call(function, [read(test.number())])
}

/// What is done when a test has failed.
pub fn report(code: Expression) -> Vec<Statement> {
    let failure = call("report_failure", [name("*a.state"), code]);
    vec![Statement::Evaluate(failure), Statement::Fixed("a.state->word = 2;")]
}
