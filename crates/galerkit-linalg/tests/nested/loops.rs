//! How loops inside loops end, what they tell, and what they leave alone.

use super::{Account, Counter, down_to, on_every_engine, times};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Recorded, Register, Test::Positive};
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::program::Precision;

const START: [f64; 3] = [1.0, 0.0, 0.0];

/// Three times, copies b and scales it by `factor` until `stop` says so: the outer run, the account, the last vector.
fn scaled<E: Engine<Scalar = f64>>(e: &mut E, factor: f64, stop: &Stop) -> (Outcome, (f64, f64), Vec<f64>) {
    let b = e.upload(&START);
    let mut v = e.zeros_like(&b);
    let account = Account::new(e);
    let outer = e.number(1.0);
    let run = e.iterate(&times(3), outer, |e| {
        e.copy(&b, &mut v);
        let start = e.norm(&v);
        let a = e.number(factor);
        let inside = e.iterate(stop, start, |e| {
            e.scale(a, &mut v);
            e.norm(&v)
        });
        assert_eq!((inside.iterations, inside.history.len()), (0, 0), "nobody on the host is told");
        account.take(e);
        outer
    });
    assert_eq!(run.iterations, 3);
    (run.outcome, account.read(e), e.download(&v))
}

#[test]
fn a_loop_that_converges_tells_1_and_its_count() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let found = scaled(e, 0.5, &down_to(0.125, 100));
        assert_eq!(found, (Outcome::IterationLimit, (9.0, 3.0), vec![0.125, 0.0, 0.0]));
        let absolute = Stop { rtol: 0.0, atol: 0.25, limit: 100, ..Stop::default() };
        assert_eq!(scaled(e, 0.5, &absolute).1, (6.0, 3.0));
        assert_eq!(scaled(e, 0.0, &times(100)).1, (3.0, 3.0), "an exact zero has converged");
    }
    on_every_engine!(test);
}

#[test]
fn a_loop_out_of_iterations_tells_0() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        assert_eq!(scaled(e, 0.5, &down_to(0.125, 2)), (Outcome::IterationLimit, (6.0, 0.0), vec![0.25, 0.0, 0.0]));
        assert_eq!(scaled(e, 0.5, &down_to(0.125, 0)), (Outcome::IterationLimit, (0.0, 0.0), START.to_vec()));
    }
    on_every_engine!(test);
}

#[test]
fn a_norm_that_is_not_finite_tells_minus_1() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        assert_eq!(scaled(e, 1e200, &down_to(0.125, 9)).1, (3.0, -3.0), "the square overflows after one iteration");
        assert_eq!(scaled(e, f64::NAN, &down_to(0.125, 9)).1, (3.0, -3.0));
    }
    on_every_engine!(test);
}

#[test]
fn neither_patience_nor_growth_ends_a_loop_inside() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let stop = Stop { patience: 2, divergence: 10.0, ..down_to(0.125, 50) };
        assert_eq!(scaled(e, 2.0, &stop).1, (150.0, 0.0));
    }
    on_every_engine!(test);
}

#[test]
fn a_failed_test_inside_ends_only_the_loop_inside() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let b = e.upload(&START);
        let mut v = e.zeros_like(&b);
        let (account, passed, around) = (Account::new(e), Counter::new(e), Counter::new(e));
        let one = e.number(1.0);
        let run = e.iterate(&times(4), one, |e| {
            e.copy(&b, &mut v);
            let left = e.number(2.0);
            let left = e.carry(left);
            let _ = e.iterate(&times(100), one, |e| {
                e.require(Positive(left.get()), Outcome::Breakdown);
                left.set(left.get() - one);
                passed.add_one(e);
                let half = e.number(0.5);
                e.scale(half, &mut v);
                e.norm(&v)
            });
            account.take(e);
            around.add_one(e);
            one
        });
        assert_eq!((run.outcome, run.iterations), (Outcome::IterationLimit, 4));
        assert_eq!(account.read(e), (8.0, -4.0), "two iterations were completed, the third failed");
        assert_eq!((passed.read(e), around.read(e)), (8.0, 4.0), "lines behind the failed test changed a register");
        assert_eq!(e.download(&v), [0.25, 0.0, 0.0], "lines behind the failed test changed a vector");
    }
    on_every_engine!(test);
}

#[test]
fn behind_a_failed_test_no_loop_is_begun() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let rounds = Counter::new(e);
        let one = e.number(1.0);
        let run = e.iterate(&times(5), one, |e| {
            let few = e.number(5.0) - rounds.value.get();
            e.require(Positive(few), Outcome::Breakdown);
            let _ = e.iterate(&times(3), one, |e| {
                rounds.add_one(e);
                one
            });
            one
        });
        assert_eq!((run.outcome, run.iterations), (Outcome::Breakdown, 2));
        assert_eq!(rounds.read(e), 6.0);
    }
    on_every_engine!(test);
}

#[test]
fn loops_in_loops_in_loops() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let [deepest, middle, outer] = [(); 3].map(|()| Counter::new(e));
        let account = Account::new(e);
        let one = e.number(1.0);
        let run = e.iterate(&times(2), one, |e| {
            let _ = e.iterate(&times(3), one, |e| {
                let _ = e.iterate(&times(4), one, |e| {
                    deepest.add_one(e);
                    one
                });
                account.take(e);
                middle.add_one(e);
                one
            });
            account.take(e);
            outer.add_one(e);
            one
        });
        assert_eq!(run.iterations, 2);
        assert_eq!([&deepest, &middle, &outer].map(|counter| counter.read(e)), [24.0, 6.0, 2.0]);
        assert_eq!(account.read(e), (24.0 + 6.0, 0.0));
    }
    on_every_engine!(test);
}

