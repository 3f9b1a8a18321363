//! Vectors that a solver asks for inside of a loop must be zero in each iteration, so a copy of zeros is recorded for each.
//! Most solvers overwrite them at once: those copies are taken out again.

use super::program::{Line, VectorId};

/// The lines without copies of zeros to what is overwritten before it is read. A vector made inside of a loop is not
/// used outside of it.
pub(super) fn without_needless_zeros(lines: Vec<Line>, is_zero: &dyn Fn(VectorId) -> bool) -> Vec<Line> {
    let needless = |i: usize| match lines[i] {
        Line::Copy { x, y } => is_zero(x) && first_use(&lines[i + 1..], y) != Use::Read,
        _ => false,
    };
    let keep: Vec<bool> = (0..lines.len()).map(|i| !needless(i)).collect();
    let inward = |body: Vec<Line>| without_needless_zeros(body, is_zero);
    let kept = lines.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(line, _)| line);
    kept.map(|line| match line {
        Line::Every { period, body } => Line::Every { period, body: inward(body) },
        Line::Turns { bodies } => Line::Turns { bodies: bodies.into_iter().map(inward).collect() },
        Line::Unless { test, body } => Line::Unless { test, body: inward(body) },
        Line::Repeat { until, body } => Line::Repeat { until, body: inward(body) },
        line => line,
    })
    .collect()
}

/// What happens first to a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// It may be read.
    Read,
    /// It is overwritten before anybody reads it.
    Overwritten,
    /// Not certainly either.
    Open,
}

fn first_use(lines: &[Line], y: VectorId) -> Use {
    lines.iter().map(|line| use_in(line, y)).find(|found| *found != Use::Open).unwrap_or(Use::Open)
}

fn use_in(line: &Line, y: VectorId) -> Use {
    match line {
        // The body may not run at all, so what it overwrites is not certain to be.
        Line::Every { body, .. } | Line::Unless { body, .. } | Line::Repeat { body, .. } => {
            if first_use(body, y) == Use::Read { Use::Read } else { Use::Open }
        }
        // The first body runs in the first iteration; what a later one overwrites, those after it find overwritten.
        Line::Turns { bodies } => {
            let first = bodies.iter().enumerate().map(|(place, body)| (place, first_use(body, y)));
            match first.into_iter().find(|(_, found)| *found != Use::Open) {
                Some((_, Use::Read)) => Use::Read,
                Some((0, found)) => found,
                _ => Use::Open,
            }
        }
        line if line.reads().contains(&y) => Use::Read,
        line if line.writes() == Some(y) => Use::Overwritten,
        _ => Use::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Test;
    use crate::engine::record::{MapId, Slot};

    const ZERO: VectorId = VectorId(0);
    const X: VectorId = VectorId(1);
    const Y: VectorId = VectorId(2);

    fn zeroing() -> Line {
        Line::Copy { x: ZERO, y: Y }
    }
    fn overwrite() -> Line {
        Line::Apply { A: MapId(0), x: X, y: Y }
    }
    fn read() -> Line {
        Line::Axpy { a: Slot(0), x: Y, y: X }
    }
    fn unless(body: Vec<Line>) -> Line {
        Line::Unless { test: Test::Finite(Slot(0)), body }
    }
    fn pruned(lines: Vec<Line>) -> Vec<Line> {
        without_needless_zeros(lines, &|x| x == ZERO)
    }

    #[test]
    fn what_is_overwritten_at_once_needs_no_zeros() {
        assert_eq!(pruned(vec![zeroing(), overwrite(), read()]), [overwrite(), read()]);
        assert_eq!(pruned(vec![unless(vec![zeroing(), overwrite(), read()])]), [unless(vec![overwrite(), read()])]);
        let turns = |bodies| Line::Turns { bodies };
        let cycle = turns(vec![vec![overwrite()], vec![read()]]);
        assert_eq!(pruned(vec![zeroing(), cycle.clone(), read()]), [cycle, read()], "the cycle begins by overwriting");
    }

    #[test]
    fn what_may_be_read_keeps_its_zeros() {
        let late = Line::Turns { bodies: vec![vec![], vec![overwrite()], vec![read()]] };
        let early = Line::Turns { bodies: vec![vec![read()], vec![overwrite()]] };
        for lines in [
            vec![zeroing(), read(), overwrite()],
            vec![zeroing(), unless(vec![overwrite()]), read()],
            vec![zeroing(), unless(vec![read()]), overwrite()],
            vec![zeroing(), late, read()],
            vec![zeroing(), early, overwrite()],
            vec![zeroing(), Line::Scale { a: Slot(0), y: Y }],
            vec![Line::Copy { x: X, y: Y }, overwrite()],
        ] {
            assert_eq!(pruned(lines.clone()), lines);
        }
    }
}
