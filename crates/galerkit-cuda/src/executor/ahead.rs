//! What an executor will have to compile, known before it runs: programs are recorded first. The first of them that must be compiled
//! takes the others along, so that all are compiled side by side.

use super::unit::Piece;
use super::{Cuda, Strategy, Unit};
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Instruction, Program, Slot, inspect};

impl<S: Scalar> Cuda<S> {
    /// The sources of all programs that were recorded and have not run yet.
    pub(super) fn sources_to_come(&self) -> Vec<String> {
        if self.by_host > 0 {
            return Vec::new(); // sources then depend on the loop around them
        }
        self.codes.iter().flatten().flat_map(|unit| self.sources_of(unit)).collect()
    }

    /// Nothing of what the host takes apart while it runs: whether it comes to that is not known.
    fn sources_of(&self, unit: &Unit) -> Vec<String> {
        if !self.has_maps(&unit.program) || unit.compiled().is_some() {
            return Vec::new();
        }
        if unit.watched.is_none() {
            let pieces = self.pieces(unit);
            let plain = pieces.iter().filter_map(|piece| match piece {
                Piece::Plain(unit) if unit.compiled().is_none() => Some(unit),
                _ => None,
            });
            return plain.flat_map(|unit| self.source_of(&unit.program, None)).collect();
        }
        let by_host = self.strategy(&unit.program) == Strategy::HostDriven;
        if by_host { Vec::new() } else { self.source_of(&unit.program, unit.watched) }
    }

    fn source_of(&self, program: &Program, watched: Option<Slot>) -> Vec<String> {
        self.generate(program, watched).map(|(generated, ..)| generated.sources.clone()).unwrap_or_default()
    }

    /// Whether the maps of a program are still there.
    fn has_maps(&self, program: &Program) -> bool {
        let all = inspect::every_instruction(&program.instructions);
        all.into_iter().filter_map(Instruction::map).all(|A| self.maps.get(A.id).is_some_and(Option::is_some))
    }
}
