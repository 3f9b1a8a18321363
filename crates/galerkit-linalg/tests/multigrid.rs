//! The V-cycle: a case by hand, symmetry, counts that do not grow, the same bits on both engines, single precision; and
//! the bound of eigenvalues that its smoother needs.

use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Identity, Immediate, Operator, Recorded};
use galerkit_linalg::krylov::{Outcome, Stop, cg, verified};
use galerkit_linalg::multigrid::{Hierarchy, Level, Polynomial, Smoother, largest_eigenvalue};
use galerkit_linalg::precond::{BlockDiagonal, Interval};
use galerkit_linalg::program::Precision;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_linalg::{Diagonal, LinearMap};
use galerkit_testkit::problems::{dense, from_triples, inner, laplacian, scattered};
use galerkit_testkit::{bits, summary};

fn map(A: &Csr<f64>) -> Box<dyn LinearMap<f64>> {
    Box::new(Matrix::Csr(A.clone()))
}

fn jacobi(A: &Csr<f64>) -> Box<dyn LinearMap<f64>> {
    Box::new(Diagonal::new(A.diagonal().iter().map(|d| 1.0 / d).collect()))
}

fn level(A: &Csr<f64>, P: &Csr<f64>, interval: Interval) -> Level<f64> {
    let inverse = vec![jacobi(A)];
    Level {
        A: Some(map(A)),
        inverse,
        polynomial: Polynomial::Chebyshev(interval),
        prolongation: map(P),
        restriction: map(&P.transpose()),
    }
}

/// Linear interpolation from every second of 2 m + 1 points.
fn interpolation(m: usize) -> Csr<f64> {
    let column = |j: usize| [(2 * j, j, 0.5), (2 * j + 1, j, 1.0), (2 * j + 2, j, 0.5)];
    from_triples(2 * m + 1, m, &(0..m).flat_map(column).collect::<Vec<_>>())
}

/// tridiag(-1, 2, -1) over 2^k - 1 points, down to one; scaled by 2 on each coarser level, as Galerkin's product is.
fn hierarchy(k: u32) -> (Csr<f64>, Hierarchy<f64>) {
    let A = |k: u32, factor: f64| laplacian::<f64>((1 << k) - 1, 1).map_values(|a| factor * a);
    let interval = Interval::new(1, 0.25, 2.0).unwrap();
    let at = |l: u32| level(&A(k - l, 0.5f64.powi(l as i32)), &interpolation((1 << (k - l - 1)) - 1), interval);
    let coarse = BlockDiagonal::from_csr(&A(1, 0.5f64.powi(k as i32 - 1)), 1).unwrap();
    (A(k, 1.0), Hierarchy::new((0..k - 1).map(at).collect(), Box::new(coarse)))
}

fn applied(A: &Csr<f64>, hierarchy: &Hierarchy<f64>, b: &[f64], precision: Precision) -> Vec<f64> {
    let mut e = Immediate::new(Reference);
    let A = e.load(map(A));
    let M = hierarchy.load(&mut e, &A, precision);
    let (b, mut x) = (e.upload(b), e.zeros(b.len(), Precision::Full));
    M.apply(&mut e, &b, &mut x);
    e.download(&x)
}

/// b = (1, 2, 3), S = D^-1: x = (1/2, 1, 3/2), r = (1, 2, 1), R r = 3, A' = 1, x = (2, 4, 3), r = (1, -1, 1).
#[test]
fn two_levels_by_hand() {
    let A = laplacian::<f64>(3, 1);
    let P = dense::<f64>(&[&[0.5], &[1.0], &[0.5]]);
    let levels = vec![level(&A, &P, Interval::new(0, 0.5, 1.5).unwrap())];
    let hierarchy = Hierarchy::new(levels, Box::new(Diagonal::new(vec![1.0])));
    assert_eq!(hierarchy.unknowns(), [3, 1]);
    for precision in [Precision::Full, Precision::Single] {
        assert_eq!(applied(&A, &hierarchy, &[1.0, 2.0, 3.0], precision), [2.5, 3.5, 3.5], "{precision:?}");
    }
}

/// What is left of the error where an eigenvalue of L^-1 A is t: by steps of 4/3, by Chebyshev's polynomials of the
/// first kind on [0.1, 1], T_k((11 - 20 t)/9)/T_k(11/9), and of the fourth, W_k(1 - 2t)/(2k + 1).
fn left(polynomial: Polynomial, t: f64) -> f64 {
    match polynomial {
        Polynomial::Richardson { steps, length } => (1.0 - length * t).powi(steps as i32),
        Polynomial::Chebyshev(interval) => {
            let (k, first) = (interval.degree() as f64 + 1.0, (11.0f64 - 20.0 * t) / 9.0);
            let T = |x: f64| if x.abs() <= 1.0 { (k * x.acos()).cos() } else { (k * x.acosh()).cosh() };
            T(first) / T(11.0 / 9.0)
        }
        Polynomial::FourthKind { degree } => {
            let (k, angle) = (degree as f64, (1.0 - 2.0 * t).acos());
            ((k + 0.5) * angle).sin() / (0.5 * angle).sin() / (2.0 * k + 1.0)
        }
    }
}

