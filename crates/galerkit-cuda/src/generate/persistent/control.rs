//! Conditions, cycles and nested loops of a persistent kernel.

use super::meeting::{self, Meeting};
use super::{Persistent, Site, first_stage, last_stage};
use crate::generate::ir::{Assignment, Binary, Expression, Label, Statement, Type, Variable, call, name};
use crate::generate::passes::forward::scalar;
use crate::generate::passes::merge;
use crate::generate::scalar::holds;
use crate::plan::{Stage, is_plain, stages};
use galerkit_linalg::program::fuse::Facts;
use galerkit_linalg::program::{Instruction, Slot, Test, Until, inspect};

impl Persistent<'_> {
    /// Instructions, those with instructions of their own included.
    pub(super) fn instructions(&self, instructions: &[Instruction], facts: &Facts<'_>, site: &Site) -> Vec<Statement> {
        self.by_stages(instructions, facts, site).concat()
    }

    /// The same, stage by stage.
    pub(super) fn by_stages(
        &self,
        instructions: &[Instruction],
        facts: &Facts<'_>,
        site: &Site,
    ) -> Vec<Vec<Statement>> {
        let (mut parts, mut done) = (Vec::new(), 0);
        for part in instructions.chunk_by(|one, other| is_plain(one) && is_plain(other)) {
            done += part.len();
            let after = &instructions[done..];
            match &part[0] {
                Instruction::Every { period, body } => {
                    let count = call("unsigned", [site.counter.clone() + 1]);
                    let body = self.instructions(body, facts, site);
                    parts.push(vec![Statement::when((count % *period).equals(0), body)]);
                }
                Instruction::Cyclic { bodies } => {
                    let bodies: Vec<_> = bodies.iter().map(|body| self.by_stages(body, facts, site)).collect();
                    let position = call("unsigned", [site.counter.clone()]) % bodies.len();
                    parts.push(vec![Statement::Block(merge::variants(position, bodies, site.depth).0)]);
                }
                Instruction::Unless { test, body } if inspect::nests(body) => {
                    parts.push(self.unless(test, self.instructions(body, facts, site)));
                }
                Instruction::Repeat { until, body } => parts.push(self.repeat(until, [body, after], facts, site)),
                _ => {
                    let stages = stages(part.to_vec(), facts);
                    parts.extend(stages.iter().enumerate().map(|(k, stage)| {
                        let meeting = meeting::between(stage, stages.get(k + 1), self.names, self.interface);
                        self.stage(stage, &meeting, None, &site.exit)
                    }));
                }
            }
        }
        parts
    }

    /// Statements under a condition; every thread has looked before it may change a scalar.
    pub(super) fn unless(&self, test: &Test<Slot>, body: Vec<Statement>) -> Vec<Statement> {
        let holds = holds(test, &|slot| scalar(self.names.slot(slot)));
        vec![Statement::Block(vec![
            Statement::constant(Type::Bool, Variable::only("holds"), holds),
            Statement::Fixed("__syncthreads();"),
            Statement::when(!name("holds"), body),
        ])]
    }

    /// A nested loop; the questions are those of program/nested.rs, in the same order.
    fn repeat(
        &self,
        until: &Until,
        [body, after]: [&[Instruction]; 2],
        facts: &Facts<'_>,
        site: &Site,
    ) -> Vec<Statement> {
        let slot = |slot| self.names.slot(slot);
        let depth = site.depth + 1;
        let [n, ended, norm, threshold] = ["n", "ended", "norm", "threshold"].map(|stem| Variable::new(stem, depth));
        let exit = Label { stem: "exit", path: vec![depth, slot(until.count)] };
        let inside = Site { counter: n.value(), exit: exit.clone(), depth };
        let barrier = || Statement::Fixed("__syncthreads();");
        let real = |of: Slot| call("real", [scalar(slot(of))]);
        let [rtol, atol, limit] =
            ["rtol", "atol", "limit"].map(|stem| Expression::Argument(stem, self.names.end(until)));
        let end = |code: usize| vec![Statement::set(ended.value(), code.into()), Statement::Break];
        let is_small = norm.value().binary(Binary::LessEqual, threshold.value());
        let is_small = is_small.binary(Binary::Or, norm.value().equals(0));
        let questions = [
            Statement::when(!call("isfinite", [norm.value()]), [Statement::Break]),
            Statement::when(is_small, end(1)),
            Statement::when(n.value().binary(Binary::GreaterEqual, limit), end(0)),
        ];
        let goes_on = Variable::new("goes_on", depth);
        let mut parts = self.by_stages(body, facts, &inside);
        let rest = self.rest([body, after], facts).map(|rest| {
            parts.pop();
            self.stage(&rest, &Meeting::If(goes_on.value()), None, &exit)
        });
        let mut round = begin_round(Vec::from(questions), rest, &n, goes_on);
        round.extend(parts.concat());
        round.push(Statement::set(norm.value(), real(until.watched)));
        round.push(Statement::Assign(n.value(), Assignment::Add, 1.into()));
        round.push(barrier());
        let found = |of: Slot, value: &Variable| Statement::set(scalar(slot(of)), call("scalar", [value.value()]));
        let told = [found(until.count, &n), found(until.ended, &ended), Statement::Fixed("failed = 0;")];
        let least = call("fmax", [rtol * norm.value(), atol]);
        vec![Statement::Block(vec![
            Statement::variable(Type::Unsigned, n, Expression::from(0)),
            Statement::variable(Type::Int, ended, -Expression::from(1)),
            Statement::variable(Type::Double, norm, real(until.start)),
            Statement::constant(Type::Double, threshold, least),
            barrier(),
            Statement::Forever(round),
            Statement::Label(exit),
            barrier(),
            Statement::when(name("threadIdx.x").equals(0), told),
            barrier(),
        ])]
    }
    /// The stage at the end of a nested loop's body that runs in the next round, where it is known whether there will
    /// be another: if not, nobody need wait between it and what follows the loop.
    fn rest(&self, [body, after]: [&[Instruction]; 2], facts: &Facts<'_>) -> Option<Stage> {
        let (last, next) = (last_stage(body, facts)?, first_stage(after, facts)?);
        let only_pass = last.before.is_empty() && last.after.is_empty();
        (only_pass && meeting::are_apart(&last, &next, self.names, self.interface)).then_some(last)
    }
}

/// What a round of a nested loop begins with: the questions, which leave it, and before that the rest of the round
/// before, if it has left one.
fn begin_round(
    questions: Vec<Statement>,
    rest: Option<Vec<Statement>>,
    n: &Variable,
    goes_on: Variable,
) -> Vec<Statement> {
    let Some(rest) = rest else { return questions };
    let found = goes_on.value();
    let mut all = questions;
    all.push(Statement::set(found.clone(), 1.into()));
    vec![
        Statement::variable(Type::Bool, goes_on, Expression::from(0)),
        Statement::Once(all),
        Statement::when(n.value().binary(Binary::Greater, 0), rest),
        Statement::when(!found, [Statement::Break]),
    ]
}
