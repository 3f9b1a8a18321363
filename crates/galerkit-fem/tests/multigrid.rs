//! p-multigrid: counts of iterations over degrees and meshes, in both precisions, on both engines; coarse systems that
//! algebraic multigrid continues.

use crate::scenes::{quarter_ring, random_space, shuffle_points};
use galerkit_fem::assemble::rules::Rules;
use galerkit_fem::forest::grading::{Target, grade, slope};
use galerkit_fem::form::{Diffusion, Field};
use galerkit_fem::mesh::generate::{ball, cylinder};
use galerkit_fem::multigrid::coarse::Coarse;
use galerkit_fem::multigrid::{Multigrid, Operators, Settings};
use galerkit_fem::problem::Interior;
use galerkit_fem::{Error, Forest, Mesh, Problem, Space, domain};
use galerkit_linalg::Diagonal;
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate, Operator, Recorded};
use galerkit_linalg::krylov::{Outcome, Stop, Verified, cg, verified};
use galerkit_linalg::program::Precision;
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::{Csr, Matrix};
use galerkit_testkit::{bits, summary};
use std::sync::Arc;
use std::time::Instant;

/// Levels even where a test could be solved without.
pub const SMALL: Settings =
    Settings { degree: 1, ratio: 8.0, precision: Precision::Full, explicit: 20, operators: Operators::Assembled };

pub fn uniform(mesh: &Mesh, cuts: usize, degree: usize) -> Arc<Space> {
    let mut forest = Forest::new(mesh).unwrap();
    forest.refine_all(cuts).unwrap();
    let degrees = vec![degree; forest.cells().len()];
    Arc::new(Space::new(forest, &degrees, &[1]).unwrap())
}

/// Cut towards the origin, with degrees from `lowest` on that grow by `mu` a layer, up to 8.
pub fn graded(mesh: &Mesh, layers: usize, lowest: usize, mu: f64) -> Arc<Space> {
    let mut forest = Forest::new(mesh).unwrap();
    let layer = grade(&mut forest, &[Target::Point([0.0; 3])], layers).unwrap();
    let degrees: Vec<usize> = slope(lowest, mu, &layer).into_iter().map(|p| p.min(8)).collect();
    Arc::new(Space::new(forest, &degrees, &[1]).unwrap())
}

pub fn scattered(length: usize) -> Vec<f64> {
    let mut random = Random::new(3);
    (0..length).map(|_| random.unit() - 0.5).collect()
}

fn matrix(problem: &Problem) -> Csr<f64> {
    problem.assemble(Interior::Kept).unwrap().A
}

/// x and the account of verified CG for a right-hand side of random numbers, to 1e-8.
pub fn solve<E: Engine<Scalar = f64>>(e: &mut E, A: &Csr<f64>, multigrid: &Multigrid) -> (Vec<f64>, Verified) {
    let b = e.upload(&scattered(A.rows()));
    let A = e.load(Box::new(Matrix::Csr(A.clone())));
    let M = multigrid.load(e, &A);
    let mut x = e.zeros_like(&b);
    let result = verified(e, &cg, &A, &M, &b, &mut x, &Stop { rtol: 1e-8, ..Stop::default() });
    assert_eq!(result.run.outcome, Outcome::Converged);
    (e.download(&x), result)
}

fn count(problem: &Problem, settings: &Settings) -> usize {
    let multigrid = Multigrid::new(problem, settings).unwrap();
    solve(&mut Immediate::new(Cpu), &matrix(problem), &multigrid).1.run.iterations
}

#[test]
fn at_most_13_iterations_for_every_degree_on_uniform_and_graded_meshes() {
    for p in 1..=8 {
        let spaces = [
            ("square", uniform(&domain::square(1), 2, p)),
            ("cube", uniform(&domain::cube(2), 0, p)),
            ("cut cube", uniform(&domain::cube(1), if p < 5 { 2 } else { 1 }, p)),
            ("lshape", graded(&domain::lshape(1), 4, p, 0.0)),
            ("vertex", graded(&domain::vertex(1), 2, p, 0.0)),
        ];
        for (name, space) in spaces {
            let count = count(&Problem::poisson(space, 1.0), &SMALL);
            assert!(count <= 13, "{name}, degree {p}: {count}");
        }
    }
}

