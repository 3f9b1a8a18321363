//! The parts of p-multigrid: Gauss-Lobatto points and nodal functions, coarser forests, the basis of low energy, its
//! diagonal and blocks, transfers, the cycle as an operator.

use crate::multigrid::{SMALL, graded, scattered, uniform};
use crate::scenes::{random_degrees, random_forest, random_space};
use galerkit_fem::basis::hierarchical::values;
use galerkit_fem::basis::nodal::Nodal;
use galerkit_fem::forest::closure::too_large;
use galerkit_fem::form::{Diffusion, Field};
use galerkit_fem::multigrid::blocks::{Block, blocks};
use galerkit_fem::multigrid::extension::extension_and_reduction;
use galerkit_fem::multigrid::interiors::Interiors;
use galerkit_fem::multigrid::low_energy::{Basis, low_energy_rows};
use galerkit_fem::multigrid::scaling::NodalScaling;
use galerkit_fem::multigrid::spaces::coarser_spaces;
use galerkit_fem::multigrid::weights::{entity_blocks, nodal_diagonal};
use galerkit_fem::multigrid::{Multigrid, Settings, block_jacobi};
use galerkit_fem::problem::Interior;
use galerkit_fem::quadrature::lobatto;
use galerkit_fem::space::row::Row;
use galerkit_fem::{Forest, Problem, Space, domain};
use galerkit_linalg::backend::{Cpu, Reference};
use galerkit_linalg::engine::{Engine, Immediate, Operator};
use galerkit_linalg::krylov::{Stop, cg};
use galerkit_linalg::multigrid::Polynomial;
use galerkit_linalg::program::Precision;
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::Matrix;
use galerkit_linalg::{Diagonal, LinearMap};
use std::sync::Arc;

#[test]
fn lobatto_rules_by_hand() {
    let rule = lobatto(3);
    for (t, expected) in rule.points.iter().zip([-1.0, -0.2f64.sqrt(), 0.2f64.sqrt(), 1.0]) {
        assert!((t - expected).abs() < 1e-15, "{t}");
    }
    for (w, expected) in rule.weights.iter().zip([1.0 / 6.0, 5.0 / 6.0, 5.0 / 6.0, 1.0 / 6.0]) {
        assert!((w - expected).abs() < 1e-15, "{w}");
    }
    assert_eq!(lobatto(1).points, [-1.0, 1.0]);
    for q in 1..=10 {
        let rule = lobatto(q);
        let power = rule.points.iter().zip(&rule.weights).map(|(t, w)| w * t.powi(2 * q as i32 - 2)).sum::<f64>();
        assert!((power - 2.0 / (2 * q - 1) as f64).abs() < 1e-14, "degree {q}: {power}");
    }
}

#[test]
fn nodal_functions_are_1_at_one_point() {
    for q in 1..=10 {
        let (points, nodal) = (lobatto(q).points, Nodal::of(q));
        for (i, &t) in points.iter().enumerate() {
            let phi = values(q, t);
            let bubbles = |a: &dyn Fn(usize) -> f64| (2..=q).map(|j| a(j - 2) * phi[j]).sum::<f64>();
            for (end, linear) in phi[..2].iter().enumerate() {
                let l = linear + bubbles(&|j| nodal.ends[j][end]);
                assert!((l - f64::from(i == end * q)).abs() < 1e-13, "degree {q}, end {end}, point {i}: {l}");
            }
            for k in 1..q {
                let l = bubbles(&|j| nodal.inner[(j, k - 1)]);
                assert!((l - f64::from(i == k)).abs() < 1e-13, "degree {q}, point {i}, function {k}: {l}");
            }
        }
    }
}

#[test]
fn coarsening_takes_back_refinement() {
    let mut forest = Forest::new(&domain::lshape(1)).unwrap();
    assert!(forest.coarsened().is_none());
    forest.refine_all(2).unwrap();
    let once = forest.coarsened().unwrap();
    assert_eq!((once.cells().len(), once.coarsened().unwrap().cells().len()), (12, 3));
}

#[test]
fn coarser_forests_stay_irregular_by_one_and_end_with_the_trees() {
    let mut random = Random::new(91);
    for dim in [2, 3] {
        let mut forest = random_forest(dim, 8, &mut random);
        let trees = forest.coarse().trees();
        while let Some(coarser) = forest.coarsened() {
            assert!(!too_large(coarser.coarse(), coarser.cells()).contains(&true));
            assert!(coarser.cells().len() < forest.cells().len());
            forest = coarser;
        }
        assert_eq!(forest.cells().len(), trees);
    }
}

