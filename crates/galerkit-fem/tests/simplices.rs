//! Spaces on triangles and tetrahedra, straight and curved: functions, rules, dimensions, polynomials, orders.

use crate::scenes::shuffle_points;
use galerkit_fem::basis::hierarchical::values;
use galerkit_fem::form::{Diffusion, Field, Kappa, Mass, Neumann, Robin};
use galerkit_fem::mesh::{Block, Geometry, Mesh, generate};
use galerkit_fem::norm::Norms;
use galerkit_fem::simplex::lagrange::{functions, nodes};
use galerkit_fem::simplex::rule::rule;
use galerkit_fem::simplex::{Functions, SimplexSpace};
use galerkit_fem::{Error, Problem, domain};
use galerkit_linalg::random::Random;
use std::sync::Arc;

fn simplices(mesh: &Mesh) -> Mesh {
    generate::to_simplices(mesh).unwrap()
}

#[test]
fn functions_are_one_at_their_node_and_sum_to_one() {
    for dim in 1..=3 {
        for k in 1..=4 {
            let nodes = nodes(dim, k);
            let expected = (1..=dim).fold(1, |count, a| count * (k + a) / a);
            assert_eq!(nodes.len(), expected);
            for (i, node) in nodes.iter().enumerate() {
                let at = functions(&nodes, k, &node.map(|weight| f64::from(weight) / k as f64));
                assert!(at.iter().enumerate().all(|(j, (value, _))| (value - f64::from(i == j)).abs() < 1e-13));
            }
            let (point, step) = ([0.3, 0.7 / dim as f64, if dim > 1 { 0.2 } else { 0.0 }, 0.0], 1e-6);
            let (here, mut ahead) = (functions(&nodes, k, &point), point);
            ahead[1] += step;
            for ((a, slopes), (b, _)) in here.iter().zip(functions(&nodes, k, &ahead)) {
                assert!((slopes[1] - (b - a) / step).abs() < 1e-3);
            }
        }
    }
}

#[test]
fn rules_integrate_monomials() {
    // int x^a y^b z^c = a! b! c! / (a + b + c + d)!
    let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
    for (dim, n) in [(1, 3), (2, 4), (3, 5)] {
        let degree = 2 * n as i32 - dim;
        for a in 0..=degree {
            for b in 0..=if dim > 1 { degree - a } else { 0 } {
                let c = if dim > 2 { degree - a - b } else { 0 };
                let term = |(l, w): &([f64; 4], f64)| w * l[1].powi(a) * l[2].powi(b) * l[3].powi(c);
                let sum: f64 = rule(dim as usize, n).iter().map(term).sum();
                let exact = factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + dim);
                assert!((sum - exact).abs() < 1e-14, "x^{a} y^{b} z^{c} in dimension {dim}: {sum} for {exact}");
            }
        }
    }
}

fn mesh(dim: usize, n: usize, random: &mut Random) -> Mesh {
    let mut mesh = simplices(&if dim == 2 { domain::square(n) } else { domain::vertex(n) });
    // Points inside move; the triangulation stays one.
    for point in &mut mesh.points {
        if point[..dim].iter().all(|x| *x > 0.0 && *x < 1.0) {
            point[..dim].iter_mut().for_each(|x| *x += 0.2 / n as f64 * (random.unit() - 0.5));
        }
    }
    shuffle_points(&mesh, random)
}

