//! Engines that record in turn on one thread, and one that goes from thread to thread. Numbers know whose they are.

use super::{METHODS, Solving, account, compiled, fresh, load, stop};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{AnyEngine, Engine, Held, Number, Recorded, Register, Symbol};
use galerkit_linalg::krylov::{Krylov, Stop};
use galerkit_linalg::program::Vector;
use galerkit_testkit::{bits, problems};
use std::cell::RefCell;

type Engines = [AnyEngine<f64>; 2];

/// One verb of each engine after the other, then arithmetic on the numbers of each: the vectors and numbers of both.
fn in_turn(engines: &mut Engines, rounds: usize) -> Vec<f64> {
    let vectors: [Held<Vector>; 2] = [0, 1].map(|k| engines[k].upload(&[1.0 + k as f64, 3.0]));
    let mut sums: [Held<Vector>; 2] = [0, 1].map(|k| engines[k].upload(&[0.0; 2]));
    let mut numbers: Vec<[Symbol; 2]> = Vec::new();
    for _ in 0..rounds {
        let sizes = [0, 1].map(|k| engines[k].dot(&vectors[k], &vectors[k]));
        let roots = sizes.map(|size| (size + size).sqrt());
        (0..2).for_each(|k| engines[k].axpy(roots[k], &vectors[k], &mut sums[k]));
        numbers.push(roots);
    }
    let sums: Vec<f64> = (0..2).flat_map(|k| engines[k].download(&sums[k])).collect();
    let numbers = numbers.into_iter().flat_map(|pair| [0, 1].map(|k| engines[k].value(pair[k])));
    sums.into_iter().chain(numbers).collect()
}

#[test]
fn verbs_in_turn_do_not_disturb_each_other() {
    let mut engines = [Recorded::new(Cpu), Recorded::new(Cpu)];
    let [a, b] = [20.0f64, 26.0].map(f64::sqrt);
    for _ in 0..3 {
        assert_eq!(in_turn(&mut engines, 1), [a, 3.0 * a, 2.0 * b, 3.0 * b, a, b]);
        let found = in_turn(&mut engines, 2);
        assert_eq!(found, [2.0 * a, 6.0 * a, 4.0 * b, 6.0 * b, a, b, a, b]);
    }
}

/// A solve by one engine in the middle of another's: before its loop, inside it, and behind it.
#[test]
fn a_solve_in_the_middle_of_a_recording_leaves_it_alone() {
    let A = problems::hermitian::<f64>(6);
    let (b, other) = (problems::scattered::<f64>(36, 1), RefCell::new(Recorded::new(Cpu)));
    let disturb = || {
        let mut e = other.borrow_mut();
        let (map, M) = load(&mut *e, &A);
        let b = e.upload(&b);
        let mut x = e.zeros_like(&b);
        let _ = Krylov::Cg.run(&mut *e, &map, &M, &b, &mut x, &stop());
        let left_on_its_tape = e.norm(&x);
        let _ = left_on_its_tape * left_on_its_tape;
    };
    let solve = |disturbed: bool| {
        let mut e = Recorded::new(Cpu);
        let disturb = || {
            if disturbed {
                disturb()
            }
        };
        let b = e.upload(&b);
        let mut x = e.zeros_like(&b);
        let one = e.number(1.0);
        disturb();
        let start = e.norm(&b);
        let step = e.carry(one);
        let run = e.iterate(&Stop { rtol: 0.0, limit: 4, ..Stop::default() }, start, |e| {
            disturb();
            e.axpy(one, &b, &mut x);
            disturb();
            let size = e.dot(&x, &x);
            step.set(step.get() + size);
            e.every(2, |e| {
                disturb();
                e.scale(step.get().over(size), &mut x);
            });
            disturb();
            e.norm(&x)
        });
        disturb();
        let last = e.dot(&x, &b);
        (bits(&e.download(&x)), bits(&run.history), e.value(last).to_bits(), e.program().to_string())
    };
    assert_eq!(solve(true), solve(false));
}

#[test]
fn routines_of_two_engines_run_in_turn() {
    let (A, B) = (problems::hermitian::<f64>(7), problems::hermitian::<f64>(8));
    for method in METHODS {
        let mut one = compiled(Cpu, &A, method);
        let mut other = compiled(Reference, &B, method);
        for turn in 0..3 {
            let (b, c) = (problems::scattered(49, turn), problems::scattered(64, turn));
            one.e.write(&mut one.b, &b);
            other.e.write(&mut other.b, &c);
            let runs = [one.e.run(&one.routine).remove(0), other.e.run(&other.routine).remove(0)];
            let expected = [fresh(Cpu, &A, method, &b), fresh(Reference, &B, method, &c)];
            let found = [one.e.download(&one.x), other.e.download(&other.x)];
            for k in 0..2 {
                assert_eq!(account(&runs[k]), account(&expected[k].1), "{method}");
                assert_eq!(bits(&found[k]), bits(&expected[k].0), "{method}");
            }
        }
    }
}

/// Registers keep their numbers wherever they were made, and nothing made elsewhere takes their place.
#[test]
fn an_engine_goes_to_another_thread_and_comes_back() {
    let mut e = Recorded::<f64, _>::new(Cpu);
    let x = e.upload(&[3.0, 4.0]);
    let norm_and = |e: &mut AnyEngine<f64>, more: f64| {
        let (more, norm) = (e.number(more), e.norm(&x));
        let sum = e.carry(norm + more);
        assert_eq!(e.read(sum), e.value(norm + more));
        sum
    };
    let mut registers = Vec::new();
    for turn in 0..3 {
        registers.push(norm_and(&mut e, f64::from(2 * turn)));
        let there = || norm_and(&mut e, f64::from(2 * turn + 1));
        registers.push(std::thread::scope(|scope| scope.spawn(there).join().unwrap()));
    }
    assert_eq!(registers.into_iter().map(|it| e.read(it)).collect::<Vec<_>>(), [5.0, 6.0, 7.0, 8.0, 9.0, 10.0]);
}

#[test]
fn a_routine_runs_in_another_thread() {
    let A = problems::hermitian::<f64>(5);
    let Solving { mut e, mut b, x, routine } = compiled(Cpu, &A, Krylov::Cg);
    for turn in 0..3 {
        let entries = problems::scattered(25, turn);
        let (expected, run, _) = fresh(Cpu, &A, Krylov::Cg, &entries);
        let runs = std::thread::scope(|scope| {
            let go = || {
                e.write(&mut b, &entries);
                e.run(&routine)
            };
            scope.spawn(go).join().unwrap()
        });
        assert_eq!((account(&runs[0]), bits(&e.download(&x))), (account(&run), bits(&expected)));
    }
}

/// Engines in thread-local places end with their thread, perhaps after the tapes.
#[test]
fn an_engine_may_end_with_its_thread() {
    thread_local!(static KEPT: RefCell<Option<AnyEngine<f64>>> = const { RefCell::new(None) });
    let used = || {
        KEPT.with_borrow_mut(|kept| {
            let e = kept.insert(Recorded::new(Cpu));
            let x = e.upload(&[3.0, 4.0]);
            let norm = e.norm(&x);
            e.value(norm)
        })
    };
    assert_eq!(std::thread::spawn(used).join().unwrap(), 5.0);
}
