//! Hermite collocation in space: unknowns, matrices, interfaces, initial data, and what is refused (spec 05, sections
//! 2, 3, 6, 8, 9).

use galerkit_fem::Error;
use galerkit_fem::collocation::hermite::{slopes, values};
use galerkit_fem::collocation::{Collocation, Layers, Line, Source, Start};
use galerkit_linalg::Error as LinalgError;
use galerkit_linalg::map::Triangular;
use galerkit_linalg::precond::ilu0;
use galerkit_linalg::random::Random;
use galerkit_linalg::sparse::Csr;

/// Two layers that meet in the middle of [0, 2].
pub fn two_layers(elements: usize, diffusion: [f64; 2]) -> Line {
    Line::uniform([0.0, 2.0], elements, &Layers::equal(&diffusion).unwrap()).unwrap()
}

pub fn plain(ends: [f64; 2], elements: usize) -> Line {
    Line::uniform(ends, elements, &Layers::equal(&[1.0]).unwrap()).unwrap()
}

pub fn product(A: &Csr<f64>, x: &[f64]) -> Vec<f64> {
    (0..A.rows()).map(|i| A.row(i).map(|(j, a)| a * x[j]).sum()).collect()
}

fn random_vector(length: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..length).map(|_| random.unit() - 0.5).collect()
}

#[test]
fn sizes_are_those_of_the_source() {
    for (side, unknowns) in [(20, 1600), (40, 6400), (80, 25_600)] {
        let space = Collocation::rectangle(plain([0.0, 1.0], side), plain([0.0, 1.0], side));
        assert_eq!((space.elements(), space.unknowns()), (side * side, unknowns));
        assert_eq!(space.A0().unwrap().nnz(), (8 * side - 4) * (8 * side - 4));
    }
    let one = Collocation::interval(plain([0.0, 1.0], 1));
    assert_eq!((one.unknowns(), one.A0().unwrap().nnz()), (2, 4));
}

#[test]
fn every_diagonal_entry_is_there_and_not_zero() {
    let space = Collocation::rectangle(two_layers(6, [1.0, 0.2]), plain([0.0, 1.0], 3));
    for A in [space.A0().unwrap(), space.B(0.3).unwrap()] {
        assert!((0..A.rows()).all(|i| A.row(i).any(|(j, a)| j == i && a != 0.0)));
        assert!((0..A.rows()).all(|i| A.row_length(i) <= 16));
    }
}

/// 3 x^2 - 2 x^3 has slope 0 at 0 and 1; so has its product in two dimensions.
#[test]
fn cubics_without_flux_are_reproduced() {
    let bump = |x: f64| [3.0 * x * x - 2.0 * x * x * x, 6.0 * x - 6.0 * x * x, 6.0 - 12.0 * x];
    let graded = Line::mapped([0.0, 1.0], 5, &Layers::equal(&[1.0]).unwrap(), |t| t * t * (2.0 - t)).unwrap();
    let space = Collocation::rectangle(graded, plain([0.0, 1.0], 3));
    let f = |[x, y]: [f64; 2]| {
        let (x, y) = (bump(x), bump(y));
        [x[0] * y[0], x[1] * y[0], x[0] * y[1], x[1] * y[1]]
    };
    let a = space.interpolated(f);
    let (at, right) = (product(&space.A0().unwrap(), &a), product(&space.B(0.0).unwrap(), &a));
    let (xs, ys) = (space.x().points(), space.y().unwrap().points());
    for (i, &x) in xs.iter().enumerate() {
        for (j, &y) in ys.iter().enumerate() {
            let k = i * ys.len() + j;
            let (x, y) = (bump(x), bump(y));
            assert!((at[k] - x[0] * y[0]).abs() < 1e-14);
            assert!((right[k] - x[2] * y[0] - x[0] * y[2]).abs() < 1e-11);
        }
    }
    let collocated = space.collocated(|point| f(point)[0]).unwrap();
    assert!(a.iter().zip(&collocated).all(|(a, b)| (a - b).abs() < 1e-12));
    assert!((space.at(&a, &[0.3, 0.7]).unwrap() - bump(0.3)[0] * bump(0.7)[0]).abs() < 1e-14);
    assert_eq!(space.at(&a, &[1.1, 0.5]), None);
}