/// N, from nodal to hierarchical functions, of one entity.
fn nodal_matrix(block: &Block) -> Vec<Vec<f64>> {
    let (n, N) = (block.bubbles(), &Nodal::of(block.degree as usize).inner);
    let along = |i: usize, k: usize, axis: u32| N[(i / n.pow(axis) % n, k / n.pow(axis) % n)];
    let entry = |i: usize, k: usize| (0..u32::from(block.dim)).map(|axis| along(i, k, axis)).product();
    (0..block.len()).map(|i| (0..block.len()).map(|k| entry(i, k)).collect()).collect()
}

/// T N as a dense matrix.
fn dense(space: &Space, T: &[Row]) -> Vec<Vec<f64>> {
    let n = space.unknowns();
    let mut N = vec![vec![0.0; n]; n];
    for block in blocks(space) {
        for (i, row) in nodal_matrix(&block).into_iter().enumerate() {
            N[block.first as usize + i][block.unknowns()].copy_from_slice(&row);
        }
    }
    let row = |row: &Row| (0..n).map(|k| row.iter().map(|&(j, t)| t * N[j as usize][k]).sum()).collect();
    T[..n].iter().map(row).collect()
}

/// The constant 1 has the nodal value 1 everywhere, also at nodes that depend on hanging functions.
#[test]
fn nodal_values_of_a_constant() {
    let mut random = Random::new(92);
    for (dim, rounds, most) in [(2, 5, 8), (3, 2, 4)] {
        let space = random_space(dim, rounds, most, &[], &mut random);
        let u: Vec<f64> = dense(&space, &low_energy_rows(&space)).iter().map(|row| row.iter().sum()).collect();
        for (i, (u, one)) in u.iter().zip(space.one()).enumerate() {
            assert!((u - one).abs() < 1e-12, "dimension {dim}, function {i}: {u} for {one}");
        }
    }
}

#[test]
fn the_diagonal_is_that_of_the_transformed_matrix() {
    let mut random = Random::new(93);
    let kappa = || Field::of(|x| 1.0 + x[0] * x[0] + 0.5 * x[1]);
    for (dim, rounds, most) in [(2, 3, 6), (3, 1, 3)] {
        let random = Arc::new(random_space(dim, rounds, most, &[1], &mut random));
        let problems = [
            Problem::poisson(random.clone(), 1.0),
            Problem::poisson(random.clone(), 1.0).mass(30.0),
            Problem::new(random).form(Diffusion::new(kappa())).mass(1.0),
            Problem::poisson(uniform(&if dim == 2 { domain::square(2) } else { domain::cube(2) }, 0, 3), 1.0),
        ];
        for problem in problems {
            let (space, A) = (problem.space(), problem.assemble(Interior::Kept).unwrap().A);
            let T = low_energy_rows(space);
            let TN = dense(space, &T);
            let found = nodal_diagonal(&problem, &Basis::low_energy(space), &blocks(space)).unwrap();
            for (k, found) in found.iter().enumerate() {
                let t: Vec<f64> = TN.iter().map(|row| row[k]).collect();
                let exact: f64 = (0..t.len()).map(|i| t[i] * A.row(i).map(|(j, a)| a * t[j]).sum::<f64>()).sum();
                assert!((found - exact).abs() < 1e-10 * exact, "dimension {dim}, function {k}: {found} for {exact}");
            }
        }
    }
}

#[test]
fn scaling_is_n_d_inverse_n_transposed_on_any_thread() {
    let space = graded(&domain::vertex(1), 2, 2, 1.0);
    let (blocks, n) = (blocks(&space), space.unknowns());
    let diagonal: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
    let mut map = NodalScaling::new(blocks.clone(), &diagonal);
    let values = map.take_values();
    let (x, mut y, mut threaded) = (scattered(n), vec![f64::NAN; n], vec![f64::NAN; n]);
    map.apply(&values, &x, &mut y);
    map.apply_on_threads(&values, &x, &mut threaded);
    assert_eq!(y, threaded);
    for block in blocks {
        let (N, own) = (nodal_matrix(&block), block.unknowns());
        let scaled = |k: usize| (0..N.len()).map(|i| N[i][k] * x[own.start + i]).sum::<f64>() / diagonal[own.start + k];
        for i in 0..N.len() {
            let exact: f64 = (0..N.len()).map(|k| N[i][k] * scaled(k)).sum();
            assert!((y[own.start + i] - exact).abs() < 1e-13, "{block:?}, row {i}: {} for {exact}", y[own.start + i]);
        }
    }
}

fn product(A: &dyn LinearMap<f64>, x: &[f64]) -> Vec<f64> {
    let mut A = A.clone_map();
    let (values, mut y) = (A.take_values(), vec![f64::NAN; A.shape().0]);
    A.apply(&values, x, &mut y);
    y
}

