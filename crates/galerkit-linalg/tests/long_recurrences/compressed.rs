//! GMRES with its basis in single precision against GMRES: the same steps as far as single precision goes, and the same
//! accuracy in the end, because each cycle begins with the true residual.

use super::{Problem, Solved, exhaustive, general};
use galerkit_linalg::gallery::{convection_diffusion2d, shifted_laplace2d};
use galerkit_linalg::krylov::{Krylov, Outcome, Stop};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::sparse::Csr;
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::{bits, distance, problems};

/// GMRES, and the same with a compressed basis.
fn both(restart: usize) -> [Krylov; 2] {
    [Krylov::Gmres { restart }, Krylov::CompressedGmres { restart }]
}

fn with_jacobi<S: Scalar>(A: Csr<S>, seed: u64) -> Problem<S> {
    let b = problems::scattered(A.rows(), seed);
    Problem { M: Some(Box::new(jacobi(&A).expect("the diagonal is not zero"))), ..Problem::new(A, b) }
}

/// Where GMRES reaches a tolerance, so does this, in nearly as many iterations; and what it claims is true.
fn reaches<S: Scalar>(problem: &Problem<S>, restarts: &[usize], allowed: fn(usize) -> usize) {
    for &restart in restarts {
        for rtol in [1e-4, 1e-8, 1e-12] {
            let stop = Stop { rtol, limit: 2000, ..Stop::default() };
            let [(_, plain), (x, found)] = both(restart).map(|method| problem.verify(method, &stop));
            let what = format!("{} restart {restart}, {rtol:e}", S::KIND.name());
            assert_eq!((plain.run.outcome, found.run.outcome), (Outcome::Converged, Outcome::Converged), "{what}");
            let (here, there) = (found.run.iterations, plain.run.iterations);
            assert!(here <= allowed(there), "{what}: {here} iterations, GMRES {there}");
            let truth = problems::norm(&problem.residual(&x));
            assert!(truth <= 1.001 * rtol * problems::norm(&problem.b), "{what}: {truth:e}");
        }
    }
}

#[test]
fn it_reaches_what_gmres_reaches() {
    let nearly = |there| there + there / 50;
    reaches(&with_jacobi(general::<f64>(200), 1), &[5, 12], nearly);
    reaches(&with_jacobi(general::<c64>(200), 2), &[5, 12], nearly);
    reaches(&with_jacobi(convection_diffusion2d(16, 0.1, [1.0, 0.5]).expect("legal parameters"), 3), &[10, 30], nearly);
    reaches(&helmholtz(), &[30], nearly);
}

fn helmholtz() -> Problem<c64> {
    let A = shifted_laplace2d(12, 8.0, -0.5).expect("the parameters are legal");
    Problem::new(A, problems::scattered(144, 4))
}

/// Cycles in which GMRES gains more than seven digits: those beyond are gained again in the next one, which costs what
/// a cycle needs to get going, the more of it the faster GMRES is at the end of its own.
#[test]
fn long_cycles_take_longer() {
    reaches(&with_jacobi(general::<f64>(200), 1), &[30], |there| there + 10);
    reaches(&with_jacobi(general::<c64>(200), 2), &[30], |there| there + 10);
    reaches(&helmholtz(), &[50], |there| there + 4 * there / 5);
}

/// Norms are those of GMRES within 1e-6 of the first, as long as a cycle goes; x has the norm that was told within as
/// much.
fn alike<S: Scalar>(problem: &Problem<S>) {
    for restart in [3, 8, 40] {
        let [plain, found] = both(restart).map(|method| problem.solve(method, &exhaustive(20)));
        let start = plain.run.history[0];
        for (k, (own, other)) in found.run.history.iter().zip(&plain.run.history).enumerate() {
            assert!((own - other).abs() <= 1e-6 * start, "restart {restart}, step {k}: {own:e} and {other:e}");
        }
        for (k, solved) in problem.iterates(Krylov::CompressedGmres { restart }, 10).iter().enumerate() {
            let (truth, last) = (problems::norm(&problem.residual(&solved.x)), solved.run.history[k]);
            assert!((truth - last).abs() <= 1e-6 * start, "restart {restart}, step {k}: {last:e}, in truth {truth:e}");
        }
        assert!(distance(&found.x, &plain.x) <= 1e-5, "restart {restart}: {:e}", distance(&found.x, &plain.x));
    }
}

