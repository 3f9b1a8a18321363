//! Complex matrices: Hermitian ones are solved with CG as their real counterparts are, symmetric ones with general
//! methods.

use super::{assert_near, solve, solve_near};
use galerkit_linalg::c64;
use galerkit_linalg::gallery::shifted_laplace2d;
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::amg::{problem, residual, rhs};

fn phase(i: usize) -> c64 {
    c64::from_polar(1.0, 0.7 * i as f64)
}

/// a_ij conj(phi_i) phi_j
fn transformed(A: &Csr<f64>) -> Csr<c64> {
    let mut complex = A.map_values(|a| c64::new(a, 0.0));
    let places: Vec<(usize, usize)> = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, _)| (i, j))).collect();
    complex.val_mut().iter_mut().zip(places).filter(|(_, (i, j))| i != j).for_each(|(a, (i, j))| {
        // so that mirror images are conjugates to the bit
        *a *= if i < j { phase(i).conj() * phase(j) } else { (phase(j).conj() * phase(i)).conj() };
    });
    complex
}

/// Seen through its phases a transformed system is the real one: so are the iterations.
#[test]
fn a_gauge_needs_its_near_null_vector() {
    let real = problem("p2 128").expect("a problem");
    let (A, b) = (transformed(&real), rhs::<f64>(real.rows()));
    let turned: Vec<c64> = b.iter().enumerate().map(|(i, b)| phase(i).conj() * b).collect();
    let near = vec![(0..A.rows()).map(|i| phase(i).conj()).collect::<Vec<_>>()];
    let solved = solve_near(&A, &turned, "amg", true, &near).expect("levels");
    assert!(solved.converged && residual(&A, &solved.x, &turned) <= 1e-8);
    assert_near(solved.iterations, solve(&real, &b, "amg", true).expect("levels").iterations, "as the real system");
    assert!(solve(&A, &turned, "amg", true).expect("levels").iterations > 60, "without them");
}

#[test]
fn shifted_laplacians_by_fgmres() {
    for (k, beta, expected) in [(10.0, 0.5, 18), (20.0, 0.5, 23), (40.0, 0.5, 26), (40.0, 1.0, 17)] {
        let A = shifted_laplace2d(128, k, beta).expect("a problem");
        let b = rhs::<c64>(A.rows());
        let solved = solve(&A, &b, "amg", false).expect("levels");
        assert!(solved.converged && residual(&A, &solved.x, &b) <= 1e-8, "k = {k}, beta = {beta}");
        assert_near(solved.iterations, expected, &format!("k = {k}, beta = {beta}"));
    }
}
