//! Several right-hand sides at once.

use galerkit::prelude::*;

/// Every answer meets its own tolerance, whatever the sizes of the right-hand sides; what cannot share a pass is solved
/// by itself.
#[test]
fn several_right_hand_sides_share_each_pass() {
    let A = galerkit::load("gallery:poisson2d?n=14").and_then(|A| A.into_real()).expect("a matrix");
    let column = |k: usize| -> Vec<f64> {
        (0..A.rows()).map(|i| 10f64.powi(3 * k as i32 - 6) * ((i * (k + 1)) as f64).sin()).collect()
    };
    let mut bs: Vec<Vec<f64>> = (0..5).map(column).collect();
    bs.push(vec![0.0; A.rows()]);
    for device in [Device::Reference, Device::Cpu] {
        for (method, shared) in [
            (Method::from(Krylov::Cg), true),
            (Krylov::Bicgstab.into(), true),
            (Krylov::Gmres { restart: 20 }.into(), true),
            (Krylov::Minres.into(), false),
            (Method::Cholesky, false),
        ] {
            let mut system = Solver::new().method(method).device(device).rtol(1e-9).prepare(&A).expect("it fits");
            for round in 0..2 {
                let solutions = system.solve_many(&bs).expect("it runs");
                assert_eq!(solutions.len(), bs.len());
                for (Solution { x, report }, b) in solutions.iter().zip(&bs) {
                    let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
                    let mut r = b.clone();
                    for (i, r) in r.iter_mut().enumerate() {
                        A.range(i).for_each(|k| *r -= A.val()[k] * x[A.col()[k] as usize]);
                    }
                    assert!(report.converged && norm(&r) <= 2e-9 * norm(b), "{method} {device} {round}");
                    assert_eq!(report.method_reason.contains("share"), shared, "{method}: {}", report.method_reason);
                }
            }
        }
    }
}

/// A second call with as many right-hand sides compiles nothing, and new values are heeded.
#[test]
fn several_right_hand_sides_after_an_update() {
    let A = galerkit::load("gallery:poisson2d?n=9").and_then(|A| A.into_real()).expect("a matrix");
    let mut system = Solver::new().method(Krylov::Cg).prepare(&A).expect("it fits");
    let bs = [vec![1.0; A.rows()], (0..A.rows()).map(|i| i as f64).collect()];
    let before = system.solve_many(&bs).expect("it runs");
    system.update(&A.val().iter().map(|a| 2.0 * a).collect::<Vec<_>>()).expect("values fit");
    for (before, after) in before.iter().zip(system.solve_many(&bs).expect("it runs")) {
        assert!(before.x.iter().zip(&after.x).all(|(b, a)| (b - 2.0 * a).abs() <= 1e-6 * b.abs().max(1.0)));
    }
    assert!(system.solve_many(&[vec![1.0; 3]]).is_err(), "a length that does not fit");
}

/// Starts are heeded by every column, shared or not: from the answers there is nothing left to do, and where b = 0 the
/// answer is 0 wherever it starts.
#[test]
fn several_right_hand_sides_start_from_what_is_given() {
    let A = galerkit::load("gallery:poisson2d?n=12").and_then(|A| A.into_real()).expect("a matrix");
    let column = |k: usize| -> Vec<f64> {
        (0..A.rows()).map(|i| 10f64.powi(4 * k as i32 - 4) * ((i * (k + 1)) as f64).cos()).collect()
    };
    let mut bs: Vec<Vec<f64>> = (0..18).map(|k| column(k % 3)).collect(); // more than share one pass
    bs.push(vec![0.0; A.rows()]);
    for device in [Device::Reference, Device::Cpu] {
        for method in [Krylov::Cg, Krylov::Gmres { restart: 20 }, Krylov::Minres] {
            let solver = Solver::new().method(method).device(device).rtol(1e-9);
            let mut system = solver.prepare(&A).expect("it fits");
            let mut starts: Vec<_> =
                system.solve_many(&bs).expect("it runs").into_iter().map(|solution| solution.x).collect();
            *starts.last_mut().expect("there are some") = vec![3.0; A.rows()];
            let warm = system.solve_many_from(&bs, &starts).expect("it runs");
            assert!(warm[..18].iter().all(|one| one.report.converged), "{method} {device}");
            assert!(warm[..16].iter().all(|one| one.report.iterations == 0), "{method} {device}");
            let shares = method != Krylov::Minres;
            assert!(!shares || warm[18].x.iter().all(|&x| x == 0.0), "{method} {device}");
            // Nothing of another start is left over.
            let cold = system.solve_many(&bs).expect("it runs");
            assert!(cold[0].report.iterations > 0, "{method} {device}");
            // A start that is far off is only slower.
            let far = vec![vec![1e3; A.rows()]; bs.len()];
            for (far, cold) in system.solve_many_from(&bs, &far).expect("it runs")[..18].iter().zip(&cold) {
                let distance = far.x.iter().zip(&cold.x).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt();
                assert!(far.report.converged && distance <= 1e-6 * cold.report.rhs_norm, "{method} {device}");
            }
            assert!(system.solve_many_from(&bs, &starts[1..]).is_err(), "a start is missing");
            starts[2][5] = f64::NAN;
            assert!(system.solve_many_from(&bs, &starts).is_err(), "a start that is not finite");
        }
    }
}
