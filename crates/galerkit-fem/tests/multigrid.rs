//! p-multigrid: counts of iterations.

use galerkit_fem::forest::grading::{Target, grade, slope};
use galerkit_fem::multigrid::{Multigrid, Operators, Settings};
use galerkit_fem::problem::Interior;
use galerkit_fem::{Forest, Mesh, Problem, Space, domain};
use galerkit_linalg::Diagonal;
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate, Operator};
use galerkit_linalg::krylov::{Outcome, Stop, cg};
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::Matrix;
use std::sync::Arc;

pub fn uniform(mesh: &Mesh, cuts: usize, degree: usize) -> Arc<Space> {
    let mut forest = Forest::new(mesh).unwrap();
    forest.refine_all(cuts).unwrap();
    let degrees = vec![degree; forest.cells().len()];
    Arc::new(Space::new(forest, &degrees, &[1]).unwrap())
}

/// Cut towards the origin, with degrees from `lowest` on that grow by `mu` a layer, up to `most`.
pub fn graded(mesh: &Mesh, layers: usize, lowest: usize, mu: f64, most: usize) -> Arc<Space> {
    let mut forest = Forest::new(mesh).unwrap();
    let layer = grade(&mut forest, &[Target::Point([0.0; 3])], layers).unwrap();
    let degrees: Vec<usize> = slope(lowest, mu, &layer).into_iter().map(|p| p.min(most)).collect();
    Arc::new(Space::new(forest, &degrees, &[1]).unwrap())
}

fn table(name: &str, space: Arc<Space>, settings: &[Settings]) {
    let problem = Problem::poisson(space, 1.0);
    let A = problem.assemble(Interior::Kept).unwrap().A;
    let mut random = Random::new(3);
    let b: Vec<f64> = (0..A.rows()).map(|_| random.unit() - 0.5).collect();
    let mut e = Immediate::new(Cpu);
    let diagonal = A.diagonal().iter().map(|d| 1.0 / d).collect();
    let nnz = A.nnz() / A.rows();
    let A = e.load(Box::new(Matrix::Csr(A)));
    let b = e.upload(&b);
    let stop = Stop { rtol: 1e-8, limit: 3000, ..Stop::default() };
    let mut solve = |e: &mut Immediate<f64, Cpu>, M: &dyn Operator<Immediate<f64, Cpu>>| {
        let mut x = e.zeros_like(&b);
        let time = std::time::Instant::now();
        let run = cg(e, &A, M, &b, &mut x, &stop);
        assert_eq!(run.outcome, Outcome::Converged);
        (run.iterations, time.elapsed().as_secs_f64())
    };
    let M = e.load(Box::new(Diagonal::new(diagonal)));
    let (jacobi, seconds) = solve(&mut e, &M);
    print!("{name} n {} nnz {nnz} jacobi {jacobi} ({seconds:.3}) ", b.len());
    for settings in settings {
        let time = std::time::Instant::now();
        let multigrid = Multigrid::new(&problem, settings).unwrap();
        let set_up = time.elapsed().as_secs_f64();
        let M = multigrid.load(&mut e, &A);
        let (count, seconds) = solve(&mut e, &M);
        print!("| {}/{}: {count} ({seconds:.3}, {set_up:.2}) ", settings.degree, settings.ratio);
    }
    println!();
}

#[test]
#[ignore = "prints a table of counts and times"]
fn table_of_counts() {
    let settings: Vec<Settings> = [(1, 8.0), (2, 8.0), (2, 16.0), (3, 16.0)]
        .map(|(degree, ratio)| Settings { degree, ratio, explicit: 50, ..Settings::default() })
        .to_vec();
    let most: usize = std::env::var("MOST").map_or(8, |most| most.parse().unwrap());
    for p in 1..=most {
        table(&format!("square 4 p {p}"), uniform(&domain::square(1), 2, p), &settings);
        table(&format!("cube 2 p {p}"), uniform(&domain::cube(2), 0, p), &settings);
        table(&format!("lshape 4 p {p}"), graded(&domain::lshape(1), 4, p, 0.0, 8), &settings);
        table(&format!("vertex 3 p {p}"), graded(&domain::vertex(1), 3, p, 0.0, 8), &settings);
    }
    table("lshape 7 mu 1", graded(&domain::lshape(1), 7, 1, 1.0, 8), &settings);
    table("lshape 8 mu 1/2", graded(&domain::lshape(1), 8, 1, 0.5, 8), &settings);
    table("vertex 3 mu 1", graded(&domain::vertex(1), 3, 2, 1.0, 8), &settings);
    table("vertex 5 mu 1", graded(&domain::vertex(1), 5, 2, 1.0, 8), &settings);
    table("fichera 3 mu 1", graded(&domain::fichera(1), 3, 2, 1.0, 8), &settings);
}

#[test]
#[ignore = "unused"]
fn unused() {
    let _ = Operators::MatrixFree;
}
