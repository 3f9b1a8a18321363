//! Loops over many vectors inside of a pass: the updates w = w + a_0 v_0 + a_1 v_1 + ... and the dot products (v_0, w),
//! (v_1, w), ... of Gram-Schmidt. Written out line by line they would need registers for all of them, passes in which there is
//! room, and text that takes long to compile.

use super::Names;
use galerkit_linalg::program::fuse::{MANY, dot_run, update_run};
use galerkit_linalg::program::{Instruction, Slot, Vector};
use std::fmt::Write;
use std::ops::Range;

/// The updates of a pass that are loops, by the numbers of their lines. A loop goes through vectors of one precision.
pub fn updates(pass: &[Instruction], names: &Names) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < pass.len() {
        let run = at..at + update_run(&pass[at..]);
        let others = inputs(&pass[run.clone()]);
        let is_read_only = others.iter().all(|x| pass.iter().all(|line| !line.writes().contains(x)));
        at += run.len().max(1);
        if run.len() >= MANY && is_read_only && names.are_of_one_kind(&others) {
            runs.push(run);
        }
    }
    runs
}

/// Whether a pass is nothing but dot products with one vector, enough of them for a loop.
pub fn is_all_dots(pass: &[Instruction], names: &Names) -> bool {
    pass.len() >= MANY && dot_run(pass) == pass.len() && names.are_of_one_kind(&inputs(pass))
}

/// The lists of vectors that a pass goes through.
pub fn lists(pass: &[Instruction], names: &Names) -> Vec<Vec<Vector>> {
    if is_all_dots(pass, names) {
        return vec![inputs(pass)];
    }
    updates(pass, names).into_iter().map(|run| inputs(&pass[run])).collect()
}

/// The vectors that the lines of a run go through.
pub fn inputs(run: &[Instruction]) -> Vec<Vector> {
    run.iter()
        .filter_map(
            |line| if let Instruction::Axpy { x, .. } | Instruction::Dot { x, .. } = *line { Some(x) } else { None },
        )
        .collect()
}

/// The numbers that a pass reads by name, not through a loop.
pub fn plain_reads(pass: &[Instruction], names: &Names) -> Vec<Slot> {
    let runs = updates(pass, names);
    let plain = pass.iter().enumerate().filter(|(l, _)| !runs.iter().any(|run| run.contains(l)));
    plain.flat_map(|(_, line)| line.scalar_reads()).collect()
}

/// How a kernel finds the slots of a list by the place `t` in it: by a formula where they are evenly spaced, else from a table.
pub struct Places {
    /// What must be declared before.
    pub declaration: String,
    /// The number of the slot at place `t`.
    pub at: String,
}

impl Places {
    /// The places of slots; a table is called `name`.
    pub fn new(name: &str, slots: &[Slot], names: &Names) -> Self {
        Self::of(name, &slots.iter().map(|&slot| names.slot(slot)).collect::<Vec<_>>())
    }

    /// The places of numbers in any array.
    pub fn of(name: &str, list: &[usize]) -> Self {
        let first = list.first().copied().unwrap_or(0);
        let step = list.get(1).map_or(0, |second| second.abs_diff(first));
        if list.iter().enumerate().all(|(t, &slot)| slot == first + t * step) {
            return Self { declaration: String::new(), at: format!("{first} + {step} * t") };
        }
        let text: Vec<String> = list.iter().map(usize::to_string).collect();
        let declaration = format!("    static const unsigned {name}[{}] = {{{}}};\n", list.len(), text.join(", "));
        Self { declaration, at: format!("{name}[t]") }
    }
}

/// Brings the coefficients of a pass's loops into shared memory, as `h<line>`, and where their vectors are, as `v<line>`; `from` is the
/// array of all numbers.
pub fn coefficients(pass: &[Instruction], from: &str, names: &Names) -> String {
    let mut text = String::new();
    for run in updates(pass, names) {
        let (l, count) = (run.start, run.len());
        let lines = &pass[run];
        let slots: Vec<Slot> = lines.iter().flat_map(Instruction::scalar_reads).collect();
        let vectors = inputs(lines);
        let (list, kind) = (names.list(&vectors), names.kind(vectors[0]));
        let Places { declaration, at } = Places::new(&format!("at{l}"), &slots, names);
        text += &declaration;
        let _ = writeln!(
            text,
            "    __shared__ Scalar h{l}[LONGEST_LIST];\n    __shared__ const {kind} *v{l}[LONGEST_LIST];\n    \
             for (unsigned t = threadIdx.x; t < {count}; t += blockDim.x) {{ h{l}[t] = {from}[{at}]; v{l}[t] = {list}[t]; }}"
        );
    }
    if text.is_empty() { text } else { text + "    __syncthreads();\n" }
}

/// The sums of many dot products go where they belong in `to`, the array of all numbers.
pub fn totals(pass: &[Instruction], partials: &str, to: &str, names: &Names) -> String {
    let outs: Vec<Slot> = pass.iter().filter_map(Instruction::scalar_write).collect();
    let Places { declaration, at } = Places::new("outs", &outs, names);
    let (count, n) = (outs.len(), names.rows(pass));
    format!(
        "{declaration}    many_totals({partials}, {count}, {n}, [&](unsigned t, Scalar sum) {{ {to}[{at}] = sum; }});\n"
    )
}

/// One loop of updates, for several entries at once. Of a single entry, which only small systems have, those of some vectors are asked
/// for before the first is used; otherwise the compiler arranges it.
pub fn update_loop(pass: &[Instruction], run: &Range<usize>, names: &Names, entries: &[&str]) -> String {
    let lines = &pass[run.clone()];
    let (x, y) = (inputs(lines)[0], lines[0].rows_of());
    let (l, count, kind, kind_of_x) = (run.start, run.len(), names.kind(y), names.kind(x));
    let lowered = |h: String| if names.is_low(y) { format!("lower({h})") } else { h };
    let wide = |x: String| if kind_of_x == kind { x } else { format!("raise({x})") };
    let add = |at: &str, x: String| format!("e{y}{at} = e{y}{at} + h * {}; ", wide(x), y = names.vector(y));
    if let [at] = entries {
        let (h, add) = (lowered(format!("h{l}[u + t]")), add(at, format!("x{at}[t]")));
        return format!(
            "
#pragma unroll 1
for (unsigned u = 0; u < {count}; u += UPDATES) {{ {kind_of_x} x{at}[UPDATES];
#pragma unroll
for (unsigned t = 0; t < UPDATES; ++t) if (u + t < {count}) x{at}[t] = v{l}[u + t][{at}];
#pragma unroll
for (unsigned t = 0; t < UPDATES; ++t) if (u + t < {count}) {{ const {kind} h = {h}; {add}}} }}
"
        );
    }
    let load: String = entries.iter().map(|at| format!("const {kind_of_x} x{at} = x[{at}]; ")).collect();
    let add: String = entries.iter().map(|at| add(at, format!("x{at}"))).collect();
    let h = lowered(format!("h{l}[u]"));
    format!(
        "\n#pragma unroll 8\nfor (unsigned u = 0; u < {count}; ++u) {{ const {kind} h = {h}; const {kind_of_x} *x = v{l}[u]; {load}{add}}}\n"
    )
}