#[test]
fn polynomials_are_reproduced() {
    let mut random = Random::new(41);
    for dim in [2, 3] {
        let z = if dim == 3 { 1.0 } else { 0.0 };
        let K = if dim == 2 {
            [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0; 3]]
        } else {
            [[2.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 3.0]]
        };
        for k in 1..=4 {
            let mesh = mesh(dim, 2, &mut random);
            // u = s^k with s = 1 + x - 2y + z, which has the total degree k.
            let way = [1.0, -2.0, z];
            let s = move |x: &[f64; 3]| 1.0 + x[0] - 2.0 * x[1] + z * x[2];
            let u = move |x: &[f64; 3]| s(x).powi(k as i32);
            let gradient = move |x: &[f64; 3]| way.map(|w| w * k as f64 * s(x).powi(k as i32 - 1));
            let flux = move |x: &[f64; 3]| {
                let g = gradient(x);
                K.map(|row| row.iter().zip(g).map(|(k, g)| k * g).sum::<f64>())
            };
            let along: f64 = (0..3).map(|i| (0..3).map(|j| K[i][j] * way[i] * way[j]).sum::<f64>()).sum();
            let curvature = move |s: f64| if k > 1 { (k * (k - 1)) as f64 * s.powi(k as i32 - 2) } else { 0.0 };
            let f = move |x: &[f64; 3]| 0.5 * u(x) - along * curvature(s(x));
            for (dirichlet, kind) in [
                (vec![1], Functions::Lagrange),
                (vec![], Functions::Lagrange),
                (vec![1], Functions::Hierarchical),
                (vec![], Functions::Hierarchical),
            ] {
                let space = SimplexSpace::with_functions(&mesh, k, kind, &dirichlet).unwrap();
                assert_eq!(space.dimension(), (2 * k + 1).pow(dim as u32));
                let mut problem = Problem::new(Arc::new(space))
                    .form(Diffusion { kappa: Kappa::Tensor(K) })
                    .mass(0.5)
                    .source(Field::of(f));
                if dim == 3 {
                    let robin = Neumann::new(2, Field::of(move |x| 0.3 * u(x)));
                    problem = problem.neumann(Neumann::vector(2, flux)).robin(Robin::new(2, 0.3)).neumann(robin);
                }
                problem = if dirichlet.is_empty() {
                    problem.neumann(Neumann::vector(1, flux))
                } else {
                    problem.dirichlet(1, Field::of(u))
                };
                let solution = problem.solve().unwrap();
                let Norms { l2, energy } = problem.errors(&solution, &(u, gradient)).unwrap();
                assert!(l2.max(energy) < 1e-10, "dimension {dim}, degree {k}: {l2:e}, {energy:e}");
                let x = [0.3, 0.6, if dim == 3 { 0.2 } else { 0.0 }];
                assert!((solution.at(&x).unwrap() - u(&x)).abs() < 1e-10);
            }
        }
    }
}

#[test]
fn orders_are_those_of_theory_on_simplices() {
    for (dim, most) in [(2, 4), (3, 3)] {
        let waves = [2.0, -1.5, if dim == 3 { 1.0 } else { 0.0 }];
        let phase = move |x: &[f64; 3]| 0.3 + (0..3).map(|i| waves[i] * x[i]).sum::<f64>();
        let size: f64 = waves.iter().map(|w| w * w).sum();
        let solve = |n: usize, k: usize| {
            let mesh = simplices(&if dim == 2 { domain::square(n) } else { domain::cube(n) });
            let space = Arc::new(SimplexSpace::new(&mesh, k, &[1]).unwrap());
            let problem = Problem::poisson(space, Field::of(move |x| size * phase(x).sin()))
                .dirichlet(1, Field::of(move |x| phase(x).sin()));
            let exact = (move |x: &[f64; 3]| phase(x).sin(), move |x: &[f64; 3]| waves.map(|w| w * phase(x).cos()));
            problem.errors(&problem.solve().unwrap(), &exact).unwrap()
        };
        for k in 1..=most {
            let (a, b) = (solve(3, k), solve(6, k));
            let (h1, l2) = ((a.energy / b.energy).log2(), (a.l2 / b.l2).log2());
            assert!((h1 - k as f64).abs() < 0.15, "dimension {dim}, degree {k}: order {h1} in H1");
            assert!((l2 - k as f64 - 1.0).abs() < 0.25, "dimension {dim}, degree {k}: order {l2} in L2");
        }
    }
}

