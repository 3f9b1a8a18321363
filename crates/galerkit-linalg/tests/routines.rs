//! Routines: what is compiled once and run often does what was spoken, with the same bits, and a later run makes
//! nothing anew.

mod owned;
mod side_by_side;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{AnyEngine, Counters, Engine, Executor, Held, Identity, Recorded, Resident, Routine};
use galerkit_linalg::krylov::{Krylov, Outcome, Run, Stop};
use galerkit_linalg::program::Vector;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, c64, precond};
use galerkit_testkit::{bits, problems};

const METHODS: [Krylov; 4] = [Krylov::Cg, Krylov::Gmres { restart: 5 }, Krylov::Bicgstab, Krylov::Idr { s: 2 }];

fn stop() -> Stop {
    Stop { rtol: 1e-7, limit: 200, replacement: 7, ..Stop::default() }
}

/// All of a run that must be the same: how it ended, how often, the norms.
fn account(run: &Run) -> (Outcome, usize, Vec<(u64, u64)>) {
    (run.outcome, run.iterations, bits(&run.history))
}

/// A routine that solves A x = b from zero, with its system.
struct Solving<S: Scalar> {
    e: AnyEngine<S>,
    b: Held<Vector>,
    x: Held<Vector>,
    routine: Routine,
}

/// A and its diagonal as the preconditioner.
fn load<E: Engine>(e: &mut E, A: &Csr<E::Scalar>) -> (Resident<E>, Resident<E>) {
    let M = precond::jacobi(A).expect("the diagonal is not zero");
    (e.load(Box::new(Matrix::Csr(A.clone()))), e.load(Box::new(M)))
}

fn compiled<S: Scalar, B: Backend<S>>(backend: B, A: &Csr<S>, method: Krylov) -> Solving<S> {
    let mut e = Recorded::new(backend);
    let (map, M) = load(&mut e, A);
    let b = e.upload(&vec![S::zero(); A.rows()]);
    let mut x = e.zeros_like(&b);
    let zero = e.zeros_like(&b);
    let routine = e.compile(|e| {
        e.copy(&zero, &mut x);
        let run = method.run(e, &map, &M, &b, &mut x, &stop());
        assert!(run.is_inside(), "nothing has run yet");
        vec![e.norm(&x)]
    });
    Solving { e, b, x, routine }
}

fn fresh<S: Scalar, B: Backend<S>>(backend: B, A: &Csr<S>, method: Krylov, b: &[S]) -> (Vec<S>, Run, f64) {
    let mut e = Recorded::new(backend);
    let (map, M) = load(&mut e, A);
    let b = e.upload(b);
    let mut x = e.zeros_like(&b);
    let run = method.run(&mut e, &map, &M, &b, &mut x, &stop());
    let norm = e.norm(&x);
    (e.download(&x), run, e.value(norm))
}

fn five_runs<S: Scalar, B: Backend<S> + Clone>(backend: B) {
    let A = problems::hermitian::<S>(9);
    for method in METHODS {
        let Solving { mut e, mut b, x, routine } = compiled(backend.clone(), &A, method);
        let mut second = Counters::default();
        for turn in 0..5 {
            let entries = problems::scattered::<S>(A.rows(), turn);
            e.write(&mut b, &entries);
            let runs = e.run(&routine);
            let (expected, run, norm) = fresh(backend.clone(), &A, method, &entries);
            assert_eq!(runs.iter().map(account).collect::<Vec<_>>(), [account(&run)], "{method}, run {turn}");
            assert!(run.outcome.converged() && run.iterations > 3, "{method}");
            assert_eq!(bits(&e.download(&x)), bits(&expected), "{method}, run {turn}");
            assert_eq!(e.value(routine.scalars[0]).to_bits(), norm.to_bits(), "{method}, run {turn}");
            if turn == 1 {
                second = e.executor().counters();
            } else if turn > 1 {
                assert_eq!(e.executor().counters(), second, "{method}: run {turn} made something anew");
            }
        }
    }
}

