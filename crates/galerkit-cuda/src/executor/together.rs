//! The straight parts of a loop that the host drives, compiled together before it begins: as plans of one program, so
//! that positions of a cycle share their kernels as they do in graphs (generate/passes/share.rs), and all sources are
//! compiled side by side. A part of its own for each position of GMRES compiled for minutes.

use super::unit::Piece;
use super::{Bound, Cuda, Strategy, Unit};
use crate::error::Result;
use crate::generate::{Form, fitted_form};
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Instruction, Program, Vector, canonical, variants};
use std::sync::Arc;

/// What the host launches in the iterations of a loop.
#[derive(Default)]
struct Launched {
    straight: Vec<Arc<Unit>>,
    loops: Vec<Arc<Unit>>,
}

/// Parts with so many times the instructions that nine tenths of all have are compiled when they run: the end of a long
/// cycle, with its back substitution, which many solves never reach.
const LONG: usize = 5;

impl Launched {
    fn without_long(mut self) -> Self {
        let length = |unit: &Arc<Unit>| unit.program.instructions.len();
        let mut lengths: Vec<usize> = self.straight.iter().map(length).collect();
        lengths.sort_unstable();
        let most = LONG * lengths.get(lengths.len() * 9 / 10).copied().unwrap_or(0);
        self.straight.retain(|unit| length(unit) <= most);
        self
    }
}

/// Straight parts whose kernels are cut alike, so that they have the bits that each has alone.
struct Together {
    form: Form,
    /// One cyclic instruction: each part once.
    program: Program,
    /// The units of each part.
    units: Vec<Vec<Arc<Unit>>>,
}

impl Together {
    fn new(form: Form) -> Self {
        let instructions = vec![Instruction::Cyclic { bodies: Vec::new() }];
        Self { form, program: Program { instructions }, units: Vec::new() }
    }

    fn add(&mut self, unit: Arc<Unit>) {
        let Instruction::Cyclic { bodies } = &mut self.program.instructions[0] else { return };
        match bodies.iter().position(|known| *known == unit.program.instructions) {
            Some(known) => self.units[known].push(unit),
            None => {
                bodies.push(unit.program.instructions.clone());
                self.units.push(vec![unit]);
            }
        }
    }
}

impl<S: Scalar> Cuda<S> {
    /// Compiles what the host will launch in the iterations of a loop; once.
    pub(crate) fn compile_iterations(&mut self, unit: &Unit) -> Result<()> {
        if unit.together.get().is_some() {
            return Ok(());
        }
        let sources = self.sources_of_iterations(unit);
        self.jit.compile_ahead("program", &sources, &Vec::new);
        let temporary = self.temporaries_of(&unit.program);
        for Together { program, units, .. } in self.together(self.launched(unit).straight, &temporary) {
            let compiled = Arc::new(self.prepare(&program, None, None)?);
            for (plan, units) in units.iter().enumerate() {
                units.iter().for_each(|unit| _ = unit.compiled.get_or_init(|| (compiled.clone(), plan)));
            }
        }
        unit.together.get_or_init(|| ());
        Ok(())
    }

    /// The sources of what the host will launch in the iterations of a loop.
    pub(super) fn sources_of_iterations(&self, unit: &Unit) -> Vec<String> {
        let temporary = self.temporaries_of(&unit.program);
        let Launched { straight, loops } = self.launched(unit);
        let together = self.together(straight, &temporary);
        let mut sources: Vec<String> =
            together.iter().flat_map(|parts| self.source_of(&parts.program, None, (None, Some(&temporary)))).collect();
        for unit in loops.iter().filter(|unit| self.strategy(&unit.program) != Strategy::HostDriven) {
            sources.extend(self.source_of(&unit.program, unit.watched, (None, Some(&temporary))));
        }
        sources
    }

    fn launched(&self, unit: &Unit) -> Launched {
        let mut launched = Launched::default();
        let variants = 0..variants::variants(&unit.program.instructions);
        variants.for_each(|variant| self.collect_launched(&self.variant_of(unit, variant), &mut launched));
        launched.without_long()
    }

    fn collect_launched(&self, unit: &Unit, launched: &mut Launched) {
        for piece in self.pieces(unit).iter() {
            match piece {
                Piece::Plain(unit) => launched.straight.push(unit.clone()),
                Piece::Unless(_, unit) => self.collect_launched(unit, launched),
                Piece::Loop(_, unit) => launched.loops.push(unit.clone()),
                Piece::Host(_) => (),
            }
        }
    }

    fn together(&self, straight: Vec<Arc<Unit>>, temporary: &[Vector]) -> Vec<Together> {
        let mut together: Vec<Together> = Vec::new();
        for unit in straight {
            let form = self.form_alone(&unit.program, temporary);
            if !together.iter().any(|parts| parts.form == form) {
                together.push(Together::new(form));
            }
            together.iter_mut().filter(|parts| parts.form == form).for_each(|parts| parts.add(unit.clone()));
        }
        together
    }

    /// How the kernels of a straight part are cut that is compiled alone.
    fn form_alone(&self, program: &Program, temporary: &[Vector]) -> Form {
        let usual = self.usual_form(&program.instructions);
        let (program, _, binding) = canonical(program, None);
        let bound = Bound { cuda: self, binding: &binding, temporary: Some(temporary) };
        fitted_form(&bound, S::KIND, &program.instructions, usual)
    }
}
