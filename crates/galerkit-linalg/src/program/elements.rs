//! Products by elements: what they do on elements, and the sums of rows behind it. CG asks for (p, A p) first and for A
//! p only when it knows alpha. The elements know (p, A p) as the sum of their energies, so rows are summed in the pass
//! that needs them, and A p is never in memory.
//!
//! The energy is the dot product that was asked for, added up in another order.

use super::{Instruction, MapId, Vector};

/// Puts [`Instruction::Elements`] in front of products with maps that are multiplied so. Where the dot product of input
/// and result follows, it is taken from the elements, and the product itself goes down to the first instruction that
/// needs it if nobody else can see its result in between.
pub fn by_elements(
    instructions: Vec<Instruction>,
    is_by_elements: &dyn Fn(MapId) -> bool,
    is_confined: &dyn Fn(Vector) -> bool,
) -> Vec<Instruction> {
    let (mut out, mut waiting) = (Vec::with_capacity(instructions.len()), None);
    let mut rest = instructions.into_iter().peekable();
    while let Some(instruction) = rest.next() {
        out.extend(waiting.take_if(|product| needs(&instruction, product)));
        let instruction = instruction.with_bodies(&|body| by_elements(body, is_by_elements, is_confined));
        let (Some(A), Some(x)) = (instruction.map().filter(|&A| is_by_elements(A)), instruction.product_input()) else {
            out.push(instruction);
            continue;
        };
        let energy = rest.next_if(|next| is_energy(next, &instruction)).and_then(|dot| dot.scalar_write());
        out.push(Instruction::Elements { A, x, energy });
        if energy.is_some() && is_confined(instruction.rows_of()) {
            waiting = Some(instruction);
        } else {
            out.push(instruction);
        }
    }
    out.extend(waiting);
    out
}

/// Whether an instruction is (x, A x) for a product A x.
fn is_energy(instruction: &Instruction, product: &Instruction) -> bool {
    let (Instruction::Apply { x, y, .. }, Instruction::Dot { x: u, y: v, .. }) = (product, instruction) else {
        return false;
    };
    (u, v) == (x, y) || (u, v) == (y, x)
}

/// Whether a product must stand before an instruction: what it reads or writes is touched, or the room of its elements.
fn needs(instruction: &Instruction, product: &Instruction) -> bool {
    let (result, input) = (product.rows_of(), product.product_input());
    let changes = |x: Vector| instruction.writes().contains(&x);
    instruction.is_control()
        || instruction.map() == product.map()
        || instruction.uses(result)
        || changes(result)
        || input.is_some_and(changes)
        || product.map().is_some_and(|A| changes(A.values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Outcome, Precision, Slot, Test};

    const P: Vector = Vector::new(0, 1, Precision::Full);
    const Q: Vector = Vector::new(1, 1, Precision::Full);
    const R: Vector = Vector::new(2, 1, Precision::Full);
    const A: MapId = MapId { id: 0, values: Vector::new(3, 0, Precision::Full) };
    const PRODUCT: Instruction = Instruction::Apply { A, x: P, y: Q };
    const ENERGY: Instruction = Instruction::Dot { x: P, y: Q, out: Slot(0) };
    const TEST: Instruction =
        Instruction::Require { test: Test::Positive(Slot(0)), otherwise: Outcome::NotPositiveDefinite };
    const UPDATE: Instruction = Instruction::Axpy { a: Slot(1), x: Q, y: R };

    fn elements(energy: Option<Slot>) -> Instruction {
        Instruction::Elements { A, x: P, energy }
    }
    fn cut(instructions: &[Instruction], confined: &[Vector]) -> Vec<Instruction> {
        by_elements(instructions.to_vec(), &|map| map == A, &|x| confined.contains(&x))
    }

    #[test]
    fn rows_are_summed_where_they_are_needed() {
        let body = [PRODUCT, ENERGY, TEST, UPDATE];
        let with_energy = elements(Some(Slot(0)));
        assert_eq!(cut(&body, &[Q]), [with_energy.clone(), TEST, PRODUCT, UPDATE]);
        assert_eq!(cut(&body, &[]), [with_energy, PRODUCT, TEST, UPDATE], "somebody may look at q after a failed test");
    }

    #[test]
    fn without_the_energy_rows_follow_their_elements() {
        let residual = Instruction::Residual { A, b: R, x: P, r: Q };
        let norm = Instruction::Dot { x: Q, y: Q, out: Slot(0) };
        assert_eq!(cut(&[PRODUCT, norm.clone()], &[Q]), [elements(None), PRODUCT, norm]);
        assert_eq!(cut(&[residual.clone(), ENERGY], &[Q]), [elements(None), residual, ENERGY]);
        assert_eq!(by_elements(vec![PRODUCT, ENERGY], &|_| false, &|_| true), [PRODUCT, ENERGY], "a map by rows");
    }

    #[test]
    fn a_product_waits_for_nobody_who_needs_its_room_or_its_input() {
        let with_energy = elements(Some(Slot(0)));
        let overwrite = Instruction::Copy { x: R, y: P };
        let again = Instruction::Apply { A, x: R, y: P };
        assert_eq!(cut(&[PRODUCT, ENERGY, overwrite.clone()], &[Q]), [with_energy.clone(), PRODUCT, overwrite]);
        let second = Instruction::Elements { A, x: R, energy: None };
        assert_eq!(cut(&[PRODUCT, ENERGY, again.clone()], &[Q]), [with_energy.clone(), PRODUCT, second, again]);
        assert_eq!(cut(&[PRODUCT, ENERGY], &[Q]), [with_energy, PRODUCT], "at the end at the latest");
    }
}
