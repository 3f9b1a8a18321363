//! Runs of Hermite collocation in time: prepared once, restored, measured, refused, and alike on every executor (spec
//! 05, sections 8, 9).

use crate::collocation::plain;
use crate::evolution::{D, clock, evolution, rectangle, settings, sources};
use galerkit_cuda::{Cuda, testing};
use galerkit_fem::Error;
use galerkit_fem::collocation::{Clock, Collocation, EulerLength, Evolution, Method, Scheme, Settings, Start, Step};
use galerkit_linalg::engine::{AnyExecutor, Executor, cpu_executor, reference_executor};

#[test]
fn steps_are_prepared_once_and_run_without_a_trace() {
    let space = rectangle(&D);
    let a = sources(&space, Start::Interpolated);
    for method in Method::ALL {
        let mut evolution = evolution(&space, Settings { threshold: Some(0.1), ..settings(0.5, method) }, &a);
        let step = Step { scheme: Scheme::Dirk, dt: 0.02 };
        evolution.advance(step, 3).unwrap();
        let before = evolution.counters();
        evolution.advance(step, 300).unwrap();
        assert_eq!(evolution.counters(), before, "{method}");
        assert_eq!(evolution.renewals(), 1);
        evolution.advance(Step { dt: 0.01, ..step }, 2).unwrap();
        assert_eq!(evolution.renewals(), 2);
        assert_eq!(evolution.counters(), before, "{method}: another step is other values");
    }
}

#[test]
fn a_state_that_is_restored_goes_on_with_equal_bits() {
    let space = rectangle(&D);
    let a = sources(&space, Start::Interpolated);
    for method in [Method::Modal, Method::Ilu] {
        let step = Step { scheme: Scheme::Dirk, dt: 0.02 };
        let mut whole = evolution(&space, settings(0.5, method), &a);
        whole.advance(step, 5).unwrap();
        let kept = whole.state();
        let last = whole.advance(step, 4).unwrap();
        let mut resumed = evolution(&space, settings(0.5, method), &vec![0.0; a.len()]);
        resumed.restore(&kept).unwrap();
        assert_eq!(resumed.advance(step, 4).unwrap(), last);
        assert_eq!(resumed.state(), whole.state());
        assert!(resumed.restore(&kept[1..]).is_err());
    }
}

#[test]
fn what_is_visible_is_measured() {
    // c falls linearly along x: above 1/2 on the left half, whatever the mesh.
    let space = Collocation::rectangle(plain([0.0, 2.0], 5), plain([0.0, 3.0], 4));
    let a = space.interpolated(|[x, _]| [1.0 - 0.5 * x, 0.0, 0.0, 0.0]);
    for method in [Method::Modal, Method::Ilu] {
        let mut evolution = evolution(&space, Settings { threshold: Some(0.5), ..settings(0.0, method) }, &a);
        let measured = evolution.measure();
        assert!((measured.visible - 3.0).abs() < 1e-12 && (measured.mass - 3.0).abs() < 1e-12, "{measured:?}");
    }
    let line = Collocation::interval(plain([0.0, 2.0], 5));
    let a = line.interpolated(|[x, _]| [1.0 - 0.5 * x, 0.0, 0.0, 0.0]);
    let mut evolution = evolution(&line, Settings { threshold: Some(0.75), ..settings(0.0, Method::Modal) }, &a);
    assert!((evolution.measure().visible - 0.5).abs() < 1e-12);
}

#[test]
fn clocks_meet_their_times() {
    let plain = clock(0.3, 1.0);
    let legs = plain.legs().unwrap();
    assert_eq!(legs.iter().map(|leg| leg.count).collect::<Vec<_>>(), [3, 1]);
    assert!((legs[1].step.dt - 0.1).abs() < 1e-12 && legs[1].until == 1.0 && legs[1].is_output);
    let exact = clock(0.1, 1.0).legs().unwrap();
    assert_eq!((exact.len(), exact[0].count, exact[0].is_output), (1, 10, true));
    let stops = Clock { outputs: vec![0.25, 0.5, 3.0], ..clock(0.1, 1.0) }.legs().unwrap();
    let ends: Vec<f64> = stops.iter().filter(|leg| leg.is_output).map(|leg| leg.until).collect();
    assert_eq!(ends, [0.25, 0.5, 1.0]);
    let started = Clock { euler_steps: 2, ..clock(0.1, 1.0) }.legs().unwrap();
    assert_eq!([started[0].count, started[1].count], [2, 8]);
    let short = Clock { euler_steps: 2, euler_length: EulerLength::Short, ..clock(0.1, 1.0) }.legs().unwrap();
    let length = short.iter().map(|leg| leg.count as f64 * leg.step.dt).sum::<f64>();
    assert!((length - 1.0).abs() < 1e-12 && (short[0].step.dt - 0.1 * 0.1f64.sqrt()).abs() < 1e-12);
    assert!(clock(0.0, 1.0).legs().is_err() && clock(0.1, 0.0).legs().is_err() && clock(0.1, f64::NAN).legs().is_err());
}

