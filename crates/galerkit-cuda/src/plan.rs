//! From a recorded program to stages, one kernel each: a fused pass over vectors, with the scalar lines that must come
//! before it (only at the beginning of a program) and those that follow it.

use galerkit_linalg::program::fuse::{Facts, fuse};
use galerkit_linalg::program::{Instruction, Slot, Step, Test, Vector, inspect};

/// One kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Nothing of it runs if one of these holds. No line under a condition changes the number under test.
    pub unless: Vec<Test<Slot>>,
    /// Scalar lines before the pass.
    pub before: Vec<Instruction>,
    /// Vector lines of the pass, in order; none for a program of numbers only.
    pub pass: Vec<Instruction>,
    /// Scalar lines after the pass.
    pub after: Vec<Instruction>,
}

/// Fuses lines (without periodic ones and loops) into stages.
pub fn stages(lines: Vec<Instruction>, facts: &Facts<'_>) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    // Lines on numbers that have no stage yet: at the beginning, and behind a stage under a condition, which they are
    // not.
    let mut waiting = Vec::new();
    let mut behind_guard = false;
    for step in fuse(lines, facts) {
        match step {
            Step::Group(group) => {
                stages.extend(with_numbers(std::mem::take(&mut waiting), group.instructions, behind_guard));
            }
            Step::Instruction(line) if line.is_vector() => {
                stages.extend(with_numbers(std::mem::take(&mut waiting), vec![line], behind_guard));
            }
            Step::Instruction(Instruction::Unless { test, body }) => {
                stages.extend(numbers(std::mem::take(&mut waiting)));
                for mut stage in self::stages(body, facts) {
                    stage.unless.push(test);
                    stages.push(stage);
                }
                behind_guard = true;
                continue;
            }
            Step::Instruction(line) => {
                // A test is made before anything else: it gets a stage of its own if need be.
                let tests = matches!(line, Instruction::Require { .. });
                match stages.last_mut() {
                    Some(stage) if !behind_guard => stage.after.push(line),
                    _ => waiting.push(line),
                }
                if tests && behind_guard {
                    stages.extend(numbers(std::mem::take(&mut waiting)));
                    behind_guard = false;
                }
                continue;
            }
        }
        behind_guard = false;
    }
    stages.extend(numbers(waiting));
    stages
}

/// A stage of numbers only.
fn numbers(after: Vec<Instruction>) -> Option<Stage> {
    (!after.is_empty()).then(|| Stage { after, ..Stage::default() })
}

/// Numbers that every thread may compute for itself.
const MOST_BEFORE: usize = 12;

/// A pass with the numbers that wait for a stage. Behind a condition those that the pass needs stand before it and all
/// others behind it, where one thread computes them; if that is not possible they get a stage of their own.
fn with_numbers(waiting: Vec<Instruction>, pass: Vec<Instruction>, behind_guard: bool) -> Vec<Stage> {
    if !behind_guard {
        return vec![Stage { before: waiting, pass, ..Stage::default() }];
    }
    let mut needed: Vec<Slot> = pass.iter().flat_map(Instruction::scalar_reads).collect();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for line in waiting.iter().rev() {
        if line.scalar_write().is_some_and(|out| needed.contains(&out)) {
            needed.extend(line.scalar_reads());
            before.push(line.clone());
        } else {
            after.push(line.clone());
        }
    }
    before.reverse();
    after.reverse();
    let touches =
        |line: &Instruction, slot: Slot| line.scalar_write() == Some(slot) || line.scalar_reads().contains(&slot);
    let collide = |one: &Instruction, other: &Instruction| {
        let mut written = one.scalar_write().into_iter().map(|slot| touches(other, slot));
        let mut read = other.scalar_write().into_iter().map(|slot| touches(one, slot));
        // What the pass needs is computed first: that is the order of the program, or it does not matter.
        (written.any(|touched| touched) || read.any(|touched| touched)) && !follows(&waiting, one, other)
    };
    if before.len() > MOST_BEFORE || before.iter().any(|one| after.iter().any(|other| collide(one, other))) {
        let mut stages: Vec<Stage> = numbers(waiting).into_iter().collect();
        stages.push(Stage { pass, ..Stage::default() });
        return stages;
    }
    vec![Stage { before, pass, after, ..Stage::default() }]
}

/// Whether the second of two lines comes after the first.
fn follows(lines: &[Instruction], first: &Instruction, second: &Instruction) -> bool {
    let at = |line: &Instruction| lines.iter().position(|known| known == line);
    at(first) < at(second)
}

impl Stage {
    /// All lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &Instruction> {
        self.before.iter().chain(&self.pass).chain(&self.after)
    }

    /// Whether a test that may end the loop is among its lines.
    pub fn tests(&self) -> bool {
        self.lines().any(|line| matches!(line, Instruction::Require { .. }))
    }
}

/// Whether stages can be made of a line: those under a condition are stages too.
pub fn is_plain(line: &Instruction) -> bool {
    !line.is_control() || matches!(line, Instruction::Unless { body, .. } if !inspect::nests(body))
}

/// Whether an iteration ends with stages under a condition: the monitor needs one behind them.
pub fn ends_under_condition(stages: &[Stage]) -> bool {
    stages.last().is_some_and(|stage| !stage.unless.is_empty())
}

