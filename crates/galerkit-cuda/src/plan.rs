//! From a recorded program to stages, one kernel each: a fused pass over vectors, with the scalar lines that must come
//! before it (only at the beginning of a program) and those that follow it.

use galerkit_linalg::engine::record::fuse::{Facts, fuse};
use galerkit_linalg::engine::record::{Line, Step};

/// One kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    /// Scalar lines before the pass.
    pub before: Vec<Line>,
    /// Vector lines of the pass, in order; none for a program of numbers only.
    pub pass: Vec<Line>,
    /// Scalar lines after the pass.
    pub after: Vec<Line>,
}

/// Fuses lines (without [`Line::Every`]) into stages.
pub fn stages(lines: Vec<Line>, facts: &Facts<'_>) -> Vec<Stage> {
    let mut stages: Vec<Stage> = Vec::new();
    let mut leading = Vec::new();
    for step in fuse(lines, facts) {
        let pass = match step {
            Step::Group(group) => group.lines,
            Step::Line(line) if line.is_vector() => vec![line],
            Step::Line(line) => {
                match stages.last_mut() {
                    Some(stage) => stage.after.push(line),
                    None => leading.push(line),
                }
                continue;
            }
        };
        stages.push(Stage { before: std::mem::take(&mut leading), pass, after: Vec::new() });
    }
    if !leading.is_empty() {
        stages.push(Stage { before: leading, ..Stage::default() });
    }
    stages
}

impl Stage {
    /// All lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.before.iter().chain(&self.pass).chain(&self.after)
    }

    /// Whether a test is among its lines.
    pub fn tests(&self) -> bool {
        self.lines().any(|line| matches!(line, Line::Require { .. }))
    }
}

/// The stage after which the watched number is final, so that the monitor may look at it there: the last that sets it,
/// or the very last if tests come later, because an iteration that fails a test is not observed.
pub fn monitored(stages: &[Stage], watched: galerkit_linalg::engine::record::Slot) -> usize {
    let sets = |stage: &Stage| stage.lines().any(|line| line.scalar_write() == Some(watched));
    let last = stages.len() - 1;
    let set = stages.iter().rposition(sets).unwrap_or(last);
    if stages[set + 1..].iter().any(Stage::tests) { last } else { set }
}
