//! Lines on numbers as text, with loops where the same lines come again and again with other numbers: the rotations of GMRES,
//! back substitution. Written out, code that runs once waits for its own instructions more than for anything else, and takes
//! long to compile. The order of the lines stays, so nothing has to be proved.

use super::number::{assignment, condition};
use super::runs::Places;
use galerkit_linalg::engine::record::{Line, Slot};
use std::fmt::Write;

/// Lines that a loop may have.
const LONGEST: usize = 12;
/// Times that lines must come to become a loop.
const LEAST: usize = 4;

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

/// The text of lines on numbers, for one thread. `prefix` makes the names of tables unique.
pub fn text(lines: &[Line], prefix: &str, context: &Context<'_>) -> String {
    let mut out = String::new();
    let (mut at, mut plain) = (0, 0usize);
    while at < lines.len() {
        let (period, times) = repetition(&lines[at..]);
        if times >= LEAST {
            out += &rolled(&lines[at..at + period * times], period, &format!("{prefix}_{at}"), context);
            at += period * times;
            continue;
        }
        out += &single(&lines[at], context);
        (at, plain) = (at + 1, plain + 1);
        if context.forgets && plain.is_multiple_of(WINDOW) {
            out += "        __syncwarp(1);\n";
        }
    }
    out
}

fn single(line: &Line, context: &Context<'_>) -> String {
    let read = |slot| format!("c[{}]", (context.place)(slot));
    if let Some((slot, value)) = assignment(line, &read) {
        return format!("        c[{}] = {value};\n", (context.place)(slot));
    }
    condition(line, &read).map_or(String::new(), |(holds, code)| {
        format!("        if (!({holds})) {{ {} }}\n", context.failure.replace("CODE", &code.to_string()))
    })
}

/// The shortest lines at the beginning that come again at once, and how often; tests never do.
fn repetition(lines: &[Line]) -> (usize, usize) {
    let longest = LONGEST.min(lines.len() / LEAST);
    let alike = |period: usize| {
        let same = |at: &usize| is_alike(&lines[*at], &lines[*at % period]);
        (0..lines.len()).take_while(same).count() / period
    };
    (1..=longest).map(|period| (period, alike(period))).find(|&(_, times)| times >= LEAST).unwrap_or((1, 1))
}

/// Whether two lines do the same with other numbers.
fn is_alike(one: &Line, other: &Line) -> bool {
    match (one, other) {
        (Line::Scalar { op, .. }, Line::Scalar { op: other, .. }) => op == other,
        (Line::Constant { value, .. }, Line::Constant { value: other, .. }) => value == other,
        (Line::Move { .. }, Line::Move { .. }) => true,
        _ => false,
    }
}

/// The slots of one operand of a line, or of its result, round by round.
type List = Vec<usize>;

/// A loop: place `t` of each list is the slot of that round. What a round has computed, it or the next one takes from a variable.
fn rolled(lines: &[Line], period: usize, prefix: &str, context: &Context<'_>) -> String {
    let times = lines.len() / period;
    let list = |q: usize, slot: &dyn Fn(&Line) -> Slot| -> List {
        (0..times).map(|round| (context.place)(slot(&lines[round * period + q]))).collect()
    };
    let written = |line: &Line| line.scalar_write().expect("a line that comes again writes a number");
    let results: Vec<List> = (0..period).map(|q| list(q, &written)).collect();
    let (mut before, mut body, mut behind) = (String::new(), String::new(), String::new());
    for (q, line) in lines[..period].iter().enumerate() {
        let mut operands = Vec::new();
        for o in 0..line.scalar_reads().len() {
            let operand = list(q, &|line: &Line| line.scalar_reads()[o]);
            let name = format!("{prefix}_{q}_{o}");
            operands.push(match source(&operand, q, &results) {
                Source::Memory => {
                    let Places { declaration, at } = Places::of(&name, &operand);
                    before += &declaration;
                    format!("c[{at}]")
                }
                Source::ThisRound(from) => format!("x{from}"),
                Source::LastRound(from) => {
                    let _ = writeln!(before, "        Scalar y{name} = c[{}];", operand[0]);
                    let _ = writeln!(behind, "            y{name} = x{from};");
                    format!("y{name}")
                }
            });
        }
        let first = operands.first().cloned().unwrap_or_default();
        let value = formula(line, &first, operands.get(1).unwrap_or(&first));
        let Places { declaration, at } = Places::of(&format!("{prefix}_{q}"), &results[q]);
        before += &declaration;
        let _ = writeln!(body, "            const Scalar x{q} = {value};\n            c[{at}] = x{q};");
    }
    format!(
        "        {{\n{before}#pragma unroll 1\n        for (unsigned t = 0; t < {times}; ++t) {{\n{body}{behind}        }}\n        }}\n"
    )
}

