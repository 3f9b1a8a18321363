//! A(k) without its matrix, spaces of lower degree within higher ones, and problems that are driven in several ways.

use super::{box_mesh, errors, plane, real, solved, tensor, with_impedance};
use galerkit_direct::sparse_lu;
use galerkit_fem::Space;
use galerkit_fem::acoustics::coarsening::coarser;
use galerkit_fem::acoustics::layer::{Begin, Layer};
use galerkit_fem::acoustics::{Condition, Data, Excitation, Gls, Helmholtz, Medium, PointSource, Wave};
use galerkit_fem::form::Field;
use galerkit_fem::mesh::generate::{Ring, annulus, shell};
use galerkit_fem::mesh::{Mesh, generate};
use galerkit_linalg::random::Random;
use galerkit_linalg::{LinearMap, c64};
use std::sync::Arc;

fn ring(axes: [f64; 3], layers: usize) -> Ring {
    Ring { axes, layers, region: 1 }
}

fn disc() -> Mesh {
    annulus(&[ring([1.0; 3], 0), ring([1.5; 3], 1)], 8, 3).unwrap()
}

fn radiating(space: Arc<Space>, outer: Condition) -> Helmholtz<Space> {
    let wave = Wave::Multipole { order: 1, radius: 1.0 };
    let dim = space.dim();
    Helmholtz::new(space).condition(1, Condition::Soft(Data::pressure(dim, wave, 1.0))).condition(2, outer)
}

fn layered(dim: usize) -> Medium {
    let begin = Begin::Box { low: [f64::NEG_INFINITY; 3], high: [0.5, 1.0, 1.0] };
    Medium { layer: Some(Layer::new(begin, 0.5, 8.0).unwrap()), ..Medium::uniform(dim) }
}

/// Problems on boxes, in layers, on curves, with infinite elements, soft walls and coefficients; each made twice.
pub(crate) fn scenes() -> Vec<fn() -> Helmholtz<Space>> {
    vec![
        || with_impedance(tensor(&box_mesh(2, 3), 3, &[]), plane(2)),
        || with_impedance(tensor(&box_mesh(3, 2), 2, &[]), plane(3)),
        || with_impedance(tensor(&box_mesh(2, 4), 1, &[]), plane(2)).gls(Gls { h: 0.25, angle: 0.3, on_walls: false }),
        || {
            let soft = Condition::Soft(Data::pressure(2, plane(2), 1.0));
            Helmholtz::new(tensor(&box_mesh(2, 4), 2, &[3])).medium(layered(2)).condition(3, soft)
        },
        || Helmholtz::new(tensor(&box_mesh(3, 2), 2, &[])).medium(layered(3)).condition(1, Condition::sommerfeld()),
        || radiating(tensor(&disc(), 4, &[1]), Condition::Infinite { centre: [0.0; 3], order: 3 }),
        || {
            let shell = shell(&[ring([1.0; 3], 0), ring([1.5; 3], 1)], 1, 3).unwrap();
            radiating(tensor(&shell, 2, &[1]), Condition::Infinite { centre: [0.0; 3], order: 2 })
        },
        || {
            let speed = Field::of(|x| 1.0 + 0.3 * x[0]);
            with_impedance(tensor(&box_mesh(2, 2), 3, &[]), plane(2)).medium(Medium { speed, ..Medium::uniform(2) })
        },
        || {
            let mut mesh = generate::brick([0.0; 3], [1.0; 3], [2; 3]).unwrap();
            mesh.points.iter_mut().for_each(|x| x[0] += 0.2 * x[1] * x[2]); // trilinear cells
            with_impedance(tensor(&mesh, 2, &[]), plane(3))
        },
    ]
}

pub(crate) fn noise(length: usize) -> Vec<c64> {
    let mut random = Random::new(23);
    (0..length).map(|_| c64::new(random.unit() - 0.5, random.unit() - 0.5)).collect()
}

