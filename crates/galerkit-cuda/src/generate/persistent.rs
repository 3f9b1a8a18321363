//! One kernel for a whole loop: all blocks stay resident, keep their own copy of the numbers and the monitor in shared
//! memory, and meet at a barrier where the graph would launch the next kernel. Sums over blocks are taken by every block
//! for itself, in the same order, so all of them decide alike. Best when everything fits the cache, and the only form
//! that can have loops inside of its iterations. For very small systems its blocks
//! are a cluster, which has a faster barrier.

use super::alike::{self, WAY};
use super::number::holds;
use super::scalars::{self, Context};
use super::stage::{Call, calls, declare_dots, largest, walk};
use super::{Names, runs};
use crate::map::Protocol;
use crate::plan::{Stage, is_plain, stages};
use galerkit_linalg::program::Test;
use galerkit_linalg::program::fuse::Facts;
use galerkit_linalg::program::{Instruction, MapId, Slot, Until, inspect};
use std::fmt::Write;

/// What writes the kernel `persistent`.
pub struct Persistent<'a> {
    /// The number that the monitor looks at.
    pub watched: Slot,
    /// Names of everything.
    pub names: &'a Names,
    /// How maps are called.
    pub protocol: &'a dyn Fn(MapId) -> Protocol,
    /// Bytes of shared memory for the numbers that a launch must bring; 0: the kernel has room of its own.
    pub shared: usize,
}

/// For passes that are not many dot products.
const NO_SUMS: (&str, &str) = ("", "");

/// Where lines stand: what counts the iterations of the loop around them, where a failed test leads, and how deep they are.
struct Site {
    counter: String,
    exit: String,
    depth: usize,
}

