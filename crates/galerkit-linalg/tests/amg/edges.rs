//! Edge cases, and what is refused, each with its named error.

use super::{assert_near, named, solve, solve_near};
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_linalg::multigrid::amg::{Amg, Levels, Reuse};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Error, c64};
use galerkit_testkit::amg::{problem, residual, rhs};
use galerkit_testkit::problems::{diagonal, from_triples, neumann};

fn refused(A: &Csr<f64>, name: &str, near: &[Vec<f64>]) -> Error {
    Levels::new(A, true, &named(name), near).expect_err("refused")
}

/// p2 64 with some entries changed.
fn changed(change: impl Fn(usize, usize, f64) -> f64) -> Csr<f64> {
    let mut A = problem("p2 64").expect("a problem");
    let places: Vec<(usize, usize)> =
        (0..A.rows()).flat_map(|i| A.row(i).map(|(j, _)| (i, j)).collect::<Vec<_>>()).collect();
    A.val_mut().iter_mut().zip(places).for_each(|(a, (i, j))| *a = change(i, j, *a));
    A
}

#[test]
fn few_rows_are_inverted_at_once() {
    for A in [problem("p2 16").expect("a problem"), diagonal(&[3.0])] {
        let solved = solve(&A, &rhs(A.rows()), "amg", true).expect("one level");
        assert_eq!((solved.iterations, solved.summary.levels.len()), (1, 1));
    }
}

#[test]
fn isolated_rows_are_left_to_the_smoother() {
    let D: Vec<f64> = (0..600).map(|i| 1.0 + f64::from(i)).collect();
    let solved = solve(&diagonal::<f64>(&D), &rhs(600), "amg", true).expect("one level");
    assert_eq!((solved.iterations, solved.summary.levels.len()), (1, 1));
    let A = changed(|i, j, a| if i == j { 1.0 + 0.01 * a } else { 0.01 * a });
    let solved = solve(&A, &rhs(A.rows()), "amg", true).expect("one level");
    assert_near(solved.iterations, 6, "I + 0.01 L");
    assert!(solved.summary.notes[0].contains("degree 8"), "{:?}", solved.summary.notes);
}

#[test]
fn dirichlet_rows_have_no_aggregate() {
    let is_fixed = |i: usize| i.is_multiple_of(7);
    let A = changed(|i, j, a| if is_fixed(i) || is_fixed(j) { f64::from(u8::from(i == j)) } else { a });
    let solved = solve(&A, &rhs(A.rows()), "amg", true).expect("levels");
    let levels = &solved.summary.levels;
    let rows: Vec<usize> = levels.iter().map(|level| level.rows).collect();
    assert_eq!((rows, levels[0].outside), (vec![4096, 631, 99], 586));
    assert_near(solved.iterations, 7, "unit rows");
}

#[test]
fn one_dense_row_fills_nothing() {
    let A = problem("p2 64").expect("a problem");
    let mut triples: Vec<(usize, usize, f64)> =
        (0..A.rows()).flat_map(|i| A.row(i).map(|(j, a)| (i, j, a)).collect::<Vec<_>>()).collect();
    triples.retain(|(i, j, _)| *i != 0 && *j != 0);
    triples.push((0, 0, 10.0));
    (1..A.rows()).for_each(|j| triples.extend([(0, j, -1e-3), (j, 0, -1e-3)]));
    let A = from_triples(A.rows(), A.cols(), &triples);
    let solved = solve(&A, &rhs(A.rows()), "amg", true).expect("levels");
    assert_near(solved.iterations, 10, "a dense row");
    assert!((solved.summary.operator_complexity - 1.29).abs() < 0.02, "{}", solved.summary.operator_complexity);
    assert!(solved.summary.notes.iter().any(|note| note.contains(" 1 row is too long")), "{:?}", solved.summary.notes);
}

#[test]
fn a_singular_system_with_a_right_hand_side_in_its_range() {
    let A = neumann::<f64>(32);
    let mut b = rhs::<f64>(A.rows());
    let mean = b.iter().sum::<f64>() / b.len() as f64;
    b.iter_mut().for_each(|b| *b -= mean);
    let solved = solve(&A, &b, "amg,coarse=100", true).expect("levels");
    assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8 && solved.iterations <= 12);
    assert!(solved.summary.notes.iter().any(|note| note.contains("skipped")), "{:?}", solved.summary.notes);
}

