//! The expression of a pointwise closure, recorded once: nodes in the order in which they were made, each computed from
//! earlier ones. Executors print it as kernel source, or evaluate it here over short runs of entries.
//!
//! Arithmetic is that of the engine's scalar: entries in single precision are widened when they are read and rounded
//! when they are written.

use super::Slot;
use crate::scalar::Scalar;
use std::hash::{Hash, Hasher};

/// Functions of one entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the functions
pub enum Unary {
    Neg,
    Sqrt,
    Exp,
    Ln,
    Abs,
    Conj,
    /// The real part.
    Re,
}

/// Functions of two entries; the last ones are conditions. Order is that of real parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are the functions
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    /// The second if it is less, else the first.
    Min,
    /// The second if it is greater, else the first.
    Max,
    Less,
    LessEqual,
    And,
    Or,
}

/// What one node computes; operands are numbers of earlier nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// The entry of a vector: those that are updated come first, then those that are read.
    Input(usize),
    /// A constant.
    Constant(f64),
    /// A scalar of the program.
    Slot(Slot),
    /// A function of one entry.
    Unary(Unary, usize),
    /// A function of two.
    Binary(Binary, usize, usize),
    /// A condition that does not hold.
    Not(usize),
    /// The second where the condition holds, else the third.
    Select(usize, usize, usize),
}

impl Node {
    /// Whether it is a condition and no number.
    pub fn is_condition(self) -> bool {
        use Binary::{And, Less, LessEqual, Or};
        matches!(self, Node::Not(_) | Node::Binary(Less | LessEqual | And | Or, _, _))
    }
}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match *self {
            Node::Input(k) | Node::Not(k) => k.hash(state),
            Node::Constant(value) => value.to_bits().hash(state),
            Node::Slot(_) => (), // programs that differ in names only are the same: whoever hashes numbers slots
            Node::Unary(op, a) => (op, a).hash(state),
            Node::Binary(op, a, b) => (op, a, b).hash(state),
            Node::Select(condition, a, b) => (condition, a, b).hash(state),
        }
    }
}

/// A recorded expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tape {
    /// What is computed, in order.
    pub nodes: Vec<Node>,
    /// The node that each updated vector gets.
    pub out: Vec<usize>,
}

/// Entries that are evaluated together: as many as keep every node of a long expression in the first-level cache.
const RUN: usize = 128;

impl Tape {
    /// Operations, without inputs and constants.
    pub fn operations(&self) -> usize {
        let is_operation = |node: &&Node| !matches!(node, Node::Input(_) | Node::Constant(_) | Node::Slot(_));
        self.nodes.iter().filter(is_operation).count()
    }

    /// The scalars it reads.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.nodes.iter().filter_map(|node| if let Node::Slot(slot) = *node { Some(slot) } else { None })
    }

    /// Evaluates for entries `0..length`: `load(input, first, run)` fills a run with entries from `first` on,
    /// `store(output, first, run)` takes one.
    pub fn evaluate<S: Scalar>(
        &self,
        length: usize,
        slots: &[S],
        load: &dyn Fn(usize, usize, &mut [S]),
        store: &mut dyn FnMut(usize, usize, &[S]),
    ) {
        let mut values = vec![S::zero(); self.nodes.len() * RUN];
        for (node, to) in self.nodes.iter().zip(values.chunks_mut(RUN)) {
            match *node {
                Node::Constant(value) => to.fill(S::from_f64(value)),
                Node::Slot(slot) => to.fill(slots[slot.0]),
                _ => (),
            }
        }
        for first in (0..length).step_by(RUN) {
            let count = RUN.min(length - first);
            for (k, node) in self.nodes.iter().enumerate() {
                let (before, rest) = values.split_at_mut(k * RUN);
                let to = &mut rest[..count];
                match *node {
                    Node::Input(input) => load(input, first, to),
                    node => node.fill(to, &|node: usize| &before[node * RUN..node * RUN + count]),
                }
            }
            for (output, &node) in self.out.iter().enumerate() {
                store(output, first, &values[node * RUN..node * RUN + count]);
            }
        }
    }
}

impl Node {
    /// The values of this node, unless they are loaded or the same for all entries; `of` has those of earlier ones.
    fn fill<'a, S: Scalar>(self, to: &mut [S], of: &dyn Fn(usize) -> &'a [S]) {
        match self {
            Node::Input(_) | Node::Constant(_) | Node::Slot(_) => (),
            Node::Unary(op, a) => op.fill(to, of(a)),
            Node::Binary(op, a, b) => op.fill(to, of(a), of(b)),
            Node::Not(a) => to.iter_mut().zip(of(a)).for_each(|(to, &a)| *to = truth(!holds(a))),
            Node::Select(condition, a, b) => {
                let chosen = of(condition).iter().zip(of(a).iter().zip(of(b)));
                to.iter_mut().zip(chosen).for_each(|(to, (&c, (&a, &b)))| *to = if holds(c) { a } else { b });
            }
        }
    }
}

/// Conditions are kept as 1 and 0.
fn truth<S: Scalar>(holds: bool) -> S {
    if holds { S::one() } else { S::zero() }
}
fn holds<S: Scalar>(condition: S) -> bool {
    condition != S::zero()
}

impl Unary {
    /// Of many entries: which function it is is asked once, so that each is a loop that can be vectorised.
    fn fill<S: Scalar>(self, to: &mut [S], a: &[S]) {
        macro_rules! each {
            ($($op:ident)*) => {
                match self { $(Unary::$op => to.iter_mut().zip(a).for_each(|(to, &a)| *to = Unary::$op.of(a)),)* }
            };
        }
        each!(Neg Sqrt Exp Ln Abs Conj Re);
    }

    /// Of one entry.
    #[inline(always)]
    pub fn of<S: Scalar>(self, a: S) -> S {
        match self {
            Unary::Neg => -a,
            Unary::Sqrt => a.square_root(),
            Unary::Exp => a.exponential(),
            Unary::Ln => a.logarithm(),
            Unary::Abs => S::from_real(a.modulus()),
            Unary::Conj => a.conj(),
            Unary::Re => S::from_real(a.re()),
        }
    }
}

impl Binary {
    /// Of many pairs of entries, as [`Unary::fill`].
    fn fill<S: Scalar>(self, to: &mut [S], a: &[S], b: &[S]) {
        let all = to.iter_mut().zip(a.iter().zip(b));
        macro_rules! each {
            ($($op:ident)*) => {
                match self { $(Binary::$op => all.for_each(|(to, (&a, &b))| *to = Binary::$op.of(a, b)),)* }
            };
        }
        each!(Add Sub Mul Div Pow Min Max Less LessEqual And Or);
    }

    /// Of two entries; conditions are 1 and 0.
    #[inline(always)]
    pub fn of<S: Scalar>(self, a: S, b: S) -> S {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Pow => a.power(b),
            Binary::Min => {
                if b.re() < a.re() {
                    b
                } else {
                    a
                }
            }
            Binary::Max => {
                if b.re() > a.re() {
                    b
                } else {
                    a
                }
            }
            Binary::Less => truth(a.re() < b.re()),
            Binary::LessEqual => truth(a.re() <= b.re()),
            Binary::And => truth(holds(a) && holds(b)),
            Binary::Or => truth(holds(a) || holds(b)),
        }
    }
}
