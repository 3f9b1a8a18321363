//! Rows, entries, rounds and checksums of every level, on one thread and on several; the same bits of every array.

use super::named;
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_linalg::multigrid::amg::{Amg, Levels};
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::amg::{LEVELS, MILLION, elasticity, line, problem};
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
fn sizes_and_checksums_do_not_depend_on_threads() {
    for (name, expected, _) in
        LEVELS.into_iter().filter(|(name, ..)| ["p2 64", "rot 128", "ani4", "1138_bus"].contains(name))
    {
        let Some(A) = problem(name) else { continue };
        for threads in 1..=16 {
            let found = on_threads(threads, || line(&set_up(&A, &Amg::default())));
            assert_eq!(found, expected, "{name} on {threads} threads");
        }
    }
}

#[test]
#[ignore = "takes minutes: every problem of the reference on 1 to 16 threads"]
fn every_problem_on_every_number_of_threads() {
    for (name, expected, _) in LEVELS {
        let Some(A) = problem(name) else { continue };
        for threads in 1..=16 {
            let found = on_threads(threads, || line(&set_up(&A, &Amg::default())));
            assert_eq!(found, expected, "{name} on {threads} threads");
        }
    }
}

#[test]
#[ignore = "a million rows take longer than the others together"]
fn a_million_rows_are_those_of_the_reference() {
    let (name, expected, _) = MILLION;
    let A = problem(name).expect("a problem");
    assert_eq!(line(&set_up(&A, &Amg::default())), expected);
}

/// Refilled with other values and then with the first again, a hierarchy is what the set-up makes.
fn refills(A: &Csr<f64>, is_definite: bool, name: &str, near: &[Vec<f64>]) {
    let amg = Amg { reuse: named("amg,reuse=aggregates").reuse, ..named(name) };
    let fresh = Levels::new(A, is_definite, &amg, near).expect("a hierarchy");
    assert!(fresh.levels.len() > 1, "{name}: more than one level is refilled");
    let mut refilled = fresh.clone();
    assert!(refilled.refill(&A.map_values(|a| 3.0 * a)).expect("other values"), "{name}");
    assert!(all_bits(&fresh) != all_bits(&refilled), "{name}: they are others");
    assert!(refilled.refill(A).expect("the same pattern"), "{name}");
    assert!(all_bits(&fresh) == all_bits(&refilled), "{name}");
}

#[test]
fn refilled_with_the_same_values_it_is_the_set_up() {
    for name in ["p2 64", "jump3", "1138_bus"] {
        let Some(A) = problem(name) else { continue };
        refills(&A, true, "amg,coarse=50", &[]);
    }
}

#[test]
fn other_kinds_and_nodes_are_refilled_too() {
    let A = problem("jump2").expect("a problem");
    for name in ["amg:classical", "amg:pairs", "amg,block=2", "amg,lambda=lanczos:5", "amg,coarse=50,theta_f=0"] {
        refills(&A, true, name, &[]);
    }
    for name in ["amg:classical,interpolation=direct", "amg,smoother=jacobi", "amg:pairs,smoother=chebyshev"] {
        refills(&A, true, name, &[]);
    }
    let (A, modes) = elasticity(40);
    refills(&A, true, "amg,block=2,coarse=20", &modes);
    let A = convection_diffusion2d(64, 0.01, [1.0, 0.5]).expect("a problem");
    for name in ["amg,coarse=50", "amg:classical,coarse=50", "amg:pairs,coarse=50", "amg,block=2,coarse=50"] {
        refills(&A, false, name, &[]);
    }
}

/// New values that differ from row to row: what was not kept would show.
#[test]
fn a_refilled_hierarchy_is_as_good_as_a_new_one() {
    let A = problem("p2 64").expect("a problem");
    let scale = |i: usize| 1.0 + 0.3 * ((i * 37 % 101) as f64 / 101.0);
    let mut other = A.clone();
    let places: Vec<(usize, usize)> = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, _)| (i, j))).collect();
    other.val_mut().iter_mut().zip(places).for_each(|(a, (i, j))| *a *= scale(i) * scale(j));
    for name in ["amg", "amg:classical", "amg:pairs", "amg,block=2"] {
        let amg = Amg { reuse: named("amg,reuse=aggregates").reuse, ..named(name) };
        let mut refilled = set_up(&A, &amg);
        assert!(refilled.refill(&other).expect("other values"));
        for level in &refilled.levels {
            let sums = |i: usize| level.P.row(i).map(|(_, p)| p).sum::<f64>();
            assert!((0..level.P.rows()).all(|i| sums(i).is_finite() && sums(i).abs() < 4.0), "{name}");
        }
        let sizes = |levels: &Levels<f64>| levels.sizes();
        assert_eq!(sizes(&refilled), sizes(&set_up(&A, &amg)), "{name}: patterns stay");
        assert!(refilled.is_finite());
    }
}