#[test]
fn signs_of_the_near_null_vector_matter() {
    let parity = |i: usize| if (i % 64 + i / 64).is_multiple_of(2) { 1.0 } else { -1.0 };
    let A = changed(|i, j, a| parity(i) * parity(j) * a);
    let b = rhs(A.rows());
    let near = vec![(0..A.rows()).map(parity).collect::<Vec<f64>>()];
    let solved = solve_near(&A, &b, "amg", true, &near).expect("levels");
    assert_near(solved.iterations, 10, "with the vector of signs");
    assert!(solve(&A, &b, "amg", true).expect("levels").iterations > 50);
    let solved = solve(&A, &b, "amg:classical", true).expect("one level");
    assert_eq!(solved.summary.levels.len(), 1);
    assert_near(solved.iterations, 32, "classical");
}

#[test]
fn bad_input_is_refused_by_name() {
    let with = |row: usize, value: f64| changed(move |i, j, a| if i == row && j == row { value } else { a });
    assert!(matches!(refused(&with(3, 0.0), "amg", &[]), Error::ZeroDiagonal { row: 3, preconditioner: "AMG" }));
    assert!(matches!(refused(&with(5, -1.0), "amg", &[]), Error::NegativeDiagonal { row: 5, .. }));
    assert!(matches!(refused(&with(5, f64::NAN), "amg", &[]), Error::NonFinite { .. }));
    let empty = from_triples(3, 3, &[(0, 0, 1.0), (2, 2, 1.0)]);
    assert!(matches!(refused(&empty, "amg", &[]), Error::ZeroDiagonal { row: 1, .. }));
    let A = problem("p2 64").expect("a problem");
    assert!(matches!(refused(&A, "amg", &[vec![1.0; 3]]), Error::DimensionMismatch { expected: 4096, found: 3, .. }));
    assert!(matches!(refused(&A, "amg", &[vec![0.0; 4096]]), Error::InvalidParameter { name: "near_null", .. }));
    assert!(matches!(refused(&A, "amg,block=3", &[]), Error::InvalidParameter { name: "block", .. }));
    let wide = from_triples(2, 3, &[(0, 0, 1.0), (1, 1, 1.0)]);
    assert!(matches!(refused(&wide, "amg", &[]), Error::NotSquare { .. }));
    let complex = A.map_values(|a| c64::new(a, 0.0));
    let said = Levels::new(&complex, true, &named("amg:classical"), &[]).expect_err("real only");
    assert!(said.to_string().contains("take amg"));
}

#[test]
fn names_are_read_back_and_unknown_ones_refused() {
    for name in ["amg", "amg:classical", "amg:pairs,degree=2", "amg,theta=0.1,cycle=W,precision=f32,reuse=aggregates"] {
        assert_eq!(named(name).to_string(), name);
    }
    for name in ["amg:classical,interpolation=direct,smoother=jacobi,degree=3", "amg,smoother=chebyshev,coarse=100"] {
        assert_eq!(named(name).to_string(), name);
    }
    assert_eq!(named("amg:sa,smoother=chebyshev4,near_null=none"), Amg::default());
    let said = |name: &str| name.parse::<Amg>().expect_err("refused").to_string();
    assert!(said("amg:ruge").contains("classical"));
    assert!(said("amg,thete=1").contains("theta_f"));
    assert!(said("amg,cycle=F").contains("V, W or K"));
    assert!(said("amg,interpolation=direct").contains("only amg:classical"));
    assert!(said("amg:classical,interpolation=standard").contains("extended or direct"));
    assert!(said("amg,smoother=gauss-seidel").contains("chebyshev4, chebyshev or jacobi"));
    assert!(said("amg,near_null=ones").contains("--near-null FILE"));
    assert!(said("amg,theta=2").contains("between 0 and 1"));
    assert!(said("amg,lambda=lanczos:0").contains("l1 or lanczos:STEPS"));
    assert_eq!(named("amg,lambda=lanczos").to_string(), "amg,lambda=lanczos:10");
    assert_eq!(named("amg,lambda=l1"), Amg::default());
}

