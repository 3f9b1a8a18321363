//! Lines under a condition, and the rule about where cycles may stand.

use super::{Counter, on_every_engine, times};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{
    Engine, Recorded, Register,
    Test::{Finite, Nonzero, Positive},
};
use galerkit_linalg::krylov::Outcome;

/// Runs lines once, as an iteration of a loop.
fn once<E: Engine>(e: &mut E, mut lines: impl FnMut(&mut E)) -> Outcome {
    let one = e.number(1.0);
    let run = e.iterate(&times(1), one, |e| {
        lines(e);
        one
    });
    run.outcome
}

#[test]
fn lines_run_unless_the_test_holds() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let cases = [(2.0, 0b000), (-2.0, 0b001), (0.0, 0b011), (f64::NAN, 0b111), (f64::INFINITY, 0b111)];
        for (value, expected) in cases {
            let ran = Counter::new(e);
            let _ = once(e, |e| {
                let [number, one, two, four] = [value, 1.0, 2.0, 4.0].map(|value| e.number(value));
                e.unless(Positive(number), |_| ran.add(one));
                e.unless(Nonzero(number), |_| ran.add(two));
                e.unless(Finite(number), |_| ran.add(four));
            });
            assert_eq!(ran.read(e), expected.into(), "{value}");
        }
    }
    on_every_engine!(test);
}

#[test]
fn vectors_change_under_a_condition_and_what_follows_sees_it() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        for (value, expected) in [(1.0, 4.0), (-1.0, 9.0)] {
            let (b, c) = (e.upload(&[2.0, 0.0]), e.upload(&[0.0, 3.0]));
            let mut v = e.zeros_like(&b);
            let square = Counter::new(e);
            let _ = once(e, |e| {
                let number = e.number(value);
                e.copy(&b, &mut v);
                e.unless(Positive(number), |e| e.copy(&c, &mut v));
                let found = e.dot(&v, &v);
                square.value.set(found);
            });
            assert_eq!(square.read(e), expected);
        }
    }
    on_every_engine!(test);
}

#[test]
fn conditions_nest_and_hold_loops() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let (ran, one) = (Counter::new(e), e.number(1.0));
        let run = e.iterate(&times(4), one, |e| {
            let two = e.number(2.0);
            let seen = ran.value.get();
            e.unless(Positive(seen - two), |e| {
                e.unless(Nonzero(seen - seen), |e| {
                    let _ = e.iterate(&times(2), one, |e| {
                        e.cyclic(2, |e, place| {
                            let number = e.number(place as f64);
                            ran.add(number);
                        });
                        one
                    });
                });
            });
            one
        });
        assert_eq!((run.iterations, ran.read(e)), (4, 3.0), "1, 2, 3 and no more");
    }
    on_every_engine!(test);
}

#[test]
fn a_failed_test_under_a_condition_ends_the_loop_around() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let (behind, one) = (Counter::new(e), e.number(1.0));
        let outcome = once(e, |e| {
            e.unless(Positive(-one), |e| e.require(Positive(-one), Outcome::Breakdown));
            behind.add_one(e);
        });
        assert_eq!((outcome, behind.read(e)), (Outcome::Breakdown, 0.0));
    }
    on_every_engine!(test);
}

#[test]
#[should_panic(expected = "stand directly in the body of a loop")]
fn a_cycle_under_a_condition_is_refused() {
    let e = &mut Recorded::<f64, _>::new(Cpu);
    let one = e.number(1.0);
    let _ = e.iterate(&times(2), one, |e| {
        e.unless(Positive(one), |e| e.cyclic(2, |_, _| ()));
        one
    });
}

#[test]
#[should_panic(expected = "stand directly in the body of a loop")]
fn a_cycle_in_a_cycle_is_refused() {
    let e = &mut Recorded::<f64, _>::new(Cpu);
    let one = e.number(1.0);
    let _ = e.iterate(&times(2), one, |e| {
        e.cyclic(2, |e, _| e.every(2, |_| ()));
        one
    });
}
