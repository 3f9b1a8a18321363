//! p-multigrid and block Jacobi by mesh entity through the facade, for both operators on every device.

use galerkit::cuda::testing;
use galerkit::fem::elasticity::Solid;
use galerkit::fem::form::Elasticity;
use galerkit::fem::mesh::generate::{brick, to_simplices};
use galerkit::fem::multigrid::{Operators, Settings};
use galerkit::fem::problem::Interior;
use galerkit::fem::{Forest, Multigrid, Problem, Space, domain};
use galerkit::linalg::c64;
use galerkit::linalg::krylov::Outcome;
use galerkit::linalg::program::Precision as Of;
use galerkit::prelude::*;
use galerkit::{EntityBlocks, OpenMap};

/// A forest that is cut here and there, with degrees that differ from cell to cell.
fn problem(mesh: &galerkit::fem::Mesh, most: usize) -> Problem {
    let mut forest = Forest::new(mesh).unwrap();
    forest.refine(&[0]).unwrap();
    forest.refine(&[1]).unwrap();
    let degrees: Vec<usize> = (0..forest.cells().len()).map(|e| 1 + e % most).collect();
    Problem::poisson(Space::new(forest, &degrees, &[1]).unwrap().into(), 1.0)
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>().sqrt();
    norm(&mut x.iter().zip(y).map(|(x, y)| x - y)) / norm(&mut y.iter().copied())
}

/// Both operators with both preconditioners, against Cholesky.
fn check(problem: &Problem, device: Device) {
    let (assembled, free) = (problem.assemble(Interior::Kept).unwrap(), problem.matrix_free().unwrap());
    let exact = Solver::new().method(Method::Cholesky).solve(&assembled.A, &assembled.b).unwrap().x;
    let solver = Solver::new().rtol(1e-10).device(device);
    for precision in [Of::Full, Of::Single] {
        for operators in [Operators::Assembled, Operators::MatrixFree] {
            let settings = Settings { precision, operators, explicit: 30, ..Settings::default() };
            let multigrid = Multigrid::new(problem, &settings).unwrap();
            let (name, levels) = (multigrid.name(), multigrid.describe());
            let map = match operators {
                Operators::Assembled => OpenMap::assembled(&assembled),
                Operators::MatrixFree => OpenMap::matrix_free(&free),
            };
            let Solution { x, report } = solver.solve_map(map.preconditioned_by(multigrid), &assembled.b).unwrap();
            assert!(report.converged && report.iterations <= 20, "{precision:?}, {operators:?} on {device}: {report}");
            assert_eq!(report.method_name(), format!("cg + {name}"));
            assert_eq!(report.preconditioner_reason, levels);
            assert!(distance(&x, &exact) < 1e-8, "{precision:?}, {operators:?} on {device}");
        }
    }
    let map = OpenMap::assembled(&assembled).preconditioned_by(EntityBlocks::new(problem).unwrap());
    let Solution { x, report } = solver.solve_map(map, &assembled.b).unwrap();
    assert!(report.converged && distance(&x, &exact) < 1e-8, "{report}");
    assert_eq!((report.method_name().as_str(), report.nnz), ("cg + block-jacobi:entities", assembled.A.nnz()));
}

#[test]
fn both_operators_with_multigrid_and_blocks() {
    for (mesh, most) in [(domain::lshape(1), 6), (domain::fichera(1), 4)] {
        check(&problem(&mesh, most), Device::Cpu);
    }
    check(&problem(&domain::lshape(1), 3), Device::Reference);
}

#[test]
fn both_operators_on_a_gpu() {
    if testing::gpu().is_some() {
        check(&problem(&domain::lshape(1), 3), Device::Cuda(0));
    }
}

