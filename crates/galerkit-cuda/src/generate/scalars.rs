//! Lines on numbers as text: for one thread, or for the first warp of a block, whose first lane does what cannot be shared out. Where the
//! same lines come again and again with other numbers they are a loop (`rolled`); rounds that need nothing of each other are for lanes.
//! The order of the lines stays otherwise, so nothing has to be proved.

use super::number::{assignment, condition};
use super::rolled;
use galerkit_linalg::program::{Instruction, Slot};
use std::collections::HashMap;
use std::fmt::Write;

/// What a caller decides about the text.
pub struct Context<'a> {
    /// Where a number is in the array `c`.
    pub place: &'a dyn Fn(Slot) -> usize,
    /// What is done when a test fails; `CODE` stands for what it means. It must leave, by `break`, the block around the text.
    pub failure: &'a str,
    /// Whether the compiler must forget now and then what it holds in registers.
    pub forgets: bool,
}

/// Lines after which it must.
const WINDOW: usize = 8;

/// A part of the text.
pub(super) struct Part {
    pub text: String,
    /// Whether it is for all lanes of a warp, each of which takes some rounds of a loop; else it is for one thread.
    pub is_for_lanes: bool,
    /// Whether a test in it may fail.
    pub tests: bool,
}

/// The text of lines on numbers, for one thread. `prefix` makes the names of tables unique.
pub fn text(lines: &[Instruction], prefix: &str, context: &Context<'_>) -> String {
    parts(lines, prefix, context, false).into_iter().map(|part| part.text).collect()
}

/// The text for the first warp of a block; its first lane does what cannot be shared out. `first` is done before, by that lane. A test
/// that fails sets `failed`.
pub fn text_for_warp(first: &str, lines: &[Instruction], prefix: &str, context: &Context<'_>) -> String {
    let parts = parts(lines, prefix, context, true);
    let by_first_lane = |text: &str| format!("        if (threadIdx.x == 0) do {{\n{text}        }} while (false);\n");
    if !parts.iter().any(|part| part.is_for_lanes) {
        let rest: String = parts.into_iter().map(|part| part.text).collect();
        return by_first_lane(&(first.to_string() + &rest));
    }
    let begin = if first.is_empty() { String::new() } else { by_first_lane(first) };
    let mut out = format!("        do {{\n{begin}        __syncwarp();\n");
    for Part { text, is_for_lanes, tests } in parts {
        out += &if is_for_lanes { text } else { by_first_lane(&text) };
        out += "        __syncwarp();\n";
        out += if tests { "        if (failed) break;\n" } else { "" };
    }
    out + "        } while (false);\n"
}

fn parts(lines: &[Instruction], prefix: &str, context: &Context<'_>, by_lanes: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut alone = Alone::default();
    let mut at = 0;
    while at < lines.len() {
        let prefix = format!("{prefix}_{at}");
        let Some((part, length)) = repeated(&lines[at..], &prefix, (context, by_lanes)) else {
            alone.line(&lines[at], context);
            at += 1;
            continue;
        };
        if part.is_for_lanes {
            parts.extend(alone.taken());
            parts.push(part);
        } else {
            alone.forget(&part.text);
        }
        at += length;
    }
    parts.extend(alone.taken());
    parts
}

