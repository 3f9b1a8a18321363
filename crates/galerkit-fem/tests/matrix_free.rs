//! The operator without its matrix: equal to the assembled one on any mesh, whatever the number of threads.

use crate::scenes::{quarter_ring, raised, random_degrees, random_forest, random_space};
use galerkit_fem::form::{Diffusion, Field, Kappa, Robin};
use galerkit_fem::problem::Interior;
use galerkit_fem::{Forest, MatrixFree, Problem, Space, domain};
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::random::Random;
use galerkit_linalg::{Diagonal, LinearMap};
use std::sync::Arc;

fn vector(n: usize, random: &mut Random) -> Vec<f64> {
    (0..n).map(|_| 2.0 * random.unit() - 1.0).collect()
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// |x - y| / |y|.
pub fn distance(x: &[f64], y: &[f64]) -> f64 {
    let difference: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).collect();
    assert_eq!(x.len(), y.len());
    norm(&difference) / norm(y).max(f64::MIN_POSITIVE)
}

/// The product on so many threads.
fn product(A: &MatrixFree<f64>, x: &[f64], threads: usize) -> Vec<f64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut y = vec![f64::NAN; x.len()];
    pool.install(|| A.apply_on_threads(&[], x, &mut y));
    y
}

/// Both products, the diagonal and the right-hand side against the assembled system.
fn check(problem: &Problem, random: &mut Random, what: &str) {
    let system = problem.assemble(Interior::Kept).unwrap();
    let A = MatrixFree::new(problem).unwrap();
    let (x, z) = (vector(A.unknowns(), random), vector(A.unknowns(), random));
    let mut expected = vec![0.0; x.len()];
    (0..x.len()).for_each(|i| expected[i] = system.A.row(i).map(|(j, a)| a * x[j]).sum());
    let mut obvious = vec![f64::NAN; x.len()];
    A.apply(&[], &x, &mut obvious);
    let y = product(&A, &x, 1);
    for (found, name) in [(&obvious, "in obvious loops"), (&y, "on threads")] {
        let apart = distance(found, &expected);
        assert!(apart < 1e-13, "{what}, {name}: {apart:e}");
    }
    for threads in [2, 3] {
        assert_eq!(product(&A, &x, threads), y, "{what}: other bits on {threads} threads");
    }
    let Az = product(&A, &z, 2);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let asymmetry = (dot(&Az, &x) - dot(&y, &z)).abs() / (norm(&y) * norm(&z));
    assert!(asymmetry < 1e-13, "{what}: {asymmetry:e}");
    let apart = distance(&A.diagonal(), &system.A.diagonal());
    assert!(apart < 1e-13, "{what}, diagonal: {apart:e}");
    let apart = distance(&A.right_hand_side(problem).unwrap(), &system.b);
    assert!(apart < 1e-12, "{what}, right-hand side: {apart:e}");
}

fn varying(space: Arc<Space>) -> Problem {
    let kappa = Field::of(|x| 1.0 + x[0] * x[0] + 0.5 * (3.0 * x[1]).sin() + x[2] * x[2]);
    let problem = Problem::new(space).form(Diffusion::new(kappa)).mass(Field::of(|x| 2.0 + x[1]));
    problem.source(Field::of(|x| x[0] - 2.0 * x[1])).dirichlet(1, Field::of(|x| x[0] * x[1] + 1.0))
}

#[test]
fn boxes_with_hanging_nodes_and_random_degrees() {
    let mut random = Random::new(61);
    for (dim, rounds, most, cases) in [(2, 6, 8, 5), (3, 2, 4, 3), (3, 3, 3, 2), (3, 1, 8, 1)] {
        for case in 0..cases {
            let space = Arc::new(random_space(dim, rounds, most, &[1], &mut random));
            let problem = Problem::poisson(space, 1.0).mass(0.3).dirichlet(1, Field::of(|x| 1.0 + x[0]));
            assert!(MatrixFree::new(&problem).unwrap().kinds().iter().all(|kind| kind[1] == 0), "all are boxes");
            check(&problem, &mut random, &format!("dimension {dim}, case {case}"));
        }
    }
}

#[test]
fn varying_coefficients_with_hanging_nodes_and_random_degrees() {
    let mut random = Random::new(62);
    for (dim, rounds, most, cases) in [(2, 6, 8, 4), (3, 2, 3, 2), (3, 1, 5, 1)] {
        for case in 0..cases {
            let space = Arc::new(random_space(dim, rounds, most, &[1], &mut random));
            check(&varying(space), &mut random, &format!("dimension {dim}, case {case}"));
        }
    }
}

