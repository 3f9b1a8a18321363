//! Unbounded domains: what each truncation leaves of multipoles, infinite elements that are exact, scattering against
//! series.

use super::{errors, real, solved, tensor};
use galerkit_fem::Space;
use galerkit_fem::acoustics::layer::{Begin, Layer};
use galerkit_fem::acoustics::series::{Obstacle, scattered};
use galerkit_fem::acoustics::{Condition, Data, Helmholtz, Medium, Wave};
use galerkit_fem::mesh::Mesh;
use galerkit_fem::mesh::generate::{Ring, annulus, shell};
use std::sync::Arc;

const BODY: i32 = 1;
const LAYER: i32 = 2;

fn ring(axes: [f64; 3], layers: usize, region: i32) -> Ring {
    Ring { axes, layers, region }
}

fn disc(outer: f64, layers: usize, around: usize) -> Mesh {
    annulus(&[ring([1.0; 3], 0, BODY), ring([outer; 3], layers, BODY)], around, 4).unwrap()
}

/// A multipole, given on the inner boundary.
fn radiating(space: Arc<Space>, wave: Wave, outer: Condition) -> Helmholtz<Space> {
    let dim = space.dim();
    Helmholtz::new(space).condition(1, Condition::Soft(Data::pressure(dim, wave, 1.0))).condition(2, outer)
}

fn multipole(order: usize) -> Wave {
    Wave::Multipole { order, radius: 1.0 }
}

#[test]
fn truncations_have_the_errors_of_the_table() {
    let (k, R) = (4.0, 2.0);
    let space = tensor(&disc(R, 3, 20), 6, &[1]);
    let table: [(usize, [f64; 3]); 2] = [(0, [4.25e-2, 1.27e-3, 1.06e-5]), (1, [4.34e-2, 3.84e-3, 1.78e-5])];
    for (order, printed) in table {
        let conditions = [Condition::sommerfeld(), Condition::Bgt1 { centre: [0.0; 3] }, Condition::Bgt2 { radius: R }];
        for (condition, printed) in conditions.into_iter().zip(printed) {
            let found = errors(radiating(space.clone(), multipole(order), condition), k, multipole(order)).l2;
            assert!((found / printed - 1.0).abs() < 0.01, "mode {order}: {found:e} where {printed:e} is printed");
        }
    }
    let higher = [(Condition::sommerfeld(), 0.12), (Condition::Bgt2 { radius: R }, 5e-3)];
    for (condition, printed) in higher {
        let found = errors(radiating(space.clone(), multipole(4), condition), k, multipole(4)).l2;
        assert!((found / printed - 1.0).abs() < 0.1, "{found} where {printed} is printed");
    }
}

#[test]
fn a_layer_absorbs_what_its_strength_says() {
    let (k, R, L) = (4.0, 2.0, 0.5);
    let rings = [ring([1.0; 3], 0, BODY), ring([R; 3], 3, BODY), ring([R + L; 3], 3, LAYER)];
    let space = tensor(&annulus(&rings, 20, 4).unwrap(), 6, &[1, 2]);
    let found = |strength: f64| {
        let begin = Begin::Radial { centre: [0.0; 3], radius: R };
        let medium = Medium { layer: Some(Layer::new(begin, L, strength).unwrap()), ..Medium::uniform(2) };
        let problem = radiating(space.clone(), multipole(1), Condition::Soft(Data::Zero)).medium(medium);
        errors(problem, k, multipole(1)).l2
    };
    // exp(-2 k sigma L / 3) is 7e-2, 5e-3 and 3e-7
    let [weak, strong, full] = [2.0, 4.0, 20.0].map(found);
    assert!((0.02..0.2).contains(&weak) && (1e-3..1e-2).contains(&strong), "{weak} {strong}");
    assert!(full < 2e-4, "{full}");
}