pub(crate) fn apart(a: &[c64], b: &[c64]) -> f64 {
    let size = b.iter().fold(f64::MIN_POSITIVE, |most, b| most.max(b.norm()));
    a.iter().zip(b).fold(0.0f64, |most, (a, b)| most.max((a - b).norm())) / size
}

#[test]
fn the_product_without_a_matrix_is_that_of_the_matrix() {
    for (number, scene) in scenes().into_iter().enumerate() {
        let (assembled, boundary) = (scene().assemble().unwrap(), scene().assemble_boundary().unwrap());
        assert_eq!(assembled.unknowns(), boundary.unknowns());
        for k in [real(3.0), c64::new(5.0, 0.2)] {
            let (A, operator) = (assembled.matrix(k).unwrap(), boundary.operator(k).unwrap());
            let x = noise(A.rows());
            let expected: Vec<c64> = (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect();
            let mut found = [vec![real(0.0); x.len()], vec![real(0.0); x.len()]];
            operator.apply(&[], &x, &mut found[0]);
            operator.apply_on_threads(&[], &x, &mut found[1]);
            let far = found.map(|y| apart(&y, &expected));
            assert!(far.iter().all(|apart| *apart < 1e-13), "scene {number}, k = {k}: {far:?}");
            assert!(apart(&boundary.diagonal(k).unwrap(), &A.diagonal()) < 1e-13, "scene {number}: diagonals");
            let [b, own] = [assembled.rhs(k).unwrap(), boundary.rhs(k).unwrap()];
            assert!(apart(&own, &b) < 1e-13, "scene {number}, k = {k}: right-hand sides");
        }
    }
}

#[test]
fn spaces_of_lower_degree_have_a_part_of_the_matrix() {
    let k = real(3.0);
    for (number, scene) in scenes().into_iter().enumerate() {
        let finest = scene().assemble().unwrap();
        let below = coarser(&finest, 1).unwrap();
        let degree = finest.problem().space().degrees()[0];
        assert_eq!(below.len(), [0, 0, 1, 2, 2][degree], "scene {number}");
        let Some(first) = below.first() else { continue };
        let (A, smaller) = (finest.matrix(k).unwrap(), first.equations.matrix(k).unwrap());
        let mut all = first.numbers.clone();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), smaller.rows()), (first.numbers.len(), first.numbers.len()), "scene {number}");
        // P^T A P leaves out rows and columns; quadrature on curved cells is not exact
        let x = noise(smaller.rows());
        let mut prolonged = vec![real(0.0); A.rows()];
        first.numbers.iter().zip(&x).for_each(|(&number, x)| prolonged[number as usize] = *x);
        let row = |i: usize| A.row(i).map(|(j, a)| a * prolonged[j]).sum::<c64>();
        let restricted: Vec<c64> = first.numbers.iter().map(|&i| row(i as usize)).collect();
        let own: Vec<c64> = (0..smaller.rows()).map(|i| smaller.row(i).map(|(j, a)| a * x[j]).sum()).collect();
        assert!(apart(&own, &restricted) < 0.03, "scene {number}: {}", apart(&own, &restricted));
    }
}

#[test]
fn drives_add_up() {
    let k = real(4.0);
    let source = PointSource { place: [0.3, 0.6, 0.0], amplitude: c64::new(1.0, 0.5) };
    let problem = with_impedance(tensor(&box_mesh(2, 3), 3, &[]), plane(2)).source(source);
    let (own, alone) = (problem.excitation(), Excitation::default().source(source));
    let walls = problem
        .space()
        .forest()
        .coarse()
        .boundary_tags()
        .into_iter()
        .fold(Excitation::default(), |all, tag| all.data(tag, Data::impedance(2, plane(2), real(1.0))));
    let equations = problem.assemble().unwrap();
    let factor = sparse_lu(&equations.matrix(k).unwrap()).unwrap();
    let at = |drive: &Excitation| {
        let x = factor.solve(&equations.rhs_of(k, drive).unwrap()).unwrap();
        equations.pressure_of(k, drive, &x).unwrap().at(&[0.8, 0.2, 0.0]).unwrap()
    };
    let (whole, parts) = (at(&own), at(&alone) + at(&walls));
    assert!(
        (whole - parts).norm() < 1e-12 && (solved(&equations, k).at(&[0.8, 0.2, 0.0]).unwrap() - whole).norm() < 1e-12
    );
    assert!(at(&Excitation::default()).norm() == 0.0);
}

