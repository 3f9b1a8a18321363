//! Operators and functions.

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

/// What an assignment does with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assignment {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}
