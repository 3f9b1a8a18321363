//! A recorded program: the instructions of one iteration (or of what comes before the loop), in order.

use super::{Outcome, Slot, Tape, Test, Vector};
use std::fmt;
use std::sync::Arc;

/// Names a loaded map: a pattern, and the vector of the values that stand in its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapId {
    /// Where its executor keeps the pattern.
    pub id: usize,
    /// The values; of length 0 for a map without.
    pub values: Vector,
}

/// Scalar operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// a + b
    Add,
    /// a - b
    Sub,
    /// a * b
    Mul,
    /// a / b
    Div,
    /// -a
    Neg,
    /// sqrt(a)
    Sqrt,
    /// conj(a)
    Conj,
    /// |a|
    Abs,
    /// a / b; 0 if b = 0
    Over,
}

/// One verb with the names of what it works on. The formulas are those of [`Engine`](crate::engine::Engine).
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are the letters of the formula
pub enum Instruction {
    /// y = A x
    Apply { A: MapId, x: Vector, y: Vector },
    /// r = b - A x
    Residual { A: MapId, b: Vector, x: Vector, r: Vector },
    /// What a product by elements does before its rows are summed; energy = (x, A x). Executors that multiply so put it
    /// in front of products ([`super::elements`]); nobody records it.
    Elements { A: MapId, x: Vector, energy: Option<Slot> },
    /// y = x
    Copy { x: Vector, y: Vector },
    /// y = a x + b y
    Axpby { a: Slot, x: Vector, b: Slot, y: Vector },
    /// y = y + a x
    Axpy { a: Slot, x: Vector, y: Vector },
    /// y = x + b y
    Xpby { x: Vector, b: Slot, y: Vector },
    /// y = a y
    Scale { a: Slot, y: Vector },
    /// out = conj(x) . y
    Dot { x: Vector, y: Vector, out: Slot },
    /// out = max |x_i|
    NormInf { x: Vector, out: Slot },
    /// Each entry of `update` becomes what the tape makes of the entries of `update` and `read`.
    Pointwise { update: Vec<Vector>, read: Vec<Vector>, tape: Arc<Tape> },
    /// out = value
    Constant { value: f64, out: Slot },
    /// out = a op b; the unary operations ignore b
    Scalar { op: Arithmetic, a: Slot, b: Slot, out: Slot },
    /// to = from
    Move { from: Slot, to: Slot },
    /// End the loop unless the test holds.
    Require { test: Test<Slot>, otherwise: Outcome },
    /// Run the body in every period-th iteration.
    Every { period: usize, body: Vec<Instruction> },
    /// Run one of the bodies: the first in the first iteration, the next in the next, and again from the first.
    Cyclic { bodies: Vec<Vec<Instruction>> },
    /// Run the body unless the test holds.
    Unless { test: Test<Slot>, body: Vec<Instruction> },
    /// Repeat the body, then tell how often and how it ended: see [`Nested`](crate::engine::Nested).
    Repeat { until: Until, body: Vec<Instruction> },
}

/// When a loop inside an iteration ends, and where what it needs and tells is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // as in `Stop` and `Loop`
pub struct Until {
    pub start: Slot,
    pub watched: Slot,
    pub rtol: f64,
    pub atol: f64,
    pub limit: usize,
    /// Iterations that were completed.
    pub count: Slot,
    /// 1: converged; 0: out of iterations; -1: a test failed or a norm is not finite.
    pub ended: Slot,
}

/// Instructions in the order they were recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The instructions.
    pub instructions: Vec<Instruction>,
}

impl Instruction {
    /// The same with other instructions inside, if it has any.
    pub fn with_bodies(self, change: &dyn Fn(Vec<Instruction>) -> Vec<Instruction>) -> Self {
        match self {
            Self::Every { period, body } => Self::Every { period, body: change(body) },
            Self::Cyclic { bodies } => Self::Cyclic { bodies: bodies.into_iter().map(change).collect() },
            Self::Unless { test, body } => Self::Unless { test, body: change(body) },
            Self::Repeat { until, body } => Self::Repeat { until, body: change(body) },
            other => other,
        }
    }
}

impl fmt::Display for Instruction {
    #[rustfmt::skip]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Instruction::Apply { A, x, y } => write!(f, "{y} = A{} {x}", A.id),
            Instruction::Residual { A, b, x, r } => write!(f, "{r} = {b} - A{} {x}", A.id),
            Instruction::Elements { A, x, energy: None } => write!(f, "elements of A{} {x}", A.id),
            Instruction::Elements { A, x, energy: Some(out) } => write!(f, "elements of A{} {x}; s{} = ({x}, A{} {x})", A.id, out.0, A.id),
            Instruction::Copy { x, y } => write!(f, "{y} = {x}"),
            Instruction::Axpby { a, x, b, y } => write!(f, "{y} = s{} {x} + s{} {y}", a.0, b.0),
            Instruction::Axpy { a, x, y } => write!(f, "{y} = {y} + s{} {x}", a.0),
            Instruction::Xpby { x, b, y } => write!(f, "{y} = {x} + s{} {y}", b.0),
            Instruction::Scale { a, y } => write!(f, "{y} = s{} {y}", a.0),
            Instruction::Dot { x, y, out } => write!(f, "s{} = ({x}, {y})", out.0),
            Instruction::NormInf { x, out } => write!(f, "s{} = max |{x}|", out.0),
            Instruction::Pointwise { update, read, tape } => {
                let list = |vectors: &[Vector]| vectors.iter().map(Vector::to_string).collect::<Vec<_>>().join(", ");
                write!(f, "{} = pointwise of {} operations", list(update), tape.operations())?;
                if read.is_empty() { Ok(()) } else { write!(f, " on {}", list(read)) }
            }
            Instruction::Constant { value, out } => write!(f, "s{} = {value}", out.0),
            Instruction::Scalar { op, a, b, out } => write!(f, "s{} = {op:?}(s{}, s{})", out.0, a.0, b.0),
            Instruction::Move { from, to } => write!(f, "s{} = s{}", to.0, from.0),
            Instruction::Require { test, otherwise } => write!(f, "require {test:?}, otherwise {otherwise:?}"),
            Instruction::Every { period, body } => {
                write!(f, "every {period} iterations:")?;
                body.iter().try_for_each(|instruction| write!(f, " {instruction};"))
            }
            Instruction::Unless { test, body } => {
                write!(f, "unless {test:?}:")?;
                body.iter().try_for_each(|instruction| write!(f, " {instruction};"))
            }
            Instruction::Repeat { until, body } => {
                let Until { rtol, atol, limit, .. } = until;
                write!(f, "repeat until {rtol:e} relative or {atol:e}, at most {limit} times:")?;
                body.iter().try_for_each(|instruction| write!(f, " {instruction};"))
            }
            Instruction::Cyclic { bodies } => {
                write!(f, "cyclic:")?;
                for (position, body) in bodies.iter().enumerate() {
                    write!(f, "\n  {position}:")?;
                    body.iter().try_for_each(|instruction| write!(f, " {instruction};"))?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instructions.iter().try_for_each(|instruction| writeln!(f, "{instruction}"))
    }
}
