//! The tree of an expression, and its value.

use super::names::Smooth;
use super::number::{self, Number, Partials};

/// Operations on two values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Compare(Comparison),
    Minimum,
    Maximum,
    /// By partial derivatives.
    Function(fn(f64, f64) -> Partials),
}

/// Which of two numbers is which.
pub(super) type Comparison = fn(&f64, &f64) -> bool;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Constant(f64),
    Variable(usize),
    Negated(Box<Tree>),
    Call(Smooth, Box<Tree>),
    Of(Operation, Box<[Tree; 2]>),
    /// Condition, then, otherwise.
    If(Box<[Tree; 3]>),
}

impl Tree {
    /// Its value with values for x, y, z.
    pub(super) fn value<N: Number>(&self, x: &[N; 3]) -> N {
        match self {
            Self::Constant(value) => N::constant(*value),
            Self::Variable(axis) => x[*axis],
            Self::Negated(of) => -of.value(x),
            Self::Call(function, of) => of.value(x).through(*function),
            Self::Of(Operation::Power, of) if of[1].is_constant() => of[0].value(x).power(of[1].value(x).value()),
            Self::Of(operation, of) => operation.apply(of[0].value(x), of[1].value(x)),
            Self::If(of) => of[if of[0].value(x).value() != 0.0 { 1 } else { 2 }].value(x),
        }
    }
    /// Whether the variable of an axis stands in it.
    pub(super) fn depends_on(&self, axis: usize) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Variable(of) => *of == axis,
            Self::Negated(of) | Self::Call(_, of) => of.depends_on(axis),
            Self::Of(_, of) => of.iter().any(|of| of.depends_on(axis)),
            Self::If(of) => of.iter().any(|of| of.depends_on(axis)),
        }
    }
    /// What depends on no variable, computed once.
    pub(super) fn folded(self) -> Self {
        if self.is_constant() { Self::Constant(self.value(&[0.0; 3])) } else { self }
    }
    /// Whether no variable stands in it.
    pub(super) fn is_constant(&self) -> bool {
        (0..3).all(|axis| !self.depends_on(axis))
    }
}

impl Operation {
    fn apply<N: Number>(self, a: N, b: N) -> N {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => a.with(b, number::pow),
            Self::Compare(holds) => N::constant(f64::from(holds(&a.value(), &b.value()))),
            Self::Minimum => {
                if b.value() < a.value() {
                    b
                } else {
                    a
                }
            }
            Self::Maximum => {
                if b.value() > a.value() {
                    b
                } else {
                    a
                }
            }
            Self::Function(f) => a.with(b, f),
        }
    }
}
