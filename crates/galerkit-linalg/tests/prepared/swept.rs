//! Jacobi sweeps in place of triangular solves: how far they are from them, and what can be swept.

use super::apply;
use galerkit_linalg::c64;
use galerkit_linalg::gallery::Random;
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::{Class, JacobiSweeps, Preconditioner, Prepared, Ssor, ic0, ilu0, sweep_errors};
use galerkit_linalg::sparse::Csr;
use galerkit_testkit::bits;
use galerkit_testkit::problems::{hermitian, laplacian, norm, scattered};

/// ILU(0) of a chain is exact, so y = v: entries are those of v, and sweeps miss what is more than K rows away.
#[test]
fn the_error_of_sweeps_falls_to_nothing() {
    let A = laplacian::<f64>(3, 1);
    let errors = sweep_errors(&ilu0(&A).unwrap(), &A, &[0, 1, 2]);
    assert!(errors[0] > errors[1] && errors[1] > 0.01 && errors[2] <= 1e-15, "{errors:?}");
    for n in [6, 9] {
        let A = hermitian::<c64>(n);
        let (ilu, ic) = (ilu0(&A).unwrap(), ic0(&A).unwrap());
        let errors = sweep_errors(&ilu, &A, &[0, 1, 2, 3, 4 * n]);
        assert!(errors.windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
        for (a, b) in errors.iter().zip(sweep_errors(&ic, &A, &[0, 1, 2, 3, 4 * n])) {
            assert!((a - b).abs() <= 1e-13, "{a} and {b}: the same M, scaled otherwise");
        }
    }
    let A = Csr::<f64>::identity(0);
    assert_eq!(sweep_errors(&ilu0(&A).unwrap(), &A, &[2]), [0.0]);
}

/// The sweeps whose error is computed are those of the operator that engines run.
#[test]
fn the_error_is_that_of_the_operator() {
    let A = hermitian::<c64>(6);
    let factors = ic0(&A).unwrap();
    let by_hand: Vec<c64> = {
        let mut random = Random::new(1);
        let mut part = || 2.0 * random.unit() - 1.0;
        let v: Vec<c64> = (0..36).map(|_| c64::new(part(), part())).collect();
        (0..36).map(|i| A.row(i).map(|(j, a)| a * v[j]).sum()).collect()
    };
    let swept = apply(&A, &Prepared::Sweeps(JacobiSweeps::new(&factors, 2)), &by_hand);
    let mut exact = vec![c64::new(0.0, 0.0); 36];
    factors.solve(&by_hand, &mut exact);
    let apart: Vec<c64> = swept.iter().zip(&exact).map(|(a, b)| a - b).collect();
    let error = sweep_errors(&factors, &A, &[2])[0];
    assert!((error - norm(&apart) / norm(&exact)).abs() <= 1e-13, "{error}");
}

/// Any incomplete factors can be swept, nothing else is changed; names say how often.
#[test]
fn factors_become_sweeps_and_other_preconditioners_stay() {
    let A = hermitian::<c64>(5);
    let x = scattered::<c64>(25, 3);
    let prepare = |name: &str| name.parse::<Preconditioner>().unwrap().prepare(&A, Class::PositiveDefinite).unwrap();
    for (name, other) in [("ilu0", "ilu0-sweeps:2"), ("parilu0:3", "parilu0:3:2")] {
        assert_eq!(bits(&apply(&A, &prepare(name).swept(2), &x)), bits(&apply(&A, &prepare(other), &x)), "{name}");
    }
    assert!(
        ["ic0", "ilu:1", "ilu0-blocks:2"].into_iter().all(|name| matches!(prepare(name).swept(2), Prepared::Sweeps(_)))
    );
    assert!(matches!(prepare("ssor:1").swept(2), Prepared::Map(M) if M.known::<Ssor<c64>>().is_some()));
    assert!(matches!(prepare("ilu0-sweeps:3").swept(2), Prepared::Sweeps(M) if M.sweeps() == 3));
    let sweeps = |name: &str| name.parse::<Preconditioner>().unwrap().sweeps();
    assert_eq!([sweeps("ilu0-sweeps:4"), sweeps("parilu0:5:6")], [Some(4), Some(6)]);
    assert!(["none", "ssor:1", "ilu0", "ilu:1", "ic0", "parilu0:5"].into_iter().all(|name| sweeps(name).is_none()));
}
