//! One kernel for a whole loop: all blocks stay on their multiprocessors, have their own copy of the scalars and the
//! monitor in shared memory, and meet at a barrier where the graph would launch the next kernel. Sums over blocks are
//! taken by every block for itself, in the same order, so all of them decide alike. Best when everything fits the
//! cache, and the only form that can have nested loops. For very small systems its blocks are a cluster, which has a
//! faster barrier. `control` has conditions and loops, `stage` what they are made of, `meeting` where blocks wait,
//! `held` what they keep of maps, `cached` kernels that were written before.

pub mod cached;
mod control;
mod held;
mod meeting;
mod stage;

use super::Names;
use super::ir::{
    Assignment, Binary, Expression, Kernel, Label, Loop, Statement, Type, Unroll, Variable, call, element, name,
};
use super::passes::forward::scalar;
use super::passes::{merge, tables};
use crate::map::Interface;
use crate::plan::{Stage, is_plain, stages};
use galerkit_linalg::program::fuse::Facts;
use galerkit_linalg::program::{Instruction, MapId, Slot};
use meeting::Meeting;

/// What writes the kernel `persistent`.
pub struct Persistent<'a> {
    /// The scalar that the monitor looks at.
    pub watched: Slot,
    /// Names of everything.
    pub names: &'a Names,
    /// How maps are called.
    pub interface: &'a dyn Fn(MapId) -> Interface,
    /// Bytes of shared memory for the scalars that a launch must bring; 0: the kernel has room of its own.
    pub shared: usize,
    /// What stands before the loop, and behind it.
    pub frame: &'a [Vec<Stage>; 2],
    /// Scalars that the host is told behind it.
    pub told: Option<&'a [Slot]>,
}

/// Where statements stand: what counts the iterations of the loop around them, where a failed test leads, and how deep
/// they are.
struct Site {
    counter: Expression,
    exit: Label,
    depth: usize,
}

/// Behind everything.
fn done() -> Label {
    Label { stem: "done", path: Vec::new() }
}