/// Prepared once, solved often: nothing of the first solve is left in the cycle's vectors.
#[test]
fn a_prepared_operator_solves_again_with_the_same_bits() {
    let problem = problem(&domain::lshape(1), 6);
    let (system, multigrid) = (problem.matrix_free().unwrap(), Multigrid::new(&problem, &Settings::default()).unwrap());
    let map = OpenMap::matrix_free(&system).preconditioned_by(multigrid);
    let mut prepared = Solver::new().prepare_map(map).unwrap();
    let first = prepared.solve(&system.b).unwrap();
    let other: Vec<f64> = system.b.iter().rev().copied().collect();
    assert!(prepared.solve(&other).unwrap().report.converged);
    assert_eq!(prepared.solve(&system.b).unwrap().x, first.x);
}

fn algebraic(name: &str) -> Preconditioner {
    name.parse().unwrap()
}

/// Algebraic multigrid on a device: the same levels and counts everywhere, other values, and K-cycles in flexible
/// methods.
fn check_algebraic(device: Device) {
    let A = galerkit::load("gallery:poisson2d?n=24").unwrap().into_real().unwrap();
    let b: Vec<f64> = (0..A.rows()).map(|i| (i as f64).sin()).collect();
    let solver = |name: &str| Solver::new().device(device).preconditioner(algebraic(name));
    let counts = [("amg,coarse=20", 8), ("amg,coarse=20,cycle=W", 8), ("amg,coarse=20,precision=f32", 8)];
    for (name, most) in counts {
        let solution = solver(name).method(Krylov::Cg).solve(&A, &b).unwrap();
        let report = solution.report;
        assert!(report.converged && report.iterations <= most + 2, "{name} on {device}: {}", report.iterations);
        let multigrid = report.multigrid.unwrap();
        assert!(multigrid.levels.len() >= 2 && multigrid.levels[0].aggregates == Some(multigrid.levels[1].rows));
        assert_eq!(multigrid.levels[0].rows, 576);
    }
    let mut system = solver("amg,coarse=20,reuse=aggregates").method(Krylov::Cg).prepare(&A).unwrap();
    let first = system.solve(&b).unwrap();
    let values: Vec<f64> = A.val().iter().map(|a| 2.0 * a).collect();
    system.update(&values).unwrap();
    let second = system.solve(&b).unwrap();
    assert!(second.report.converged && second.report.iterations == first.report.iterations);
    assert!(first.x.iter().zip(&second.x).all(|(x, y)| (x - 2.0 * y).abs() < 1e-6 * x.abs().max(1e-3)));
    system.update(A.val()).unwrap();
    assert_eq!(system.solve(&b).unwrap().x, first.x, "the first values again");
}

#[test]
fn algebraic_on_the_cpu() {
    check_algebraic(Device::Cpu);
}

#[test]
fn algebraic_on_the_reference() {
    check_algebraic(Device::Reference);
}

#[test]
fn algebraic_on_a_gpu() {
    if testing::gpu().is_some() {
        check_algebraic(Device::Cuda(0));
    }
}

#[test]
fn a_cycle_that_varies_needs_a_flexible_method() {
    let A = galerkit::load("gallery:poisson2d?n=24").unwrap().into_real().unwrap();
    let b = vec![1.0; A.rows()];
    let solver = Solver::new().preconditioner(algebraic("amg:pairs,coarse=20"));
    let said = solver.clone().method(Krylov::Cg).solve(&A, &b).unwrap_err().to_string();
    assert!(said.contains("fcg"), "{said}");
    assert!(solver.clone().method(Krylov::FlexibleCg).solve(&A, &b).unwrap().report.converged);
    assert_eq!(solver.solve(&A, &b).unwrap().report.method, Krylov::FlexibleCg.into(), "left to the program");
}

/// A Laplacian whose entries beside the diagonal are positive, and the signs that it nearly maps to zero.
fn chessboard(n: usize) -> (galerkit::linalg::sparse::Csr<f64>, Vec<f64>) {
    let A = galerkit::load(&format!("gallery:poisson2d?n={n}")).unwrap().into_real().unwrap();
    let signs = (0..n * n).map(|i| if (i % n + i / n).is_multiple_of(2) { 1.0 } else { -1.0 }).collect();
    (A.map_values(f64::abs), signs)
}

