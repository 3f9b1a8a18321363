//! Vectors in single precision: each verb on them is that verb of an engine for single precision, to the bit.

use super::{Counter, on_every_engine, times};
use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded, Register, Resident};
use galerkit_linalg::map::InSingle;
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems};

/// Vectors, loaded maps and what makes either, in the precision under test.
struct Place<E: Engine> {
    A: Resident<E>,
    D: Resident<E>,
    x: E::Vector,
    y: E::Vector,
}

/// Every verb, twice in a loop, so that recorded lines are fused: the vectors after it and the numbers.
fn every_verb<E: Engine>(e: &mut E, place: Place<E>) -> (Vec<E::Scalar>, Vec<f64>) {
    let Place { A, D, x, mut y } = place;
    let [mut u, mut v, mut w] = [(); 3].map(|()| e.zeros_like(&x));
    let numbers = [(); 4].map(|()| Counter::new(e));
    let one = e.number(1.0);
    let _ = e.iterate(&times(2), one, |e| {
        let [a, b] = [0.5, -0.75].map(|value| e.number(value));
        e.apply_map(&A, &x, &mut u);
        e.residual_map(&A, &y, &x, &mut v);
        e.apply_map(&D, &v, &mut w);
        e.axpby(a, &u, b, &mut v);
        e.axpy(b, &w, &mut v);
        e.xpby(&x, a, &mut w);
        e.scale(b, &mut u);
        e.copy(&v, &mut y);
        let found = [e.dot(&u, &v), e.dot(&w, &w), e.norm_inf(&v), e.dot(&y, &x)];
        numbers.iter().zip(found).for_each(|(number, found)| number.value.set(found));
        e.axpy(a, &u, &mut y);
        one
    });
    let vectors = [&u, &v, &w, &y].map(|x| e.download(x)).concat();
    let numbers = numbers.iter().map(|number| number.read(e)).collect();
    (vectors, numbers)
}

/// The maps, and two vectors of entries that single precision has.
fn material<L: Scalar>() -> (Csr<L>, [Vec<L>; 2]) {
    let A = problems::hermitian::<L>(25);
    let rows = A.rows();
    (A, [problems::scattered(rows, 1), problems::scattered(rows, 2)])
}

fn on_its_own<E: Engine>(e: &mut E) -> (Vec<E::Scalar>, Vec<f64>) {
    let (A, [x, y]) = material::<E::Scalar>();
    let D = e.load(Box::new(jacobi(&A).unwrap()));
    let A = e.load(Box::new(Matrix::Csr(A)));
    let (x, y) = (e.upload(&x), e.upload(&y));
    every_verb(e, Place { A, D, x, y })
}

fn lowered<E: Engine>(e: &mut E) -> (Vec<E::Scalar>, Vec<f64>) {
    let (A, vectors) = material::<<E::Scalar as Scalar>::Single>();
    let D = e.load(Box::new(InSingle(Box::new(jacobi(&A).unwrap()))));
    let A = e.load(Box::new(InSingle(Box::new(Matrix::Csr(A)))));
    let [x, y] = vectors.map(|x| {
        let high = e.upload(&x.into_iter().map(E::Scalar::widen).collect::<Vec<_>>());
        let mut low = e.zeros(e.length(&high), Precision::Single);
        e.copy(&high, &mut low);
        low
    });
    every_verb(e, Place { A, D, x, y })
}

fn compare<S: Scalar<Single = L>, L: Scalar<Single = L>, B: Backend<S> + Backend<L> + Clone>(backend: B) {
    let (vectors, numbers) = on_its_own(&mut Immediate::<L, B>::new(backend.clone()));
    assert!(vectors.iter().all(|value| value.finite()) && numbers.iter().all(|number| *number != 0.0));
    let immediate = lowered(&mut Immediate::<S, B>::new(backend.clone()));
    let recorded = lowered(&mut Recorded::<S, _>::new(backend));
    for found in [immediate, recorded] {
        assert_eq!(bits(&found.0), bits(&vectors), "{}", S::KIND.name());
        assert_eq!(bits(&found.1), bits(&numbers), "{}", S::KIND.name());
    }
}

