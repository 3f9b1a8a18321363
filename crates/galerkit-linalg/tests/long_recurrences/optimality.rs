//! What the methods promise: after k steps the residual is the least over x_0 + M K_k(A M, r_0), here computed densely;
//! the images of the steps are orthogonal; and x belongs to the norm that was reported last, wherever a solve ends.

use super::{Problem, all, exhaustive, general};
use galerkit_linalg::gallery::shifted_laplace2d;
use galerkit_linalg::krylov::{Outcome, Stop};
use galerkit_linalg::precond::jacobi;
use galerkit_linalg::{Diagonal, Scalar, c32, c64};
use galerkit_testkit::problems;

fn dot(x: &[c64], y: &[c64]) -> c64 {
    x.iter().zip(y).map(|(x, y)| x.conj() * y).sum()
}

/// x without its part in the span of an orthonormal basis, taken out twice.
fn project_out(basis: &[Vec<c64>], x: &mut [c64]) {
    for v in basis.iter().chain(basis) {
        let part = dot(v, x);
        x.iter_mut().zip(v).for_each(|(x, v)| *x -= part * v);
    }
}

fn add(basis: &mut Vec<Vec<c64>>, mut x: Vec<c64>) {
    project_out(basis, &mut x);
    let norm = problems::norm(&x);
    basis.push(x.iter().map(|x| x / norm).collect());
}

/// The least ||r - A M v|| over v in K_k(A M, r), for k = 0, 1, ..., count.
fn least_residuals(problem: &Problem<c64>, count: usize) -> Vec<f64> {
    let apply = |v: &[c64]| {
        let v: Vec<c64> = match problem.M.as_ref().and_then(|M| M.known::<Diagonal<c64>>()) {
            Some(M) => v.iter().zip(M.values()).map(|(v, d)| v * d).collect(),
            None => v.to_vec(),
        };
        problems::product(&problem.A, &v)
    };
    let r = problem.residual(&problem.x);
    let (mut space, mut images) = (Vec::new(), Vec::new());
    add(&mut space, r.clone());
    let mut least = vec![problems::norm(&r)];
    for k in 0..count {
        let image = apply(&space[k]);
        add(&mut images, image.clone());
        add(&mut space, image);
        let mut rest = r.clone();
        project_out(&images, &mut rest);
        least.push(problems::norm(&rest));
    }
    least
}

fn cases() -> Vec<Problem<c64>> {
    let helmholtz = shifted_laplace2d(6, 9.0, -0.3).expect("the parameters are legal");
    let mut list = vec![
        Problem::new(helmholtz, problems::scattered(36, 1)),
        Problem::new(general(30), problems::scattered(30, 2)),
    ];
    list[1].x = problems::scattered(30, 3);
    list[1].M = Some(Box::new(jacobi(&list[1].A).expect("the diagonal is not zero")));
    list
}

/// Norms as reported, and true ones of the iterates, against the dense minimum.
#[test]
fn every_residual_is_the_least() {
    for problem in cases() {
        let least = least_residuals(&problem, 14);
        for method in all(20) {
            for (k, solved) in problem.iterates(method, 14).iter().enumerate() {
                let truth = problems::norm(&problem.residual(&solved.x));
                for norm in [solved.run.history[k], truth] {
                    assert!(
                        (norm - least[k]).abs() <= 1e-11 * least[0],
                        "{method}, step {k}: {norm:e}, not {:e}",
                        least[k]
                    );
                }
            }
        }
    }
}

/// A (x_{k+1} - x_k) is a multiple of q_k: orthogonal to those before it in the cycle.
#[test]
fn images_of_the_steps_are_orthogonal() {
    for problem in cases() {
        for method in all(20) {
            let x = problem.iterates(method, 12);
            let step = |pair: &[super::Solved<c64>]| -> Vec<c64> {
                let difference: Vec<c64> = pair[1].x.iter().zip(&pair[0].x).map(|(new, old)| new - old).collect();
                problems::product(&problem.A, &difference)
            };
            let images: Vec<Vec<c64>> = x.windows(2).map(step).collect();
            for (k, later) in images.iter().enumerate() {
                for (i, earlier) in images[..k].iter().enumerate() {
                    let cosine = dot(later, earlier).norm() / (problems::norm(later) * problems::norm(earlier));
                    assert!(cosine <= 1e-10, "{method}, steps {i} and {k}: {cosine:e}");
                }
            }
        }
    }
}

/// Wherever it is interrupted, x has the residual that was reported; and a limit gives the x of an interruption.
fn interrupted<S: Scalar>() {
    let mut problem = Problem::<S>::new(general(25), problems::scattered(25, 4));
    problem.x = problems::scattered(25, 5);
    problem.M = Some(Box::new(jacobi(&problem.A).expect("the diagonal is not zero")));
    let start = problems::norm(&problem.residual(&problem.x));
    for method in all(4) {
        for (k, solved) in problem.iterates(method, 10).iter().enumerate() {
            let expected = if k == 0 { Outcome::IterationLimit } else { Outcome::Interrupted };
            assert_eq!((solved.run.outcome, solved.run.iterations), (expected, k), "{method}");
            let (truth, last) = (problems::norm(&problem.residual(&solved.x)), solved.run.history[k]);
            assert!(
                (truth - last).abs() <= 20.0 * S::eps() * start,
                "{method}, step {k}: {last:e}, in truth {truth:e}"
            );
            let limited = problem.solve(method, &exhaustive(k));
            assert_eq!((limited.run.outcome, limited.run.iterations), (Outcome::IterationLimit, k), "{method}");
            let apart = galerkit_testkit::distance(&limited.x, &solved.x);
            assert!(apart <= 100.0 * S::eps(), "{method}, step {k}: {apart:e} apart");
        }
    }
}

#[test]
fn x_belongs_to_the_last_norm() {
    interrupted::<f32>();
    interrupted::<f64>();
    interrupted::<c32>();
    interrupted::<c64>();
}

/// A cycle longer than the matrix has rows is a full one: the solution within n steps.
#[test]
fn finite_termination() {
    let problem = Problem::<f64>::new(general(11), problems::scattered(11, 6));
    for method in all(50) {
        let solved = problem.solve(method, &Stop { rtol: 1e-13, ..Stop::default() });
        assert_eq!(solved.run.outcome, Outcome::Converged, "{method}");
        assert!(solved.run.iterations <= 11, "{method}: {} steps", solved.run.iterations);
    }
}
