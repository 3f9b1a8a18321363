//! Fusion: neighbouring vector lines become one [`Group`], one pass over memory. A group may begin with a matrix product;
//! the updates and dot products that read its result then see each row while it is in cache. Scalar lines between them
//! are moved before the group if nothing in it feeds them, else after it.
//!
//! What a group computes has the bits of its lines one by one; [`fuse`] only decides which lines share a pass:
//! * a line joins unless it reads a number that the group itself produces,
//! * an update that the next line makes the last reader of its input goes where that line goes,
//! * nothing joins behind a test that the group decides, so a failed test leaves all later vectors untouched,
//! * nothing in the group writes the input of the product at its head, of which every row is needed,
//! * where room is limited, dot products of one vector with more vectors than there is room for are a group of their own, and
//!   updates of one vector by many count those as one: both can be a loop over the many.

use super::program::{Line, Slot, VectorId};
use super::sink::sink;
use std::fmt;

/// How a product with a map takes part in fusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Runs alone.
    Alone,
    /// Entry i of the result needs only entry i of the input: fuses like an update.
    Elementwise,
    /// Row i of the result needs all of the input, but no other row of the result: can be the first line of a group.
    Head,
}

/// Lines that run in one pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The lines, in order.
    pub lines: Vec<Line>,
}

impl Group {
    /// Whether a line of the group changes this vector.
    pub fn writes(&self, x: VectorId) -> bool {
        self.lines.iter().any(|line| line.writes() == Some(x))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| write!(f, "{line}; "))
    }
}

/// One thing to execute.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A single line.
    Line(Line),
    /// Several vector lines in one pass.
    Group(Group),
}

/// What fusion must know of maps and vectors.
pub struct Facts<'a> {
    /// How a vector line fuses.
    pub role: &'a dyn Fn(&Line) -> Role,
    /// Entries of a vector; lines of one group work on the same number.
    pub length: &'a dyn Fn(VectorId) -> usize,
    /// How much one pass can hold.
    pub most: Most,
}

/// How much one pass can hold: registers are few on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Sums.
    pub dots: usize,
    /// Vectors.
    pub vectors: usize,
}

impl Most {
    /// As much as there is.
    pub const ANY: Most = Most { dots: usize::MAX, vectors: usize::MAX };
}

/// Groups lines. Of lines with lines of their own, [`Line::Every`] and [`Line::Turns`] must have been replaced (see
/// [`super::inspect::flatten`]); the others stay as they are, between groups.
pub fn fuse(lines: Vec<Line>, facts: &Facts<'_>) -> Vec<Step> {
    let mut fusion = Fusion { facts, steps: Vec::new(), group: Vec::new(), after: Vec::new(), is_run: false };
    let lines = sink(lines);
    let mut run_ends = 0;
    for (i, line) in lines.iter().enumerate() {
        let run = dot_run(&lines[i..]);
        if i >= run_ends && run > facts.most.dots {
            fusion.close();
            fusion.is_run = true;
            run_ends = i + run;
        } else if i == run_ends && fusion.is_run {
            fusion.close();
        }
        if line.is_vector() {
            fusion.take_vector_line(line.clone(), lines.get(i + 1));
        } else if line.is_control() {
            fusion.close();
            fusion.steps.push(Step::Line(line.clone()));
        } else {
            fusion.take_scalar_line(line.clone());
        }
    }
    fusion.close();
    fusion.steps
}

/// How many dot products with one vector the lines begin with.
pub fn dot_run(lines: &[Line]) -> usize {
    let Some(Line::Dot { y: common, .. }) = lines.first() else { return 0 };
    lines.iter().take_while(|line| matches!(line, Line::Dot { x, y, .. } if y == common && x != y)).count()
}

/// How many updates of one vector by others the lines begin with.
pub fn update_run(lines: &[Line]) -> usize {
    let Some(Line::Axpy { y: common, .. }) = lines.first() else { return 0 };
    lines.iter().take_while(|line| matches!(line, Line::Axpy { x, y, .. } if y == common && x != y)).count()
}

/// Whether the second line overwrites what the first, an update, has read: they had better share a pass.
fn is_pair(line: &Line, next: &Line) -> bool {
    let (Line::Axpy { x, .. } | Line::Axpby { x, .. }) = *line else { return false };
    next.writes() == Some(x)
}

/// Vectors of which a pass holds an entry: many updates of one vector hold the others one after the other.
pub fn held(lines: &[Line]) -> usize {
    let mut vectors: Vec<VectorId> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let run = update_run(&lines[at..]);
        vectors.extend(lines[at].reads().into_iter().chain(lines[at].writes()));
        at += if run >= MANY { run } else { 1 };
    }
    vectors.sort();
    vectors.dedup();
    vectors.len()
}

/// Updates of one vector, or dot products with one, that are worth a loop.
pub const MANY: usize = 4;