/// The stage after which the watched number is final, so that the monitor may look at it there: the last that sets it,
/// or the very last if tests come later, because an iteration that fails a test is not observed.
pub fn monitored(stages: &[Stage], watched: Slot) -> usize {
    let sets = |stage: &Stage| stage.lines().any(|line| line.scalar_write() == Some(watched));
    let last = stages.len() - 1;
    let set = stages.iter().rposition(sets).unwrap_or(last);
    if stages[set + 1..].iter().any(Stage::tests) {
        return last;
    }
    (set..last).find(|&stage| stages[stage].unless.is_empty()).unwrap_or(last)
}

/// The loop-local vectors that every stage which reads them has made before, in the same pass and entry by entry: they
/// need not be in memory at all.
pub fn temporary<'a>(stages: impl Iterator<Item = &'a Stage>, is_confined: &dyn Fn(Vector) -> bool) -> Vec<Vector> {
    let (mut made, mut needed): (Vec<Vector>, Vec<Vector>) = (Vec::new(), Vec::new());
    for stage in stages {
        let mut here: Vec<Vector> = Vec::new();
        for line in &stage.pass {
            needed.extend(line.reads().into_iter().filter(|x| !here.contains(x)));
            needed.extend(line.map().map(|A| A.values));
            here.extend(line.writes().iter().copied());
        }
        made.extend(here.into_iter().filter(|&x| is_confined(x)));
    }
    made.sort();
    made.dedup();
    made.retain(|x| !needed.contains(x));
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use galerkit_linalg::program::Precision;
    use galerkit_linalg::program::fuse::{Most, Role};

    const X: Vector = Vector::new(0, 1, Precision::Full);

    fn vector(id: usize) -> Vector {
        Vector::new(id, 1, Precision::Full)
    }
    fn cut(lines: Vec<Instruction>) -> Vec<Stage> {
        stages(lines, &Facts { role: &|_| Role::Elementwise, most: Most::ANY, mixed: true })
    }

    #[test]
    fn lines_behind_a_condition_are_not_under_it() {
        let dot = |out| Instruction::Dot { x: X, y: X, out };
        let (test, set) = (Test::Positive(Slot(0)), Instruction::Constant { value: 1.0, out: Slot(2) });
        let guarded = Instruction::Unless { test, body: vec![dot(Slot(1))] };
        let stages = cut(vec![dot(Slot(0)), guarded.clone(), set.clone(), dot(Slot(3))]);
        let conditions: Vec<bool> = stages.iter().map(|stage| !stage.unless.is_empty()).collect();
        assert_eq!(conditions, [false, true, false]);
        assert_eq!(stages[2].after, [set], "the pass does not need it");
        assert_eq!((monitored(&stages, Slot(1)), monitored(&stages, Slot(2))), (2, 2));
        assert!(ends_under_condition(&cut(vec![guarded])));
    }

    #[test]
    fn behind_a_condition_a_pass_computes_what_it_needs() {
        let copy = |from, to| Instruction::Move { from: Slot(from), to: Slot(to) };
        let guarded =
            Instruction::Unless { test: Test::Positive(Slot(0)), body: vec![Instruction::Scale { a: Slot(0), y: X }] };
        let scale = Instruction::Scale { a: Slot(5), y: X };
        let stages = cut(vec![guarded.clone(), copy(1, 4), copy(4, 5), copy(2, 6), scale.clone()]);
        assert_eq!((&stages[1].before[..], &stages[1].after[..]), (&[copy(1, 4), copy(4, 5)][..], &[copy(2, 6)][..]));
        // The first copy must read slot 4 before the second writes it: numbers cannot be sorted like that.
        let stages = cut(vec![guarded, copy(4, 6), copy(1, 4), copy(4, 5), scale]);
        assert_eq!(stages[1].after, [copy(4, 6), copy(1, 4), copy(4, 5)]);
        assert!(stages[1].pass.is_empty() && stages[2].before.is_empty());
    }

    #[test]
    fn a_condition_inside_another_keeps_both() {
        let copy = Instruction::Copy { x: X, y: vector(1) };
        let inner = Instruction::Unless { test: Test::Finite(Slot(1)), body: vec![copy] };
        let outer = Instruction::Unless { test: Test::Positive(Slot(0)), body: vec![inner] };
        assert_eq!(cut(vec![outer])[0].unless, [Test::Finite(Slot(1)), Test::Positive(Slot(0))]);
    }
    #[test]
    fn what_is_made_and_read_in_one_pass_is_temporary() {
        let [r, d, y] = [2, 3, 4].map(vector);
        let copy = |x, y| Instruction::Copy { x, y };
        let of = |lines: &[&[Instruction]], confined: &[Vector]| {
            let stages: Vec<Stage> =
                lines.iter().map(|pass| Stage { pass: pass.to_vec(), ..Stage::default() }).collect();
            temporary(stages.iter(), &|x| confined.contains(&x))
        };
        let pass = [copy(X, r), copy(r, d), copy(d, y)];
        assert_eq!(of(&[&pass], &[r, d, y]), [r, d, y]);
        assert_eq!(of(&[&pass], &[r, y]), [r, y], "others may be read by anybody");
        assert_eq!(of(&[&pass, &[copy(y, X)]], &[r, d, y]), [r, d], "a later pass reads y");
        assert_eq!(of(&[&[copy(r, X)], &pass], &[r, d, y]), [d, y], "an earlier pass of the next iteration reads r");
        let update = Instruction::Scale { a: Slot(0), y: r };
        assert_eq!(of(&[&[update, copy(r, d)]], &[r, d]), [d], "r is read before it is written");
    }
}
