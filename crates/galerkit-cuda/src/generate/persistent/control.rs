//! Conditions, cycles and nested loops of a persistent kernel.

use super::{Persistent, Site};
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
    fn by_stages(&self, instructions: &[Instruction], facts: &Facts<'_>, site: &Site) -> Vec<Vec<Statement>> {
        let mut parts = Vec::new();
        for part in instructions.chunk_by(|one, other| is_plain(one) && is_plain(other)) {
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
                Instruction::Repeat { until, body } => parts.push(self.repeat(until, body, facts, site)),
                _ => {
                    let stages = stages(part.to_vec(), facts);
                    let of = |(index, stage): (usize, &Stage)| self.stage(index, stage, None, &site.exit);
                    parts.extend(stages.iter().enumerate().map(of));
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
    fn repeat(&self, until: &Until, body: &[Instruction], facts: &Facts<'_>, site: &Site) -> Vec<Statement> {
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
        let mut round = vec![
            Statement::when(!call("isfinite", [norm.value()]), [Statement::Break]),
            Statement::when(is_small, end(1)),
            Statement::when(n.value().binary(Binary::GreaterEqual, limit), end(0)),
        ];
        round.extend(self.instructions(body, facts, &inside));
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
}