#[test]
fn a_bound_of_eigenvalues_in_place_of_norms() {
    for (name, most) in [("p2 64", 10), ("p3 16", 7), ("p27 16", 7)] {
        let A = problem(name).expect("a problem");
        let b = rhs(A.rows());
        let solved = solve(&A, &b, "amg,lambda=lanczos:10", true).expect("levels");
        assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "{name}");
        assert!((most - 2..=most).contains(&solved.iterations), "{name}: {}", solved.iterations);
    }
    let general = convection_diffusion2d(20, 0.1, [1.0, 0.5]).expect("a problem");
    let refused = Levels::new(&general, false, &named("amg,lambda=lanczos"), &[]).expect_err("not Hermitian");
    assert!(matches!(refused, Error::InvalidParameter { name: "lambda", .. }), "{refused}");
}

/// A near-null vector that is zero on whole aggregates made a cycle of NaN: such columns of T are dead.
#[test]
fn near_null_vectors_that_are_zero_on_whole_aggregates() {
    let A = problem("p2 64").expect("a problem");
    let b = rhs(A.rows());
    let half: Vec<f64> = (0..A.rows()).map(|i| f64::from(u8::from(i < 2048))).collect();
    let faint: Vec<f64> = half.iter().map(|&one| if one > 0.0 { 1.0 } else { 1e-200 }).collect();
    for name in ["amg", "amg:pairs", "amg,precision=f32", "amg,lambda=lanczos:5"] {
        for near in [&half, &faint] {
            let solved = solve_near(&A, &b, name, true, std::slice::from_ref(near)).expect("levels");
            assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "{name}");
        }
        let amg = Amg { reuse: Reuse::Aggregates, ..named(name) };
        let fresh = Levels::new(&A, true, &amg, std::slice::from_ref(&half)).expect("levels");
        let mut refilled = fresh.clone();
        assert!(refilled.refill(&A.map_values(|a| 3.0 * a)).expect("other values") && refilled.is_finite(), "{name}");
        assert!(refilled.refill(&A).expect("the first values"), "{name}");
        let bits = |levels: &Levels<f64>| levels.levels[1].A.as_ref().map(|A| A.val().to_vec());
        assert_eq!(bits(&refilled), bits(&fresh), "{name}");
    }
}

/// Squares of 1e-200 are zero, those of 1e200 infinite: vectors are brought to a scale that can be computed with.
#[test]
fn the_scale_of_near_null_vectors_does_not_matter() {
    let A = problem("p2 64").expect("a problem");
    let b = rhs(A.rows());
    for name in ["amg", "amg:pairs"] {
        let count = |scale: f64| {
            let solved = solve_near(&A, &b, name, true, &[vec![scale; A.rows()]]).expect("levels");
            assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "{name}, {scale}");
            solved.iterations
        };
        let usual = count(1.0);
        for scale in [1e-320, 1e-200, 1e200, f64::MAX] {
            assert_near(count(scale), usual, name);
        }
    }
    let pair = |scale: f64| [vec![scale; A.rows()], (0..A.rows()).map(|i| scale * i as f64).collect()];
    let [usual, tiny] = [1.0, 1e-200].map(|scale| solve_near(&A, &b, "amg", true, &pair(scale)).expect("levels"));
    assert_near(tiny.iterations, usual.iterations, "two vectors");
}

/// Options that do nothing for a kind, and those given twice, were accepted.
#[test]
fn options_without_effect_are_refused() {
    let said = |name: &str| name.parse::<Amg>().expect_err("refused").to_string();
    for (kind, option, has) in [
        ("amg", "interpolation=extended", "only amg:classical"),
        ("amg:pairs", "theta=0.1", "only amg and amg:classical"),
        ("amg:pairs", "theta_f=0.1", "only amg smooths"),
        ("amg:classical", "theta_f=0.1", "only amg smooths"),
        ("amg:pairs", "second=2", "only amg has"),
        ("amg:classical", "second=2", "only amg has"),
        ("amg:pairs", "block=3", "only amg aggregates"),
        ("amg:classical", "block=3", "only amg aggregates"),
    ] {
        assert!(said(&format!("{kind},{option}")).contains(has), "{kind},{option}");
    }
    assert!(said("amg,coarse=10,degree=2,coarse=20").contains("given once"));
    let A = problem("p2 64").expect("a problem");
    let near = [vec![1.0; A.rows()], (0..A.rows()).map(|i| i as f64).collect()];
    assert!(refused(&A, "amg:classical", &near[..1]).to_string().contains("take amg"));
    assert!(refused(&A, "amg:pairs", &near).to_string().contains("take amg"));
    let nodes = Levels::new(&A, true, &Amg { block: 2, ..named("amg:pairs") }, &[]).expect_err("refused");
    assert!(nodes.to_string().contains("take amg"));
}
