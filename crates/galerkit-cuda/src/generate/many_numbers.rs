//! Many lines on numbers at the end of a kernel, as Gram-Schmidt and the end of a cycle have them. One thread would wait for
//! memory at every line, so the block that comes last brings all that they mention into shared memory at once, and back. Registers are kept few
//! there, so that numbers do not cost a pass its threads. Lines that do the same with many numbers (the signs of coefficients, copies of them) are run side by side by all threads.

use super::Names;
use super::runs::Places;
use super::scalars::{self, Context};
use galerkit_linalg::program::{Arithmetic, Instruction, Slot};
use std::fmt::Write;

/// Lines that are worth running side by side.
const SIDE_BY_SIDE: usize = 8;

/// The text: `known` are slots whose values are in variables `k<n>` and not in memory; `watched` is for the monitor.
pub fn text(lines: &[Instruction], known: &[Slot], watched: Option<Slot>, names: &Names) -> String {
    let mentioned = lines.iter().flat_map(|line| line.scalar_reads().into_iter().chain(line.scalar_write()));
    let mut slots: Vec<usize> =
        mentioned.chain(known.iter().copied()).chain(watched).map(|slot| names.slot(slot)).collect();
    slots.sort_unstable();
    slots.dedup();
    let place = |slot: Slot| slots.binary_search(&names.slot(slot)).expect("it was put there above");
    let count = slots.len();
    let Places { declaration, at } = Places::of("slots", &slots);
    let each = format!("for (unsigned t = threadIdx.x; t < {count}; t += blockDim.x)");
    let mut out = declaration;
    let _ = writeln!(out, "    __shared__ Scalar c[{count}];\n    __shared__ bool ended;");
    let _ = writeln!(out, "    {each} c[t] = a.s[{at}];\n    __syncthreads();");
    let own = known.iter().map(|&slot| format!("c[{}] = k{}; ", place(slot), names.slot(slot)));
    let _ = writeln!(out, "    if (threadIdx.x == 0) {{ ended = false; {}}}", own.collect::<String>());
    let mut work = String::new();
    for (number, segment) in segments(lines).into_iter().enumerate() {
        work += &match alike(segment) {
            Some(minus) => {
                let (ins, outs): (Vec<usize>, Vec<usize>) = segment.iter().map(|line| ends(line, &place)).unzip();
                side_by_side(number, &ins, &outs, minus)
            }
            None => one_by_one(number, segment, &place),
        };
    }
    out += &with_tables_at_hand(&work);
    if let Some(slot) = watched {
        let _ = writeln!(
            out,
            "    if (threadIdx.x == 0 && !ended && observe(*a.state, real(c[{}]))) a.state->word = 1;",
            place(slot)
        );
    }
    let _ = writeln!(out, "    __syncthreads();\n    {each} a.s[{at}] = c[t];");
    out
}

/// The text with all its tables as one that the block brings into shared memory at once: a kernel finds nothing in its caches, and one
/// thread would wait for each.
fn with_tables_at_hand(text: &str) -> String {
    const TABLE: &str = "static const unsigned ";
    let (mut all, mut body): (Vec<&str>, String) = (Vec::new(), String::new());
    for line in text.lines() {
        let parts = line.trim_start().strip_prefix(TABLE).and_then(|rest| rest.split_once('['));
        let list = line.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        match (parts, list) {
            (Some((name, _)), Some((list, _))) => {
                let _ = writeln!(body, "    const unsigned *{name} = tables + {};", all.len());
                all.extend(list.split(", "));
            }
            _ => {
                let _ = writeln!(body, "{line}");
            }
        }
    }
    if all.is_empty() {
        return body;
    }
    let count = all.len();
    format!(
        "    __shared__ unsigned tables[{count}];\n    {TABLE}stored[{count}] = {{{}}};\n    \
         for (unsigned t = threadIdx.x; t < {count}; t += blockDim.x) tables[t] = stored[t];\n    __syncthreads();\n{body}",
        all.join(", ")
    )
}

/// By the first thread, until a test fails.
fn one_by_one(number: usize, lines: &[Instruction], place: &dyn Fn(Slot) -> usize) -> String {
    let failure = "report_failure(*a.state, CODE); a.state->word = 2; ended = true; break;";
    let text = scalars::text(lines, &format!("n{number}"), &Context { place, failure, forgets: true });
    format!("    if (threadIdx.x == 0 && !ended) do {{\n{text}    }} while (false);\n")
}