#[test]
fn every_verb_on_low_vectors_has_the_bits_of_single_precision() {
    compare::<f64, f32, _>(Reference);
    compare::<f64, f32, _>(Cpu);
    compare::<c64, c32, _>(Reference);
    compare::<c64, c32, _>(Cpu);
    compare::<f32, f32, _>(Cpu);
}

#[test]
fn copies_round_to_nearest_and_widen_exactly() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let values = [0.1, -1.0 / 3.0, 1e39, -1e39, 1e-46, 1.0 + 1e-9, f64::NAN, 16_777_217.0];
        let x = e.upload(&values);
        let mut low = e.zeros(e.length(&x), Precision::Single);
        let mut again = e.zeros(e.length(&low), Precision::Single);
        let mut y = e.zeros_like(&x);
        let one = e.number(1.0);
        let _ = e.iterate(&times(1), one, |e| {
            e.copy(&x, &mut low);
            e.copy(&low, &mut again);
            e.copy(&again, &mut y);
            one
        });
        let rounded: Vec<f64> = values.iter().map(|&value| f64::from(value as f32)).collect();
        assert_eq!(bits(&e.download(&low)), bits(&rounded));
        assert_eq!(bits(&e.download(&y)), bits(&rounded));
        assert_eq!(rounded[2..6], [f64::INFINITY, f64::NEG_INFINITY, 0.0, 1.0]);
    }
    on_every_engine!(test);
}

/// The numbers of an engine stay in its own precision, whatever vectors they come from and go to.
#[test]
fn numbers_are_rounded_only_where_a_low_vector_takes_them() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let x = e.upload(&[1.0]);
        let mut low = e.zeros(e.length(&x), Precision::Single);
        let mut high = e.zeros_like(&x);
        let third = e.number(1.0 / 3.0);
        let kept = e.carry(third);
        let one = e.number(1.0);
        let _ = e.iterate(&times(1), one, |e| {
            e.copy(&x, &mut low);
            e.scale(kept.get(), &mut low);
            e.copy(&x, &mut high);
            e.scale(kept.get(), &mut high);
            one
        });
        assert_eq!(e.download(&low), [f64::from(1.0f32 / 3.0)]);
        assert_eq!(e.download(&high), [1.0 / 3.0]);
    }
    on_every_engine!(test);
}

#[test]
fn the_largest_entry_is_found_wherever_it_is_and_nan_is_not_lost() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        for rows in [1, 2, 33, 5000] {
            for (at, value, expected) in [
                (0, -7.0, 7.0),
                (rows - 1, 7.0, 7.0),
                (rows / 2, f64::NAN, f64::NAN),
                (0, f64::NEG_INFINITY, f64::INFINITY),
            ] {
                let mut entries: Vec<f64> = (0..rows).map(|i| (i % 5) as f64).collect();
                entries[at] = value;
                let x = e.upload(&entries);
                let mut low = e.zeros(e.length(&x), Precision::Single);
                let (high_found, low_found) = (Counter::new(e), Counter::new(e));
                let one = e.number(1.0);
                let _ = e.iterate(&times(1), one, |e| {
                    e.copy(&x, &mut low);
                    let (high, low) = (e.norm_inf(&x), e.norm_inf(&low));
                    high_found.value.set(high);
                    low_found.value.set(low);
                    one
                });
                let found = [high_found.read(e), low_found.read(e)];
                assert_eq!(bits(&found), bits(&[expected, expected]), "{value} in row {at} of {rows}");
            }
        }
        let none = e.upload(&[]);
        let found = e.norm_inf(&none);
        assert_eq!(e.value(found), 0.0);
    }
    on_every_engine!(test);
}
