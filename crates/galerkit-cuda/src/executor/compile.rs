//! Compiles a program for an executor, and launches what it was compiled to.

use super::cuda::{ARRIVED_AT, Cuda, EPOCH_AT};
use super::{Bound, Control, Frame, Strategy};
use crate::error::{Error, Result};
use crate::generate::{Form, Generated, programs};
use crate::launch::Graph;
use crate::map::Interface;
use crate::plan::is_plain;
use crate::program::{Compiled, Ready, Share};
use crate::ring::STATE;
use galerkit_linalg::Scalar;
use galerkit_linalg::program::{Binding, Instruction, MapId, Program, Slot, Vector, canonical, inspect};
use std::sync::Arc;

impl<S: Scalar> Cuda<S> {
    /// A graph of instructions, so many times over; for timing. It must not outlive this executor.
    pub(crate) fn repeated(&mut self, program: &Program, times: usize) -> Result<Graph> {
        let compiled = self.prepare(program, None, None)?;
        self.ring.rest();
        Graph::record(&self.gpu, || (0..times).for_each(|_| self.launch_once(&compiled)))
    }

    /// Compiles a program and makes room for its scalars and sums.
    pub(crate) fn prepare(
        &mut self,
        program: &Program,
        watched: Option<Slot>,
        frame: Option<&Frame>,
    ) -> Result<Compiled> {
        let around = frame.iter().flat_map(|frame| frame.iter()).map(|part| inspect::slot_count(part));
        self.reserve(around.fold(inspect::slot_count(&program.instructions), usize::max))?;
        let compiled = self.compile_program(program, watched, frame)?;
        self.make_room(&compiled)?;
        Ok(compiled)
    }

    /// Compiles a program. What is running is not disturbed.
    pub(crate) fn compile_program(
        &self,
        program: &Program,
        watched: Option<Slot>,
        frame: Option<&Frame>,
    ) -> Result<Compiled> {
        self.gpu.failure().map_or(Ok(()), Err)?;
        self.count(|counters| counters.hashed += 1);
        let temporary = self.temporary.as_ref().map(|known| &known[..]);
        let (generated, binding, share) = self.generate(program, watched, (frame, temporary))?;
        self.count(|counters| counters.compiled += generated.sources.len());
        let bound = Bound { cuda: self, binding: &binding, temporary };
        let modules = self.jit.modules("program", &generated.sources, &|| self.sources_to_come())?;
        Compiled::new(generated, &bound, binding.clone(), &modules, (self.settings.waves.max(1), share))
    }

    /// The source of a program, what its names stand for, and what its persistent kernel, if it has one, asks for. What
    /// is `temporary` is so in the loop around it, if there is one that the host drives.
    pub(super) fn generate(
        &self,
        program: &Program,
        watched: Option<Slot>,
        (frame, temporary): (Option<&Frame>, Option<&[Vector]>),
    ) -> Result<(Arc<Generated>, Binding, Option<Share>)> {
        let is_persistent = watched.is_some() && self.strategy(program) == Strategy::Persistent;
        let share = is_persistent.then(|| self.share(program));
        if share.is_none() && inspect::nests(&program.instructions) {
            let reason = "the host has to drive it".into();
            return Err(Error::Unsupported { what: "a nested loop in one kernel".into(), reason });
        }
        let frame = frame.filter(|frame| share.is_some() && self.is_for_one_kernel(frame));
        let [first, after] = frame.map_or([&[][..]; 2], |[first, after]| [first, after]);
        let whole = Program { instructions: [first, &program.instructions, after].concat() };
        let (program, watched, binding) = canonical(&whole, watched);
        let bound = Bound { cuda: self, binding: &binding, temporary };
        let usual = self.usual_form(&whole.instructions);
        let form = share.map_or(usual, |share| usual.with_persistent(S::KIND, share.threads, share.clustered));
        let form = Form { frame: [first.len(), after.len()], ..form };
        Ok((programs::program(&bound, S::KIND, &program, watched, form), binding, share))
    }

    /// Whether a persistent kernel can run what stands around its loop.
    fn is_for_one_kernel(&self, frame: &Frame) -> bool {
        let is_plain = |it: &Instruction| is_plain(it) && !self.is_for_host_product(it);
        let tests = |it: &&Instruction| matches!(it, Instruction::Require { .. });
        frame.iter().all(|part| {
            let all = inspect::every_instruction(part);
            let by_rows = |A: MapId| matches!(self.loaded(A).interface, Interface::Rows | Interface::Entry);
            part.iter().all(is_plain) && !all.iter().any(tests) && all.iter().filter_map(|it| it.map()).all(by_rows)
        })
    }

    /// How the kernels of instructions are usually cut. Blocks that sum something are better large and few, others
    /// small and many.
    pub(super) fn usual_form(&self, instructions: &[Instruction]) -> Form {
        let all = inspect::every_instruction(instructions);
        let large = all.iter().any(|it| it.reduces()) && self.goes_by_rows(instructions);
        let usual = Form::usual(S::KIND, large).for_elements(self.asked_by_elements(&all));
        self.settings.form.unwrap_or(usual)
    }

    /// Registers that the maps of instructions ask for, and threads of a block: each the most, since kernels need no
    /// less.
    fn asked_by_elements(&self, instructions: &[&Instruction]) -> Option<[usize; 2]> {
        let maps = instructions.iter().filter_map(|it| it.map());
        let asked = maps.filter_map(|A| match self.loaded(A).interface {
            Interface::Elements { threads, registers, .. } => Some([registers, threads]),
            _ => None,
        });
        asked.reduce(|one, other| [one[0].max(other[0]), one[1].max(other[1])])
    }

    /// The words of a launch's arguments.
    pub(crate) fn words(
        &self,
        compiled: &Compiled,
        Control { state, initial, first, told, most, room }: Control,
    ) -> Vec<u64> {
        let (partials, control) = (self.scratch.partials.address(), self.scratch.control.address());
        let mut words = vec![state, u64::from(initial.is_some()) + u64::from(first)];
        words.extend(initial.unwrap_or([0; STATE]));
        words.extend([told, most as u64, room as u64, partials, control, control + ARRIVED_AT, control + EPOCH_AT]);
        words.extend(compiled.generated.names.words(&Bound {
            cuda: self,
            binding: &compiled.binding,
            temporary: None,
        }));
        words
    }

    /// Queues one launch of a loop.
    pub(crate) fn launch(&self, compiled: &Compiled, ready: &Ready) {
        ready.kernel.launch(ready.shape, &ready.with_own(self.words(compiled, Control::of(self.ring.state()))));
    }
    /// Queues instructions outside of loops.
    pub(crate) fn launch_once(&self, compiled: &Compiled) {
        self.launch_plan(compiled, 0);
    }
    /// Queues one of several that are one program.
    pub(super) fn launch_plan(&self, compiled: &Compiled, plan: usize) {
        let words = self.words(compiled, Control::of(self.ring.once()));
        let launch = |ready: &Ready| ready.kernel.launch(ready.shape, &ready.with_own(words.clone()));
        compiled.launches[plan].iter().for_each(launch);
    }
}
