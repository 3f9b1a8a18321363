//! What an executor will have to compile, known before it runs: programs are recorded first. The first of them that
//! must be compiled takes the others along, so that all are compiled side by side.

use super::unit::Piece;
use super::{Cuda, Frame, Strategy, Unit};
use crate::map::Map;
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Instruction, MapId, Program, Slot, Vector, inspect};

impl<S: Scalar> Cuda<S> {
    /// The sources of all programs that were recorded and have not run yet.
    pub(super) fn sources_to_come(&self) -> Vec<String> {
        if self.by_host > 0 {
            return Vec::new(); // sources then depend on the loop around them
        }
        self.codes.iter().flatten().flat_map(|unit| self.sources_of(unit)).collect()
    }

    /// Compiles a program for a map and for others in its place, side by side.
    pub(crate) fn compile_with_each<'a>(
        &mut self,
        program: &Program,
        A: MapId,
        others: impl Iterator<Item = &'a mut Map>,
    ) {
        let mut sources = self.source_of(program, None, (None, None));
        for other in others {
            let exchange = |maps: &mut [Option<Map>], other: &mut Map| {
                maps[A.id].as_mut().into_iter().for_each(|map| std::mem::swap(map, other));
            };
            exchange(&mut self.maps, other);
            sources.extend(self.source_of(program, None, (None, None)));
            exchange(&mut self.maps, other);
        }
        self.jit.compile_ahead("program", &sources, &|| self.sources_to_come());
    }

    /// Of a loop that the host drives, what it launches in its iterations.
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
            return plain.flat_map(|unit| self.source_of(&unit.program, None, (None, None))).collect();
        }
        match self.strategy(&unit.program) {
            Strategy::HostDriven if unit.together.get().is_some() => Vec::new(),
            Strategy::HostDriven => self.sources_of_iterations(unit),
            _ => self.source_of(&unit.program, unit.watched, (unit.frame.as_ref(), None)),
        }
    }

    pub(super) fn source_of(
        &self,
        program: &Program,
        watched: Option<Slot>,
        around: (Option<&Frame>, Option<&[Vector]>),
    ) -> Vec<String> {
        self.generate(program, watched, around).map(|(generated, ..)| generated.sources.clone()).unwrap_or_default()
    }

    /// Whether the maps of a program are still there.
    fn has_maps(&self, program: &Program) -> bool {
        let all = inspect::every_instruction(&program.instructions);
        all.into_iter().filter_map(Instruction::map).all(|A| self.maps.get(A.id).is_some_and(Option::is_some))
    }
}