#[test]
fn first_steps_are_those_of_gmres() {
    alike(&with_jacobi(general::<f64>(60), 5));
    alike(&with_jacobi(general::<c64>(60), 6));
    alike(&Problem { x: problems::scattered(60, 8), ..with_jacobi(general::<c64>(60), 7) });
}

/// A cycle gains about seven digits and not more, whatever the least-squares problem says; the next one goes on from
/// there.
#[test]
fn a_cycle_gains_seven_digits() {
    let problem = Problem::<f64>::new(general(100), problems::scattered(100, 9));
    let restart = 60;
    let Solved { run, .. } = problem.solve(Krylov::CompressedGmres { restart }, &exhaustive(2 * restart));
    let (start, after_one, after_two) = (run.history[0], run.history[restart], run.history[2 * restart]);
    assert!((1e-9..=1e-6).contains(&(after_one / start)), "{:e}", after_one / start);
    assert!(run.history[restart - 1] <= after_one / 4.0, "the least-squares problem claims more than there is");
    assert!(after_two <= 1e-6 * after_one, "{:e}", after_two / after_one);
}

/// In single precision there is nothing to compress.
fn same_bits<S: Scalar>() {
    let problem = with_jacobi(general::<S>(50), 10);
    for restart in [1, 4, 25] {
        let [plain, found] = both(restart).map(|method| problem.solve(method, &exhaustive(30)));
        assert_eq!((bits(&plain.x), plain.run.history), (bits(&found.x), found.run.history), "restart {restart}");
    }
}

#[test]
fn in_single_precision_it_is_gmres() {
    same_bits::<f32>();
    same_bits::<c32>();
}

/// diag(1, 2, 0) as in failures.rs, with tolerances that single precision allows.
fn singular<S: Scalar>() {
    let A = problems::diagonal::<S>(&[1.0, 2.0, 0.0]);
    for restart in [2, 3, 10] {
        let method = Krylov::CompressedGmres { restart };
        let consistent = Problem::new(A.clone(), vec![S::one(), S::one(), S::zero()]);
        let solved = consistent.solve(method, &Stop { rtol: 1e-6, ..Stop::default() });
        assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::Converged, 2), "{method}");
        let inconsistent = Problem::new(A.clone(), vec![S::one(); 3]);
        let (x, failed) = inconsistent.verify(method, &Stop { rtol: 1e-4, patience: 100, ..Stop::default() });
        assert!(matches!(failed.run.outcome, Outcome::Breakdown | Outcome::Stagnated), "{method}");
        let left = problems::norm(&inconsistent.residual(&x));
        assert!((1.0 - 1e-6..1.5).contains(&left), "{method}: {left}"); // 1 is the least possible
        let zero = Problem::new(problems::diagonal::<S>(&[0.0; 3]), vec![S::one(); 3]);
        let solved = zero.solve(method, &Stop::default());
        assert_eq!((solved.run.outcome, solved.run.iterations, solved.x), (Outcome::Breakdown, 0, vec![S::zero(); 3]));
    }
    let inconsistent = Problem::new(A, vec![S::one(); 3]);
    let bare = inconsistent.solve(Krylov::CompressedGmres { restart: 10 }, &Stop { rtol: 1e-4, ..Stop::default() });
    assert_eq!(bare.run.outcome, Outcome::Breakdown, "{:?}", bare.run.history);
}

#[test]
fn singular_systems() {
    singular::<f64>();
    singular::<c64>();
}

/// A preconditioner that fails only in a later step leaves the x of the steps before it.
#[test]
fn broken_in_the_middle_of_a_cycle() {
    let A = problems::dense::<f64>(&[&[2.0, 0.0, 0.0], &[1.0, 3.0, 0.0], &[0.0, 1.0, 4.0]]);
    let mut problem = Problem::new(A, vec![1.0, 0.0, 0.0]);
    problem.M = Some(Box::new(Diagonal::new(vec![1.0, 1.0, 1e200])));
    let solved = problem.solve(Krylov::CompressedGmres { restart: 5 }, &Stop::default());
    assert_eq!((solved.run.outcome, solved.run.iterations), (Outcome::NonFinite, 2));
    let (truth, last) = (problems::norm(&problem.residual(&solved.x)), solved.run.history[2]);
    assert!((truth - last).abs() <= 1e-7 && truth < 0.5, "{last} and {truth}");
}
