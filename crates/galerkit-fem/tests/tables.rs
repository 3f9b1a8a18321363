//! The reference values of the specification, section 6: uniform meshes on the cube, geometric meshes at the L-shape's
//! corner and at a vertex.

use galerkit_fem::assemble::rules::Rules;
use galerkit_fem::forest::grading::{Target, grade, slope};
use galerkit_fem::form::{Field, Neumann};
use galerkit_fem::norm::{Norms, energy, errors};
use galerkit_fem::problem::Interior;
use galerkit_fem::{Forest, Problem, Space, domain};
use std::f64::consts::PI;
use std::sync::Arc;

/// u = sin(pi x) sin(pi y) sin(pi z) on n^3 cubes of degree p.
fn sines(n: usize, p: usize) -> (Norms, f64) {
    let forest = Forest::new(&domain::cube(n)).unwrap();
    let space = Arc::new(Space::new(forest, &vec![p; n * n * n], &[1]).unwrap());
    assert_eq!(space.unknowns(), (n * p - 1).pow(3));
    let u = |x: &[f64; 3]| x.iter().map(|x| (PI * x).sin()).product::<f64>();
    let gradient = |x: &[f64; 3]| {
        let (s, c) = (x.map(|x| (PI * x).sin()), x.map(|x| PI * (PI * x).cos()));
        [c[0] * s[1] * s[2], s[0] * c[1] * s[2], s[0] * s[1] * c[2]]
    };
    let problem = Problem::poisson(space, Field::of(move |x| 3.0 * PI * PI * u(x)));
    let solution = problem.solve_with(Interior::Condensed).unwrap();
    let norms = errors(&solution, problem.forms(), &(u, gradient), problem.integration()).unwrap();
    (norms, energy(&problem, &solution).unwrap())
}

#[test]
fn uniform_cubes_have_the_errors_of_the_table() {
    let table = [
        (2, [8.8728e-1, 1.7891e-1, 2.3396e-2, 2.3020e-3, 1.8138e-4]),
        (4, [4.3666e-1, 4.4453e-2, 2.9338e-3, 1.4491e-4, 5.7165e-6]),
    ];
    let whole = 3.0 * PI * PI / 8.0;
    let mut l2 = Vec::new();
    for (n, row) in table {
        for (p, expected) in (1..=5).zip(row) {
            let (found, energy) = sines(n, p);
            println!("n = {n}, p = {p}: {:.4e}, {:.4e}", found.energy, found.l2);
            assert!((found.energy - expected).abs() < 6e-5 * expected, "n = {n}, p = {p}: {:e}", found.energy);
            // zero Dirichlet data: error^2 = a(u, u) - a(u_h, u_h)
            assert!((whole - energy - expected * expected).abs() < 2e-4 * expected * expected + 1e-13);
            l2.push(found.l2);
        }
    }
    for p in 1..=5 {
        let order = (l2[p - 1] / l2[4 + p]).log2();
        assert!((order - (p as f64 + 1.0)).abs() < 0.15, "p = {p}: order {order} in L2");
    }
}

/// u = r^(2/3) sin(2 theta/3) on the L-shape: unknowns, and the error by energy and by quadrature.
fn corner(forest: Forest, degrees: &[usize]) -> (usize, f64, f64) {
    let polar = |x: &[f64; 3]| (x[0].hypot(x[1]), x[1].atan2(x[0]).rem_euclid(2.0 * PI));
    let u = move |x: &[f64; 3]| polar(x).0.powf(2.0 / 3.0) * (2.0 * polar(x).1 / 3.0).sin();
    let gradient = move |x: &[f64; 3]| {
        let (r, angle) = polar(x);
        let size = 2.0 / 3.0 * r.powf(-1.0 / 3.0);
        [-size * (angle / 3.0).sin(), size * (angle / 3.0).cos(), 0.0]
    };
    let space = Arc::new(Space::new(forest, degrees, &[1]).unwrap());
    let rules = Rules { singular: vec![[0.0; 3]], extra: 6, ..Rules::default() };
    let problem = Problem::poisson(space.clone(), 0.0).neumann(Neumann::vector(2, gradient)).rules(rules.clone());
    let solution = problem.solve().unwrap();
    let by_energy = (1.836226661875 - energy(&problem, &solution).unwrap()).sqrt();
    let by_quadrature = errors(&solution, problem.forms(), &(u, gradient), &rules).unwrap().energy;
    (space.unknowns(), by_energy, by_quadrature)
}

/// The L-shape with layers towards its corner, and the layer of each cell.
fn layered(layers: usize) -> (Forest, Vec<usize>) {
    let mut forest = Forest::new(&domain::lshape(1)).unwrap();
    let layer = grade(&mut forest, &[Target::Point([0.0; 3])], layers).unwrap();
    assert_eq!(forest.cells().len(), 3 + 9 * layers);
    (forest, layer)
}

