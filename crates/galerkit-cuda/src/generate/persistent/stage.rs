//! A stage of a persistent kernel: its pass, a barrier of all blocks, its scalars in the first warp of each block.

use super::Persistent;
use super::meeting::Meeting;
use crate::generate::ir::{Expression, Label, Statement, Static, Type, call, name, template};
use crate::generate::passes::forward::scalar;
use crate::generate::scalars::{self, Context};
use crate::generate::variables::{self, sum};
use crate::generate::walk::{declare_dots, norms_inf, walk};
use crate::generate::{Call, calls, multi};
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, Slot};

/// All blocks meet, after a pass that others must see.
const MEET: [&str; 3] = [
    "++epoch;",
    "meet_in_cluster(CLUSTERED);",
    "if (threadIdx.x < 32) { arrive(a.arrived, CLUSTERED); wait_for_all(a.arrived, epoch, CLUSTERED); }",
];

const BARRIER: Statement = Statement::Fixed("__syncthreads();");

fn by_first_warp(body: Vec<Statement>) -> Statement {
    Statement::when(name("threadIdx.x").less(32), body)
}

impl Persistent<'_> {
    /// A stage; `monitor`, if there is one, runs beside its barrier. A failed test leads to `exit`.
    pub(super) fn stage(
        &self,
        stage: &Stage,
        meeting: &Meeting,
        monitor: Option<Statement>,
        exit: &Label,
    ) -> Vec<Statement> {
        let body = self.unconditional(stage, meeting, monitor, exit);
        stage.unless.iter().fold(body, |body, test| self.unless(test, body))
    }

    fn unconditional(
        &self,
        stage: &Stage,
        meeting: &Meeting,
        monitor: Option<Statement>,
        exit: &Label,
    ) -> Vec<Statement> {
        let hides = hides_scalars(stage) && !multi::is_dots(&stage.pass, self.names);
        let (before, hidden) = if hides { (&[][..], &stage.before[..]) } else { (&stage.before[..], &[][..]) };
        let mut out = if before.is_empty() { Vec::new() } else { self.only_scalars(before, exit) };
        if stage.pass.is_empty() {
            out.extend(self.only_scalars(&stage.after, exit));
            return out;
        }
        let calls = calls("p", 0, stage, self.interface);
        let mut read: Vec<Slot> = multi::plain_reads(&stage.pass, self.names);
        read.sort();
        read.dedup();
        let load = |k| Statement::constant(Type::Scalar, variables::scalar(k), scalar(k));
        let mut body: Vec<Statement> = read.into_iter().map(|slot| load(self.names.slot(slot))).collect();
        body.extend(multi::coefficients(&stage.pass, "c", self.names));
        body.extend(if multi::is_dots(&stage.pass, self.names) {
            self.multi_dot(stage)
        } else {
            self.pass(&calls, stage, hidden, meeting)
        });
        body.extend(monitor.map(|monitor| Statement::when(name("threadIdx.x").equals(32), [monitor])));
        body.push(BARRIER);
        out.push(Statement::Block(body));
        out.extend(leave(&stage.after, exit));
        out
    }

    /// The passes of a stage, a barrier after each; behind the last the first warp takes the sums. While it waits for
    /// other blocks it computes scalars that are `hidden` there.
    fn pass(&self, calls: &[Call], stage: &Stage, hidden: &[Instruction], meeting: &Meeting) -> Vec<Statement> {
        let (names, dots) = (self.names, calls[0].dots);
        let mut out: Vec<Statement> = declare_dots(dots).into_iter().collect();
        for (pass, call) in calls.iter().enumerate() {
            if pass > 0 {
                out.push(BARRIER);
                out.extend(MEET.map(Statement::Fixed));
                out.push(BARRIER);
            }
            out.extend(walk(call, &stage.pass, names, self.interface));
        }
        let norms = norms_inf(&stage.pass);
        out.push(match dots {
            0 => BARRIER,
            _ => Statement::Evaluate(template(
                "share_partials",
                [Static::Count(norms)],
                ["d", "a.partials", "near", "epoch", "CLUSTERED"].map(name),
            )),
        });
        let hidden = || if hidden.is_empty() { Vec::new() } else { self.scalars(Vec::new(), hidden) };
        let scalars = |found| self.scalars(found, &stage.after);
        let mut meet = vec![Statement::Fixed("++epoch;"), Statement::Fixed("meet_in_cluster(CLUSTERED);")];
        let (arrive, wait) = ("arrive(a.arrived, CLUSTERED);", "wait_for_all(a.arrived, epoch, CLUSTERED);");
        let mut warp = vec![Statement::Fixed(arrive)];
        warp.extend(hidden());
        if dots == 0 {
            // Scalars that need no sum are computed while others arrive.
            warp.extend(scalars(Vec::new()));
            warp.push(Statement::Fixed(wait));
        } else {
            warp.push(Statement::Fixed(wait));
            let outs: Vec<Slot> = stage.pass.iter().filter_map(Instruction::scalar_write).collect();
            warp.extend((0..outs.len()).map(|d| total(d, norms >> d & 1 == 1, outs.len())));
            let found = outs.iter().enumerate().map(|(d, &out)| Statement::set(scalar(names.slot(out)), sum(d)));
            warp.extend(scalars(found.collect()));
        }
        meet.push(by_first_warp(warp));
        match meeting {
            Meeting::Always => out.extend(meet),
            Meeting::If(holds) => out.push(Statement::when(holds.clone(), meet)),
            Meeting::Never => out.push(by_first_warp([hidden(), scalars(Vec::new())].concat())),
        }
        out
    }

    /// Many dot products with one vector; every warp takes some of the sums.
    fn multi_dot(&self, stage: &Stage) -> Vec<Statement> {
        let set = |epoch| name("a.partials") + call("partial_set", [epoch]);
        let shape = ("PERSISTENT_THREADS", 12288);
        let mut out = vec![multi::dots(&stage.pass, self.names, shape, set(name("epoch")))];
        out.extend(MEET.map(Statement::Fixed));
        out.push(BARRIER);
        out.extend(multi::totals(&stage.pass, set(name("epoch") - 1), "c", self.names));
        out.push(by_first_warp(self.scalars(Vec::new(), &stage.after)));
        out
    }

    /// Scalar instructions by the first warp of each block, and a barrier.
    fn only_scalars(&self, instructions: &[Instruction], exit: &Label) -> Vec<Statement> {
        let mut out = vec![by_first_warp(self.scalars(Vec::new(), instructions)), BARRIER];
        out.extend(leave(instructions, exit));
        out
    }

    /// Scalar instructions, for the first warp, after something that its first lane does.
    fn scalars(&self, first: Vec<Statement>, instructions: &[Instruction]) -> Vec<Statement> {
        let id = instructions.iter().find_map(Instruction::scalar_write).map_or(0, |slot| self.names.slot(slot));
        let index = |slot| self.names.slot(slot);
        let failure = |code: usize| vec![Statement::set(name("failed"), Expression::from(code) + 1), Statement::Break];
        let context = Context { index: &index, failure: &failure, saves_registers: false };
        scalars::for_warp(first, instructions, &id.to_string(), &context)
    }
}

/// Whether nothing of a stage's pass needs the scalars before it, and no test is among them.
fn hides_scalars(stage: &Stage) -> bool {
    let read: Vec<Slot> = stage.pass.iter().flat_map(Instruction::scalar_reads).collect();
    let is_needed = |it: &Instruction| it.scalar_write().is_none_or(|slot| read.contains(&slot));
    !stage.pass.is_empty() && !stage.before.iter().any(is_needed)
}

/// A sum over all blocks, taken by a warp.
fn total(d: usize, is_norm: bool, count: usize) -> Statement {
    let arguments = [name("a.partials"), name("near"), name("epoch") - 1, d.into(), name("CLUSTERED")];
    Statement::set(sum(d), template("shared_total", [Static::Flag(is_norm), Static::Count(count)], arguments))
}

/// Where tests may have failed, all threads leave.
fn leave(instructions: &[Instruction], exit: &Label) -> Option<Statement> {
    let tests = instructions.iter().any(|instruction| matches!(instruction, Instruction::Require { .. }));
    tests.then(|| Statement::when(name("failed"), [Statement::Goto(exit.clone())]))
}
