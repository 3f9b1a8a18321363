//! Vectors in single precision among those of a closure: entries are widened for it, and rounded when they are stored.

use super::{LENGTHS, entries, functions};
use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Entry, Immediate, Recorded};
use galerkit_linalg::program::Precision;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::bits;

fn rounded<S: Scalar>(x: S) -> S {
    S::widen(x.to_single())
}

/// y in single and z in full precision, both from a in single and b in full precision.
fn made<E: Engine>(e: &mut E, a: &[E::Scalar], b: &[E::Scalar]) -> Vec<[Vec<E::Scalar>; 3]> {
    let (host, s) = (b, e.number(1.0 / 3.0));
    let (a, b) = (e.upload_in(a, Precision::Single), e.upload(host));
    let mut results = Vec::new();
    for (_, function) in functions::<E::Entry>() {
        let mut y = e.upload_in(host, Precision::Single);
        let mut z = e.zeros_like(&b);
        let f = |[y, _]: [E::Entry; 2], [a, b]: [E::Entry; 2]| {
            [function(y, b, E::Entry::scalar(s)), function(a, b, E::Entry::scalar(s))]
        };
        e.pointwise([&mut y, &mut z], [&a, &b], f);
        results.push([e.download(&y), e.download(&z), e.download(&a)]);
    }
    results
}

fn every_function<S: Scalar, B: Backend<S> + Clone>(backend: B) {
    for length in LENGTHS {
        let (a, b, s) = (entries::<S>(length, 1), entries::<S>(length, 2), S::from_f64(1.0 / 3.0));
        let immediate = made(&mut Immediate::new(backend.clone()), &a, &b);
        let recorded = made(&mut Recorded::new(backend.clone()), &a, &b);
        let low: Vec<S> = a.iter().map(|&a| rounded(a)).collect();
        for (k, (name, function)) in functions::<S>().into_iter().enumerate() {
            let y: Vec<S> = b.iter().map(|&b| rounded(function(rounded(b), b, s))).collect();
            let z: Vec<S> = low.iter().zip(&b).map(|(&a, &b)| function(a, b, s)).collect();
            for found in [&immediate[k], &recorded[k]] {
                assert_eq!(bits(&found[0]), bits(&y), "{name} in single, {length} entries, {}", S::KIND.name());
                assert_eq!(bits(&found[1]), bits(&z), "{name} in full, {length} entries, {}", S::KIND.name());
                assert_eq!(bits(&found[2]), bits(&low), "{name} changed what it reads");
            }
        }
    }
}

#[test]
fn closures_compute_in_full_precision_and_round_what_they_store() {
    fn on<B: Backend<f32> + Backend<f64> + Backend<c32> + Backend<c64> + Clone>(backend: B) {
        every_function::<f32, B>(backend.clone());
        every_function::<f64, B>(backend.clone());
        every_function::<c32, B>(backend.clone());
        every_function::<c64, B>(backend);
    }
    on(Reference);
    on(Cpu);
}
