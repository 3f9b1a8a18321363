//! Jacobi sweeps in place of triangular solves: how far they are from them, and what can be swept.

use super::apply;
use galerkit_linalg::precond::{Class, JacobiSweeps, Preconditioner, Prepared, ic0, ilu0};
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Linear, c64};
use galerkit_testkit::bits;
use galerkit_testkit::problems::{hermitian, laplacian, scattered};

/// A chain of three rows by hand: no sweep misses L and U altogether, two are exact.
#[test]
fn the_error_of_sweeps_falls_to_nothing() {
    let factors = ilu0(&laplacian::<f64>(3, 1)).unwrap();
    let error = |sweeps| JacobiSweeps::new(&factors, sweeps).error(&factors);
    assert!(error(0) > error(1) && error(1) > 0.01 && error(2) <= 1e-15, "{} {}", error(0), error(1));
    for A in [hermitian::<c64>(6), hermitian::<c64>(9)] {
        for M in [ilu0(&A).unwrap(), ic0(&A).unwrap()] {
            let errors: Vec<f64> = (0..4).map(|sweeps| JacobiSweeps::new(&M, sweeps).error(&M)).collect();
            assert!(errors.windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
        }
    }
    let M = ilu0(&Csr::<f64>::identity(0)).unwrap();
    assert_eq!(JacobiSweeps::new(&M, 2).error(&M), 0.0);
}

/// Any incomplete factors can be swept, nothing else is changed; names say how often.
#[test]
fn factors_become_sweeps_and_other_preconditioners_stay() {
    let A = hermitian::<c64>(5);
    let x = scattered::<c64>(25, 3);
    let prepare = |name: &str| name.parse::<Preconditioner>().unwrap().prepare(&A, Class::PositiveDefinite).unwrap();
    for (name, other) in [("ilu0", "ilu0-sweeps:2"), ("ilu0-fixed:3", "ilu0-fixed:3:2")] {
        assert_eq!(bits(&apply(&A, &prepare(name).swept(2), &x)), bits(&apply(&A, &prepare(other), &x)), "{name}");
    }
    assert!(["ic0", "ilu:1"].into_iter().all(|name| matches!(prepare(name).swept(2), Prepared::Sweeps(_))));
    assert!(matches!(prepare("ssor:1").swept(2), Prepared::Map(Linear::Ssor(_))));
    assert!(matches!(prepare("ilu0-sweeps:3").swept(2), Prepared::Sweeps(M) if M.sweeps() == 3));
    let sweeps = |name: &str| name.parse::<Preconditioner>().unwrap().sweeps();
    assert_eq!([sweeps("ilu0-sweeps:4"), sweeps("ilu0-fixed:5:6")], [Some(4), Some(6)]);
    assert!(["none", "ssor:1", "ilu0", "ilu:1", "ic0", "ilu0-fixed:5"].into_iter().all(|name| sweeps(name).is_none()));
}
