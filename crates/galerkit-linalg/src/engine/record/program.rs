//! A recorded program: the lines of one iteration (or of what comes before the loop), in order.

use crate::engine::Test;
use crate::krylov::Outcome;
use std::fmt;

/// Names a scalar slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub usize);
/// Names a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VectorId(pub usize);
/// Names a loaded map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapId(pub usize);

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
pub enum Line {
    /// y = A x
    Apply { A: MapId, x: VectorId, y: VectorId },
    /// r = b - A x
    Residual { A: MapId, b: VectorId, x: VectorId, r: VectorId },
    /// y = x
    Copy { x: VectorId, y: VectorId },
    /// y = a x + b y
    Axpby { a: Slot, x: VectorId, b: Slot, y: VectorId },
    /// y = y + a x
    Axpy { a: Slot, x: VectorId, y: VectorId },
    /// y = x + b y
    Xpby { x: VectorId, b: Slot, y: VectorId },
    /// y = a y
    Scale { a: Slot, y: VectorId },
    /// out = conj(x) . y
    Dot { x: VectorId, y: VectorId, out: Slot },
    /// out = max |x_i|
    Largest { x: VectorId, out: Slot },
    /// out = value
    Constant { value: f64, out: Slot },
    /// out = a op b; the unary operations ignore b
    Scalar { op: Arithmetic, a: Slot, b: Slot, out: Slot },
    /// to = from
    Move { from: Slot, to: Slot },
    /// End the loop unless the test holds.
    Require { test: Test<Slot>, otherwise: Outcome },
    /// Run the body in every period-th iteration.
    Every { period: usize, body: Vec<Line> },
    /// Run one of the bodies: the first in the first iteration, the next in the next, and again from the first.
    Turns { bodies: Vec<Vec<Line>> },
    /// Run the body unless the test holds.
    Unless { test: Test<Slot>, body: Vec<Line> },
    /// Repeat the body, then tell how often and how it ended: see [`Nested`](crate::engine::Nested).
    Repeat { until: Until, body: Vec<Line> },
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

/// Lines in the order they were spoken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The lines.
    pub lines: Vec<Line>,
}

impl fmt::Display for Line {
    #[rustfmt::skip]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Apply { A, x, y } => write!(f, "v{} = A{} v{}", y.0, A.0, x.0),
            Line::Residual { A, b, x, r } => write!(f, "v{} = v{} - A{} v{}", r.0, b.0, A.0, x.0),
            Line::Copy { x, y } => write!(f, "v{} = v{}", y.0, x.0),
            Line::Axpby { a, x, b, y } => write!(f, "v{2} = s{0} v{1} + s{3} v{2}", a.0, x.0, y.0, b.0),
            Line::Axpy { a, x, y } => write!(f, "v{2} = v{2} + s{0} v{1}", a.0, x.0, y.0),
            Line::Xpby { x, b, y } => write!(f, "v{2} = v{0} + s{1} v{2}", x.0, b.0, y.0),
            Line::Scale { a, y } => write!(f, "v{1} = s{0} v{1}", a.0, y.0),
            Line::Dot { x, y, out } => write!(f, "s{} = (v{}, v{})", out.0, x.0, y.0),
            Line::Largest { x, out } => write!(f, "s{} = max |v{}|", out.0, x.0),
            Line::Constant { value, out } => write!(f, "s{} = {value}", out.0),
            Line::Scalar { op, a, b, out } => write!(f, "s{} = {op:?}(s{}, s{})", out.0, a.0, b.0),
            Line::Move { from, to } => write!(f, "s{} = s{}", to.0, from.0),
            Line::Require { test, otherwise } => write!(f, "require {test:?}, otherwise {otherwise:?}"),
            Line::Every { period, body } => {
                write!(f, "every {period} iterations:")?;
                body.iter().try_for_each(|line| write!(f, " {line};"))
            }
            Line::Unless { test, body } => {
                write!(f, "unless {test:?}:")?;
                body.iter().try_for_each(|line| write!(f, " {line};"))
            }
            Line::Repeat { until, body } => {
                let Until { rtol, atol, limit, .. } = until;
                write!(f, "repeat until {rtol:e} relative or {atol:e}, at most {limit} times:")?;
                body.iter().try_for_each(|line| write!(f, " {line};"))
            }
            Line::Turns { bodies } => {
                write!(f, "in turn:")?;
                for (place, body) in bodies.iter().enumerate() {
                    write!(f, "\n  {place}:")?;
                    body.iter().try_for_each(|line| write!(f, " {line};"))?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
