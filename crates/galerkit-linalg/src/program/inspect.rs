//! What an instruction reads and writes: the facts fusion and executors decide by.

use super::{Instruction, MapId, Slot, Vector};

impl Instruction {
    /// Whether it works on vectors.
    pub fn is_vector(&self) -> bool {
        self.reduces() || !self.writes().is_empty() || matches!(self, Instruction::Elements { .. })
    }

    /// Whether it makes one scalar of a vector.
    pub fn reduces(&self) -> bool {
        matches!(
            self,
            Instruction::Dot { .. } | Instruction::NormInf { .. } | Instruction::Elements { energy: Some(_), .. }
        )
    }

    /// Whether it has instructions of its own that run under a condition.
    pub fn is_control(&self) -> bool {
        use Instruction::{Cyclic, Every, Repeat, Unless};
        matches!(self, Every { .. } | Cyclic { .. } | Unless { .. } | Repeat { .. })
    }

    /// The vectors it changes.
    pub fn writes(&self) -> &[Vector] {
        use Instruction::{Apply, Axpby, Axpy, Copy, Pointwise, Residual, Scale, Xpby};
        match self {
            Apply { y, .. } | Copy { y, .. } | Scale { y, .. } => std::slice::from_ref(y),
            Axpby { y, .. } | Axpy { y, .. } | Xpby { y, .. } => std::slice::from_ref(y),
            Residual { r, .. } => std::slice::from_ref(r),
            Pointwise { update, .. } => update,
            _ => &[],
        }
    }

    /// A vector whose length is the number of rows it works on, and whose precision is its own. Only for vector
    /// instructions.
    pub fn rows_of(&self) -> Vector {
        match *self {
            Instruction::Dot { y, .. } => y,
            Instruction::NormInf { x, .. } | Instruction::Elements { x, .. } => x,
            _ => self.writes()[0],
        }
    }