impl Persistent<'_> {
    /// The kernel for a program without loops inside, whose iterations can go in several ways; `way` is which, in C++. And of how
    /// many texts it is made.
    pub fn of_ways(&self, way: &str, ways: &[&[Stage]]) -> (String, usize) {
        let parts: Vec<Vec<String>> = ways.iter().map(|stages| self.parts(stages)).collect();
        let (body, count) = by_way(way, &parts, 0);
        (self.kernel(&body), count)
    }

    /// The texts of the stages of an iteration, and the monitor's.
    fn parts(&self, stages: &[Stage]) -> Vec<String> {
        let last = stages.len() - 1;
        let mut parts = Vec::new();
        for (index, stage) in stages.iter().enumerate() {
            let idle = index == last && self.is_idle(stage);
            let monitor = if idle { self.observing() } else { String::new() };
            parts.push(self.stage(index, stage, &monitor, "done"));
        }
        if !self.is_idle(&stages[last]) {
            parts.push(self.monitor());
        }
        parts
    }

    /// The kernel for any program.
    pub fn of_lines(&self, lines: &[Instruction], facts: &Facts<'_>) -> String {
        let site = Site { counter: "s.iteration".into(), exit: "done".into(), depth: 0 };
        let body = self.lines(lines, facts, &site) + &self.monitor();
        self.kernel(&body)
    }

    fn kernel(&self, body: &str) -> String {
        let slots = self.names.slot_count();
        let room = match self.shared {
            0 => format!("__shared__ Scalar c[{}];", slots.max(1)),
            _ => "extern __shared__ double2 room[];\n    Scalar *c = reinterpret_cast<Scalar *>(room);".into(),
        };
        let body = alike::with_constant_tables(body);
        format!(
            "extern \"C\" __global__ void __launch_bounds__(RESIDENT_THREADS, 1) persistent(const __grid_constant__ Args a) {{
    {room}
    __shared__ State s;
    __shared__ unsigned failed;
    __shared__ Near near;
    if (threadIdx.x == 0) {{ s = *a.state; begin(s, blockIdx.x == 0); failed = 0; }}
    for (unsigned k = threadIdx.x; k < {slots}; k += blockDim.x) c[k] = a.s[k];
    __syncthreads();
    if (s.word != 0) return;
    meet_in_cluster(); // nobody may write to the shared memory of a block that has not begun
    unsigned epoch = unsigned(*a.epoch);
    for (Offset turn = 0; turn < a.most && s.word == 0; ++turn) {{
{body}    }}
    done:
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {{
        if (failed) {{ report_failure(s, failed - 1); s.word = 2; }}
        *a.state = s; *a.epoch = epoch;
    }}
    if (blockIdx.x == 0) for (unsigned k = threadIdx.x; k < {slots}; k += blockDim.x) a.s[k] = c[k];
    __syncthreads();
    if (blockIdx.x == 0) publish(*a.state);
}}
"
        )
    }

    /// Whether the monitor can look while the stage's barrier is waited for: its number is known, and no test can follow.
    fn is_idle(&self, stage: &Stage) -> bool {
        let runs = !stage.pass.is_empty() && stage.unless.is_empty();
        runs && !stage.tests() && stage.lines().all(|line| line.scalar_write() != Some(self.watched))
    }

    /// The monitor, for one thread of each block.
    fn observing(&self) -> String {
        let watched = self.names.slot(self.watched);
        format!(" if (observe(s, real(c[{watched}]), blockIdx.x == 0)) s.word = 1; ")
    }

    fn monitor(&self) -> String {
        format!("        if (threadIdx.x == 0) {{{}}}\n        __syncthreads();\n", self.observing())
    }

    /// Lines, those with lines of their own included.
    fn lines(&self, lines: &[Instruction], facts: &Facts<'_>, site: &Site) -> String {
        self.texts(lines, facts, site).concat()
    }

    /// The same, stage by stage.
    fn texts(&self, lines: &[Instruction], facts: &Facts<'_>, site: &Site) -> Vec<String> {
        let mut texts = Vec::new();
        for part in lines.chunk_by(|one, other| is_plain(one) && is_plain(other)) {
            match &part[0] {
                Instruction::Every { period, body } => {
                    let (counter, body) = (&site.counter, self.lines(body, facts, site));
                    texts.push(format!("        if (unsigned({counter} + 1) % {period} == 0) {{\n{body}        }}\n"));
                }
                Instruction::Cyclic { bodies } => {
                    let bodies = bodies.iter().map(|body| self.texts(body, facts, site)).collect();
                    texts.push(self.turns(bodies, site));
                }
                Instruction::Unless { test, body } if inspect::nests(body) => {
                    texts.push(self.unless(test, &self.lines(body, facts, site)));
                }
                Instruction::Repeat { until, body } => texts.push(self.repeat(until, body, facts, site)),
                _ => {
                    let stages = stages(part.to_vec(), facts);
                    let text = |(index, stage): (usize, &Stage)| self.stage(index, stage, "", &site.exit);
                    texts.extend(stages.iter().enumerate().map(text));
                }
            }
        }
        texts
    }

    /// The places of a cycle, one text for those that are alike.
    fn turns(&self, bodies: Vec<Vec<String>>, site: &Site) -> String {
        let way = format!("unsigned({}) % {}", site.counter, bodies.len());
        format!("        {{\n{}        }}\n", by_way(&way, &bodies, site.depth).0)
    }

    /// A nested loop; the questions are those of program/nested.rs, in the same order.
    fn repeat(&self, until: &Until, body: &[Instruction], facts: &Facts<'_>, site: &Site) -> String {
        let Until { start, watched, count, ended, .. } = *until;
        let end = self.names.end(until);
        let [start, watched, count, ended] = [start, watched, count, ended].map(|slot| self.names.slot(slot));
        let depth = site.depth + 1;
        let inside = Site { counter: format!("n{depth}"), exit: format!("exit{depth}_{count}"), depth };
        let text = self.lines(body, facts, &inside);
        format!(
            "        {{
        unsigned n{depth} = 0;
        int ended{depth} = -1;
        double norm{depth} = real(c[{start}]);
        const double threshold{depth} = fmax(a.rtol{end} * norm{depth}, a.atol{end});
        __syncthreads();
        for (;;) {{
        if (!isfinite(norm{depth})) break;
        if (norm{depth} <= threshold{depth} || norm{depth} == 0) {{ ended{depth} = 1; break; }}
        if (n{depth} >= a.limit{end}) {{ ended{depth} = 0; break; }}
{text}        norm{depth} = real(c[{watched}]);
        ++n{depth};
        __syncthreads();
        }}
        {exit}:
        __syncthreads();
        if (threadIdx.x == 0) {{ c[{count}] = scalar(n{depth}); c[{ended}] = scalar(ended{depth}); failed = 0; }}
        __syncthreads();
        }}
