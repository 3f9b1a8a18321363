//! Patch tests: polynomials that the space contains are reproduced, whatever the mesh, the degrees, the turn of the
//! coarse cells and the kind of boundary data.

use crate::scenes::{quarter_ring, raised, random_degrees, random_forest, rotated, shuffle_points};
use galerkit_fem::form::{Diffusion, Field, Kappa, Neumann, Robin};
use galerkit_fem::norm::errors;
use galerkit_fem::problem::{Interior, Solution};
use galerkit_fem::{Forest, Problem, Space, domain};
use galerkit_linalg::random::Random;
use std::sync::Arc;

/// A polynomial of degree q along each axis, as a sum of products of linear factors to the power 0 to q.
#[derive(Clone)]
struct Polynomial {
    dim: usize,
    terms: Vec<(f64, [i32; 3])>,
}

impl Polynomial {
    fn random(dim: usize, q: usize, random: &mut Random) -> Self {
        let power = |random: &mut Random, a: usize| if a < dim { random.below(q + 1) as i32 } else { 0 };
        let highest = [0, 1, 2].map(|a| if a < dim { q as i32 } else { 0 });
        let mut terms = vec![(1.0, highest)];
        terms.extend((0..4).map(|_| (2.0 * random.unit() - 1.0, [0, 1, 2].map(|a| power(random, a)))));
        Self { dim, terms }
    }
    /// The derivative of a monomial: factor and powers.
    fn derived((c, mut powers): (f64, [i32; 3]), axis: usize) -> (f64, [i32; 3]) {
        let c = c * f64::from(powers[axis]);
        powers[axis] = (powers[axis] - 1).max(0);
        (c, powers)
    }
    fn sum(terms: impl Iterator<Item = (f64, [i32; 3])>, x: &[f64; 3]) -> f64 {
        terms.map(|(c, n)| c * (0..3).map(|a| x[a].powi(n[a])).product::<f64>()).sum()
    }
    fn at(&self, x: &[f64; 3]) -> f64 {
        Self::sum(self.terms.iter().copied(), x)
    }
    fn gradient(&self, x: &[f64; 3]) -> [f64; 3] {
        let slope = |a| Self::sum(self.terms.iter().map(|&term| Self::derived(term, a)), x);
        [0, 1, 2].map(|a| if a < self.dim { slope(a) } else { 0.0 })
    }
    /// div(K grad u).
    fn diffused(&self, K: &[[f64; 3]; 3], x: &[f64; 3]) -> f64 {
        let second = |a, b| Self::sum(self.terms.iter().map(|&term| Self::derived(Self::derived(term, a), b)), x);
        (0..self.dim).map(|a| (0..self.dim).map(|b| K[a][b] * second(a, b)).sum::<f64>()).sum()
    }
}

fn error(problem: &Problem, solution: &Solution, u: &Polynomial) -> f64 {
    let exact = (|x: &[f64; 3]| u.at(x), |x: &[f64; 3]| u.gradient(x));
    let norms = errors(solution, problem.forms(), &exact, problem.integration()).unwrap();
    norms.l2.max(norms.energy)
}

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[test]
fn dirichlet_data_of_polynomials_give_the_polynomial() {
    let mut random = Random::new(21);
    for (dim, rounds, least, most, cases) in [(2, 6, 1, 9, 6), (2, 4, 4, 10, 4), (3, 2, 1, 5, 3), (3, 3, 2, 4, 3)] {
        for _ in 0..cases {
            let forest = random_forest(dim, rounds, &mut random);
            let degrees: Vec<usize> = forest.cells().iter().map(|_| least + random.below(most - least + 1)).collect();
            let tags = forest.coarse().boundary_tags();
            let space = Arc::new(Space::new(forest, &degrees, &tags).unwrap());
            let u = Polynomial::random(dim, least, &mut random);
            let (source, value) = (u.clone(), u.clone());
            let mut problem = Problem::poisson(space, Field::of(move |x| -source.diffused(&IDENTITY, x)));
            for tag in tags {
                let value = value.clone();
                problem = problem.dirichlet(tag, Field::of(move |x| value.at(x)));
            }
            let found = error(&problem, &problem.solve().unwrap(), &u);
            assert!(found < 1e-10, "dimension {dim}, degrees {degrees:?}: {found:e}");
        }
    }
}

#[test]
fn tensors_fluxes_and_robin_terms_give_the_polynomial() {
    let mut random = Random::new(22);
    for (dim, mesh) in [(2, domain::lshape(1)), (3, domain::vertex(1))] {
        let K = if dim == 2 {
            [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.0]]
        } else {
            [[2.0, 0.5, 0.1], [0.5, 1.0, -0.2], [0.1, -0.2, 3.0]]
        };
        for (mass, interior) in [(0.0, Interior::Kept), (1.5, Interior::Condensed)] {
            let mesh = shuffle_points(&rotated(&mesh, &mut random), &mut random);
            let mut forest = Forest::new(&mesh).unwrap();
            forest.refine(&[0]).unwrap();
            forest.refine(&[2]).unwrap();
            let degrees: Vec<usize> = random_degrees(&forest, 3, &mut random).iter().map(|p| p + 1).collect();
            let space = Arc::new(Space::new(forest, &degrees, &[]).unwrap());
            let u = Polynomial::random(dim, 2, &mut random);
            let flux = move |u: &Polynomial, x: &[f64; 3]| {
                let g = u.gradient(x);
                K.map(|row| row.iter().zip(g).map(|(k, g)| k * g).sum::<f64>())
            };
            let (source, first, second, given) = (u.clone(), u.clone(), u.clone(), u.clone());
            let problem = Problem::new(space)
                .form(Diffusion { kappa: Kappa::Tensor(K) })
                .mass(mass)
                .source(Field::of(move |x| mass * source.at(x) - source.diffused(&K, x)))
                .neumann(Neumann::vector(1, move |x| flux(&first, x)))
                .neumann(Neumann::vector(2, move |x| flux(&second, x)))
                .robin(Robin::new(2, 0.7))
                .neumann(Neumann::new(2, Field::of(move |x| 0.7 * given.at(x))));
            let found = error(&problem, &problem.solve_with(interior).unwrap(), &u);
            assert!(found < 1e-10, "dimension {dim}, degrees {degrees:?}: {found:e}");
        }
    }
}

