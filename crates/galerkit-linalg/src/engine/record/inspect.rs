//! What a line reads and writes: the facts fusion and interpreters decide by.

use super::program::{Line, MapId, Slot, VectorId};

impl Line {
    /// Whether the line works on vectors.
    pub fn is_vector(&self) -> bool {
        self.reduces() || self.writes().is_some()
    }

    /// Whether the line makes one number of a vector.
    pub fn reduces(&self) -> bool {
        matches!(self, Line::Dot { .. } | Line::Largest { .. })
    }

    /// Whether the line has lines of its own that run under a condition.
    pub fn is_control(&self) -> bool {
        matches!(self, Line::Every { .. } | Line::Turns { .. } | Line::Unless { .. } | Line::Repeat { .. })
    }

    /// The vector the line changes.
    pub fn writes(&self) -> Option<VectorId> {
        match *self {
            Line::Apply { y, .. } | Line::Copy { y, .. } | Line::Scale { y, .. } => Some(y),
            Line::Axpby { y, .. } | Line::Axpy { y, .. } | Line::Xpby { y, .. } => Some(y),
            Line::Residual { r, .. } => Some(r),
            _ => None,
        }
    }

    /// A vector whose length is the number of rows the line works on, and whose precision is that of the line. Only for
    /// vector lines.
    pub fn rows_of(&self) -> VectorId {
        match *self {
            Line::Dot { y, .. } => y,
            Line::Largest { x, .. } => x,
            _ => self.writes().expect("a vector line that is no dot product writes a vector"),
        }
    }

    /// The vectors the line reads, those it updates included.
    pub fn reads(&self) -> Vec<VectorId> {
        match *self {
            Line::Apply { x, .. } | Line::Copy { x, .. } => vec![x],
            Line::Residual { b, x, .. } => vec![b, x],
            Line::Axpby { x, y, .. } | Line::Axpy { x, y, .. } | Line::Xpby { x, y, .. } => vec![x, y],
            Line::Dot { x, y, .. } => vec![x, y],
            Line::Scale { y, .. } => vec![y],
            Line::Largest { x, .. } => vec![x],
            _ => Vec::new(),
        }
    }

    /// The same line, with another name for its map.
    pub fn with_map(&self, name: impl FnOnce(MapId) -> MapId) -> Line {
        match *self {
            Line::Apply { A, x, y } => Line::Apply { A: name(A), x, y },
            Line::Residual { A, b, x, r } => Line::Residual { A: name(A), b, x, r },
            ref other => other.clone(),
        }
    }

    /// The map of a product.
    pub fn map(&self) -> Option<MapId> {
        match *self {
            Line::Apply { A, .. } | Line::Residual { A, .. } => Some(A),
            _ => None,
        }
    }

    /// The vector that a product multiplies.
    pub fn product_input(&self) -> Option<VectorId> {
        match *self {
            Line::Apply { x, .. } | Line::Residual { x, .. } => Some(x),
            _ => None,
        }
    }

    /// The numbers the line reads.
    pub fn scalar_reads(&self) -> Vec<Slot> {
        match *self {
            Line::Axpby { a, b, .. } => vec![a, b],
            Line::Axpy { a, .. } | Line::Scale { a, .. } => vec![a],
            Line::Xpby { b, .. } => vec![b],
            Line::Scalar { a, b, .. } => vec![a, b],
            Line::Move { from, .. } => vec![from],
            Line::Require { test, .. } => vec![test.number()],
            _ => Vec::new(),
        }
    }

    /// The numbers that decide about the lines inside of this one, or that those are told through.
    pub fn control_slots(&self) -> Vec<Slot> {
        match self {
            Line::Unless { test, .. } => vec![test.number()],
            Line::Repeat { until, .. } => vec![until.start, until.watched, until.count, until.ended],
            _ => Vec::new(),
        }
    }

    /// The number the line sets.
    pub fn scalar_write(&self) -> Option<Slot> {
        match *self {
            Line::Dot { out, .. }
            | Line::Largest { out, .. }
            | Line::Constant { out, .. }
            | Line::Scalar { out, .. } => Some(out),
            Line::Move { to, .. } => Some(to),
            _ => None,
        }
    }
}

/// Bytes that lines sharing one pass must move: each vector that is read and each that is written once, and what the maps
/// hold. `vector` and `map` give the bytes of one.
pub fn pass_bytes(lines: &[Line], vector: &dyn Fn(VectorId) -> usize, map: &dyn Fn(MapId) -> usize) -> usize {
    let (mut read, mut written): (Vec<VectorId>, Vec<VectorId>) = (Vec::new(), Vec::new());
    for line in lines {
        let fresh = line.reads().into_iter().filter(|x| !written.contains(x) && !read.contains(x));
        let mut fresh: Vec<VectorId> = fresh.collect();
        fresh.dedup();
        read.extend(fresh);
        written.extend(line.writes().filter(|y| !written.contains(y)));
    }
    let maps = lines.iter().filter_map(Line::map).map(map).sum::<usize>();
    maps + read.iter().chain(&written).map(|&x| vector(x)).sum::<usize>()
}

