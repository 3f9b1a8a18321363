//! The headers count vectors and work; the recorded programs are the proof.

use super::{System, convective, definite};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::Recorded;
use galerkit_linalg::krylov::{Krylov, Stop};
use galerkit_linalg::program::variants::flatten;
use galerkit_linalg::program::{Instruction, Vector};
use std::collections::BTreeSet;

/// The instructions of so many iterations.
fn instructions(system: &System<f64>, method: Krylov, iterations: usize) -> Vec<Instruction> {
    let mut e = Recorded::new(Reference);
    let stop = Stop { replacement: 0, limit: 1, ..Stop::default() };
    let (_, run) = system.with(&mut e, |e, A, M, b, x| method.run(e, A, M, b, x, &stop));
    assert_eq!(run.iterations, 1);
    (0..iterations).flat_map(|i| flatten(&e.program().instructions, i)).collect()
}

/// Products with A and with M, dot products (norms included), updates.
fn work(instructions: &[Instruction]) -> [usize; 4] {
    use Instruction::{Axpby, Axpy, Dot, Xpby};
    let count = |wanted: &dyn Fn(&Instruction) -> bool| instructions.iter().filter(|it| wanted(it)).count();
    let update = |it: &Instruction| matches!(it, Axpy { .. } | Axpby { .. } | Xpby { .. });
    let product = |map| count(&|it| it.map().is_some_and(|A| A.id == map));
    [product(0), product(1), count(&|it| matches!(it, Dot { .. })), count(&update)]
}

#[test]
fn work_of_an_iteration() {
    let system = definite(4).jacobi();
    assert_eq!(work(&instructions(&system, Krylov::FlexibleCg, 1)), [1, 1, 4, 3]);
    assert_eq!(work(&instructions(&system, Krylov::PipelinedCg, 1)), [1, 1, 5, 8]);
    assert_eq!(work(&instructions(&system, Krylov::Minres, 1)), [1, 1, 3, 6]);
    assert_eq!(work(&instructions(&system, Krylov::Minres, 2)), [2, 2, 6, 12], "the same with the places changed");
    let system = convective(4).jacobi();
    assert_eq!(work(&instructions(&system, Krylov::Bicgstab, 1)), [2, 2, 5, 6]);
    for s in [1, 2, 4] {
        let cycle = instructions(&system, Krylov::Idr { s }, s + 1);
        assert_eq!(work(&cycle), [s + 1, s + 1, s * s + 2 * s + 4, 2 * s * s + 2 * s + 2], "{s}");
    }
}

/// Beside x, the vectors that the instructions name are the method's own: b is read only where residuals are replaced.
#[test]
fn vectors_kept() {
    let methods = [Krylov::Cg, Krylov::FlexibleCg, Krylov::PipelinedCg, Krylov::Minres, Krylov::Bicgstab];
    for method in methods.into_iter().chain([1, 2, 4].map(|s| Krylov::Idr { s })) {
        let instructions = instructions(&definite(4).jacobi(), method, 5);
        let named: BTreeSet<Vector> =
            instructions.iter().flat_map(|it| it.reads().into_iter().chain(it.writes().iter().copied())).collect();
        assert_eq!(named.len() - 1, method.vectors(), "{method}");
    }
}
