//! One kernel per stage, for replayed graphs. Its shape:
//!
//! ```text
//! return if the loop has ended
//! numbers: load those that the pass reads, compute the scalar lines before it (in every thread: all get the same)
//! the pass over its rows, dots summed per thread
//! dots summed per block; the last block to arrive sums the blocks, runs the scalar lines after the pass, the monitor
//! ```

use super::entry::{entry, row, two_entries};
use super::number::{assignment, condition, holds};
use super::{Names, many_numbers, runs};
use crate::map::Protocol;
use crate::plan::Stage;
use galerkit_linalg::program::{Instruction, MapId, Slot};
use std::fmt::Write;

/// A kernel of a module: how it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// Its stage, by index.
    pub stage: usize,
    /// How the product at the head of its pass works, if there is one.
    pub head: Option<(MapId, Protocol)>,
    /// Which pass of a product that takes several.
    pub pass: usize,
    /// Sums over all rows that it computes.
    pub dots: usize,
    /// Whether its blocks must report that they are done, because something follows that needs all of them. (A monitor
    /// at its end makes it so too; only iterations that watch a number of an earlier stage have one there.)
    pub arrives: bool,
}

/// The kernels of a stage: one, or one for each pass of its product.
pub fn calls(prefix: &str, index: usize, stage: &Stage, protocol: &dyn Fn(MapId) -> Protocol) -> Vec<Call> {
    let head = stage
        .pass
        .first()
        .and_then(Instruction::map)
        .map(|A| (A, protocol(A)))
        .filter(|head| head.1 != Protocol::Entry);
    let passes = if let Some((_, Protocol::Passes(passes))) = head { passes } else { 1 };
    let dots = stage.pass.iter().filter(|line| line.reduces()).count();
    let name = |pass| if passes == 1 { format!("{prefix}{index}") } else { format!("{prefix}{index}_{pass}") };
    let split = matches!(head, Some((_, Protocol::Split)));
    let arrives = dots > 0 || split || !stage.after.is_empty() || !stage.before.is_empty();
    (0..passes).map(|pass| Call { name: name(pass), stage: index, head, pass, dots, arrives }).collect()
}

/// Where the monitor stands, seen from a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watching {
    /// Not yet in this iteration, or there is none.
    Later,
    /// At the end of this stage, on this slot.
    Here(Slot),
    /// It has looked already: this stage belongs to an iteration that runs to its end.
    Before,
}

/// The text of one kernel of a stage. The first of an iteration also makes the end of a loop final.
pub fn stage_kernel(
    call: &Call,
    stage: &Stage,
    watching: Watching,
    names: &Names,
    protocol: &dyn Fn(MapId) -> Protocol,
) -> String {
    let mut t = Text { out: String::new(), names, known: Vec::new(), declared: Vec::new() };
    let final_pass = !matches!(call.head, Some((_, Protocol::Passes(passes))) if call.pass + 1 < passes);
    let _ = writeln!(
        t.out,
        "extern \"C\" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS) {}(const __grid_constant__ Args a) {{",
        call.name
    );
    t.guard(call, watching);
    t.condition(stage);
    t.numbers_before(stage);
    t.pass(call, stage, protocol);
    if final_pass {
        t.finish(call, stage, watching);
    }
    t.out += "}\n";
    t.out
}

/// Lines on numbers that one thread runs straight from memory.
const FEW_NUMBERS: usize = 12;

struct Text<'a> {
    out: String,
    names: &'a Names,
    /// Slots whose value is in the variable `k<n>`.
    known: Vec<Slot>,
    /// Those that were computed here and are stored at the end.
    declared: Vec<Slot>,
}

