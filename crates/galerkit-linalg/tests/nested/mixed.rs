//! Dot products and updates that read a vector in single precision beside one that is not: the entries are widened, and
//! all else is as if they had been wide from the start, to the bit.

use super::{Counter, on_every_engine, times};
use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded, Register};
use galerkit_linalg::program::Precision;
use galerkit_linalg::{Scalar, c32, c64};
use galerkit_testkit::{bits, problems};

/// (1, 2, 3) . (4, 5, 6) = 32, and twice that added to the second; 1/3 in y is not rounded, in x it would be.
#[test]
fn whole_numbers_are_exact_and_y_keeps_its_precision() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let third = 1.0 / 3.0;
        let (source, mut y) = (e.upload(&[1.0, 2.0, 3.0, 0.0]), e.upload(&[4.0, 5.0, 6.0, third]));
        let mut x = e.zeros(e.length(&y), Precision::Single);
        e.copy(&source, &mut x);
        let found = Counter::new(e);
        let one = e.number(1.0);
        let _ = e.iterate(&times(1), one, |e| {
            let (sum, two) = (e.dot(&x, &y), e.number(2.0));
            found.value.set(sum);
            e.axpy(two, &x, &mut y);
            one
        });
        assert_eq!(found.read(e), 32.0);
        assert_eq!(e.download(&y), [6.0, 9.0, 12.0, third]);
        let sum = e.dot(&x, &y);
        assert_eq!(e.value(sum), 60.0, "alone, outside of a loop");
        e.axpy(one, &x, &mut y);
        assert_eq!(e.download(&y), [7.0, 11.0, 15.0, third]);
        let none = e.upload(&[]);
        let low = e.zeros(e.length(&none), Precision::Single);
        let sum = e.dot(&low, &none);
        assert_eq!(e.value(sum), 0.0);
    }
    on_every_engine!(test);
}

#[test]
fn the_first_vector_is_conjugated() {
    fn test<E: Engine<Scalar = c64>>(e: &mut E) {
        let (source, mut y) = (e.upload(&[c64::new(1.0, 2.0)]), e.upload(&[c64::new(3.0, 0.1)]));
        let mut x = e.zeros(e.length(&y), Precision::Single);
        e.copy(&source, &mut x);
        let sum = e.dot(&x, &y);
        e.axpy(sum, &x, &mut y);
        let sum = c64::new(1.0, -2.0) * c64::new(3.0, 0.1);
        assert_eq!(e.download(&y), [c64::new(3.0, 0.1) + sum * c64::new(1.0, 2.0)]);
    }
    on_every_engine!(test);
}

/// Gram-Schmidt of y against three vectors among other lines, twice in a loop; the vectors widened before or not at
/// all.
fn gram_schmidt<E: Engine>(e: &mut E, rows: usize, widened: bool) -> (Vec<E::Scalar>, Vec<f64>) {
    let sources = [1, 2, 3].map(|seed| e.upload(&problems::scattered(rows, seed)));
    let basis = sources.map(|source| {
        let (mut low, mut wide) = (e.zeros(e.length(&source), Precision::Single), e.zeros_like(&source));
        e.copy(&source, &mut low);
        e.copy(&low, &mut wide);
        if widened { wide } else { low }
    });
    let mut y = e.upload(&problems::scattered(rows, 4));
    let mut u = e.zeros_like(&y);
    let numbers = [(); 5].map(|()| Counter::new(e));
    let one = e.number(1.0);
    let _ = e.iterate(&times(2), one, |e| {
        let third = e.number(1.0 / 3.0);
        e.xpby(&y, third, &mut u);
        let square = e.dot(&u, &u);
        let found = [e.dot(&basis[0], &y), e.dot(&basis[1], &y), e.dot(&basis[2], &u), e.dot(&y, &u), square];
        numbers.iter().zip(found).for_each(|(number, found)| number.value.set(found));
        e.axpy(third, &basis[0], &mut u);
        e.axpy(-third, &basis[1], &mut y);
        e.scale(third, &mut u);
        let alone = e.dot(&basis[1], &u);
        e.axpy(alone / (alone + one), &basis[2], &mut u);
        one
    });
    let numbers = numbers.iter().map(|number| number.read(e)).collect();
    ([&u, &y].map(|x| e.download(x)).concat(), numbers)
}

fn compare<S: Scalar<Single = L>, L: Scalar<Single = L>, B: Backend<S> + Backend<L> + Clone>(backend: B) {
    for rows in [1, 7, 33, 1024, 5000, 100_003] {
        let expected = gram_schmidt(&mut Immediate::<S, B>::new(backend.clone()), rows, true);
        assert!(expected.0.iter().all(|value| value.finite()) && expected.1.iter().all(|number| *number != 0.0));
        let immediate = gram_schmidt(&mut Immediate::<S, B>::new(backend.clone()), rows, false);
        let recorded = gram_schmidt(&mut Recorded::<S, _>::new(backend.clone()), rows, false);
        for found in [immediate, recorded] {
            assert_eq!(bits(&found.0), bits(&expected.0), "{}, {rows} rows", S::KIND.name());
            assert_eq!(bits(&found.1), bits(&expected.1), "{}, {rows} rows", S::KIND.name());
        }
    }
}

#[test]
fn widening_has_the_bits_of_vectors_that_were_wide() {
    compare::<f64, f32, _>(Reference);
    compare::<f64, f32, _>(Cpu);
    compare::<c64, c32, _>(Reference);
    compare::<c64, c32, _>(Cpu);
    compare::<f32, f32, _>(Cpu);
}
