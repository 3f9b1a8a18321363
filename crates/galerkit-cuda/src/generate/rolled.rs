//! Loops of lines on numbers that come again and again with other numbers: the rotations of GMRES, back substitution. Written out,
//! code that runs once waits for its own instructions more than for anything else, and takes long to compile.

use super::number::assignment;
use super::runs::Places;
use super::scalars::{Context, Part};
use galerkit_linalg::program::{Instruction, Slot};
use std::fmt::Write;

/// Lines that a loop may have.
const LONGEST: usize = 12;
/// Times that lines must come to become a loop.
const LEAST: usize = 4;

/// Lines at the beginning that come again at once, the shortest first: how many, and how often; tests never do.
pub(super) fn repetitions(lines: &[Instruction]) -> impl Iterator<Item = (usize, usize)> {
    let longest = LONGEST.min(lines.len() / LEAST);
    let alike = |period: usize| {
        let same = |at: &usize| is_alike(&lines[*at], &lines[*at % period]);
        (0..lines.len()).take_while(same).count() / period
    };
    (1..=longest).map(move |period| (period, alike(period))).filter(|&(_, times)| times >= LEAST)
}

/// Whether two lines do the same with other numbers.
fn is_alike(one: &Instruction, other: &Instruction) -> bool {
    match (one, other) {
        (Instruction::Scalar { op, .. }, Instruction::Scalar { op: other, .. }) => op == other,
        (Instruction::Constant { value, .. }, Instruction::Constant { value: other, .. }) => value == other,
        (Instruction::Move { .. }, Instruction::Move { .. }) => true,
        _ => false,
    }
}

/// The slots of one operand of a line, or of its result, round by round.
type List = Vec<usize>;