impl Text<'_> {
    fn guard(&mut self, call: &Call, watching: Watching) {
        self.out += "    after_previous_kernel();\n";
        self.out += match (watching, call.stage) {
            (Watching::Before, _) => "    if (a.state->word == 2) return;\n",
            // Stages behind the monitor still run in the iteration it ends; from the next one on nothing does.
            (_, 0) => "    if (a.state->word != 0) { if (thread_index() == 0) a.state->word = 2; return; }\n",
            _ => "    if (a.state->word != 0) return;\n",
        };
    }

    /// A stage under a condition: every block finds the same, and nobody waits for blocks that do nothing.
    fn condition(&mut self, stage: &Stage) {
        for test in &stage.unless {
            let holds = holds(test, &|slot| format!("a.s[{}]", self.names.slot(slot)));
            let _ = writeln!(self.out, "    if ({holds}) return;");
        }
    }

    /// Makes `k<n>` hold a slot's value.
    fn load(&mut self, slot: Slot) {
        if !self.known.contains(&slot) {
            self.known.push(slot);
            let k = self.names.slot(slot);
            let _ = writeln!(self.out, "    Scalar k{k} = a.s[{k}];");
        }
    }

    fn define(&mut self, slot: Slot, value: &str) {
        let k = self.names.slot(slot);
        let declare = if self.known.contains(&slot) { "" } else { "Scalar " };
        let _ = writeln!(self.out, "    {declare}k{k} = {value};");
        if !self.known.contains(&slot) {
            self.known.push(slot);
        }
    }

    fn numbers_before(&mut self, stage: &Stage) {
        if stage.before.iter().any(|line| matches!(line, Instruction::Require { .. })) {
            self.out += "    unsigned failed = 0;\n    bool ok = true;\n";
        }
        for line in &stage.before {
            line.scalar_reads().into_iter().for_each(|slot| self.load(slot));
            let names = self.names;
            let read = |slot| format!("k{}", names.slot(slot));
            if let Some((slot, value)) = assignment(line, &read) {
                self.define(slot, &value);
                self.declared.push(slot);
            } else if let Some((holds, code)) = condition(line, &read) {
                let _ = writeln!(self.out, "    if (ok && !({holds})) {{ ok = false; failed = {code}; }}");
            }
        }
        runs::plain_reads(&stage.pass, self.names).into_iter().for_each(|slot| self.load(slot));
    }

    fn pass(&mut self, call: &Call, stage: &Stage, protocol: &dyn Fn(MapId) -> Protocol) {
        if stage.pass.is_empty() {
            return;
        }
        if !runs::is_all_dots(&stage.pass, self.names) {
            self.out += &declare_dots(call.dots);
        }
        self.coefficients(stage);
        let guarded = stage.before.iter().any(|line| matches!(line, Instruction::Require { .. }));
        let body = walk(call, &stage.pass, self.names, protocol, ("THREADS, 32768", "a.partials"));
        let _ = writeln!(self.out, "    {}{{ {body} }}", if guarded { "if (ok) " } else { "" });
    }

    /// Coefficients of loops; those that this kernel has computed itself are not in memory yet.
    fn coefficients(&mut self, stage: &Stage) {
        self.out += &runs::coefficients(&stage.pass, "a.s", self.names);
        let mut own = String::new();
        for run in runs::updates(&stage.pass, self.names) {
            for (u, line) in stage.pass[run.clone()].iter().enumerate() {
                for slot in line.scalar_reads().into_iter().filter(|slot| self.declared.contains(slot)) {
                    let _ = write!(own, "h{}[{u}] = k{}; ", run.start, self.names.slot(slot));
                }
            }
        }
        if !own.is_empty() {
            let _ = writeln!(self.out, "    if (threadIdx.x == 0) {{ {own}}}\n    __syncthreads();");
        }
    }

    fn finish(&mut self, call: &Call, stage: &Stage, watching: Watching) {
        let split = matches!(call.head, Some((_, Protocol::Split)));
        if !call.arrives && !matches!(watching, Watching::Here(_)) {
            return;
        }
        let many = runs::is_all_dots(&stage.pass, self.names);
        if call.dots > 0 && !many {
            let largest = largest(&stage.pass);
            let _ = writeln!(self.out, "    store_partials<{largest}>(d, a.partials, gridDim.x);");
        }
        self.out += "    if (!last_to_arrive(a.ticket)) return;\n";
        if stage.before.iter().any(|line| matches!(line, Instruction::Require { .. })) {
            self.out += "    if (!ok) { if (threadIdx.x == 0) { report_failure(*a.state, failed); a.state->word = 2; } return; }\n";
        }
        if split {
            let add = split_lambdas(&stage.pass[0], self.names).1;
            let m = self.names.map(stage.pass[0].map().expect("a split product has a map"));
            let _ = writeln!(self.out, "    map{m}::finish(a.m{m}, {add});");
        }
        let mut outs: Vec<Slot> = stage.pass.iter().filter_map(Instruction::scalar_write).collect();
        if many {
            self.out += &runs::totals(&stage.pass, "a.partials", "a.s", self.names);
            outs.clear(); // they are where they belong
        }
        for (d, &out) in outs.iter().enumerate() {
            let is_largest = largest(&stage.pass) >> d & 1 == 1;
            self.define(out, &format!("total<{is_largest}>(a.partials + {d} * gridDim.x)"));
        }
        let known: Vec<Slot> = self.declared.iter().chain(&outs).copied().collect();
        if stage.after.len() > FEW_NUMBERS {
            let watched = if let Watching::Here(slot) = watching { Some(slot) } else { None };
            self.out += &many_numbers::text(&stage.after, &known, watched, self.names);
            return;
        }
        self.out += "    if (threadIdx.x != 0) return;\n";
        for slot in known {
            let k = self.names.slot(slot);
            let _ = writeln!(self.out, "    a.s[{k}] = k{k};");
        }
        self.numbers_after(stage);
        if let Watching::Here(slot) = watching {
            self.load(slot);
            let _ =
                writeln!(self.out, "    if (observe(*a.state, real(k{}))) a.state->word = 1;", self.names.slot(slot));
        }
    }

    fn numbers_after(&mut self, stage: &Stage) {
        for line in &stage.after {
            line.scalar_reads().into_iter().for_each(|slot| self.load(slot));
            let names = self.names;
            let read = |slot| format!("k{}", names.slot(slot));
            if let Some((slot, value)) = assignment(line, &read) {
                self.define(slot, &value);
                let k = self.names.slot(slot);
                let _ = writeln!(self.out, "    a.s[{k}] = k{k};");
            } else if let Some((holds, code)) = condition(line, &read) {
                let _ = writeln!(
                    self.out,
                    "    if (!({holds})) {{ report_failure(*a.state, {code}); a.state->word = 2; return; }}"
                );
            }
        }
    }
}

