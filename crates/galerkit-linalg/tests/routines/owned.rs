//! Who holds what: routines what they mention, engines nothing that nobody else holds.

use super::{Solving, compiled, load, stop};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{AnyEngine, Counters, Engine, Executor, Interpreter, Recorded, Test::Positive};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::sparse::Matrix;
use galerkit_testkit::problems;

/// Vectors, maps and codes, after everything that can be freed has been.
fn kept(e: &mut AnyEngine<f64>) -> [usize; 3] {
    let zero = e.number(0.0);
    let _ = e.value(zero); // runs, and frees what nothing mentions any more
    let Counters { vectors, maps, codes, .. } = e.executor().counters();
    [vectors, maps, codes]
}

/// x = x + A b with handles that are gone before it runs.
#[test]
fn a_routine_holds_what_it_mentions() {
    let mut e = Recorded::new(Cpu);
    let mut x = e.upload(&[0.0; 3]);
    let A = e.load(Box::new(Matrix::Csr(problems::laplacian::<f64>(3, 1))));
    let b = e.upload(&[1.0, 2.0, 3.0]);
    let one = e.number(1.0);
    let routine = e.compile(|e| {
        let mut y = e.zeros_like(&b);
        e.apply(&A, &b, &mut y);
        e.axpy(one, &y, &mut x);
        Vec::new()
    });
    drop((A, b));
    // Anything that was freed would be taken by these.
    let others: Vec<_> = (0..8).map(|_| e.upload(&[7.0; 3])).collect();
    let another = e.load(Box::new(Matrix::Csr(problems::diagonal::<f64>(&[9.0; 3]))));
    for times in 1..4 {
        let _ = e.run(&routine);
        assert_eq!(e.download(&x), [0.0, 0.0, 4.0].map(|y| y * f64::from(times)));
    }
    drop((others, another));
}

/// The closure that is recorded may own what it mentions.
#[test]
fn a_routine_holds_what_its_closure_has_dropped() {
    let mut e = Recorded::new(Cpu);
    let mut x = e.upload(&[0.0; 3]);
    let A = e.load(Box::new(Matrix::Csr(problems::laplacian::<f64>(3, 1))));
    let b = e.upload(&[1.0, 2.0, 3.0]);
    let before = kept(&mut e);
    let result = x.clone();
    let routine = e.compile(move |e| {
        e.apply(&A, &b, &mut x);
        Vec::new()
    });
    let others: Vec<_> = (0..8).map(|_| e.upload(&[7.0; 3])).collect();
    let another = e.load(Box::new(Matrix::Csr(problems::diagonal::<f64>(&[9.0; 3]))));
    let _ = e.run(&routine);
    assert_eq!(e.download(&result), [0.0, 0.0, 4.0]);
    drop((others, another));
    assert_eq!(kept(&mut e), [before[0], before[1], before[2] + 1]);
    drop((routine, result));
    assert_eq!(kept(&mut e), [0, 0, 0]);
}

#[test]
fn vectors_maps_and_codes_are_freed_when_they_are_dropped() {
    let A = problems::hermitian::<f64>(5);
    let mut e = Recorded::new(Cpu);
    assert_eq!(kept(&mut e), [0, 0, 0]);
    let (map, M) = load(&mut e, &A);
    let b = e.upload(&problems::scattered(25, 1));
    let x = e.zeros_like(&b);
    assert_eq!(kept(&mut e), [4, 2, 0], "two vectors, and the values of two maps");
    let mut y = x.clone();
    drop(x);
    assert_eq!(kept(&mut e), [4, 2, 0], "somebody holds it");
    let _ = Krylov::Cg.run(&mut e, &map, &M, &b, &mut y, &stop());
    assert_eq!(kept(&mut e), [5, 2, 0], "what the solve has made is gone, but for the engine's zeros");
    let routine = e.compile(|e| {
        let _ = Krylov::Cg.run(e, &map, &M, &b, &mut y, &stop());
        Vec::new()
    });
    // Four vectors of the method and the zeros that they are made zero from; what comes before the loop, and the loop.
    assert_eq!(kept(&mut e), [9, 2, 2]);
    drop((map, M, b, y));
    assert_eq!(kept(&mut e), [9, 2, 2], "the routine holds them");
    drop(routine);
    assert_eq!(kept(&mut e), [1, 0, 0], "the engine's zeros, for the next who asks");
}

#[test]
fn thousands_of_solves_leave_nothing_behind() {
    let A = problems::hermitian::<f64>(4);
    let mut e = Recorded::new(Cpu);
    let mut after_first = None;
    for turn in 0..2000 {
        let (map, M) = load(&mut e, &A);
        let b = e.upload(&problems::scattered(16, turn));
        let mut x = e.zeros_like(&b);
        let method = [Krylov::Cg, Krylov::Gmres { restart: 5 }, Krylov::Bicgstab][turn as usize % 3];
        assert!(method.run(&mut e, &map, &M, &b, &mut x, &stop()).outcome.converged());
        drop((map, M, b, x));
        let kept = kept(&mut e);
        assert_eq!(kept, *after_first.get_or_insert(kept), "solve {turn}");
    }
}

/// What is spoken under a condition outside of any loop: vectors that were dropped before it are still mentioned.
#[test]
fn a_condition_outside_of_loops_frees_nothing_that_waits_to_run() {
    let mut e = Recorded::<f64, _>::new(Cpu);
    let mut y = e.upload(&[0.0; 2]);
    let (one, none) = (e.number(1.0), e.number(0.0));
    let x = e.upload(&[1.0, 2.0]);
    e.axpy(one, &x, &mut y);
    drop(x);
    e.unless(Positive(none), |e| {
        let z = e.upload(&[100.0; 2]);
        e.axpy(one, &z, &mut y);
    });
    assert_eq!(e.download(&y), [101.0, 102.0]);
}

/// An executor that outlives its engines is left with nothing of theirs.
#[test]
fn an_engine_that_ends_frees_what_it_has_made() {
    let mut executor = Interpreter::<f64, _>::new(Cpu);
    for _ in 0..3 {
        let mut e = Recorded::over(&mut executor);
        let b = e.upload(&[1.0, 2.0]);
        let mut x = e.zeros_like(&b);
        let one = e.number(1.0);
        let stop = Stop { rtol: 0.0, limit: 2, ..Stop::default() };
        let run = e.iterate(&stop, one, |e| {
            let mut inside = e.zeros_like(&b);
            e.axpy(one, &b, &mut inside);
            e.axpy(one, &inside, &mut x);
            e.norm(&x)
        });
        assert_eq!((run.outcome, e.download(&x)), (Outcome::IterationLimit, vec![2.0, 4.0]));
        drop((b, x));
        drop(e);
        let Counters { vectors, maps, codes, .. } = executor.counters();
        assert_eq!([vectors, maps, codes], [0, 0, 0]);
    }
}

/// A routine may outlive its engine; it is then of no use, and does no harm.
#[test]
fn a_routine_may_outlive_its_engine() {
    let Solving { e, b, x, routine } = compiled(Cpu, &problems::hermitian::<f64>(3), Krylov::Cg);
    drop(e);
    drop((b, x, routine));
}
