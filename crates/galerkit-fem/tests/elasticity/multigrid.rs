//! Multigrid of bodies: its first prolongator, counts over degrees and cells, both engines, a GPU.

use galerkit_cuda::{Cuda, Settings, testing};
use galerkit_fem::elasticity::{BodyMultigrid, Equations, Solid};
use galerkit_fem::form::Elasticity;
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::generate::brick_of_order;
use galerkit_linalg::backend::Cpu;
use galerkit_linalg::engine::{Engine, Immediate, Recorded};
use galerkit_linalg::krylov::{Outcome, Stop, Verified, cg, verified};
use galerkit_linalg::multigrid::amg::Amg;
use galerkit_linalg::sparse::Matrix;
use galerkit_testkit::{bits, distance, summary};

fn body(mesh: Mesh) -> (Solid, Equations) {
    let solid = Solid::new(mesh, Elasticity::new(1.0, 0.3)).unwrap().clamp(1).traction(2, |_| [0.0, 0.1, -1.0]);
    let equations = solid.assemble().unwrap();
    (solid, equations)
}

fn of_degree(degree: usize) -> (Solid, Equations) {
    body(brick_of_order([0.0; 3], [2.0, 1.0, 1.0], [6, 3, 3], degree).unwrap())
}

fn multigrid((solid, equations): &(Solid, Equations), name: &str) -> BodyMultigrid {
    let amg: Amg = name.parse().unwrap();
    BodyMultigrid::new(solid, equations, &amg).unwrap()
}

fn solve<E: Engine<Scalar = f64>>(e: &mut E, equations: &Equations, multigrid: &BodyMultigrid) -> (Vec<f64>, Verified) {
    let (b, A) = (e.upload(&equations.b), e.load(Box::new(Matrix::Csr(equations.A.clone()))));
    let (M, mut x) = (multigrid.load(e, &A), e.zeros_like(&b));
    let result = verified(e, &cg, &A, &M, &b, &mut x, &Stop { rtol: 1e-8, ..Stop::default() });
    assert_eq!(result.run.outcome, Outcome::Converged);
    (e.download(&x), result)
}

const USUAL: &str = "amg,theta_f=0.1,lambda=lanczos:10,coarse=100";

/// Linear displacements of the corners become those of all nodes, but beside the clamped face, whose corners do not
/// move.
#[test]
fn linear_displacements_are_prolongated_exactly() {
    let body = of_degree(3);
    let multigrid = multigrid(&body, USUAL);
    let level = &multigrid.hierarchy().levels[0];
    let is_corner = |x: &[f64; 3]| x.iter().all(|x| (3.0 * x - (3.0 * x).round()).abs() < 1e-9);
    let all: Vec<[f64; 3]> = body.1.free().iter().map(|&node| body.0.mesh().points[node as usize]).collect();
    let corners: Vec<[f64; 3]> = all.iter().copied().filter(is_corner).collect();
    assert_eq!(level.prolongation.shape(), (3 * all.len(), 3 * corners.len()));
    let linear = |x: &[f64; 3]| [1.0 + x[0] - 2.0 * x[2], 3.0 * x[1], x[0] - x[1] + 0.5 * x[2]];
    let given: Vec<f64> = corners.iter().flat_map(linear).collect();
    let (mut P, mut found) = (level.prolongation.clone(), vec![0.0; 3 * all.len()]);
    let values = P.take_values();
    P.apply(&values, &given, &mut found);
    for (x, found) in all.iter().zip(found.chunks(3)).filter(|(x, _)| x[0] > 1.0 / 3.0 - 1e-9) {
        assert!(linear(x).iter().zip(found).all(|(u, found)| (u - found).abs() < 1e-12), "{x:?}");
    }
}

#[test]
fn counts_grow_slowly_with_the_degree() {
    for (degree, most) in [(1, 14), (2, 17), (3, 32)] {
        let body = of_degree(degree);
        let (_, result) = solve(&mut Immediate::new(Cpu), &body.1, &multigrid(&body, USUAL));
        assert!(result.run.iterations <= most, "degree {degree}: {}", result.run.iterations);
    }
}

#[test]
fn both_engines_give_the_same_bits_and_single_precision_the_same_count() {
    let body = of_degree(2);
    let usual = multigrid(&body, USUAL);
    let (x, one) = solve(&mut Immediate::new(Cpu), &body.1, &usual);
    let (y, other) = solve(&mut Recorded::new(Cpu), &body.1, &usual);
    assert_eq!((bits(&x), summary(&one)), (bits(&y), summary(&other)));
    let single = multigrid(&body, &format!("{USUAL},precision=f32"));
    let (z, in_single) = solve(&mut Immediate::new(Cpu), &body.1, &single);
    assert!(distance(&x, &z) < 1e-6 && in_single.run.iterations <= one.run.iterations + 1);
    assert!(
        usual.describe().starts_with("levels: 1764 of all degrees, of degree 1 and below 288, 54"),
        "{}",
        usual.describe()
    );
}

#[test]
fn a_gpu_computes_what_the_reference_does() {
    let Some(gpu) = testing::gpu() else { return };
    let body = body(brick_of_order([0.0; 3], [2.0, 1.0, 1.0], [3, 2, 2], 2).unwrap());
    let multigrid = multigrid(&body, "amg,theta_f=0.1,lambda=lanczos:10,coarse=20");
    let (x, of_host) = solve(&mut Immediate::new(Cpu), &body.1, &multigrid);
    let mut e = Recorded::over(Cuda::<f64>::new(&gpu, Settings::default()).unwrap());
    let (y, of_gpu) = solve(&mut e, &body.1, &multigrid);
    assert!(e.executor().failure().is_none(), "{}", e.executor().failure().unwrap());
    assert_eq!(e.executor().host_products(), 0);
    assert!(distance(&x, &y) < 1e-6 && of_gpu.run.iterations.abs_diff(of_host.run.iterations) <= 1);
}