/// In loops of 5 iterations the places 0 1 2 0 1 add 1, 10, 100, 1, 10; every second iteration adds 1000.
#[test]
fn cycles_begin_anew_in_every_loop_inside() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let [places, outer_places] = [(); 2].map(|()| Counter::new(e));
        let one = e.number(1.0);
        let run = e.iterate(&times(3), one, |e| {
            let _ = e.iterate(&times(5), one, |e| {
                e.cyclic(3, |e, place| {
                    let number = e.number([1.0, 10.0, 100.0][place]);
                    places.add(number);
                });
                e.every(2, |e| {
                    let number = e.number(1000.0);
                    places.add(number);
                });
                one
            });
            e.cyclic(2, |e, place| {
                let number = e.number([1.0, 10.0][place]);
                outer_places.add(number);
            });
            one
        });
        assert_eq!(run.iterations, 3);
        assert_eq!(places.read(e), 3.0 * 2122.0);
        assert_eq!(outer_places.read(e), 12.0);
    }
    on_every_engine!(test);
}

/// A loop in one place of a cycle, as an inner solve in a restarted method would be.
#[test]
fn a_loop_in_a_place_of_a_cycle_runs_in_its_turn() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let rounds = Counter::new(e);
        let one = e.number(1.0);
        let run = e.iterate(&times(5), one, |e| {
            e.cyclic(2, |e, place| {
                let _ = e.iterate(&times([3, 10][place]), one, |e| {
                    e.every(3, |e| rounds.add_one(e));
                    one
                });
            });
            one
        });
        assert_eq!(run.iterations, 5);
        assert_eq!(rounds.read(e), 3.0 + 2.0 * 3.0);
    }
    on_every_engine!(test);
}

#[test]
fn registers_made_inside_of_a_loop_begin_anew_in_each_iteration() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let last = Counter::new(e);
        let one = e.number(1.0);
        let run = e.iterate(&times(3), one, |e| {
            let mine = e.carry(one);
            let _ = e.iterate(&times(2), one, |_| {
                mine.set(mine.get() + one);
                one
            });
            last.value.set(mine.get());
            one
        });
        assert_eq!((run.iterations, last.read(e)), (3, 3.0));
    }
    on_every_engine!(test);
}

/// MINRES and others begin with zero vectors; as inner methods they found those of the solve before.
#[test]
fn vectors_made_inside_of_a_loop_are_zero_in_each_iteration() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let b = e.upload(&START);
        let mut sum = e.zeros_like(&b);
        let one = e.number(1.0);
        let run = e.iterate(&times(3), one, |e| {
            let [mut v, mut copy] = e.vectors_like(&b);
            let mut low = e.zeros(e.length(&b), Precision::Single);
            let mut low_like = e.zeros_like(&low);
            e.axpy(one, &b, &mut v);
            e.axpy(one, &v, &mut sum);
            e.copy(&b, &mut low);
            e.axpy(one, &low, &mut low_like);
            e.copy(&low_like, &mut copy);
            e.axpy(one, &copy, &mut sum);
            e.norm(&sum)
        });
        assert_eq!((run.history, e.download(&sum)), (vec![1.0, 2.0, 4.0, 6.0], vec![6.0, 0.0, 0.0]));
    }
    on_every_engine!(test);
}

#[test]
fn zeros_that_are_overwritten_are_not_recorded() {
    let e = &mut Recorded::<f64, _>::new(Cpu);
    let b = e.upload(&START);
    let one = e.number(1.0);
    let _ = e.iterate(&times(2), one, |e| {
        let [mut v, mut w] = e.vectors_like(&b);
        e.copy(&b, &mut v);
        e.axpy(one, &b, &mut w);
        e.norm(&v)
    });
    let text = e.program().to_string();
    let copies = text.lines().filter(|line| line.starts_with('v') && !line.contains('+')).count();
    assert_eq!(copies, 2, "v = b, and zeros for w alone:\n{text}");
}

#[test]
fn a_loop_of_the_host_tells_how_it_ended_too() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let told = |e: &mut E| {
            let account = Account::new(e);
            account.take(e);
            account.read(e)
        };
        let b = e.upload(&START);
        let mut v = e.zeros_like(&b);
        let mut halve = |e: &mut E, stop: &Stop| {
            e.copy(&b, &mut v);
            let start = e.norm(&v);
            let half = e.number(0.5);
            let _ = e.iterate(stop, start, |e| {
                let norm = e.norm(&v);
                e.require(Positive(norm - half * half * half), Outcome::Breakdown);
                e.scale(half, &mut v);
                e.norm(&v)
            });
        };
        assert_eq!(told(e), (0.0, 0.0), "nothing has run");
        halve(e, &down_to(0.25, 9));
        assert_eq!(told(e), (2.0, 1.0));
        halve(e, &down_to(0.25, 1));
        assert_eq!(told(e), (1.0, 0.0));
        halve(e, &down_to(0.0, 9));
        assert_eq!(told(e), (3.0, -1.0));
    }
    on_every_engine!(test);
}