/// Lines at the beginning as a loop, and how many they are: one for lanes if there is one, else the shortest.
fn repeated(lines: &[Instruction], prefix: &str, (context, by_lanes): (&Context<'_>, bool)) -> Option<(Part, usize)> {
    let part = |(period, times): (usize, usize)| {
        let length = period * times;
        (rolled::part(&lines[..length], period, prefix, (context, by_lanes)), length)
    };
    let mut shortest = None;
    for found in rolled::repetitions(lines).map(part) {
        if found.0.is_for_lanes {
            return Some(found);
        }
        shortest = shortest.or(Some(found));
        if !by_lanes {
            break;
        }
    }
    shortest
}

/// Lines for one thread, as far as they have come. What a line has found the next ones take from a variable, unless registers are few:
/// who reads it from memory waits until it was written.
#[derive(Default)]
struct Alone {
    text: String,
    tests: bool,
    count: usize,
    variables: HashMap<usize, String>,
}

impl Alone {
    fn line(&mut self, line: &Instruction, context: &Context<'_>) {
        let variables = &self.variables;
        let read = |slot| {
            let place = (context.place)(slot);
            variables.get(&place).cloned().unwrap_or_else(|| format!("c[{place}]"))
        };
        if let Some((slot, value)) = assignment(line, &read) {
            let place = (context.place)(slot);
            if context.forgets {
                let _ = writeln!(self.text, "        c[{place}] = {value};");
            } else {
                let name = format!("s{}", self.count);
                let _ = writeln!(self.text, "        const Scalar {name} = {value}; c[{place}] = {name};");
                self.variables.insert(place, name);
            }
        } else if let Some((holds, code)) = condition(line, &read) {
            let failure = context.failure.replace("CODE", &code.to_string());
            let _ = writeln!(self.text, "        if (!({holds})) {{ {failure} }}");
            self.tests = true;
        }
        self.count += 1;
        if context.forgets && self.count.is_multiple_of(WINDOW) {
            self.text += "        __syncwarp(1);\n";
        }
    }

    /// A loop among them, which may have written anything.
    fn forget(&mut self, text: &str) {
        self.text += text;
        self.variables.clear();
    }

    fn taken(&mut self) -> Option<Part> {
        let Self { text, tests, .. } = std::mem::take(self);
        (!text.is_empty()).then_some(Part { text, is_for_lanes: false, tests })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::krylov::Outcome;
    use galerkit_linalg::program::Arithmetic::{self, Mul, Sub};
    use galerkit_linalg::program::Test;

    fn scalar(op: Arithmetic, a: usize, b: usize, out: usize) -> Instruction {
        Instruction::Scalar { op, a: Slot(a), b: Slot(b), out: Slot(out) }
    }

    const CONTEXT: Context<'static> =
        Context { place: &|slot| slot.0, failure: "failed = CODE + 1; break;", forgets: false };

    /// Signs of coefficients, and their quotients: nobody needs another's.
    #[test]
    fn rounds_that_need_nothing_of_each_other_are_for_lanes() {
        let of = |lines: &[Instruction]| text_for_warp("first;", lines, "x", &CONTEXT);
        let quotients: Vec<Instruction> = (0..6).map(|i| scalar(Mul, i, 10 + i, 20 + i)).collect();
        let text = of(&quotients);
        assert!(text.contains("for (unsigned t = threadIdx.x; t < 6; t += 32)"), "{text}");
        assert!(text.find("first;") < text.find("__syncwarp();"), "{text}");
        let twice: Vec<Instruction> =
            (0..6).flat_map(|i| [scalar(Mul, i, 10 + i, 20 + i), scalar(Mul, 20 + i, 10 + i, 30 + i)]).collect();
        assert!(of(&twice).contains("t < 6; t += 32"), "two lines need each other, but not those of other rounds");
        let chain: Vec<Instruction> = (0..6).map(|i| scalar(Mul, 30 + i, i, i + 1)).collect();
        assert!(!of(&chain).contains("__syncwarp"), "each needs the one before");
        let sums: Vec<Instruction> = (0..6).map(|i| scalar(Sub, 40, i, 40)).collect();
        assert!(!of(&sums).contains("__syncwarp"), "all write one number");
        let test = Instruction::Require { test: Test::Positive(Slot(20)), otherwise: Outcome::Breakdown };
        let text = of(&[vec![test], quotients].concat());
        assert!(text.contains("while (false);\n        __syncwarp();\n        if (failed) break;"), "{text}");
    }

    /// A line that needs what one before it has found does not wait for memory.
    #[test]
    fn lines_take_what_was_found_from_variables() {
        let text = text(
            &[scalar(Mul, 1, 2, 3), scalar(Sub, 3, 1, 4), scalar(Mul, 4, 3, 3), scalar(Sub, 3, 3, 5)],
            "x",
            &CONTEXT,
        );
        assert!(text.contains("const Scalar s1 = s0 - c[1]; c[4] = s1;"), "{text}");
        assert!(text.contains("const Scalar s3 = s2 - s2; c[5] = s3;"), "{text}");
    }
}
