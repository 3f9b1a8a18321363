//! Systems and solutions: invariants of section 8 and edge cases of section 9 of the specification, observed orders.

use crate::scenes::{random_degrees, random_forest, random_space};
use galerkit_direct::sparse_cholesky;
use galerkit_fem::form::{Diffusion, Field, Kappa, Neumann, Robin};
use galerkit_fem::norm::{Norms, energy, errors};
use galerkit_fem::problem::{Assembler, Interior, Solution};
use galerkit_fem::quadrature::{Line, Patch};
use galerkit_fem::{Error, Forest, Mesh, Problem, Space, domain};
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::Csr;
use std::f64::consts::PI;
use std::sync::Arc;

fn times(A: &Csr<f64>, x: &[f64]) -> Vec<f64> {
    (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect()
}

fn product(u: &[f64], v: &[f64]) -> f64 {
    u.iter().zip(v).map(|(u, v)| u * v).sum()
}

#[test]
fn constants_cost_nothing_and_functions_cost_something() {
    let mut random = Random::new(31);
    for (dim, rounds, most) in [(2, 5, 6), (3, 2, 4)] {
        let space = Arc::new(random_space(dim, rounds, most, &[], &mut random));
        // With a mass in front nothing floats and nothing is pinned.
        let with = |c: f64| {
            let problem = Problem::poisson(space.clone(), 0.0).mass(c);
            problem.assemble(Interior::Kept).unwrap().A
        };
        let (A, B) = (with(1.0), with(2.0));
        let one = space.one();
        let mut K = A.clone(); // 2 (K + M) - (K + 2 M)
        K.val_mut().iter_mut().zip(B.val()).for_each(|(a, b)| *a = 2.0 * *a - b);
        assert!(times(&K, &one).iter().all(|y| y.abs() < 1e-12), "K 1 = 0");
        let volume = if dim == 2 { 3.0 } else { 7.0 };
        assert!((product(&one, &times(&A, &one)) - volume).abs() < 1e-12, "1 M 1 is the volume");
        let asymmetry = (0..A.rows()).flat_map(|i| A.row(i).map(move |(j, a)| (i, j, a)).collect::<Vec<_>>());
        assert!(asymmetry.into_iter().all(|(i, j, a)| (a - A.get(j, i).unwrap()).abs() < 1e-13));
        assert!(sparse_cholesky(&A).is_ok(), "positive definite");
    }
}

#[test]
fn the_order_of_cells_changes_nothing() {
    let mut random = Random::new(32);
    let mut mesh = domain::fichera(1);
    let mut found = Vec::new();
    for turn in 0..3 {
        if turn > 0 {
            let order = random.shuffled(7);
            let nodes = mesh.blocks[0].nodes.clone();
            mesh.blocks[0].nodes =
                order.iter().flat_map(|&e| nodes[8 * e as usize..8 * e as usize + 8].to_vec()).collect();
        }
        let mut forest = Forest::new(&mesh).unwrap();
        let at_corner: Vec<usize> = (0..7).filter(|&e| forest.map(e).at(&[0.0; 3]).0 == [-0.5; 3]).collect();
        forest.refine(&at_corner).unwrap();
        // A degree that depends on where the cell is, not on its number.
        let degree = |e: usize| 1 + forest.map(e).at(&[0.0; 3]).0.iter().filter(|x| **x < 0.0).count();
        let degrees: Vec<usize> = (0..forest.cells().len()).map(degree).collect();
        let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
        let problem = Problem::poisson(space.clone(), Field::of(|x| x[0] + 2.0 * x[1] * x[2]));
        let solution = problem.solve().unwrap();
        let probes = [[-0.3, -0.4, -0.2], [0.5, -0.6, 0.1], [-0.7, 0.2, 0.9]].map(|x| solution.at(&x).unwrap());
        found.push((space.unknowns(), energy(&problem, &solution).unwrap(), probes));
    }
    for other in &found[1..] {
        assert_eq!(other.0, found[0].0);
        assert!((other.1 - found[0].1).abs() < 1e-12 * found[0].1);
        assert!(other.2.iter().zip(&found[0].2).all(|(a, b)| (a - b).abs() < 1e-13));
    }
}

#[test]
fn threads_change_no_bit() {
    let space = Arc::new(random_space(3, 3, 4, &[1], &mut Random::new(33)));
    let problem = Problem::poisson(space, Field::of(|x| (3.0 * x[0]).sin() + x[2]));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| problem.assemble(Interior::Kept).unwrap())
    };
    let (one, three) = (on(1), on(3));
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(one.A.val()), bits(three.A.val()));
    assert_eq!(bits(&one.b), bits(&three.b));
}