#[test]
fn at_most_13_iterations_where_degrees_grow_with_the_layer() {
    let spaces = [
        ("lshape, 1", graded(&domain::lshape(1), 7, 1, 1.0)),
        ("lshape, 1/2", graded(&domain::lshape(1), 8, 1, 0.5)),
        ("vertex, 1", graded(&domain::vertex(1), 4, 2, 1.0)),
        ("fichera, 1", graded(&domain::fichera(1), 2, 2, 1.0)),
    ];
    for (name, space) in spaces {
        let count = count(&Problem::poisson(space, 1.0), &SMALL);
        assert!(count <= 13, "{name}: {count}");
    }
}

/// Degrees that jump between neighbours, turned cells, hanging everywhere.
#[test]
fn random_degrees_on_random_forests() {
    let mut random = Random::new(81);
    for (dim, rounds, most, bound) in [(2, 8, 8, 20), (2, 3, 8, 20), (3, 3, 5, 20)] {
        let space = Arc::new(random_space(dim, rounds, most, &[1], &mut random));
        let count = count(&Problem::poisson(space, 1.0), &SMALL);
        assert!(count <= bound, "dimension {dim}: {count}");
    }
}

/// Its side is curved across long cells, which costs more iterations than on balls and shells.
#[test]
fn a_cylinder_takes_up_to_20_iterations_at_degree_4() {
    let forest = Forest::new(&cylinder(1.0, 2.0, 2, 2, 4).unwrap()).unwrap();
    let degrees = vec![4; forest.cells().len()];
    let space = Arc::new(Space::new(forest, &degrees, &[1, 2, 3]).unwrap());
    let count = count(&Problem::poisson(space, 1.0), &SMALL);
    assert!(count <= 20, "{count}");
}

#[test]
fn coefficients_that_vary_reactions_and_curved_cells() {
    let rules = Rules { extra: 1, ..Rules::default() };
    let kappa = || Field::of(|x| 1.0 + 50.0 * f64::from(x[0] > 0.5) + x[1] * x[1]);
    for space in [uniform(&domain::square(1), 2, 6), uniform(&domain::cube(2), 0, 4)] {
        let problem = Problem::new(space).form(Diffusion::new(kappa())).mass(10.0).rules(rules.clone());
        let count = count(&problem, &SMALL);
        assert!(count <= 20, "{count}");
    }
    let ring = uniform(&quarter_ring(2), 2, 6);
    let count = count(&Problem::poisson(ring, 1.0), &SMALL);
    assert!(count <= 20, "a ring: {count}");
}

#[test]
fn both_engines_give_the_same_bits() {
    for precision in [Precision::Full, Precision::Single] {
        let problem = Problem::poisson(graded(&domain::lshape(1), 3, 2, 1.0), 1.0);
        let multigrid = Multigrid::new(&problem, &Settings { precision, ..SMALL }).unwrap();
        let A = matrix(&problem);
        let (x, result) = solve(&mut Immediate::new(Cpu), &A, &multigrid);
        let (again, recorded) = solve(&mut Recorded::new(Cpu), &A, &multigrid);
        assert_eq!((bits(&x), summary(&result)), (bits(&again), summary(&recorded)), "{precision:?}");
    }
}

#[test]
fn smoothing_in_single_precision_reaches_the_same_tolerance() {
    for space in [uniform(&domain::cube(2), 0, 5), graded(&domain::lshape(1), 5, 3, 1.0)] {
        let problem = Problem::poisson(space, 1.0);
        let full = count(&problem, &SMALL);
        let single = count(&problem, &Settings { precision: Precision::Single, ..SMALL });
        assert!(single <= full + 2, "{single} instead of {full}");
    }
}

#[test]
fn a_coarse_system_above_the_limit_is_continued_by_algebraic_multigrid() {
    let problem = Problem::poisson(uniform(&domain::square(6), 0, 3), 1.0);
    let [small, large] = [20, 100].map(|explicit| Multigrid::new(&problem, &Settings { explicit, ..SMALL }).unwrap());
    assert_eq!((small.coarse(), large.coarse()), (Coarse::Algebraic, Coarse::Explicit));
    assert_eq!(
        (small.hierarchy().unknowns(), large.hierarchy().unknowns()),
        (vec![289, 121, 25, 3], vec![289, 121, 25])
    );
    assert_eq!(
        small.describe(),
        "levels: degree 3 on 36 cells (289), degree 2 on 36 cells (121), degree 1 on 36 cells (25); \
         the last continued by algebraic multigrid (3)"
    );
    let A = matrix(&problem);
    for precision in [Precision::Full, Precision::Single] {
        let [small, large] =
            [20, 100].map(|explicit| Multigrid::new(&problem, &Settings { explicit, precision, ..SMALL }).unwrap());
        let [algebraic, explicit] = [small, large].map(|M| solve(&mut Immediate::new(Cpu), &A, &M).1.run.iterations);
        assert!(algebraic <= explicit + 2, "{algebraic} and {explicit}");
    }
}

