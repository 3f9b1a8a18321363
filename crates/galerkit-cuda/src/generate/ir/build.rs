//! Short ways to write expressions and statements: operators of Rust make operators of C++.

use super::Variable;
use super::{
    Assignment, Binary, Declaration, Expression, Function, Loop, Statement, Static, Storage, Type, Unary, Unroll,
};
use std::ops::{Add, Div, Mul, Neg, Not, Rem, Sub};

/// A fixed name.
pub fn name(name: &'static str) -> Expression {
    Expression::Name(name)
}

/// `array[index]`.
pub fn element(array: Expression, index: impl Into<Expression>) -> Expression {
    Expression::Element(Box::new(array), Box::new(index.into()))
}

/// A call of a function without template arguments.
pub fn call(name: &'static str, arguments: impl Into<Vec<Expression>>) -> Expression {
    template(name, [], arguments)
}

/// A call with template arguments.
pub fn template(
    name: &'static str,
    template: impl Into<Vec<Static>>,
    arguments: impl Into<Vec<Expression>>,
) -> Expression {
    Expression::Call(Function { map: None, name, template: template.into() }, arguments.into())
}

/// A call of a function of a map, to which its arrays come first; its source is in the namespace of that number.
pub fn of_map(
    (space, arrays): (usize, Expression),
    name: &'static str,
    pass: Option<usize>,
    arguments: Vec<Expression>,
) -> Expression {
    let template = pass.map(Static::Count).into_iter().collect();
    let all = [vec![arrays], arguments].concat();
    Expression::Call(Function { map: Some(space), name, template }, all)
}

/// A value of single precision in the precision of the program.
pub fn widen(value: Expression) -> Expression {
    call("widen", [value])
}

/// A value rounded to single precision.
pub fn single(value: Expression) -> Expression {
    call("to_single", [value])
}

impl Expression {
    /// A real literal. Those that are not finite have no literal, only bits.
    pub fn real(value: f64) -> Self {
        match value {
            value if value.is_nan() => name("__longlong_as_double(0x7ff8000000000000ll)"),
            f64::INFINITY => name("__longlong_as_double(0x7ff0000000000000ll)"),
            f64::NEG_INFINITY => -name("__longlong_as_double(0x7ff0000000000000ll)"),
            value => Self::Real(value.to_bits()),
        }
    }

    /// Two expressions with an operator between them.
    pub fn binary(self, operator: Binary, other: impl Into<Expression>) -> Self {
        Self::Binary(operator, Box::new(self), Box::new(other.into()))
    }
    /// `self < other`.
    pub fn less(self, other: impl Into<Expression>) -> Self {
        self.binary(Binary::Less, other)
    }
    /// `self == other`.
    pub fn equals(self, other: impl Into<Expression>) -> Self {
        self.binary(Binary::Equal, other)
    }
    /// `self && other`.
    pub fn and(self, other: Expression) -> Self {
        self.binary(Binary::And, other)
    }
    /// `self ? then : otherwise`.
    pub fn select(self, then: Expression, otherwise: Expression) -> Self {
        Self::Select(Box::new([self, then, otherwise]))
    }
}

impl From<usize> for Expression {
    fn from(value: usize) -> Self {
        Self::Integer(value as u64)
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $binary:ident)*) => {$(
        impl<T: Into<Expression>> $operator<T> for Expression {
            type Output = Expression;
            fn $method(self, other: T) -> Expression {
                self.binary(Binary::$binary, other)
            }
        }
    )*};
}
operators! { Add add Add Sub sub Sub Mul mul Mul Div div Div Rem rem Remainder }

impl Neg for Expression {
    type Output = Expression;
    fn neg(self) -> Expression {
        Expression::Unary(Unary::Minus, Box::new(self))
    }
}

impl Not for Expression {
    type Output = Expression;
    fn not(self) -> Expression {
        Expression::Unary(Unary::Not, Box::new(self))
    }
}

impl Variable {
    /// Its value.
    pub fn value(&self) -> Expression {
        Expression::Variable(self.clone())
    }
}

impl Statement {
    /// `const kind name = value;`
    pub fn constant(kind: Type, name: Variable, value: Expression) -> Self {
        Self::Declare(Declaration { storage: Storage::Constant, kind, name, size: None, value: Some(value) })
    }
    /// `kind name = value;`
    pub fn variable(kind: Type, name: Variable, value: impl Into<Option<Expression>>) -> Self {
        Self::Declare(Declaration { storage: Storage::Register, kind, name, size: None, value: value.into() })
    }
    /// `__shared__ kind name;`, or an array.
    pub fn shared(kind: Type, name: Variable, size: Option<Expression>) -> Self {
        Self::Declare(Declaration { storage: Storage::Shared, kind, name, size, value: None })
    }
    /// `target = value;`
    pub fn set(target: Expression, value: Expression) -> Self {
        Self::Assign(target, Assignment::Set, value)
    }
    /// `if (condition) { then }`
    pub fn when(condition: Expression, then: impl Into<Vec<Statement>>) -> Self {
        Self::If(condition, then.into(), Vec::new())
    }
}

impl Loop {
    /// `for (unsigned t = start; t < end; t += step) body`
    pub fn counted(t: &'static str, range: [Expression; 2], step: Expression, body: Vec<Statement>) -> Self {
        let ([start, end], t) = (range, Variable::only(t));
        Self {
            unroll: Unroll::AsItLikes,
            kind: Type::Unsigned,
            condition: t.value().less(end),
            step: vec![(t.value(), Assignment::Add, step)],
            start: vec![(t, start)],
            body,
        }
    }

    /// The loop with a word to the compiler.
    pub fn unrolled(self, unroll: Unroll) -> Statement {
        Statement::For(Box::new(Self { unroll, ..self }))
    }
}
