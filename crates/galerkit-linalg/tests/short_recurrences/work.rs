//! The headers count vectors and work; the recorded programs are the proof.

use super::{System, convective, definite};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::Recorded;
use galerkit_linalg::engine::record::{Line, MapId, VectorId, inspect::flatten};
use galerkit_linalg::krylov::{Krylov, Stop};
use std::collections::BTreeSet;

/// The lines of so many iterations.
fn lines(system: &System<f64>, method: Krylov, iterations: usize) -> Vec<Line> {
    let mut e = Recorded::new(Reference);
    let stop = Stop { exact: 0, limit: 1, ..Stop::default() };
    let (_, run) = system.with(&mut e, |e, A, M, b, x| method.run(e, A, M, b, x, &stop));
    assert_eq!(run.iterations, 1);
    (0..iterations).flat_map(|i| flatten(&e.program().lines, i)).collect()
}

/// Products with A and with M, dot products (norms included), updates.
fn work(lines: &[Line]) -> [usize; 4] {
    let count = |wanted: &dyn Fn(&Line) -> bool| lines.iter().filter(|line| wanted(line)).count();
    let update = |line: &Line| matches!(line, Line::Axpy { .. } | Line::Axpby { .. } | Line::Xpby { .. });
    let product = |map| count(&|line| line.map() == Some(MapId(map)));
    [product(0), product(1), count(&|line| matches!(line, Line::Dot { .. })), count(&update)]
}

#[test]
fn work_of_an_iteration() {
    let system = definite(4).jacobi();
    assert_eq!(work(&lines(&system, Krylov::FlexibleCg, 1)), [1, 1, 4, 3]);
    assert_eq!(work(&lines(&system, Krylov::PipelinedCg, 1)), [1, 1, 5, 8]);
    assert_eq!(work(&lines(&system, Krylov::Minres, 1)), [1, 1, 3, 6]);
    assert_eq!(work(&lines(&system, Krylov::Minres, 2)), [2, 2, 6, 12], "the same with the places changed");
    let system = convective(4).jacobi();
    assert_eq!(work(&lines(&system, Krylov::Bicgstab, 1)), [2, 2, 5, 6]);
    for s in [1, 2, 4] {
        let cycle = lines(&system, Krylov::Idr { s }, s + 1);
        assert_eq!(work(&cycle), [s + 1, s + 1, s * s + 2 * s + 4, 2 * s * s + 2 * s + 2], "{s}");
    }
}

/// Beside x, the vectors that the lines name are the method's own: b is read only where residuals are replaced.
#[test]
fn vectors_kept() {
    let methods = [Krylov::Cg, Krylov::FlexibleCg, Krylov::PipelinedCg, Krylov::Minres, Krylov::Bicgstab];
    for method in methods.into_iter().chain([1, 2, 4].map(|s| Krylov::Idr { s })) {
        let lines = lines(&definite(4).jacobi(), method, 5);
        let named: BTreeSet<VectorId> =
            lines.iter().flat_map(|line| line.reads().into_iter().chain(line.writes())).collect();
        assert_eq!(named.len() - 1, method.vectors(), "{method}");
    }
}
