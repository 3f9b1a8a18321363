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

/// A loop: place `t` of each list is the slot of that round.
fn rolled(lines: &[Line], period: usize, prefix: &str, context: &Context<'_>) -> String {
    let times = lines.len() / period;
    let (mut tables, mut body) = (String::new(), String::new());
    for (q, line) in lines[..period].iter().enumerate() {
        let mut operands: Vec<(Slot, String)> = Vec::new();
        let slots = |line: &Line| -> Vec<Slot> { line.scalar_reads().into_iter().chain(line.scalar_write()).collect() };
        let count = slots(line).len();
        for o in 0..count {
            let list: Vec<usize> =
                (0..times).map(|round| (context.place)(slots(&lines[round * period + q])[o])).collect();
            let Places { declaration, at } = Places::of(&format!("{prefix}_{q}_{o}"), &list);
            tables += &declaration;
            operands.push((slots(line)[o], format!("c[{at}]")));
        }
        let target = operands.pop().expect("a line that comes again writes a number").1;
        // Both operands may be the same slot: then their lists begin alike, but go on as they like.
        let mut given = operands.into_iter().map(|(_, text)| text);
        let (first, second) = (given.next().unwrap_or_default(), given.next());
        let value = formula(line, &first, second.as_deref().unwrap_or(&first));
        let _ = writeln!(body, "            {target} = {value};");
    }
    format!("{tables}#pragma unroll 1\n        for (unsigned t = 0; t < {times}; ++t) {{\n{body}        }}\n")
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
        assert!(text.contains("c[20 + 2 * t] = c[0 + 1 * t] * c[10 + 0 * t];"), "{text}");
        assert!(text.contains("c[40 + 0 * t] = c[40 + 0 * t] - c[20 + 2 * t];"), "{text}");
        assert!(!written(&pairs[..6]).contains("for"), "three times are not worth it");
    }

    #[test]
    fn uneven_slots_are_read_from_a_table() {
        let lines: Vec<Line> = [3, 4, 9, 7].iter().map(|&a| scalar(Mul, a, a, 50 + a)).collect();
        let text = written(&lines);
        assert!(text.contains("static const unsigned x_0_0_0[4] = {3, 4, 9, 7};"), "{text}");
    }
}
