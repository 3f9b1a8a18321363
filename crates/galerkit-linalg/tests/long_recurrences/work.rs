//! The work of an iteration, read off the recorded programs: what the headers say, and how many passes over memory.

use super::{Problem, all_and_compressed, general};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Interpreter, Recorded};
use galerkit_linalg::krylov::{Krylov, Stop};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::{Instruction, Step};
use galerkit_testkit::problems;

/// The headers count the work of place j; the recorded programs are the proof. The last place of a cycle does more.
#[test]
fn work_is_as_the_headers_say() {
    let mut problem = Problem::new(general::<f64>(12), problems::scattered::<f64>(12, 7));
    problem.M = Some(Box::new(jacobi(&problem.A).expect("the diagonal is not zero")));
    let m = 5;
    for method in all_and_compressed(m) {
        let mut engine = Recorded::new(Reference);
        let _ = problem.run(&mut engine, method, &Stop::default());
        let Some(Instruction::Cyclic { bodies }) = engine.program().instructions.first() else {
            panic!("{method} does not take turns")
        };
        assert_eq!(bodies.len(), m);
        for (j, body) in bodies.iter().enumerate() {
            let count = |what: fn(&Instruction) -> bool| body.iter().filter(|instruction| what(instruction)).count();
            let products = count(|instruction| instruction.map().is_some());
            let dots = count(|instruction| matches!(instruction, Instruction::Dot { .. }));
            let updates = count(|instruction| {
                matches!(instruction, Instruction::Axpy { .. } | Instruction::Axpby { .. } | Instruction::Scale { .. })
            });
            let expected = match method {
                Krylov::Gcr { .. } => (j + 4, 2 * j + 2),
                Krylov::Orthodir { .. } => (j + 4, 2 * j + 4),
                Krylov::Gmres { .. } => (j + 3, j + 3),
                _ => (j + 3, j + 2),
            };
            if j + 1 < m {
                assert_eq!((products, (dots, updates)), (2, expected), "{method}, place {j}");
            } else {
                let more = if matches!(method, Krylov::Gmres { .. } | Krylov::CompressedGmres { .. }) { 2 } else { 1 };
                assert_eq!(products, 2 + more, "{method}: b - A x, and M once more in GMRES");
            }
        }
    }
}

/// However many directions there are, a step makes the same number of passes: all dots of one round share one, and so
/// do all updates. A and the first dots are one pass, and M (here Jacobi) is part of the one that makes what it is
/// applied to. GMRES needs no other one, since no vector waits for its length; compressed GMRES rounds in one more. The
/// second round of Gram-Schmidt is under a condition and not counted.
#[test]
fn passes_do_not_grow_with_the_cycle() {
    let mut problem = Problem::new(general::<f64>(12), problems::scattered::<f64>(12, 8));
    problem.M = Some(Box::new(jacobi(&problem.A).expect("the diagonal is not zero")));
    let m = 8;
    for method in all_and_compressed(m) {
        let mut engine = Recorded::over(Interpreter::new(Cpu));
        let _ = problem.run(&mut engine, method, &Stop::default());
        let passes = |place: usize| {
            let steps = engine.executor().plan(&engine.program().instructions, place);
            steps.iter().filter(|step| !matches!(step, Step::Instruction(it) if !it.is_vector())).count()
        };
        let expected = match method {
            Krylov::Gmres { .. } => 2,
            Krylov::CompressedGmres { .. } => 4,
            _ => 3,
        };
        for place in 1..m - 1 {
            assert_eq!(passes(place), expected, "{method}, place {place}");
        }
    }
}
