//! One kernel per stage, for replayed graphs. Its shape:
//!
//! ```text
//! return if the loop has ended
//! scalars: load those that the pass reads, compute those before it (in every thread: all get the same)
//! the pass over its rows, dots summed per thread
//! dots summed per block; the last block to arrive sums the blocks, runs the scalars after the pass, the monitor
//! ```

use super::ir::{Expression, Kernel, Statement, Static, Type, element, name, of_map, template};
use super::scalar::{assignment, condition, holds, report};
use super::variables::scalar;
use super::walk::{declare_dots, norms_inf, split_lambdas, walk};
use super::{Call, Names, Watching, many_scalars, multi};
use crate::map::Interface;
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, MapId, Slot};

/// One kernel of a stage. The first of an iteration also makes the end of a loop final.
pub fn stage_kernel(
    call: &Call,
    stage: &Stage,
    watching: Watching,
    names: &Names,
    interface: &dyn Fn(MapId) -> Interface,
) -> Kernel {
    let mut writer = Writer { body: Vec::new(), names, known: Vec::new(), declared: Vec::new() };
    let has_sums = call.head.is_none_or(|(_, interface)| interface.launches().1 == call.pass);
    writer.guard(call, watching);
    writer.condition(stage);
    writer.scalars_before(stage);
    writer.pass(call, stage, interface);
    if has_sums {
        writer.finish(call, stage, watching);
    }
    Kernel { bounds: Some("THREADS, MIN_BLOCKS"), name: call.name.clone(), body: writer.body }
}

/// Scalar instructions that one thread runs straight from memory.
const FEW_SCALARS: usize = 12;

/// A scalar in memory.
pub fn stored(k: usize) -> Expression {
    element(name("a.s"), k)
}

fn tests(instructions: &[Instruction]) -> bool {
    instructions.iter().any(|instruction| matches!(instruction, Instruction::Require { .. }))
}

struct Writer<'a> {
    body: Vec<Statement>,
    names: &'a Names,
    /// Slots whose value is in the variable `k<n>`.
    known: Vec<Slot>,
    /// Those that were computed here and are stored at the end.
    declared: Vec<Slot>,
}

