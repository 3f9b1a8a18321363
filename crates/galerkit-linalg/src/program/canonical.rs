//! The canonical form of a program: vectors, maps and slots named in the order of their appearance. Programs that do
//! the same have the same form, whatever their names were, so what was compiled for one serves the other; a [`Binding`]
//! leads back.

use super::pointwise::Node;
use super::{Instruction, MapId, Program, Slot, Tape, Test, Until, Vector, inspect};
use std::collections::HashMap;
use std::sync::Arc;

/// What the names of a canonical program stand for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// Vectors, by canonical id.
    pub vectors: Vec<Vector>,
    /// Maps, by canonical id.
    pub maps: Vec<MapId>,
    /// Slot 0 of the canonical program.
    pub first_slot: usize,
}

/// The canonical form, with the watched slot if it is the body of a loop.
pub fn canonical(program: &Program, watched: Option<Slot>) -> (Program, Option<Slot>, Binding) {
    let mut namer = Namer { vectors: HashMap::new(), maps: HashMap::new(), binding: Binding::default() };
    namer.binding.first_slot = first_slot(program, watched);
    let instructions = namer.all(&program.instructions);
    let watched = watched.map(|slot| namer.slot(slot));
    (Program { instructions }, watched, namer.binding)
}

fn first_slot(program: &Program, watched: Option<Slot>) -> usize {
    let all = inspect::every_instruction(&program.instructions).into_iter();
    let slots = all.flat_map(|it| it.scalar_reads().into_iter().chain(it.scalar_write()).chain(it.control_slots()));
    slots.chain(watched).map(|slot| slot.0).min().unwrap_or(0)
}

struct Namer {
    vectors: HashMap<Vector, usize>,
    maps: HashMap<MapId, usize>,
    binding: Binding,
}

impl Namer {
    fn vector(&mut self, x: Vector) -> Vector {
        let binding = &mut self.binding;
        let id = *self.vectors.entry(x).or_insert_with(|| {
            binding.vectors.push(x);
            binding.vectors.len() - 1
        });
        Vector { id, ..x }
    }
    fn map(&mut self, A: MapId) -> MapId {
        let values = self.vector(A.values);
        let binding = &mut self.binding;
        let id = *self.maps.entry(A).or_insert_with(|| {
            binding.maps.push(A);
            binding.maps.len() - 1
        });
        MapId { id, values }
    }
    fn slot(&self, s: Slot) -> Slot {
        Slot(s.0 - self.binding.first_slot)
    }
    fn test(&self, test: &Test<Slot>) -> Test<Slot> {
        test.with(self.slot(test.number()))
    }
    fn tape(&self, tape: &Arc<Tape>) -> Arc<Tape> {
        if tape.slots().next().is_none() {
            return tape.clone();
        }
        let renamed = |node: &Node| if let Node::Slot(slot) = *node { Node::Slot(self.slot(slot)) } else { *node };
        Arc::new(Tape { nodes: tape.nodes.iter().map(renamed).collect(), out: tape.out.clone() })
    }
    fn all(&mut self, instructions: &[Instruction]) -> Vec<Instruction> {
        instructions.iter().map(|instruction| self.instruction(instruction)).collect()
    }

    #[rustfmt::skip]
    fn instruction(&mut self, instruction: &Instruction) -> Instruction {
        use Instruction as I;
        match instruction {
            I::Apply { A, x, y } => I::Apply { A: self.map(*A), x: self.vector(*x), y: self.vector(*y) },
            I::Residual { A, b, x, r } => {
                I::Residual { A: self.map(*A), b: self.vector(*b), x: self.vector(*x), r: self.vector(*r) }
            }
            I::Elements { A, x, energy } => {
                I::Elements { A: self.map(*A), x: self.vector(*x), energy: energy.map(|slot| self.slot(slot)) }
            }
            I::Copy { x, y } => I::Copy { x: self.vector(*x), y: self.vector(*y) },
            I::Axpby { a, x, b, y } => {
                I::Axpby { a: self.slot(*a), x: self.vector(*x), b: self.slot(*b), y: self.vector(*y) }
            }
            I::Axpy { a, x, y } => I::Axpy { a: self.slot(*a), x: self.vector(*x), y: self.vector(*y) },
            I::Xpby { x, b, y } => I::Xpby { x: self.vector(*x), b: self.slot(*b), y: self.vector(*y) },
            I::Scale { a, y } => I::Scale { a: self.slot(*a), y: self.vector(*y) },
            I::Dot { x, y, out } => I::Dot { x: self.vector(*x), y: self.vector(*y), out: self.slot(*out) },
            I::NormInf { x, out } => I::NormInf { x: self.vector(*x), out: self.slot(*out) },
            I::Pointwise { update, read, tape } => I::Pointwise {
                update: update.iter().map(|&y| self.vector(y)).collect(),
                read: read.iter().map(|&x| self.vector(x)).collect(),
                tape: self.tape(tape),
            },
            I::Constant { value, out } => I::Constant { value: *value, out: self.slot(*out) },
            I::Scalar { op, a, b, out } => {
                I::Scalar { op: *op, a: self.slot(*a), b: self.slot(*b), out: self.slot(*out) }
            }
            I::Move { from, to } => I::Move { from: self.slot(*from), to: self.slot(*to) },
            I::Require { test, otherwise } => I::Require { test: self.test(test), otherwise: *otherwise },
            I::Every { period, body } => I::Every { period: *period, body: self.all(body) },
            I::Cyclic { bodies } => I::Cyclic { bodies: bodies.iter().map(|body| self.all(body)).collect() },
            I::Unless { test, body } => I::Unless { test: self.test(test), body: self.all(body) },
            I::Repeat { until, body } => I::Repeat { until: self.until(until), body: self.all(body) },
        }
    }

    fn until(&self, until: &Until) -> Until {
        let [start, watched, count, ended] =
            [until.start, until.watched, until.count, until.ended].map(|slot| self.slot(slot));
        Until { start, watched, count, ended, ..*until }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Precision;

    /// y = x, y = y + a x, a = (x, y), with these first names.
    fn program(vector: usize, slot: usize) -> Program {
        let [x, y] = [vector, vector + 1].map(|id| Vector::new(id, 8, Precision::Full));
        let a = Slot(slot);
        let instructions =
            vec![Instruction::Copy { x, y }, Instruction::Axpy { a, x, y }, Instruction::Dot { x, y, out: a }];
        Program { instructions }
    }

    #[test]
    fn names_do_not_matter_and_the_binding_leads_back() {
        let (one, watched, binding) = canonical(&program(3, 7), Some(Slot(7)));
        let (other, _, _) = canonical(&program(50, 2), Some(Slot(2)));
        assert_eq!((&one, watched), (&other, Some(Slot(0))));
        assert_eq!(binding.vectors.iter().map(|x| x.id).collect::<Vec<_>>(), [3, 4]);
        assert_eq!(binding.first_slot, 7);
        assert_eq!(canonical(&one, watched).0, one, "it is its own form");
    }
}
