//! One kernel for a whole loop, when everything fits the cache: all blocks stay resident, keep their own copy of the
//! numbers and the monitor in shared memory, and meet at a barrier where the graph would launch the next kernel.
//! Sums over blocks are taken by every block for itself, in the same order, so all of them decide alike.

use super::Names;
use super::number::{assignment, condition};
use super::stage::{calls, declare_dots, walk};
use crate::map::Protocol;
use crate::plan::Stage;
use galerkit_linalg::engine::record::{Line, MapId, Slot};
use std::fmt::Write;

/// One way an iteration can go: its stages, and the C++ condition on `iteration` (iterations completed) under which it
/// is this one's turn.
pub struct Variant<'a> {
    /// When.
    pub condition: String,
    /// What.
    pub stages: &'a [Stage],
}

/// The text of the kernel `persistent`.
pub fn persistent_kernel(
    variants: &[Variant<'_>],
    watched: Slot,
    names: &Names,
    protocol: &dyn Fn(MapId) -> Protocol,
) -> String {
    let slots = names.slot_count();
    let mut out = String::from(
        "extern \"C\" __global__ void __launch_bounds__(RESIDENT_THREADS, 1) persistent(const __grid_constant__ Args a) {\n",
    );
    let _ = writeln!(
        out,
        "    __shared__ Scalar c[{}];\n    __shared__ State s;\n    __shared__ unsigned failed;",
        slots.max(1)
    );
    out += "    if (threadIdx.x == 0) {\n        s = *a.state; failed = 0;\n";
    (0..slots).for_each(|k| {
        let _ = writeln!(out, "        c[{k}] = a.s[{k}];");
    });
    out += "    }\n    __syncthreads();\n    if (s.word != 0) return;\n    unsigned epoch = unsigned(*a.epoch);\n";
    out += "    for (Offset turn = 0; turn < a.most && s.word == 0; ++turn) {\n";
    for (v, variant) in variants.iter().enumerate() {
        let opening = if v == 0 { "if" } else { "else if" };
        let _ = writeln!(out, "        {opening} ({}) {{", variant.condition.replace("iteration", "s.iteration"));
        let last = variant.stages.len() - 1;
        for (index, stage) in variant.stages.iter().enumerate() {
            let monitor =
                if index == last && is_idle(stage, watched) { observing(watched, names) } else { String::new() };
            out += &stage_text(index, stage, &monitor, names, protocol);
        }
        if !is_idle(&variant.stages[last], watched) {
            let _ = writeln!(
                out,
                "        if (threadIdx.x == 0) {{{}}}\n        __syncthreads();",
                observing(watched, names)
            );
        }
        out += "        }\n";
    }
    out += "    }\n    done:\n    if (blockIdx.x == 0 && threadIdx.x == 0) {\n";
    out +=
        "        if (failed) { report_failure(s, failed - 1); s.word = 2; }\n        *a.state = s; *a.epoch = epoch;\n";
    (0..slots).for_each(|k| {
        let _ = writeln!(out, "        a.s[{k}] = c[{k}];");
    });
    out += "    }\n    __syncthreads();\n    if (blockIdx.x == 0) publish(*a.state);\n}\n";
    out
}

/// Whether the monitor can look while the stage's barrier is waited for: its number is known, and no test can follow.
fn is_idle(stage: &Stage, watched: Slot) -> bool {
    !stage.pass.is_empty() && !stage.tests() && stage.lines().all(|line| line.scalar_write() != Some(watched))
}

/// The monitor, for one thread of each block.
fn observing(watched: Slot, names: &Names) -> String {
    format!(" if (observe(s, real(c[{}]), blockIdx.x == 0)) s.word = 1; ", names.slot(watched))
}

/// The text of a stage; `monitor`, if there is one, runs beside its barrier.
fn stage_text(
    index: usize,
    stage: &Stage,
    monitor: &str,
    names: &Names,
    protocol: &dyn Fn(MapId) -> Protocol,
) -> String {
    let mut out = if stage.before.is_empty() { String::new() } else { by_first_thread(&stage.before, names) };
    if stage.pass.is_empty() {
        return out + &by_first_thread(&stage.after, names);
    }
    let call = &calls("p", index, stage, protocol)[0];
    out += "        {\n";
    let mut read: Vec<Slot> = stage.pass.iter().flat_map(Line::scalar_reads).collect();
    read.sort();
    read.dedup();
    for slot in read {
        let k = names.slot(slot);
        let _ = writeln!(out, "            const Scalar k{k} = c[{k}];");
    }
    out += &declare_dots(call.dots);
    let _ = writeln!(out, "            {}", walk(call, &stage.pass, names, protocol));
    out += match call.dots {
        0 => "            __syncthreads();\n",
        _ => "            store_partials(d, a.partials + partial_set(epoch), gridDim.x);\n",
    };
    out +=
        "            ++epoch;\n            if (threadIdx.x < 32) {\n                wait_for_all(a.arrived, epoch);\n";
    let outs = stage.pass.iter().filter(|line| matches!(line, Line::Dot { .. })).filter_map(Line::scalar_write);
    let outs: Vec<usize> = outs.map(|slot| names.slot(slot)).collect();
    for d in 0..outs.len() {
        let _ = writeln!(
            out,
            "                d[{d}] = warp_total(a.partials + partial_set(epoch - 1) + {d} * gridDim.x);"
        );
    }
    out += "                if (threadIdx.x == 0) do {\n";
    outs.iter().enumerate().for_each(|(d, k)| {
        let _ = writeln!(out, "                    c[{k}] = d[{d}];");
    });
    out += &numbers(&stage.after, names);
    out += "                } while (false);\n            }\n";
    if !monitor.is_empty() {
        let _ = writeln!(out, "            if (threadIdx.x == 32) {{{monitor}}}");
    }
    out += "            __syncthreads();\n        }\n";
    out + leave(&stage.after)
}

/// Scalar lines by the first thread of each block, and a barrier.
fn by_first_thread(lines: &[Line], names: &Names) -> String {
    let body = numbers(lines, names);
    format!("        if (threadIdx.x == 0) do {{\n{body}        }} while (false);\n        __syncthreads();\n")
        + leave(lines)
}

/// Where tests may have failed, all threads leave the loop.
fn leave(lines: &[Line]) -> &'static str {
    if lines.iter().any(|line| matches!(line, Line::Require { .. })) { "        if (failed) goto done;\n" } else { "" }
}

/// Scalar lines; a failed test breaks out of the block around them.
fn numbers(lines: &[Line], names: &Names) -> String {
    let read = |slot| format!("c[{}]", names.slot(slot));
    let mut out = String::new();
    for line in lines {
        if let Some((slot, value)) = assignment(line, &read) {
            let _ = writeln!(out, "                    c[{}] = {value};", names.slot(slot));
        } else if let Some((holds, code)) = condition(line, &read) {
            let _ = writeln!(out, "                    if (!({holds})) {{ failed = {code} + 1; break; }}");
        }
    }
    out
}