/// Hexahedra that no octree has made: a ball of a cube and six shells, whose points are in any order.
pub fn ball_of(n: usize, degree: usize) -> Problem {
    let mesh = shuffle_points(&ball(1.0, n, 1).unwrap(), &mut Random::new(5));
    Problem::poisson(uniform(&mesh, 0, degree), 1.0)
}

/// At degree 1 all levels are algebraic multigrid's.
#[test]
fn unstructured_hexahedra_are_continued_by_algebraic_multigrid() {
    for (n, degree, most) in [(5, 1, 10), (4, 2, 14), (3, 4, 14)] {
        let problem = ball_of(n, degree);
        let [algebraic, inverted] = [60, 1000].map(|explicit| Settings { explicit, ..SMALL });
        let multigrid = Multigrid::new(&problem, &algebraic).unwrap();
        let rows = multigrid.hierarchy().unknowns();
        assert_eq!(multigrid.coarse(), Coarse::Algebraic);
        assert!(rows.len() > multigrid.spaces().len() && rows[rows.len() - 1] <= 60, "{rows:?}");
        let [found, exact] = [algebraic, inverted].map(|settings| count(&problem, &settings));
        assert!(found <= most && (found <= exact + 2 || degree == 1), "degree {degree}: {found} and {exact}");
        let (A, mut recorded) = (matrix(&problem), Recorded::new(Cpu));
        let [(x, one), (y, other)] =
            [solve(&mut Immediate::new(Cpu), &A, &multigrid), solve(&mut recorded, &A, &multigrid)];
        assert_eq!((bits(&x), summary(&one)), (bits(&y), summary(&other)));
    }
}

#[test]
fn matrix_free_levels_take_as_many_iterations() {
    let problem = Problem::poisson(graded(&domain::vertex(1), 2, 3, 1.0), 1.0);
    let [stored, free] = [Operators::Assembled, Operators::MatrixFree]
        .map(|operators| count(&problem, &Settings { operators, ..SMALL }));
    assert_eq!(stored, free);
}

#[test]
fn a_problem_without_unknowns_or_with_one() {
    for (p, cuts) in [(1, 0), (1, 1), (2, 0)] {
        let problem = Problem::poisson(uniform(&domain::square(1), cuts, p), 1.0);
        let multigrid = Multigrid::new(&problem, &SMALL).unwrap();
        let (x, result) = solve(&mut Immediate::new(Cpu), &matrix(&problem), &multigrid);
        assert!(x.len() <= 1 && result.run.iterations <= 1, "{x:?}");
    }
}

/// In both precisions, with a coarse system that is inverted, or continued by algebraic multigrid.
#[test]
fn constants_that_cost_nothing_are_left_out() {
    for (mesh, p) in [(domain::square(4), 5), (domain::cube(2), 4)] {
        let forest = Forest::new(&mesh).unwrap();
        let degrees = vec![p; forest.cells().len()];
        let space = Arc::new(Space::new(forest, &degrees, &[]).unwrap());
        let problem = Problem::poisson(space.clone(), Field::of(|x| (std::f64::consts::PI * x[0]).cos()));
        let (system, exact) = (problem.assemble_semidefinite(Interior::Kept).unwrap(), problem.solve().unwrap());
        for (precision, explicit) in [(Precision::Full, 30), (Precision::Full, 2), (Precision::Single, 30)] {
            let settings = Settings { precision, explicit, ..SMALL };
            let multigrid = Multigrid::of_system(&problem, &system, &settings).unwrap();
            let mut e = Immediate::new(Cpu);
            let (b, A) = (e.upload(&system.b), e.load(Box::new(Matrix::Csr(system.A.clone()))));
            let (M, mut x) = (multigrid.load(&mut e, &A), e.zeros_like(&b));
            let result = verified(&mut e, &cg, &A, &M, &b, &mut x, &Stop { rtol: 1e-9, ..Stop::default() });
            assert_eq!(result.run.outcome, Outcome::Converged);
            assert!(result.run.iterations <= 16, "{precision:?}, {explicit}: {}", result.run.iterations);
            let found = problem.solution(&system, &e.download(&x)).unwrap();
            for x in [[0.1, 0.2, 0.3], [0.9, 0.6, 0.5]] {
                let x = if space.dim() == 2 { [x[0], x[1], 0.0] } else { x };
                assert!((found.at(&x).unwrap() - exact.at(&x).unwrap()).abs() < 1e-8);
            }
        }
        let pinned = Multigrid::of_system(&problem, &problem.assemble(Interior::Kept).unwrap(), &SMALL);
        assert!(matches!(pinned, Err(Error::NotSolved { .. })), "{pinned:?}");
        let count = count(&Problem::poisson(space, 0.0).mass(1.0), &SMALL);
        assert!(count <= 13, "{count}");
    }
}