    /// The vectors of which it reads entries, those it updates included; not the values of a map.
    pub fn reads(&self) -> Vec<Vector> {
        match self {
            Instruction::Apply { x, .. } | Instruction::Copy { x, .. } => vec![*x],
            Instruction::Residual { b, x, .. } => vec![*b, *x],
            Instruction::Axpby { x, y, .. } | Instruction::Axpy { x, y, .. } | Instruction::Xpby { x, y, .. } => {
                vec![*x, *y]
            }
            Instruction::Dot { x, y, .. } => vec![*x, *y],
            Instruction::Scale { y, .. } => vec![*y],
            Instruction::NormInf { x, .. } | Instruction::Elements { x, .. } => vec![*x],
            Instruction::Pointwise { update, read, .. } => update.iter().chain(read).copied().collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it depends on a vector in any way: on its entries, or as the values of its map.
    pub fn uses(&self, x: Vector) -> bool {
        self.reads().contains(&x) || self.map().is_some_and(|A| A.values == x)
    }

    /// The map of a product.
    pub fn map(&self) -> Option<MapId> {
        match *self {
            Instruction::Apply { A, .. } | Instruction::Residual { A, .. } | Instruction::Elements { A, .. } => Some(A),
            _ => None,
        }
    }

    /// The vector that a product multiplies.
    pub fn product_input(&self) -> Option<Vector> {
        match *self {
            Instruction::Apply { x, .. } | Instruction::Residual { x, .. } | Instruction::Elements { x, .. } => Some(x),
            _ => None,
        }
    }

    /// The scalars it reads.
    pub fn scalar_reads(&self) -> Vec<Slot> {
        match self {
            Instruction::Axpby { a, b, .. } | Instruction::Scalar { a, b, .. } => vec![*a, *b],
            Instruction::Axpy { a, .. } | Instruction::Scale { a, .. } => vec![*a],
            Instruction::Xpby { b, .. } => vec![*b],
            Instruction::Move { from, .. } => vec![*from],
            Instruction::Require { test, .. } => vec![test.number()],
            Instruction::Pointwise { tape, .. } => tape.slots().collect(),
            _ => Vec::new(),
        }
    }

    /// The scalars that decide about the instructions inside this one, or that those are told through.
    pub fn control_slots(&self) -> Vec<Slot> {
        match self {
            Instruction::Unless { test, .. } => vec![test.number()],
            Instruction::Repeat { until, .. } => vec![until.start, until.watched, until.count, until.ended],
            _ => Vec::new(),
        }
    }

    /// The scalar it sets.
    pub fn scalar_write(&self) -> Option<Slot> {
        match *self {
            Instruction::Dot { out, .. }
            | Instruction::NormInf { out, .. }
            | Instruction::Constant { out, .. }
            | Instruction::Scalar { out, .. } => Some(out),
            Instruction::Move { to, .. } => Some(to),
            Instruction::Elements { energy, .. } => energy,
            _ => None,
        }
    }
}

/// Bytes that instructions sharing one pass must move: each vector that is read and each that is written once, and what
/// the maps hold, their values included. `vector` and `map` give the bytes of one.
pub fn pass_bytes(
    instructions: &[Instruction],
    vector: &dyn Fn(Vector) -> usize,
    map: &dyn Fn(MapId) -> usize,
) -> usize {
    let (mut read, mut written): (Vec<Vector>, Vec<Vector>) = (Vec::new(), Vec::new());
    for instruction in instructions {
        let fresh = instruction.reads().into_iter().filter(|x| !written.contains(x) && !read.contains(x));
        let mut fresh: Vec<Vector> = fresh.collect();
        fresh.dedup();
        read.extend(fresh);
        let new: Vec<Vector> = instruction.writes().iter().filter(|y| !written.contains(y)).copied().collect();
        written.extend(new);
    }
    let maps = instructions.iter().filter_map(Instruction::map).map(map).sum::<usize>();
    maps + read.iter().chain(&written).map(|&x| vector(x)).sum::<usize>()
}

/// Whether there are nested loops.
pub fn nests(instructions: &[Instruction]) -> bool {
    every_instruction(instructions).iter().any(|instruction| matches!(instruction, Instruction::Repeat { .. }))
}

/// Whether instructions that run twice do no more than once: none changes what it, or one before it, has read; no test,
/// and nothing under a condition.
pub fn is_repeatable(instructions: &[Instruction]) -> bool {
    let (mut vectors, mut slots): ([Vec<Vector>; 2], [Vec<Slot>; 2]) = Default::default(); // from outside, and written here
    for it in instructions {
        if it.is_control() || matches!(it, Instruction::Require { .. }) {
            return false;
        }
        let read = it.reads().into_iter().chain(it.map().map(|A| A.values));
        let outside: Vec<Vector> = read.filter(|x| !vectors[1].contains(x)).collect();
        vectors[0].extend(outside);
        vectors[1].extend(it.writes());
        let outside: Vec<Slot> = it.scalar_reads().into_iter().filter(|slot| !slots[1].contains(slot)).collect();
        slots[0].extend(outside);
        slots[1].extend(it.scalar_write());
    }
    !vectors[1].iter().any(|x| vectors[0].contains(x)) && !slots[1].iter().any(|slot| slots[0].contains(slot))
}

/// All instructions, those inside others included.
pub fn every_instruction(instructions: &[Instruction]) -> Vec<&Instruction> {
    let mut all = Vec::new();
    for instruction in instructions {
        all.push(instruction);
        match instruction {
            Instruction::Every { body, .. } | Instruction::Unless { body, .. } | Instruction::Repeat { body, .. } => {
                all.extend(every_instruction(body));
            }
            Instruction::Cyclic { bodies } => all.extend(bodies.iter().flat_map(|body| every_instruction(body))),
            _ => (),
        }
    }
    all
}

/// Whether any instruction writes a vector.
pub fn changes(instructions: &[Instruction], x: Vector) -> bool {
    every_instruction(instructions).into_iter().any(|instruction| instruction.writes().contains(&x))
}

/// Slots that instructions need: one more than the last that they mention.
pub fn slot_count(instructions: &[Instruction]) -> usize {
    let all = every_instruction(instructions).into_iter();
    let slots = all.flat_map(|it| it.scalar_reads().into_iter().chain(it.scalar_write()).chain(it.control_slots()));
    slots.map(|slot| slot.0 + 1).max().unwrap_or(0)
}

/// Every vector that instructions mention, the values of maps included, once and in the order of appearance.
pub fn vectors(instructions: &[Instruction]) -> Vec<Vector> {
    let mut found = Vec::new();
    for instruction in every_instruction(instructions) {
        let values = instruction.map().map(|A| A.values);
        for x in instruction.writes().iter().copied().chain(instruction.reads()).chain(values) {
            if !found.contains(&x) {
                found.push(x);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Precision;

    const X: Vector = Vector::new(0, 1, Precision::Full);
    const Y: Vector = Vector::new(1, 1, Precision::Full);
    const A: MapId = MapId { id: 0, values: Vector::new(2, 0, Precision::Full) };

    fn bytes(instructions: &[Instruction]) -> usize {
        pass_bytes(instructions, &|x| if x == X { 10 } else { 100 }, &|_| 1000)
    }

    #[test]
    fn a_pass_reads_and_writes_each_vector_once() {
        let product = Instruction::Apply { A, x: X, y: Y };
        let dot = Instruction::Dot { x: X, y: Y, out: Slot(0) };
        let update = Instruction::Axpy { a: Slot(0), x: X, y: Y };
        assert_eq!(bytes(std::slice::from_ref(&product)), 1000 + 10 + 100);
        assert_eq!(bytes(&[product, dot.clone()]), 1000 + 10 + 100, "y is at hand when the dot product wants it");
        assert_eq!(bytes(std::slice::from_ref(&update)), 10 + 2 * 100, "y is read and written");
        assert_eq!(bytes(&[dot, update]), 10 + 2 * 100);
        assert_eq!(bytes(&[Instruction::Dot { x: X, y: X, out: Slot(0) }]), 10);
    }

    #[test]
    fn what_changes_its_own_input_is_not_repeatable() {
        let (residual, dot) = (Instruction::Apply { A, x: X, y: Y }, Instruction::Dot { x: Y, y: Y, out: Slot(0) });
        let root = |a, out| Instruction::Move { from: Slot(a), to: Slot(out) };
        assert!(is_repeatable(&[residual.clone(), dot.clone(), root(0, 1)]));
        assert!(!is_repeatable(&[dot.clone(), residual]), "the second run would see another y");
        assert!(!is_repeatable(&[root(1, 2), dot, root(0, 1)]));
        assert!(!is_repeatable(&[Instruction::Axpy { a: Slot(0), x: X, y: Y }]));
        assert!(!is_repeatable(&[Instruction::Every { period: 2, body: Vec::new() }]));
    }

    #[test]
    fn values_of_a_map_are_used_and_listed() {
        let product = Instruction::Apply { A, x: X, y: Y };
        assert!(product.uses(A.values) && product.uses(X) && !product.uses(Y));
        assert_eq!(vectors(&[product]), [Y, X, A.values]);
    }
}