struct Fusion<'a> {
    facts: &'a Facts<'a>,
    steps: Vec<Step>,
    /// The group being formed.
    group: Vec<Line>,
    /// Scalar lines that must wait for it.
    after: Vec<Line>,
    /// Whether it is many dot products with one vector, and nothing else.
    is_run: bool,
}

impl Fusion<'_> {
    fn take_vector_line(&mut self, line: Line, next: Option<&Line>) {
        let role = self.role(&line);
        let pair = next.filter(|next| next.is_vector() && is_pair(&line, next) && self.role(next) == Role::Elementwise);
        if role != Role::Elementwise || !self.joins(&line) || pair.is_some_and(|next| !self.joins(next)) {
            self.close();
        }
        match role {
            Role::Alone => self.steps.push(Step::Line(line)),
            _ => self.group.push(line),
        }
    }

    fn role(&self, line: &Line) -> Role {
        (self.facts.role)(line)
    }

    fn take_scalar_line(&mut self, line: Line) {
        let waits = matches!(line, Line::Require { .. })
            || self.tests_pending()
            || line.scalar_reads().iter().any(|s| self.pending(*s))
            || line.scalar_write().is_some_and(|out| self.reads_scalar(out) || self.pending(out));
        if self.group.is_empty() || !waits {
            self.steps.push(Step::Line(line));
        } else {
            self.after.push(line);
        }
    }

    fn joins(&self, line: &Line) -> bool {
        let Some(head) = self.group.first() else { return true };
        let length = |line: &Line| (self.facts.length)(line.rows_of());
        let head_input = head.product_input().filter(|_| self.role(head) == Role::Head);
        length(head) == length(line)
            && self.has_room(line)
            && !self.tests_pending()
            && !line.scalar_reads().iter().any(|s| self.pending(*s))
            && (head_input.is_none() || line.writes() != head_input)
    }

    fn has_room(&self, line: &Line) -> bool {
        let Most { dots, vectors } = self.facts.most;
        if self.is_run || vectors == usize::MAX {
            return true;
        }
        let lines: Vec<Line> = self.group.iter().chain([line]).cloned().collect();
        lines.iter().filter(|line| line.reduces()).count() <= dots && held(&lines) <= vectors
    }

    fn tests_pending(&self) -> bool {
        self.after.iter().any(|line| matches!(line, Line::Require { .. }))
    }

    /// Whether the number is only known after the group.
    fn pending(&self, slot: Slot) -> bool {
        self.group.iter().chain(&self.after).any(|line| line.scalar_write() == Some(slot))
    }

    fn reads_scalar(&self, slot: Slot) -> bool {
        self.group.iter().chain(&self.after).any(|line| line.scalar_reads().contains(&slot))
    }

    fn close(&mut self) {
        self.is_run = false;
        let mut lines = std::mem::take(&mut self.group);
        match lines.len() {
            0 => (),
            1 => self.steps.push(Step::Line(lines.remove(0))),
            _ => self.steps.push(Step::Group(Group { lines })),
        }
        self.steps.extend(self.after.drain(..).map(Step::Line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const W: VectorId = VectorId(100);

    fn dots(count: usize) -> impl Iterator<Item = Line> {
        (0..count).map(|i| Line::Dot { x: VectorId(i), y: W, out: Slot(i) })
    }
    fn updates(count: usize) -> impl Iterator<Item = Line> {
        (0..count).map(|i| Line::Axpy { a: Slot(i), x: VectorId(i), y: W })
    }
    fn passes(lines: Vec<Line>, most: Most) -> Vec<usize> {
        let steps = fuse(lines, &Facts { role: &|_| Role::Elementwise, length: &|_| 1, most });
        let lines = |step: &Step| if let Step::Group(group) = step { group.lines.len() } else { 1 };
        steps.iter().map(lines).collect()
    }

    #[test]
    fn many_dot_products_with_one_vector_are_a_pass_of_their_own() {
        let (few, norm) = (Most { dots: 8, vectors: 12 }, Line::Dot { x: W, y: W, out: Slot(50) });
        let after_norm = |count| [norm.clone()].into_iter().chain(dots(count)).collect::<Vec<_>>();
        assert_eq!(passes(after_norm(7), few), [8], "there is room");
        assert_eq!(passes(after_norm(20), few), [1, 20]);
        let before_norm = dots(20).chain([norm.clone()]).collect::<Vec<_>>();
        assert_eq!(passes(before_norm, few), [20, 1]);
        assert_eq!(passes(after_norm(20), Most::ANY), [21], "a processor holds any number");
    }

    #[test]
    fn many_updates_of_one_vector_need_room_for_one() {
        let few = Most { dots: 8, vectors: 4 };
        let lines: Vec<Line> = updates(20).chain([Line::Dot { x: W, y: W, out: Slot(50) }]).collect();
        assert_eq!((held(&lines), passes(lines, few)), (2, vec![21]));
        assert_eq!(held(&updates(MANY - 1).collect::<Vec<_>>()), MANY, "too few for a loop: each is held");
    }
}