/// By all threads.
fn side_by_side(number: usize, ins: &[usize], outs: &[usize], minus: bool) -> String {
    let (from, to) = (Places::of(&format!("from{number}"), ins), Places::of(&format!("to{number}"), outs));
    let sign = if minus { "-" } else { "" };
    format!(
        "    __syncthreads();\n{}{}    if (!ended) for (unsigned t = threadIdx.x; t < {}; t += blockDim.x) c[{}] = {sign}c[{}];\n    __syncthreads();\n",
        from.declaration,
        to.declaration,
        ins.len(),
        to.at,
        from.at
    )
}

/// What a line copies, changing the sign (`true`) or not; none if it does something else.
fn copies(line: &Instruction) -> Option<bool> {
    match line {
        Instruction::Move { .. } => Some(false),
        Instruction::Scalar { op: Arithmetic::Neg, .. } => Some(true),
        _ => None,
    }
}

fn ends(line: &Instruction, place: &dyn Fn(Slot) -> usize) -> (usize, usize) {
    let out = line.scalar_write().expect("copies write a number");
    (place(line.scalar_reads()[0]), place(out))
}

/// Whether a segment is run side by side, and with which sign.
fn alike(segment: &[Instruction]) -> Option<bool> {
    copies(&segment[0]).filter(|_| segment.len() >= SIDE_BY_SIDE && run(segment) == segment.len())
}

/// How many lines at the beginning copy alike, none what another one writes.
fn run(lines: &[Instruction]) -> usize {
    let (mut read, mut written): (Vec<Slot>, Vec<Slot>) = (Vec::new(), Vec::new());
    let kind = lines.first().and_then(copies);
    let mut joins = |line: &Instruction| {
        let (from, to) = (line.scalar_reads(), line.scalar_write());
        let free = !from.iter().any(|slot| written.contains(slot))
            && !to.is_some_and(|slot| written.contains(&slot) || read.contains(&slot));
        read.extend(from);
        written.extend(to);
        kind.is_some() && copies(line) == kind && free
    };
    lines.iter().take_while(|line| joins(line)).count()
}

/// Lines in order, cut where many begin or end that can be run side by side.
fn segments(lines: &[Instruction]) -> Vec<&[Instruction]> {
    let mut segments = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < lines.len() {
        let together = run(&lines[at..]);
        if together < SIDE_BY_SIDE {
            at += 1;
            continue;
        }
        segments.extend(Some(&lines[begin..at]).filter(|lines| !lines.is_empty()));
        segments.push(&lines[at..at + together]);
        at += together;
        begin = at;
    }
    segments.extend(Some(&lines[begin..]).filter(|lines| !lines.is_empty()));
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(from: usize, to: usize) -> Instruction {
        Instruction::Move { from: Slot(from), to: Slot(to) }
    }

    #[test]
    fn tables_are_brought_at_once() {
        let text = with_tables_at_hand(
            "x;\n    static const unsigned p[2] = {7, 9};\n    static const unsigned q[1] = {5};\ny;\n",
        );
        assert!(text.contains("stored[3] = {7, 9, 5};"), "{text}");
        assert!(
            text.ends_with("x;\n    const unsigned *p = tables + 0;\n    const unsigned *q = tables + 2;\ny;\n"),
            "{text}"
        );
        assert_eq!(with_tables_at_hand("x;\ny;\n"), "x;\ny;\n");
    }

    #[test]
    fn copies_of_different_numbers_run_side_by_side() {
        let mut lines = vec![Instruction::Constant { value: 1.0, out: Slot(90) }];
        lines.extend((0..10).map(|i| copy(i, 20 + i)));
        lines.push(copy(20, 40)); // reads what the first of them writes
        let cut: Vec<usize> = segments(&lines).iter().map(|segment| segment.len()).collect();
        assert_eq!(cut, [1, 10, 1]);
        assert_eq!(segments(&lines).into_iter().map(alike).collect::<Vec<_>>(), [None, Some(false), None]);
        let few: Vec<Instruction> = (0..5).map(|i| copy(i, 20 + i)).collect();
        assert_eq!(segments(&few).len(), 1);
        assert_eq!(alike(&few), None);
    }
}
