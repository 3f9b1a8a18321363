//! Rows, entries, rounds and checksums of every level, on one thread and on several; the same bits of every array.

use galerkit_linalg::multigrid::amg::{Amg, Levels, Reuse};
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::amg::{LEVELS, line, problem};
use galerkit_testkit::bits;

/// With so many threads.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

fn set_up(A: &Csr<f64>, amg: &Amg) -> Levels<f64> {
    Levels::new(A, true, amg, &[]).expect("a hierarchy")
}

/// Every number of every level.
fn all_bits(levels: &Levels<f64>) -> Vec<Vec<(u64, u64)>> {
    let matrices = levels.levels.iter().flat_map(|level| {
        let A = level.A.as_ref().map(|A| bits(A.val())).unwrap_or_default();
        [A, bits(&level.weights), bits(level.P.val()), bits(level.R.val())]
    });
    matrices.chain(levels.A.as_ref().map(|A| bits(A.val()))).collect()
}

#[test]
fn rows_entries_rounds_and_checksums_are_those_of_the_reference() {
    for (name, expected, _) in LEVELS {
        let Some(A) = problem(name) else { continue };
        assert_eq!(line(&set_up(&A, &Amg::default())), expected, "{name}");
    }
}

#[test]
fn bits_do_not_depend_on_threads() {
    for name in ["p3 32", "jump2", "lsc_F_2"] {
        let Some(A) = problem(name) else { continue };
        let amg = Amg::default();
        let one = on_threads(1, || set_up(&A, &amg));
        for threads in [2, 3, 16] {
            let other = on_threads(threads, || set_up(&A, &amg));
            assert_eq!(line(&one), line(&other));
            assert!(all_bits(&one) == all_bits(&other), "{name} on {threads} threads");
        }
    }
}

#[test]
fn refilled_with_the_same_values_it_is_the_set_up() {
    let amg = Amg { reuse: Reuse::Aggregates, ..Amg::default() };
    for name in ["p2 64", "jump3", "1138_bus"] {
        let Some(A) = problem(name) else { continue };
        let fresh = set_up(&A, &amg);
        let mut refilled = fresh.clone();
        assert!(refilled.refill(&A.map_values(|a| 3.0 * a + 0.1)).unwrap_or(true), "other values first");
        assert!(refilled.refill(&A).expect("the same pattern"));
        assert!(all_bits(&fresh) == all_bits(&refilled), "{name}");
    }
}
