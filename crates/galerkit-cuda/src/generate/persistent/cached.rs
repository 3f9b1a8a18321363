//! The persistent kernel of a cycle, cached: 10 to 20 ms for one of thirty positions. Its source has names for vectors
//! and scalars, so the same method on another system of the same kind finds what the first has left.

use crate::generate::Persistent;
use crate::generate::cache::Cache;
use crate::generate::digest::{self, Digest};
use crate::generate::ir::print_kernel;
use crate::generate::selector::{choices, period, selector};
use crate::plan::Stage;
use galerkit_linalg::program::Instruction;
use std::hash::Hash;
use std::sync::Arc;

/// The source of a kernel, and of how many bodies it is made.
pub type Merged = (String, usize);

static KERNELS: Cache<Merged> = Cache::new();

/// The persistent kernel of a loop whose iterations have variants: those of these periodic instructions.
pub fn kernel(writer: &Persistent<'_>, periodic: &[Instruction], variants: &[&[Stage]]) -> Arc<Merged> {
    KERNELS.get(digest_of_variants(writer, periodic, variants), || {
        let (kernel, bodies) = writer.of_variants(selector(periodic), variants);
        (print_kernel(&kernel), bodies)
    })
}

fn digest_of_variants(writer: &Persistent<'_>, periodic: &[Instruction], variants: &[&[Stage]]) -> Digest {
    let Persistent { watched, names, interface, shared, frame, told } = *writer;
    digest::of(|hasher| {
        (names.slot(watched), shared, variants.len()).hash(hasher);
        periodic.iter().for_each(|instruction| (period(instruction), choices(instruction)).hash(hasher));
        names.hash_members(hasher);
        names.maps().iter().for_each(|&A| interface(A).hash(hasher));
        told.map(|told| told.iter().map(|&slot| names.slot(slot)).collect::<Vec<_>>()).hash(hasher);
        for stages in variants.iter().copied().chain(frame.iter().map(|stages| &stages[..])) {
            stages.len().hash(hasher);
            stages.iter().for_each(|stage| digest::hash_stage(stage, names, hasher));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Names;
    use galerkit_linalg::program::{Precision, Slot, Vector};

    /// y = x, y = y + a x, a = (x, y), with these first names.
    fn instructions(vector: usize, slot: usize) -> Vec<Instruction> {
        let [x, y] = [vector, vector + 1].map(|id| Vector::new(id, 9, Precision::Full));
        let a = Slot(slot);
        vec![Instruction::Copy { x, y }, Instruction::Axpy { a, x, y }, Instruction::Dot { x, y, out: a }]
    }

    fn digest_of_kernel(pass: Vec<Instruction>, shared: usize) -> Digest {
        let mut names = Names::default();
        pass.iter().for_each(|instruction| names.read(instruction));
        let watched = pass[2].scalar_write().expect("a dot product");
        let frame = [Vec::new(), Vec::new()];
        let interface = |_| unreachable!("no maps");
        let writer = Persistent { watched, names: &names, interface: &interface, shared, frame: &frame, told: None };
        digest_of_variants(&writer, &[], &[&[Stage { pass, ..Stage::default() }]])
    }

    #[test]
    fn other_names_have_the_same_source_and_other_instructions_another() {
        let one = digest_of_kernel(instructions(3, 7), 0);
        assert_eq!(one, digest_of_kernel(instructions(50, 2), 0));
        assert_ne!(one, digest_of_kernel(instructions(3, 7), 8));
        let mut swapped = instructions(3, 7);
        let [x, y] = [4, 3].map(|id| Vector::new(id, 9, Precision::Full));
        swapped[0] = Instruction::Copy { x, y };
        assert_ne!(one, digest_of_kernel(swapped, 0));
    }
}
