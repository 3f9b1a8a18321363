//! Fusion: neighbouring vector instructions become one [`Group`], one pass over memory. A group may begin with a matrix
//! product; the updates and dot products that read its result then see each row while it is in cache. Scalar
//! instructions between them are moved before the group if nothing in it feeds them, else after it.
//!
//! What a group computes has the bits of its instructions one by one; [`fuse`] only decides which instructions share a
//! pass:
//! * an instruction joins unless it reads a number that the group itself produces,
//! * an update that the next instruction makes the last reader of its input goes where that instruction goes,
//! * nothing joins behind a test that the group decides, so a failed test leaves all later vectors untouched,
//! * nothing in the group writes the input or the values of the product at its head, of which every row is needed,
//! * vectors of one group have one length,
//! * where room is limited, dot products of one vector with more vectors than there is room for are a group of their
//!   own, and updates of one vector by many count those as one: both can be a loop over the many.

use super::sink::sink;
use super::{Instruction, Slot, Vector};
use std::fmt;

/// How a product with a map takes part in fusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs alone.
    Alone,
    /// Entry i of the result needs only entry i of the input: fuses like an update.
    Elementwise,
    /// Row i of the result needs all of the input, but no other row of the result: can be the first instruction of a
    /// group.
    Head,
}

/// Instructions that run in one pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
}

impl Group {
    /// Whether an instruction of the group changes this vector.
    pub fn writes(&self, x: Vector) -> bool {
        self.instructions.iter().any(|instruction| instruction.writes().contains(&x))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.instructions.iter().try_for_each(|instruction| write!(f, "{instruction}; "))
    }
}

/// One thing to execute.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A single instruction.
    Instruction(Instruction),
    /// Several vector instructions in one pass.
    Group(Group),
}

/// What fusion must know of maps and vectors.
pub struct Facts<'a> {
    /// How a vector instruction fuses.
    pub role: &'a dyn Fn(&Instruction) -> Role,
    /// How much one pass can hold.
    pub most: Most,
    /// Whether instructions of different precisions may share a pass.
    pub mixed: bool,
}

/// How much one pass can hold: registers are few on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Sums.
    pub dots: usize,
    /// Vectors.
    pub vectors: usize,
}

impl Most {
    /// As much as there is.
    pub const ANY: Most = Most { dots: usize::MAX, vectors: usize::MAX };
}

/// Groups instructions. Of instructions with instructions of their own, [`Instruction::Every`] and
/// [`Instruction::Cyclic`] must have been replaced (see [`super::variants::flatten`]); the others stay as they are,
/// between groups.
pub fn fuse(instructions: Vec<Instruction>, facts: &Facts<'_>) -> Vec<Step> {
    let mut fusion = Fusion { facts, steps: Vec::new(), group: Vec::new(), after: Vec::new(), is_run: false };
    let instructions = sink(instructions);
    let mut run_ends = 0;
    for (i, instruction) in instructions.iter().enumerate() {
        let run = dot_run(&instructions[i..]);
        if i >= run_ends && run > facts.most.dots {
            fusion.close();
            fusion.is_run = true;
            run_ends = i + run;
        } else if i == run_ends && fusion.is_run {
            fusion.close();
        }
        if instruction.is_vector() {
            fusion.take_vector(instruction.clone(), instructions.get(i + 1));
        } else if instruction.is_control() {
            fusion.close();
            fusion.steps.push(Step::Instruction(instruction.clone()));
        } else {
            fusion.take_scalar(instruction.clone());
        }
    }
    fusion.close();
    fusion.steps
}

/// How many dot products with one vector the instructions begin with.
pub fn dot_run(instructions: &[Instruction]) -> usize {
    let Some(Instruction::Dot { y: common, .. }) = instructions.first() else { return 0 };
    instructions
        .iter()
        .take_while(|instruction| matches!(instruction, Instruction::Dot { x, y, .. } if y == common && x != y))
        .count()
}

/// How many updates of one vector by others the instructions begin with.
pub fn update_run(instructions: &[Instruction]) -> usize {
    let Some(Instruction::Axpy { y: common, .. }) = instructions.first() else { return 0 };
    instructions
        .iter()
        .take_while(|instruction| matches!(instruction, Instruction::Axpy { x, y, .. } if y == common && x != y))
        .count()
}

/// Whether the second instruction overwrites what the first, an update, has read: they had better share a pass.
fn is_pair(instruction: &Instruction, next: &Instruction) -> bool {
    let (Instruction::Axpy { x, .. } | Instruction::Axpby { x, .. }) = *instruction else { return false };
    next.writes().contains(&x)
}

/// Vectors of which a pass holds an entry: many updates of one vector hold the others one after the other.
pub fn held(instructions: &[Instruction]) -> usize {
    let mut vectors: Vec<Vector> = Vec::new();
    let mut at = 0;
    while at < instructions.len() {
        let run = update_run(&instructions[at..]);
        vectors.extend(instructions[at].reads().into_iter().chain(instructions[at].writes().iter().copied()));
        at += if run >= MANY { run } else { 1 };
    }
    vectors.sort();
    vectors.dedup();
    vectors.len()
}

/// Updates of one vector, or dot products with one, that are worth a loop.
pub const MANY: usize = 4;

struct Fusion<'a> {
    facts: &'a Facts<'a>,
    steps: Vec<Step>,
    /// The group being formed.
    group: Vec<Instruction>,
    /// Scalar instructions that must wait for it.
    after: Vec<Instruction>,
    /// Whether it is many dot products with one vector, and nothing else.
    is_run: bool,
}

