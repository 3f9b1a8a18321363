//! Pointwise closures: spoken once, run at once and recorded, with equal bits in every scalar, length and precision;
//! every function of an entry; and the passes they share.

mod fused;
mod single;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Entry, Immediate, Recorded};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems};

/// None, one, around a warp, just more than a block, several blocks.
const LENGTHS: [usize; 5] = [0, 1, 31, 1025, 5000];

/// A function of two entries and a scalar.
type Function<N> = fn(N, N, N) -> N;

/// Every function of [`Entry`], each by itself, with its name.
fn functions<N: Entry>() -> Vec<(&'static str, Function<N>)> {
    vec![
        ("a + b", |a, b, _| a + b),
        ("a - b", |a, b, _| a - b),
        ("a b", |a, b, _| a * b),
        ("a / b", |a, b, _| a / b),
        ("-a", |a, _, _| -a),
        ("a scalar", |a, _, s| a * s),
        ("a constant", |a, _, _| a * N::constant(0.1)),
        ("sqrt", |a, _, _| a.sqrt()),
        ("exp", |a, _, _| a.exp()),
        ("ln", |a, _, _| a.ln()),
        ("abs", |a, _, _| a.abs()),
        ("conj", |a, _, _| a.conj()),
        ("re", |a, _, _| a.re()),
        ("min", |a, b, _| a.min(b)),
        ("max", |a, b, _| a.max(b)),
        ("powf", |a, b, _| a.powf(b)),
        ("powi", |a, b, _| a.powi(0) + a.powi(1) * b.powi(2) - a.powi(5) / b.powi(10)),
        ("less", |a, b, s| N::select(a.less(b), a, s)),
        ("at most", |a, b, s| N::select(a.at_most(b), a, s)),
        ("both", |a, b, s| N::select(N::both(a.less(b), s.less(b)), a, b)),
        ("either", |a, b, s| N::select(N::either(a.less(b), b.less(s)), a, s)),
        ("not", |a, b, s| N::select(N::not(a.less(b)), s, b)),
    ]
}

/// Entries between -2 and 2, and every seventh one that functions may stumble over.
fn entries<S: Scalar>(length: usize, seed: u64) -> Vec<S> {
    let odd = [0.0, -0.0, 1.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-40, 1e30];
    let usual = problems::scattered::<S>(length, seed).into_iter().map(|x| x + x);
    let place = |i: usize| odd[(i / 7 + seed as usize) % odd.len()];
    usual.enumerate().map(|(i, x)| if i % 7 == 3 { S::from_f64(place(i)) } else { x }).collect()
}

/// What each function makes of a and b, in an engine.
fn made<E: Engine>(e: &mut E, a: &[E::Scalar], b: &[E::Scalar]) -> Vec<Vec<E::Scalar>> {
    let (a, b, s) = (e.upload(a), e.upload(b), e.number(0.25));
    let mut results = Vec::new();
    for (_, function) in functions::<E::Entry>() {
        let mut y = e.zeros_like(&a);
        e.pointwise([&mut y], [&a, &b], |[_], [a, b]| [function(a, b, E::Entry::scalar(s))]);
        results.push(e.download(&y));
    }
    results
}

fn every_function<S: Scalar, B: Backend<S> + Clone>(backend: B) {
    for length in LENGTHS {
        let (a, b) = (entries::<S>(length, 1), entries::<S>(length, 2));
        let immediate = made(&mut Immediate::new(backend.clone()), &a, &b);
        let recorded = made(&mut Recorded::new(backend.clone()), &a, &b);
        for (k, (name, function)) in functions::<S>().into_iter().enumerate() {
            let by_hand: Vec<S> = (0..length).map(|i| function(a[i], b[i], S::from_f64(0.25))).collect();
            assert_eq!(bits(&immediate[k]), bits(&by_hand), "{name}, {length} entries, {}", S::KIND.name());
            assert_eq!(bits(&recorded[k]), bits(&by_hand), "{name}, {length} entries, {}, recorded", S::KIND.name());
        }
    }
}

#[test]
fn every_function_has_the_same_bits_immediate_and_recorded() {
    fn on<B: Backend<f32> + Backend<f64> + Backend<c32> + Backend<c64> + Clone>(backend: B) {
        every_function::<f32, B>(backend.clone());
        every_function::<f64, B>(backend.clone());
        every_function::<c32, B>(backend.clone());
        every_function::<c64, B>(backend);
    }
    on(Reference);
    on(Cpu);
}

/// More entries than one thread is given.
#[test]
fn bits_do_not_depend_on_the_number_of_threads() {
    let (a, b) = (entries::<c64>(100_000, 3), entries::<c64>(100_000, 4));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| [made(&mut Immediate::new(Cpu), &a, &b), made(&mut Recorded::new(Cpu), &a, &b)])
    };
    let all = |made: [Vec<Vec<c64>>; 2]| made.map(|results| bits(&results.concat()));
    let alone = all(on(1));
    assert_eq!(alone[0], alone[1]);
    assert_eq!(alone, all(on(3)));
}

/// Runs a test on both engines over both backends.
macro_rules! on_every_engine {
    ($test:ident) => {
        $test(&mut Immediate::new(Reference));
        $test(&mut Immediate::new(Cpu));
        $test(&mut Recorded::new(Reference));
        $test(&mut Recorded::new(Cpu));
    };
}
use on_every_engine;

/// The lesser and the greater go by real parts, and stay where they are beside NaN.
#[test]
fn functions_by_hand() {
    fn test<E: Engine<Scalar = c64>>(e: &mut E) {
        let (i, nan) = (c64::new(0.0, 1.0), c64::new(f64::NAN, 0.0));
        let a = [c64::new(-4.0, 0.0), c64::new(3.0, 4.0), i, nan, c64::new(2.0, 1.0)];
        let b = [c64::new(9.0, 0.0), c64::new(3.0, -1.0), -i, c64::new(1.0, 0.0), nan];
        let (a, b) = (e.upload(&a), e.upload(&b));
        let [mut least, mut most, mut size, mut mirrored] = e.vectors_like(&a);
        e.pointwise([&mut least, &mut most], [&a, &b], |_, [a, b]| [a.min(b), a.max(b)]);
        e.pointwise([&mut size, &mut mirrored], [&a], |_, [a]| [a.abs() - a.re(), a.conj().powi(2)]);
        let expected = [c64::new(-4.0, 0.0), c64::new(3.0, 4.0), i, nan, c64::new(2.0, 1.0)];
        assert_eq!(bits(&e.download(&least)), bits(&expected));
        assert_eq!(bits(&e.download(&most)[..3]), bits(&[c64::new(9.0, 0.0), c64::new(3.0, 4.0), i]));
        assert_eq!(e.download(&size)[..3], [8.0, 2.0, 1.0].map(|re| c64::new(re, 0.0)));
        assert_eq!(e.download(&mirrored)[..3], [c64::new(16.0, 0.0), c64::new(-7.0, -24.0), c64::new(-1.0, 0.0)]);
    }
    on_every_engine!(test);
}

/// All entries are read before one is written; without anything that is only read.
#[test]
fn two_vectors_change_places() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        for length in LENGTHS {
            let [a, b] = [5, 6].map(|seed| problems::scattered::<f64>(length, seed));
            let (mut x, mut y) = (e.upload(&a), e.upload(&b));
            e.pointwise([&mut x, &mut y], [], |[x, y], []| [y, x]);
            assert_eq!((e.download(&x), e.download(&y)), (b, a), "{length} entries");
        }
    }
    on_every_engine!(test);
}
