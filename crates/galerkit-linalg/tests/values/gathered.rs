//! Gathers: new values of a pattern into the slots of a format, padding where there is no source; sums; what is
//! refused.

use super::{on_every_engine, on_everything, refilled, stored};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::map::{Gather, GatherSums, InSingle, NO_SOURCE};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::Format;
use galerkit_linalg::{Error, LinearMap, c32, c64};
use galerkit_testkit::problems::{self, applied};
use galerkit_testkit::{bits, conformance};

/// `values = G v`, where v are the entries of the pattern by rows.
fn every_format<E: Engine>(e: &mut E) {
    let A = conformance::scattered::<E::Scalar>(97, 97, true);
    let B = refilled(&A, 7);
    let v = e.upload(B.val());
    for format in Format::all() {
        let matrix = stored(&A, format);
        let mut source = vec![NO_SOURCE; matrix.slots()];
        for (k, &slot) in matrix.slot_of(&A).expect("its own pattern").iter().enumerate() {
            source[slot as usize] = k as u32;
        }
        let G = e.load(Box::new(Gather::new(A.nnz(), source).expect("sources exist")));
        assert_eq!(e.length(&G.values), 0, "a gather has no values");
        let (mut mine, other) = (e.load(Box::new(matrix)), e.load(Box::new(stored(&B, format))));
        e.apply_map(&G, &v, &mut mine.values);
        assert_eq!(bits(&e.download(&mine.values)), bits(&e.download(&other.values)), "{format}");
    }
}

#[test]
fn new_values_of_a_pattern_are_gathered_into_every_format() {
    on_everything!(every_format);
}

/// Entries by hand, from full and from single precision; a residual too.
#[test]
fn gathers_by_hand() {
    fn test<E: Engine<Scalar = f64>>(e: &mut E) {
        let gather = || Gather::new(3, vec![2, NO_SOURCE, 0, 2]).unwrap();
        let sums = || GatherSums::new(3, vec![0, 2, 2, 5, 6], vec![0, 1, 2, 2, 0, 1]).unwrap();
        for precision in [Precision::Full, Precision::Single] {
            let [G, S]: [Box<dyn LinearMap<f64>>; 2] = match precision {
                Precision::Full => [Box::new(gather()), Box::new(sums())],
                Precision::Single => [Box::new(InSingle(Box::new(gather()))), Box::new(InSingle(Box::new(sums())))],
            };
            let (G, S) = (e.load(G), e.load(S));
            let (x, b) = (e.upload_in(&[1.0, 20.0, 300.0], precision), e.upload_in(&[1000.0; 4], precision));
            let [mut y, mut z, mut r] = e.vectors_like(&b);
            e.apply_map(&G, &x, &mut y);
            e.apply_map(&S, &x, &mut z);
            e.residual_map(&S, &b, &x, &mut r);
            assert_eq!(e.download(&y), [300.0, 0.0, 1.0, 300.0]);
            assert_eq!(e.download(&z), [21.0, 0.0, 601.0, 20.0]);
            assert_eq!(e.download(&r), [979.0, 1000.0, 399.0, 980.0]);
        }
    }
    on_every_engine!(test, f64);
}

/// Long enough for several pieces; sums that depend on their order.
#[test]
fn long_gathers_have_the_same_bits_on_threads() {
    let x = problems::scattered::<c64>(1000, 8);
    let index: Vec<u32> = (0..10_000u32).map(|i| if i % 11 == 5 { NO_SOURCE } else { i * 7919 % 1000 }).collect();
    let slots: Vec<u32> = (0..1000u32).map(|j| j * 31 % 9000 / 200 * 190).collect();
    let gather = Gather::new(1000, index).unwrap();
    let sums = GatherSums::into_slots(9000, &slots).unwrap();
    let maps: [Box<dyn LinearMap<c64>>; 2] = [Box::new(gather), Box::new(sums)];
    for map in maps {
        let expected = bits(&applied(&Reference, map.clone(), &x));
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(bits(&pool.install(|| applied(&Cpu, map.clone(), &x))), expected, "{threads} threads");
        }
    }
}

#[test]
fn gathers_of_nothing_are_nothing() {
    let padding = Gather::new(0, vec![NO_SOURCE; 2]).unwrap();
    assert_eq!(applied::<f64, _>(&Reference, Box::new(padding.clone()), &[]), [0.0; 2]);
    assert_eq!(applied::<f64, _>(&Cpu, Box::new(padding), &[]), [0.0; 2]);
    let none = GatherSums::new(5, vec![0], Vec::new()).unwrap();
    assert_eq!(LinearMap::<f64>::shape(&none), (0, 5));
    assert!(applied(&Cpu, Box::new(none), &[1.0; 5]).is_empty());
    assert_eq!(applied::<f64, _>(&Cpu, Box::new(GatherSums::into_slots(2, &[]).unwrap()), &[]), [0.0; 2]);
}

#[test]
fn indices_and_starts_that_do_not_fit_are_refused() {
    let refused = |result: Result<(), Error>, text: &str| match result {
        Err(Error::InvalidStructure { place, problem }) => {
            assert!(format!("{place}: {problem}").contains(text), "{problem}")
        }
        other => panic!("{text}: {other:?}"),
    };
    let gather = |cols: usize, index: &[u32]| Gather::new(cols, index.to_vec()).map(|_| ());
    refused(gather(3, &[0, 3]), "entry 3 does not exist: there are 3");
    refused(gather(0, &[0]), "there are 0");
    assert!(gather(3, &[2, NO_SOURCE]).is_ok());
    let sums =
        |cols: usize, start: &[u64], index: &[u32]| GatherSums::new(cols, start.to_vec(), index.to_vec()).map(|_| ());
    refused(sums(3, &[0, 2], &[0, 3]), "entry 3 does not exist");
    refused(sums(3, &[0, 1], &[NO_SOURCE]), "does not exist");
    for start in [&[][..], &[1, 2], &[0, 1], &[0, 3], &[0, 2, 1, 2]] {
        refused(sums(3, start, &[0, 1]), "ascend from 0 to 2");
    }
    let into_slots = |slots: usize, slot: &[u32]| GatherSums::into_slots(slots, slot).map(|_| ());
    refused(into_slots(2, &[0, 2]), "entry 2 does not exist: there are 2");
    refused(into_slots(2, &[NO_SOURCE]), "does not exist");
    refused(into_slots(0, &[0]), "there are 0");
}