/// Which numbers that a pass makes, by bits, are not sums but the largest of their entries.
pub(super) fn largest(pass: &[Instruction]) -> usize {
    let reductions = pass.iter().filter(|line| line.reduces());
    reductions.enumerate().map(|(d, line)| usize::from(matches!(line, Instruction::NormInf { .. })) << d).sum()
}

/// The sums of a pass, one for each of its dots.
pub(super) fn declare_dots(dots: usize) -> String {
    let zeros = vec!["zero()"; dots].join(", ");
    if dots == 0 { String::new() } else { format!("    Scalar d[{dots}] = {{{zeros}}};\n") }
}

/// The statement that goes through all rows of a pass. Many dot products have blocks of so many threads and leave their sums there:
/// `sums`. Many updates, which usually follow them, go backwards: what was read last is still in the cache.
pub(super) fn walk(
    call: &Call,
    pass: &[Instruction],
    names: &Names,
    protocol: &dyn Fn(MapId) -> Protocol,
    sums: (&str, &str),
) -> String {
    let v = |x| names.pointer(x);
    let n = names.rows(pass);
    match call.head {
        Some((A, Protocol::Rows)) => {
            let (m, x) = (names.map(A), v(pass[0].product_input().expect("a product has an input")));
            format!("map{m}::each_row(a.m{m}, {x}, {});", row(pass, names, protocol))
        }
        Some((A, Protocol::Split)) => {
            let (write, add) = split_lambdas(&pass[0], names);
            let (m, x) = (names.map(A), v(pass[0].product_input().expect("a product has an input")));
            format!("map{m}::product(a.m{m}, {x}, {write}, {add});")
        }
        Some((A, Protocol::Passes(_))) => {
            let Instruction::Apply { x, y, .. } = pass[0] else {
                unreachable!("maps in passes approximate inverses, of which no residual is taken")
            };
            let m = names.map(A);
            format!("map{m}::apply<{}>(a.m{m}, {}, {});", call.pass, v(x), v(y))
        }
        _ if runs::is_all_dots(pass, names) => {
            let (list, y) = (names.list(&runs::inputs(pass)), pass[0].reads()[1]);
            let (threads, partials) = sums;
            format!("many_dots<{threads}>({list}, {}, {}, {n}, {partials});", pass.len(), v(y))
        }
        _ if !runs::updates(pass, names).is_empty() => {
            let (one, two) = (entry(pass, names, protocol), two_entries(pass, names, protocol));
            format!(
                "const Offset first = first_row({n}, blockIdx.x, gridDim.x), last = first_row({n}, blockIdx.x + 1, gridDim.x); \
                 for (Offset k = threadIdx.x; k < last - first; k += 2 * blockDim.x) \
                 {{\n        const Offset i = last - 1 - k, j = i - blockDim.x;\n        \
                 if (k + blockDim.x < last - first) {{ {two}}}\n        else {{ {one}}}\n    }}"
            )
        }
        _ => {
            let (one, two) = (entry(pass, names, protocol), two_entries(pass, names, protocol));
            format!(
                "for (Offset i = thread_index(), j = i + thread_count(); i < {n}; i = j + thread_count(), j = i + thread_count()) \
                 {{\n        if (j < {n}) {{ {two}}}\n        else {{ {one}}}\n    }}"
            )
        }
    }
}

/// What a split product does with a sum, and with the rest of one that comes later.
fn split_lambdas(line: &Instruction, names: &Names) -> (String, String) {
    let v = |x| names.pointer(x);
    let kind = names.kind(line.rows_of());
    match *line {
        Instruction::Apply { y, .. } => (
            format!("[&](Offset i, {kind} sum) {{ {}[i] = sum; }}", v(y)),
            format!("[&](Offset i, {kind} sum) {{ {}[i] += sum; }}", v(y)),
        ),
        Instruction::Residual { b, r, .. } => (
            format!("[&](Offset i, {kind} sum) {{ {}[i] = {}[i] - sum; }}", v(r), v(b)),
            format!("[&](Offset i, {kind} sum) {{ {}[i] -= sum; }}", v(r)),
        ),
        _ => unreachable!("only products are split"),
    }
}