impl Persistent<'_> {
    /// The kernel for a program without nested loops, whose iterations have variants; `selector` tells which it is. And
    /// of how many bodies it is made.
    pub fn of_variants(&self, selector: Expression, variants: &[&[Stage]]) -> (Kernel, usize) {
        let parts = variants.iter().map(|stages| self.parts(stages)).collect();
        let (body, count) = merge::variants(selector, parts, 0);
        (self.kernel(body), count)
    }

    /// The stages of an iteration, and the monitor.
    fn parts(&self, stages: &[Stage]) -> Vec<Vec<Statement>> {
        let last = stages.len() - 1;
        let mut parts = Vec::new();
        for (index, stage) in stages.iter().enumerate() {
            let idle = index == last && self.is_idle(stage);
            let meeting = meeting::between(stage, stages.get(index + 1), self.names, self.interface);
            parts.push(self.stage(stage, &meeting, idle.then(|| self.observing()), &done()));
        }
        if !self.is_idle(&stages[last]) {
            parts.push(self.monitor());
        }
        parts
    }

    /// The kernel for any program.
    pub fn of_instructions(&self, instructions: &[Instruction], facts: &Facts<'_>) -> Kernel {
        let site = Site { counter: name("s.iteration"), exit: done(), depth: 0 };
        let mut parts = self.by_stages(instructions, facts, &site);
        let [first, last] = [first_stage(instructions, facts), last_stage(instructions, facts)];
        if let (Some(first), Some(last)) = (first, last)
            && meeting::are_apart(&last, &first, self.names, self.interface)
        {
            parts.pop();
            parts.push(self.stage(&last, &Meeting::Never, None, &site.exit));
        }
        let mut body = parts.concat();
        body.extend(self.monitor());
        self.kernel(body)
    }

    fn kernel(&self, mut iteration: Vec<Statement>) -> Kernel {
        tables::into_constant_memory(&mut iteration);
        let mut body = self.begin();
        body.extend(self.first());
        let turn = Variable::only("turn");
        let goes_on = turn.value().less(name("a.most")).and(name("s.word").equals(0));
        body.push(Statement::For(Box::new(Loop {
            unroll: Unroll::AsItLikes,
            kind: Type::Offset,
            condition: goes_on,
            step: vec![(turn.value(), Assignment::Add, 1.into())],
            start: vec![(turn, 0.into())],
            body: iteration,
        })));
        body.extend(self.end());
        Kernel { bounds: Some("PERSISTENT_THREADS, 1"), name: "persistent".into(), body }
    }

    /// Every block gets its copies.
    fn begin(&self) -> Vec<Statement> {
        let slots = self.names.slot_count();
        let mut begin = vec![Statement::Fixed("extern __shared__ double2 room[];")];
        begin.push(match self.shared {
            0 => Statement::shared(Type::Scalar, Variable::only("c"), Some(slots.max(1).into())),
            _ => Statement::Fixed("Scalar *c = reinterpret_cast<Scalar *>(room);"),
        });
        begin.extend(
            ["__shared__ State s;", "__shared__ unsigned failed;", "__shared__ Near near;"].map(Statement::Fixed),
        );
        begin.push(Statement::Fixed("if (threadIdx.x == 0) { s = a.begins ? a.initial : *a.state; failed = 0; }"));
        begin.push(by_block(slots, Statement::set(scalar(name("k")), element(name("a.s"), name("k")))));
        let rest = [
            "__syncthreads();",
            "if (s.word != 0) return;",
            "meet_in_cluster(CLUSTERED); // nobody may write to the shared memory of a block that has not begun",
            "unsigned epoch = unsigned(*a.epoch);",
        ];
        begin.extend(rest.map(Statement::Fixed));
        begin.extend(self.hold());
        begin
    }

    /// What stands before the loop, in a launch that is to run it; then all know what it begins with.
    fn first(&self) -> Vec<Statement> {
        let stages = self.plainly(&self.frame[0]);
        let mut first = Vec::new();
        if !stages.is_empty() {
            first.push(Statement::when(name("a.begins").binary(Binary::Greater, 1), stages));
        }
        let slots = self.names.slot_count().into();
        let begin = call("begin", [name("s"), name("a.s"), name("c"), slots, name("blockIdx.x").equals(0)]);
        first.push(Statement::when(name("threadIdx.x").equals(0), [Statement::Evaluate(begin)]));
        first.push(Statement::Fixed("__syncthreads();"));
        first
    }

    /// Stages one after the other, without tests.
    fn plainly(&self, stages: &[Stage]) -> Vec<Statement> {
        stages.iter().flat_map(|stage| self.stage(stage, &Meeting::Always, None, &done())).collect()
    }

    /// Where the loop has ended, what stands behind it; then the first block stores what all have found, and tells the
    /// host.
    fn end(&self) -> Vec<Statement> {
        let store =
            by_block(self.names.slot_count(), Statement::set(element(name("a.s"), name("k")), scalar(name("k"))));
        let is_first = || name("blockIdx.x").equals(0).and(name("threadIdx.x").equals(0));
        let mut end = vec![
            Statement::Label(done()),
            Statement::Fixed("__syncthreads();"),
            Statement::when(is_first().and(name("failed")), [Statement::Fixed("report_failure(s, failed - 1);")]),
            Statement::Fixed("if (threadIdx.x == 0 && failed) s.word = 2;"),
        ];
        let behind = self.plainly(&self.frame[1]);
        if !behind.is_empty() {
            end.push(Statement::Fixed("__syncthreads();"));
            end.push(Statement::when(name("s.word"), behind));
        }
        end.push(Statement::Fixed("__syncthreads();"));
        end.push(Statement::Fixed("if (blockIdx.x == 0) publish(s); // first of all: the host waits for it"));
        end.extend(self.told.map(|told| Statement::when(is_first().and(name("s.word")), self.telling(told))));
        end.push(Statement::when(is_first(), ["*a.state = s;", "*a.epoch = epoch;"].map(Statement::Fixed)));
        end.push(Statement::when(name("blockIdx.x").equals(0), [store]));
        end
    }

    /// The host is told scalars.
    fn telling(&self, told: &[Slot]) -> Vec<Statement> {
        let place = |k: usize| element(name("a.told"), k);
        let tell = |(k, &slot)| Statement::set(place(k), scalar(self.names.slot(slot)));
        told.iter().enumerate().map(tell).collect()
    }

    /// Whether the monitor can look while the stage's barrier is waited for: its scalar is known, and no test can
    /// follow.
    fn is_idle(&self, stage: &Stage) -> bool {
        let runs = !stage.pass.is_empty() && stage.unless.is_empty();
        runs && !stage.tests() && stage.lines().all(|instruction| instruction.scalar_write() != Some(self.watched))
    }

    /// The monitor, for one thread of each block.
    fn observing(&self) -> Statement {
        let norm = call("real", [scalar(self.names.slot(self.watched))]);
        let ended = call("observe", [name("s"), norm, name("blockIdx.x").equals(0)]);
        Statement::when(ended, [Statement::Fixed("s.word = 1;")])
    }

    fn monitor(&self) -> Vec<Statement> {
        vec![Statement::when(name("threadIdx.x").equals(0), [self.observing()]), Statement::Fixed("__syncthreads();")]
    }
}

/// A statement for each `k` below a count, by all threads of a block.
pub(super) fn by_block(count: usize, statement: Statement) -> Statement {
    let range = [name("threadIdx.x"), count.into()];
    Loop::counted("k", range, name("blockDim.x"), vec![statement]).unrolled(Unroll::AsItLikes)
}

/// The stage that instructions begin with, if they do so without a condition or a loop.
fn first_stage(instructions: &[Instruction], facts: &Facts<'_>) -> Option<Stage> {
    let part = instructions.chunk_by(|one, other| is_plain(one) && is_plain(other)).next();
    stages(part.filter(|part| is_plain(&part[0]))?.to_vec(), facts).into_iter().next()
}

/// The stage that they end with.
fn last_stage(instructions: &[Instruction], facts: &Facts<'_>) -> Option<Stage> {
    let part = instructions.chunk_by(|one, other| is_plain(one) && is_plain(other)).last();
    stages(part.filter(|part| is_plain(&part[0]))?.to_vec(), facts).pop()
}