#[test]
fn simplices_without_dirichlet_data_float() {
    let mut random = Random::new(42);
    let space = Arc::new(SimplexSpace::new(&mesh(2, 3, &mut random), 3, &[]).unwrap());
    let problem = |shift: f64| Problem::poisson(space.clone(), Field::of(move |x| x[0] - 0.5 + shift));
    let solution = problem(0.0).solve().unwrap();
    // -u'' = x - 1/2 with u' = 0 at the ends and no mean: u = -x^3/6 + x^2/4 - 1/24
    let u = |x: f64| -x.powi(3) / 6.0 + x * x / 4.0 - 1.0 / 24.0;
    assert!((solution.at(&[0.2, 0.4, 0.0]).unwrap() - u(0.2)).abs() < 1e-12);
    match problem(0.25).solve() {
        Err(Error::Imbalance { imbalance }) => assert!((imbalance - 0.25).abs() < 1e-12),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_input_is_refused_on_simplices() {
    let mesh = simplices(&domain::square(1));
    let new = |mesh: &Mesh, k, tags: &[i32]| SimplexSpace::new(mesh, k, tags).map(|_| ());
    assert!(matches!(new(&mesh, 0, &[]), Err(Error::InvalidDegree { .. })));
    assert!(matches!(new(&mesh, 5, &[]), Err(Error::InvalidDegree { .. })));
    assert!(matches!(new(&mesh, 1, &[8]), Err(Error::NoSuchTag { tag: 8, .. })));
    assert!(matches!(new(&domain::square(1), 1, &[]), Err(Error::InvalidMesh { .. })));
    assert!(matches!(new(&Mesh::default(), 1, &[]), Err(Error::InvalidMesh { .. })));
    let mut flat = mesh.clone();
    flat.points.iter_mut().for_each(|x| x[1] = 0.0);
    assert!(matches!(new(&flat, 1, &[]), Err(Error::InvalidMesh { .. })));
    let space = Arc::new(SimplexSpace::new(&mesh, 1, &[1]).unwrap());
    assert_eq!(space.unknowns(), 0);
    assert!(
        (Problem::poisson(space.clone(), 1.0).dirichlet(1, 2.0).solve().unwrap().at(&[0.5, 0.2, 0.0]).unwrap() - 2.0)
            .abs()
            < 1e-14
    );
    assert!(matches!(
        Problem::poisson(space.clone(), 1.0).neumann(Neumann::new(3, 1.0)).solve(),
        Err(Error::NoSuchTag { .. })
    ));
    assert!(matches!(
        Problem::poisson(space, 1.0).dirichlet(1, f64::NAN).solve(),
        Err(Error::InvalidCoefficient { .. })
    ));
}

/// The traces of hierarchical functions on an edge are those of the interval, and all cells around have the same ones.
#[test]
fn hierarchical_functions_are_those_of_the_interval_on_edges_and_span_polynomials() {
    for dim in [2, 3] {
        let (nodes, t) = (nodes(dim, 4), 0.3);
        let order = [0, 1, 2, 3];
        let at = Functions::Hierarchical.at(&nodes, 4, &order, &[(1.0 - t) / 2.0, (1.0 + t) / 2.0, 0.0, 0.0]);
        for j in 2..=4usize {
            let edge = nodes.iter().position(|node| *node == [(5 - j) as u8, (j - 1) as u8, 0, 0]).unwrap();
            let phi = values(4, t)[j];
            assert!((at[edge].0 - phi).abs() < 1e-14, "{j}: {} for {phi}", at[edge].0);
        }
        // derivatives, in another order of corners
        let order = if dim == 2 { [2, 0, 1, 3] } else { [3, 0, 2, 1] };
        let (point, step) = ([0.3, 0.35, 0.2, if dim == 3 { 0.15 } else { 0.0 }], 1e-6);
        for a in 0..=dim {
            let [mut below, mut above] = [point; 2];
            (below[a], above[a]) = (point[a] - step, point[a] + step);
            let [here, below, above] =
                [&point, &below, &above].map(|x| Functions::Hierarchical.at(&nodes, 4, &order, x));
            for i in 0..nodes.len() {
                let slope = (above[i].0 - below[i].0) / (2.0 * step);
                assert!((here[i].1[a] - slope).abs() < 1e-8, "function {i} by coordinate {a}");
            }
        }
    }
}

#[test]
fn both_kinds_of_functions_have_the_same_solution() {
    let mut random = Random::new(44);
    for dim in [2, 3] {
        let mesh = mesh(dim, 2, &mut random);
        for k in 1..=4 {
            let [nodal, hierarchical] = [Functions::Lagrange, Functions::Hierarchical].map(|kind| {
                let space = SimplexSpace::with_functions(&mesh, k, kind, &[1]).unwrap();
                let problem = Problem::poisson(Arc::new(space), Field::of(|x| (3.0 * x[0] - x[1]).exp()))
                    .dirichlet(1, Field::of(|x| (2.0 * x[0] + x[1] + x[2]).sin()));
                let solution = problem.solve().unwrap();
                (problem.energy(&solution).unwrap(), solution.at(&[0.3, 0.45, 0.2 * (dim - 2) as f64]).unwrap())
            });
            assert!((nodal.0 - hierarchical.0).abs() < 1e-11 * nodal.0, "{nodal:?} {hierarchical:?}");
            assert!((nodal.1 - hierarchical.1).abs() < 1e-11, "{nodal:?} {hierarchical:?}");
        }
    }
}

/// What is summed up from integrals over the reference simplex is what a quadrature rule finds that evaluates the
/// coefficients.
#[test]
fn matrices_of_constant_coefficients_are_those_of_quadrature() {
    let mut random = Random::new(45);
    let tensor = [[2.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 3.0]];
    for dim in [2, 3] {
        let mesh = mesh(dim, 2, &mut random);
        for (k, kind) in (1..=4).flat_map(|k| [(k, Functions::Lagrange), (k, Functions::Hierarchical)]) {
            let space = Arc::new(SimplexSpace::with_functions(&mesh, k, kind, &[1]).unwrap());
            let matrix = |kappa: Kappa, c: Field| {
                let problem = Problem::new(space.clone()).form(Diffusion { kappa }).form(Mass { density: c });
                problem.assemble().unwrap().A
            };
            let constant = matrix(Kappa::Tensor(tensor), 0.7.into());
            let varying = matrix(Kappa::TensorField(Arc::new(move |_| tensor)), Field::of(|_| 0.7));
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
            assert!(constant.val().iter().zip(varying.val()).all(close), "dimension {dim}, degree {k}, {kind:?}");
        }
    }
}

/// The mesh with geometry of degree m, its points moved; nodes that are no corners belong to one cell each.
fn curved(mesh: &Mesh, m: usize, place: &dyn Fn([f64; 3]) -> [f64; 3]) -> Mesh {
    let mut points = mesh.points.clone();
    let mut bent = mesh.clone();
    for block in bent.blocks.iter_mut().filter(|block| block.shape.dim() == mesh.dim()) {
        let (straight, wanted) =
            (Geometry::new(block.shape, 1).unwrap(), Geometry::new(block.shape, m).unwrap().nodes());
        let mut nodes = Vec::new();
        for cell in block.cells() {
            nodes.extend(cell);
            for xi in &wanted[cell.len()..] {
                nodes.push(points.len() as u32);
                points.push(straight.at(*xi).map(&mesh.points, cell).point);
            }
        }
        *block = Block { shape: block.shape, order: m, nodes, tags: block.tags.clone() };
    }
    bent.points = points.into_iter().map(place).collect();
    bent
}

/// The unit square or cube bent to a piece of a ring with radii 1 and 2.
fn ring(x: [f64; 3]) -> [f64; 3] {
    let (r, angle) = (1.0 + x[0], std::f64::consts::FRAC_PI_2 * x[1]);
    [r * angle.cos(), r * angle.sin(), x[2]]
}

#[test]
fn curved_simplices_measure_a_ring_and_reproduce_linear_functions() {
    for dim in [2, 3] {
        let flat = simplices(&if dim == 2 { domain::square(2) } else { domain::cube(2) });
        let mut misses = Vec::new();
        for m in 1..=4 {
            let mesh = if m == 1 { curved_corners(&flat) } else { curved(&flat, m, &ring) };
            let u = |x: &[f64; 3]| 1.0 + x[0] - 2.0 * x[1] + 0.5 * x[2];
            let gradient = move |_: &[f64; 3]| [1.0, -2.0, if dim == 3 { 0.5 } else { 0.0 }];
            let space = Arc::new(SimplexSpace::with_functions(&mesh, m, Functions::Hierarchical, &[1]).unwrap());
            assert_eq!(space.geometry_order(), m);
            let problem = Problem::poisson(space, 0.0).dirichlet(1, Field::of(u));
            let solution = problem.solve().unwrap();
            let Norms { l2, energy } = problem.errors(&solution, &(u, gradient)).unwrap();
            assert!(l2.max(energy) < 1e-11, "dimension {dim}, geometry {m}: {l2:e} {energy:e}");
            let inside = [1.1, 1.0, 0.3 * (dim - 2) as f64];
            assert!((solution.at(&inside).unwrap() - u(&inside)).abs() < 1e-11);
            // a(u, u) = |grad u|^2 times the measure of the domain, here 3 pi / 4
            let size = 5.0 + 0.25 * (dim - 2) as f64;
            misses.push((problem.energy(&solution).unwrap() / size / (0.75 * std::f64::consts::PI) - 1.0).abs());
        }
        assert!(misses.windows(2).all(|two| two[1] < 0.4 * two[0]), "{misses:?}");
    }
}

fn curved_corners(flat: &Mesh) -> Mesh {
    let mut mesh = flat.clone();
    mesh.points.iter_mut().for_each(|x| *x = ring(*x));
    mesh
}

#[test]
fn orders_on_curved_triangles_are_those_of_theory() {
    let u = |x: &[f64; 3]| (x[0] + 2.0 * x[1]).sin();
    let gradient = |x: &[f64; 3]| [1.0, 2.0, 0.0].map(|w| w * (x[0] + 2.0 * x[1]).cos());
    for k in 2..=4 {
        let errors = [6, 12].map(|n| {
            let mesh = curved(&simplices(&domain::square(n)), k, &ring);
            let space = Arc::new(SimplexSpace::new(&mesh, k, &[1]).unwrap());
            let problem = Problem::poisson(space, Field::of(move |x| 5.0 * u(x))).dirichlet(1, Field::of(u));
            problem.errors(&problem.solve().unwrap(), &(u, gradient)).unwrap()
        });
        let (h1, l2) = ((errors[0].energy / errors[1].energy).log2(), (errors[0].l2 / errors[1].l2).log2());
        assert!(h1 > k as f64 - 0.2 && l2 > k as f64 + 0.6, "degree {k}: {h1} in H1, {l2} in L2");
    }
}

#[test]
fn folded_simplices_are_refused_and_straight_ones_recognised() {
    let flat = simplices(&domain::square(1));
    let straight = curved(&flat, 3, &|x| x);
    assert_eq!(SimplexSpace::new(&straight, 2, &[1]).unwrap().geometry_order(), 1);
    let mut folded = curved(&flat, 2, &|x| x);
    let node = folded.blocks.iter().find(|block| block.shape.dim() == 2).unwrap().nodes[3] as usize;
    folded.points[node] = [3.0, -2.0, 0.0];
    let refused = SimplexSpace::new(&folded, 2, &[1]).map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("cell 0") && refused.contains("folded"), "{refused}");
}