/// A loop: place `t` of each list is the slot of that round. What a round has computed, it or the next one takes from a variable.
/// What no round computes, each reads for the next one, so that nobody waits for it.
pub(super) fn part(
    lines: &[Instruction],
    period: usize,
    prefix: &str,
    (context, by_lanes): (&Context<'_>, bool),
) -> Part {
    let times = lines.len() / period;
    let list = |q: usize, slot: &dyn Fn(&Instruction) -> Slot| -> List {
        (0..times).map(|round| (context.place)(slot(&lines[round * period + q]))).collect()
    };
    let written = |line: &Instruction| line.scalar_write().expect("a line that comes again writes a number");
    let results: Vec<List> = (0..period).map(|q| list(q, &written)).collect();
    let is_written = |slot: &usize| results.iter().any(|result| result.contains(slot));
    let mut loop_ = Loop { independent: by_lanes && are_distinct(&results), ..Loop::default() };
    for (q, line) in lines[..period].iter().enumerate() {
        let mut operands = Vec::new();
        for o in 0..line.scalar_reads().len() {
            let operand = list(q, &|line: &Instruction| line.scalar_reads()[o]);
            let name = format!("{prefix}_{q}_{o}");
            operands.push(match source(&operand, q, &results) {
                Source::Memory if operand.iter().any(is_written) => loop_.read_now(&name, &operand),
                Source::Memory => loop_.read_ahead(&name, operand),
                Source::ThisRound(from) => format!("x{from}"),
                Source::LastRound(from) => loop_.hand_on(&name, operand[0], from),
            });
        }
        let first = operands.first().cloned().unwrap_or_default();
        let value = formula(line, &first, operands.get(1).unwrap_or(&first));
        let Places { declaration, at } = Places::of(&format!("{prefix}_{q}"), &results[q]);
        loop_.before += &declaration;
        let _ = writeln!(loop_.body, "            const Scalar x{q} = {value};\n            c[{at}] = x{q};");
    }
    loop_.part(times)
}

/// Whether no number is in two places of the lists.
fn are_distinct(lists: &[List]) -> bool {
    let mut all = lists.concat();
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

/// A loop as it is written.
#[derive(Default)]
struct Loop {
    /// Whether no round needs another one, so far.
    independent: bool,
    before: String,
    body: String,
    behind: String,
    /// What is read ahead: its slots, its name, and the place in `c` by the round.
    ahead: Vec<(List, String, String)>,
}

impl Loop {
    fn read_now(&mut self, name: &str, operand: &List) -> String {
        self.independent = false;
        let Places { declaration, at } = Places::of(name, operand);
        self.before += &declaration;
        format!("c[{at}]")
    }

    fn read_ahead(&mut self, name: &str, operand: List) -> String {
        if let Some((_, known, _)) = self.ahead.iter().find(|(list, ..)| *list == operand) {
            return format!("m{known}");
        }
        let Places { declaration, at } = Places::of(name, &operand);
        self.before += &declaration;
        self.ahead.push((operand, name.into(), at));
        format!("m{name}")
    }

    fn hand_on(&mut self, name: &str, first: usize, from: usize) -> String {
        self.independent = false;
        let _ = writeln!(self.before, "        Scalar y{name} = c[{first}];");
        let _ = writeln!(self.behind, "            y{name} = x{from};");
        format!("y{name}")
    }

    fn part(mut self, times: usize) -> Part {
        let (mut head, mut next) = (String::new(), String::new());
        if self.independent {
            for (_, name, at) in &self.ahead {
                let _ = writeln!(head, "            const Scalar m{name} = c[{at}];");
            }
            let Self { before, body, .. } = self;
            let text = format!(
                "        {{\n{before}        for (unsigned t = threadIdx.x; t < {times}; t += 32) {{\n{head}{body}        }}\n        }}\n"
            );
            return Part { text, is_for_lanes: true, tests: false };
        }
        let in_round = |at: &str, t: &str| at.replace("* t", &format!("* {t}")).replace("[t]", &format!("[{t}]"));
        for (_, name, at) in &self.ahead {
            let _ = writeln!(self.before, "        Scalar r{name} = c[{}];", in_round(at, "0"));
            let _ = writeln!(head, "            const Scalar m{name} = r{name};");
            let _ = write!(next, "r{name} = c[{}]; ", in_round(at, "(t + 1)"));
        }
        let next = if next.is_empty() { next } else { format!("            if (t + 1 < {times}) {{ {next}}}\n") };
        let Self { before, body, behind, .. } = self;
        let text = format!(
            "        {{\n{before}#pragma unroll 1\n        for (unsigned t = 0; t < {times}; ++t) {{\n{head}{next}{body}{behind}        }}\n        }}\n"
        );
        Part { text, is_for_lanes: false, tests: false }
    }
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
fn formula(line: &Instruction, first: &str, second: &str) -> String {
    const FIRST: Slot = Slot(0);
    let renamed = match *line {
        Instruction::Scalar { op, .. } => Instruction::Scalar { op, a: FIRST, b: Slot(1), out: Slot(2) },
        Instruction::Move { .. } => Instruction::Move { from: FIRST, to: Slot(2) },
        ref other => other.clone(),
    };
    let read = |slot| if slot == FIRST { first.to_string() } else { second.to_string() };
    assignment(&renamed, &read).map_or(String::new(), |(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::program::Arithmetic::{Mul, Sub};

    fn scalar(op: galerkit_linalg::program::Arithmetic, a: usize, b: usize, out: usize) -> Instruction {
        Instruction::Scalar { op, a: Slot(a), b: Slot(b), out: Slot(out) }
    }

    fn written(lines: &[Instruction]) -> String {
        crate::generate::scalars::text(
            lines,
            "x",
            &Context { place: &|slot| slot.0, failure: "break;", forgets: false },
        )
    }

    #[test]
    fn lines_that_come_again_are_a_loop() {
        let pairs: Vec<Instruction> =
            (0..5).flat_map(|i| [scalar(Mul, i, 10, 20 + 2 * i), scalar(Sub, 40, 20 + 2 * i, 40)]).collect();
        let text = written(&pairs);
        assert!(text.contains("t < 5"), "{text}");
        assert!(text.contains("Scalar rx_0_0_0 = c[0 + 1 * 0];"), "{text}");
        assert!(text.contains("if (t + 1 < 5) { rx_0_0_0 = c[0 + 1 * (t + 1)];"), "{text}");
        assert!(text.contains("const Scalar x0 = mx_0_0_0 * mx_0_0_1;"), "{text}");
        assert!(text.contains("c[20 + 2 * t] = x0;"), "{text}");
        assert!(text.contains("const Scalar x1 = c[40 + 0 * t] - x0;"), "{text}");
        assert!(!written(&pairs[..6]).contains("for"), "three times are not worth it");
    }

    /// h_{i+1} = s_i h_i: each round needs what the last one has found.
    #[test]
    fn rounds_hand_on_what_they_found() {
        let text = written(&(0..6).map(|i| scalar(Mul, 30 + i, i, i + 1)).collect::<Vec<_>>());
        assert!(text.contains("Scalar yx_0_0_1 = c[0];"), "{text}");
        assert!(text.contains("const Scalar x0 = mx_0_0_0 * yx_0_0_1;"), "{text}");
        assert!(text.contains("yx_0_0_1 = x0;"), "{text}");
    }

    #[test]
    fn uneven_slots_are_read_from_a_table() {
        let lines: Vec<Instruction> = [3, 4, 9, 7].iter().map(|&a| scalar(Mul, a, a, 50 + a)).collect();
        let text = written(&lines);
        assert!(text.contains("static const unsigned x_0_0_0[4] = {3, 4, 9, 7};"), "{text}");
    }
}