",
            exit = inside.exit
        )
    }

    /// The text of a stage; `monitor`, if there is one, runs beside its barrier. A failed test leads to `exit`.
    fn stage(&self, index: usize, stage: &Stage, monitor: &str, exit: &str) -> String {
        let text = self.unconditional(index, stage, monitor, exit);
        stage.unless.iter().fold(text, |text, test| self.unless(test, &text))
    }

    /// A text under a condition; every thread has looked before it may change a number.
    fn unless(&self, test: &Test<Slot>, text: &str) -> String {
        let holds = holds(test, &|slot| format!("c[{}]", self.names.slot(slot)));
        format!(
            "        {{ const bool holds = {holds};\n        __syncthreads();\n        if (!holds) {{\n{text}        }} }}\n"
        )
    }

    fn unconditional(&self, index: usize, stage: &Stage, monitor: &str, exit: &str) -> String {
        let names = self.names;
        let mut out = if stage.before.is_empty() { String::new() } else { self.by_first_warp(&stage.before, exit) };
        if stage.pass.is_empty() {
            return out + &self.by_first_warp(&stage.after, exit);
        }
        let calls = calls("p", index, stage, self.protocol);
        out += "        {\n";
        let mut read: Vec<Slot> = runs::plain_reads(&stage.pass, names);
        read.sort();
        read.dedup();
        for slot in read {
            let k = names.slot(slot);
            let _ = writeln!(out, "            const Scalar k{k} = c[{k}];");
        }
        out += &runs::coefficients(&stage.pass, "c", names);
        out += &if runs::is_all_dots(&stage.pass, names) {
            self.many_dots(&calls[0], stage)
        } else {
            self.pass(&calls, stage)
        };
        if !monitor.is_empty() {
            let _ = writeln!(out, "            if (threadIdx.x == 32) {{{monitor}}}");
        }
        out += "            __syncthreads();\n        }\n";
        out + &leave(&stage.after, exit)
    }

    /// The passes of a stage, a barrier after each; behind the last the first warp takes the sums.
    fn pass(&self, calls: &[Call], stage: &Stage) -> String {
        let names = self.names;
        let mut out = declare_dots(calls[0].dots);
        for (pass, call) in calls.iter().enumerate() {
            if pass > 0 {
                out += "            __syncthreads();\n            ++epoch;\n            meet_in_cluster();\n            if (threadIdx.x < 32) { arrive(a.arrived); wait_for_all(a.arrived, epoch); }\n            __syncthreads();\n";
            }
            let _ = writeln!(out, "            {}", walk(call, &stage.pass, names, self.protocol, NO_SUMS));
        }
        let largest = largest(&stage.pass);
        let _ = match calls[0].dots {
            0 => writeln!(out, "            __syncthreads();"),
            _ => writeln!(out, "            share_partials<{largest}>(d, a.partials, near, epoch);"),
        };
        out += "            ++epoch;\n            meet_in_cluster();\n            if (threadIdx.x < 32) {\n                arrive(a.arrived);\n";
        let waiting = "                wait_for_all(a.arrived, epoch);\n";
        if calls[0].dots == 0 {
            // Numbers that need no sum are computed while others arrive.
            return out + &self.numbers("", &stage.after) + waiting + "            }\n";
        }
        out += waiting;
        let outs: Vec<usize> =
            stage.pass.iter().filter_map(Instruction::scalar_write).map(|slot| names.slot(slot)).collect();
        for d in 0..outs.len() {
            let is_largest = largest >> d & 1 == 1;
            let _ = writeln!(
                out,
                "                d[{d}] = shared_total<{is_largest}, {}>(a.partials, near, epoch - 1, {d});",
                outs.len()
            );
        }
        let found = outs.iter().enumerate().map(|(d, k)| format!("                    c[{k}] = d[{d}];\n"));
        out + &self.numbers(&found.collect::<String>(), &stage.after) + "            }\n"
    }

    /// Many dot products with one vector; every warp takes some of the sums.
    fn many_dots(&self, call: &Call, stage: &Stage) -> String {
        let walk = walk(
            call,
            &stage.pass,
            self.names,
            self.protocol,
            ("RESIDENT_THREADS, 12288", "a.partials + partial_set(epoch)"),
        );
        format!(
            "            {walk}
            ++epoch;
            meet_in_cluster();
            if (threadIdx.x < 32) {{ arrive(a.arrived); wait_for_all(a.arrived, epoch); }}
            __syncthreads();
{totals}            if (threadIdx.x < 32) {{
{numbers}            }}
",
            totals = runs::totals(&stage.pass, "a.partials + partial_set(epoch - 1)", "c", self.names),
            numbers = self.numbers("", &stage.after)
        )
    }

    /// Scalar lines by the first warp of each block, and a barrier.
    fn by_first_warp(&self, lines: &[Instruction], exit: &str) -> String {
        let body = self.numbers("", lines);
        format!("        if (threadIdx.x < 32) {{\n{body}        }}\n        __syncthreads();\n") + &leave(lines, exit)
    }

    /// Scalar lines, for the first warp, after something that its first lane does.
    fn numbers(&self, first: &str, lines: &[Instruction]) -> String {
        let prefix = lines.iter().find_map(Instruction::scalar_write).map_or(0, |slot| self.names.slot(slot));
        let place = |slot| self.names.slot(slot);
        let context = Context { place: &place, failure: "failed = CODE + 1; break;", forgets: false };
        scalars::text_for_warp(first, lines, &format!("n{prefix}"), &context)
    }
}

/// The parts of several ways, first all first ones and so on, and of how many texts they are made. Inside of each other at different depths.
fn by_way(way: &str, ways: &[Vec<String>], depth: usize) -> (String, usize) {
    let (mut body, mut count) = (format!("        {WAY}{way};\n"), 0);
    if ways.len() <= alike::FEW_WAYS {
        for (number, parts) in ways.iter().enumerate() {
            let condition = if ways.len() == 1 { String::new() } else { format!("if (way == {number}) ") };
            let _ = write!(body, "        {condition}{{\n{}        }}\n", parts.concat());
        }
        return (body, ways.iter().map(Vec::len).sum());
    }
    let longest = ways.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..longest {
        let texts: Vec<Option<String>> = ways.iter().map(|parts| parts.get(at).cloned()).collect();
        let (text, made_of) = alike::merged(&texts, &format!("t{depth}_{at}"));
        body += &text;
        count += made_of;
    }
    (body, count)
}

/// Where tests may have failed, all threads leave.
fn leave(lines: &[Instruction], exit: &str) -> String {
    if lines.iter().any(|line| matches!(line, Instruction::Require { .. })) {
        format!("        if (failed) goto {exit};\n")
    } else {
        String::new()
    }
}
