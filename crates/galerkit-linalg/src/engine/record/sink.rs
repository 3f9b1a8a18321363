//! Moves an update down to the line that overwrites what it reads, so that both share one pass: in CG, `x = x + alpha p`
//! joins `p = z + beta p`, and p is read once an iteration less. An update only moves over lines that neither touch its
//! vectors nor test anything, so every vector has the same bits wherever a solve can end.

use super::program::Line;

/// Moves every update that can be moved, the last ones first.
pub fn sink(mut lines: Vec<Line>) -> Vec<Line> {
    for i in (0..lines.len()).rev() {
        if let Some(target) = destination(&lines, i) {
            let line = lines.remove(i);
            lines.insert(target - 1, line);
        }
    }
    lines
}

/// The line before which line `i` is to stand: the first that overwrites its input, if the way there is free.
fn destination(lines: &[Line], i: usize) -> Option<usize> {
    let (Line::Axpy { x, y, .. } | Line::Axpby { x, y, .. }) = lines[i] else { return None };
    let coefficients = lines[i].scalar_reads();
    for (k, line) in lines.iter().enumerate().skip(i + 1) {
        let touches = line.reads().contains(&y) || line.writes() == Some(y);
        let changes_coefficient = line.scalar_write().is_some_and(|slot| coefficients.contains(&slot));
        if touches || changes_coefficient || matches!(line, Line::Require { .. }) || line.is_control() {
            return None;
        }
        if line.writes() == Some(x) {
            return (k > i + 1).then_some(k);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Test;
    use crate::engine::record::{Slot, VectorId};
    use crate::krylov::Outcome;

    const P: VectorId = VectorId(0);
    const X: VectorId = VectorId(1);
    const R: VectorId = VectorId(2);

    fn update() -> Line {
        Line::Axpy { a: Slot(0), x: P, y: X }
    }
    fn dot() -> Line {
        Line::Dot { x: R, y: R, out: Slot(1) }
    }
    fn overwrite() -> Line {
        Line::Xpby { x: R, b: Slot(1), y: P }
    }

    #[test]
    fn an_update_joins_the_line_that_overwrites_its_input() {
        assert_eq!(sink(vec![update(), dot(), overwrite()]), [dot(), update(), overwrite()]);
    }

    #[test]
    fn an_update_stays_where_its_way_is_blocked() {
        let test = Line::Require { test: Test::Finite(Slot(1)), otherwise: Outcome::NonFinite };
        let reads_x = Line::Dot { x: X, y: R, out: Slot(2) };
        let new_coefficient = Line::Constant { value: 1.0, out: Slot(0) };
        for blocking in [test, reads_x, new_coefficient] {
            let lines = vec![update(), blocking, overwrite()];
            assert_eq!(sink(lines.clone()), lines);
        }
        assert_eq!(sink(vec![update(), dot()]), [update(), dot()], "nothing overwrites p");
        assert_eq!(sink(vec![update(), overwrite()]), [update(), overwrite()], "it is there already");
    }
}