/// Near-null vectors go along with rows that are reordered, and stay when values change.
fn check_near_null(device: Device) {
    let (A, signs) = chessboard(24);
    let b: Vec<f64> = (0..A.rows()).map(|i| (i as f64).sin()).collect();
    let plain = Solver::new().device(device).method(Krylov::Cg).preconditioner(algebraic("amg,coarse=20"));
    let told = plain.clone().near_null(std::slice::from_ref(&signs));
    let count = |solver: &Solver| {
        let report = solver.solve(&A, &b).unwrap().report;
        assert!(report.converged);
        report.iterations
    };
    let few = count(&told);
    assert!(few <= 10 && count(&plain) > 2 * few, "{few} on {device}");
    assert!(count(&told.clone().ordering(Ordering::Rcm)).abs_diff(few) <= 2, "in another order on {device}");
    for reuse in ["none", "aggregates"] {
        let solver = told.clone().preconditioner(algebraic(&format!("amg,coarse=20,reuse={reuse}")));
        let mut system = solver.prepare(&A).unwrap();
        let first = system.solve(&b).unwrap();
        system.update(&A.val().iter().map(|a| 2.0 * a).collect::<Vec<_>>()).unwrap();
        assert_eq!(system.solve(&b).unwrap().report.iterations, first.report.iterations, "{reuse} on {device}");
    }
    let auto = Solver::new().device(device).near_null(&[signs]).solve(&A, &b).unwrap().report;
    assert!(auto.preconditioner.to_string() == "amg" && auto.preconditioner_reason.contains("near-null"), "{auto}");
}

#[test]
fn near_null_vectors_on_the_cpu() {
    check_near_null(Device::Cpu);
    check_near_null(Device::Reference);
}

#[test]
fn near_null_vectors_on_a_gpu() {
    if testing::gpu().is_some() {
        check_near_null(Device::Cuda(0));
    }
}

#[test]
fn near_null_vectors_that_do_not_fit() {
    let (A, signs) = chessboard(24);
    let solver = Solver::new().preconditioner(algebraic("amg"));
    let said = |solver: Solver| solver.solve(&A, &vec![1.0; A.rows()]).unwrap_err().to_string();
    assert!(said(solver.clone().near_null(&[vec![1.0; 3]])).contains("near-null"));
    assert!(said(solver.clone().near_null(&[vec![0.0; 576]])).contains("not zero everywhere"));
    assert!(said(solver.near_null(&[signs]).preconditioner(algebraic("amg,block=5"))).contains("divide"));
    let moved = Solver::new().preconditioner(algebraic("amg,block=2")).ordering(Ordering::Rcm);
    assert!(said(moved).contains("rows of a node together"));
}

/// Complex vectors for complex matrices.
#[test]
fn near_null_vectors_of_complex_matrices() {
    let (A, signs) = chessboard(24);
    let turn = |i: usize| c64::from_polar(1.0, 0.7 * (i % 7) as f64);
    let mut complex = A.map_values(|a| c64::new(a, 0.0));
    let places: Vec<(usize, usize)> = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, _)| (i, j))).collect();
    complex.val_mut().iter_mut().zip(places).filter(|(_, (i, j))| i != j).for_each(|(a, (i, j))| {
        *a *= if i < j { turn(i).conj() * turn(j) } else { (turn(j).conj() * turn(i)).conj() };
    });
    let near: Vec<c64> = signs.iter().enumerate().map(|(i, sign)| turn(i).conj() * sign).collect();
    let solver = Solver::new().method(Krylov::Cg).preconditioner(algebraic("amg,coarse=20"));
    let count = |solver: Solver| solver.solve(&complex, &vec![c64::new(1.0, 0.0); 576]).unwrap().report.iterations;
    let told = count(solver.clone().near_null(&[near]));
    assert!(told <= 10 && count(solver) > 2 * told, "{told}");
}

