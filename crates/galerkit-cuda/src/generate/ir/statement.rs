//! Statements, and kernels made of them.

use super::{Expression, Label, Type, Variable};

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

/// Where a variable is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In registers.
    Register,
    /// In registers, and never changes.
    Constant,
    /// In shared memory.
    Shared,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// In global memory.
    Global,
    /// In constant memory.
    Constant,
    /// A part of the array `tables`, which begins there.
    PartOfTables(usize),
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