#[test]
fn variable_coefficients_give_the_polynomial() {
    // kappa = 1 + x^2 y: a(u, v) with polynomials is integrated exactly.
    let mut random = Random::new(23);
    let forest = random_forest(2, 4, &mut random);
    let degrees = vec![3; forest.cells().len()];
    let space = Arc::new(Space::new(forest, &degrees, &[1, 2]).unwrap());
    let u = Polynomial { dim: 2, terms: vec![(1.0, [2, 1, 0]), (-2.0, [0, 3, 0])] };
    let kappa = |x: &[f64; 3]| 2.0 + x[0] * x[0] * x[1];
    let (inner, value) = (u.clone(), u.clone());
    let f = move |x: &[f64; 3]| {
        let g = inner.gradient(x);
        -kappa(x) * inner.diffused(&IDENTITY, x) - 2.0 * x[0] * x[1] * g[0] - x[0] * x[0] * g[1]
    };
    let tensor = move |x: &[f64; 3]| IDENTITY.map(|row| row.map(|entry| entry * kappa(x)));
    for form in [Diffusion::new(Field::of(kappa)), Diffusion { kappa: Kappa::TensorField(Arc::new(tensor)) }] {
        let (one, two) = (value.clone(), value.clone());
        let problem = Problem::new(space.clone())
            .form(form)
            .source(Field::of(f.clone()))
            .dirichlet(1, Field::of(move |x| one.at(x)))
            .dirichlet(2, Field::of(move |x| two.at(x)));
        let found = error(&problem, &problem.solve().unwrap(), &u);
        assert!(found < 1e-10, "{found:e}");
    }
}

#[test]
fn curved_cells_reproduce_linear_functions() {
    for k in 1..=4 {
        let mut forest = Forest::new(&quarter_ring(k)).unwrap();
        forest.refine_all(1).unwrap();
        forest.refine(&[2]).unwrap();
        let degrees: Vec<usize> = (0..forest.cells().len()).map(|e| k + e % 3).collect();
        let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
        let u = Polynomial { dim: 2, terms: vec![(1.5, [1, 0, 0]), (-0.5, [0, 1, 0]), (0.3, [0, 0, 0])] };
        let (inside, flux) = (u.clone(), u.clone());
        let problem = Problem::poisson(space, 0.0)
            .dirichlet(1, Field::of(move |x| inside.at(x)))
            .neumann(Neumann::vector(2, move |x| flux.gradient(x)));
        let found = error(&problem, &problem.solve().unwrap(), &u);
        assert!(found < 1e-10, "order {k}: {found:e}");
    }
}

#[test]
fn trilinear_cells_reproduce_linear_functions() {
    let mut random = Random::new(24);
    let mut mesh = shuffle_points(&rotated(&domain::cube(2), &mut random), &mut random);
    for point in &mut mesh.points {
        if point.iter().all(|x| *x == 0.5) {
            point.iter_mut().for_each(|x| *x += 0.2 * (random.unit() - 0.5));
        }
    }
    let mut forest = Forest::new(&mesh).unwrap();
    forest.refine(&[3]).unwrap();
    let degrees = random_degrees(&forest, 3, &mut random);
    let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
    let u = Polynomial { dim: 3, terms: vec![(1.0, [1, 0, 0]), (-0.5, [0, 1, 0]), (2.0, [0, 0, 1]), (0.3, [0; 3])] };
    let value = u.clone();
    let problem = Problem::poisson(space, 0.0).dirichlet(1, Field::of(move |x| value.at(x)));
    let found = error(&problem, &problem.solve().unwrap(), &u);
    assert!(found < 1e-10, "{found:e}");
}

#[test]
fn curved_hexahedra_reproduce_linear_functions() {
    // A block of order 2 whose points are moved along z, so that two of its faces are curved.
    let mut random = Random::new(25);
    for k in [2, 3] {
        let mut mesh = raised(&domain::cube(1), k);
        for point in &mut mesh.points {
            point[2] += 0.2 * point[0] * point[0] * point[1];
        }
        let mut forest = Forest::new(&mesh).unwrap();
        assert!(!forest.map(0).is_affine());
        forest.refine_all(1).unwrap();
        forest.refine(&[5]).unwrap();
        let degrees: Vec<usize> = random_degrees(&forest, 2, &mut random).iter().map(|p| p + k - 1).collect();
        let space = Arc::new(Space::new(forest, &degrees, &[1]).unwrap());
        let u =
            Polynomial { dim: 3, terms: vec![(1.0, [1, 0, 0]), (-0.5, [0, 1, 0]), (2.0, [0, 0, 1]), (0.3, [0; 3])] };
        let value = u.clone();
        let problem = Problem::poisson(space, 0.0).dirichlet(1, Field::of(move |x| value.at(x)));
        let found = error(&problem, &problem.solve().unwrap(), &u);
        assert!(found < 1e-10, "order {k}: {found:e}");
    }
}