#[test]
fn a_source_in_the_domain_has_its_wave() {
    // u = sin(pi x) sin(pi y): -Laplace u - k^2 u = (2 pi^2 - k^2) u
    let (k, pi) = (7.0, std::f64::consts::PI);
    let wave = move |x: &[f64; 3]| (pi * x[0]).sin() * (pi * x[1]).sin();
    let miss = |n: usize| {
        let space = tensor(&box_mesh(2, n), 2, &[1, 2, 3, 4]);
        let soft = |problem: Helmholtz<Space>, tag| problem.condition(tag, Condition::Soft(Data::Zero));
        let problem = (1..=4).fold(Helmholtz::new(space), soft);
        let f = Field::of(move |x| (2.0 * pi * pi - k * k) * wave(x));
        let u = solved(&problem.density(f).assemble().unwrap(), real(k));
        let exact = |x: &[f64; 3]| (real(wave(x)), [real(0.0); 3]);
        u.errors(&exact, &|_| true).unwrap().l2
    };
    let [coarse, fine] = [4, 8].map(miss);
    assert!((coarse / fine).log2() > 2.7 && fine < 1e-2, "{coarse} {fine}");
}

#[test]
fn a_cartesian_layer_lets_a_point_source_out() {
    // beyond 0.5 in every direction, the source inside: u = (i/4) H_0(kr)
    let (k, L, n) = (8.0, 0.5, 8);
    let mesh = generate::rectangle([-1.0; 2], [1.0; 2], [2 * n; 2]).unwrap();
    let begin = Begin::Box { low: [-0.5; 3], high: [0.5; 3] };
    let place = [0.03, 0.06, 0.0];
    let found = |strength: f64| {
        let medium = Medium { layer: Some(Layer::new(begin, L, strength).unwrap()), ..Medium::uniform(2) };
        let space = tensor(&mesh, 4, &[1, 2, 3, 4]);
        let soft = [1, 2, 3, 4].into_iter();
        let problem = soft.fold(Helmholtz::new(space).medium(medium), |problem, tag| {
            problem.condition(tag, Condition::Soft(Data::Zero))
        });
        let source = PointSource { place, amplitude: real(1.0) };
        let u = solved(&problem.source(source).assemble().unwrap(), real(k));
        let points = [[0.4, 0.0, 0.0], [-0.3, 0.45, 0.0], [0.45, -0.45, 0.0]];
        let miss = |x: &[f64; 3]| {
            let exact = Wave::Source { place }.at(2, real(k), x).0;
            (u.at(x).unwrap() - exact).norm() / exact.norm()
        };
        points.iter().map(miss).fold(0.0, f64::max)
    };
    // exp(-2 k sigma L / 3) is 7e-2 and 3e-4
    let [weak, strong] = [1.0, 3.0].map(found);
    assert!((5e-3..0.2).contains(&weak) && strong < 2e-3, "{weak} {strong}");
}

#[test]
fn infinite_elements_converge_on_ellipsoids() {
    let rings = [ring([1.0; 3], 0), ring([1.6, 1.5, 1.4], 1)];
    let space = tensor(&shell(&rings, 1, 4).unwrap(), 4, &[1]);
    let wave = Wave::Multipole { order: 1, radius: 1.0 };
    let found = [1, 2, 4].map(|order| {
        let outer = Condition::Infinite { centre: [0.0; 3], order };
        errors(radiating(space.clone(), outer), 1.0, wave).l2
    });
    assert!(found[1] < 0.3 * found[0] && found[2] <= 1.1 * found[1] && found[2] < 5e-3, "{found:?}");
}