/// Iterations and seconds beside Jacobi's;
/// `cargo test --release -p galerkit-fem --test all -- --ignored --nocapture table_of`.
#[test]
#[ignore = "prints a table of counts and times"]
fn table_of_counts_and_times() {
    println!(
        "mesh | degree | unknowns | Jacobi: iterations, s | multigrid: iterations, products with A an iteration, s, set-up s"
    );
    let large = |p: usize| [16usize, 8, 8, 4, 4, 4, 4, 4][p - 1];
    for p in 1..=8 {
        table("square, 16^2 cells", p, uniform(&domain::square(1), 4, p));
        table("cube, 2^3 cells", p, uniform(&domain::cube(1), 1, p));
        table(&format!("cube, {}^3 cells", large(p)), p, uniform(&domain::cube(1), large(p).ilog2() as usize, p));
        table("lshape, 6 layers", p, graded(&domain::lshape(1), 6, p, 0.0));
        table("vertex, 4 layers", p, graded(&domain::vertex(1), 4, p, 0.0));
        table("fichera, 3 layers", p, graded(&domain::fichera(1), 3, p, 0.0));
    }
    table("lshape, 8 layers, slope 1", 8, graded(&domain::lshape(1), 8, 1, 1.0));
    table("lshape, 12 layers, slope 1/2", 7, graded(&domain::lshape(1), 12, 1, 0.5));
    table("vertex, 6 layers, slope 1", 8, graded(&domain::vertex(1), 6, 2, 1.0));
    table("fichera, 5 layers, slope 1", 7, graded(&domain::fichera(1), 5, 2, 1.0));
}

fn table(name: &str, p: usize, space: Arc<Space>) {
    let problem = Problem::poisson(space, 1.0);
    let A = matrix(&problem);
    let mut e = Immediate::new(Cpu);
    let inverse = Diagonal::new(A.diagonal().iter().map(|d| 1.0 / d).collect());
    let (b, D) = (e.upload(&scattered(A.rows())), e.load(Box::new(inverse)));
    let stored = e.load(Box::new(Matrix::Csr(A)));
    let stop = Stop { rtol: 1e-8, limit: 10_000, ..Stop::default() };
    let run = |e: &mut Immediate<f64, Cpu>, M: &dyn Operator<Immediate<f64, Cpu>>| {
        let (mut x, time) = (e.zeros_like(&b), Instant::now());
        let run = cg(e, &stored, M, &b, &mut x, &stop);
        (run.iterations, time.elapsed().as_secs_f64())
    };
    let (count, seconds) = run(&mut e, &D);
    print!("{name} | {p} | {} | {count}, {seconds:.4} |", b.entries().len());
    for precision in [Precision::Full, Precision::Single] {
        let (settings, time) = (Settings { precision, ..Settings::default() }, Instant::now());
        let multigrid = Multigrid::new(&problem, &settings).unwrap();
        let set_up = time.elapsed().as_secs_f64();
        let levels = multigrid.hierarchy().levels.len();
        let products = if levels == 0 { 1 } else { 2 * settings.degree + 3 };
        let M = multigrid.load(&mut e, &stored);
        let (count, seconds) = run(&mut e, &M);
        print!(" {precision:?}: {count}, {products}, {seconds:.4}, {set_up:.3}, {levels} levels");
    }
    println!();
}