/// The imaginary part of a near-null vector of a real matrix was dropped.
#[test]
fn complex_near_null_vectors_of_real_matrices_are_refused() {
    let (A, signs) = chessboard(24);
    let complex: Vec<c64> = signs.iter().map(|sign| c64::new(*sign, 0.5)).collect();
    let solver = Solver::new().method(Krylov::Cg).preconditioner(algebraic("amg"));
    let said = solver.clone().near_null(&[complex]).solve(&A, &vec![1.0; 576]).unwrap_err().to_string();
    assert!(said.contains("near_null") && said.contains("the matrix is real"), "{said}");
    let real: Vec<c64> = signs.iter().map(|sign| c64::new(1e200 * sign, 0.0)).collect();
    let single = A.map_values(|a| a as f32);
    let report = solver.near_null(&[real]).solve(&single, &vec![1.0; 576]).unwrap().report;
    assert!(report.converged, "1e200 is infinite in single precision: {report}");
}

/// Bodies: translations alone need more iterations than rigid body modes, whose number hardly grows with the mesh.
#[test]
fn elasticity_with_rigid_body_modes() {
    for cut in [false, true] {
        let count = |n: usize, is_rigid: bool| {
            let bricks = brick([0.0; 3], [2.0, 1.0, 1.0], [2 * n, n, n]).unwrap();
            let mesh = if cut { to_simplices(&bricks).unwrap() } else { bricks };
            let solid = Solid::new(mesh, Elasticity::new(1e5, 0.3)).unwrap().clamp(1).traction(2, |_| [0.0, 0.0, -1.0]);
            let system = solid.assemble().unwrap();
            let mut solver = Solver::new().method(Krylov::Cg).preconditioner(algebraic("amg,block=3,coarse=100"));
            if is_rigid {
                solver = solver.near_null(&system.rigid_body_modes());
            }
            let Solution { x, report } = solver.solve(&system.A, &system.b).unwrap();
            assert!(report.converged && system.displacement(&solid, &x).unwrap().energy().unwrap() > 0.0);
            report.iterations
        };
        let [coarse, fine] = [count(8, true), count(12, true)];
        assert!(fine <= coarse + 8, "{coarse} and {fine}, tetrahedra: {cut}");
        assert!(coarse < count(8, false), "{coarse}, tetrahedra: {cut}");
    }
}

#[test]
fn many_iterations_are_followed_by_advice() {
    let notes = |A: &galerkit::linalg::sparse::Csr<f64>, method: Krylov| {
        let solver = Solver::new().method(method).preconditioner(algebraic("amg,coarse=50"));
        let report = solver.solve(A, &vec![1.0; A.rows()]).unwrap().report;
        (report.iterations, report.multigrid.unwrap().notes.join("; "))
    };
    let (count, said) = notes(&chessboard(40).0, Krylov::Cg);
    assert!(count > 25 && said.contains("near-null"), "{count}: {said}");
    let convection = galerkit::load("gallery:convection_diffusion2d?n=64&eps=0.0001").unwrap().into_real().unwrap();
    let (count, said) = notes(&convection, Krylov::Gmres { restart: 50 });
    assert!(count > 25 && said.contains("amg:classical"), "{count}: {said}");
    let easy = galerkit::load("gallery:poisson2d?n=40").unwrap().into_real().unwrap();
    assert_eq!(notes(&easy, Krylov::Cg).1, "");
}

/// A seventh of ani4's entries beside the diagonal have its sign: most are against it all the same, and nothing was
/// said. What stagnates at its precision was told to try something else.
#[test]
fn advice_follows_most_entries_and_no_stagnation() {
    let solver = Solver::new().method(Krylov::Cg).preconditioner(algebraic("amg"));
    if let Some(A) = galerkit_testkit::amg::problem("ani4") {
        let report = solver.solve(&A, &vec![1.0; A.rows()]).unwrap().report;
        let said = report.multigrid.unwrap().notes.join("; ");
        assert!(said.contains("amg:classical"), "{}: {said}", report.iterations);
    }
    let single = chessboard(40).0.map_values(|a| a as f32);
    let report = solver.rtol(1e-12).solve(&single, &vec![1.0; single.rows()]).unwrap().report;
    assert_eq!(report.outcome, Outcome::Stagnated, "{report}");
    assert!(report.iterations > 25 && report.multigrid.unwrap().notes.is_empty());
}