#[test]
fn constants_are_steady_and_their_mass_is_the_area() {
    let space = Collocation::rectangle(two_layers(4, [1.0, 1e-6]), plain([-1.0, 2.0], 3));
    let mut a = vec![0.0; space.unknowns()];
    space.nodal().into_iter().for_each(|k| a[k] = 1.0);
    assert!(product(&space.B(0.0).unwrap(), &a).iter().all(|b| b.abs() < 1e-10));
    let mass: f64 = space.mass().unwrap().iter().zip(&a).map(|(m, a)| m * a).sum();
    assert!((mass - 6.0).abs() < 1e-13);
}

#[test]
fn the_flux_is_the_same_from_both_sides_for_any_coefficients() {
    let layers = Layers::between(&[1.0, 0.2, 7.0], &[0.5, 1.5]).unwrap();
    let line = Line::uniform([0.0, 2.0], 8, &layers).unwrap();
    let a = random_vector(line.unknowns(), 5);
    let slope = |e: usize, s: f64| {
        let local = line.local(e, slopes(s, line.length(e)));
        local.iter().filter_map(|(unknown, factor)| Some(factor * a[(*unknown)?])).sum::<f64>()
    };
    for i in 1..8 {
        let (left, right) = (line.diffusion()[i - 1] * slope(i - 1, 1.0), line.diffusion()[i] * slope(i, 0.0));
        assert!((left - right).abs() < 1e-12, "node {i}: {left} and {right}");
    }
    assert_eq!([slope(0, 0.0), slope(7, 1.0)], [0.0; 2], "no flux through the ends");
    assert_eq!(values(0.0, 1.0), [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn fluxes_telescope_so_that_B_changes_no_mass() {
    let graded = Line::mapped([0.0, 2.0], 8, &Layers::between(&[1.0, 1e-6], &[0.5]).unwrap(), |t| t * t).unwrap();
    for space in [Collocation::interval(graded.clone()), Collocation::rectangle(graded, plain([0.0, 1.0], 3))] {
        let a = random_vector(space.unknowns(), 7);
        let weights = |line: &Line| line.weights();
        let across = space.y().map_or(vec![1.0], weights);
        let along = space.x().weights();
        let Ba = product(&space.B(0.0).unwrap(), &a);
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            Ba.iter().enumerate().map(|(k, b)| f(b * along[k / across.len()] * across[k % across.len()])).sum()
        };
        assert!(sum(&|b| b).abs() < 1e-12 * sum(&f64::abs), "{} of {}", sum(&|b| b), sum(&f64::abs));
    }
}

#[test]
fn layers_of_one_diffusion_are_no_layers() {
    let equal = Line::uniform([0.0, 2.0], 6, &Layers::equal(&[0.3; 3]).unwrap()).unwrap();
    let none = Line::uniform([0.0, 2.0], 6, &Layers::equal(&[0.3]).unwrap()).unwrap();
    assert_eq!(equal, none);
}

/// Three layers on 160 elements end at nodes 53 and 107: 0.6 % off. On 10 elements they would be 10 % off, which is
/// refused.
#[test]
fn layers_of_equal_width_end_at_the_nearest_node() {
    let three = Layers::equal(&[1.0, 0.2, 1.0]).unwrap();
    let line = Line::uniform([0.0, 8.0], 160, &three).unwrap();
    let expected = [53.0, 107.0].map(|node| node * 0.05);
    assert!(
        line.interfaces().iter().zip(expected).all(|(x, node)| (x - node).abs() < 1e-12),
        "{:?}",
        line.interfaces()
    );
    assert!(matches!(Line::uniform([0.0, 8.0], 10, &three), Err(Error::InterfaceNotOnNode { .. })));
}

#[test]
fn graded_meshes_keep_their_layers() {
    let layers = Layers::between(&[1.0, 0.2], &[0.5]).unwrap();
    let line = Line::graded([0.0, 2.0], 40, &layers, 4.0).unwrap();
    assert_eq!(line.interfaces(), [0.5]);
    let ratio = line.length(25) / line.length(10); // the middle of the second layer, and its beginning
    assert!((3.6..4.0).contains(&ratio), "{ratio}");
    assert_eq!(line.ends(), [0.0, 2.0]);
    assert_eq!(Line::graded([0.0, 2.0], 8, &layers, 1.0).unwrap(), Line::uniform([0.0, 2.0], 8, &layers).unwrap());
}

#[test]
fn incomplete_factors_of_A0_are_its_factors() {
    let line = two_layers(6, [1.0, 0.2]);
    let in_time = Collocation::interval(line.clone());
    let A = Csr::new(
        12,
        12,
        in_time.A0().unwrap().start().to_vec(),
        in_time.A0().unwrap().col().to_vec(),
        in_time.A0().unwrap().val().iter().zip(in_time.B(0.5).unwrap().val()).map(|(a, b)| a - 0.05 * b).collect(),
    )
    .unwrap();
    for A in [Collocation::rectangle(line, plain([0.0, 1.0], 4)).A0().unwrap(), A] {
        let b = random_vector(A.rows(), 3);
        let mut x = vec![0.0; b.len()];
        ilu0(&A).unwrap().solve(&b, &mut x);
        let r = product(&A, &x).iter().zip(&b).map(|(Ax, b)| (Ax - b).abs()).fold(0.0, f64::max);
        assert!(r < 1e-12, "{r:e}");
    }
}

/// Interpolation is of fourth order where D f_x is continuous, here without a jump of D.
#[test]
fn data_that_suit_are_interpolated_with_order_four() {
    let f = |x: f64| [(std::f64::consts::PI * x).cos(), -std::f64::consts::PI * (std::f64::consts::PI * x).sin()];
    let error = |n: usize| {
        let space = Collocation::interval(plain([0.0, 1.0], n));
        let a = space.interpolated(|[x, _]| [f(x)[0], f(x)[1], 0.0, 0.0]);
        let at = |k: usize| (space.at(&a, &[k as f64 / 997.0]).unwrap() - f(k as f64 / 997.0)[0]).abs();
        (0..=997).map(at).fold(0.0, f64::max)
    };
    let order = (error(16) / error(32)).log2();
    assert!((order - 4.0).abs() < 0.1, "order {order}");
}

#[test]
fn sources_have_mass_one_and_both_starts_agree() {
    let space = Collocation::rectangle(plain([0.0, 4.0], 40), plain([0.0, 4.0], 40));
    let sources = [[2.0, 2.0], [1.5, 2.5]].map(|centre| Source { centre: centre.to_vec(), eta: 0.3 });
    let mass = |a: &[f64]| space.mass().unwrap().iter().zip(a).map(|(m, a)| m * a).sum::<f64>();
    let [interpolated, collocated] =
        [Start::Interpolated, Start::Collocated].map(|start| space.sources(&sources, start).unwrap());
    for a in [&interpolated, &collocated] {
        assert!((mass(a) - 2.0).abs() < 1e-3, "{}", mass(a));
    }
    let apart = interpolated.iter().zip(&collocated).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart > 0.0 && apart < 0.2, "{apart}");
}

#[test]
fn bad_input_is_refused_by_name() {
    let name = |error: Error| match error {
        Error::Linalg(LinalgError::InvalidParameter { name, .. }) => name,
        Error::InterfaceNotOnNode { .. } => "InterfaceNotOnNode",
        Error::SourceOutside { .. } => "SourceOutside",
        other => panic!("{other}"),
    };
    let one = Layers::equal(&[1.0]).unwrap();
    let line = |nodes: &[f64]| name(Line::new(nodes.to_vec(), &one).unwrap_err());
    assert_eq!([line(&[0.0, 1.0, 1.0]), line(&[0.0, f64::NAN]), line(&[0.0])], ["h", "h", "elements"]);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(name(Layers::equal(&[1.0, bad]).unwrap_err()), "D");
    }
    assert_eq!(name(Layers::between(&[1.0, 2.0], &[]).unwrap_err()), "interfaces");
    for interface in [0.3, 0.0, 2.0, 5.0] {
        let layers = Layers::between(&[1.0, 2.0], &[interface]).unwrap();
        assert_eq!(name(Line::uniform([0.0, 2.0], 4, &layers).unwrap_err()), "InterfaceNotOnNode", "{interface}");
    }
    assert_eq!(
        name(Line::uniform([0.0, 2.0], 5, &Layers::equal(&[1.0, 2.0]).unwrap()).unwrap_err()),
        "InterfaceNotOnNode"
    );
    for ratio in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(name(Line::graded([0.0, 2.0], 4, &one, ratio).unwrap_err()), "grade");
    }
    let space = Collocation::interval(plain([0.0, 1.0], 4));
    let source =
        |centre: Vec<f64>, eta| name(space.sources(&[Source { centre, eta }], Start::Interpolated).unwrap_err());
    assert_eq!(
        [source(vec![1.5], 0.2), source(vec![0.5, 0.5], 0.2), source(vec![0.5], 0.0)],
        ["SourceOutside", "SourceOutside", "eta"]
    );
}