#[test]
fn a_compiled_solve_has_the_bits_and_counts_of_fresh_ones() {
    five_runs::<f64, _>(Reference);
    five_runs::<f64, _>(Cpu);
    five_runs::<c64, _>(Cpu);
}

/// Nothing runs while a routine is recorded, and what was spoken before has run.
#[test]
fn recording_runs_nothing_but_what_was_spoken_before() {
    let mut e = Recorded::<f64, _>::new(Cpu);
    let mut x = e.upload(&[1.0, 2.0]);
    let two = e.number(2.0);
    e.scale(two, &mut x);
    let routine = e.compile(|e| {
        e.scale(two, &mut x);
        Vec::new()
    });
    assert_eq!(e.download(&x), [2.0, 4.0]);
    for expected in [[4.0, 8.0], [8.0, 16.0]] {
        assert!(e.run(&routine).is_empty(), "there is no loop");
        assert_eq!(e.download(&x), expected);
    }
    let half = e.number(0.5);
    e.scale(half, &mut x);
    assert!(e.run(&routine).is_empty());
    assert_eq!(e.download(&x), [8.0, 16.0], "what was spoken before a run has its turn before it");
}

/// Vectors made inside are zero in each run, however the last one has left them.
#[test]
fn vectors_made_inside_are_zero_in_every_run() {
    let mut e = Recorded::<f64, _>::new(Cpu);
    let b = e.upload(&[1.0, 2.0]);
    let mut sum = e.zeros_like(&b);
    let one = e.number(1.0);
    let routine = e.compile(|e| {
        let mut inside = e.zeros_like(&b);
        e.axpy(one, &b, &mut inside);
        e.axpy(one, &inside, &mut sum);
        vec![e.norm_inf(&inside)]
    });
    for times in 1..4 {
        let _ = e.run(&routine);
        assert_eq!(e.value(routine.scalars[0]), 2.0);
        assert_eq!(e.download(&sum), [1.0, 2.0].map(|b| b * f64::from(times)));
    }
}

/// Criteria of a run in place of those it was recorded with; a test that fails before the loop ends it.
#[test]
fn a_run_may_bring_its_own_criteria() {
    let A = problems::hermitian::<f64>(9);
    let Solving { mut e, mut b, x, routine } = compiled(Cpu, &A, Krylov::Cg);
    e.write(&mut b, &problems::scattered(81, 1));
    let full = e.run(&routine).remove(0);
    let short = e.run_until(&routine, Some(&Stop { limit: 3, ..stop() })).remove(0);
    assert_eq!((short.outcome, short.iterations), (Outcome::IterationLimit, 3));
    assert_eq!(bits(&short.history), bits(&full.history[..4]));
    assert_eq!(account(&e.run(&routine)[0]), account(&full), "its own criteria are still there");
    e.write(&mut b, &[f64::NAN; 81]);
    assert_eq!(e.run(&routine)[0].outcome, Outcome::NonFinite);
    assert_eq!(routine.loops().count(), 1);
    assert!(e.download(&x).iter().all(|x| *x == 0.0));
}

/// Values of the matrix are read when a routine runs.
#[test]
fn a_routine_sees_new_values_of_its_matrix() {
    let A = problems::hermitian::<f64>(5);
    let mut e = Recorded::new(Cpu);
    let mut map = e.load(Box::new(Matrix::Csr(A.clone())));
    let b = e.upload(&problems::scattered(25, 1));
    let mut x = e.zeros_like(&b);
    let routine = e.compile(|e| {
        let mut y = e.zeros_like(&b);
        let _ = Krylov::Cg.run(e, &map, &Identity, &b, &mut y, &stop());
        e.copy(&y, &mut x);
        Vec::new()
    });
    for factor in [1.0, 2.0, 4.0] {
        let scaled = A.map_values(|a| factor * a);
        e.write(&mut map.values, scaled.val());
        let _ = e.run(&routine);
        let found: Vec<f64> = e.download(&x).iter().map(|x| factor * x).collect();
        e.write(&mut map.values, A.val());
        let _ = e.run(&routine);
        assert_eq!(found, e.download(&x), "powers of two change exponents only");
    }
}