/// For a diagonal A and L = 1, from zero and from where the error is known.
#[test]
fn polynomials_of_smoothers_are_those_of_their_formulas() {
    let t: Vec<f64> = (1..=20).map(|k| k as f64 / 20.0).collect();
    let A = from_triples(20, 20, &(0..20).map(|i| (i, i, t[i])).collect::<Vec<_>>());
    for k in 1..=5 {
        let first = Polynomial::Chebyshev(Interval::new(k - 1, 0.1, 1.0).unwrap());
        let others = [Polynomial::FourthKind { degree: k }, Polynomial::Richardson { steps: k, length: 4.0 / 3.0 }];
        for polynomial in [first].into_iter().chain(others) {
            let mut e = Immediate::new(Reference);
            let (stored, one) = (e.load(map(&A)), Box::new(Diagonal::new(vec![1.0; 20])));
            let S = Smoother::load(&mut e, vec![one as Box<dyn LinearMap<f64>>], polynomial, Precision::Full);
            let (b, mut x) = (e.upload(&t), e.zeros(20, Precision::Full)); // x = 1 solves
            S.begin(&mut e, &stored, &b, &mut x);
            let begun = e.download(&x);
            S.improve(&mut e, &stored, &b, &mut x);
            for ((t, begun), x) in t.iter().zip(begun).zip(e.download(&x)) {
                let left = left(polynomial, *t);
                assert!(
                    (1.0 - begun - left).abs() < 1e-12 && (1.0 - x - left * left).abs() < 1e-12,
                    "{polynomial:?}, {t}"
                );
            }
        }
    }
}

#[test]
fn no_level_is_the_coarse_solve_alone() {
    let A = laplacian::<f64>(2, 1);
    let hierarchy =
        Hierarchy::new(Vec::new(), Box::new(BlockDiagonal::from_csr(&dense(&[&[4.0, 0.0], &[0.0, 8.0]]), 2).unwrap()));
    assert_eq!(applied(&A, &hierarchy, &[4.0, 4.0], Precision::Full), [1.0, 0.5]);
}

#[test]
fn the_cycle_is_symmetric_and_positive() {
    for k in [2, 3, 6] {
        let (A, hierarchy) = hierarchy(k);
        let [x, y] = [1, 2].map(|seed| scattered::<f64>(A.rows(), seed));
        let [Mx, My] = [&x, &y].map(|x| applied(&A, &hierarchy, x, Precision::Full));
        let apart = (inner(&x, &My) - inner(&y, &Mx)).abs();
        assert!(apart < 1e-13 * inner(&x, &Mx) && inner(&x, &Mx) > 0.0, "2^{k} - 1 points: {apart:e}");
    }
}

#[test]
fn counts_do_not_grow_and_bits_do_not_depend_on_the_engine() {
    let stop = Stop { rtol: 1e-8, ..Stop::default() };
    for precision in [Precision::Full, Precision::Single] {
        for k in [5, 9] {
            let (A, hierarchy) = hierarchy(k);
            let b = scattered::<f64>(A.rows(), 5);
            fn run<E: Engine<Scalar = f64>>(
                e: &mut E,
                A: &Csr<f64>,
                hierarchy: &Hierarchy<f64>,
                (b, stop): (&[f64], &Stop),
                precision: Precision,
            ) -> (Vec<f64>, galerkit_linalg::krylov::Verified) {
                let A = e.load(map(A));
                let M = hierarchy.load(e, &A, precision);
                let (b, mut x) = (e.upload(b), e.zeros(b.len(), Precision::Full));
                let result = verified(e, &cg, &A, &M, &b, &mut x, stop);
                (e.download(&x), result)
            }
            let (x, result) = run(&mut Immediate::new(Reference), &A, &hierarchy, (&b, &stop), precision);
            let (again, recorded) = run(&mut Recorded::new(Reference), &A, &hierarchy, (&b, &stop), precision);
            assert_eq!((bits(&x), summary(&result)), (bits(&again), summary(&recorded)));
            assert_eq!(result.run.outcome, Outcome::Converged);
            assert!(result.run.iterations <= 9, "2^{k} - 1 points, {precision:?}: {}", result.run.iterations);
        }
    }
}

/// Chebyshev's polynomial is negative above the sum of its bounds; the cycle would be indefinite.
#[test]
fn the_bound_is_above_the_largest_eigenvalue_and_not_far() {
    let bound = |A: &Csr<f64>, steps: usize| {
        let mut e = Immediate::new(Reference);
        let (A, D, rows) = (e.load(map(A)), e.load(jacobi(A)), A.rows());
        largest_eigenvalue(&mut e, &A, &D, rows, steps)
    };
    for n in [1, 2, 3, 10, 300] {
        let exact = 1.0 + (std::f64::consts::PI / (n + 1) as f64).cos();
        let found = bound(&laplacian::<f64>(n, 1), 16);
        assert!(found >= exact && found < 1.25 * exact, "{n} points: {found} for {exact}");
        let found = bound(&laplacian::<f64>(n.min(20), 2), 16);
        let exact = 1.0 + (std::f64::consts::PI / (n.min(20) + 1) as f64).cos();
        assert!(found >= exact && found < 1.25 * exact, "{n} x {n} points: {found} for {exact}");
    }
    let mut e = Immediate::new(Reference);
    let spread = e.load(Box::new(Diagonal::new((1..=1000).map(|i| f64::from(i).powi(2)).collect::<Vec<f64>>())));
    let found = largest_eigenvalue(&mut e, &spread, &Identity, 1000, 16);
    assert!((1e6..1.5e6).contains(&found), "{found}");
    assert_eq!(largest_eigenvalue(&mut e, &Identity, &Identity, 0, 16), 1.0);
}
