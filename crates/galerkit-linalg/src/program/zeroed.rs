//! Vectors that a solver asks for inside a loop must be zero in each iteration, so a copy of zeros is recorded for
//! each. Most solvers overwrite them at once: those copies are taken out again.

use super::{Instruction, Vector, inspect};

/// The instructions of a loop without copies of zeros to what is overwritten before it is read. A vector made inside a
/// loop is not used outside of it.
pub(crate) fn without_needless_zeros(
    instructions: Vec<Instruction>,
    is_zero: &dyn Fn(Vector) -> bool,
) -> Vec<Instruction> {
    without_zeros(instructions, is_zero, &[Use::Overwritten, Use::Open])
}

/// The same for instructions that others follow, which may read whatever these do not overwrite.
pub(crate) fn without_overwritten_zeros(
    instructions: Vec<Instruction>,
    is_zero: &dyn Fn(Vector) -> bool,
) -> Vec<Instruction> {
    without_zeros(instructions, is_zero, &[Use::Overwritten])
}

/// Instructions in which b - A x is a copy of b wherever x was made zero just before.
pub(crate) fn with_residuals_of_zero(
    instructions: Vec<Instruction>,
    is_zero: &dyn Fn(Vector) -> bool,
) -> Vec<Instruction> {
    let mut zeros: Vec<Vector> = Vec::new();
    let replace = |instruction: Instruction| {
        let found = match instruction {
            Instruction::Residual { b, x, r, .. } if zeros.contains(&x) && b.precision == r.precision => {
                Instruction::Copy { x: b, y: r }
            }
            other => other,
        };
        let copied = match found {
            Instruction::Copy { x, y } => (is_zero(x) || zeros.contains(&x)).then_some(y),
            _ => None,
        };
        let written = inspect::every_instruction(std::slice::from_ref(&found));
        zeros.retain(|zero| !written.iter().any(|it| it.writes().contains(zero)));
        zeros.extend(copied);
        found
    };
    instructions.into_iter().map(replace).collect()
}

fn without_zeros(
    instructions: Vec<Instruction>,
    is_zero: &dyn Fn(Vector) -> bool,
    needless_before: &[Use],
) -> Vec<Instruction> {
    let needless = |i: usize| match instructions[i] {
        Instruction::Copy { x, y } => is_zero(x) && needless_before.contains(&first_use(&instructions[i + 1..], y)),
        _ => false,
    };
    let keep: Vec<bool> = (0..instructions.len()).map(|i| !needless(i)).collect();
    let inward = |body: Vec<Instruction>| without_zeros(body, is_zero, needless_before);
    let kept = instructions.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(instruction, _)| instruction);
    kept.map(|instruction| instruction.with_bodies(&inward)).collect()
}

/// What happens first to a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It may be read.
    Read,
    /// It is overwritten before anybody reads it.
    Overwritten,
    /// Not certainly either.
    Open,
}

fn first_use(instructions: &[Instruction], y: Vector) -> Use {
    instructions.iter().map(|instruction| use_in(instruction, y)).find(|found| *found != Use::Open).unwrap_or(Use::Open)
}

fn use_in(instruction: &Instruction, y: Vector) -> Use {
    match instruction {
        // The body may not run at all, so what it overwrites is not certain to be.
        Instruction::Every { body, .. } | Instruction::Unless { body, .. } | Instruction::Repeat { body, .. } => {
            if first_use(body, y) == Use::Read {
                Use::Read
            } else {
                Use::Open
            }
        }
        // The first body runs in the first iteration; what a later one overwrites, those after it find overwritten.
        Instruction::Cyclic { bodies } => {
            let first = bodies.iter().enumerate().map(|(place, body)| (place, first_use(body, y)));
            match first.into_iter().find(|(_, found)| *found != Use::Open) {
                Some((_, Use::Read)) => Use::Read,
                Some((0, found)) => found,
                _ => Use::Open,
            }
        }
        instruction if instruction.uses(y) => Use::Read,
        instruction if instruction.writes().contains(&y) => Use::Overwritten,
        _ => Use::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{MapId, Precision, Slot, Test};

    const ZERO: Vector = Vector::new(0, 1, Precision::Full);
    const X: Vector = Vector::new(1, 1, Precision::Full);
    const Y: Vector = Vector::new(2, 1, Precision::Full);

    fn zeroing() -> Instruction {
        Instruction::Copy { x: ZERO, y: Y }
    }
    fn overwrite() -> Instruction {
        Instruction::Apply { A: MapId { id: 0, values: Vector::new(3, 0, Precision::Full) }, x: X, y: Y }
    }
    fn read() -> Instruction {
        Instruction::Axpy { a: Slot(0), x: Y, y: X }
    }
    fn unless(body: Vec<Instruction>) -> Instruction {
        Instruction::Unless { test: Test::Finite(Slot(0)), body }
    }
    fn pruned(instructions: Vec<Instruction>) -> Vec<Instruction> {
        without_needless_zeros(instructions, &|x| x == ZERO)
    }

    #[test]
    fn what_is_overwritten_at_once_needs_no_zeros() {
        assert_eq!(pruned(vec![zeroing(), overwrite(), read()]), [overwrite(), read()]);
        assert_eq!(pruned(vec![unless(vec![zeroing(), overwrite(), read()])]), [unless(vec![overwrite(), read()])]);
        let turns = |bodies| Instruction::Cyclic { bodies };
        let cycle = turns(vec![vec![overwrite()], vec![read()]]);
        assert_eq!(pruned(vec![zeroing(), cycle.clone(), read()]), [cycle, read()], "the cycle begins by overwriting");
    }

    #[test]
    fn the_residual_of_zero_is_the_right_hand_side() {
        const R: Vector = Vector::new(4, 1, Precision::Full);
        let residual = || Instruction::Residual {
            A: MapId { id: 0, values: Vector::new(3, 0, Precision::Full) },
            b: X,
            x: Y,
            r: R,
        };
        let copied = || Instruction::Copy { x: X, y: R };
        let found = |instructions| with_residuals_of_zero(instructions, &|x| x == ZERO);
        assert_eq!(found(vec![zeroing(), residual()]), [zeroing(), copied()]);
        let [detour, back] = [Instruction::Copy { x: ZERO, y: R }, Instruction::Copy { x: R, y: Y }];
        let through_another = vec![detour.clone(), back.clone(), residual()];
        assert_eq!(found(through_another), [detour, back, copied()]);
        let scaled = Instruction::Scale { a: Slot(0), y: Y };
        for known in [
            vec![residual()],
            vec![zeroing(), scaled, residual()],
            vec![zeroing(), unless(vec![overwrite()]), residual()],
        ] {
            assert_eq!(found(known.clone()), known, "x need not be zero any more");
        }
    }

    #[test]
    fn what_may_be_read_keeps_its_zeros() {
        let late = Instruction::Cyclic { bodies: vec![vec![], vec![overwrite()], vec![read()]] };
        let early = Instruction::Cyclic { bodies: vec![vec![read()], vec![overwrite()]] };
        for instructions in [
            vec![zeroing(), read(), overwrite()],
            vec![zeroing(), unless(vec![overwrite()]), read()],
            vec![zeroing(), unless(vec![read()]), overwrite()],
            vec![zeroing(), late, read()],
            vec![zeroing(), early, overwrite()],
            vec![zeroing(), Instruction::Scale { a: Slot(0), y: Y }],
            vec![Instruction::Copy { x: X, y: Y }, overwrite()],
        ] {
            assert_eq!(pruned(instructions.clone()), instructions);
        }
    }
}