/// A mesh with its points moved so that no cell is a parallelepiped.
fn trilinear(dim: usize, random: &mut Random) -> Forest {
    let mut mesh = if dim == 2 { domain::lshape(1) } else { domain::fichera(1) };
    for point in &mut mesh.points {
        (0..dim).for_each(|a| point[a] += 0.15 * (random.unit() - 0.5));
    }
    let mut forest = Forest::new(&mesh).unwrap();
    forest.refine(&[1]).unwrap();
    forest
}

#[test]
fn cells_that_are_no_parallelepipeds() {
    let mut random = Random::new(63);
    for (dim, most) in [(2, 8), (3, 4)] {
        let forest = trilinear(dim, &mut random);
        let degrees = random_degrees(&forest, most, &mut random);
        let tensor = Kappa::Tensor([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]]);
        let space = Arc::new(Space::new(forest, &degrees, &[]).unwrap());
        let problem = Problem::new(space).form(Diffusion { kappa: tensor }).mass(1.0).source(1.0);
        check(&problem, &mut random, &format!("dimension {dim}"));
    }
    for k in [2, 4] {
        let mut forest = Forest::new(&quarter_ring(k)).unwrap();
        forest.refine(&[0]).unwrap();
        forest.refine(&[2]).unwrap();
        let degrees = random_degrees(&forest, 6, &mut random);
        let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
        check(&varying(space), &mut random, &format!("a ring of order {k}"));
    }
    let forest = Forest::new(&raised(&domain::cube(1), 2)).unwrap();
    let space = Arc::new(Space::new(forest, &[3], &[]).unwrap());
    check(&Problem::poisson(space, 1.0).mass(1.0), &mut random, "a cell of order 2");
}

#[test]
fn parallelepipeds_robin_terms_and_graded_quadrature() {
    let mut random = Random::new(64);
    let shear = |x: &mut [f64; 3]| x[0] += 0.4 * x[1];
    let mut mesh = domain::fichera(1);
    mesh.points.iter_mut().for_each(shear);
    let forest = Forest::new(&mesh).unwrap();
    let degrees = random_degrees(&forest, 3, &mut random);
    let space = Arc::new(Space::new(forest, &degrees, &[]).unwrap());
    let tag = space.forest().coarse().boundary_tags()[0];
    check(&Problem::poisson(space.clone(), 1.0).mass(1.0), &mut random, "sheared");
    check(&Problem::poisson(space, 1.0).robin(Robin::new(tag, 2.0)), &mut random, "Robin");
    let rules = galerkit_fem::assemble::rules::Rules { singular: vec![[0.0; 3]], levels: 3, ..Default::default() };
    let forest = random_forest(2, 3, &mut random);
    let degrees = random_degrees(&forest, 5, &mut random);
    let space = Arc::new(Space::new(forest, &degrees, &[]).unwrap());
    check(&varying_without_data(space).rules(rules), &mut random, "graded");
}

fn varying_without_data(space: Arc<Space>) -> Problem {
    Problem::new(space).form(Diffusion::new(Field::of(|x| 1.0 + x[0].abs().sqrt()))).mass(1.0).source(1.0)
}

#[test]
fn cg_reaches_the_solution_of_the_assembled_system() {
    let mut random = Random::new(65);
    for dim in [2, 3] {
        let space = Arc::new(random_space(dim, 3, 4, &[1], &mut random));
        let problem = varying(space);
        let A = MatrixFree::new(&problem).unwrap();
        let b = A.right_hand_side(&problem).unwrap();
        let mut e = Immediate::new(Cpu);
        let inverse = A.diagonal().iter().map(|d| 1.0 / d).collect();
        let (A, M) = (e.load(Box::new(A)), e.load(Box::new(Diagonal::new(inverse))));
        let (b, mut x) = (e.upload(&b), e.upload(&vec![0.0; b.len()]));
        let run = cg(&mut e, &A, &M, &b, &mut x, &Stop { rtol: 1e-12, limit: 2000, ..Stop::default() });
        let direct = problem.solve().unwrap();
        let apart = distance(&e.download(&x), direct.unknowns());
        assert!(apart < 1e-9, "dimension {dim}: {apart:e} after {} iterations", run.iterations);
    }
}

#[test]
fn single_precision_is_as_near_as_it_can_be() {
    let mut random = Random::new(66);
    let space = Arc::new(random_space(3, 2, 3, &[1], &mut random));
    let A = MatrixFree::new(&varying(space)).unwrap();
    let x = vector(A.unknowns(), &mut random);
    let low = A.to_single().unwrap();
    let single: Vec<f32> = x.iter().map(|&x| x as f32).collect();
    let mut y = vec![f32::NAN; x.len()];
    low.apply_on_threads(&[], &single, &mut y);
    let widened: Vec<f64> = y.iter().map(|&y| f64::from(y)).collect();
    let apart = distance(&widened, &product(&A, &x, 1));
    assert!(apart > 1e-9 && apart < 64.0 * f64::from(f32::EPSILON), "{apart:e}");
}