#[test]
fn steps_that_are_too_long_are_refused_by_name() {
    let space = rectangle(&D);
    let mut evolution = evolution(&space, settings(1.0, Method::Modal), &sources(&space, Start::Interpolated));
    for (scheme, dt) in [(Scheme::Dirk, 1.3), (Scheme::BackwardEuler, 1.0), (Scheme::CrankNicolson, 2.0)] {
        assert!(matches!(evolution.advance(Step { scheme, dt }, 1), Err(Error::StepTooLong { .. })), "{scheme}");
    }
    for dt in [0.0, -1.0, f64::NAN] {
        assert!(evolution.advance(Step { scheme: Scheme::Dirk, dt }, 1).is_err());
    }
    assert!(evolution.advance(Step { scheme: Scheme::Dirk, dt: 1.2 }, 1).is_ok());
    let mut lost = evolution_with_nan(&space);
    assert!(matches!(lost.advance(Step { scheme: Scheme::Dirk, dt: 0.1 }, 1), Err(Error::StepFailed { step: 1, .. })));
}

fn evolution_with_nan(space: &Collocation) -> Evolution {
    let mut a = vec![0.0; space.unknowns()];
    a[3] = f64::NAN;
    evolution(space, settings(0.0, Method::Ilu), &a)
}

#[test]
fn the_estimate_of_the_error_is_of_third_order() {
    let space = rectangle(&D);
    let a = sources(&space, Start::Interpolated);
    let mut smooth = evolution(&space, settings(0.3, Method::Modal), &a);
    smooth.advance(Step { scheme: Scheme::BackwardEuler, dt: 0.1 }, 5).unwrap();
    let kept = smooth.state();
    smooth.keep();
    let estimates = [0.02, 0.01].map(|dt| {
        let estimate = smooth.attempt(dt).unwrap();
        assert_ne!(smooth.state(), kept);
        smooth.go_back();
        assert_eq!(smooth.state(), kept);
        estimate
    });
    let order = (estimates[0] / estimates[1]).log2();
    assert!((2.5..3.2).contains(&order), "{estimates:?}");
}

#[test]
fn every_executor_steps_alike() {
    let space = rectangle(&D);
    let a = sources(&space, Start::Interpolated);
    let run = |executor: AnyExecutor<f64>, method| {
        let settings = Settings { threshold: Some(0.2), ..settings(0.5, method) };
        let mut evolution = Evolution::new(executor, &space, settings, &a).unwrap();
        let mut measured = Vec::new();
        for leg in (Clock { euler_steps: 2, ..clock(0.05, 0.3) }).legs().unwrap() {
            let steps = evolution.advance(leg.step, leg.count);
            let cuda = evolution.executor().as_any().downcast_ref::<Cuda<f64>>();
            let failure = cuda.and_then(|cuda| cuda.failure()).map(|error| error.to_string());
            assert!(failure.is_none() && steps.is_ok(), "{method}: {failure:?}, {steps:?}");
            measured.extend(steps.unwrap());
        }
        (evolution.coefficients(), measured)
    };
    let gpu = testing::gpu();
    for method in [Method::Modal, Method::Ilu, Method::HostIlu] {
        let (expected, measured) = run(reference_executor(), method);
        let mut others = vec![run(cpu_executor(), method)];
        if let Some(gpu) = &gpu {
            others.push(run(galerkit_cuda::executor(gpu, galerkit_cuda::Settings::default()).unwrap(), method));
        }
        for (a, listed) in others {
            let apart = a.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-9, "{method}: {apart:e}");
            for (one, other) in listed.iter().zip(&measured) {
                assert!((one.mass - other.mass).abs() < 1e-9 && (one.visible - other.visible).abs() < 1e-8);
                assert!(one.iterations.abs_diff(other.iterations) <= 1, "{method}: {one:?} {other:?}");
            }
        }
    }
}
