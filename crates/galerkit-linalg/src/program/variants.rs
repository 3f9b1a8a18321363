//! In which variants an iteration can run: instructions that have their turn now and then make each iteration one of a
//! few.

use super::instruction::Instruction;

/// The instructions that iteration `iteration` runs: each [`Instruction::Every`] replaced by its body if its turn has
/// come, each [`Instruction::Cyclic`] by the body whose turn it is.
pub fn flatten(instructions: &[Instruction], iteration: usize) -> Vec<Instruction> {
    flatten_variant(instructions, variant(instructions, iteration))
}

/// The instructions of one variant.
pub fn flatten_variant(instructions: &[Instruction], mut variant: usize) -> Vec<Instruction> {
    let mut flat = Vec::with_capacity(instructions.len());
    for instruction in instructions.iter().rev() {
        let choice = variant % choices(instruction);
        variant /= choices(instruction);
        match instruction {
            Instruction::Every { body, .. } if choice == 1 => flat.extend(body.iter().rev().cloned()),
            Instruction::Every { .. } => (),
            Instruction::Cyclic { bodies } => flat.extend(bodies[choice].iter().rev().cloned()),
            other => flat.push(other.clone()),
        }
    }
    flat.reverse();
    flat
}

/// How many variants there are.
pub fn variants(instructions: &[Instruction]) -> usize {
    instructions.iter().map(choices).product()
}

/// The variant of iteration `iteration`: counts through the combinations of what has its turn.
pub fn variant(instructions: &[Instruction], iteration: usize) -> usize {
    instructions.iter().fold(0, |variant, instruction| variant * choices(instruction) + choice(instruction, iteration))
}

/// How many variants an instruction makes.
fn choices(instruction: &Instruction) -> usize {
    match instruction {
        Instruction::Every { .. } => 2,
        Instruction::Cyclic { bodies } => bodies.len(),
        _ => 1,
    }
}

/// Which of them it is in this iteration.
fn choice(instruction: &Instruction, iteration: usize) -> usize {
    match instruction {
        Instruction::Every { period, .. } => (iteration + 1).is_multiple_of(*period).into(),
        Instruction::Cyclic { bodies } => iteration % bodies.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Slot;
    use crate::program::inspect::every_instruction;

    #[test]
    fn every_variant_has_its_instructions() {
        let set = |value| Instruction::Constant { value, out: Slot(0) };
        let cyclic = Instruction::Cyclic { bodies: vec![vec![set(1.0), set(2.0)], vec![set(3.0)], vec![]] };
        let every = Instruction::Every { period: 2, body: vec![set(5.0), set(6.0)] };
        let instructions = [set(0.0), cyclic, set(4.0), every];
        let values = |instructions: Vec<Instruction>| -> Vec<f64> {
            let value =
                |instruction| if let Instruction::Constant { value, .. } = instruction { value } else { f64::NAN };
            instructions.into_iter().map(value).collect()
        };
        assert_eq!(variants(&instructions), 6);
        assert_eq!(values(flatten(&instructions, 0)), [0.0, 1.0, 2.0, 4.0]);
        assert_eq!(values(flatten(&instructions, 1)), [0.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(values(flatten(&instructions, 2)), [0.0, 4.0]);
        assert_eq!(values(flatten(&instructions, 3)), [0.0, 1.0, 2.0, 4.0, 5.0, 6.0]);
        assert_eq!((0..6).map(|i| variant(&instructions, i)).collect::<Vec<_>>(), [0, 3, 4, 1, 2, 5]);
        let plain = every_instruction(&instructions)
            .into_iter()
            .filter(|instruction| !instruction.is_control())
            .cloned()
            .collect();
        assert_eq!(values(plain), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }
}
