//! Moves an update down to the instruction that overwrites what it reads, so that both share one pass: in CG,
//! `x = x + alpha p` joins `p = z + beta p`, and p is read once an iteration less. An update only moves over
//! instructions that neither touch its vectors nor test anything, so every vector has the same bits wherever a solve
//! can end.

use super::Instruction;

/// Moves every update that can be moved, the last ones first.
pub fn sink(mut instructions: Vec<Instruction>) -> Vec<Instruction> {
    for i in (0..instructions.len()).rev() {
        if let Some(target) = destination(&instructions, i) {
            let instruction = instructions.remove(i);
            instructions.insert(target - 1, instruction);
        }
    }
    instructions
}

/// The instruction before which instruction `i` is to stand: the first that overwrites its input, if the variant there
/// is free.
fn destination(instructions: &[Instruction], i: usize) -> Option<usize> {
    let (Instruction::Axpy { x, y, .. } | Instruction::Axpby { x, y, .. }) = instructions[i] else { return None };
    let coefficients = instructions[i].scalar_reads();
    for (k, instruction) in instructions.iter().enumerate().skip(i + 1) {
        let touches = instruction.uses(y) || instruction.writes().contains(&y);
        let changes_coefficient = instruction.scalar_write().is_some_and(|slot| coefficients.contains(&slot));
        if touches
            || changes_coefficient
            || matches!(instruction, Instruction::Require { .. })
            || instruction.is_control()
        {
            return None;
        }
        if instruction.writes().contains(&x) {
            return (k > i + 1).then_some(k);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Outcome, Precision, Slot, Test, Vector};

    const P: Vector = Vector::new(0, 1, Precision::Full);
    const X: Vector = Vector::new(1, 1, Precision::Full);
    const R: Vector = Vector::new(2, 1, Precision::Full);

    fn update() -> Instruction {
        Instruction::Axpy { a: Slot(0), x: P, y: X }
    }
    fn dot() -> Instruction {
        Instruction::Dot { x: R, y: R, out: Slot(1) }
    }
    fn overwrite() -> Instruction {
        Instruction::Xpby { x: R, b: Slot(1), y: P }
    }

    #[test]
    fn an_update_joins_the_line_that_overwrites_its_input() {
        assert_eq!(sink(vec![update(), dot(), overwrite()]), [dot(), update(), overwrite()]);
    }

    #[test]
    fn an_update_stays_where_its_way_is_blocked() {
        let test = Instruction::Require { test: Test::Finite(Slot(1)), otherwise: Outcome::NonFinite };
        let reads_x = Instruction::Dot { x: X, y: R, out: Slot(2) };
        let new_coefficient = Instruction::Constant { value: 1.0, out: Slot(0) };
        for blocking in [test, reads_x, new_coefficient] {
            let instructions = vec![update(), blocking, overwrite()];
            assert_eq!(sink(instructions.clone()), instructions);
        }
        assert_eq!(sink(vec![update(), dot()]), [update(), dot()], "nothing overwrites p");
        assert_eq!(sink(vec![update(), overwrite()]), [update(), overwrite()], "it is there already");
    }
}
