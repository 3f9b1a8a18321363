//! Expressions. Integers and reals are the literals that may differ between variants; sizes and template arguments may
//! not, and are of another type.

use super::Statement;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A whole literal: the number of a scalar, of a vector, of an outcome, a count.
    Integer(u64),
    /// A finite literal, by its bits: 0 and -0 differ.
    Real(u64),
    /// A generated variable.
    Variable(Variable),
    /// A fixed name, or a fixed expression that needs no parentheses.
    Name(&'static str),
    /// A numbered kernel argument: `a.list0`.
    Argument(&'static str, usize),
    /// `array[index]`.
    Element(Box<Expression>, Box<Expression>),
    /// An operator before its operand.
    Unary(Unary, Box<Expression>),
    /// An operator between its operands.
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `condition ? then : otherwise`.
    Select(Box<[Expression; 3]>),
    /// A call of a device function.
    Call(Function, Vec<Expression>),
    /// A function written where it is passed.
    Lambda(Box<Lambda>),
    /// `{first, second}`, behind a declaration.
    List(Vec<Expression>),
}

/// A variable that a kernel declares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// What it is for.
    pub stem: &'static str,
    /// Which one of those; empty where there is one only, which then keeps its name.
    pub id: String,
}

impl Variable {
    /// The variable of this stem with this number, or whatever tells it from others.
    pub fn new(stem: &'static str, id: impl ToString) -> Self {
        Self { stem, id: id.to_string() }
    }
    /// The only one of its stem.
    pub fn only(stem: &'static str) -> Self {
        Self { stem, id: String::new() }
    }
    /// Its value.
    pub fn value(&self) -> Expression {
        Expression::Variable(self.clone())
    }
}

/// Where a `goto` leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// What it is for.
    pub stem: &'static str,
    /// Which one of those.
    pub path: Vec<usize>,
}

/// Operators before their operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-a`
    Minus,
    /// `!a`
    Not,
}

/// Operators between their operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Binary {
    Mul,
    Div,
    Remainder,
    Add,
    Sub,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    And,
    Or,
    /// `a / b`, 0 where b is 0.
    Over,
}

/// A device function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The map in whose namespace it is; none: it is in the prelude or in `solver.cuh`.
    pub map: Option<usize>,
    /// Its name.
    pub name: &'static str,
    /// Its template arguments; they decide about shapes, so variants cannot differ in them.
    pub template: Vec<Static>,
}

/// A template argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Static {
    Count(usize),
    Flag(bool),
    Name(&'static str),
}

/// A lambda, which takes what it mentions by reference, `copies` by value.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// What it copies.
    pub copies: Vec<Expression>,
    /// Types and names of its parameters.
    pub parameters: Vec<(Type, &'static str)>,
    /// Whether it may change its copies.
    pub mutable: bool,
    /// What it does.
    pub body: Vec<Statement>,
}

/// Types of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Type {
    Scalar,
    /// A scalar in single precision.
    Single,
    Offset,
    Unsigned,
    Int,
    Bool,
    Double,
    /// To entries that are only read.
    Scalars,
    /// The same in single precision.
    Singles,
    /// The arrays of a map.
    Map(usize),
    /// Any other, by its name.
    Named(&'static str),
}