/// Where an operand comes from.
enum Source {
    Memory,
    /// The result of this line of the same round.
    ThisRound(usize),
    /// The result of this line of the round before; in the first round memory.
    LastRound(usize),
}

/// Where line `q` finds an operand: a variable only if no other line writes any of its slots.
fn source(operand: &List, q: usize, results: &[List]) -> Source {
    let writers: Vec<usize> =
        (0..results.len()).filter(|&from| results[from].iter().any(|slot| operand.contains(slot))).collect();
    let [from] = writers[..] else { return Source::Memory };
    let result = &results[from];
    if from < q && result == operand {
        Source::ThisRound(from)
    } else if operand[1..] == result[..result.len() - 1] && !result.contains(&operand[0]) {
        Source::LastRound(from)
    } else {
        Source::Memory
    }
}

/// What a line computes of its operands.
fn formula(line: &Line, first: &str, second: &str) -> String {
    const FIRST: Slot = Slot(0);
    let renamed = match *line {
        Line::Scalar { op, .. } => Line::Scalar { op, a: FIRST, b: Slot(1), out: Slot(2) },
        Line::Move { .. } => Line::Move { from: FIRST, to: Slot(2) },
        ref other => other.clone(),
    };
    let read = |slot| if slot == FIRST { first.to_string() } else { second.to_string() };
    assignment(&renamed, &read).map_or(String::new(), |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::engine::record::Arithmetic::{Mul, Sub};

    fn scalar(op: galerkit_linalg::engine::record::Arithmetic, a: usize, b: usize, out: usize) -> Line {
        Line::Scalar { op, a: Slot(a), b: Slot(b), out: Slot(out) }
    }

    fn written(lines: &[Line]) -> String {
        text(lines, "x", &Context { place: &|slot| slot.0, failure: "break;", forgets: false })
    }

    #[test]
    fn lines_that_come_again_are_a_loop() {
        let pairs: Vec<Line> =
            (0..5).flat_map(|i| [scalar(Mul, i, 10, 20 + 2 * i), scalar(Sub, 40, 20 + 2 * i, 40)]).collect();
        let text = written(&pairs);
        assert!(text.contains("t < 5"), "{text}");
        assert!(text.contains("const Scalar x0 = c[0 + 1 * t] * c[10 + 0 * t];"), "{text}");
        assert!(text.contains("c[20 + 2 * t] = x0;"), "{text}");
        assert!(text.contains("const Scalar x1 = c[40 + 0 * t] - x0;"), "{text}");
        assert!(!written(&pairs[..6]).contains("for"), "three times are not worth it");
    }

    /// h_{i+1} = s_i h_i: each round needs what the last one has found.
    #[test]
    fn rounds_hand_on_what_they_found() {
        let text = written(&(0..6).map(|i| scalar(Mul, 30 + i, i, i + 1)).collect::<Vec<_>>());
        assert!(text.contains("Scalar yx_0_0_1 = c[0];"), "{text}");
        assert!(text.contains("const Scalar x0 = c[30 + 1 * t] * yx_0_0_1;"), "{text}");
        assert!(text.contains("yx_0_0_1 = x0;"), "{text}");
    }

    #[test]
    fn uneven_slots_are_read_from_a_table() {
        let lines: Vec<Line> = [3, 4, 9, 7].iter().map(|&a| scalar(Mul, a, a, 50 + a)).collect();
        let text = written(&lines);
        assert!(text.contains("static const unsigned x_0_0_0[4] = {3, 4, 9, 7};"), "{text}");
    }
}
