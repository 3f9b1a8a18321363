//! The values of a loaded map are a vector: read, written and copied like any other, and products see what is in it.

mod assembled;
mod gathered;

use galerkit_linalg::backend::{Backend, Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded, Resident};
use galerkit_linalg::krylov::Stop;
use galerkit_linalg::map::InSingle;
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Format, Matrix};
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{bits, conformance, problems};

/// Calls a test of one scalar with each engine over each backend.
macro_rules! on_every_engine {
    ($test:ident, $S:ty) => {
        $test(&mut Immediate::<$S, _>::new(Reference));
        $test(&mut Immediate::<$S, _>::new(Cpu));
        $test(&mut Recorded::<$S, _>::new(Reference));
        $test(&mut Recorded::<$S, _>::new(Cpu));
    };
}
use on_every_engine;

/// Calls a test of any scalar with every engine and all four scalars.
macro_rules! on_everything {
    ($test:ident) => {
        on_every_engine!($test, f32);
        on_every_engine!($test, f64);
        on_every_engine!($test, c32);
        on_every_engine!($test, c64);
    };
}
use on_everything;

/// The same pattern with other numbers.
fn refilled<S: Scalar>(A: &Csr<S>, seed: u64) -> Csr<S> {
    let mut other = A.clone();
    other.val_mut().copy_from_slice(&problems::scattered(A.nnz(), seed));
    other
}

fn stored<S: Scalar>(A: &Csr<S>, format: Format) -> Matrix<S> {
    Matrix::from_csr(A, format).expect("the matrix is square and small")
}

/// A x and b - A x.
fn products<E: Engine>(e: &mut E, A: &Resident<E>, x: &E::Vector, b: &E::Vector) -> Vec<(u64, u64)> {
    let (mut y, mut r) = (e.zeros_like(b), e.zeros_like(b));
    e.apply_map(A, x, &mut y);
    e.residual_map(A, b, x, &mut r);
    let (y, r) = (e.download(&y), e.download(&r));
    bits(&[y, r].concat())
}

fn every_format<E: Engine>(e: &mut E) {
    let A = conformance::scattered::<E::Scalar>(97, 97, true);
    let (B, C) = (refilled(&A, 1), refilled(&A, 2));
    let [x, b] = [3, 4].map(|seed| e.upload(&problems::scattered(97, seed)));
    for format in Format::all() {
        let slot_of = stored(&A, format).slot_of(&A).expect("its own pattern");
        let [mut mine, other, third] = [&A, &B, &C].map(|A| e.load(Box::new(stored(A, format))));
        let values = e.download(&other.values);
        assert_eq!(values.len(), stored(&B, format).slots(), "{format}");
        let in_slots: Vec<E::Scalar> = slot_of.iter().map(|&slot| values[slot as usize]).collect();
        assert_eq!(bits(&in_slots), bits(B.val()), "{format}: each value stands in its slot");

        let expected = [&other, &third].map(|A| products(e, A, &x, &b));
        assert_ne!(products(e, &mine, &x, &b), expected[0], "{format}");
        e.write(&mut mine.values, &values);
        assert_eq!(products(e, &mine, &x, &b), expected[0], "{format}: written");
        assert_eq!(bits(&e.download(&mine.values)), bits(&values), "{format}");
        e.copy(&third.values, &mut mine.values);
        assert_eq!(products(e, &mine, &x, &b), expected[1], "{format}: copied");
        mine.values = other.values;
        assert_eq!(products(e, &mine, &x, &b), expected[0], "{format}: another vector in its place");
    }
}

#[test]
fn products_in_every_format_are_those_of_the_values_of_the_moment() {
    on_everything!(every_format);
}

/// A matrix for vectors in single precision has its values in single precision.
#[test]
fn values_in_single_precision_are_written_and_copied_too() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let A = conformance::scattered::<f32>(97, 97, true);
        let B = refilled(&A, 1);
        let [x, b] = [3, 4].map(|seed| e.upload_in(&problems::scattered(97, seed), Precision::Single));
        for format in Format::all() {
            let [mut mine, other] = [&A, &B].map(|A| e.load(Box::new(InSingle(Box::new(stored(A, format))))));
            let (expected, values) = (products(e, &other, &x, &b), e.download(&other.values));
            e.write(&mut mine.values, &values);
            assert_eq!(products(e, &mine, &x, &b), expected, "{format}: written");
            let wide = e.upload(&values);
            let none = vec![0.0; values.len()];
            e.write(&mut mine.values, &none);
            e.copy(&wide, &mut mine.values);
            assert_eq!(products(e, &mine, &x, &b), expected, "{format}: copied");
        }
    }
    on_every_engine!(test, f64);
}

/// A diagonal, stored as a matrix and as itself, has as many values as rows: what writes them could share a pass with
/// the product that needs them. Values and products after some iterations that change both.
fn changed_in_a_loop<E: Engine>(e: &mut E, as_matrix: bool) -> Vec<(u64, u64)> {
    let d = problems::scattered::<E::Scalar>(3000, 1);
    let triples: Vec<_> = d.iter().enumerate().map(|(i, &d)| (i, i, d)).collect();
    let mut A = match as_matrix {
        true => e.load(Box::new(Matrix::Csr(problems::from_triples(3000, 3000, &triples)))),
        false => e.load(Box::new(Diagonal::new(d))),
    };
    let x = e.upload(&problems::scattered(3000, 2));
    let [mut y, mut z] = e.vectors_like(&x);
    let (half, one) = (e.number(0.5), e.number(1.0));
    let stop = Stop { rtol: 0.0, limit: 3, ..Stop::default() };
    let run = e.iterate(&stop, one, |e| {
        e.apply_map(&A, &x, &mut y);
        e.axpy(half, &x, &mut A.values); // behind the product that reads them
        e.scale(half, &mut z);
        e.apply_map(&A, &y, &mut z); // and before one that does
        e.axpy(one, &A.values, &mut z);
        e.copy(&z, &mut A.values);
        e.norm(&A.values)
    });
    let found = [&y, &z, &A.values].map(|x| e.download(x)).concat();
    [bits(&found), bits(&run.history)].concat()
}

#[test]
fn no_pass_mixes_a_product_with_what_changes_its_values() {
    fn same<S: Scalar, B: Backend<S> + Clone>(backend: B) -> Vec<(u64, u64)> {
        let [matrix, diagonal] = [true, false].map(|as_matrix| {
            let found = changed_in_a_loop(&mut Immediate::<S, B>::new(backend.clone()), as_matrix);
            assert_eq!(found, changed_in_a_loop(&mut Recorded::<S, _>::new(backend.clone()), as_matrix));
            found
        });
        assert_eq!(matrix, diagonal);
        matrix
    }
    same::<f64, _>(Reference);
    same::<f64, _>(Cpu);
    same::<c64, _>(Cpu);
}