/// The lines that iteration `iteration` runs: each [`Line::Every`] replaced by its body if its turn has come, each
/// [`Line::Turns`] by the body whose turn it is.
pub fn flatten(lines: &[Line], iteration: usize) -> Vec<Line> {
    flatten_way(lines, way(lines, iteration))
}

/// The lines of one way that an iteration can go.
pub fn flatten_way(lines: &[Line], mut way: usize) -> Vec<Line> {
    let mut flat = Vec::with_capacity(lines.len());
    for line in lines.iter().rev() {
        let choice = way % choices(line);
        way /= choices(line);
        match line {
            Line::Every { body, .. } if choice == 1 => flat.extend(body.iter().rev().cloned()),
            Line::Every { .. } => (),
            Line::Turns { bodies } => flat.extend(bodies[choice].iter().rev().cloned()),
            other => flat.push(other.clone()),
        }
    }
    flat.reverse();
    flat
}

/// Whether there are loops inside.
pub fn nests(lines: &[Line]) -> bool {
    every_line(lines).iter().any(|line| matches!(line, Line::Repeat { .. }))
}

/// In how many ways an iteration can go.
pub fn ways(lines: &[Line]) -> usize {
    lines.iter().map(choices).product()
}

/// Which way iteration `iteration` goes: counts through the combinations of what has its turn.
pub fn way(lines: &[Line], iteration: usize) -> usize {
    lines.iter().fold(0, |way, line| way * choices(line) + choice(line, iteration))
}

/// All lines, those inside of others included.
pub fn every_line(lines: &[Line]) -> Vec<&Line> {
    let mut all = Vec::new();
    for line in lines {
        match line {
            Line::Every { body, .. } | Line::Unless { body, .. } | Line::Repeat { body, .. } => {
                all.push(line);
                all.extend(every_line(body));
            }
            Line::Turns { bodies } => {
                all.push(line);
                all.extend(bodies.iter().flat_map(|body| every_line(body)));
            }
            other => all.push(other),
        }
    }
    all
}

/// In how many ways a line can go.
fn choices(line: &Line) -> usize {
    match line {
        Line::Every { .. } => 2,
        Line::Turns { bodies } => bodies.len(),
        _ => 1,
    }
}

/// The way a line goes in this iteration.
fn choice(line: &Line, iteration: usize) -> usize {
    match line {
        Line::Every { period, .. } => (iteration + 1).is_multiple_of(*period).into(),
        Line::Turns { bodies } => iteration % bodies.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: VectorId = VectorId(0);
    const Y: VectorId = VectorId(1);

    fn bytes(lines: &[Line]) -> usize {
        pass_bytes(lines, &|x| if x == X { 10 } else { 100 }, &|_| 1000)
    }

    #[test]
    fn every_way_has_its_lines() {
        let set = |value| Line::Constant { value, out: Slot(0) };
        let turns = Line::Turns { bodies: vec![vec![set(1.0), set(2.0)], vec![set(3.0)], vec![]] };
        let every = Line::Every { period: 2, body: vec![set(5.0), set(6.0)] };
        let lines = [set(0.0), turns, set(4.0), every];
        let values = |lines: Vec<Line>| -> Vec<f64> {
            let value = |line| if let Line::Constant { value, .. } = line { value } else { f64::NAN };
            lines.into_iter().map(value).collect()
        };
        assert_eq!(ways(&lines), 6);
        assert_eq!(values(flatten(&lines, 0)), [0.0, 1.0, 2.0, 4.0]);
        assert_eq!(values(flatten(&lines, 1)), [0.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(values(flatten(&lines, 2)), [0.0, 4.0]);
        assert_eq!(values(flatten(&lines, 3)), [0.0, 1.0, 2.0, 4.0, 5.0, 6.0]);
        assert_eq!((0..6).map(|i| way(&lines, i)).collect::<Vec<_>>(), [0, 3, 4, 1, 2, 5]);
        let plain = every_line(&lines).into_iter().filter(|line| !line.is_control()).cloned().collect();
        assert_eq!(values(plain), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn a_pass_reads_and_writes_each_vector_once() {
        let product = Line::Apply { A: MapId(0), x: X, y: Y };
        let dot = Line::Dot { x: X, y: Y, out: Slot(0) };
        let update = Line::Axpy { a: Slot(0), x: X, y: Y };
        assert_eq!(bytes(std::slice::from_ref(&product)), 1000 + 10 + 100);
        assert_eq!(bytes(&[product, dot.clone()]), 1000 + 10 + 100, "y is at hand when the dot product wants it");
        assert_eq!(bytes(std::slice::from_ref(&update)), 10 + 2 * 100, "y is read and written");
        assert_eq!(bytes(&[dot, update]), 10 + 2 * 100);
        assert_eq!(bytes(&[Line::Dot { x: X, y: X, out: Slot(0) }]), 10);
    }
}
