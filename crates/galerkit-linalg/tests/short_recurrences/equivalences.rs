//! Methods that are the same in exact arithmetic.

use super::{DEFINITE, GENERAL, System, convective, definite, plus_diagonal};
use galerkit_linalg::backend::Reference;
use galerkit_linalg::engine::{Engine, Immediate, Number, Operator, Recorded};
use galerkit_linalg::gallery::convection_diffusion2d;
use galerkit_linalg::krylov::{Krylov, Outcome, Stop, Watch};
use galerkit_linalg::{Scalar, c64};
use galerkit_testkit::{bits, distance, problems};

/// Flexible, pipelined and plain CG with a fixed M: the same counts, give or take one, norms and iterates.
fn cg_three_times<S: Scalar>() {
    for system in [definite::<S>(16), definite::<S>(16).jacobi()] {
        for watch in [Watch::Residual, Watch::Preconditioned] {
            let stop = Stop { watch, replacement: 0, ..Stop::default() };
            let [plain, flexible, pipelined] = DEFINITE.map(|method| system.solve(method, &stop));
            for (x, run) in [flexible, pipelined] {
                assert_eq!(run.outcome, Outcome::Converged);
                assert!(run.iterations.abs_diff(plain.1.iterations) <= 1, "{} {}", run.iterations, plain.1.iterations);
                assert!(distance(&x, &plain.0) <= 1e-7);
                let apart = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6 * a + 1e-11 * run.history[0];
                assert!(!run.history.iter().zip(&plain.1.history).any(apart), "{:?}", run.history);
            }
            for limit in [1, 5, 20] {
                let [a, b, c] =
                    DEFINITE.map(|method| system.solve(method, &Stop { limit, rtol: 0.0, ..stop.clone() }).0);
                assert!(distance(&b, &a) <= 1e-11 && distance(&c, &a) <= 1e-11, "{limit}: {:e}", distance(&c, &a));
            }
        }
    }
}

#[test]
fn flexible_and_pipelined_cg_are_cg() {
    cg_three_times::<f64>();
    cg_three_times::<c64>();
}

/// IDR(1) and BiCGSTAB span the same spaces with two products a step: about as many products. More shadow vectors take
/// no more products than one, nearly.
#[test]
fn idr_is_like_bicgstab() {
    let A = convection_diffusion2d(32, 1.0, [30.0, 10.0]).unwrap();
    let A = plus_diagonal(&A, |i| (i % 11) as f64 / 40.0);
    let b = problems::product(&A, &problems::scattered(1024, 7));
    for system in [System::new(A.clone(), b.clone()), System::new(A, b).jacobi()] {
        let products = |method| {
            let (_, run) = system.solve(method, &Stop::default());
            assert_eq!(run.outcome, Outcome::Converged, "{method}");
            if method == Krylov::Bicgstab { 2 * run.iterations } else { run.iterations }
        };
        let bicgstab = products(Krylov::Bicgstab);
        let one = products(Krylov::Idr { s: 1 });
        assert!((one as f64 / bicgstab as f64 - 1.0).abs() <= 0.2, "{one} and {bicgstab}");
        assert!(products(Krylov::Idr { s: 4 }) as f64 <= 1.05 * one as f64);
    }
}

/// Right preconditioning: A M y = b with x = M y is the unpreconditioned method on the product.
#[test]
fn preconditioning_from_the_right() {
    let system = convective::<f64>(6).jacobi();
    let inverse: Vec<f64> = system.A.diagonal().iter().map(|d| 1.0 / d).collect();
    let column = |i: usize, (j, a): (usize, f64)| (i, j, a * inverse[j]);
    let scaled: Vec<_> = (0..36).flat_map(|i| system.A.row(i).map(move |entry| (i, entry))).collect();
    let scaled: Vec<_> = scaled.into_iter().map(|(i, entry)| column(i, entry)).collect();
    let product = System::new(problems::from_triples(36, 36, &scaled), system.b.clone());
    for method in GENERAL {
        let stop = Stop { rtol: 0.0, limit: 6, ..Stop::default() };
        let ((x, _), (y, _)) = (system.solve(method, &stop), product.solve(method, &stop));
        let My: Vec<f64> = y.iter().zip(&inverse).map(|(y, m)| m * y).collect();
        assert!(distance(&x, &My) <= 1e-10, "{method}: {:e}", distance(&x, &My));
    }
}

/// So many steps of steepest descent from zero: no linear map, another one for every residual.
struct Descent<'a, E: Engine>(&'a dyn Operator<E>, usize);

impl<E: Engine> Operator<E> for Descent<'_, E> {
    fn apply(&self, e: &mut E, b: &E::Vector, x: &mut E::Vector) {
        let [mut r, mut q] = e.vectors_like(b);
        let zero = e.number(0.0);
        e.copy(b, &mut r);
        e.axpby(zero, b, zero, x);
        for _ in 0..self.1 {
            e.apply(self.0, &r, &mut q);
            let (rr, rq) = (e.dot(&r, &r), e.dot(&r, &q));
            e.axpy(rr.over(rq), &r, x);
            e.axpy(-rr.over(rq), &q, &mut r);
        }
    }
}

/// The largest cosine, in the inner product of A, between one step of x and the next, M changing all the while.
fn conjugacy(method: Krylov) -> f64 {
    let system = System::new(problems::laplacian::<f64>(20, 2), problems::scattered(400, 4));
    let iterate = |limit| {
        let stop = Stop { rtol: 0.0, replacement: 0, limit, ..Stop::default() };
        let (mut at_once, mut recorded) = (Immediate::new(Reference), Recorded::new(Reference));
        let (x, _) = system.with(&mut at_once, |e, A, _, b, x| method.run(e, A, &Descent(A, 4), b, x, &stop));
        let (y, _) = system.with(&mut recorded, |e, A, _, b, x| method.run(e, A, &Descent(A, 4), b, x, &stop));
        assert_eq!(bits(&x), bits(&y), "{method}");
        x
    };
    let iterates: Vec<Vec<f64>> = (0..=10).map(iterate).collect();
    let step = |pair: &[Vec<f64>]| pair[1].iter().zip(&pair[0]).map(|(x, y)| x - y).collect::<Vec<f64>>();
    let steps: Vec<Vec<f64>> = iterates.windows(2).map(step).collect();
    let inner = |d: &[f64], e: &[f64]| problems::inner(d, &problems::product(&system.A, e));
    let cosine = |d: &[f64], e: &[f64]| inner(d, e).abs() / (inner(d, d) * inner(e, e)).sqrt();
    steps.windows(2).map(|pair| cosine(&pair[0], &pair[1])).fold(0.0, f64::max)
}

/// Flexible CG keeps each direction conjugate to the last one even if M changes; CG does not.
#[test]
fn flexible_cg_with_a_preconditioner_that_changes() {
    let (flexible, plain) = (conjugacy(Krylov::FlexibleCg), conjugacy(Krylov::Cg));
    assert!(flexible <= 1e-12 && plain >= 1e-3, "{flexible:e} and {plain:e}");
}