/// Discretised again, the matrix of a level is P^T A P, with degrees and forests coarsened; P^T is the transpose of P.
#[test]
fn matrices_of_levels_are_galerkin_products() {
    let mut random = Random::new(94);
    let mut spaces = vec![graded(&domain::lshape(1), 4, 2, 1.0), uniform(&domain::cube(1), 2, 2)];
    for dim in [2, 3] {
        let forest = random_forest(dim, 4, &mut random);
        let degrees = random_degrees(&forest, 5, &mut random);
        spaces.push(Arc::new(Space::new(forest, &degrees, &[1]).unwrap()));
    }
    for space in spaces {
        let problem = Problem::poisson(space, 1.0).mass(1.0);
        let multigrid = Multigrid::new(&problem, &Settings { explicit: 3, ..SMALL }).unwrap();
        let levels = &multigrid.hierarchy().levels;
        for pair in levels.windows(2) {
            let [fine, coarse] =
                [0, 1].map(|k| pair[k].A.as_deref().expect("every level of finite elements has its own"));
            let (x, y) = (scattered(coarse.shape().0), scattered(fine.shape().0));
            let Px = product(&*pair[0].prolongation, &x);
            let found = product(&*pair[0].restriction, &product(fine, &Px));
            let size = found.iter().fold(0.0f64, |most, value| most.max(value.abs()));
            for (found, expected) in found.iter().zip(product(coarse, &x)) {
                assert!((found - expected).abs() < 1e-12 * size, "{found} for {expected}");
            }
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let apart = dot(&Px, &y) - dot(&x, &product(&*pair[0].restriction, &y));
            assert!(apart.abs() < 1e-13 * y.len() as f64, "{apart:e}");
        }
    }
}

#[test]
fn spaces_are_halved_then_coarsened() {
    let sizes = |spaces: Vec<Arc<Space>>| -> Vec<(usize, usize)> {
        spaces.iter().map(|space| (space.degrees().into_iter().max().unwrap(), space.cells())).collect()
    };
    let spaces = coarser_spaces(&uniform(&domain::square(1), 2, 7), 1).unwrap();
    assert_eq!(sizes(spaces), [(7, 16), (4, 16), (2, 16), (1, 16), (1, 4)]);
    let spaces = coarser_spaces(&uniform(&domain::square(1), 2, 7), 100).unwrap();
    assert_eq!(sizes(spaces), [(7, 16), (4, 16), (2, 16)]);
}

#[test]
fn the_cycle_is_symmetric_and_positive() {
    let mut random = Random::new(95);
    for (dim, rounds, most) in [(2, 5, 8), (3, 2, 4)] {
        let problem = Problem::poisson(Arc::new(random_space(dim, rounds, most, &[1], &mut random)), 1.0);
        let multigrid = Multigrid::new(&problem, &SMALL).unwrap();
        let mut e = Immediate::new(Reference);
        let A = e.load(Box::new(Matrix::Csr(problem.assemble(Interior::Kept).unwrap().A)));
        let M = multigrid.load(&mut e, &A);
        let mut vector = || (0..problem.space().unknowns()).map(|_| random.unit() - 0.5).collect::<Vec<f64>>();
        for _ in 0..3 {
            let [x, y] = [e.upload(&vector()), e.upload(&vector())];
            let [mut Mx, mut My] = e.vectors_like(&x);
            M.apply(&mut e, &x, &mut Mx);
            M.apply(&mut e, &y, &mut My);
            let [xMx, xMy, yMx] = [e.dot(&x, &Mx), e.dot(&x, &My), e.dot(&y, &Mx)];
            assert!(xMx > 0.0 && (xMy - yMx).abs() < 1e-12 * xMx, "dimension {dim}: {xMx}, {xMy}, {yMx}");
        }
    }
}

#[test]
fn blocks_of_entities_are_those_of_the_matrix() {
    let mut random = Random::new(96);
    for (dim, rounds, most) in [(2, 3, 6), (3, 1, 4)] {
        let problem = Problem::poisson(Arc::new(random_space(dim, rounds, most, &[1], &mut random)), 1.0);
        let (A, of_entities) = (problem.assemble(Interior::Kept).unwrap().A, blocks(problem.space()));
        assert_eq!(of_entities.iter().map(Block::len).sum::<usize>(), A.rows());
        let found = entity_blocks(&problem, &Basis::hierarchical(problem.space()), &of_entities).unwrap();
        let M = block_jacobi(&problem).unwrap();
        for (block, B) in of_entities.iter().zip(&found) {
            let n = block.len();
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let (row, column) = (block.first as usize + i, block.first as usize + j);
                let exact = A.get(row, column).unwrap_or(0.0);
                assert!((B[(i, j)] - exact).abs() < 1e-12, "{block:?}: {} for {exact}", B[(i, j)]);
                let unit: f64 =
                    (0..n).map(|k| B[(i, k)] * M.get(block.first as usize + k, column).unwrap_or(0.0)).sum();
                assert!((unit - f64::from(i == j)).abs() < 1e-10, "{block:?}: {unit}");
            }
        }
    }
}

