//! Entries as pointwise closures see them: arithmetic in the paper's notation, run per entry by engines that compute at
//! once and recorded once by those that record.

use super::tape::Symbol;
use crate::program::Tape;
use crate::program::pointwise::{Binary, Node, Unary};
use crate::scalar::Scalar;
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// One entry of a vector inside a pointwise closure: a number, or a node of the recorded expression.
pub trait Entry:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Whether something holds for an entry.
    type Condition: Copy;
    /// Scalars of the engine.
    type Num: Copy;

    /// A constant.
    fn constant(value: f64) -> Self;
    /// A scalar of the engine, the same for every entry.
    fn scalar(number: Self::Num) -> Self;
    /// A function of this entry.
    fn unary(self, op: Unary) -> Self;
    /// A function of two entries.
    fn binary(self, op: Binary, other: Self) -> Self;
    /// Whether this is less than another; of complex numbers the real parts.
    fn less(self, other: Self) -> Self::Condition;
    /// Whether this is at most another; of complex numbers the real parts.
    fn at_most(self, other: Self) -> Self::Condition;
    /// Whether both hold.
    fn both(one: Self::Condition, other: Self::Condition) -> Self::Condition;
    /// Whether one of them holds.
    fn either(one: Self::Condition, other: Self::Condition) -> Self::Condition;
    /// Whether it does not hold.
    fn not(condition: Self::Condition) -> Self::Condition;
    /// The first where the condition holds, else the second; without a branch.
    fn select(condition: Self::Condition, then: Self, otherwise: Self) -> Self;

    /// Principal square root.
    fn sqrt(self) -> Self {
        self.unary(Unary::Sqrt)
    }
    /// e to this power.
    fn exp(self) -> Self {
        self.unary(Unary::Exp)
    }
    /// Natural logarithm.
    fn ln(self) -> Self {
        self.unary(Unary::Ln)
    }
    /// Absolute value.
    fn abs(self) -> Self {
        self.unary(Unary::Abs)
    }
    /// Complex conjugate.
    fn conj(self) -> Self {
        self.unary(Unary::Conj)
    }
    /// Real part.
    fn re(self) -> Self {
        self.unary(Unary::Re)
    }
    /// The lesser of two, by real parts; this one if they are equal or one is NaN.
    fn min(self, other: Self) -> Self {
        self.binary(Binary::Min, other)
    }
    /// The greater of two, by real parts; this one if they are equal or one is NaN.
    fn max(self, other: Self) -> Self {
        self.binary(Binary::Max, other)
    }
    /// This to a power.
    fn powf(self, exponent: Self) -> Self {
        self.binary(Binary::Pow, exponent)
    }
    /// One over this.
    fn recip(self) -> Self {
        Self::constant(1.0) / self
    }
    /// This to a whole power, by repeated squaring.
    fn powi(self, exponent: u32) -> Self {
        match exponent {
            0 => Self::constant(1.0),
            1 => self,
            even if even % 2 == 0 => (self * self).powi(even / 2),
            odd => self * (self * self).powi(odd / 2),
        }
    }
}

impl<S: Scalar> Entry for S {
    type Condition = bool;
    type Num = S;

    #[inline(always)]
    fn constant(value: f64) -> Self {
        S::from_f64(value)
    }
    #[inline(always)]
    fn scalar(number: S) -> Self {
        number
    }
    #[inline(always)]
    fn unary(self, op: Unary) -> Self {
        op.of(self)
    }
    #[inline(always)]
    fn binary(self, op: Binary, other: Self) -> Self {
        op.of(self, other)
    }
    #[inline(always)]
    fn less(self, other: Self) -> bool {
        Scalar::re(self) < Scalar::re(other)
    }
    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        Scalar::re(self) <= Scalar::re(other)
    }
    #[inline(always)]
    fn both(one: bool, other: bool) -> bool {
        one && other
    }
    #[inline(always)]
    fn either(one: bool, other: bool) -> bool {
        one || other
    }
    #[inline(always)]
    fn not(condition: bool) -> bool {
        !condition
    }
    #[inline(always)]
    fn select(condition: bool, then: Self, otherwise: Self) -> Self {
        if condition { then } else { otherwise }
    }
}

thread_local!(static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) });

/// A node of the closure that is being recorded.
#[derive(Clone, Copy, Debug)]
pub struct EntrySymbol(usize);

fn node(node: Node) -> EntrySymbol {
    NODES.with_borrow_mut(|nodes| {
        nodes.push(node);
        EntrySymbol(nodes.len() - 1)
    })
}

/// Calls a closure once and returns what it has said.
pub(super) fn record<const U: usize, const R: usize>(
    f: impl FnOnce([EntrySymbol; U], [EntrySymbol; R]) -> [EntrySymbol; U],
) -> Tape {
    let around = NODES.replace((0..U + R).map(Node::Input).collect()); // a closure may be recorded inside another
    let out = f(std::array::from_fn(EntrySymbol), std::array::from_fn(|k| EntrySymbol(U + k)));
    let nodes = NODES.replace(around);
    Tape { nodes, out: out.map(|symbol| symbol.0).to_vec() }
}

macro_rules! binary {
    ($trait:ident, $method:ident) => {
        impl $trait for EntrySymbol {
            type Output = EntrySymbol;
            fn $method(self, other: EntrySymbol) -> EntrySymbol {
                self.binary(Binary::$trait, other)
            }
        }
    };
}
binary!(Add, add);
binary!(Sub, sub);
binary!(Mul, mul);
binary!(Div, div);

impl Neg for EntrySymbol {
    type Output = EntrySymbol;
    fn neg(self) -> EntrySymbol {
        self.unary(Unary::Neg)
    }
}

impl Entry for EntrySymbol {
    type Condition = EntrySymbol;
    type Num = Symbol;

    fn constant(value: f64) -> Self {
        node(Node::Constant(value))
    }
    fn scalar(number: Symbol) -> Self {
        node(Node::Slot(number.0))
    }
    fn unary(self, op: Unary) -> Self {
        node(Node::Unary(op, self.0))
    }
    fn binary(self, op: Binary, other: Self) -> Self {
        node(Node::Binary(op, self.0, other.0))
    }
    fn less(self, other: Self) -> Self {
        self.binary(Binary::Less, other)
    }
    fn at_most(self, other: Self) -> Self {
        self.binary(Binary::LessEqual, other)
    }
    fn both(one: Self, other: Self) -> Self {
        one.binary(Binary::And, other)
    }
    fn either(one: Self, other: Self) -> Self {
        one.binary(Binary::Or, other)
    }
    fn not(condition: Self) -> Self {
        node(Node::Not(condition.0))
    }
    fn select(condition: Self, then: Self, otherwise: Self) -> Self {
        node(Node::Select(condition.0, then.0, otherwise.0))
    }
}