impl Writer<'_> {
    fn guard(&mut self, call: &Call, watching: Watching) {
        self.body.push(Statement::Fixed("after_previous_kernel();"));
        self.body.push(Statement::Fixed(match (watching, call.stage) {
            (Watching::Before, _) => "if (a.state->word == 2) return;",
            // Stages behind the monitor still run in the iteration it ends; from the next one on nothing does.
            (_, 0) => "if (a.state->word != 0) { if (thread_index() == 0) a.state->word = 2; return; }",
            _ => "if (a.state->word != 0) return;",
        }));
    }

    /// A stage under a condition: every block finds the same, and nobody waits for blocks that do nothing.
    fn condition(&mut self, stage: &Stage) {
        for test in &stage.unless {
            let holds = holds(test, &|slot| stored(self.names.slot(slot)));
            self.body.push(Statement::when(holds, [Statement::Return(None)]));
        }
    }

    /// Makes `k<n>` hold a slot's value.
    fn load(&mut self, slot: Slot) {
        if !self.known.contains(&slot) {
            let k = self.names.slot(slot);
            self.define(slot, stored(k));
        }
    }

    fn define(&mut self, slot: Slot, value: Expression) {
        let k = scalar(self.names.slot(slot));
        if self.known.contains(&slot) {
            self.body.push(Statement::set(k.value(), value));
        } else {
            self.known.push(slot);
            self.body.push(Statement::variable(Type::Scalar, k, value));
        }
    }

    fn store(&mut self, slot: Slot) {
        let k = self.names.slot(slot);
        self.body.push(Statement::set(stored(k), scalar(k).value()));
    }

    fn scalars_before(&mut self, stage: &Stage) {
        if tests(&stage.before) {
            self.body.extend(["unsigned failed = 0;", "bool ok = true;"].map(Statement::Fixed));
        }
        for instruction in &stage.before {
            instruction.scalar_reads().into_iter().for_each(|slot| self.load(slot));
            let names = self.names;
            let read = |slot| scalar(names.slot(slot)).value();
            if let Some((slot, value)) = assignment(instruction, &read) {
                self.define(slot, value);
                self.declared.push(slot);
            } else if let Some((holds, code)) = condition(instruction, &read) {
                let fail = [Statement::Fixed("ok = false;"), Statement::set(name("failed"), code.into())];
                self.body.push(Statement::when(name("ok").and(!holds), fail));
            }
        }
        multi::plain_reads(&stage.pass, self.names).into_iter().for_each(|slot| self.load(slot));
    }

    fn pass(&mut self, call: &Call, stage: &Stage, interface: &dyn Fn(MapId) -> Interface) {
        if stage.pass.is_empty() {
            return;
        }
        let body = if multi::is_dots(&stage.pass, self.names) {
            vec![multi::dots(&stage.pass, self.names, ("THREADS", 32768), name("a.partials"))]
        } else {
            self.body.extend(declare_dots(call.dots));
            self.coefficients(stage);
            walk(call, &stage.pass, self.names, interface)
        };
        let is_guarded = tests(&stage.before);
        self.body.push(if is_guarded { Statement::when(name("ok"), body) } else { Statement::Block(body) });
    }

    /// Coefficients of multi-axpys; those that this kernel has computed itself are not in memory yet.
    fn coefficients(&mut self, stage: &Stage) {
        self.body.extend(multi::coefficients(&stage.pass, "a.s", self.names));
        let mut own = Vec::new();
        for run in multi::axpys(&stage.pass, self.names) {
            for (u, instruction) in stage.pass[run.clone()].iter().enumerate() {
                for slot in instruction.scalar_reads().into_iter().filter(|slot| self.declared.contains(slot)) {
                    let target = element(multi::coefficient(run.start).value(), u);
                    own.push(Statement::set(target, scalar(self.names.slot(slot)).value()));
                }
            }
        }
        if !own.is_empty() {
            self.body.push(Statement::when(name("threadIdx.x").equals(0), own));
            self.body.push(Statement::Fixed("__syncthreads();"));
        }
    }

    fn finish(&mut self, call: &Call, stage: &Stage, watching: Watching) {
        if !call.arrives && !matches!(watching, Watching::Here(_)) {
            return;
        }
        self.meet(call, stage);
        let outs = self.totals(stage);
        let known: Vec<Slot> = self.declared.iter().chain(&outs).copied().collect();
        if stage.after.len() > FEW_SCALARS {
            let watched = if let Watching::Here(slot) = watching { Some(slot) } else { None };
            self.body.extend(many_scalars::statements(&stage.after, &known, watched, self.names));
            return;
        }
        self.body.push(Statement::Fixed("if (threadIdx.x != 0) return;"));
        known.into_iter().for_each(|slot| self.store(slot));
        self.scalars_after(stage);
        if let Watching::Here(slot) = watching {
            self.load(slot);
            let norm = super::ir::call("real", [scalar(self.names.slot(slot)).value()]);
            let ended = super::ir::call("observe", [name("*a.state"), norm]);
            self.body.push(Statement::when(ended, [Statement::Fixed("a.state->word = 1;")]));
        }
    }

    /// Sums over the block, and all blocks but the last to arrive leave. It ends a split product.
    fn meet(&mut self, call: &Call, stage: &Stage) {
        if call.dots > 0 && !multi::is_dots(&stage.pass, self.names) {
            let norms = [Static::Count(norms_inf(&stage.pass))];
            let arguments = ["d", "a.partials", "gridDim.x"].map(name);
            self.body.push(Statement::Evaluate(template("store_partials", norms, arguments)));
        }
        self.body.push(Statement::Fixed("if (!last_to_arrive(a.ticket)) return;"));
        if tests(&stage.before) {
            let by_one = Statement::when(name("threadIdx.x").equals(0), report(name("failed")));
            self.body.push(Statement::when(!name("ok"), [by_one, Statement::Return(None)]));
        }
        if let Some((A, Interface::Split)) = call.head {
            let add = split_lambdas(&stage.pass[0], self.names).1;
            self.body.push(Statement::Evaluate(of_map(self.names.arrays(A), "finish", None, vec![add])));
        }
    }

    /// Sums over the blocks, in the variables of these slots; those of a multi-dot go to memory at once.
    fn totals(&mut self, stage: &Stage) -> Vec<Slot> {
        if multi::is_dots(&stage.pass, self.names) {
            self.body.extend(multi::totals(&stage.pass, name("a.partials"), "a.s", self.names));
            return Vec::new();
        }
        let outs: Vec<Slot> = stage.pass.iter().filter_map(Instruction::scalar_write).collect();
        for (d, &out) in outs.iter().enumerate() {
            let is_norm = norms_inf(&stage.pass) >> d & 1 == 1;
            let partials = name("a.partials") + Expression::from(d) * name("gridDim.x");
            self.define(out, template("total", [Static::Flag(is_norm)], [partials]));
        }
        outs
    }

    fn scalars_after(&mut self, stage: &Stage) {
        for instruction in &stage.after {
            instruction.scalar_reads().into_iter().for_each(|slot| self.load(slot));
            let names = self.names;
            let read = |slot| scalar(names.slot(slot)).value();
            if let Some((slot, value)) = assignment(instruction, &read) {
                self.define(slot, value);
                self.store(slot);
            } else if let Some((holds, code)) = condition(instruction, &read) {
                let leave = report(code.into()).into_iter().chain([Statement::Return(None)]);
                self.body.push(Statement::when(!holds, leave.collect::<Vec<_>>()));
            }
        }
    }
}