impl Fusion<'_> {
    fn take_vector(&mut self, instruction: Instruction, next: Option<&Instruction>) {
        let role = self.role(&instruction);
        let pair =
            next.filter(|next| next.is_vector() && is_pair(&instruction, next) && self.role(next) == Role::Elementwise);
        if role != Role::Elementwise || !self.joins(&instruction) || pair.is_some_and(|next| !self.joins(next)) {
            self.close();
        }
        match role {
            Role::Alone => self.steps.push(Step::Instruction(instruction)),
            _ => self.group.push(instruction),
        }
    }

    fn role(&self, instruction: &Instruction) -> Role {
        (self.facts.role)(instruction)
    }

    fn take_scalar(&mut self, instruction: Instruction) {
        let waits = matches!(instruction, Instruction::Require { .. })
            || self.tests_pending()
            || instruction.scalar_reads().iter().any(|s| self.pending(*s))
            || instruction.scalar_write().is_some_and(|out| self.reads_scalar(out) || self.pending(out));
        if self.group.is_empty() || !waits {
            self.steps.push(Step::Instruction(instruction));
        } else {
            self.after.push(instruction);
        }
    }

    fn joins(&self, instruction: &Instruction) -> bool {
        let Some(head) = self.group.first() else { return true };
        let is_head = self.role(head) == Role::Head;
        let head_input = head.product_input().filter(|_| is_head);
        let head_values = head.map().map(|A| A.values).filter(|_| is_head);
        let needed_whole = |x: &Vector| Some(*x) == head_input || Some(*x) == head_values;
        let (first, here) = (head.rows_of(), instruction.rows_of());
        first.length == here.length
            && (self.facts.mixed || first.precision == here.precision)
            && !instruction.map().is_some_and(|A| self.writes(A.values))
            && self.has_room(instruction)
            && !self.tests_pending()
            && !instruction.scalar_reads().iter().any(|s| self.pending(*s))
            && !instruction.writes().iter().any(needed_whole)
    }

    fn has_room(&self, instruction: &Instruction) -> bool {
        let Most { dots, vectors } = self.facts.most;
        if self.is_run || vectors == usize::MAX {
            return true;
        }
        let instructions: Vec<Instruction> = self.group.iter().chain([instruction]).cloned().collect();
        instructions.iter().filter(|instruction| instruction.reduces()).count() <= dots
            && held(&instructions) <= vectors
    }

    fn writes(&self, x: Vector) -> bool {
        self.group.iter().any(|instruction| instruction.writes().contains(&x))
    }

    fn tests_pending(&self) -> bool {
        self.after.iter().any(|instruction| matches!(instruction, Instruction::Require { .. }))
    }

    /// Whether the number is only known after the group.
    fn pending(&self, slot: Slot) -> bool {
        self.group.iter().chain(&self.after).any(|instruction| instruction.scalar_write() == Some(slot))
    }

    fn reads_scalar(&self, slot: Slot) -> bool {
        self.group.iter().chain(&self.after).any(|instruction| instruction.scalar_reads().contains(&slot))
    }

    fn close(&mut self) {
        self.is_run = false;
        let mut instructions = std::mem::take(&mut self.group);
        match instructions.len() {
            0 => (),
            1 => self.steps.push(Step::Instruction(instructions.remove(0))),
            _ => self.steps.push(Step::Group(Group { instructions })),
        }
        self.steps.extend(self.after.drain(..).map(Step::Instruction));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Precision;

    const W: Vector = Vector::new(100, 1, Precision::Full);

    fn vector(id: usize) -> Vector {
        Vector::new(id, 1, Precision::Full)
    }

    fn dots(count: usize) -> impl Iterator<Item = Instruction> {
        (0..count).map(|i| Instruction::Dot { x: vector(i), y: W, out: Slot(i) })
    }
    fn updates(count: usize) -> impl Iterator<Item = Instruction> {
        (0..count).map(|i| Instruction::Axpy { a: Slot(i), x: vector(i), y: W })
    }
    fn passes(instructions: Vec<Instruction>, most: Most) -> Vec<usize> {
        let steps = fuse(instructions, &Facts { role: &|_| Role::Elementwise, most, mixed: true });
        let instructions = |step: &Step| if let Step::Group(group) = step { group.instructions.len() } else { 1 };
        steps.iter().map(instructions).collect()
    }

    #[test]
    fn many_dot_products_with_one_vector_are_a_pass_of_their_own() {
        let (few, norm) = (Most { dots: 8, vectors: 12 }, Instruction::Dot { x: W, y: W, out: Slot(50) });
        let after_norm = |count| [norm.clone()].into_iter().chain(dots(count)).collect::<Vec<_>>();
        assert_eq!(passes(after_norm(7), few), [8], "there is room");
        assert_eq!(passes(after_norm(20), few), [1, 20]);
        let before_norm = dots(20).chain([norm.clone()]).collect::<Vec<_>>();
        assert_eq!(passes(before_norm, few), [20, 1]);
        assert_eq!(passes(after_norm(20), Most::ANY), [21], "a processor holds any number");
    }

    #[test]
    fn many_updates_of_one_vector_need_room_for_one() {
        let few = Most { dots: 8, vectors: 4 };
        let instructions: Vec<Instruction> =
            updates(20).chain([Instruction::Dot { x: W, y: W, out: Slot(50) }]).collect();
        assert_eq!((held(&instructions), passes(instructions, few)), (2, vec![21]));
        assert_eq!(held(&updates(MANY - 1).collect::<Vec<_>>()), MANY, "too few for a loop: each is held");
    }
}