#[test]
fn the_pattern_leaves_out_what_is_zero_and_nothing_else() {
    let mut random = Random::new(37);
    for (dim, rounds, most) in [(2, 4, 7), (3, 2, 5)] {
        let space = Arc::new(random_space(dim, rounds, most, &[1], &mut random));
        let K = [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (name, tensor) in [("scalar", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), ("tensor", K)] {
            let assemble =
                |kappa| Problem::new(space.clone()).form(Diffusion { kappa }).assemble(Interior::Kept).unwrap().A;
            // The same coefficient as a function is integrated by quadrature, into blocks without gaps.
            let (sparse, full) =
                (assemble(Kappa::Tensor(tensor)), assemble(Kappa::TensorField(Arc::new(move |_| tensor))));
            assert!(sparse.nnz() < full.nnz(), "{name}");
            let most = full.val().iter().fold(0.0f64, |most, a| most.max(a.abs()));
            for i in 0..full.rows() {
                for (j, a) in full.row(i) {
                    assert!((sparse.get(i, j).unwrap_or(0.0) - a).abs() < 1e-13 * most, "{name}, entry {i}, {j}");
                }
            }
        }
    }
    // Robin terms fill a block; without them a box of degree 6 has less than a tenth of its entries.
    let space = Arc::new(Space::new(Forest::new(&domain::cube(1)).unwrap(), &[6], &[]).unwrap());
    let A = Problem::poisson(space, 0.0).robin(Robin::new(1, 1.0)).assemble(Interior::Kept).unwrap().A;
    assert_eq!(A.nnz(), 343 * 343);
    let space = Arc::new(Space::new(Forest::new(&domain::cube(1)).unwrap(), &[6], &[1]).unwrap());
    assert!(Problem::poisson(space, 0.0).assemble(Interior::Kept).unwrap().A.nnz() < 125 * 125 / 10);
}

#[test]
fn an_assembler_serves_other_coefficients_on_its_space() {
    let space = Arc::new(random_space(3, 2, 4, &[1], &mut Random::new(38)));
    let problem = |kappa: f64| Problem::new(space.clone()).form(Diffusion::new(kappa)).source(1.0);
    let assembler = Assembler::new(&problem(1.0), Interior::Kept).unwrap();
    let (again, fresh) = (assembler.assemble(&problem(3.0)).unwrap(), problem(3.0).assemble(Interior::Kept).unwrap());
    assert_eq!((&again.A, &again.b), (&fresh.A, &fresh.b));
    // values = S k with the map that an engine would use
    let (k, _) = assembler.contributions(&problem(3.0), &vec![0.0; space.counts().total]).unwrap();
    let mut values = vec![0.0; again.A.nnz()];
    galerkit_linalg::LinearMap::<f64>::apply(assembler.to_slots(), &[], &k, &mut values);
    assert_eq!(values, again.A.val());
    assert!(matches!(assembler.assemble(&problem(1.0).mass(1.0)), Err(Error::NotInPattern { .. })));
    let other = Problem::poisson(Arc::new((*space).clone()), 1.0);
    assert!(matches!(assembler.assemble(&other), Err(Error::OtherSpace)));
}

#[test]
fn static_condensation_changes_nothing() {
    let mut random = Random::new(34);
    for (dim, rounds, most) in [(2, 4, 8), (3, 2, 5)] {
        let space = Arc::new(random_space(dim, rounds, most, &[1], &mut random));
        let data = Field::of(|x| 1.0 + x[0] * (2.0 * x[1]).cos() + x[2]);
        let problem = Problem::poisson(space.clone(), Field::of(|x| (x[0] - 2.0 * x[1]).exp())).dirichlet(1, data);
        let kept = problem.solve_with(Interior::Kept).unwrap();
        let condensed = problem.solve_with(Interior::Condensed).unwrap();
        assert!(problem.assemble(Interior::Condensed).unwrap().b.len() < space.unknowns());
        let size = kept.masters().iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let apart = kept.masters().iter().zip(condensed.masters()).fold(0.0f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(apart < 1e-10 * size, "{apart:e}");
    }
}

#[test]
fn errors_are_orthogonal_to_the_space_and_fall_when_it_grows() {
    // u_H in a space, u_h in a larger one: a(u_h - u_H, v_H) = 0, so energies add up (zero Dirichlet data), and never
    // fall.
    let mut random = Random::new(35);
    let f = Field::of(|x| 1.0 + x[0] * x[1]);
    let mut forest = random_forest(2, 3, &mut random);
    let mut degrees = random_degrees(&forest, 4, &mut random);
    let mut last = 0.0;
    for step in 0..4 {
        let space = Arc::new(Space::new(forest.clone(), &degrees, &[1]).unwrap());
        let problem = Problem::poisson(space, f.clone());
        let (system, solution) = (problem.assemble(Interior::Kept).unwrap(), problem.solve().unwrap());
        let energy = energy(&problem, &solution).unwrap();
        assert!((energy - product(&system.b, solution.unknowns())).abs() < 1e-9, "a(u_h, u_h) = l(u_h)");
        assert!(energy > last - 1e-12, "step {step}: {energy} after {last}");
        last = energy;
        if step % 2 == 0 {
            let chosen = random.below(degrees.len());
            degrees[chosen] += 2;
        } else {
            let origin = forest.refine(&[random.below(degrees.len())]).unwrap();
            degrees = origin.iter().map(|&e| degrees[e]).collect();
        }
    }
}

#[test]
fn galerkin_orthogonality_holds_against_the_exact_solution() {
    // a(u - u_h, v) = 0 for the hat functions v: l(v) - a(u_h, v), integrated with other rules than those of the solve.
    let space = Arc::new(random_space(2, 4, 5, &[1, 2], &mut Random::new(36)));
    let u = |x: &[f64; 3]| (x[0] + 2.0 * x[1]).sin();
    let value = Field::of(u);
    let f = Field::of(move |x| 5.0 * u(x));
    let problem = |extra| {
        let rules = galerkit_fem::assemble::rules::Rules { extra, ..Default::default() };
        Problem::poisson(space.clone(), f.clone()).dirichlet(1, value.clone()).dirichlet(2, value.clone()).rules(rules)
    };
    let solution = problem(8).solve().unwrap();
    let system = problem(12).assemble(Interior::Kept).unwrap();
    assert!(times(&system.A, solution.unknowns()).iter().zip(&system.b).all(|(Au, b)| (Au - b).abs() < 1e-9));
}

/// Errors of a smooth function with Dirichlet data on n cells an edge.
fn smooth(dim: usize, n: usize, p: usize) -> Norms {
    let mesh: Mesh = if dim == 2 { domain::square(n) } else { domain::cube(n) };
    let forest = Forest::new(&mesh).unwrap();
    let degrees = vec![p; forest.cells().len()];
    let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
    let waves = [2.0, -1.5, if dim == 3 { 1.0 } else { 0.0 }];
    let phase = move |x: &[f64; 3]| product(&waves, x) + 0.3;
    let problem = Problem::poisson(space, Field::of(move |x| product(&waves, &waves) * phase(x).sin()))
        .dirichlet(1, Field::of(move |x| phase(x).sin()));
    let solution = problem.solve_with(Interior::Condensed).unwrap();
    let gradient = move |x: &[f64; 3]| waves.map(|w| w * phase(x).cos());
    errors(&solution, problem.forms(), &(move |x: &[f64; 3]| phase(x).sin(), gradient), problem.integration()).unwrap()
}

#[test]
fn orders_are_those_of_theory() {
    for (dim, degrees, coarse, near) in [(2, 1..=8, 2, 0.1), (3, 1..=4, 2, 0.1), (3, 5..=8, 1, 0.2)] {
        for p in degrees {
            let (a, b) = (smooth(dim, coarse, p), smooth(dim, 2 * coarse, p));
            let (h1, l2) = ((a.energy / b.energy).log2(), (a.l2 / b.l2).log2());
            assert!((h1 - p as f64).abs() < near, "dimension {dim}, p = {p}: order {h1} in H1");
            assert!((l2 - p as f64 - 1.0).abs() < 0.25, "dimension {dim}, p = {p}: order {l2} in L2");
        }
    }
}

#[test]
fn symmetric_data_give_symmetric_solutions() {
    let forest = Forest::new(&domain::cube(2)).unwrap();
    let space = Arc::new(Space::new(forest, &[3; 8], &[1]).unwrap());
    let solution = Problem::poisson(space, 1.0).solve().unwrap();
    let at = |x: f64, y: f64, z: f64| solution.at(&[x, y, z]).unwrap();
    let value = at(0.2, 0.3, 0.9);
    assert!(value > 0.0);
    let corner = solution.on_patch(0, &Patch { axes: vec![Line::at(1.0), Line::at(0.5), Line::at(-0.2)] });
    assert!((corner[0] - at(0.5, 0.375, 0.2)).abs() < 1e-14);
    for other in [at(0.8, 0.3, 0.9), at(0.3, 0.9, 0.2), at(0.9, 0.2, 0.7), at(0.2, 0.7, 0.1)] {
        assert!((other - value).abs() < 1e-12);
    }
}

#[test]
fn no_unknowns_leave_the_lift() {
    let forest = Forest::new(&domain::cube(1)).unwrap();
    let space = Arc::new(Space::new(forest, &[1], &[1]).unwrap());
    assert_eq!(space.unknowns(), 0);
    let problem = Problem::poisson(space, 1.0).dirichlet(1, Field::of(|x| x[0] + x[1] * x[2]));
    let solution: Solution = problem.solve().unwrap();
    assert!((solution.at(&[0.5, 0.25, 0.5]).unwrap() - 0.625).abs() < 1e-14);
    assert!(solution.at(&[1.5, 0.0, 0.0]).is_none());
}

#[test]
fn degree_one_beside_degree_eight_works() {
    let forest = Forest::new(&domain::square(2)).unwrap();
    let space = Arc::new(Space::new(forest, &[1, 8, 8, 1], &[1]).unwrap());
    // One vertex, and the interiors of two cells of degree 8: every edge inside belongs to a cell of degree 1.
    assert_eq!(space.unknowns(), 1 + 2 * 49);
    let solution = Problem::poisson(space, 1.0).solve().unwrap();
    assert!(solution.at(&[0.25, 0.75, 0.0]).unwrap() > 0.02);
}

#[test]
fn pure_neumann_problems_are_solved_without_mean_or_refused() {
    let mut forest = Forest::new(&domain::square(2)).unwrap();
    forest.refine(&[1]).unwrap();
    let space = Arc::new(Space::new(forest, &[6; 7], &[]).unwrap());
    let u = |x: &[f64; 3]| (PI * x[0]).cos() * (2.0 * PI * x[1]).cos();
    let problem = |shift: f64| Problem::poisson(space.clone(), Field::of(move |x| 5.0 * PI * PI * u(x) + shift));
    for interior in [Interior::Kept, Interior::Condensed] {
        assert!(problem(0.0).assemble(interior).unwrap().is_mean_free());
        let solution = problem(0.0).solve_with(interior).unwrap();
        for x in [[0.1, 0.2, 0.0], [0.7, 0.9, 0.0]] {
            assert!((solution.at(&x).unwrap() - u(&x)).abs() < 2e-3);
        }
    }
    match problem(0.5).solve() {
        Err(Error::Imbalance { imbalance }) => assert!((imbalance - 0.5).abs() < 1e-10),
        other => panic!("{other:?}"),
    }
    // A flux that takes out what the source brings in.
    let balanced = problem(0.5).neumann(Neumann::new(1, -0.125));
    assert!(balanced.solve().is_ok());
    assert!(!problem(0.5).mass(1.0).assemble(Interior::Kept).unwrap().is_mean_free());
}

#[test]
fn each_component_of_a_mesh_is_held_or_floats() {
    let mut mesh = domain::square(1);
    let far: Vec<[f64; 3]> = mesh.points.iter().map(|x| [x[0] + 3.0, x[1], 0.0]).collect();
    mesh.points.extend(far);
    let again: Vec<u32> = mesh.blocks[0].nodes.iter().map(|node| node + 4).collect();
    mesh.blocks[0].nodes.extend(again);
    mesh.blocks[0].tags.push(0);
    // The second square has no tagged boundary, so its tag is 0.
    let space = Arc::new(Space::new(Forest::new(&mesh).unwrap(), &[4, 4], &[1]).unwrap());
    let problem = |f: fn(&[f64; 3]) -> f64| Problem::poisson(space.clone(), Field::of(f));
    assert!(matches!(problem(|_| 1.0).solve(), Err(Error::Imbalance { .. })));
    let solution = problem(|x| if x[0] < 2.0 { 1.0 } else { x[0] - 3.5 }).solve().unwrap();
    assert!(solution.at(&[0.5, 0.5, 0.0]).unwrap() > 0.05);
    assert!(solution.at(&[3.5, 0.5, 0.0]).unwrap().abs() < 1e-12);
    assert!(solution.at(&[3.0, 0.5, 0.0]).unwrap() < -0.01);
}

#[test]
fn bad_coefficients_and_tags_are_refused() {
    let space = Arc::new(Space::new(Forest::new(&domain::square(2)).unwrap(), &[2; 4], &[1]).unwrap());
    let solve = |form: Diffusion| Problem::new(space.clone()).form(form).source(1.0).solve();
    for kappa in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(solve(Diffusion::new(kappa)), Err(Error::InvalidCoefficient { .. })), "kappa = {kappa}");
    }
    assert!(matches!(solve(Diffusion::new(Field::of(|x| x[0] - 0.5))), Err(Error::InvalidCoefficient { .. })));
    let skew = Kappa::Tensor([[1.0, 0.5, 0.0], [-0.5, 1.0, 0.0], [0.0; 3]]);
    assert!(matches!(solve(Diffusion { kappa: skew }), Err(Error::InvalidCoefficient { needed: "symmetric", .. })));
    let indefinite = Kappa::Tensor([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0; 3]]);
    assert!(matches!(solve(Diffusion { kappa: indefinite }), Err(Error::InvalidCoefficient { .. })));
    let by_region = Field::ByRegion([(0, 2.0)].into());
    assert!(solve(Diffusion::new(by_region)).is_ok());
    assert!(matches!(solve(Diffusion::new(Field::ByRegion([(7, 2.0)].into()))), Err(Error::InvalidCoefficient { .. })));
    let poisson = || Problem::poisson(space.clone(), 1.0);
    assert!(matches!(poisson().dirichlet(4, 0.0).solve(), Err(Error::NoSuchTag { tag: 4, .. })));
    assert!(matches!(poisson().neumann(Neumann::new(5, 0.0)).solve(), Err(Error::NoSuchTag { tag: 5, .. })));
    assert!(matches!(poisson().dirichlet(1, f64::NAN).solve(), Err(Error::InvalidCoefficient { .. })));
    assert!(matches!(poisson().source(f64::NAN).solve(), Err(Error::InvalidCoefficient { .. })));
}