#[test]
fn the_l_shape_has_the_errors_of_the_table() {
    for (mu, layers, unknowns, expected) in [(0.5, 3, 148, 8.022e-2), (0.5, 6, 479, 2.008e-2), (1.0, 3, 254, 8.001e-2)]
    {
        let (forest, layer) = layered(layers);
        let (found, by_energy, by_quadrature) = corner(forest, &slope(1, mu, &layer));
        println!("mu = {mu}, {layers} layers: {by_energy:.4e}, {by_quadrature:.4e}");
        assert_eq!(found, unknowns);
        assert!((by_energy - expected).abs() < 2e-4 * expected);
        assert!((by_quadrature - expected).abs() < 2e-4 * expected);
    }
}

#[test]
fn errors_at_the_corner_fall_exponentially() {
    // ln(error) = C - b N^(1/3), with 2^(-2/3) a layer.
    for (mu, b) in [(0.5, 0.51), (1.0, 0.33)] {
        let row = |layers: usize| {
            let (forest, layer) = layered(layers);
            let (unknowns, _, error) = corner(forest, &slope(1, mu, &layer));
            ((unknowns as f64).cbrt(), error.ln())
        };
        let rows: Vec<(f64, f64)> = (3..=7).map(row).collect();
        for pair in rows.windows(2) {
            assert!(((pair[1].1 - pair[0].1).exp() - 0.630).abs() < 5e-3, "a layer divides the error by 1.587");
        }
        let fitted = (rows[0].1 - rows[4].1) / (rows[4].0 - rows[0].0);
        assert!((fitted - b).abs() < 0.03, "mu = {mu}: slope {fitted}");
    }
}

#[test]
fn errors_at_the_corner_stay_or_fall_slowly_otherwise() {
    for (p, stays) in [(1, 8.7e-2), (2, 1.0e-2)] {
        let (forest, layer) = layered(14);
        let (_, _, error) = corner(forest, &vec![p; layer.len()]);
        assert!((error - stays).abs() < 0.1 * stays, "p = {p} on a graded mesh: {error:e}");
    }
    let uniform = |cuts| corner(Forest::new(&domain::lshape(cuts)).unwrap(), &vec![1; 3 * cuts * cuts]).2;
    let rate = (uniform(8) / uniform(16)).log2();
    assert!((rate - 2.0 / 3.0).abs() < 0.03, "uniform cuts: rate {rate}");
}

#[test]
fn the_vertex_has_the_error_of_the_table() {
    let r = |x: &[f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let u = move |x: &[f64; 3]| r(x).powf(-2.5) * x[0] * x[1] * x[2];
    let gradient = move |x: &[f64; 3]| {
        let (scale, value) = (r(x).powf(-2.5), u(x));
        let others = [x[1] * x[2], x[0] * x[2], x[0] * x[1]];
        [0, 1, 2].map(|a| scale * others[a] - 2.5 * value * x[a] / (r(x) * r(x)))
    };
    let f = Field::of(move |x| 11.25 * r(x).powf(-4.5) * x[0] * x[1] * x[2]);
    let mut last = f64::INFINITY;
    for layers in 1..=3 {
        let mut forest = Forest::new(&domain::vertex(1)).unwrap();
        let layer = grade(&mut forest, &[Target::Point([0.0; 3])], layers).unwrap();
        assert_eq!(forest.cells().len(), 1 + 7 * layers);
        let space = Arc::new(Space::new(forest, &slope(2, 1.0, &layer), &[1]).unwrap());
        let unknowns = space.unknowns();
        let rules = Rules { singular: vec![[0.0; 3]], extra: 6, ..Rules::default() };
        let problem = Problem::poisson(space, f.clone()).neumann(Neumann::vector(2, gradient)).rules(rules.clone());
        let solution = problem.solve_with(Interior::Condensed).unwrap();
        let by_energy = (0.140438116178 - energy(&problem, &solution).unwrap()).sqrt();
        let by_quadrature = errors(&solution, problem.forms(), &(u, gradient), &rules).unwrap().energy;
        println!("{layers} layers: {unknowns} unknowns, {by_energy:.4e}, {by_quadrature:.4e}");
        assert!((by_energy - by_quadrature).abs() < 1e-3 * by_energy);
        assert!(layers == 1 || (last / by_energy - 2.0).abs() < 0.2, "the error halves with each layer");
        last = by_energy;
        if layers == 3 {
            assert_eq!(unknowns, 1316);
            assert!((by_energy - 1.826e-2).abs() < 3e-4 * by_energy);
        }
    }
}
