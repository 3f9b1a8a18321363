//! Iterations of CG to 1e-8 with every variant, within one of the reference; operator complexities.

use super::{assert_near, solve, solve_near};
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_testkit::amg::{LEVELS, MILLION, elasticity, problem, residual, rhs};

#[test]
fn smoothed_aggregation_as_the_reference() {
    for (name, _, expected) in LEVELS.into_iter().filter(|(name, ..)| *name != "p3 64") {
        let Some(A) = problem(name) else { continue };
        let b = rhs::<f64>(A.rows());
        let solved = solve(&A, &b, "amg", true).expect("a hierarchy");
        assert_near(solved.iterations, expected, name);
        assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "{name}");
        assert!(solved.summary.operator_complexity <= 1.8, "{name}");
    }
}

#[test]
#[ignore = "a million rows take longer than the others together"]
fn a_million_rows_as_the_reference() {
    let (name, _, expected) = MILLION;
    let A = problem(name).expect("a problem");
    let b = rhs::<f64>(A.rows());
    let solved = solve(&A, &b, "amg", true).expect("a hierarchy");
    assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8);
    assert_near(solved.iterations, expected, name);
}

/// Degree 1, without a second set, single precision, W; iterations of each.
const VARIANTS: [(&str, [usize; 4]); 4] =
    [("p2 64", [16, 11, 10, 9]), ("p3 32", [13, 10, 9, 8]), ("p27 16", [12, 8, 7, 7]), ("jump2", [19, 11, 11, 10])];

#[test]
fn variants_as_the_reference() {
    for (name, expected) in VARIANTS {
        let A = problem(name).expect("a problem");
        let b = rhs::<f64>(A.rows());
        for (variant, expected) in ["degree=1", "second=0", "precision=f32", "cycle=W"].iter().zip(expected) {
            let solved = solve(&A, &b, &format!("amg,{variant}"), true).expect("a hierarchy");
            assert_near(solved.iterations, expected, &format!("{name} {variant}"));
            assert!(residual(&A, &solved.x, &b) <= 1e-8);
        }
    }
}

#[test]
fn classical_and_pairs_as_the_reference() {
    let cases =
        [("p2 64", (10, 2.27), (18, 1.33)), ("p3 16", (10, 2.57), (15, 1.46)), ("an 128", (10, 2.34), (41, 1.28))];
    for (name, classical, pairs) in cases {
        let A = problem(name).expect("a problem");
        let b = rhs::<f64>(A.rows());
        for (kind, (iterations, complexity)) in [("amg:classical", classical), ("amg:pairs", pairs)] {
            let solved = solve(&A, &b, kind, true).expect("a hierarchy");
            assert_near(solved.iterations, iterations, &format!("{name} {kind}"));
            let found = solved.summary.operator_complexity;
            assert!((found / complexity - 1.0).abs() < 0.015, "{name} {kind}: {found}");
        }
    }
}

/// Damped Jacobi is the polynomial of degree 1 wherever l_i/d_i is the same in all rows, as it is on grids but for
/// their boundary.
#[test]
fn other_smoothers() {
    for (name, usual, degree_1) in [("p2 64", 10, 16), ("p3 32", 9, 13), ("p27 16", 7, 12)] {
        let A = problem(name).expect("a problem");
        let b = rhs::<f64>(A.rows());
        let count = |smoother: &str| {
            let solved = solve(&A, &b, &format!("amg,{smoother}"), true).expect("a hierarchy");
            assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "{name}, {smoother}");
            solved.iterations
        };
        assert_near(count("smoother=jacobi,degree=1"), degree_1, name);
        let [jacobi, first, by_lanczos] =
            ["smoother=jacobi", "smoother=chebyshev", "smoother=chebyshev,lambda=lanczos:10"].map(count);
        assert!(
            jacobi <= usual + 2 && first <= usual + 1 && by_lanczos <= usual + 1,
            "{jacobi}, {first}, {by_lanczos}"
        );
    }
}

#[test]
fn direct_interpolation_takes_more_iterations_than_extended() {
    for (name, expected) in [("p2 64", 15), ("p2 512", 31)] {
        let A = problem(name).expect("a problem");
        let solved = solve(&A, &rhs::<f64>(A.rows()), "amg:classical,interpolation=direct", true).expect("a hierarchy");
        assert!(solved.converged);
        assert_near(solved.iterations, expected, name);
    }
}

#[test]
fn a_scaled_matrix_takes_as_many_in_single_precision() {
    let A = problem("p2 64").expect("a problem").map_values(|a| 1e-30 * a);
    let solved = solve(&A, &rhs::<f64>(A.rows()), "amg,precision=f32", true).expect("a hierarchy");
    assert_near(solved.iterations, 10, "1e-30 A");
}

#[test]
fn a_general_matrix_has_a_restriction_of_its_own() {
    for (eps, expected) in [(1.0, [11, 11]), (0.01, [12, 16]), (1e-3, [25, 21])] {
        let A = convection_diffusion2d(128, eps, [1.0, 0.5]).expect("a problem");
        for (name, expected) in ["amg", "amg:classical"].iter().zip(expected) {
            let solved = solve(&A, &rhs::<f64>(A.rows()), name, false).expect("a hierarchy");
            assert!(solved.converged);
            assert_near(solved.iterations, expected, &format!("{name}, eps {eps}"));
        }
    }
}

#[test]
fn elasticity_needs_nodes_and_their_rigid_body_modes() {
    let (A, modes) = elasticity(100);
    let b = rhs::<f64>(A.rows());
    assert_near(solve(&A, &b, "amg,block=2", true).expect("levels").iterations, 18, "nodes of two rows");
    let solved = solve_near(&A, &b, "amg,block=2", true, &modes).expect("levels");
    assert_near(solved.iterations, 14, "rigid body modes");
    assert!((solved.summary.operator_complexity - 1.42).abs() < 0.02);
    let solved = solve_near(&A, &b, "amg,block=2,lambda=lanczos:10", true, &modes).expect("levels");
    assert_near(solved.iterations, 10, "rigid body modes, prolongator and smoother scaled by an eigenvalue");
    let Some(A) = problem("bcsstk16") else { return };
    let solved = solve(&A, &rhs::<f64>(A.rows()), "amg,block=3", true).expect("levels");
    assert_near(solved.iterations, 33, "bcsstk16, nodes of three rows");
}