#[test]
fn block_jacobi_by_entity_takes_fewer_iterations_than_jacobi() {
    let problem = Problem::poisson(uniform(&domain::cube(2), 0, 6), 1.0);
    let A = problem.assemble(Interior::Kept).unwrap().A;
    let M = block_jacobi(&problem).unwrap();
    assert!(M.nnz() < 20 * A.rows(), "functions of different parity do not couple: {}", M.nnz());
    let mut e = Immediate::new(Cpu);
    let D = e.load(Box::new(Diagonal::new(A.diagonal().iter().map(|d| 1.0 / d).collect())));
    let b = e.upload(&scattered(A.rows()));
    let (A, M) = (e.load(Box::new(Matrix::Csr(A))), e.load(Box::new(Matrix::Csr(M))));
    let mut count = |M: &dyn Operator<_>| {
        let mut x = e.zeros(problem.space().unknowns(), Precision::Full);
        cg(&mut e, &A, M, &b, &mut x, &Stop { rtol: 1e-8, ..Stop::default() }).iterations
    };
    let [jacobi, blocks] = [count(&D), count(&M)];
    assert!(3 * blocks < 2 * jacobi, "{blocks} and {jacobi}");
}

/// Above the upper bound of its interval the smoother would make the cycle indefinite; far above, it would not smooth.
#[test]
fn no_eigenvalue_of_a_level_is_above_its_interval() {
    let mut random = Random::new(97);
    let mut spaces = vec![graded(&domain::vertex(1), 2, 3, 1.0), uniform(&domain::square(2), 2, 7)];
    spaces.extend(
        [(2, 6, 8), (3, 2, 5)].map(|(dim, rounds, most)| Arc::new(random_space(dim, rounds, most, &[1], &mut random))),
    );
    for space in spaces {
        let multigrid = Multigrid::new(&Problem::poisson(space, 1.0), &SMALL).unwrap();
        for level in &multigrid.hierarchy().levels {
            let A = level.A.as_deref().expect("every level of finite elements has its own");
            let (mut x, mut largest) = (scattered(A.shape().0), 0.0);
            for _ in 0..200 {
                let y = level.inverse.iter().fold(product(A, &x), |x, M| product(&**M, &x));
                let [before, after] = [&x, &y].map(|x| x.iter().map(|v| v * v).sum::<f64>().sqrt());
                largest = after / before;
                x = y.iter().map(|v| v / after).collect();
            }
            let Polynomial::Chebyshev(interval) = level.polynomial else { panic!("degrees are smoothed by Chebyshev") };
            let (_, upper) = interval.bounds();
            assert!(upper > largest && upper < 1.3 * largest, "{upper} for {largest}");
        }
    }
}

/// T by interface rows and interiors cell by cell is T by rows; the reduction is the transpose of the extension, and
/// both have the same bits on threads.
#[test]
fn interiors_cell_by_cell_are_the_rows_of_the_basis() {
    let mut random = Random::new(98);
    for (dim, rounds, most, fixed) in [(2, 6, 8, &[1][..]), (3, 2, 6, &[1]), (3, 2, 3, &[]), (2, 0, 1, &[1])] {
        let space = random_space(dim, rounds, most, fixed, &mut random);
        let (n, w) = (space.unknowns(), scattered(space.unknowns()));
        let times = |row: &Row| row.iter().map(|&(j, t)| t * w[j as usize]).sum::<f64>();
        let exact: Vec<f64> = low_energy_rows(&space)[..n].iter().map(times).collect();
        let T = Basis::low_energy(&space).matrix().unwrap();
        let u: Vec<f64> = (0..T.rows()).map(|i| T.row(i).map(|(j, t)| t * w[j]).sum()).collect();
        let (extension, reduction) = extension_and_reduction(Interiors::new(&space));
        let found = product(&extension, &u);
        for (found, exact) in found.iter().zip(&exact) {
            assert!((found - exact).abs() < 1e-13, "dimension {dim}: {found} for {exact}");
        }
        let y = scattered(n);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let reduced = product(&reduction, &y);
        assert!((dot(&found, &y) - dot(&u, &reduced)).abs() < 1e-12 * n as f64, "dimension {dim}");
        let (mut threaded, mut reduced_on_threads) = (vec![f64::NAN; n], vec![f64::NAN; u.len()]);
        extension.apply_on_threads(&[], &u, &mut threaded);
        reduction.apply_on_threads(&[], &y, &mut reduced_on_threads);
        assert_eq!((threaded, reduced_on_threads), (found, reduced), "dimension {dim}");
    }
}
