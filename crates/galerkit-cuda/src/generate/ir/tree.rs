//! Expressions and statements, and kernels made of them: one tree, because a lambda is an expression made of
//! statements. Integers and reals are the literals that may differ between variants; template arguments may not, and
//! are of another type.

use super::{Assignment, Binary, Function, Label, Storage, Type, Unary, Variable};

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

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A line of source that never varies.
    Fixed(&'static str),
    /// A variable.
    Declare(Declaration),
    /// A table of literals.
    Table(Table),
    /// `target = value;` and its kin.
    Assign(Expression, Assignment, Expression),
    /// A call whose value nobody needs.
    Evaluate(Expression),
    /// `if (condition) then else otherwise`.
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// `for (...) body`.
    For(Box<Loop>),
    /// `for (;;) body`.
    Forever(Vec<Statement>),
    /// A block that `break` leaves.
    Once(Vec<Statement>),
    /// A block.
    Block(Vec<Statement>),
    /// Leaves the innermost loop, or `Once`.
    Break,
    /// Leaves the kernel or the lambda.
    Return(Option<Expression>),
    /// Leads elsewhere.
    Goto(Label),
    /// Where a `Goto` leads.
    Label(Label),
    /// Declares which variant it is, for the statements that follow: `variant` in expressions.
    SelectVariant(Expression),
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Where it is stored.
    pub storage: Storage,
    /// The type, of an element if it is an array.
    pub kind: Type,
    /// Its name.
    pub name: Variable,
    /// The size of an array.
    pub size: Option<Expression>,
    /// Its first value.
    pub value: Option<Expression>,
}

/// A loop with a head.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What the compiler is told about unrolling.
    pub unroll: Unroll,
    /// The type of its variables.
    pub kind: Type,
    /// Its variables, and where they begin.
    pub start: Vec<(Variable, Expression)>,
    /// For how long it goes on.
    pub condition: Expression,
    /// What is done after each round.
    pub step: Vec<(Expression, Assignment, Expression)>,
    /// What is done in each.
    pub body: Vec<Statement>,
}

/// What the compiler is told about unrolling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unroll {
    /// Nothing.
    AsItLikes,
    /// So many rounds.
    By(usize),
    /// All.
    Fully,
}

/// A kernel. Its argument is the struct `Args`, called `a`.
pub struct Kernel {
    /// Threads a block and blocks a multiprocessor, in the names of the preamble.
    pub bounds: Option<&'static str>,
    /// Its name.
    pub name: String,
    /// What it does.
    pub body: Vec<Statement>,
}

/// A table that kernels look literals up in.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name.
    pub name: Variable,
    /// What is in it.
    pub values: Values,
    /// Where it is.
    pub placement: Placement,
}

/// What is in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Whole literals.
    Integers(Vec<u64>),
    /// Reals, by their bits.
    Reals(Vec<u64>),
    /// A row of whole literals for each variant, rows as long as the longest.
    Rows(Vec<Vec<u64>>),
}

/// Where a table is.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// In global memory.
    Global,
    /// In constant memory.
    Constant,
    /// A part of the array `tables`, which begins there.
    PartOfTables(Expression),
    /// A part of what comes with a launch, which begins there.
    OfLaunch(usize),
}