#[test]
fn infinite_elements_of_order_m_are_exact_on_the_sphere_below_m() {
    let rings = [ring([1.0; 3], 0, BODY), ring([1.5; 3], 1, BODY)];
    let space = tensor(&shell(&rings, 1, 4).unwrap(), 4, &[1]);
    let found = |l: usize, order: usize| {
        let outer = Condition::Infinite { centre: [0.0; 3], order };
        errors(radiating(space.clone(), multipole(l), outer), 1.0, multipole(l)).l2
    };
    // what is left is the error of the cells, whatever the order
    for (l, best) in [(0, found(0, 3)), (1, found(1, 3))] {
        let exact = found(l, l + 1);
        assert!((exact / best - 1.0).abs() < 1e-3, "l = {l}: {exact:e} and {best:e}");
    }
    assert!(found(1, 1) > 5.0 * found(1, 2), "{} {}", found(1, 1), found(1, 2));
}

#[test]
fn infinite_elements_converge_in_the_plane_also_on_ellipses() {
    let k = 3.0;
    let found = |space: &Arc<Space>, wave: Wave, order: usize| {
        let outer = Condition::Infinite { centre: [0.0; 3], order };
        errors(radiating(space.clone(), wave, outer), k, wave).l2
    };
    let circle = tensor(&disc(1.5, 2, 16), 5, &[1]);
    for mode in [0, 2] {
        let series: Vec<f64> = [1, 2, 3, 4].map(|m| found(&circle, multipole(mode), m)).to_vec();
        assert!(series.is_sorted_by(|a, b| a > b) && series[3] < 2e-3, "mode {mode}: {series:?}");
    }
    let rings = [ring([1.0; 3], 0, BODY), ring([2.4, 1.5, 0.0], 2, BODY)];
    let ellipse = tensor(&annulus(&rings, 16, 4).unwrap(), 5, &[1]);
    let source = Wave::Source { place: [0.3, 0.2, 0.0] };
    let series: Vec<f64> = [1, 3, 6].map(|m| found(&ellipse, source, m)).to_vec();
    assert!(series[2] < 0.3 * series[0] && series[2] < 2e-2, "{series:?}");
}

#[test]
fn scattering_by_cylinders_is_that_of_the_series() {
    let k = 3.0;
    let incident = Wave::Plane { direction: [1.0, 0.0, 0.0] };
    for (obstacle, soft) in [(Obstacle::Soft, &[1][..]), (Obstacle::Hard, &[])] {
        let space = tensor(&disc(1.6, 2, 16), 5, soft);
        let inner = match obstacle {
            Obstacle::Soft => Condition::Soft(Data::pressure(2, incident, -1.0)),
            Obstacle::Hard => Condition::Velocity(Data::velocity(2, incident, -1.0)),
        };
        let problem =
            Helmholtz::new(space).condition(1, inner).condition(2, Condition::Infinite { centre: [0.0; 3], order: 6 });
        let u = solved(&problem.assemble().unwrap(), real(k));
        for x in [[1.3, 0.0, 0.0], [-1.1, 0.4, 0.0], [0.2, -1.5, 0.0]] {
            let (found, exact) = (u.at(&x).unwrap(), scattered(2, obstacle, real(k), 1.0, &x));
            assert!((found - exact).norm() < 2e-3, "{obstacle:?} at {x:?}: {found} for {exact}");
        }
    }
}

#[test]
fn scattering_by_spheres_is_that_of_the_series() {
    let k = 2.0;
    let incident = Wave::Plane { direction: [0.0, 0.0, 1.0] };
    let rings = [ring([1.0; 3], 0, BODY), ring([1.4; 3], 1, BODY)];
    let mesh = shell(&rings, 2, 3).unwrap();
    for (obstacle, soft) in [(Obstacle::Soft, &[1][..]), (Obstacle::Hard, &[])] {
        let inner = match obstacle {
            Obstacle::Soft => Condition::Soft(Data::pressure(3, incident, -1.0)),
            Obstacle::Hard => Condition::Velocity(Data::velocity(3, incident, -1.0)),
        };
        let problem = Helmholtz::new(tensor(&mesh, 3, soft))
            .condition(1, inner)
            .condition(2, Condition::Infinite { centre: [0.0; 3], order: 4 });
        let u = solved(&problem.assemble().unwrap(), real(k));
        for x in [[0.0, 0.1, 1.25], [0.9, 0.6, -0.4], [0.0, 0.0, -1.3]] {
            let (found, exact) = (u.at(&x).unwrap(), scattered(3, obstacle, real(k), 1.0, &x));
            assert!((found - exact).norm() < 1e-2, "{obstacle:?} at {x:?}: {found} for {exact}");
        }
    }
}
