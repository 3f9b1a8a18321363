//! Which variant an iteration is, in the words of the persistent kernel: as `variants::variant` counts them.

use super::ir::{Expression, call, name};
use galerkit_linalg::program::{Instruction, variants};

/// The variant that the periodic instructions of a program choose.
pub fn selector(periodic: &[Instruction]) -> Expression {
    let add = |variant: Option<Expression>, instruction: &Instruction| {
        let choice = match period(instruction) {
            Some(period) => {
                let count = call("unsigned", [name("s.iteration") + 1]);
                (count % period).equals(0).select(1.into(), 0.into())
            }
            None => call("unsigned", [name("s.iteration")]) % choices(instruction),
        };
        Some(variant.map_or(choice.clone(), |variant| variant * choices(instruction) + choice))
    };
    periodic.iter().fold(None, add).unwrap_or(0.into())
}

/// Every so many iterations; none for a cycle.
pub fn period(instruction: &Instruction) -> Option<usize> {
    if let Instruction::Every { period, .. } = instruction { Some(*period) } else { None }
}

/// Variants that one instruction has.
pub fn choices(instruction: &Instruction) -> usize {
    variants::variants(std::slice::from_ref(instruction))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::{Statement, print_statements};

    #[test]
    fn a_cycle_beside_something_periodic_counts_both() {
        let every = Instruction::Every { period: 50, body: Vec::new() };
        let cyclic = Instruction::Cyclic { bodies: vec![Vec::new(); 3] };
        let of = |instructions: &[Instruction]| print_statements(&[Statement::SelectVariant(selector(instructions))]);
        assert_eq!(of(&[]), "const unsigned variant = 0;\n");
        assert_eq!(of(std::slice::from_ref(&cyclic)), "const unsigned variant = unsigned(s.iteration) % 3;\n");
        let both =
            "const unsigned variant = (unsigned(s.iteration + 1) % 50 == 0 ? 1 : 0) * 3 + unsigned(s.iteration) % 3;\n";
        assert_eq!(of(&[every, cyclic]), both);
    }
}
